"""Noise with density proportional to exp(-||x||/c), the norm weighing each coordinate by its own spread."""

from typing import Annotated

import numpy as np
from scipy.special import gammaincc

from numerics.trade_off import Floats
from numerics.validation import LARGEST, Interval, NonNegative, Positive, value

LARGEST_DRAW = 50_000_000


@value
class NormNoise:
    """Density proportional to exp(-||x||/``scale``), with ||x||^M = sum |x_i / spread_i|^M (paper 002 Cor. 10).

    The norm of a draw is Gamma(d, scale) distributed and its direction follows the cone measure. The Laplace radius
    of the paper is wrong beyond one dimension and breaks the guarantee (correction 33).

    Attributes:
        scale: c, above zero.
        spreads: one positive number a coordinate; they must not be taken from the private data.
        moment: M >= 1.
    """

    scale: Positive
    spreads: tuple[Positive, ...]
    moment: Annotated[float, Interval(1.0, LARGEST, "be finite and at least 1")] = 2.0

    def __post_init__(self) -> None:
        if not self.spreads:
            raise ValueError("spreads must not be empty.")

    @property
    def dimension(self) -> int:
        """Number of coordinates d."""
        return len(self.spreads)

    def norm(self, x: Floats) -> Floats:
        """Norms (...) of vectors (..., d)."""
        ratio = np.abs(x) / np.array(self.spreads)
        largest = np.max(ratio, axis=-1, keepdims=True)
        shares = ratio / np.where(largest > 0.0, largest, 1.0)
        return np.asarray(largest[..., 0] * np.sum(shares**self.moment, axis=-1) ** (1.0 / self.moment))

    def tail(self, radius: NonNegative) -> float:
        """P(||X|| > ``radius``)."""
        return float(gammaincc(self.dimension, radius / self.scale))

    def draw(self, generator: np.random.Generator, size: int) -> Floats:
        """Independent draws (size, d). Raises ValueError above 50 million numbers."""
        Interval(1, max(1, LARGEST_DRAW // self.dimension)).check("size", size)
        radius = generator.gamma(self.dimension, self.scale, size)
        normal = generalised_normal(self.moment, (size, self.dimension), generator) * np.array(self.spreads)
        return np.asarray(normal * (radius / self.norm(normal))[:, None])


def generalised_normal(moment: float, shape: tuple[int, ...], generator: np.random.Generator) -> Floats:
    """Draws of density proportional to exp(-|y|^M).

    |Y|^M is Gamma(1/M); drawn as Gamma(1 + 1/M) U^M, whose root does not underflow to 0 for a large M.
    """
    size = generator.gamma(1.0 + 1.0 / moment, size=shape) ** (1.0 / moment) * (1.0 - generator.random(shape))
    return np.asarray(np.where(generator.random(shape) < 0.5, -size, size))
