"""Lower convex envelope of the minimum of two trade-off functions, of either order of one test.

Where the two cross, neither a two-case rule nor one chord will do (correction 6): sampled Laplace noise leads in one
order at small and in the other at moderate false positive rates. Away from the chords the envelope is the lower curve.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from numerics.privacy_loss.vertices import Corners
from numerics.trade_off import Floats, alpha_grid

Curve = Callable[[Floats], Corners]

_POINTS = 1201
_ROUNDS, _AROUND = 4, 21  # of sharpening an end, and points around it
_ROUNDING = 1e-13


class Chord(NamedTuple):
    """Straight part of the envelope between two points of the lower curve."""

    left: float
    right: float


def envelope(first: Curve, second: Curve, alpha: Floats) -> Corners:
    """The envelope at ``alpha`` (n,)."""
    grid = alpha_grid(_POINTS)
    lower = _lower(first, second, grid)
    result = _lower(first, second, alpha)
    beta, power = result.beta.copy(), result.power.copy()
    for start, end in _bridges(lower):
        chord = _sharpened(first, second, grid, start, end)
        ends = _lower(first, second, np.array(chord))
        inside = (alpha > chord.left) & (alpha < chord.right)
        share = (alpha[inside] - chord.left) / (chord.right - chord.left)
        beta[inside] = ends.beta[0] + share * (ends.beta[1] - ends.beta[0])
        power[inside] = ends.power[0] + share * (ends.power[1] - ends.power[0])
    return Corners(alpha, beta, power)


def _lower(first: Curve, second: Curve, alpha: Floats) -> Corners:
    """The smaller beta with its power."""
    one, other = first(alpha), second(alpha)
    leads = np.where(one.beta < 0.5, one.beta <= other.beta, one.power >= other.power)
    return Corners(alpha, np.where(leads, one.beta, other.beta), np.where(leads, one.power, other.power))


def _bridges(curve: Corners) -> list[tuple[int, int]]:
    """Neighbouring corners of the lower convex hull that skip points which clearly lie above the chord."""
    corners = _hull(curve)
    bridges = []
    for start, end in zip(corners[:-1].tolist(), corners[1:].tolist(), strict=True):
        between = slice(start + 1, end)
        slope = (curve.beta[end] - curve.beta[start]) / (curve.alpha[end] - curve.alpha[start])
        height = curve.beta[start] + slope * (curve.alpha[between] - curve.alpha[start])
        if np.any(curve.beta[between] > height + _ROUNDING):
            bridges.append((start, end))
    return bridges


def _hull(curve: Corners) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Indices of the corners of the lower convex hull (monotone chain)."""
    x, y, kept = curve.alpha.tolist(), curve.beta.tolist(), [0]
    for i in range(1, len(x)):
        while len(kept) > 1:
            a, b = kept[-2], kept[-1]
            if (y[b] - y[a]) * (x[i] - x[b]) < (y[i] - y[b]) * (x[b] - x[a]):
                break
            kept.pop()
        kept.append(i)
    return np.array(kept, dtype=np.int64)


def _sharpened(first: Curve, second: Curve, grid: Floats, start: int, end: int) -> Chord:
    """Ends of the common tangent, each sought within ever smaller neighbourhoods."""
    chord = Chord(float(grid[start]), float(grid[end]))
    spans = [_span(grid, start), _span(grid, end)]
    for _ in range(_ROUNDS):
        sides = [np.clip(np.linspace(-1.0, 1.0, _AROUND) * w + x, 0.0, 1.0) for x, w in zip(chord, spans, strict=True)]
        middle = 0.5 * (chord.left + chord.right)
        alpha = np.unique(np.concatenate((sides[0][sides[0] < middle], sides[1][sides[1] > middle])))
        corners = alpha[_hull(_lower(first, second, alpha))]
        right = int(np.searchsorted(corners, middle))
        chord = Chord(float(corners[right - 1]), float(corners[right]))
        spans = [span * 2.0 / (_AROUND - 1) for span in spans]
    return chord


def _span(grid: Floats, point: int) -> float:
    return float(max(grid[min(point + 1, len(grid) - 1)] - grid[point], grid[point] - grid[max(point - 1, 0)]))
