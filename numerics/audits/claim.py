"""Claims that an audit tests: that no attack on a release is more powerful than a stated curve F = 1 - f.

``power`` is F, the largest true positive rate that the claim allows at a false positive rate. Where F is known as a
bracket it is the side with the *larger* power, so that no refutation rests on rounding. Every claim is one of a family
ordered by one number, its ``parameter``: an audit asks which members of the family are refuted, or would have been.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import field, replace
from enum import StrEnum
from typing import Annotated, ClassVar, Self

import numpy as np
import scipy
from scipy.special import ndtr, ndtri

from numerics.conversions import power_limits
from numerics.lazy_property import lazy_property
from numerics.mechanisms.base import LARGEST_NOISE, SMALLEST_NOISE, Mechanism
from numerics.privacy_loss import Precision
from numerics.privacy_loss.bounds import Polyline
from numerics.sampling import Adjacency
from numerics.trade_off import Floats, Order
from numerics.unsupported import one_record
from numerics.validation import FiniteNonNegative, Interval, NonNegative, Probabilities, Probability, checked, value

_LARGEST_MU = 40.0  # power at a false positive rate of 1e-300 is 1 within rounding
_LARGEST_EPSILON = 700.0  # e^epsilon is finite


class Decision(StrEnum):
    """What an audit says of a claim; there is no fourth: nothing that is seen confirms one."""

    REFUTED = "refuted"
    TOO_FEW = "too few to tell"
    NOT_REFUTED = "not refuted"

    @classmethod
    @checked
    def of(cls, is_refuted: bool, factor: NonNegative | None, largest_factor: NonNegative) -> "Decision":
        """By the test, and by how far from the claim the smallest violation is that is found; None where none is."""
        if is_refuted:
            return cls.REFUTED
        return cls.TOO_FEW if factor is None or factor > largest_factor else cls.NOT_REFUTED


@value
class Claim(ABC):
    """A claimed trade-off curve."""

    parameter_name: ClassVar[str]
    """What orders the family: "mu", "epsilon" or "noise_multiplier"."""
    grows: ClassVar[bool]
    """Whether a larger parameter allows more power."""
    limits: ClassVar[tuple[float, float]]
    """Smallest and largest parameter of the family."""

    @property
    @abstractmethod
    def label(self) -> str:
        """The claim in a few words."""

    @property
    def parameter(self) -> float:
        """The number that orders the family, in the units of its name."""
        value: float = getattr(self, self.parameter_name)
        return value

    @property
    def is_symmetric(self) -> bool:
        """Whether all orders are known to be alike."""
        return True

    @property
    def adjacency(self) -> Adjacency | None:
        """Which data sets count as neighbours; None where the claim leaves it open."""
        return None

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What is claimed besides the curve, in words."""
        return ()

    def with_parameter(self, parameter: FiniteNonNegative) -> Self:
        """The member of the family with another parameter; raises ValueError outside of ``limits``."""
        return replace(self, **{self.parameter_name: parameter})

    def factor(self, parameter: FiniteNonNegative) -> float:
        """How many times a looser ``parameter`` is larger, or less noise smaller; infinite where this one is 0."""
        if not self.grows:
            return self.parameter / parameter
        return parameter / self.parameter if self.parameter > 0.0 else float("inf")

    @abstractmethod
    def power(self, alpha: Probabilities, order: Order = Order.SYMMETRIC) -> Floats:
        """Largest true positive rate allowed at ``alpha`` (n,), any order of which; never less than the exact curve.

        ``Order.ADD`` takes "without the record" for the null hypothesis, ``Order.REMOVE`` "with it"; the symmetric one
        allows what either does, and is its own mirror image.
        """

    @abstractmethod
    def alpha_for(self, power: Probabilities, order: Order = Order.SYMMETRIC) -> Floats:
        """Smallest false positive rate at which ``power`` (n,) is allowed: the inverse of ``power``; 0 if at any."""


@value
class GdpClaim(Claim):
    """``mu``-Gaussian differential privacy: power at most Phi(Phi^-1(alpha) + mu), mu in [0, 40]."""

    mu: Annotated[float, Interval(0.0, _LARGEST_MU)]

    parameter_name: ClassVar[str] = "mu"
    grows: ClassVar[bool] = True
    limits: ClassVar[tuple[float, float]] = (0.0, _LARGEST_MU)

    @property
    def label(self) -> str:
        return f"{self.mu:.6g}-GDP"

    def power(self, alpha: Probabilities, order: Order = Order.SYMMETRIC) -> Floats:
        return np.maximum(ndtr(ndtri(alpha) + self.mu), alpha)  # never below guessing, as rounding would be

    def alpha_for(self, power: Probabilities, order: Order = Order.SYMMETRIC) -> Floats:
        return np.minimum(ndtr(ndtri(power) - self.mu), power)


@value
class ApproximateClaim(Claim):
    """(``epsilon``, ``delta``)-differential privacy, epsilon in [0, 700]; see ``power_limits``."""

    epsilon: Annotated[float, Interval(0.0, _LARGEST_EPSILON)]
    delta: Probability

    parameter_name: ClassVar[str] = "epsilon"
    grows: ClassVar[bool] = True
    limits: ClassVar[tuple[float, float]] = (0.0, _LARGEST_EPSILON)

    @property
    def label(self) -> str:
        return f"({self.epsilon:.6g}, {self.delta:.6g})-DP"

    def power(self, alpha: Probabilities, order: Order = Order.SYMMETRIC) -> Floats:
        return power_limits(self.epsilon, self.delta, alpha)

    def alpha_for(self, power: Probabilities, order: Order = Order.SYMMETRIC) -> Floats:
        steep = np.exp(-self.epsilon) * (power - self.delta)
        flat = 1.0 - self.delta - np.exp(self.epsilon) * (1.0 - power)
        return np.maximum(np.maximum(steep, flat), 0.0)


@value
class ReleaseClaim(Claim):
    """The certified curve of a release, at the guarantee's side of its bracket, which is as narrow as ``precision``."""

    release: Mechanism
    precision: Precision = field(default_factory=Precision)

    parameter_name: ClassVar[str] = "noise_multiplier"

    def __post_init__(self) -> None:
        one_record(self.release.records_per_person, "An audit, of single records, is")

    grows: ClassVar[bool] = False
    limits: ClassVar[tuple[float, float]] = (SMALLEST_NOISE, LARGEST_NOISE)

    @property
    def label(self) -> str:
        return self.release.label

    @property
    def parameter(self) -> float:
        """The noise multiplier; of several phases that of the first."""
        return self.release.noise_multiplier

    @property
    def is_symmetric(self) -> bool:
        form = self.release.closed_form
        return form is not None and form.rate == 1.0

    @property
    def adjacency(self) -> Adjacency:
        return self.release.adjacency

    @property
    def assumptions(self) -> tuple[str, ...]:
        return self.release.assumptions

    def with_parameter(self, parameter: FiniteNonNegative) -> Self:
        return replace(self, release=self.release.with_noise(parameter))

    def power(self, alpha: Probabilities, order: Order = Order.SYMMETRIC) -> Floats:
        form = self.release.closed_form
        return (form.trade_off(alpha, order) if form else self._guarantee[order].at(alpha)).power

    def alpha_for(self, power: Probabilities, order: Order = Order.SYMMETRIC) -> Floats:
        form = self.release.closed_form
        if form:  # the curve of the other order is the mirror image
            mirrored = {Order.ADD: Order.REMOVE, Order.REMOVE: Order.ADD}.get(order, order)
            return form.trade_off(1.0 - power, mirrored).beta
        return np.interp(power, *self._rising[order])

    @lazy_property
    def _guarantee(self) -> dict[Order, Polyline]:
        side = self.release.certified(self.precision).guarantee
        return {order: side.corners(order) for order in Order}

    @lazy_property
    def _rising(self) -> dict[Order, tuple[Floats, Floats]]:
        """Power and alpha: of the corners of one power that with the smallest alpha."""
        first = {order: np.append(True, np.diff(line.power) > 0.0) for order, line in self._guarantee.items()}
        return {order: (line.power[first[order]], line.alpha[first[order]]) for order, line in self._guarantee.items()}


# Searches along a family of claims, and for the size of an audit. Each look may take seconds.


_STEP = 0.5  # of the first move, as a share of the parameter, or of the log; then twice as far each time
_SMALLEST_STEP = 0.05
_CLOSEST = 1e-9


def boundary(
    claim: Claim, excess: Callable[[Claim], float], tolerance: float = _CLOSEST
) -> tuple[Claim | None, Claim | None]:
    """The members between which ``excess`` turns positive: the last that it is not of, and the first that it is.

    ``excess`` grows with what a member allows; it may be only -1 or 1. Searched from the claim, until the parameters of
    both differ by no more than a relative ``tolerance``. None where there is no such member of the family.
    """
    limits = claim.limits if claim.grows else tuple(-np.log(end) for end in reversed(claim.limits))
    found: dict[float, tuple[Claim, float]] = {}

    def at(place: float) -> float:
        if place not in found:
            parameter = place if claim.grows else float(np.exp(-place))
            member = claim.with_parameter(float(np.clip(parameter, *claim.limits)))
            found[place] = member, excess(member)
        return found[place][1]

    here = float(claim.parameter if claim.grows else -np.log(claim.parameter))
    step, is_positive = max(_STEP * claim.parameter if claim.grows else _STEP, _SMALLEST_STEP), at(here) > 0.0
    while True:
        there = float(np.clip(here - step if is_positive else here + step, *limits))
        if there == here:
            break
        if (at(there) > 0.0) != is_positive:
            near = (_CLOSEST, max(tolerance, _CLOSEST)) if claim.grows else (tolerance, _CLOSEST)
            scipy.optimize.brentq(at, here, there, xtol=near[0], rtol=near[1])
            break
        here, step = there, 2.0 * step
    first = min((place for place, (_, more) in found.items() if more > 0.0), default=np.inf)
    last = max((place for place in found if place < first), default=-np.inf)
    members = [found[place][0] if place in found else None for place in (last, first)]
    return members[0], members[1]


def fewest_enough(is_enough: Callable[[int], bool], fewest: int, most: int, close: float) -> int | None:
    """Fewest runs or canaries of ``fewest`` or more, at most ``close`` times as many; None where ``most`` are too few.

    By doubling, and by halving in the ratio.
    """
    fewer = enough = fewest
    while not is_enough(enough):
        if enough >= most:
            return None
        fewer, enough = enough, min(2 * enough, most)
    while enough > max(close * fewer, fewer + 1):
        middle = max(int(np.sqrt(float(fewer) * enough)), fewer + 1)
        fewer, enough = (fewer, middle) if is_enough(middle) else (middle, enough)
    return enough
