"""A mechanism that exists in the tests only: hyperbolic secant noise, with what the certified engine asks for alone.

So every operation that needs to know more has to refuse it by name. Its density (1 / (2 s)) sech(pi x / (2 s)) is
log-concave; it is smooth like normal noise and has a finite pure epsilon like Laplace noise.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from numerics.mechanisms import SampledMechanism
from numerics.mechanisms.noise import Noise, cells_between
from numerics.trade_off import Floats

_RATE = 0.5 * np.pi


@dataclass(frozen=True)
class SecantNoise(Noise):
    """With a = pi x / (2 s) the loss is log cosh(a) - log cosh(a - m), m = pi / (2 s)."""

    def cells(self, edges: Floats, centre: float) -> Floats:
        def upper_tail(u: Floats) -> Floats:
            return np.asarray(2.0 / np.pi * np.arctan(np.exp(-_RATE * u)))

        return cells_between(upper_tail, (edges - centre) / self.scale)

    def reach(self, tail: float) -> float:
        return float(-self.scale / _RATE * np.log(np.tan(_RATE * tail)))

    def shift_loss(self, x: Floats) -> Floats:
        """Symmetric about 1/2: log cosh(v + h) / cosh(v - h), h = m / 2, by what each side has beyond e^|v|."""
        v, half = np.abs(x - 0.5) * _RATE / self.scale, 0.5 * _RATE / self.scale
        beyond = np.log1p(np.exp(-2.0 * (v + half))) - np.log1p(np.exp(-2.0 * np.abs(v - half)))
        return np.asarray(np.sign(x - 0.5) * (2.0 * np.minimum(v, half) + beyond))

    def shift_position(self, loss: Floats) -> Floats:
        """e^{2v} = e^loss (1 - e^{-loss - m}) / (1 - e^{loss - m})."""
        largest = _RATE / self.scale
        with np.errstate(divide="ignore", invalid="ignore"):
            v = 0.5 * (loss + np.log(-np.expm1(-loss - largest)) - np.log(-np.expm1(loss - largest)))
        inside = 0.5 + self.scale / _RATE * v
        return np.where(loss >= largest, np.inf, np.where(loss <= -largest, -np.inf, inside))


@dataclass(frozen=True)
class Secant(SampledMechanism):
    name: ClassVar[str] = "Secant"
    scale_sentence: ClassVar[str] = "Each record adds a number of size at most 1 sensitivity unit."
    several_records: ClassVar[bool] = True
    noise_law: ClassVar[type[Noise]] = SecantNoise
