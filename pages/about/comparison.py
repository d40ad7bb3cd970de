"""What a comparison is: a parameter to slide, an axis, a formula beside the one that holds, and values that decide."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from numerics.trade_off import Bound, Floats
from plotting.correction import CorrectionAxis
from plotting.trade_off import FALSE_ACCUSED, FOUND, MISSED

Formula = Callable[[float, Floats], Floats]
"""Values (n,) at a setting of the slider and positions (n,) on the axis."""

OPEN_UNIT = (1e-4, 1.0 - 1e-4)
IN_THE_PAPER = "in the paper (wrong)"  # of what is wrong under every reading, and of nothing else
IN_OUR_COPY = "in our copy"


@dataclass(frozen=True)
class Slider:
    """The parameter a visitor may change."""

    words: str
    options: tuple[float, ...]
    default: float


@dataclass(frozen=True)
class AxisPair:
    """Both axes."""

    across: CorrectionAxis
    height: CorrectionAxis


@dataclass(frozen=True)
class Variant:
    """A formula and what it is; ``bound`` is None where it is not what holds, and ``name`` says what it is then."""

    name: str
    formula: Formula
    bound: Bound | None = Bound.EXACT


@dataclass(frozen=True)
class DecidingValue:
    """A value that decides, at one setting and position; ``error`` is its standard error, 0 where it is exact."""

    setting: float
    at: float
    value: float
    words: str
    error: float = 0.0


@dataclass(frozen=True)
class Comparison:
    """One drawn correction.

    Attributes:
        number: that of the correction.
        slider: the parameter.
        axes: both axes.
        ends: where the horizontal one begins and ends.
        lines: formulas, first those that do not hold.
        evidence: what decides.
        fixed: the parameters that stay, in words.
        points: positions on the axis; whole numbers where ``whole``.
    """

    number: int
    slider: Slider
    axes: AxisPair
    ends: tuple[float, float]
    lines: tuple[Variant, ...]
    evidence: tuple[DecidingValue, ...]
    fixed: str = ""
    points: int = 300
    whole: bool = False

    @property
    def x(self) -> Floats:
        """Positions (n,) at which it is drawn; those of the evidence are among them."""
        low, high = self.ends
        if self.whole:
            return np.arange(low, high + 1.0)
        grid = np.geomspace(low, high, self.points) if self.axes.across.log else np.linspace(low, high, self.points)
        return np.union1d(grid, [one.at for one in self.evidence])

    def setting(self, chosen: object) -> float:
        """The option that ``chosen`` is, or the default."""
        return next((option for option in self.slider.options if option == chosen), self.slider.default)

    def values(self, setting: float) -> tuple[Floats, ...]:
        """Values (n,) of every line at ``x``."""
        return tuple(line.formula(setting, self.x) for line in self.lines)

    def at(self, evidence: DecidingValue) -> tuple[float, ...]:
        """The value of every line where the evidence is."""
        return tuple(float(line.formula(evidence.setting, np.array([evidence.at]))[0]) for line in self.lines)


def missed() -> AxisPair:
    """Axes of a trade-off curve."""
    return AxisPair(CorrectionAxis(FALSE_ACCUSED), CorrectionAxis(MISSED))


def found(log: bool = False) -> AxisPair:
    """Axes of power against false positive rate."""
    return AxisPair(CorrectionAxis(FALSE_ACCUSED, log), CorrectionAxis(FOUND, log))


def each(formula: Callable[[float, float], float]) -> Formula:
    """A formula of one position made one of many."""

    def of_many(setting: float, x: Floats) -> Floats:
        return np.array([formula(setting, float(value)) for value in x])

    return of_many
