"""One step seen by an attacker who does not know on which side of the null the record pulls.

With L(x) the likelihood ratio of a step for a record that pulls upwards, L(-x) is that for its mirror image. The even
mixture of both, over all steps, has the likelihood ratio (prod L(x_i) + prod L(-x_i)) / 2 = e^S cosh T, where S and T
sum the even and the odd part of log L. This module has the law of one step by quadrature and the range of the sums.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from numerics.mechanisms.noise import Noise, Standard, log_cosh
from numerics.privacy_loss.pairs import ComposedPairs
from numerics.sampling.poisson import sampled_pairs
from numerics.trade_off import Floats
from numerics.unsupported import FULL_KNOWLEDGE, law_of

_LARGEST_LOSS = 60.0  # a step that speaks louder decides alone, at error rates below e^-60
_PER_PANEL, _PANEL = 24, 0.5  # Gauss-Legendre nodes, and panel length in noise scales
_TAIL = 1e-16  # mass of the sums outside their range
_TILTS = np.geomspace(1e-4, 1e4, 161)  # of Chernoff bounds, in units of 1 over the standard deviation
_LEAST_TILT = 1e-2  # rare large values have a small standard deviation, and need no smaller tilt than this


class SumRange(NamedTuple):
    """Ends of a sum, up to a mass of 1e-16 under every hypothesis."""

    low: float
    high: float


@dataclass(frozen=True, eq=False)
class StepQuadrature:
    """Quadrature of one step, released ``steps`` times; node n - 1 - i is the mirror image of node i.

    ``above`` and ``below`` (n,) are log L(x) and log L(-x) at the nodes, ``null`` and ``present`` (n,) the masses of
    the nodes without the record and with a record that pulls upwards.
    """

    above: Floats
    below: Floats
    null: Floats
    present: Floats
    steps: int

    @property
    def even(self) -> Floats:
        """The part of log L that does not tell the sides apart, (n,)."""
        return 0.5 * (self.above + self.below)

    @property
    def odd(self) -> Floats:
        """The part of log L that changes its sign with x, (n,)."""
        return 0.5 * (self.above - self.below)


def steps_of(phases: ComposedPairs) -> list[StepQuadrature]:
    """One per phase; the pairs must be add/remove. Raises UnsupportedError for noise that is not known here."""
    result = []
    for pair, count in sampled_pairs(phases):
        x, width = _nodes(pair.noise)
        null, shifted = width * _density(pair.noise, x), width * _density(pair.noise, x - 1.0)
        present = (1.0 - pair.rate) * null + pair.rate * shifted
        if np.isfinite(pair.noise.flat_beyond):
            x, null, present = _without_tails(x, null, present)
        above, below = (np.clip(pair.loss(side), -_LARGEST_LOSS, _LARGEST_LOSS) for side in (x, -x))
        result.append(StepQuadrature(above, below, null / null.sum(), present / present.sum(), count))
    return result


def _nodes(noise: Noise) -> tuple[Floats, Floats]:
    """Gauss-Legendre nodes and weights over the neighbourhoods of the three centres, broken at the centres."""
    reach = noise.scale * _law(noise).extent
    first = min(reach, 0.5)  # the neighbourhoods of 0 and 1 touch where it is half of their distance
    parts = [_panels(start, end, noise.scale) for start, end in ((0.0, first), (1.0 - first, 1.0), (1.0, 1.0 + reach))]
    low, high = (np.concatenate(ends) for ends in zip(*parts, strict=True))
    t, weight = np.polynomial.legendre.leggauss(_PER_PANEL)
    centre, half = 0.5 * (high + low), 0.5 * (high - low)
    x, width = (centre[:, None] + half[:, None] * t).ravel(), (half[:, None] * weight).ravel()
    return np.concatenate((-x[::-1], x)), np.concatenate((width[::-1], width))


def _panels(start: float, end: float, scale: float) -> tuple[Floats, Floats]:
    """Lower and upper ends of panels of equal length, as few as may be."""
    ends = np.linspace(start, end, int(np.ceil((end - start) / (scale * _PANEL))) + 1)
    return ends[:-1], ends[1:]


def _without_tails(x: Floats, null: Floats, present: Floats) -> tuple[Floats, Floats, Floats]:
    """Beyond the outer centres neither part of log L changes any more, so one node stands for all."""
    inside = np.abs(x) < 1.0
    ends = [x < -1.0, x > 1.0]
    (null_low, null_high), (low, high) = ([mass[end].sum() for end in ends] for mass in (null, present))
    return (
        np.concatenate(([-1.0], x[inside], [1.0])),
        np.concatenate(([null_low], null[inside], [null_high])),
        np.concatenate(([low], present[inside], [high])),
    )


def _density(noise: Noise, x: Floats) -> Floats:
    """Up to a constant."""
    return np.exp(_law(noise).log_density(x / noise.scale))


def _law(noise: Noise) -> Standard:
    return law_of(noise.standard, noise, "The relaxed guarantee is", FULL_KNOWLEDGE)


def spread(steps: Sequence[StepQuadrature], values: Sequence[Floats]) -> float:
    """Standard deviation of the sum of ``values`` (one vector per step) without the record."""
    pairs = list(zip(steps, values, strict=True))
    return float(np.sqrt(sum(step.steps * (step.null @ (value - step.null @ value) ** 2) for step, value in pairs)))


def extent(steps: Sequence[StepQuadrature], values: Sequence[Floats]) -> SumRange:
    """Range of the sum of ``values`` (one vector per step), by the best Chernoff bound of either hypothesis."""
    scale = max(spread(steps, values), 1e-300)
    tilts = np.geomspace(min(_TILTS[0] / scale, _LEAST_TILT), _TILTS[-1] / scale, len(_TILTS))
    return SumRange(-_end(steps, [-value for value in values], tilts), _end(steps, values, tilts))


def _end(steps: Sequence[StepQuadrature], values: Sequence[Floats], tilts: Floats) -> float:
    """Value that the sum exceeds with a mass of 1e-16 at most; the sum of the largest values where that is less.

    The values are taken from their means, which many steps make large beside the spread.
    """
    mean = sum(step.steps * float(step.null @ value) for step, value in zip(steps, values, strict=True))
    bounds = []
    for absent in (True, False):
        exponent = np.full(len(tilts), -np.log(_TAIL))
        for step, value in zip(steps, values, strict=True):
            mass, beyond = step.null if absent else step.present, value - step.null @ value
            top = float(beyond.max())
            with np.errstate(over="ignore"):  # where nearly all mass is one value; such a tilt bounds nothing
                moment = np.exp(np.outer(tilts, beyond - top)) @ mass
                exponent += step.steps * (np.log(np.maximum(moment, 1e-300)) + tilts * top)
        bounds.append(float(np.min(exponent / tilts)))
    return mean + max(bounds)


# The joint law of the sums S and T from characteristic functions, for many small steps.
#
# The two sums can differ in size by many orders: towards sampling rate 1, or with much noise, S of Gaussian steps
# becomes a constant. So each has a grid of its own, and S is blurred by a normal law that is narrow beside the test's
# statistic.


Wave = NDArray[np.complex128]

_SMALLEST, _LARGEST = 128, 512  # frequencies along S, and along one side of T
_FINER = 2  # points of the law for each frequency
_VANISHED = 1e-6  # size of the characteristic function at the end of the grid
_BLURS = (1e-6, 1e-5, 1e-4)  # in spreads of the statistic; the power falls by their squares
_BLUR_REACH = 8.6  # of a normal law, beyond which lies a mass of 1e-16


class JointMasses(NamedTuple):
    """Law of S and |T|: ``cells`` (|T|, S) of the masses of |T| times densities in S, and masses of S alone.

    Row k of ``cells`` holds |T| within half a width of k widths, column j is S = low + j widths; entry j of ``sums``
    is the mass of S within half a width of that.
    """

    cells: Floats
    sums: Floats


@dataclass(frozen=True)
class Grid:
    """Ranges of the sums and numbers of their frequencies: S as ``even``, T symmetric up to ``reach``.

    ``blur`` is the standard deviation of the normal law that S is blurred by; the test is made at ``thresholds``.
    """

    even: SumRange
    reach: float
    even_points: int
    odd_points: int
    blur: float
    thresholds: int = 160

    @property
    def even_width(self) -> float:
        """Distance of the law's points along S."""
        return (self.even.high - self.even.low) / (_FINER * self.even_points)

    @property
    def odd_width(self) -> float:
        """Distance of the law's points along T."""
        return self.reach / (_FINER * self.odd_points)

    def coarser(self) -> "Grid":
        """The same range with three quarters of the frequencies and of the thresholds, and twice the blur."""
        even_points, odd_points, thresholds = (3 * n // 4 for n in (self.even_points, self.odd_points, self.thresholds))
        return Grid(self.even, self.reach, even_points, odd_points, 2.0 * self.blur, thresholds)

    def finer(self, factor: int) -> "Grid":
        """The same range with ``factor`` times the frequencies."""
        return replace(self, even_points=factor * self.even_points, odd_points=factor * self.odd_points)


def grid_for(steps: Sequence[StepQuadrature]) -> Grid | None:
    """The coarsest grid at whose ends the characteristic functions have died out; None if they never do."""
    odd = extent(steps, [step.odd for step in steps])
    reach = max(-odd.low, odd.high)
    odd_points = _points(steps, reach, 0.0, odd=True)
    if odd_points is None:
        return None
    even, scale = extent(steps, [step.even for step in steps]), _statistic_spread(steps)
    for blur in (share * scale for share in _BLURS):
        widened = SumRange(even.low - 2.0 * _BLUR_REACH * blur, even.high + 2.0 * _BLUR_REACH * blur)
        even_points = _points(steps, widened.high - widened.low, blur, odd=False)
        if even_points is not None:
            return Grid(widened, reach, even_points, odd_points, blur)
    return None


def _statistic_spread(steps: Sequence[StepQuadrature]) -> float:
    """About the standard deviation of S + log cosh T without the record."""
    return spread(steps, [step.even for step in steps]) + float(
        log_cosh(np.array([spread(steps, [step.odd for step in steps])]))[0]
    )


def _points(steps: Sequence[StepQuadrature], length: float, blur: float, odd: bool) -> int | None:
    points = _SMALLEST
    while points <= _LARGEST:
        if _size(steps, length / points, blur, odd) < _VANISHED:
            return points
        points *= 2
    return None


def _size(steps: Sequence[StepQuadrature], width: float, blur: float, odd: bool) -> float:
    """Largest size of the characteristic function of either hypothesis near the end of the grid's reach."""
    frequency = np.linspace(0.9, 1.0, 5) * np.pi / width
    log_size = np.tile(-0.5 * (frequency * blur) ** 2, (2, 1))
    for step in steps:
        wave = np.exp(1j * np.outer(frequency, step.odd if odd else step.even))
        for row, mass in enumerate((step.null, step.present)):
            log_size[row] += step.steps * np.log(np.maximum(np.abs(wave @ mass), 1e-300))
    return float(np.exp(log_size.max()))


def law(steps: Sequence[StepQuadrature], grid: Grid, absent: bool) -> JointMasses:
    """Joint law without the record, or with one on either side evenly; it is even in T."""
    u = 2.0 * np.pi * np.arange(grid.even_points // 2 + 1, dtype=np.float64) / (grid.even.high - grid.even.low)
    v = np.pi * np.arange(grid.odd_points + 1, dtype=np.float64) / grid.reach
    upwards = downwards = np.exp(-1j * u * grid.even.low - 0.5 * (u * grid.blur) ** 2)
    for step in steps:
        even, odd = _waves(step, u, v, absent)
        upwards = upwards * _repeated(even + odd, step.steps)
        downwards = upwards if absent else downwards * _repeated(even - odd, step.steps)
    waves = 0.5 * (upwards + downwards)
    sums = _along_even(waves[:1] * np.sinc(0.5 * u * grid.even_width / np.pi), grid)[0]
    waves = waves * np.sinc(0.5 * v * grid.odd_width / np.pi)[:, None]
    points = _FINER * grid.odd_points
    both = np.zeros((2 * points, len(u)), dtype=np.complex128)
    both[: len(v)] = waves
    both[1 - len(v) :] = waves[:0:-1]
    cells = _along_even(np.fft.fft(both, axis=0)[: points + 1] / (2 * points), grid)
    cells[1:-1] *= 2.0
    return JointMasses(cells, sums)


def _along_even(waves: Wave, grid: Grid) -> Floats:
    """Masses or densities at the points of S from the waves along S, (m, n)."""
    return np.fft.irfft(np.conj(waves), n=_FINER * grid.even_points, axis=1)


def _waves(step: StepQuadrature, u: Floats, v: Floats, absent: bool) -> tuple[Wave, Wave]:
    """Even and odd part in v of a step's characteristic function less 1, (v, u) each.

    Mirrored nodes are taken together: S is the same at both, T changes its sign. The odd part is 0 without the record.
    """
    half = len(step.null) // 2
    mass = step.null if absent else step.present
    both, excess = mass[half:] + mass[half - 1 :: -1], mass[half:] - mass[half - 1 :: -1]
    along_even, along_odd = np.outer(step.even[half:], u), np.outer(v, step.odd[half:])
    waves = np.concatenate((_cos_less_1(along_even), np.sin(along_even)), axis=1)
    even = _complex((np.cos(along_odd) * both) @ waves) + (_cos_less_1(along_odd) @ both)[:, None]
    if absent:
        return even, np.zeros_like(even)
    pull = np.sin(along_odd) * excess
    return even, 1j * (_complex(pull @ waves) + pull.sum(axis=1)[:, None])


def _cos_less_1(x: Floats) -> Floats:
    return -2.0 * np.sin(0.5 * x) ** 2


def _repeated(less_1: Wave, steps: int) -> Wave:
    """(1 + ``less_1``)^steps. Many steps magnify what 1 + x loses, and the coarser grid would lose the same."""
    result = (1.0 + less_1) ** steps
    near = np.abs(less_1) < 0.5
    x, y = less_1.real[near], less_1.imag[near]
    log_size, angle = 0.5 * np.log1p(x * (2.0 + x) + y**2), np.arctan2(y, 1.0 + x)
    result[near] = np.exp(steps * log_size) * (np.cos(steps * angle) + 1j * np.sin(steps * angle))
    return np.asarray(result)


def _complex(parts: Floats) -> Wave:
    """Columns of real parts, then as many of imaginary parts."""
    real, imaginary = np.split(parts, 2, axis=1)
    return real + 1j * imaginary
