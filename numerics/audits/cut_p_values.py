"""P-values of a claimed curve at cuts of two samples, exact in finite samples.

At the j-th largest of n0 null scores, with a of n1 other scores beyond: U ~ B(j, n0 - j + 1) is the false positive rate
there, and where no attack has more power than F the count is at most Binomial(n1, F(U)) given U. With V ~
B(a, n1 - a + 1), independent of U,

    p = E P(Binomial(n1, F(U)) >= a) = P(V <= F(U))

is a valid p-value: P(p <= r) <= r. (Of the lower bound on epsilon*, see ``epsilon_star.confidence``, it is the case of
the curve of (epsilon, delta).) The probability over one of the two laws is exact, the average over the other by the
trapezoidal rule in normal scores: over that law which spreads less, seen through F, so that the integrand is smooth.
The p-value has nine digits for smooth curves, and is right to 3e-4 of itself where a curve has a corner next to a cut.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaincc, ndtr, ndtri

from numerics.audits.claim import Claim
from numerics.epsilon_star.confidence import Cuts
from numerics.lazy_property import lazy_property
from numerics.normal_scores import beta_quantiles, normal_scores
from numerics.trade_off import Floats, Order
from numerics.validation import OpenProbability, PositiveCount, checked

_MOST_STEPS = 60
FINE, COARSE = 0.01, 0.05  # steps in normal scores: curves with corners, as of (epsilon, delta), need the finer one
_FARTHEST = 7.8
_OMITTED = 2.0 * float(ndtr(-_FARTHEST))  # probability beyond, which is added to every p-value


class CutPValues:
    """Cuts (k,) of which p-values are asked, of one claim or of many."""

    def __init__(self, cuts: Cuts, step: float = FINE) -> None:
        self._scores, self._weights = normal_scores(step, _FARTHEST)
        self._named, self._wronged = cuts.beta_named(), cuts.beta_wronged()
        self._counted = cuts.named > 0.0  # a count of 0 says nothing
        self._known = dict[int, Floats]()

    @lazy_property
    def _rates(self) -> Floats:
        """Quantiles of U."""
        return beta_quantiles(*self._wronged, self._scores)

    def of(self, claim: Claim, order: Order) -> Floats:
        """The p-values (k,) of a claim, never less than 6e-15; ``order`` names the null world."""
        return self.where(claim, order, self.allowed(claim, order))

    def allowed(self, claim: Claim, order: Order) -> Floats:
        """What the claim allows at the quantiles of U, (k, s): it is the same whatever the counts are."""
        return claim.power(self._rates, order)

    def where(self, claim: Claim, order: Order, allowed: Floats) -> Floats:
        """The p-values (k,) of a claim of which it is known what is ``allowed``."""
        one, weights = int(np.argmin(np.abs(self._scores - 1.0))), self._weights
        a, b = self._named
        spread = np.sqrt(a * b / (a + b + 1.0)) / (a + b)
        over_rates = (allowed[:, one] - allowed[:, -1 - one]) / 2.0 <= spread
        found = np.ones(len(a))
        chosen = np.flatnonzero(self._counted & over_rates)
        found[chosen] = betainc(a[chosen, None], b[chosen, None], allowed[chosen]) @ weights
        chosen = np.flatnonzero(self._counted & ~over_rates)
        if len(chosen):
            a, b = self._wronged
            rates = claim.alpha_for(self._powers(chosen), order)
            found[chosen] = betaincc(a[chosen, None], b[chosen, None], rates) @ weights
        return np.asarray(np.minimum(found + _OMITTED, 1.0))

    def _powers(self, chosen: NDArray[np.intp]) -> Floats:
        """Quantiles of V of some of the cuts, kept for the next claim."""
        missing = [place for place in chosen.tolist() if place not in self._known]
        if missing:
            a, b = (side[missing] for side in self._named)
            self._known |= dict(zip(missing, beta_quantiles(np.maximum(a, 1.0), b, self._scores), strict=True))
        return np.array([self._known[place] for place in chosen.tolist()])


@checked
def critical_counts(
    claim: Claim,
    order: Order,
    named_size: PositiveCount,
    rank: Floats,
    wronged_size: PositiveCount,
    risk: OpenProbability,
) -> Floats:
    """Least counts (k,) with a p-value of at most ``risk`` at each ``rank`` (k,); ``named_size`` + 1 where none has.

    The p-value falls with the count, and so it does between whole numbers: its root is rounded up.
    """
    allowed = CutPValues(Cuts(np.ones(len(rank)), named_size, rank, wronged_size), COARSE).allowed(claim, order)

    def excess(count: Floats, rows: NDArray[np.intp]) -> Floats:
        cuts = CutPValues(Cuts(count[rows], named_size, rank[rows], wronged_size), COARSE)
        p_values = cuts.where(claim, order, allowed[rows])
        return np.asarray(ndtri(np.clip(p_values, 1e-15, 1.0 - 1e-15)) - ndtri(risk))

    low, high = np.zeros(len(rank)), np.full(len(rank), float(named_size))
    at_low = np.full(len(rank), ndtri(1.0 - 1e-15) - ndtri(risk))
    at_high = excess(high, np.arange(len(rank)))
    possible = at_high <= 0.0
    for step in range(_MOST_STEPS):
        rows = np.flatnonzero(possible & (np.ceil(low) != np.ceil(high)))
        if not len(rows):
            break
        line = low + (high - low) * at_low / (at_low - np.minimum(at_high, -1e-300))
        middle = 0.5 * (low + high) if step % 3 == 2 else np.clip(line, low, high)
        at_middle = excess(np.maximum(middle, 1e-9), rows)
        for place, excess_there in zip(rows.tolist(), at_middle.tolist(), strict=True):
            if excess_there <= 0.0:
                high[place], at_high[place] = middle[place], excess_there
            else:
                low[place], at_low[place] = middle[place], excess_there
    return np.where(possible, np.ceil(high), named_size + 1.0)
