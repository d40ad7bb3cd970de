"""Laws of losses with exact tails, and the largest ratios between two of them."""

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr, ndtr, ndtri

from numerics.epsilon_star.rates import Clip, LogRates, MaximumRatio, Term
from numerics.roots import halved
from numerics.trade_off import Floats
from numerics.validation import Probability, checked, value

_GRID, _ZOOMS = 2000, 14  # quantiles of each tail, and zooms to the last digit that a flat maximum has
_COARSE, _FEW_ZOOMS = 60, 5  # the same for many pairs at once
_FINE = 9  # points of a zoom, which leaves a quarter of the interval
_HALVINGS = 60


class TailLaw(Protocol):
    """A law with exact tails; scipy's frozen distributions qualify."""

    def logcdf(self, x: Floats) -> Floats: ...
    def logsf(self, x: Floats) -> Floats: ...
    def ppf(self, q: Floats) -> Floats: ...
    def isf(self, q: Floats) -> Floats: ...


@value
class NormalLaw:
    """Normal law; what the paper fits to transformed losses. The methods are those of SciPy's laws."""

    mean: float
    sd: float

    def logcdf(self, x: Floats) -> Floats:
        return log_ndtr((x - self.mean) / self.sd)

    def logsf(self, x: Floats) -> Floats:
        return log_ndtr((self.mean - x) / self.sd)

    def ppf(self, q: Floats) -> Floats:
        return self.mean + self.sd * np.asarray(ndtri(q))

    def isf(self, q: Floats) -> Floats:
        return self.mean - self.sd * np.asarray(ndtri(q))


@value
class Mixture:
    """Mixture of normal laws; ``weights`` sum to 1."""

    weights: tuple[float, ...]
    means: tuple[float, ...]
    sds: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Mean of the mixture."""
        return float(np.dot(self.weights, self.means))

    @property
    def sd(self) -> float:
        """Standard deviation of the mixture."""
        centred = np.array(self.means) - self.mean
        return float(np.sqrt(np.dot(self.weights, np.square(self.sds) + centred**2)))

    def density(self, x: Floats) -> Floats:
        """Density (n,)."""
        z, sds = (x[:, None] - np.array(self.means)) / np.array(self.sds), np.array(self.sds)
        return np.exp(-0.5 * z * z) @ (np.array(self.weights) / sds) / np.sqrt(2.0 * np.pi)

    def logcdf(self, x: Floats, side: float = 1.0) -> Floats:
        z = (np.asarray(x)[..., None] - np.array(self.means)) / np.array(self.sds)
        logs = log_ndtr(side * z) + np.log(self.weights)
        largest = logs.max(axis=-1)
        return largest + np.log(np.exp(logs - largest[..., None]).sum(axis=-1))

    def logsf(self, x: Floats) -> Floats:
        return self.logcdf(x, -1.0)

    def ppf(self, q: Floats) -> Floats:
        """See TailLaw; by bisection between the components' smallest and largest quantile."""
        means, sds, ranks = np.array(self.means)[:, None], np.array(self.sds)[:, None], np.ravel(q)
        quantiles, weights = means + sds * ndtri(ranks), np.array(self.weights)

        def is_below(x: Floats) -> NDArray[np.bool_]:
            return weights @ ndtr((x - means) / sds) < ranks

        low, high = halved(is_below, quantiles.min(axis=0), quantiles.max(axis=0), _HALVINGS)
        return np.asarray(0.5 * (low + high)).reshape(np.shape(q))

    def isf(self, q: Floats) -> Floats:
        return -Mixture(self.weights, tuple(-mean for mean in self.means), self.sds).ppf(q)


Fit = NormalLaw | Mixture


@checked
def maxima(train: TailLaw, population: TailLaw, delta: Probability, clip: Clip | None) -> tuple[MaximumRatio, ...]:
    """Largest ratios over quantiles of both laws, down to a fraction of delta: only rates above it make a numerator."""
    tail = _tail(delta, clip, _GRID)
    grid = np.unique(np.concatenate([side for law in (train, population) for side in (law.ppf(tail), law.isf(tail))]))

    def rates_at(x: Floats) -> LogRates:
        return LogRates(population.logcdf(x), population.logsf(x), train.logsf(x), train.logcdf(x))

    largest = _largest(rates_at, grid[np.isfinite(grid)][None], np.array([delta]), clip, _ZOOMS)
    found = []
    for term, (ratio, place) in largest.items():
        fpr, _, fnr, _ = rates_at(place).each(np.exp)
        found.append(MaximumRatio(term, *(float(one[0]) for one in (ratio, place, fpr, fnr))))
    return tuple(sorted(found, key=lambda maximum: -maximum.log_ratio))


def normal_values(
    train: tuple[Floats, Floats], population: tuple[Floats, Floats], delta: Floats, clip: float | None
) -> Floats:
    """Epsilon* (r,) of pairs of normal laws given by means (r,) and standard deviations (r,), at delta (r,)."""
    tail = _tail(float(delta.min()), clip, _COARSE)
    z = np.concatenate([ndtri(tail), -ndtri(tail)])
    own, others = ((mean[:, None], sd[:, None]) for mean, sd in (train, population))
    grid = np.sort(np.concatenate([mean + sd * z for mean, sd in (own, others)], axis=1), axis=1)

    def rates_at(x: Floats) -> LogRates:
        members, outsiders = ((x - mean) / sd for mean, sd in (own, others))
        return LogRates(log_ndtr(outsiders), log_ndtr(-outsiders), log_ndtr(-members), log_ndtr(members))

    largest = _largest(rates_at, grid, delta, clip, _FEW_ZOOMS)
    return np.maximum(np.max([value for value, _ in largest.values()], axis=0), 0.0)


def _tail(delta: float, clip: float | None, points: int) -> Floats:
    """Ranks from a fraction of delta up; where a rate meets the clip the ratios have a kink."""
    return np.append(np.geomspace(max(1e-3 * delta, 1e-300), 0.5, points), [] if clip is None else [clip])


def _largest(
    rates_at: Callable[[Floats], LogRates], grid: Floats, delta: Floats, clip: float | None, zooms: int
) -> dict[Term, tuple[Floats, Floats]]:
    """The largest log of each ratio, (r,), and where: on a grid (r, k), then ever closer to each row's best point.

    All four are sought at once: first at the same points, (1, r, k), then each at its own, (4, r, k).
    """

    def ratios(x: Floats) -> Floats:
        each = rates_at(x).clipped(clip).log_ratios(delta[:, None])
        return np.stack([each[term][own % len(x)] for own, term in enumerate(Term)])

    def chosen(values: Floats, index: NDArray[np.intp]) -> Floats:
        return np.take_along_axis(values, index[..., None], axis=-1)[..., 0]

    x, best, place = grid[None], np.full((len(Term), len(grid)), -np.inf), grid[:, 0]
    for zoom in range(zooms + 1):
        values = ratios(x)
        index = values.argmax(axis=-1)
        largest = chosen(values, index)
        place = np.where(largest > best, chosen(x, index), place)
        best = np.maximum(best, largest)
        if zoom < zooms:
            low, high = chosen(x, np.maximum(index - 1, 0)), chosen(x, np.minimum(index + 1, x.shape[-1] - 1))
            x = low[..., None] + (high - low)[..., None] * np.linspace(0.0, 1.0, _FINE)
    return {term: (best[own], place[own]) for own, term in enumerate(Term)}
