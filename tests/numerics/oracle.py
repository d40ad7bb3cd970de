"""One step of every mechanism, written from its cumulative law or weights alone, and the best test by sorting.

Cells of a released value are post-processing: the test on them is never better than the best one, and with fine cells
hardly worse. Nothing here is read from ``numerics``.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.special import expit, ndtr

from numerics.mechanisms import Adjacency

CUMULATIVE: dict[str, Callable[[Any], Any]] = {
    "Gaussian": ndtr,
    "Laplace": lambda u: np.where(u < 0, 0.5 * np.exp(np.minimum(u, 0)), 1 - 0.5 * np.exp(-np.maximum(u, 0))),
    "Logistic": expit,
    "Secant": lambda u: 2 / np.pi * np.arctan(np.exp(0.5 * np.pi * u)),
}
WEIGHT: dict[str, Callable[[Any], Any]] = {
    "Discrete Gaussian": lambda u: np.exp(-0.5 * u**2),
    "Discrete Laplace": lambda u: np.exp(-np.abs(u)),
}


def step(release: Any, cells: int = 4000) -> tuple[np.ndarray, np.ndarray]:
    """Masses (n,) with the record and without it."""
    s, rate, replaced = release.noise_multiplier, release.sampling_rate, release.adjacency is Adjacency.REPLACE_ONE
    if release.name == "Randomised response":
        odds = np.exp(1 / s)
        p = np.array([odds, *[1.0] * (release.categories - 1)]) / (odds + release.categories - 1)
        return p, np.roll(p, 1)
    if release.name in WEIGHT:
        d = release.sensitivity
        x = np.arange(-int(40 * s * d) - 3 * d, int(40 * s * d) + 3 * d + 1)
        whole = WEIGHT[release.name](np.arange(-int(60 * s * d) - 9, int(60 * s * d) + 10) / (s * d)).sum()

        def law(centre: int) -> Any:
            return WEIGHT[release.name]((x - centre * d) / (s * d)) / whole
    else:
        furthest = 1.0 + s * (9.0 if release.name == "Gaussian" else 34.0)
        if release.name == "Truncated Laplace":
            end = s * np.log1p(np.expm1(1 / s) / (2 * release.truncation_delta))
            tail = CUMULATIVE["Laplace"](-end / s)
            furthest = 1.0 + end

            def cumulative(x):
                return np.clip((CUMULATIVE["Laplace"](np.clip(x, -end, end) / s) - tail) / (1 - 2 * tail), 0, 1)
        else:

            def cumulative(x):
                return CUMULATIVE[release.name](x / s)

        kinks = [c + e for c in (-1, 0, 1) for e in ((0, -end, end) if release.name == "Truncated Laplace" else (0,))]
        edges = np.unique(np.concatenate((np.linspace(-furthest, furthest, cells), kinks)))

        def law(centre: int) -> Any:
            low, high = np.append(-np.inf, edges - centre), np.append(edges - centre, np.inf)
            below = high <= 0.0  # from the smaller tail, or rare cells would have no digits
            return np.where(below, cumulative(high) - cumulative(low), cumulative(-low) - cumulative(-high))

    present = (1 - rate) * law(0) + rate * law(1)
    return present, (1 - rate) * law(0) + rate * law(-1) if replaced else law(0)


def merged(p: np.ndarray, q: np.ndarray, most: int = 3000) -> tuple[np.ndarray, np.ndarray]:
    """Outcomes of about the same likelihood ratio put together: post-processing again."""
    kept = (p > 1e-40) | (q > 1e-40)
    p, q = p[kept], q[kept]
    with np.errstate(divide="ignore"):
        loss = np.log(p) - np.log(q)
    finite = np.isfinite(loss)
    low, high = loss[finite].min(), loss[finite].max()
    place = np.where(
        finite, np.clip((loss - low) / max(high - low, 1e-300) * most, 0, most - 1), np.where(p > 0, most, most + 1)
    )
    place = place.astype(int)
    return np.bincount(place, p, most + 2), np.bincount(place, q, most + 2)


def composed(steps: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """All combinations of outcomes."""
    p, q = steps[0]
    for more_p, more_q in steps[1:]:
        p, q = (np.multiply.outer(a, b).ravel() for a, b in ((p, more_p), (q, more_q)))
    return p, q


def power(p: np.ndarray, q: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """Of the best test: outcomes by likelihood ratio, chords between; certain exposure costs no false alarm."""
    kept = (p > 0) | (q > 0)
    p, q = p[kept], q[kept]
    with np.errstate(divide="ignore"):
        order = np.argsort(np.log(q) - np.log(p), kind="stable")
    x, y = (np.append(0.0, np.cumsum(mass[order])) for mass in (q, p))
    last = np.append(np.flatnonzero(np.diff(x) > 0), len(x) - 1)
    reached: np.ndarray = np.interp(alpha, x[last], np.minimum(y[last], 1.0))
    return reached


def delta(p: np.ndarray, q: np.ndarray, epsilon: float) -> float:
    return float(np.maximum(p - np.exp(epsilon) * q, 0).sum())


def convolved(laws: list[tuple[np.ndarray, int]]) -> np.ndarray:
    """Law of the sum of many steps, by plain convolutions of positive terms."""
    total = np.ones(1)
    for mass, count in laws:
        square, left = mass, count
        while left:
            total = np.convolve(total, square) if left & 1 else total
            left >>= 1
            square = np.convolve(square, square) if left else square
    return total


def ratios(values: list[float]) -> list[float]:
    return [before / after for before, after in pairwise(values)]
