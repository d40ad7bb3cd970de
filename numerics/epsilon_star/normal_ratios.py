"""Epsilon* of many pairs of normal laws at once: for bootstrap replicates and sweeps."""

import numpy as np
from scipy.special import log_ndtr, ndtri

from numerics.epsilon_star.error_ratios import LogRates, Term
from numerics.trade_off import Floats

_RANKS = 60  # on each side of each law
_ZOOMS, _FINE = 5, 9  # every zoom leaves a quarter of the interval


def normal_values(
    train: tuple[Floats, Floats], population: tuple[Floats, Floats], delta: Floats, clip: float | None
) -> Floats:
    """Epsilon* (r,) of pairs of normal laws given by means (r,) and standard deviations (r,), at delta (r,)."""
    laws = train, population
    smallest = max(1e-3 * float(delta.min()), 1e-300)
    tail = np.append(np.geomspace(smallest, 0.5, _RANKS), [] if clip is None else [clip])
    z = np.concatenate([ndtri(tail), -ndtri(tail)])
    grid = np.sort(np.concatenate([mean[:, None] + sd[:, None] * z for mean, sd in laws], axis=1), axis=1)
    best = np.zeros(len(delta))
    ratios = _log_ratios(laws, grid, delta, clip)
    for term in Term:
        low, high = _around(grid, ratios[term])
        for _ in range(_ZOOMS):
            fine = low[:, None] + (high - low)[:, None] * np.linspace(0.0, 1.0, _FINE)
            values = _log_ratios(laws, fine, delta, clip)[term]
            best = np.maximum(best, values.max(axis=1))
            low, high = _around(fine, values)
    return best


def _around(grid: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Neighbours (r,) of each row's maximum, on an ascending grid (r, k)."""
    rows, index = np.arange(len(grid)), values.argmax(axis=1)
    return grid[rows, np.maximum(index - 1, 0)], grid[rows, np.minimum(index + 1, grid.shape[1] - 1)]


def _log_ratios(
    laws: tuple[tuple[Floats, Floats], ...], x: Floats, delta: Floats, clip: float | None
) -> dict[Term, Floats]:
    train, population = ((x - mean[:, None]) / sd[:, None] for mean, sd in laws)
    rates = LogRates(log_ndtr(population), log_ndtr(-population), log_ndtr(-train), log_ndtr(train))
    return dict(rates.clipped(clip).log_ratios(delta[:, None]))
