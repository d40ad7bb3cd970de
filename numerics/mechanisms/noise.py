"""What a law of additive noise has to say, and what it may say.

Positions x and shifts are in units of the sensitivity; K_m is the noise centred at m. The certified engine needs the
abstract methods. The rest is optional: an operation refuses by name a noise that does not say what it needs
(``unsupported.law_of``).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from numerics.privacy_loss.pairs import sampled_loss
from numerics.privacy_loss.smooth_sum import NormalLoss
from numerics.roots import crossing
from numerics.trade_off import Floats

FURTHEST_TAIL = 1e-300
"""No mass beyond is told from 0."""


class Standard(NamedTuple):
    """The noise at scale 1, as simulations and quadratures need it.

    Attributes:
        log_density: logarithm of the density.
        extent: less than 1e-17 of the mass lies further from the centre.
        draw: independent draws of a shape.
    """

    log_density: Callable[[Floats], Floats]
    extent: float
    draw: Callable[[np.random.Generator, int | tuple[int, ...]], Floats]


@dataclass(frozen=True)
class Noise(ABC):
    """Symmetric additive noise whose density is log-concave, so that the loss of a shift never falls in x.

    Attributes:
        scale: standard deviation or scale parameter, in units of the sensitivity.
    """

    scale: float

    flat_beyond: ClassVar[float] = np.inf
    """Distance from every centre beyond which the loss no longer changes; infinite if it always does."""
    standard: ClassVar[Standard | None] = None
    has_lognormal_ratio: ClassVar[bool] = False
    """Whether log dK_1/dK_0 is normally distributed, as it is for normal noise alone."""

    @abstractmethod
    def cells(self, edges: Floats, centre: float) -> Floats:
        """Mass (n+1,) of the n+1 cells that the ascending ``edges`` (n,) cut, for noise centred at ``centre``."""

    @abstractmethod
    def reach(self, tail: float) -> float:
        """Distance from the centre beyond which less than ``tail`` of the mass lies on either side.

        No more than is needed where the loss no longer changes.
        """

    @abstractmethod
    def shift_loss(self, x: Floats) -> Floats:
        """Log-likelihood ratio log dK_1/dK_0 at ``x``."""

    @abstractmethod
    def shift_position(self, loss: Floats) -> Floats:
        """The largest x with ``shift_loss(x) <= loss`` (-inf or inf outside the range)."""

    def opposed_position(self, loss: Floats, rate: float) -> Floats:
        """The largest x whose replace-one loss is at most ``loss``: searched for, as it is odd and never falls."""

        def excess(x: Floats, place: NDArray[np.intp]) -> Floats:
            return sampled_loss(self.shift_loss(x), rate) - sampled_loss(self.shift_loss(-x), rate) - goal[place]

        goal, furthest = np.abs(loss), np.full(np.shape(loss), 1.0 + self.reach(FURTHEST_TAIL))
        found = crossing(excess, np.zeros(np.shape(loss)), furthest)
        return np.sign(loss) * np.where(found < furthest, found, np.inf)

    def outcomes(self, furthest: int) -> Floats | None:
        """Ascending values that are released with the noise centred up to ``furthest`` from 0; None for too many."""
        return None

    def overlap(self, shift: float, other: float) -> float | None:
        """Integral of k_shift k_other / k_0 - 1, where k_m is the density centred at m; None where no formula is known.

        Infinite when it overflows.
        """
        return None

    def over(self, distance: int) -> Self:
        """The same noise, with lengths in units of so many of today's."""
        return replace(self, scale=self.scale / distance)

    def log_moment(self, order: float) -> float | None:
        """Log of the mean of (dK_1/dK_0)^order under K_0, for Renyi divergences; None where no formula is known."""
        return None

    def zcdp(self) -> float | None:
        """The rho of a shift by 1, where that is known to be less than what the range of losses says."""
        return None

    def folded_position(self, loss: Floats) -> Floats | None:
        """The largest |x| at which log (l(x) + l(-x)) / 2 is at most ``loss``, l = dK_1/dK_0; 0 below the range.

        None where it is not known whether that never falls with the distance.
        """
        return None

    def smooth_loss(self, rate: float) -> NormalLoss | None:
        """The loss of one Poisson-sampled step under add/remove adjacency, if its density is known to be analytic."""
        return None


def cells_between(upper_tail: Callable[[Floats], Floats], u: Floats) -> Floats:
    """Masses (n+1,) of the cells between ``u`` (n,) of a symmetric law, from whichever tail is smaller.

    So no cell loses digits to 1 - x.
    """
    middle = int(np.searchsorted(u, 0.0))
    below, above = np.asarray(upper_tail(-u[:middle])), np.asarray(upper_tail(u[middle:]))
    masses = np.empty(len(u) + 1)
    masses[1:middle] = np.diff(below)
    masses[middle + 1 : -1] = -np.diff(above)
    masses[0] = below[0] if middle > 0 else 1.0 - above[0]
    masses[-1] = above[-1] if middle < len(u) else 1.0 - below[-1]
    if 0 < middle < len(u):
        masses[middle] = 1.0 - below[-1] - above[0]
    return masses


# Hyperbolic functions and their inverses by logarithms, where they overflow or lose their digits.


def log_cosh(x: Floats) -> Floats:
    """Log cosh x to its own digits."""
    near, far = np.minimum(np.abs(x), 1.0), np.maximum(np.abs(x), 1.0)
    return np.where(np.abs(x) < 1.0, np.log1p(2.0 * np.sinh(0.5 * near) ** 2), np.logaddexp(far, -far) - np.log(2.0))


def log_sinh(x: Floats) -> Floats:
    """Log sinh of non-negative ``x``; -inf at 0."""
    with np.errstate(divide="ignore"):
        return x + np.log(-np.expm1(-2.0 * x)) - np.log(2.0)


def arccosh_exp(exponent: Floats) -> Floats:
    """Arccosh e^y; 0 below y = 0."""
    y = np.maximum(exponent, 0.0)
    return y + np.log1p(np.sqrt(-np.expm1(-2.0 * y)))
