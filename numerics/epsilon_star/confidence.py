"""A lower confidence bound on epsilon* that holds for all thresholds at once, whatever the laws of the losses.

Thresholds are order statistics fixed in advance: in each tail the 1st, about 3rd, 9th, ... up to the middle loss of the
group in the ratio's denominator (where a rate exceeds 1/2, the opposite tail shows more). Every cut has an exact limit
(see ``ratio_limits``) at an equal share of the risk 1 - level. If epsilon* were below the largest limit, one of those
limits would exceed the truth at its cut, which by the union bound has probability at most 1 - level: in finite samples,
for any laws, for all four ratios and thresholds together.

Ties are ordered by lot: each loss has a second, uniform number, and equal losses are compared by it. That is the
continuous case, so validity is exact, and a threshold inside a tie accuses a share of it; its ratio is never above the
larger of the ratios without and with the whole tie. Only the cuts' own lots are drawn, with one fixed seed; the union
bound needs no joint law. Losses rounded or binned are losses with ties: the bound stays valid, for the rounded losses
and so for the exact ones, of which they are a function.

It is assumed that losses are independent within and between groups. Group sizes may be chosen by the user.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, NamedTuple, Protocol

import numpy as np

from numerics.epsilon_star.error_ratios import Peak, Term
from numerics.epsilon_star.ratio_limits import Cuts, log_limits
from numerics.trade_off import Floats
from numerics.validation import Interval, PositiveCount, Probability, checked

LEVEL = 0.95
_FINEST = 1e-9  # smallest risk of a statement; below it the quadrature has no digits
Level = Annotated[float, Interval(0.0, 1.0 - _FINEST)]
_STEP = 3.0  # between ranks: finer ones divide the risk by more than they gain
_LOTS = 0  # seed of the lots that order ties


class Losses(Protocol):
    """Losses of one group, in ascending order."""

    @property
    def size(self) -> int:
        """How many there are."""
        ...

    def at_rank(self, rank: Floats) -> Floats:
        """The losses (k,) of ascending rank (k,), counted from 1."""
        ...

    def up_to(self, loss: Floats) -> tuple[Floats, Floats]:
        """How many are below each loss (k,), and how many are at most as large."""
        ...


@dataclass(frozen=True, eq=False)
@checked
class Ascending:
    """The losses themselves, (n,), ascending."""

    losses: Floats

    @property
    def size(self) -> int:
        """See Losses."""
        return len(self.losses)

    def at_rank(self, rank: Floats) -> Floats:
        """See Losses."""
        return np.asarray(self.losses[rank.astype(np.intp) - 1])

    def up_to(self, loss: Floats) -> tuple[Floats, Floats]:
        """See Losses."""
        below, through = (np.searchsorted(self.losses, loss, side) for side in ("left", "right"))
        return below.astype(float), through.astype(float)


@dataclass(frozen=True, eq=False)
@checked
class Counted:
    """Counts (b,) of ascending distinct losses, or of bins named by any number inside, (b,)."""

    losses: Floats
    counts: Floats

    @property
    def size(self) -> int:
        """See Losses."""
        return int(self.counts.sum())

    def at_rank(self, rank: Floats) -> Floats:
        """See Losses."""
        return np.asarray(self.losses[np.searchsorted(np.cumsum(self.counts), rank, "left")])

    def up_to(self, loss: Floats) -> tuple[Floats, Floats]:
        """See Losses."""
        cumulated = np.concatenate([[0.0], np.cumsum(self.counts)])
        below, through = (np.searchsorted(self.losses, loss, side) for side in ("left", "right"))
        return cumulated[below], cumulated[through]


class Place(NamedTuple):
    """The cut that shows most.

    Attributes:
        term: which of the four ratios.
        threshold: the cut, as a loss; the losses strictly on the ratio's side of it are meant.
        tied_share: of losses equal to the threshold this share is meant too, drawn by lot.
        named: how many of the ratio's numerator group are on that side, of ``named_size``.
        wronged: how many of its denominator group are there too, of ``wronged_size``.
    """

    term: Term
    threshold: float
    tied_share: float
    named: int
    named_size: int
    wronged: int
    wronged_size: int


@dataclass(frozen=True)
@checked
class LowerBound:
    """Epsilon* is at least ``value`` with confidence ``level``.

    Attributes:
        value: the bound, never negative; 0 where nothing is shown.
        delta: the delta it is stated at.
        level: probability with which such a bound holds.
        place: where the losses show it; None where they show nothing.
        attainable: the most that groups of these sizes can show: the bound if they did not overlap at all.
        peaks: the bound that each ratio gives by itself (-inf if none), with the counted rates at its cut; the largest
            first.
    """

    value: float
    delta: float
    level: float
    place: Place | None
    attainable: float
    peaks: tuple[Peak, ...]


@checked
def lower_bound(train: Losses, population: Losses, delta: Probability, level: Level = LEVEL) -> LowerBound:
    """Lower confidence bound on epsilon* from losses of training data and of fresh data.

    Raises ValueError for ``delta`` outside of [0, 1] and for a level outside of [0, 1 - 1e-9].
    """
    return lower_bound_by_term(dict.fromkeys(Term, (train, population)), delta, level)


@checked
def lower_bound_by_term(
    groups: Mapping[Term, tuple[Losses, Losses]], delta: Probability, level: Level = LEVEL
) -> LowerBound:
    """The same where each ratio has its own losses of training data and of fresh data.

    For losses known up to bins: each ratio can be given them in the order in which they would show it least.

    Raises ValueError for ``delta`` outside of [0, 1] and for a level outside of [0, 1 - 1e-9].
    """
    found = [_best(term, *groups[term], delta, level) for term in Term]
    found.sort(key=lambda pair: -pair[0].log_ratio)
    (first, place), peaks = found[0], tuple(peak for peak, _ in found)
    value = max(0.0, first.log_ratio)
    train, population = groups[first.term]
    reach = attainable(train.size, population.size, delta, level)
    return LowerBound(value, delta, level, place if value > 0.0 else None, reach, peaks)


@checked
def tail_ranks(size: PositiveCount) -> Floats:
    """Ascending ranks, counted from 1 at the smallest loss, at which losses of a group of this size are thresholds."""
    ranks = end_ranks(size)
    return np.unique(np.concatenate([ranks, size + 1.0 - ranks]))


@checked
def attainable(
    train_size: PositiveCount, population_size: PositiveCount, delta: Probability, level: Level = LEVEL
) -> float:
    """The bound that perfectly separated groups of these sizes have: no losses of these sizes can show more."""
    limits = [0.0]
    for named, wronged in ((train_size, population_size), (population_size, train_size)):
        cuts = Cuts(np.array([float(named)]), named, np.ones(1), wronged)
        limits.append(float(log_limits(cuts, delta, _risk(wronged, level)[:1])[0]))
    return max(limits)


@checked
def end_ranks(size: PositiveCount) -> Floats:
    """Ranks, counted from a tail's end, at which a group's losses are thresholds."""
    middle = max(size // 2, 1)
    return np.unique(np.round(np.geomspace(1.0, middle, int(np.ceil(np.log(middle) / np.log(_STEP))) + 1)))


def _risk(size: int, level: float) -> Floats:
    """Each cut's share of the risk."""
    count = len(end_ranks(size))
    return np.full(count, (1.0 - level) / (len(Term) * count))


def _best(term: Term, train: Losses, population: Losses, delta: float, level: float) -> tuple[Peak, Place]:
    members_named = term in (Term.MEMBERS_BELOW, Term.MEMBERS_ABOVE)
    named, wronged = (train, population) if members_named else (population, train)
    cuts, threshold, tied_share = tail_cuts(named, wronged, term in (Term.MEMBERS_ABOVE, Term.OUTSIDERS_ABOVE))
    risk = _risk(wronged.size, level)
    limits = log_limits(cuts, delta, risk)
    best = int(np.argmax(limits))
    shown = cuts.only(np.array([best]))
    place = Place(
        term,
        float(threshold[best]),
        float(tied_share[best]),
        int(shown.named[0]),
        named.size,
        int(shown.rank[0]) - 1,
        wronged.size,
    )
    rates = _rates(term, place.named / named.size, place.wronged / wronged.size)
    return Peak(term, float(limits[best]), place.threshold, *rates), place


@checked
def tail_cuts(named: Losses, wronged: Losses, above: bool) -> tuple[Cuts, Floats, Floats]:
    """Cuts at the ranks of one tail, their thresholds, and the share of equal losses on the tail's side."""
    ranks = end_ranks(wronged.size)
    threshold = wronged.at_rank(wronged.size + 1.0 - ranks if above else ranks)
    before, through = _beyond(wronged, threshold, above)
    named_before, named_through = _beyond(named, threshold, above)
    lots = np.random.default_rng(_LOTS)  # anew in every tail, so that loss -> -loss changes no lot
    share = lots.beta(ranks - before, through - ranks + 1.0)  # the place of that rank among equal losses
    drawn = lots.binomial((named_through - named_before).astype(np.int64), share)
    tied = through - before + named_through - named_before > 1.0
    return Cuts(named_before + drawn, named.size, ranks, wronged.size), threshold, np.where(tied, share, 0.0)


def _beyond(losses: Losses, threshold: Floats, above: bool) -> tuple[Floats, Floats]:
    """How many lie strictly on the side of the tail, and how many there or at the threshold."""
    below, through = losses.up_to(threshold)
    return (losses.size - through, losses.size - below) if above else (below, through)


def _rates(term: Term, named: float, wronged: float) -> tuple[float, float]:
    """T and eta from the shares of both groups on the ratio's side."""
    return {
        Term.MEMBERS_BELOW: (wronged, 1.0 - named),
        Term.OUTSIDERS_ABOVE: (1.0 - named, wronged),
        Term.MEMBERS_ABOVE: (1.0 - wronged, named),
        Term.OUTSIDERS_BELOW: (named, 1.0 - wronged),
    }[term]
