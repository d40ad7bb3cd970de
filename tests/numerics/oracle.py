"""Steps of every mechanism, written from cumulative laws or weights alone, and the best test by sorting outcomes.

Outcomes put together are post-processing: the test on them is never better than the best one, and with fine cells
hardly worse. So every ``power`` here is one that an attack reaches, short of the truth by a little. Nothing is read
from ``numerics`` but the parameters of a release.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, ndtr
from scipy.stats import binom

from numerics.mechanisms import Adjacency, SampledMechanism

Array = NDArray[np.float64]
Laws = tuple[Array, Array]
"""Masses (n,) of outcomes with the record, and without it."""

CUMULATIVE: dict[str, Callable[[Array], Array]] = {
    "Gaussian": ndtr,
    "Laplace": lambda u: np.where(u < 0, 0.5 * np.exp(np.minimum(u, 0)), 1 - 0.5 * np.exp(-np.maximum(u, 0))),
    "Logistic": expit,
    "Secant": lambda u: 2 / np.pi * np.arctan(np.exp(0.5 * np.pi * u)),
}
WEIGHT: dict[str, Callable[[Array], Array]] = {
    "Discrete Gaussian": lambda u: np.exp(-0.5 * u**2),
    "Discrete Laplace": lambda u: np.exp(-np.abs(u)),
}
KNOWN = (*CUMULATIVE, *WEIGHT, "Randomised response", "Truncated Laplace")
"""Names of the mechanisms that are written here."""


def step(release: SampledMechanism, cells: int = 4000) -> Laws:
    """One Poisson step, of a person with ``records_per_person`` records where it has several."""
    if release.name == "Randomised response":
        return _response(release)
    law = _whole_numbers(release) if release.name in WEIGHT else _on_cells(release, cells)
    records, rate = release.records_per_person, release.sampling_rate
    weights = binom.pmf(np.arange(records + 1), records, rate)

    def mixed(sign: int) -> Array:
        return np.asarray(sum(weight * law(sign * j) for j, weight in enumerate(weights) if weight))

    return mixed(1), mixed(-1) if release.adjacency is Adjacency.REPLACE_ONE else law(0)


def _response(release: SampledMechanism) -> Laws:
    categories = vars(release)["categories"]
    odds = np.exp(1 / release.noise_multiplier)
    p = np.array([odds, *[1.0] * (categories - 1)]) / (odds + categories - 1)
    return p, np.roll(p, 1)


def _whole_numbers(release: SampledMechanism) -> Callable[[int], Array]:
    """Masses of whole numbers around a centre, in sensitivities."""
    s, d, weight = release.noise_multiplier, vars(release)["sensitivity"], WEIGHT[release.name]
    x = np.arange(-int(40 * s * d) - 3 * d, int(40 * s * d) + 3 * d + 1)
    whole = weight(np.arange(-int(60 * s * d) - 9, int(60 * s * d) + 10) / (s * d)).sum()
    return lambda centre: weight((x - centre * d) / (s * d)) / whole


def _on_cells(release: SampledMechanism, cells: int) -> Callable[[int], Array]:
    """Masses of cells around a centre; every kink of a density is an edge."""
    s, most = release.noise_multiplier, release.records_per_person
    furthest, cumulative, ends = s * (9.0 if release.name == "Gaussian" else 34.0), CUMULATIVE.get(release.name), [0.0]
    if cumulative is None:  # Laplace noise that is cut off at both ends
        furthest = s * float(np.log1p(np.expm1(1 / s) / (2 * vars(release)["truncation_delta"])))
        ends, laplace = [-furthest, 0.0, furthest], CUMULATIVE["Laplace"]
        tail = laplace(np.array(-furthest / s))

        def cumulative(u: Array) -> Array:
            return np.clip((laplace(np.clip(u, -furthest / s, furthest / s)) - tail) / (1 - 2 * tail), 0, 1)

    kinks = [centre + end for centre in range(-most, most + 1) for end in ends]
    edges = np.unique(np.concatenate((np.linspace(-furthest - most, furthest + most, cells), kinks)))
    return lambda centre: masses(cumulative, (edges - centre) / s)


def masses(cumulative: Callable[[Array], Array], edges: Array) -> Array:
    """Masses (n + 1,) of the cells between ``edges`` (n,) of a symmetric law, from the smaller tail."""
    low, high = np.append(-np.inf, edges), np.append(edges, np.inf)
    return np.where(high <= 0.0, cumulative(high) - cumulative(low), cumulative(-low) - cumulative(-high))


def merged(laws: Laws, most: int = 900) -> Laws:
    """Outcomes of about the same likelihood ratio put together."""
    p, q = _present(*laws, 1e-40)
    with np.errstate(divide="ignore"):
        loss = np.log(p) - np.log(q)
    finite = np.isfinite(loss)
    low, high = loss[finite].min(), loss[finite].max()
    place = np.clip((np.where(finite, loss, low) - low) / max(high - low, 1e-300) * most, 0, most - 1)
    place = np.where(finite, place, np.where(p > 0, most, most + 1)).astype(int)
    return np.bincount(place, p, most + 2).astype(float), np.bincount(place, q, most + 2).astype(float)


def composed(steps: Sequence[Laws], most: int = 900) -> Laws:
    """Several steps in a row: all combinations of outcomes, put together after each step but the last."""
    p, q = steps[0]
    for more in steps[1:]:
        less, added = merged((p, q), most), merged(more, most)
        p, q = (np.multiply.outer(a, b).ravel() for a, b in zip(less, added, strict=True))
    return p, q


def power(laws: Laws, alpha: Array) -> Array:
    """Power of the best test: outcomes by likelihood ratio, chords between; certain exposure costs no false alarm."""
    p, q = _present(*laws, 0.0)
    with np.errstate(divide="ignore"):
        order = np.argsort(np.log(q) - np.log(p), kind="stable")
    x, y = (np.append(0.0, np.cumsum(mass[order])) for mass in (q, p))
    last = np.append(np.flatnonzero(np.diff(x) > 0), len(x) - 1)
    return np.asarray(np.interp(alpha, x[last], np.minimum(y[last], 1.0)))


def _present(p: Array, q: Array, least: float) -> Laws:
    kept = (p > least) | (q > least)
    return p[kept], q[kept]


def delta(laws: Laws, epsilon: float) -> float:
    """The largest P(S) - e^epsilon Q(S)."""
    return float(np.maximum(laws[0] - np.exp(epsilon) * laws[1], 0).sum())


def divergence(laws: Laws, order: float) -> float:
    """The larger of both directions' Renyi divergences, as the definition has it; outcomes possible under both."""
    both = (np.log(np.sum(one * (one / other) ** (order - 1.0))) for one, other in (laws, laws[::-1]))
    return float(max(both) / (order - 1.0))


def hull(x: Array, y: Array) -> Array:
    """The least concave function above the points (``x``, ``y``), at ``x``."""
    kept: list[int] = []
    for i in range(len(x)):
        while len(kept) > 1:
            a, b = kept[-2:]
            if (y[b] - y[a]) * (x[i] - x[a]) > (y[i] - y[a]) * (x[b] - x[a]):
                break
            kept.pop()
        kept.append(i)
    return np.asarray(np.interp(x, x[kept], y[kept]))


def convolved(mass: Array, count: int) -> Array:
    """Law of the sum of ``count`` steps, by plain convolutions of positive terms."""
    total, square = np.ones(1), mass
    while count:
        total = np.convolve(total, square) if count & 1 else total
        count >>= 1
        square = np.convolve(square, square) if count else square
    return total
