"""Losses counted in bins: how many of each group lie between two losses that occur.

Bins are named by the smallest and the largest loss in them, so every bin ends at a threshold that exists, and the rates
there are exact. What lies inside a bin is unknown, unless it holds one loss only: then it is settled. Nothing else is
asked of the bins: not that they are equal, nor that they were chosen before the losses were seen.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from numerics.epsilon_star.audit_caveats import MOST_VALUES
from numerics.epsilon_star.confidence import Counted, Losses, tail_ranks
from numerics.epsilon_star.counted_rates import CountedRates, bounds_between, peaks_at
from numerics.epsilon_star.error_ratios import Clip, Term, ThresholdRates
from numerics.trade_off import Floats
from numerics.validation import Probability, checked

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
@checked
class LossBins:
    """Counts of both groups in bins of ascending losses that do not overlap; ``of`` checks and orders them.

    Attributes:
        lowest, highest: smallest and largest loss in each bin, (b,).
        train, population: how many losses of training data and of fresh data are in each, (b,).
    """

    lowest: Floats
    highest: Floats
    train: Floats
    population: Floats

    @classmethod
    def of(cls, lowest: Floats, highest: Floats, train: Floats, population: Floats) -> "LossBins":
        """Bins in any order; those of the same single loss are joined.

        Raises ValueError where two of them overlap, or where counts are negative.
        """
        order = np.lexsort((highest, lowest))
        low, high = lowest[order], highest[order]
        first = np.flatnonzero(np.concatenate([[True], (low[1:] != low[:-1]) | (high[1:] != high[:-1])]))
        members, outsiders = (np.add.reduceat(counts[order], first) for counts in (train, population))
        low, high = low[first], high[first]
        if np.any(low > high) or np.any(high[:-1] >= low[1:]):
            raise ValueError("bins must not overlap.")
        if min(members.min(), outsiders.min()) < 0.0:
            raise ValueError("counts must not be negative.")
        return cls(low, high, members, outsiders)

    @property
    def settled(self) -> Mask:
        """Which bins hold a single loss, (b,)."""
        return np.asarray(self.lowest == self.highest)

    def take_few_values(self, counts: Floats) -> bool:
        """Whether the losses that ``counts`` (b,) count take no more than ``MOST_VALUES``, as far as bins can tell."""
        taken = counts > 0.0
        return int(np.count_nonzero(taken)) <= MOST_VALUES and bool(np.all(self.settled[taken]))

    def among(self, bins: Mask) -> "LossBins":
        """Only these bins."""
        return LossBins(self.lowest[bins], self.highest[bins], self.train[bins], self.population[bins])

    def refined(self, bins: Mask, finer: "LossBins") -> "LossBins":
        """The same with ``finer`` in the place of ``bins`` (b,).

        Raises ValueError when the finer ones hold other numbers of losses.
        """
        coarse = self.among(bins)
        for name in ("train", "population"):
            expected, counted = (float(getattr(part, name).sum()) for part in (coarse, finer))
            if expected != counted:
                raise ValueError(f"finer bins must hold the {expected:,.0f} losses of {name}, got {counted:,.0f}.")
        kept = self.among(~bins)
        joined = zip(kept._columns(), finer._columns(), strict=True)
        return LossBins.of(*(np.concatenate(pair) for pair in joined))

    def _columns(self) -> tuple[Floats, Floats, Floats, Floats]:
        return self.lowest, self.highest, self.train, self.population

    def rates(self) -> CountedRates:
        """Rates below all bins and through each of them, at its largest loss, (b + 1,)."""
        members, outsiders = (np.concatenate([[0.0], np.cumsum(group)]) for group in (self.train, self.population))
        threshold = np.concatenate([[self.lowest[0]], self.highest])
        return CountedRates(threshold, ThresholdRates.counted(members, outsiders, members[-1], outsiders[-1]))

    def least_shown(self, term: Term) -> tuple[Losses, Losses]:
        """Losses (train, population) with the order inside of every bin in which this ratio is smallest at each rank.

        Those whom the ratio names lie behind the others, as seen from its tail.
        """
        early, late = self.lowest, self.highest
        members_first = term in (Term.MEMBERS_ABOVE, Term.OUTSIDERS_BELOW)
        ends = (early, late) if members_first else (late, early)
        return Counted(ends[0], self.train), Counted(ends[1], self.population)


@checked
def bounds_inside(bins: LossBins, delta: Probability, clip: Clip | None) -> Floats:
    """What no log of a ratio can exceed at a threshold inside each bin, (b,); -inf in settled bins."""
    bounds = np.maximum.reduce(list(bounds_between(bins.rates(), delta, clip).values()))
    return np.where(bins.settled, -np.inf, bounds)


@checked
def wanted_for_counts(bins: LossBins, delta: Probability, clip: Clip | None) -> Mask:
    """Bins (b,) to look into for the largest ratios, with the clip and without.

    They may hold a larger one, or the first or last loss of a group: there infinite ratios name most people.
    """
    wanted = np.zeros(len(bins.lowest), dtype=bool)
    for group in (bins.train, bins.population):
        occupied = np.flatnonzero(group)
        wanted[[occupied[0], occupied[-1]]] = True
    through = bins.rates().after_the_first()
    for cut in {clip, None}:
        best = {peak.term: peak.log_ratio for peak in peaks_at(through, delta, cut)}
        for term, bound in bounds_between(bins.rates(), delta, cut).items():
            wanted |= bound > best[term]
    return wanted & ~bins.settled


@checked
def wanted_for_bound(bins: LossBins) -> Mask:
    """Bins (b,) that hold the thresholds of the confidence bound and more than a single loss."""
    wanted = np.zeros(len(bins.lowest), dtype=bool)
    for group in (bins.train, bins.population):
        wanted[np.searchsorted(np.cumsum(group), tail_ranks(int(group.sum())), "left")] = True
    return wanted & ~bins.settled
