"""Attackers who do not know the side of a record, from the noise's own law alone: cells, sums and simulation.

Cells of what is released are post-processing: the best test on them is never better than the best one of all.
"""

from collections.abc import Callable
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
import scipy
from scipy.special import expit, ndtr

from numerics.mechanisms import SampledMechanism
from numerics.trade_off import Floats, Order

CUMULATIVE: dict[str, Callable[[Floats], Any]] = {
    "Gaussian": ndtr,
    "Laplace": lambda u: np.where(u < 0.0, 0.5 * np.exp(np.minimum(u, 0.0)), 1.0 - 0.5 * np.exp(-np.maximum(u, 0.0))),
    "Logistic": expit,
}
LOG_DENSITY: dict[str, Callable[[Floats], Any]] = {"Gaussian": lambda u: -0.5 * u**2, "Laplace": lambda u: -np.abs(u)}
DRAWS = 40_000


def power_by_cells(release: SampledMechanism, alpha: Floats, order: Order, cells: int = 400) -> Floats:
    """Of the best test (n,) who is told in which cell each of a few steps lies."""
    furthest = 1.0 + release.noise_multiplier * (5.0 if release.name == "Gaussian" else 12.0)
    edges = np.unique(np.concatenate((np.linspace(-furthest, furthest, cells), np.linspace(-1.0, 1.0, cells))))
    cumulative, rate = CUMULATIVE[release.name], release.sampling_rate
    ends = ([0.0, *cumulative((edges - centre) / release.noise_multiplier), 1.0] for centre in (0.0, 1.0, -1.0))
    absent, *sides = (np.diff(masses) for masses in ends)
    sides = [(1.0 - rate) * absent + rate * side for side in sides]
    q, *either = (reduce(np.multiply.outer, [mass] * release.steps).ravel() for mass in (absent, *sides))
    q, p = (q, 0.5 * (either[0] + either[1]))[:: -1 if order is Order.REMOVE else 1]
    kept = (p > 0.0) | (q > 0.0)
    with np.errstate(divide="ignore"):
        best = np.argsort(np.log(q[kept]) - np.log(p[kept]))
    false, found = (np.append(0.0, np.cumsum(mass[kept][best])) for mass in (q, p))
    return np.asarray(np.interp(alpha, false, found))


def power_of_mean(release: SampledMechanism, alpha: Floats, dimension: int = 1) -> Floats:
    """Of the magnitude of the mean of Gaussian steps: a sum over how many of them the record takes part in."""
    law = scipy.stats.binom(release.steps, release.sampling_rate)
    least, most = law.ppf(1e-15), law.isf(1e-15)
    count = np.arange(least, most + 1.0)
    centre = count / np.sqrt(release.steps) / release.noise_multiplier
    if dimension == 1:
        critical = -scipy.special.ndtri(0.5 * alpha)[:, None]
        found = ndtr(centre - critical) + ndtr(-centre - critical)
    else:
        found = scipy.stats.ncx2.sf(scipy.stats.chi2.isf(alpha, dimension)[:, None], dimension, centre**2)
    return np.asarray(found @ law.pmf(count))


class Simulated(NamedTuple):
    """Powers (n,), and the standard errors of them."""

    power: Floats
    error: Floats


def simulated(release: SampledMechanism, alpha: Floats, draws: int = DRAWS, seed: int = 5) -> Simulated:
    """Power of the best test by draws with the record alone: the least of E (1 - e^(t - L))+ + e^t alpha over t.

    Every t bounds the power from above, and nothing changes to first order around the best one.
    """
    log_ratio = np.sort(_drawn(release, draws, np.random.default_rng(seed)))
    found = []
    for each in alpha:

        def bound(t: float, each: float = float(each)) -> float:
            return float(np.mean(-np.expm1(np.minimum(t - log_ratio, 0.0))) + np.exp(t) * each)

        t = scipy.optimize.minimize_scalar(bound, bounds=(log_ratio[0] - 1.0, log_ratio[-1]), method="bounded").x
        spread = np.std(-np.expm1(np.minimum(t - log_ratio, 0.0)))
        found.append((bound(t), spread / np.sqrt(draws)))
    return Simulated(*np.transpose(found))


def _drawn(release: SampledMechanism, draws: int, generator: np.random.Generator) -> Floats:
    """Log-likelihood ratios of the even mixture of both sides, with a record that pulls upwards."""
    total, noise, rate = np.zeros((2, draws)), release.noise_multiplier, release.sampling_rate
    draw = generator.standard_normal if release.name == "Gaussian" else generator.laplace
    log_density = LOG_DENSITY[release.name]
    for _ in range(release.steps):
        x = noise * draw(size=draws) + (generator.random(draws) < rate)
        for row, side in enumerate((1.0, -1.0)):
            total[row] += np.log1p(rate * np.expm1(log_density((x - side) / noise) - log_density(x / noise)))
    return np.asarray(np.logaddexp(*total) - np.log(2.0))
