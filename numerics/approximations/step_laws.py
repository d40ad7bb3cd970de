"""One step's noise as the approximations need it: density, integration nodes, draws, chi-square, cumulants.

The certified engine never uses these. With the noise K_m centred at m, sampling rate p and positions x in units of the
sensitivity, the step's pair is P (record present) against Q (record absent, or replaced): see ``dominating_pairs``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from numerics.not_offered import law_of
from numerics.privacy_loss.additive_noise import GaussianNoise, LaplaceNoise
from numerics.privacy_loss.dominating_pairs import SampledPair
from numerics.trade_off import Floats

LARGEST_ORDER = 6
# Twenty Gauss-Legendre nodes integrate each panel of one noise scale to rounding.
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(20)


class StepNoise(Protocol):
    """Noise of a given ``scale`` in units of the sensitivity."""

    @property
    def scale(self) -> float:
        """Standard deviation of normal, scale parameter of Laplace noise."""
        ...

    @property
    def reach(self) -> float:
        """In scales: the mass beyond it is below 1e-26, and its share of every moment negligible."""
        ...

    def density(self, x: Floats) -> Floats:
        """Density of the noise at ``x`` (n,)."""
        ...

    def draw(self, generator: np.random.Generator, size: int) -> Floats:
        """Independent draws (size,)."""
        ...

    def overlap(self, shift: float, other: float) -> float:
        """Integral of k_shift k_other / k_0 - 1, where k_m is the density centred at m; inf when it overflows."""
        ...


@dataclass(frozen=True)
class NormalNoise:
    """Normal noise of standard deviation ``scale``."""

    scale: float
    reach: float = 26.0

    def density(self, x: Floats) -> Floats:
        """See StepNoise."""
        return np.asarray(np.exp(-0.5 * (x / self.scale) ** 2) / (self.scale * np.sqrt(2.0 * np.pi)))

    def draw(self, generator: np.random.Generator, size: int) -> Floats:
        """See StepNoise."""
        return generator.normal(0.0, self.scale, size)

    def overlap(self, shift: float, other: float) -> float:
        """See StepNoise: e^{ab/s^2} - 1, hence e^{mu^2} - 1 for the chi-square."""
        with np.errstate(over="ignore"):
            return float(np.expm1(shift * other / self.scale**2))


@dataclass(frozen=True)
class DoubleExponentialNoise:
    """Laplace noise of scale b = ``scale``."""

    scale: float
    reach: float = 60.0

    def density(self, x: Floats) -> Floats:
        """See StepNoise."""
        return np.asarray(np.exp(-np.abs(x) / self.scale) / (2.0 * self.scale))

    def draw(self, generator: np.random.Generator, size: int) -> Floats:
        """See StepNoise: the difference of two exponential draws, three times as fast as NumPy's own."""
        return self.scale * (generator.standard_exponential(size) - generator.standard_exponential(size))

    def overlap(self, shift: float, other: float) -> float:
        """See StepNoise: 2/3 e^mu + 1/3 e^{-2mu} - 1 for equal, 2 e^{-mu} - e^{-2mu} - 1 for opposite unit shifts."""
        mu = abs(shift) / self.scale
        with np.errstate(over="ignore"):
            if shift == other:
                return float((2.0 * np.expm1(mu) + np.expm1(-2.0 * mu)) / 3.0)
            return float(-(np.expm1(-mu) ** 2))


_STEP_NOISES: dict[type[object], Callable[[float], StepNoise]] = {
    GaussianNoise: NormalNoise,
    LaplaceNoise: DoubleExponentialNoise,
}


def step_noise(pair: SampledPair) -> StepNoise:
    """The noise of a step's pair; raises NotOfferedError for noise that the approximations do not know."""
    return law_of(pair.noise, _STEP_NOISES, "This estimate is")(pair.noise.scale)


def absent_shift(pair: SampledPair) -> float:
    """Where the noise is centred in a sampled step without the record: 0, or -1 when it is replaced."""
    return -1.0 if pair.replace_one else 0.0


def chi_square(pair: SampledPair) -> float:
    """Small-rate limit of Var(log dP/dQ) / p^2 in one step; paper 003 footnote 3 with correction 39."""
    noise, absent = step_noise(pair), absent_shift(pair)
    if absent == 0.0:
        return noise.overlap(1.0, 1.0)
    return 2.0 * (noise.overlap(1.0, 1.0) - noise.overlap(1.0, -1.0))


@dataclass(frozen=True, eq=False)
class StepCumulants:
    """Cumulants (6,) of one step's log dP/dQ, first to sixth, without and with the record."""

    null: Floats
    alternative: Floats


def cumulants(pair: SampledPair) -> StepCumulants:
    """Cumulants of the step's log-likelihood ratio by Gauss-Legendre panels (Zheng et al. 2020).

    Central moments are integrated, not raw ones, which would cancel: relative error about 1e-12 at moderate noise.
    """
    noise = step_noise(pair)
    x, weight = _nodes(_breaks(noise, pair))
    loss = pair.loss(x)

    def law(shift: float) -> Floats:
        return weight * ((1.0 - pair.rate) * noise.density(x) + pair.rate * noise.density(x - shift))

    return StepCumulants(_cumulants(loss, law(absent_shift(pair))), _cumulants(loss, law(1.0)))


def _breaks(noise: StepNoise, pair: SampledPair) -> Floats:
    """Panel ends: one noise scale around each centre, finer where a sampled loss leaves its floor log(1-p)."""
    around = np.arange(-noise.reach, noise.reach + 0.5) * noise.scale
    pieces = [around - 1.0, around, around + 1.0, np.array([-1.0, 0.0, 1.0])]
    if pair.rate < 1.0:
        level = np.log1p(-pair.rate) - np.log(pair.rate)
        bend = pair.noise.shift_position(np.array([level]))
        # A Gaussian loss bends within a few s^2 of the position where both parts of the mixture weigh the same.
        near = np.arange(-30.0, 30.5) * noise.scale * min(1.0, noise.scale)
        pieces += [bend + near, near - bend]
    ends = np.unique(np.concatenate(pieces))
    return np.asarray(ends[np.abs(ends) <= 1.0 + noise.reach * noise.scale])


def _nodes(breaks: Floats) -> tuple[Floats, Floats]:
    """Positions and weights of the composite rule."""
    half = 0.5 * np.diff(breaks)[:, None]
    middle = 0.5 * (breaks[1:] + breaks[:-1])[:, None]
    return (middle + half * _NODES).ravel(), (half * _WEIGHTS).ravel()


def _cumulants(loss: Floats, mass: Floats) -> Floats:
    """First six cumulants of a discrete law, from its central moments."""
    mean = float(mass @ loss)
    centred = loss - mean
    m2, m3, m4, m5, m6 = (float(mass @ centred**order) for order in range(2, LARGEST_ORDER + 1))
    return np.array([mean, m2, m3, m4 - 3 * m2**2, m5 - 10 * m3 * m2, m6 - 15 * m4 * m2 - 10 * m3**2 + 30 * m2**3])
