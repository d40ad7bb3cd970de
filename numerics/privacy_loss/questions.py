"""Numbers that are bracketed by themselves, with less work than a whole curve takes."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from numerics.deadline import in_time
from numerics.privacy_loss.bounds import CertifiedLoss
from numerics.privacy_loss.pairs import LARGEST_STEP_LOSS, ComposedPairs
from numerics.privacy_loss.refinement import Refinement
from numerics.privacy_loss.truncation_plan import SMALLEST_UNTILTED, Samples, tilted_moments
from numerics.trade_off import Bracket, Floats, Order
from numerics.validation import OpenProbability, Probability, value

# Where epsilon lies, by exponential moments of the summed loss: both limits hold at any distance, without a transform.
#
# A partition of the losses into few cells of any width gives two laws of one step's loss. The ratio of a cell's masses
# is what an attacker sees who is told the cell alone. Connecting the dots between the cells' ends gives a pair that is
# at least as easy to tell apart as the true one (see ``lattice``).

_EXPONENTS = np.geomspace(1e-9, 1e6, 256)  # Chernoff's, for sums that scatter by 1e-6 up to 1e9
_SPREADS = np.array([1.1, 1.3, 1.6, 2.0, 3.0, 5.0, 10.0])[:, np.newaxis]  # standard deviations, for Chebyshev's bound
_ROUNDING = 1e-12  # relative, of one step's losses and moments: thousands of roundings of a sum over some hundred cells
_NEGLIGIBLE = 1e-9  # share of delta
_BEYOND_ATOMS = 1e-9  # of the range: an atom at its end is inside, whatever rounding says
_SMALLEST = 1e-290  # masses below this may have lost digits


class Reach(NamedTuple):
    """``lower`` <= epsilon <= ``upper``; beyond ``top`` only a negligible share of delta is left."""

    lower: float
    upper: float
    top: float


def epsilon_reach(phases: ComposedPairs, delta: float) -> Reach:
    """Where epsilon at ``delta`` lies, worst of both orders."""
    add, remove = _Moments([], [], 0.0), _Moments([], [], 0.0)
    for pair, steps in in_time(phases):
        # Beyond the cells of all phases together lies less than half of what ``top`` leaves.
        tail = max(_NEGLIGIBLE * (delta / len(phases)) / steps, _SMALLEST)
        low, high = pair.loss_range(tail)
        beyond = _BEYOND_ATOMS * (high - low)
        edges = np.unique(np.concatenate((pair.scatter(tail)[0], [low - beyond, low, high, high + beyond])))
        p, q = pair.cell_pmf(edges)
        add.take(edges, p, q, steps)
        remove.take(-edges[::-1], q[::-1], p[::-1], steps)  # of the negated loss, with P and Q exchanged
    upper, top = (max(add.upper(share), remove.upper(share)) for share in (delta, 2.0 * _NEGLIGIBLE * delta))
    return Reach(min(max(add.lower(delta), remove.lower(delta)), upper), upper, top)


@dataclass(eq=False)
class _Moments:
    """The summed loss of one order.

    Attributes:
        observed: laws of one step's loss, per phase, as an attacker reads it off the cells.
        dotted: laws that connect the dots.
        beyond: chance that any step's loss lies beyond the partition.
    """

    observed: list[Samples]
    dotted: list[Samples]
    beyond: float

    def take(self, edges: Floats, p: Floats, q: Floats, steps: int) -> None:
        """Add a phase by the masses ``p`` and ``q`` (n + 1,) of the cells that ascending ``edges`` (n,) cut."""
        # The log ratio of each cell's masses; the cell's lower end where one has underflowed.
        low, high = np.append(-np.inf, edges), np.append(edges, np.inf)
        ratio = _log_ratio(p, q)
        loss = np.where(np.isfinite(ratio), np.clip(ratio, low, high), low)
        seen = (p > _SMALLEST) & np.isfinite(loss)
        self.observed.append(Samples(loss[seen], p[seen], steps))
        # Each cell's mass on its two ends so that both its P and its Q mass are kept; see ``lattice.connect_the_dots``.
        width, inner = np.diff(edges), p[1:-1]
        above = np.nan_to_num(_log_ratio(inner, q[1:-1]), nan=0.0, posinf=np.inf) - edges[:-1]
        to_upper = inner * np.clip(np.expm1(np.minimum(-above, 0.0)) / np.expm1(-width), 0.0, 1.0)
        mass = np.append(p[0], to_upper)
        mass[:-1] += inner - to_upper
        self.dotted.append(Samples(edges, mass, steps))
        self.beyond += steps * float(p[-1])

    def upper(self, delta: float) -> float:
        """An epsilon with delta(epsilon) <= ``delta``.

        For every t > 0, (1 - e^{epsilon - l})_+ <= c e^{t (l - epsilon)} with c = t^t / (1 + t)^{1 + t}.
        """
        if delta <= self.beyond:
            return np.inf
        t = _EXPONENTS
        log_moment, _, _ = tilted_moments(self.dotted, t)
        log_moment -= np.log1p(t) + t * np.log1p(1.0 / t)
        error = _rounding(self.dotted)
        return max(float(np.min((log_moment - np.log(delta - self.beyond) + error) / t)) + error, 0.0)

    def lower(self, delta: float) -> float:
        """An epsilon with delta(epsilon) >= ``delta``."""
        return max(self._reached_by_sum(delta), self._reached_by_largest(delta), 0.0)

    def _reached_by_sum(self, delta: float) -> float:
        """Of the attacks that accuse where the sum S reaches some x.

        Under the law tilted by e^{t S}, S has mean m and standard deviation s. By Chebyshev's inequality
        P(S >= m - k s) >= E[e^{t S}] e^{-t (m + k s)} (1 - 1/k^2); and Q(S >= x) <= e^{-x} P(S >= x).
        """
        log_moment, mean, variance = tilted_moments(self.observed, _EXPONENTS)
        spread, error = _SPREADS * np.sqrt(variance), _rounding(self.observed)
        power = log_moment - _EXPONENTS * (mean + spread + error) + np.log1p(-1.0 / _SPREADS**2) - error
        with np.errstate(divide="ignore"):
            gain = np.log(-np.expm1(np.minimum(np.log(delta) - power, 0.0)))
        return float(np.max(mean - spread - error + gain))

    def _reached_by_largest(self, delta: float) -> float:
        """Of the attacks that accuse where any step's loss reaches some x, n steps with a chance p each.

        Their power is 1 - (1 - p)^n, and their false positive rate at most n e^{-x} p.
        """
        x = np.concatenate([one.loss for one in self.observed])
        any_step, together = np.zeros((2, len(x)))
        for one in self.observed:
            above = np.append(np.cumsum(one.mass[::-1])[::-1], 0.0)[np.searchsorted(one.loss, x)]
            any_step += one.steps * np.log1p(-np.minimum(above, 1.0 - _ROUNDING))
            together += one.steps * above
        gain = np.maximum(-np.expm1(any_step) * (1.0 - _ROUNDING) - delta, 0.0)
        with np.errstate(divide="ignore"):
            return float(np.max(x + np.log(gain / together))) - _rounding(self.observed)


def _log_ratio(p: Floats, q: Floats) -> Floats:
    """Log of p/q; infinite where q has underflowed."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(q > _SMALLEST, np.log(p) - np.log(q), np.inf)


def _rounding(samples: list[Samples]) -> float:
    """Bound on the rounding of a sum, and of its log moment."""
    return _ROUNDING * sum(one.steps * (1.0 + float(np.max(np.abs(one.loss)))) for one in samples)


# The numbers.


_FIRST_WIDTH = 1e-4  # of the power, on the first lattice, where that is narrow enough
_BELOW = 5.0  # an epsilon is read from so far below its lower limit: rounded losses may lie lower


class Question:
    """One number to bracket; it grows with the attacker's success. Hashable, so that answers can be remembered."""

    @property
    def rarity(self) -> float:
        """Minus the log of the chances it hangs on."""
        return 0.0

    def first_width(self, width: float) -> float:
        """The width of the power on the first lattice, where ``width`` is asked of the number."""
        return max(width, _FIRST_WIDTH) if np.isfinite(width) else _FIRST_WIDTH

    def known(self, tries: Refinement, far: bool) -> Bracket:
        """What holds without any sum; at any distance if ``far``."""
        return self.answer(tries.trivial())

    def look(self, tries: Refinement, best: Bracket) -> bool:
        """Let ``tries`` be read where ``best`` says that the number is; whether that is elsewhere than before."""
        return False

    def answer(self, loss: CertifiedLoss) -> Bracket:
        """What a bracket of the curve says."""
        raise NotImplementedError


@value
class EpsilonAt(Question):
    """Epsilon at ``delta``, worst of both orders."""

    delta: OpenProbability

    @property
    def rarity(self) -> float:
        return -float(np.log(self.delta))

    def first_width(self, width: float) -> float:
        return _FIRST_WIDTH

    def known(self, tries: Refinement, far: bool) -> Bracket:
        """See Question. No lattice will do where single steps' losses beyond all lattices are as likely as delta."""
        if not far:
            return super().known(tries, far)
        lower, upper, tries.top = epsilon_reach(tries.phases, self.delta)
        if tries.exposed >= self.delta:
            tries.finest = np.inf
        return Bracket.between(lower, upper)

    def look(self, tries: Refinement, best: Bracket) -> bool:
        """See Question. From the lower limit up, for rates further down may underflow; else in the middle."""
        before, span = tries.level, best.width if best.upper < np.inf else 0.0
        tries.level = max(best.lower - _BELOW, best.lower + 0.5 * (span - LARGEST_STEP_LOSS), 0.0)
        return abs(tries.level - before) > _BELOW

    def answer(self, loss: CertifiedLoss) -> Bracket:
        return loss.epsilon(self.delta)


@value
class PowerAt(Question):
    """Power at false positive rate ``alpha``."""

    alpha: Probability
    order: Order = Order.ADD

    @property
    def rarity(self) -> float:
        return -float(np.log(max(self.alpha, SMALLEST_UNTILTED)))

    def answer(self, loss: CertifiedLoss) -> Bracket:
        return loss.power(self.alpha, self.order)


@dataclass(frozen=True)
class LargestAdvantage(Question):
    """Largest power - alpha: delta at epsilon 0."""

    def answer(self, loss: CertifiedLoss) -> Bracket:
        return loss.delta(0.0)
