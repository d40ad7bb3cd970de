"""The errors of the minimax test, from the joint law of two sums.

With L(x) the likelihood ratio of a step for a record that pulls upwards, L(-x) is that for its mirror image. The even
mixture of both, over all steps, has the likelihood ratio (prod L(x_i) + prod L(-x_i)) / 2 = e^S cosh T, where S and T
sum the even and the odd part of log L. The law of one step is known by quadrature. Many small steps: characteristic
functions, raised to the number of steps and inverted by FFT, and the mass beyond the curve S + log cosh T = threshold
by an integral along it. Few steps have laws with edges, as noise on whole numbers has: a lattice of the sums of
log L(x) and of log L(-x).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import map_coordinates, spline_filter

from numerics.deadline import UNLIMITED, Deadline, look
from numerics.mechanisms.noise import Noise, Standard, arccosh_exp, log_cosh
from numerics.privacy_loss.bounds import Polyline
from numerics.privacy_loss.pairs import ComposedPairs
from numerics.relaxed.roc import Roc
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
        noise, x = pair.noise, pair.noise.outcomes(1)
        if x is None:
            law = law_of(noise.standard, noise, "The relaxed guarantee is", FULL_KNOWLEDGE)
            x, width = _nodes(noise, law)
            # Densities up to a constant.
            null, shifted = (width * np.exp(law.log_density((x - centre) / noise.scale)) for centre in (0.0, 1.0))
        else:
            null, shifted = (noise.cells(0.5 * (x[1:] + x[:-1]), centre) for centre in (0.0, 1.0))
        present = (1.0 - pair.rate) * null + pair.rate * shifted
        if np.isfinite(noise.flat_beyond):
            # Beyond the outer centres neither part of log L changes any more, so one node stands for all.
            inside, ends = np.abs(x) < 1.0, (x <= -1.0, x >= 1.0)
            null, present = (
                np.concatenate(([mass[ends[0]].sum()], mass[inside], [mass[ends[1]].sum()])) for mass in (null, present)
            )
            x = np.concatenate(([-1.0], x[inside], [1.0]))
        above, below = (np.clip(pair.loss(side), -_LARGEST_LOSS, _LARGEST_LOSS) for side in (x, -x))
        result.append(StepQuadrature(above, below, null / null.sum(), present / present.sum(), count))
    return result


def _nodes(noise: Noise, law: Standard) -> tuple[Floats, Floats]:
    """Gauss-Legendre nodes and weights over the neighbourhoods of the three centres, broken at the centres."""
    reach = noise.scale * law.extent
    first = min(reach, 0.5)  # the neighbourhoods of 0 and 1 touch where it is half of their distance
    # Panels of equal length, as few as may be.
    ends = [
        np.linspace(start, end, int(np.ceil((end - start) / (noise.scale * _PANEL))) + 1)
        for start, end in ((0.0, first), (1.0 - first, 1.0), (1.0, 1.0 + reach))
    ]
    low, high = np.concatenate([part[:-1] for part in ends]), np.concatenate([part[1:] for part in ends])
    t, weight = np.polynomial.legendre.leggauss(_PER_PANEL)
    centre, half = 0.5 * (high + low), 0.5 * (high - low)
    x, width = (centre[:, None] + half[:, None] * t).ravel(), (half[:, None] * weight).ravel()
    return np.concatenate((-x[::-1], x)), np.concatenate((width[::-1], width))


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


# Many small steps: the joint law of the sums S and T from characteristic functions.
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
    even, turn = extent(steps, [step.even for step in steps]), spread(steps, [step.odd for step in steps])
    # About the standard deviation of S + log cosh T without the record.
    scale = spread(steps, [step.even for step in steps]) + float(log_cosh(np.array([turn]))[0])
    for blur in (share * scale for share in _BLURS):
        widened = SumRange(even.low - 2.0 * _BLUR_REACH * blur, even.high + 2.0 * _BLUR_REACH * blur)
        even_points = _points(steps, widened.high - widened.low, blur, odd=False)
        if even_points is not None:
            return Grid(widened, reach, even_points, odd_points, blur)
    return None


def _points(steps: Sequence[StepQuadrature], length: float, blur: float, odd: bool) -> int | None:
    """The fewest frequencies at whose end the characteristic function of either hypothesis has died out."""
    points = _SMALLEST
    while points <= _LARGEST:
        frequency = np.linspace(0.9, 1.0, 5) * np.pi / (length / points)
        log_size = np.tile(-0.5 * (frequency * blur) ** 2, (2, 1))
        for step in steps:
            wave = np.exp(1j * np.outer(frequency, step.odd if odd else step.even))
            for row, mass in enumerate((step.null, step.present)):
                log_size[row] += step.steps * np.log(np.maximum(np.abs(wave @ mass), 1e-300))
        if float(np.exp(log_size.max())) < _VANISHED:
            return points
        points *= 2
    return None


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


# Its errors, by Green's theorem.
#
# A sum over the cells that the test accuses would err by the cells that its boundary cuts, and where S is narrow beside
# T by all of them. As an integral along the boundary, with tau = |T|, the mass within is that of S beyond the threshold
# and the integral of tanh(tau) times the density of S at threshold - log cosh tau, |T| beyond tau.

_PER_BOUNDARY_PANEL = 8  # frequencies for each panel of the boundary, along either sum
_SPLINE: Final = 5  # order of the interpolation
_LEGENDRE = np.polynomial.legendre.leggauss(8)
_SCOUTS = 50
_NEAREST = 1e-7  # smallest |T| that scouts look at, as a share of the largest


class Boundary(NamedTuple):
    """Quadrature of the boundary at thresholds (m,): nodes in S and |T|, and weights, (m, n) each."""

    even: Floats
    odd: Floats
    weight: Floats


def by_spectrum(steps: Sequence[StepQuadrature], grid: Grid, deadline: Deadline = UNLIMITED) -> Roc:
    """Errors of the test at thresholds that are even in the deviate of alpha; raises DeadlineError."""
    null = law(steps, grid, True)
    deadline.check()
    present = law(steps, grid, False)
    deadline.check()
    laws = _Running(null, grid), _Running(present, grid)
    middle = grid.even.low + grid.even_width * float(np.argmax(null.sums))
    bend = log_cosh(np.geomspace(_NEAREST * grid.reach, grid.reach, _SCOUTS))
    ranges = (np.linspace(grid.even.low, top, _SCOUTS) for top in (grid.even.high, grid.even.high + bend[-1]))
    scouts = np.sort(np.concatenate((*ranges, middle + bend)))
    points, z, _ = (found := _errors(laws, scouts, grid)).deviates()
    deadline.check()
    if len(points) < 2:
        return found
    return _errors(laws, np.interp(np.linspace(z[0], z[-1], grid.thresholds), z, scouts[points]), grid)


def _errors(laws: "tuple[_Running, _Running]", threshold: Floats, grid: Grid) -> Roc:
    boundary = _boundary(threshold, grid)
    (alpha, rest), (power, beta) = (law.sides(threshold, boundary) for law in laws)
    return Roc(alpha, rest, beta, power)


def _boundary(threshold: Floats, grid: Grid) -> Boundary:
    """By Gauss-Legendre panels that are short in |T| as well as in S."""
    low, high = threshold - grid.even.high, threshold - grid.even.low
    start, end = (np.minimum(arccosh_exp(np.maximum(side, 0.0)), grid.reach) for side in (low, high))
    in_odd = start[:, None] + (end - start)[:, None] * _shares(grid.odd_points)
    first, last = log_cosh(start)[:, None], log_cosh(end)[:, None]
    in_even = arccosh_exp(first + (last - first) * _shares(grid.even_points))
    edges = np.sort(np.concatenate((in_odd, np.clip(in_even, start[:, None], end[:, None])), axis=1), axis=1)
    nodes, weights = _LEGENDRE
    half = 0.5 * np.diff(edges, axis=1)[:, :, None]
    odd = (edges[:, :-1, None] + half * (1.0 + nodes)).reshape(len(threshold), -1)
    weight = (half * weights).reshape(odd.shape) * np.tanh(odd)
    return Boundary(threshold[:, None] - log_cosh(odd), odd, weight)


def _shares(frequencies: int) -> Floats:
    return np.linspace(0.0, 1.0, frequencies // _PER_BOUNDARY_PANEL + 1)


class _Running:
    """Splines of a law: of S, of its running masses, and of S together with |T| up to a value, odd in that."""

    def __init__(self, law: JointMasses, grid: Grid) -> None:
        within = np.cumsum(law.cells, axis=0)[:-1]
        self.grid = grid
        self.within = spline_filter(np.concatenate((-within[::-1], within)), _SPLINE, mode="mirror")
        self.density = spline_filter(law.cells.sum(axis=0), _SPLINE, mode="mirror")
        above = np.cumsum(law.sums[::-1])[::-1]
        self.above = spline_filter(np.append(above, 0.0), _SPLINE, mode="mirror")
        self.below = spline_filter(np.append(0.0, np.cumsum(law.sums)), _SPLINE, mode="mirror")

    def sides(self, threshold: Floats, boundary: Boundary) -> tuple[Floats, Floats]:
        """Masses beyond the thresholds and before them, (m,) each."""
        grid = self.grid
        column, row = (boundary.even - grid.even.low) / grid.even_width, boundary.odd / grid.odd_width
        within = _at(self.within, row + (len(self.within) // 2 - 0.5), column)
        weight = boundary.weight / grid.even_width
        beyond = np.sum(weight * (_at(self.density, column) - within), axis=1)
        before = np.sum(weight * within, axis=1)
        shallow, deep = (  # places among the edges of the cells of S
            np.clip((side - grid.even.low) / grid.even_width + 0.5, 0.0, len(self.above) - 1.0)
            for side in (threshold, threshold - log_cosh(np.array([grid.reach])))
        )
        sides = beyond + _at(self.above, shallow), before + _at(self.below, deep)
        return np.clip(sides[0], 0.0, 1.0), np.clip(sides[1], 0.0, 1.0)


def _at(spline: Floats, *place: Floats) -> Floats:
    values: Floats = map_coordinates(spline, np.stack(place), np.float64, _SPLINE, "mirror", prefilter=False)
    return values


# Few steps: a lattice.
#
# Every node's mass goes to the four lattice points around it, in shares that keep its mass without the record and with
# the record on either side. The lattice law is then a law whose average the true one is: it is easier to test, by an
# amount of second order in the lattice step.

_MARGIN = 16  # one part in 16 of the lattice is left free on either side
_SHORTEST = 1e-9  # range of a sum
_BINS = 6000  # of the log-likelihood ratio
_LARGEST_EXPONENT = 700.0

_OneStep = Callable[[StepQuadrature, float, int], tuple[Floats, Floats]]


def window(steps: Sequence[StepQuadrature]) -> SumRange:
    """Range of either sum; where that is less than rounding leaves of a likelihood ratio, more."""
    low, high = extent(steps, [step.above for step in steps])
    return SumRange(low, max(high, low + _SHORTEST))


def lattice_step(sums: SumRange, points: int) -> float:
    """Width of a cell; the lattice law reaches further than the true one, and must not wrap around."""
    return (sums.high - sums.low) / (points - 2 * (points // _MARGIN) - 2)


def by_lattice(steps: Sequence[StepQuadrature], sums: SumRange, points: int) -> Polyline:
    """Errors of the test on a lattice of ``points`` by ``points`` over ``sums``."""
    masses, ratio = _summed(steps, sums, points, _one_step)
    return _capped(Polyline.of(*(mass / mass.sum() for mass in _binned(masses, ratio)[:2])), steps)


def enclosed_by_lattice(steps: Sequence[StepQuadrature], sums: SumRange, points: int) -> tuple[Polyline, Polyline]:
    """Errors of which no test has less, and those of one test, whatever the lattice: but for rounding.

    The one is of the lattice law, with the mass of every bin moved to its ends, which makes it easier to test again.
    The other accuses by what the ratio is where each step's losses are taken for the nearest on the lattice: by their
    bins, with the law that these have.
    """
    masses, ratio = _summed(steps, sums, points, _one_step)
    present, null, edges = _binned(masses, ratio)
    low, growth = np.exp(np.clip(edges[:-1], -_LARGEST_EXPONENT, _LARGEST_EXPONENT)), np.diff(edges)
    with np.errstate(over="ignore"):
        up = np.clip((present / low - null) / np.expm1(growth), 0.0, null)  # of the null mass, to the upper end
        goes_up = np.where(up < null, np.minimum(up * low * np.exp(growth), present), present), up
    moved = [np.append(mass - up, 0.0) + np.append(0.0, up) for mass, up in zip((present, null), goes_up, strict=True)]
    nearest = _binned(*_summed(steps, sums, points, _nearest))[:2]
    safe, reached = (Polyline.of(*(mass / mass.sum() for mass in one)) for one in (moved, nearest))
    return _capped(safe, steps), reached


def _summed(
    steps: Sequence[StepQuadrature], sums: SumRange, points: int, one_step: _OneStep
) -> tuple[tuple[Floats, Floats], Floats]:
    """Masses with the record and without it, and log ratios, all (points, points).

    With a record that pulls upwards: the ratio is that of its mirror image, too.
    """
    width, margin = lattice_step(sums, points), points // _MARGIN
    first = int(np.floor(sums.low / width)) - margin
    loss = width * np.arange(first, first + points, dtype=np.float64)
    null: Wave = np.ones((points, points // 2 + 1), dtype=np.complex128)
    present = null
    for step in steps:
        look()
        absent, above = (np.fft.rfft2(mass) for mass in one_step(step, width, points))
        null, present = null * absent**step.steps, present * above**step.steps
    look()
    return (_law(present, first, points), _law(null, first, points)), np.logaddexp.outer(loss, loss) - np.log(2.0)


def _law(transform: Wave, first: int, points: int) -> Floats:
    """Masses from lattice index ``first`` on along both axes."""
    mass = np.maximum(np.fft.irfft2(transform, s=(points, points)), 0.0)
    return np.roll(mass, (-first % points, -first % points), axis=(0, 1))


def _one_step(step: StepQuadrature, width: float, points: int) -> tuple[Floats, Floats]:
    """Masses on the lattice, indices wrapped, without the record and with one that pulls upwards."""
    null, present = np.zeros((points, points)), np.zeros((points, points))
    # Lower neighbours on the lattice, and the share of the upper ones that keeps the mean of e^loss.
    below = [np.floor(loss / width) for loss in (step.above, step.below)]
    low_a, low_b = (low.astype(np.int64) for low in below)
    share_a, share_b = (
        np.expm1(loss - low * width) / np.expm1(width)
        for loss, low in zip((step.above, step.below), below, strict=True)
    )
    for up_a in (0, 1):
        for up_b in (0, 1):
            share = np.where(up_a, share_a, 1.0 - share_a) * np.where(up_b, share_b, 1.0 - share_b)
            place = (low_a + up_a) % points, (low_b + up_b) % points
            np.add.at(null, place, share * step.null)
            np.add.at(present, place, share * step.present * np.exp(width * (low_a + up_a) - step.above))
    return null, present


def _nearest(step: StepQuadrature, width: float, points: int) -> tuple[Floats, Floats]:
    """The same, of an attacker who takes every loss for the nearest on the lattice."""
    null, present = np.zeros((points, points)), np.zeros((points, points))
    place = tuple(np.rint(loss / width).astype(np.int64) % points for loss in (step.above, step.below))
    np.add.at(null, place, step.null)
    np.add.at(present, place, step.present)
    return null, present


def _binned(masses: tuple[Floats, Floats], ratio: Floats) -> tuple[Floats, Floats, Floats]:
    """Masses sorted into bins of the log-likelihood ratio, and the ends of these; bins keep both hypotheses' masses."""
    width = float(ratio[-1, -1] - ratio[0, 0]) / (_BINS - 1)
    cell = ((ratio - ratio[0, 0]) / width).astype(np.int64).ravel()
    present, null = (np.asarray(np.bincount(cell, mass.ravel(), _BINS), dtype=np.float64) for mass in masses)
    return present, null, ratio[0, 0] + width * np.arange(_BINS + 1.0)


def _capped(found: Polyline, steps: Sequence[StepQuadrature]) -> Polyline:
    """Errors with the power at most alpha times the largest likelihood ratio, that of the outermost nodes on one side.

    Bounded losses reach it with a chance of their own, and the lattice moves a part of that further out: an error of
    first order in its step, which the change from a coarser one need not show.
    """
    above = sum(step.steps * float(step.above[-1]) for step in steps)
    below = sum(step.steps * float(step.below[-1]) for step in steps)
    with np.errstate(divide="ignore"):
        most = np.exp(np.minimum(np.log(found.alpha) + np.logaddexp(above, below) - np.log(2.0), 0.0))
    return found._replace(beta=np.maximum(found.beta, 1.0 - most), power=np.minimum(found.power, most))
