"""Noise for a wanted eta by swaps that are drawn: for statistics whose swaps nobody can count, and several at once.

Half of the records is drawn, and each member is paired with one who is out, at random. Swapping a pair makes of a half
with x a half without it, or the other way round, so for *each* of the n records a drawn half holds one fair draw of
TV_noise(t), whose mean the one-swap bound is. These are numbers between 0 and what the longest swap shows, independent
from half to half. Their mean is at most the average and the margin of Maurer and Pontil (2009, Theorem 4),

    sqrt(2 V log(2/p) / m) + 7 log(2/p) / (3 (m - 1)),   V their variance, m halves,

but for a chance p. The noise is proposed by draws that are then thrown away; a few scales around it are fixed, and the
least that fresh draws allow is taken: p is the level over the number of records times that of scales. What comes out is
an audit of the bound with that confidence, and no guarantee.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, NamedTuple

import numpy as np

from numerics.deadline import in_time
from numerics.membership.advantage import PositiveEta
from numerics.membership.one_swap import SwapNoise, least_enough
from numerics.membership.table_statistics import Members, TableStatistic
from numerics.trade_off import Floats
from numerics.validation import Interval, OpenProbability, Positive, Seed, checked

LARGEST_AUDITED = 20_000
"""Records: with more, too few halves can be drawn for the margin of the worst of them to be small."""
_DRAWN = 15_000_000  # records in all halves together
_HALVES = 2_000, 8_000
_PROPOSING = 20  # of so many halves one is drawn for the proposal
_NEGLIGIBLE = 1e-9  # of what is enough where all swaps are alike: where so little is, few swaps are seen without any
_TRIED = np.geomspace(0.8, 1.25, 6)  # of the proposed scale


class SwapAudit(NamedTuple):
    """What swaps that were drawn allow.

    Attributes:
        scale: by which all noise is to be multiplied.
        eta: of the record that is hidden least: at most this, with the ``confidence``.
        confidence: that this holds for all records; 1 where the longest swap says so, as differential privacy does.
        halves: how many were drawn.
    """

    scale: float
    eta: float
    confidence: float
    halves: int


@checked
def audited_scale(
    statistics: tuple[TableStatistic, ...],
    noise: SwapNoise,
    eta: PositiveEta,
    units: tuple[Positive, ...] = (1.0,),
    confidence: OpenProbability = 0.95,
    halves: Annotated[int, Interval(100, 1_000_000)] | None = None,
    seed: Seed = 0,
) -> SwapAudit:
    """Noise that keeps eta of everybody at most ``eta``, when half of an even number of records is used.

    Args:
        statistics: of one half, chosen beforehand, each with noise of its own.
        noise: its law; of several statistics with Laplace noise the effects are added up, which is a bound.
        eta: wanted.
        units: the scale of each statistic's noise, of which a multiple is looked for.
        confidence: of what is found.
        halves: how many are drawn; by default as many as take a few seconds.
        seed: of the draws.

    Raises:
        ValueError: the number of records is odd, or above 20,000, or no scale that was tried is enough.
    """
    records = statistics[0].records
    Interval(2, LARGEST_AUDITED).check("records", records)
    if records % 2:
        raise ValueError(f"eta is about exactly half of an even number of records, got {records}.")
    count = halves or int(np.clip(_DRAWN // records, *_HALVES))
    goal, chance = 2.0 * eta, (1.0 - confidence) / (records * len(_TRIED))
    longest = float(_together(noise, [one.largest / unit for one, unit in zip(statistics, units, strict=True)]))
    if longest == 0.0:
        return SwapAudit(0.0, 0.0, 1.0, 0)
    least = float(_at_most(np.zeros((2, 1)), count, count, chance)[0])
    if not np.isfinite(longest) and least >= goal:
        raise ValueError(f"eta must be above {0.5 * least:.3g}, which {count:,} halves can show at best, got {eta!r}.")

    def draw(generator: np.random.Generator) -> tuple[Members, Floats]:
        order = generator.permutation(records)
        members, others = order[: records // 2], order[records // 2 :]
        moved = [one.moved(members, others) / unit for one, unit in zip(statistics, units, strict=True)]
        return order, _together(noise, moved)

    generator = np.random.default_rng(seed)
    first = [draw(generator) for _ in in_time(range(max(count // _PROPOSING, 100)))]
    scales = _proposed(first, noise, goal, longest, partial(_at_most, counted=count, chance=chance)) * _TRIED
    most = noise.advantage(longest / scales)
    sums = np.zeros((2, len(scales), records))
    for _ in in_time(range(count)):
        order, sizes = draw(generator)
        seen = np.tile(noise.advantage(sizes / scales[:, None]) / most[:, None], 2)
        sums[:, :, order] += (seen, seen**2)
    bounds = most * np.max(_at_most(sums, count, count, chance), axis=1)
    certain = longest / noise.shift_of(goal)  # even if every swap were the longest
    enough = np.flatnonzero((bounds <= goal) & (scales < certain))
    if len(enough):
        return SwapAudit(float(scales[enough[0]]), 0.5 * float(bounds[enough[0]]), confidence, count)
    if not np.isfinite(certain):
        raise ValueError(f"no noise that was tried keeps this eta by {count:,} halves: draw more, or allow more.")
    return SwapAudit(certain, eta, 1.0, count)


def _proposed(
    first: Sequence[tuple[Members, Floats]],
    noise: SwapNoise,
    goal: float,
    longest: float,
    at_most: Callable[[Floats, int], Floats],
) -> float:
    """The scale that will do, as far as the ``first`` draws show."""
    orders, sizes = (np.array(one) for one in zip(*first, strict=True))
    records, usual = orders.shape[1], float(sizes.mean()) or longest
    if not np.isfinite(usual):
        raise ValueError("no swap that was drawn moves the statistic: nothing can be said of those that do.")

    def excess(scale: float) -> float:
        most = float(noise.advantage(np.array(longest / scale)))
        seen = np.tile(noise.advantage(sizes / scale) / most, 2).ravel()
        sums = np.array([np.bincount(orders.ravel(), one, records) for one in (seen, seen**2)])
        return most * float(np.max(at_most(sums, len(first)))) - goal

    start = usual / noise.shift_of(goal)
    return least_enough(excess, start, _NEGLIGIBLE * start)


def _together(noise: SwapNoise, sizes: Sequence[Floats | float]) -> Floats:
    """The size of a swap in all statistics, in units of the noise."""
    total = np.zeros(1)
    for each in sizes:
        total = np.hypot(total, each) if noise is SwapNoise.GAUSSIAN else total + each
    return total if np.ndim(sizes[0]) else total[0]


def _at_most(sums: Floats, drawn: int, counted: int, chance: float) -> Floats:
    """Mean (..., n) of numbers up to 1, at most, but for a ``chance``: from sums (2, ..., n) of them and their squares.

    As if ``counted`` had been drawn with the same average and variance.
    """
    mean = sums[0] / drawn
    variance = np.maximum(sums[1] - drawn * mean**2, 0.0) / (drawn - 1)
    odds = float(np.log(2.0 / chance))
    spread = np.sqrt(2.0 * variance * odds / counted)
    return np.minimum(mean + spread + 7.0 * odds / (3.0 * (counted - 1)), 1.0)
