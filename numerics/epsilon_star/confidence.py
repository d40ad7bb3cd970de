"""A lower confidence bound on epsilon* that holds for all thresholds at once, whatever the laws of the losses.

Thresholds are order statistics fixed in advance: in each tail the 1st, about 3rd, 9th, ... up to the middle loss of the
group in the ratio's denominator (where a rate exceeds 1/2, the opposite tail shows more). Every cut has an exact limit
at an equal share of the risk 1 - level. If epsilon* were below the largest limit, one of the limits would exceed the
truth at its cut, which by the union bound has probability at most 1 - level: in finite samples, for any laws, for all
four ratios and thresholds together.

The limit of one cut. The j-th smallest of m losses of the group that is wronged (cost) is the threshold; a of n losses
of the other group lie below it. With U of law Beta(j, m - j + 1) and V of law Beta(a, n - a + 1), independent, it is
the risk's quantile of (V - delta) / U. Proof: let gain <= delta + R cost hold at every threshold. The share of the
wronged group below its own j-th loss is U, or less where there are ties, so that of the other group there is at most
q = min(1, delta + R U), and given U the count a is stochastically at most Binomial(n, q). So P(Binomial(n, q) >= a),
averaged over U, is a valid p-value; it is P(V <= q) = P((V - delta) / U <= R).

Ties are ordered by lot: each loss has a second, uniform number, and equal losses are compared by it. That is the
continuous case, so validity is exact, and a threshold inside a tie accuses a share of it. Only the cuts' own lots are
drawn, with one fixed seed; the union bound needs no joint law. Losses rounded or binned are losses with ties.

Losses are assumed to be independent within and between groups. Group sizes may be chosen by the user.
"""

from collections.abc import Callable, Mapping
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaincc, betainccinv, ndtr, ndtri

from numerics.epsilon_star.rates import MaximumRatio, Term
from numerics.lazy_property import lazy_property
from numerics.normal_scores import beta_quantiles, normal_scores
from numerics.roots import crossing
from numerics.trade_off import Floats
from numerics.validation import Interval, PositiveCount, Probability, checked, value

LEVEL = 0.95
_FINEST = 1e-9  # smallest risk of a statement; below it the quadrature has no digits
Level = Annotated[float, Interval(0.0, 1.0 - _FINEST)]
_STEP = 3.0  # between ranks: finer ones divide the risk by more than they gain
_LOTS = 0  # seed of the lots that order ties
_FARTHEST = 7.8  # normal scores
_OMITTED = 2.0 * float(ndtr(-_FARTHEST))  # probability beyond, which is added to every p-value
_TOLERANCE = 1e-9  # of normal scores, of which the log of the ratio moves less than two each
_ROUNDING = 1e-8  # taken off the logs, for the errors of quadrature and root finding
Indices = NDArray[np.intp]
Curve = Callable[[Floats], Floats]


@value(eq=False)
class Ascending:
    """The losses of one group, (n,), ascending; with ``counts`` (n,) distinct ones, or bins named by a loss inside."""

    losses: Floats
    counts: Floats | None = None

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.losses) if self.counts is None else int(self.counts.sum())

    def at_rank(self, rank: Floats) -> Floats:
        """The losses (k,) of ascending rank (k,), counted from 1."""
        if self.counts is None:
            return self.losses[rank.astype(np.intp) - 1]
        return self.losses[np.searchsorted(np.cumsum(self.counts), rank, "left")]

    def up_to(self, loss: Floats) -> tuple[Floats, Floats]:
        """How many are below each loss (k,), and how many are at most as large."""
        below, through = (np.searchsorted(self.losses, loss, side) for side in ("left", "right"))
        if self.counts is None:
            return below.astype(float), through.astype(float)
        cumulated = np.append(0.0, np.cumsum(self.counts))
        return cumulated[below], cumulated[through]


class BestCut(NamedTuple):
    """The cut that shows most: losses strictly on the ratio's side of ``threshold``, and a share of those equal to it.

    ``true_positives`` of the ratio's numerator group lie there, and ``false_positives`` of its denominator group.
    """

    term: Term
    threshold: float
    tied_share: float
    true_positives: int
    positives: int
    false_positives: int
    negatives: int


@value
class LowerBound:
    """Epsilon* at ``delta`` is at least ``value`` (0: nothing is shown) with confidence ``level``.

    ``cut`` shows it, ``attainable`` is the most that groups of these sizes can show, and ``maxima`` are the bounds
    that each ratio gives by itself (-inf if none), the largest first.
    """

    value: float
    delta: float
    level: float
    cut: BestCut | None
    attainable: float
    maxima: tuple[MaximumRatio, ...]


@checked
def lower_bound(train: Ascending, population: Ascending, delta: Probability, level: Level = LEVEL) -> LowerBound:
    """Lower confidence bound on epsilon* from losses of training data and of fresh data."""
    return lower_bound_by_term(dict.fromkeys(Term, (train, population)), delta, level)


@checked
def lower_bound_by_term(
    groups: Mapping[Term, tuple[Ascending, Ascending]], delta: Probability, level: Level = LEVEL
) -> LowerBound:
    """The same where each ratio has its own losses: of bins, in the order in which it would show them least."""
    found = sorted((_best(term, *groups[term], delta, level) for term in Term), key=lambda pair: -pair[0].log_ratio)
    (first, cut), maxima = found[0], tuple(maximum for maximum, _ in found)
    train, population = groups[first.term]
    reach = attainable(train.size, population.size, delta, level)
    shown = first.log_ratio > 0.0
    return LowerBound(max(0.0, first.log_ratio), delta, level, cut if shown else None, reach, maxima)


@checked
def attainable(
    train_size: PositiveCount, population_size: PositiveCount, delta: Probability, level: Level = LEVEL
) -> float:
    """The bound that perfectly separated groups of these sizes have: no losses of these sizes can show more."""
    limits = [0.0]
    for positives, negatives in ((train_size, population_size), (population_size, train_size)):
        cuts = Cuts(np.array([float(positives)]), positives, np.ones(1), negatives)
        limits.append(float(log_limits(cuts, delta, cut_risk(negatives, level))[0]))
    return max(limits)


@checked
def end_ranks(size: PositiveCount) -> Floats:
    """Ranks, counted from a tail's end, at which a group's losses are thresholds."""
    middle = max(size // 2, 1)
    return np.unique(np.round(np.geomspace(1.0, middle, int(np.ceil(np.log(middle) / np.log(_STEP))) + 1)))


@checked
def tail_ranks(size: PositiveCount) -> Floats:
    """The same of both tails, counted from 1 at the smallest loss, ascending."""
    ranks = end_ranks(size)
    return np.unique(np.concatenate([ranks, size + 1.0 - ranks]))


@checked
def cut_risk(size: PositiveCount, level: Level) -> float:
    """Share of the risk of each cut at the ranks of a group: every tail of either group has an equal one."""
    return (1.0 - level) / (len(Term) * len(end_ranks(size)))


def _best(
    term: Term, train: Ascending, population: Ascending, delta: float, level: float
) -> tuple[MaximumRatio, BestCut]:
    positives, negatives = (train, population) if term.names_members else (population, train)
    cuts, threshold, tied_share = tail_cuts(positives, negatives, term.is_above)
    limits = log_limits(cuts, delta, cut_risk(negatives.size, level))
    best = int(np.argmax(limits))
    counts = int(cuts.true_positives[best]), positives.size, int(cuts.rank[best]) - 1, negatives.size
    cut = BestCut(term, float(threshold[best]), float(tied_share[best]), *counts)
    shares = cut.true_positives / positives.size, cut.false_positives / negatives.size
    members, outsiders = shares if term.names_members else shares[::-1]
    rates = (1.0 - outsiders, members) if term.is_above else (outsiders, 1.0 - members)
    return MaximumRatio(term, float(limits[best]), cut.threshold, *rates), cut


class Cuts(NamedTuple):
    """Of two samples: ``true_positives`` (k,) of ``positives`` lie beyond the ``rank``-th (k,) of ``negatives``."""

    true_positives: Floats
    positives: int
    rank: Floats
    negatives: int

    def beta_gain(self) -> tuple[Floats, Floats]:
        """Parameters of V."""
        return self.true_positives, self.positives - self.true_positives + 1.0

    def beta_cost(self) -> tuple[Floats, Floats]:
        """Parameters of U."""
        return self.rank, self.negatives - self.rank + 1.0

    def only(self, kept: Indices) -> "Cuts":
        """The cuts chosen by a mask or by indices (k,)."""
        return Cuts(self.true_positives[kept], self.positives, self.rank[kept], self.negatives)


@checked
def tail_cuts(positives: Ascending, negatives: Ascending, above: bool) -> tuple[Cuts, Floats, Floats]:
    """Cuts at the ranks of one tail, their thresholds, and the share of equal losses on the tail's side."""
    ranks = end_ranks(negatives.size)
    threshold = negatives.at_rank(negatives.size + 1.0 - ranks if above else ranks)
    before, through = _beyond(negatives, threshold, above)
    own_before, own_through = _beyond(positives, threshold, above)
    lots = np.random.default_rng(_LOTS)  # anew in every tail, so that loss -> -loss changes no lot
    share = lots.beta(ranks - before, through - ranks + 1.0)  # the place of that rank among equal losses
    drawn = lots.binomial((own_through - own_before).astype(np.int64), share)
    tied = through - before + own_through - own_before > 1.0
    return Cuts(own_before + drawn, positives.size, ranks, negatives.size), threshold, np.where(tied, share, 0.0)


def _beyond(losses: Ascending, threshold: Floats, above: bool) -> tuple[Floats, Floats]:
    """How many lie strictly on the side of the tail, and how many there or at the threshold."""
    below, through = losses.up_to(threshold)
    return (losses.size - through, losses.size - below) if above else (below, through)


class CutPValues:
    """P-values P(V <= F(U)) of cuts (k,), of the claim that no attack has more power than F at a false positive rate.

    The probability over one of the two laws is exact, the average over the other by the trapezoidal rule in normal
    scores ``step`` apart: over that law which spreads less, seen through F, so that the integrand is smooth.
    """

    def __init__(self, cuts: Cuts, step: float = 0.3) -> None:  # to 1e-10 of the p-value for smooth F
        self.cuts, (self._scores, self._weights) = cuts, normal_scores(step, _FARTHEST)
        self._one = int(np.argmin(np.abs(self._scores - 1.0)))

    @lazy_property
    def _rates(self) -> Floats:
        """Quantiles of U, (k, s)."""
        return beta_quantiles(*self.cuts.beta_cost(), self._scores)

    @lazy_property
    def _powers(self) -> Floats:
        """Quantiles of V, (k, s)."""
        a, b = self.cuts.beta_gain()
        return beta_quantiles(np.maximum(a, 1.0), b, self._scores)

    def of(self, power: Curve, alpha_for: Curve, rows: Indices | slice = slice(None)) -> Floats:
        """The p-values of some ``rows``, (r,), for F and its inverse, which take (r, s); never less than 6e-15."""
        allowed, found = power(self._rates[rows]), np.ones(len(self.cuts.rank[rows]))
        (a, b), counted = (side[rows] for side in self.cuts.beta_gain()), self.cuts.true_positives[rows] > 0.0
        spread = np.sqrt(a * b / (a + b + 1.0)) / (a + b)
        over_rates = (allowed[:, self._one] - allowed[:, -1 - self._one]) / 2.0 <= spread
        chosen = counted & over_rates  # a count of 0 says nothing
        found[chosen] = betainc(a[chosen, None], b[chosen, None], allowed[chosen]) @ self._weights
        chosen = counted & ~over_rates
        if np.any(chosen):
            a, b = (side[rows][chosen, None] for side in self.cuts.beta_cost())
            found[chosen] = betaincc(a, b, alpha_for(self._powers[rows])[chosen]) @ self._weights
        return np.minimum(found + _OMITTED, 1.0)


def p_values(cuts: CutPValues, delta: float, log_ratio: Floats, rows: Indices | slice = slice(None)) -> Floats:
    """P-values (r,) at some cuts of gain <= delta + e^log_ratio cost, (r,)."""
    ratio = np.exp(log_ratio)[:, None]
    return cuts.of(
        lambda cost: np.minimum(delta + ratio * cost, 1.0), lambda gain: np.clip((gain - delta) / ratio, 0.0, 1.0), rows
    )


def log_limits(cuts: Cuts, delta: float, risk: Floats | float) -> Floats:
    """Logs of the limits at each cut's ``risk``, (k,); -inf where not even a ratio of 1 can be excluded.

    P(limit > truth) <= risk for each by itself. The root is sought in normal scores, where it is nearly a line.
    """
    limits, risk = np.full(len(cuts.rank), -np.inf), np.broadcast_to(risk, len(cuts.rank))
    hopeful = np.flatnonzero(cuts.true_positives / cuts.positives > delta + cuts.rank / cuts.negatives)
    if len(hopeful):
        some, wanted = CutPValues(cuts.only(hopeful)), ndtri(risk[hopeful])

        def excess(log_ratio: Floats, rows: Indices) -> Floats:
            score = ndtri(np.clip(p_values(some, delta, log_ratio, rows), 0.0, 1.0 - 1e-16)) - wanted[rows]
            return np.where(np.abs(score) < _TOLERANCE, 0.0, score)

        high = 1e-3 - np.log(betainccinv(*some.cuts.beta_cost(), risk[hopeful]))  # there U alone would make the gain 1
        found = crossing(excess, np.zeros(len(hopeful)), high)
        limits[hopeful] = np.where(found > 0.0, found - _ROUNDING, -np.inf)
    return limits
