"""Certified composition: a guarantee and a demonstrated attack that close in on the true trade-off curve.

How it works, with the theorem each part rests on: ``dominating_pairs`` says which two laws the attacker must tell
apart in one step; ``lattice`` brings their loss onto a lattice from either side; ``composition`` sums the steps by
Fourier transform and bounds the rounding; ``vertices`` reads the trade-off curve off the sums. Here the lattice is
made fine enough for the width asked for.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from numerics.certified_loss import CertifiedLoss, Side
from numerics.composition import WINDOW_TAIL, ComposedLaw, Steps, compose, window
from numerics.dominating_pairs import SampledPair
from numerics.lattice import LatticeLaw, connect_the_dots, rounded
from numerics.trade_off import SMALLEST_ALPHA, Floats, Order
from numerics.vertices import Half, halves

Phases = tuple[tuple[SampledPair, int], ...]  # one step's pair and the number of its steps, per phase

# 4 million lattice points need about 0.6 GB at the peak and two seconds.
_LARGEST_LATTICE = 2**22
_KEPT_POINTS = 2**16  # a finished law is thinned to at most about this many points (0.5 MB an array)
_SEPARATED = 1e-14  # overlap of the two hypotheses below which nothing is left to resolve
_STEP_TAIL = 1e-17  # mass of one step's loss beyond the lattice, counted as certain exposure
_LARGEST_LOSS = 60.0  # a loss beyond this, net of what other steps can take back, is certain exposure (e^-60)
_ROUNDS = 8
_SMALLEST_STEP = 1e-12
_WIDTH_FACTOR = 0.02  # width of the power bracket, in units of steps * D^2 / variance of the summed loss (measured)


class PrecisionError(ValueError):
    """The width asked for cannot be reached within the memory limit; the message says what can be done."""


@dataclass(frozen=True)
class Precision:
    """How narrow a certified bracket of the power must be, at every false positive rate from ``smallest_alpha`` up.

    Attributes:
        width: largest difference between guarantee and demonstrated attack.
        relative: the same, as a fraction of the power.
        smallest_alpha: smallest false positive rate at which both hold.
    """

    width: float = 1e-5
    relative: float = 1e-3
    smallest_alpha: float = SMALLEST_ALPHA

    def narrowed(self, factor: float) -> "Precision":
        """The same with ``width`` times ``factor``."""
        return replace(self, width=self.width * factor)


@dataclass(frozen=True)
class _Moments:
    """What planning needs to know of the summed loss; estimated by quadrature, so nothing certified rests on it."""

    overlap: float  # upper bound on the overlap of the two hypotheses (Bhattacharyya)
    variance: float  # of the summed loss, under the null
    bulk: float  # standard deviation of one step's loss under the null, the smallest over the phases
    tilts: tuple[float, float]  # that make the Chernoff window short, above and below


@lru_cache(maxsize=16)
def certify(phases: Phases, precision: Precision) -> CertifiedLoss:
    """Bracket the trade-off curve of ``phases`` as narrowly as ``precision`` asks; the last few are remembered.

    Raises:
        PrecisionError: when that would take more than the memory limit.
    """
    moments = _moments(phases)
    if moments.overlap < _SEPARATED:
        return _separated(moments.overlap)
    count = sum(steps for _, steps in phases)
    step = min(float(np.sqrt(precision.width * moments.variance / (_WIDTH_FACTOR * count))), 4.0 * moments.bulk)
    extended, excess = False, np.inf
    for _ in range(_ROUNDS):
        step = _aligned(max(step, _SMALLEST_STEP), phases[0][0])
        sides = _compose_sides(phases, step, moments.tilts, extended)
        if sides is None:
            break
        loss = _certified(sides, count)
        excess = _excess(loss, precision)
        if excess <= 1.0:
            return loss
        smooth = _excess(_certified([replace(law, p_noise=0.0, q_noise=0.0) for law in sides], count), precision)
        extended = extended or excess > 2.0 * smooth
        step *= float(np.clip(0.9 / np.sqrt(smooth), 0.1, 1.0))
    raise PrecisionError(_too_hard(count, precision, excess))


def _aligned(step: float, pair: SampledPair) -> float:
    """The largest step up to ``step`` that puts the smallest loss, where much mass can sit, on the lattice."""
    floor = -pair.loss_range(_STEP_TAIL)[0]
    return floor / np.ceil(floor / step) if step < floor < _LARGEST_LOSS else step


def _too_hard(count: int, precision: Precision, excess: float) -> str:
    reached = f"the nearest reached is {excess:.2g} times as wide" if np.isfinite(excess) else "none was reached"
    return (
        f"A certified bracket of width {precision.width:g} for these {count} steps is outside what can be computed "
        f"within 1 GB of memory ({reached}). Fewer steps, more noise or a wider bracket will do."
    )


def _moments(phases: Phases) -> _Moments:
    overlap = variance = 0.0
    bulk = np.inf
    samples = []
    for pair, steps in phases:
        loss, masses = pair.scatter(2001)
        log_overlap = np.log(min(float(np.sum(np.sqrt(masses.p * masses.q))), 1.0))
        centred = loss - masses.q @ loss
        spread = float(masses.q @ centred**2)
        overlap, variance, bulk = overlap + steps * log_overlap, variance + steps * spread, min(bulk, np.sqrt(spread))
        samples.append((loss, masses.p, masses.q, steps))
    upper = _best_tilt([(loss, p, steps) for loss, p, _, steps in samples])
    lower = _best_tilt([(-loss, q, steps) for loss, _, q, steps in samples])
    return _Moments(float(np.exp(overlap)), variance, float(bulk), (upper, lower))


def _best_tilt(samples: list[tuple[Floats, Floats, int]]) -> float:
    """The tilt t > 0 with the smallest Chernoff bound (log E e^{t S} + log 1/tail) / t on the largest sum."""

    def bound(tilt: float) -> float:
        total = -np.log(WINDOW_TAIL)
        for loss, mass, steps in samples:
            shift = float(tilt * loss.max())
            total += steps * (np.log(mass @ np.exp(tilt * loss - shift)) + shift)
        return float(total / tilt)

    tilts = np.geomspace(0.02, 2000.0, 60)
    return float(tilts[int(np.argmin([bound(tilt) for tilt in tilts]))])


def _separated(overlap: float) -> CertifiedLoss:
    """Hypotheses that overlap by less than rounding: the attack errs by ``overlap`` in total, the guarantee is empty."""
    certain = Half(np.array([0.0, 0.0]), np.array([1.0, 1.0]))
    attack = Half(np.array([0.0, overlap]), np.array([0.0, 1.0 - overlap]))
    far = -np.log(_SEPARATED)
    law = ComposedLaw(far, -1, np.array([overlap, 0.0, 1.0]), np.array([1.0, 0.0, overlap]), 0.0, 0.0)
    return CertifiedLoss(Side(certain, certain, far, True), Side(attack, attack, far, False), law)


def _compose_sides(
    phases: Phases, step: float, tilts: tuple[float, float], extended: bool
) -> list[ComposedLaw] | None:
    """Composed laws of the guarantee and of the attack on a lattice of ``step``; None when it would be too large."""
    ranges = [_range(pair, steps, step) for pair, steps in phases]
    if max(last - first for first, last in ranges) > _LARGEST_LATTICE:
        return None
    laws = []
    for build in (connect_the_dots, rounded):
        steps = _steps(phases, ranges, step, build)
        bounds = window(steps, tilts)
        if bounds[1] - bounds[0] > _LARGEST_LATTICE:
            return None
        laws.append(compose(steps, bounds, extended))
    return laws


def _certified(sides: list[ComposedLaw], terms: int) -> CertifiedLoss:
    safe, reached = (_thinned(law, keep_ratio) for law, keep_ratio in zip(sides, (True, False), strict=True))
    guarantee = Side(*halves(safe, terms, guarantee=True), safe.step, guarantee=True)
    attack = Side(*halves(reached, terms, guarantee=False), reached.step, guarantee=False)
    return CertifiedLoss(guarantee, attack, reached)


def _range(pair: SampledPair, steps: int, step: float) -> tuple[int, int]:
    """First and last lattice index of one step's loss."""
    low, high = pair.loss_range(_STEP_TAIL / steps)
    reach = _LARGEST_LOSS - steps * max(low, -_LARGEST_LOSS)
    return int(np.floor(max(low, -reach) / step)), max(int(np.ceil(min(high, reach) / step)), 1)


Builder = Callable[[SampledPair, float, int, int], LatticeLaw]


def _steps(phases: Phases, ranges: list[tuple[int, int]], step: float, build: Builder) -> Steps:
    return [(build(pair, step, *bounds), steps) for (pair, steps), bounds in zip(phases, ranges, strict=True)]


def _thinned(law: ComposedLaw, keep_ratio: bool) -> ComposedLaw:
    factor = len(law.p) // _KEPT_POINTS
    return law.coarsened(factor | 1, keep_ratio) if factor > 1 else law


def _excess(loss: CertifiedLoss, precision: Precision) -> float:
    """Width of the bracket over what was asked for, the largest over orders and false positive rates."""
    alpha = np.geomspace(precision.smallest_alpha, 0.5, 60)
    worst = 0.0
    for order in (Order.ADD, Order.REMOVE):
        safe, _, reached = loss.trade_off(alpha, order)
        width = safe.power - reached.power
        worst = max(worst, float(np.max(width / np.minimum(precision.width, precision.relative * safe.power))))
    return worst
