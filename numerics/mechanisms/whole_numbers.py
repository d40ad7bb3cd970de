"""What mechanisms share that add noise on whole numbers to a sum of whole numbers: both lie on a lattice.

Positions stay in units of the sensitivity, which are ``points`` lattice steps. A value between two lattice points is
never released, so positions found here lie halfway between them: no rounding then moves a point to the other side.
"""

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Self

import numpy as np

from numerics.lazy_property import lazy_property
from numerics.mechanisms.base import Parameter, SampledMechanism
from numerics.mechanisms.location import Folded, LocationTradeOff, PiecewiseLinear, TradeOffFormula
from numerics.mechanisms.noise import FURTHEST_TAIL, Noise, cells_between
from numerics.privacy_loss.bounds import Polyline
from numerics.privacy_loss.pairs import LossLaw
from numerics.trade_off import CurvePoints, Floats
from numerics.validation import Interval, Positive, value

LARGEST_SENSITIVITY = 1000
TIE = 1e-9
"""Of a lattice step: an edge that is a lattice point is one for every centre, whatever rounding says."""
MOST_OUTCOMES = 4096
"""Of a noise whose values are counted one by one; with more, they lie closer than any lattice of losses needs."""


@dataclass(frozen=True)
class LatticeNoise(Noise):
    """Symmetric noise on whole numbers whose masses are log-concave.

    Attributes:
        points: lattice steps in a unit of length.
    """

    points: int = 1

    formula: ClassVar[TradeOffFormula]
    """The trade-off function of a shift for readers."""

    @abstractmethod
    def tail(self, steps: Floats) -> Floats:
        """Mass (n,) of the whole numbers above ``steps``, which lie halfway between two of them and above 0."""

    @abstractmethod
    def log_ratio(self, x: Floats) -> Floats:
        """Log-likelihood ratio log dK_1/dK_0 at the lattice points ``x``."""

    def cells(self, edges: Floats, centre: float) -> Floats:
        steps = np.floor((edges - centre) * self.points + TIE) + 0.5
        return cells_between(self.tail, steps)

    def shift_loss(self, x: Floats) -> Floats:
        """See Noise; of the lattice point next to ``x``."""
        return self.log_ratio(np.round(x * self.points) / self.points)

    def over(self, distance: int) -> Self:
        return replace(super().over(distance), points=self.points * distance)

    def outcomes(self, furthest: int) -> Floats | None:
        """See Noise; those beyond share the loss of the last, or are too rare to be told from none."""
        last = int(np.ceil(max(self.reach(FURTHEST_TAIL), furthest) * self.points))
        return None if 2 * last >= MOST_OUTCOMES else np.arange(-last, last + 1, dtype=np.float64) / self.points

    def _above(self, lattice_point: Floats) -> Floats:
        """Halfway to the next point."""
        return (lattice_point + 0.5) / self.points


@value
class FoldedLattice(Folded):
    """One release of lattice noise on one number: its law against the even mixture of its two shifts.

    All outcomes are sorted by that likelihood ratio, so no more has to be known of it. One number is the worst case for
    who is protected: who has to guess among more directions can be told up to the sign, and then has this test.
    """

    noise: LatticeNoise

    def errors(self, alpha: Floats, rest: Floats) -> CurvePoints:
        return self.corners.at(alpha)

    def inverse(self, alpha: Floats, rest: Floats) -> CurvePoints:
        return self.corners.mirrored.at(alpha)

    @lazy_property
    def corners(self) -> Polyline:
        x = self.noise.outcomes(1)
        assert x is not None
        between = (x[1:] + x[:-1]) / 2.0
        null, shifted = self.noise.cells(between, 0.0), self.noise.cells(between, 1.0)
        order = np.argsort(np.logaddexp(self.noise.shift_loss(x), self.noise.shift_loss(-x)), kind="stable")
        return Polyline.of(0.5 * (shifted + shifted[::-1])[order], null[order])


@value
class LatticeShift(PiecewiseLinear):
    """A shift of lattice noise by one unit of length, which is ``mu`` times its scale."""

    noise: LatticeNoise

    @property
    def formula(self) -> TradeOffFormula:
        return self.noise.formula

    folded_formula: ClassVar[TradeOffFormula | None] = TradeOffFormula(
        r"\bigl(\alpha_j, 1 - j(\alpha_j)\bigr) = \bigl(\Pr[\lvert X\rvert \ge j],\ \Pr[\lvert X + \Delta\rvert \ge "
        r"j]\bigr), \quad J = \min(j, j^{-1})^{**}",
        "RTM, one release of noise on whole numbers: only the distance from the centre tells, as the side is unknown. "
        "The corners, joined by chords; minimax over the side, and no guarantee against an attacker who guesses it.",
        "paper 000's question; Neyman-Pearson against the even mixture of both sides",
    )

    def folded(self, dimension: int) -> Folded:
        return FoldedLattice(self.mu, self.noise)

    @lazy_property
    def law(self) -> LossLaw:
        x = self.noise.outcomes(1)
        assert x is not None
        between = 0.5 * (x[1:] + x[:-1])
        return LossLaw(self.noise.shift_loss(x), self.noise.cells(between, 1.0), self.noise.cells(between, 0.0))


@value
class WholeNumberMechanism(SampledMechanism):
    """Noise on whole numbers, of a scale in units of the ``sensitivity``: how far one record moves the sum at most."""

    sensitivity: Annotated[int, Interval(1, LARGEST_SENSITIVITY)] = 1

    noise_law: ClassVar[type[LatticeNoise]]
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter(
            "sensitivity",
            "Largest share, a whole number",
            "How far one record moves the sum at most, in whole units of what is counted. The noise is on whole "
            "numbers, too: with a large share it is nearly that on the line.",
            1,
            LARGEST_SENSITIVITY,
            is_whole=True,
        ),
    )

    def noise(self, unit: Positive = 1.0) -> LatticeNoise:
        return self.noise_law(self.noise_multiplier / unit, round(self.sensitivity * unit))

    def shift(self, distance: Positive) -> LocationTradeOff | None:
        """See SampledMechanism; None where the outcomes are too many to be counted one by one."""
        noise = self.noise(distance)
        return None if noise.outcomes(1) is None else LatticeShift(1.0 / noise.scale, noise)
