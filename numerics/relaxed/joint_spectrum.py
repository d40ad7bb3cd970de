"""Errors of the minimax test from characteristic functions: the law of (S, T) by FFT, for many small steps."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from numerics.relaxed.joint_law import Step, extent
from numerics.relaxed.roc import Roc
from numerics.trade_off import Floats

Wave = NDArray[np.complex128]

_SMALLEST, _LARGEST = 128, 512  # points along S; twice as many along T
_VANISHED = 1e-6  # size of the characteristic function at the end of the grid
_SCOUTS, _THRESHOLDS = 150, 250
_STENCIL = np.arange(-2, 4)  # Lagrange interpolation of running masses


class Grid(NamedTuple):
    """Cells of the sums: S from ``low`` in ``points`` cells of ``even_width``, T symmetric in twice as many."""

    low: float
    even_width: float
    odd_width: float
    points: int

    def coarser(self) -> "Grid":
        """The same range in three quarters of the cells."""
        return Grid(self.low, self.even_width / 0.75, self.odd_width / 0.75, 3 * self.points // 4)

    def finer(self, factor: int) -> "Grid":
        """The same range in ``factor`` times the cells."""
        return Grid(self.low, self.even_width / factor, self.odd_width / factor, factor * self.points)


def grid_for(steps: Sequence[Step]) -> Grid | None:
    """The coarsest grid at whose ends the characteristic functions have died out; None if they never do."""
    even = extent(steps, [step.even for step in steps])
    odd = extent(steps, [step.odd for step in steps])
    reach = max(-odd.low, odd.high)
    points = _SMALLEST
    while points <= _LARGEST:
        grid = Grid(even.low, (even.high - even.low) / points, reach / points, points)
        if max(_size(steps, grid.even_width, odd=False), _size(steps, grid.odd_width, odd=True)) < _VANISHED:
            return grid
        points *= 2
    return None


def _size(steps: Sequence[Step], width: float, odd: bool) -> float:
    """Largest size of the characteristic function of either hypothesis between half and all of the grid's reach."""
    frequency = np.linspace(0.9, 1.0, 5) * np.pi / width
    log_size = np.zeros((2, len(frequency)))
    for step in steps:
        wave = np.exp(1j * np.outer(frequency, step.odd if odd else step.even))
        for row, mass in enumerate((step.null, step.present)):
            log_size[row] += step.steps * np.log(np.maximum(np.abs(wave @ mass), 1e-300))
    return float(np.exp(log_size.max()))


def roc(steps: Sequence[Step], grid: Grid) -> Roc:
    """Errors of the test that accuses when S + log cosh T reaches a threshold, even in the deviate of alpha."""
    null, present = (_cell_masses(steps, grid, absent) for absent in (True, False))
    return _errors(_folded(null), _folded(present), grid)


def _cell_masses(steps: Sequence[Step], grid: Grid, absent: bool) -> Floats:
    """Density in T (2n,), wrapped, of both sides evenly, times the masses of the cells of S (n,)."""
    u = np.pi * np.arange(grid.points // 2 + 1, dtype=np.float64) / (0.5 * grid.points * grid.even_width)
    v = np.pi * np.arange(grid.points + 1, dtype=np.float64) / (grid.points * grid.odd_width)
    upwards = downwards = np.exp(-1j * u * grid.low) * np.sinc(0.5 * u * grid.even_width / np.pi)
    for step in steps:
        even, odd = _waves(step, u, v, absent)
        upwards = upwards * _repeated(even + odd, step.steps)
        downwards = upwards if absent else downwards * _repeated(even - odd, step.steps)
    half = 0.5 * (upwards + downwards)
    along_odd = np.fft.fft(np.concatenate((half, half[-2:0:-1])), axis=0) / (2 * grid.points)
    return np.asarray(np.fft.irfft(np.conj(along_odd), n=grid.points, axis=1))


def _waves(step: Step, u: Floats, v: Floats, absent: bool) -> tuple[Wave, Wave]:
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
    return np.asarray(-2.0 * np.sin(0.5 * x) ** 2)


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


def _folded(mass: Floats) -> Floats:
    """Rows of T = 0, w, 2w, ... with both signs together, (n + 1, n)."""
    half = len(mass) // 2
    folded = 2.0 * mass[: half + 1]
    folded[[0, -1]] *= 0.5
    return folded


def _errors(null: Floats, present: Floats, grid: Grid) -> Roc:
    """For every T the masses of S on either side of threshold - log cosh T, summed over T."""
    odd = grid.odd_width * np.arange(grid.points + 1)
    bend = np.logaddexp(odd, -odd) - np.log(2.0)
    running = [side for mass in (null, present) for side in (_upper(mass), _lower(mass))]
    scouts = np.linspace(grid.low, grid.low + grid.even_width * grid.points + bend[-1], _SCOUTS)
    points, z, _ = (found := _sums(running, scouts, bend, grid)).deviates()
    if len(points) < 2:
        return found
    even_deviates = np.linspace(z[0], z[-1], _THRESHOLDS)
    return _sums(running, np.interp(even_deviates, z, scouts[points]), bend, grid)


def _sums(running: Sequence[Floats], threshold: Floats, bend: Floats, grid: Grid) -> Roc:
    """Masses beyond the thresholds (m,): null above and below, present above and below."""
    place = (threshold[:, None] - bend - grid.low) / grid.even_width + 0.5
    cell = np.floor(place).astype(np.int64)
    errors, rows = [np.zeros(len(threshold)) for _ in running], np.arange(len(bend))
    for offset in _STENCIL:
        others = np.setdiff1d(_STENCIL, offset)
        weight = np.prod([(place - cell - other) / (offset - other) for other in others], axis=0)
        column = np.clip(cell + offset, 0, grid.points)
        for row, mass in enumerate(running):
            errors[row] += np.sum(weight * mass[rows, column], axis=1)
    alpha, rest, power, beta = (np.clip(total, 0.0, 1.0) for total in errors)
    return Roc(alpha, rest, beta, power, smooth=True)


def _upper(mass: Floats) -> Floats:
    """Mass of S above each cell edge, (rows, n + 1)."""
    above = np.cumsum(mass[:, ::-1], axis=1)[:, ::-1]
    return np.concatenate((above, np.zeros((len(mass), 1))), axis=1)


def _lower(mass: Floats) -> Floats:
    """Mass of S below each cell edge, (rows, n + 1)."""
    return np.concatenate((np.zeros((len(mass), 1)), np.cumsum(mass, axis=1)), axis=1)
