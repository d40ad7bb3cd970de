"""Densities of a handful of numbers or of many thousands, smoothed with a Gaussian kernel, for a look at them."""

import numpy as np

from numerics.trade_off import Floats
from numerics.validation import checked

_SILVERMAN = 0.9
_NORMAL_QUARTILES = 1.34  # interquartile range of a standard normal
_NARROWEST = 1.0  # bandwidth in cells of the grid: a narrower one would fall between its points


@checked
def kernel_density(values: Floats, grid: Floats) -> Floats:
    """The density (m,) of ``values`` (n,) on an evenly spaced ``grid`` (m,) that covers them.

    The bandwidth is Silverman's rule, 0.9 min(standard deviation, interquartile range / 1.34) n^(-1/5), and never less
    than a cell. The values are shared out between the two grid points next to them, so the cost does not grow with
    their number times the grid's.

    Raises:
        ValueError: there are no values, or one lies beyond the grid.
    """
    if not len(values) or values.min() < grid[0] or values.max() > grid[-1]:
        raise ValueError(f"values must lie between {grid[0]:g} and {grid[-1]:g}, and be at least one.")
    cell = grid[1] - grid[0]
    places = (values - grid[0]) / cell
    lower = np.minimum(places.astype(int), len(grid) - 2)
    upper_share = places - lower
    weights = np.bincount(lower, 1.0 - upper_share, len(grid)) + np.bincount(lower + 1, upper_share, len(grid))
    width = max(_bandwidth(places), _NARROWEST)
    offsets = np.arange(1 - len(grid), len(grid))
    kernel = np.exp(-0.5 * (offsets / width) ** 2) / (width * np.sqrt(2.0 * np.pi))
    density: Floats = np.convolve(weights, kernel, "valid") / (len(values) * cell)
    return np.maximum(density, 0.0)


def _bandwidth(values: Floats) -> float:
    """Silverman's rule."""
    spread = float(values.std())
    quarter, three_quarters = np.quantile(values, (0.25, 0.75))
    between = float(three_quarters - quarter) / _NORMAL_QUARTILES
    narrow = min(spread, between) if between > 0.0 else spread
    shrunk: float = float(len(values)) ** 0.2
    return _SILVERMAN * narrow / shrunk
