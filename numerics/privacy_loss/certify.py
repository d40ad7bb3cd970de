"""A bracket of the width asked for: the lattice is made as fine as that takes."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from numerics.privacy_loss.certified_loss import CertifiedLoss, Side, StatisticLaw, statistic_law
from numerics.privacy_loss.composition import LatticeTooLargeError, Layout, Steps, UpperTail, upper_tail
from numerics.privacy_loss.dominating_pairs import Pair
from numerics.privacy_loss.lattice import LatticeLaw, connect_the_dots, rounded
from numerics.privacy_loss.vertices import Half, half, padded, tangents, thinned
from numerics.privacy_loss.window_plan import RELEVANT_LOSS, STEP_TAIL, Phases, Plan, plan
from numerics.trade_off import SMALLEST_ALPHA, Order
from numerics.validation import OpenProbability, Positive, Probability, checked

_LARGEST_LATTICE = 2**21  # points; about 0.5 GB at the peak
_LARGEST_EXTENDED = 2**19  # points in long double, which is several times slower
_SEPARATED = 1e-14  # overlap of the two hypotheses below which nothing is left to resolve
_SMALLEST_OVERLAP = 1e-300  # claimed by the attack: an overlap that underflows to 0 is not 0
_ROUNDS = 6
_KEPT = 64  # brackets that are remembered, of some hundred kB as a rule and 10 MB at most: a sweep over noise takes ten

_SMALLEST_STEP = 1e-13
_NEGLIGIBLE_DRIFT = 1e-3  # of the summed loss


class PrecisionError(ValueError):
    """The width asked for cannot be reached within the memory limit; the message says what can be done."""


@dataclass(frozen=True)
@checked
class Precision:
    """How narrow a certified bracket of the power must be, at every false positive rate from ``smallest_alpha`` up.

    Attributes:
        width: largest difference between guarantee and demonstrated attack.
        relative: the same, as a fraction of the power.
        smallest_alpha: smallest false positive rate at which both hold.
        strict: raise PrecisionError when that is out of reach, rather than return the narrowest bracket found.
    """

    width: Positive = 1e-5
    relative: Positive = 1e-3
    smallest_alpha: OpenProbability = SMALLEST_ALPHA
    strict: bool = True

    def down_to(self, alpha: Probability) -> "Precision":
        """The same, promised at false positive rates from ``alpha`` up at least."""
        return replace(self, smallest_alpha=min(self.smallest_alpha, alpha))

    def narrowed(self, factor: Positive) -> "Precision":
        """The same with ``width`` times ``factor``."""
        return replace(self, width=self.width * factor)


class _Tails(NamedTuple):
    """Sums of one side: the loss itself and its mirror image."""

    add: UpperTail
    remove: UpperTail


@lru_cache(maxsize=_KEPT)
def certify(phases: Phases, precision: Precision) -> CertifiedLoss:
    """Bracket the trade-off curve of ``phases`` as narrowly as ``precision`` asks; the last few are remembered.

    Raises:
        PrecisionError: when that would take more than the memory limit.
    """
    scheme = plan(phases)
    if scheme.overlap < _SEPARATED:
        return _separated(scheme.overlap)
    count = sum(steps for _, steps in phases)
    step, extended = scheme.first_step(precision.width, count), False
    best, nearest = None, np.inf
    for _ in range(_ROUNDS):
        step = _aligned(max(step, _SMALLEST_STEP), phases)
        try:
            guarantee = _tails(phases, step, scheme, precision.width, connect_the_dots, extended)
            attack = _tails(phases, step, scheme, precision.width, rounded, extended)
        except LatticeTooLargeError:
            if best is not None and precision.strict and not extended:
                break
            step *= 1.6
            continue
        loss = _certified(guarantee, attack, count)
        excess = _excess(loss, precision)
        best, nearest = (loss, excess) if excess < nearest else (best, nearest)
        if excess <= 1.0:
            break
        smooth = _excess(_certified(_noiseless(guarantee), _noiseless(attack), count), precision)
        if extended and smooth <= 1.0:
            break  # rounding alone is in the way, and no longer transform is left
        extended = extended or excess > 2.0 * smooth
        step *= float(np.clip(0.85 / np.sqrt(smooth), 0.05, 1.0 if extended else 0.95))
    if best is None or (precision.strict and nearest > 1.0):
        raise PrecisionError(_too_hard(count, precision, nearest))
    return best


def _aligned(step: float, phases: Phases) -> float:
    """The largest step up to ``step`` that puts the smallest loss, where much mass can sit, on the lattice.

    A smaller loss than the step itself is rounded away, unless many steps add up to something that matters.
    """
    floors = [(-pair.loss_range(STEP_TAIL)[0], count) for pair, count in phases]
    floor, count = max(floors, key=lambda row: row[0] * row[1])
    negligible = floor < step and floor * count < _NEGLIGIBLE_DRIFT
    return step if negligible or floor > RELEVANT_LOSS else floor / np.ceil(floor / step)


def _too_hard(count: int, precision: Precision, excess: float) -> str:
    reached = f"the nearest reached is {excess:.2g} times as wide" if np.isfinite(excess) else "none was reached"
    return (
        f"A certified bracket of width {precision.width:g}, and of {precision.relative:g} of the power, for {count:,} "
        f"steps and false positive rates from {precision.smallest_alpha:g} up is outside what can be computed within "
        f"1 GB of memory ({reached}). A wider bracket, a larger smallest rate or fewer steps will do."
    )


def _separated(overlap: float) -> CertifiedLoss:
    """Hypotheses that overlap by less than rounding: the attack errs by ``overlap``, the guarantee is empty."""
    overlap = max(overlap, _SMALLEST_OVERLAP)
    certain = Half(np.array([0.0, 0.0]), np.array([1.0, 1.0]))
    attack = Half(np.array([0.0, overlap]), np.array([0.0, 1.0 - overlap]))
    far = -2.0 * float(np.log(_SEPARATED))
    law = StatisticLaw(np.array([-far, 0.0, far]), np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0]))
    return CertifiedLoss(Side(certain, certain, far, True), Side(attack, attack, far, False), law)


Builder = Callable[[Pair, float, int, int], LatticeLaw]


def _tails(phases: Phases, step: float, scheme: Plan, width: float, build: Builder, extended: bool) -> _Tails:
    """Sums for both orders on a lattice of ``step``; raises LatticeTooLargeError."""
    largest = _LARGEST_EXTENDED if extended else _LARGEST_LATTICE
    coarsest = scheme.coarsest_block(width)
    steps: Steps = []
    for pair, count in phases:
        first, last = _range(pair, count, step, scheme)
        if last - first > largest:
            raise LatticeTooLargeError(f"one step needs {last - first} lattice points, more than {largest}.")
        steps.append((build(pair, step, first, last), count))
    mirrored = [(law.mirrored(), count) for law, count in steps]
    add, remove = (Layout(tilts, largest, coarsest, extended) for tilts in (scheme.tilts_present, scheme.tilts_absent))
    return _Tails(upper_tail(steps, add), upper_tail(mirrored, remove))


def _range(pair: Pair, count: int, step: float, scheme: Plan) -> tuple[int, int]:
    """First and last lattice index of one step's loss.

    A loss so large that the other steps cannot bring the sum back into the relevant range is certain exposure: under
    the hypothesis that such a loss favours, theirs falls below -t with probability at most e^-t (Markov).
    """
    low, high = pair.loss_range(STEP_TAIL / count)
    low = max(low, -RELEVANT_LOSS - min(scheme.highest, RELEVANT_LOSS))
    high = min(high, RELEVANT_LOSS - max(scheme.lowest, -RELEVANT_LOSS))
    return int(np.floor(low / step)), max(int(np.ceil(high / step)), 1)


def _noiseless(tails: _Tails) -> _Tails:
    add, remove = (replace(tail, p_noise=0.0, q_noise=0.0) for tail in tails)
    return _Tails(add, remove)


def _certified(guarantee: _Tails, attack: _Tails, terms: int) -> CertifiedLoss:
    statistic = statistic_law(attack.add, attack.remove)
    return CertifiedLoss(_side(guarantee, terms, guarantee=True), _side(attack, terms, guarantee=False), statistic)


def _side(tails: _Tails, terms: int, guarantee: bool) -> Side:
    block = max(tail.block for tail in tails)
    add, remove = (_read(tail, block // tail.block, terms, guarantee) for tail in tails)
    size = max(len(add.alpha), len(remove.alpha))
    return Side(padded(add, size), padded(remove, size), tails.add.step * block, guarantee)


def _read(tail: UpperTail, factor: int, terms: int, guarantee: bool) -> Half:
    """Corners on a lattice of ``factor`` blocks."""
    corners = half(tail, terms, guarantee)
    corners = thinned(corners, factor) if factor > 1 else corners
    return tangents(corners, tail.step * tail.block * factor) if guarantee else corners


def _excess(loss: CertifiedLoss, precision: Precision) -> float:
    """Width of the bracket over what was asked for, the largest over orders and false positive rates.

    Each order's own half and the chord to the mirrored one are all that matters; the rest is no wider.
    """
    worst = 0.0
    for order in (Order.ADD, Order.REMOVE):
        safe, reached = _steep_part(loss.guarantee, order), _steep_part(loss.attack, order)
        end = max(min(safe.alpha[-1], reached.alpha[-1]), 2.0 * precision.smallest_alpha)
        alpha = np.geomspace(precision.smallest_alpha, end, 60)
        power = np.interp(alpha, safe.alpha, safe.power)
        width = power - np.interp(alpha, reached.alpha, reached.power)
        worst = max(worst, float(np.max(width / np.minimum(precision.width, precision.relative * power))))
    return worst


def _steep_part(side: Side, order: Order) -> Half:
    """An order's own half and the nearest corner of the mirrored one."""
    own, other = (side.add, side.remove) if order is Order.ADD else (side.remove, side.add)
    return Half(np.append(own.alpha, 1.0 - other.power[-1]), np.append(own.power, 1.0 - other.alpha[-1]))
