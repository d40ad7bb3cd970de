"""The axes of a reconstruction's figure: where they start and end, and how they count."""

from dataclasses import dataclass
from math import floor, log10

from plotting.assembly import Part
from plotting.curves import SMALLEST_SHOWN, Axes
from plotting.people import CROWD

_MOST_TICKS = 5
_RAISED, _LONG = "⁰¹²³⁴⁵⁶⁷⁸⁹", 4
_ONE = 0.5


@dataclass(frozen=True)
class Window:
    """What of the curve is shown: kind of axes, best and worst guess; without ``low``, as the guess needs it."""

    axes: Axes = Axes.LOG
    high: float = 1.0
    low: float | None = None

    def around(self, prior: float) -> "AxisEnds":
        """The window where this guess is looked at."""
        first = _lowest(prior) if self.axes is Axes.LOG else 0.0
        return AxisEnds(self.axes, first if self.low is None else self.low, self.high)


@dataclass(frozen=True)
class AxisEnds:
    """Where both axes start and end, and what kind they are."""

    axes: Axes
    low: float
    high: float

    def place(self, value: float) -> float:
        """A coordinate as annotations take it: logarithms on logarithmic axes."""
        return log10(max(value, 1e-300)) if self.axes is Axes.LOG else value

    def along(self, share: float) -> float:
        """The guess at this share of the way from the first to the last."""
        if self.axes is Axes.LOG:
            return float(self.low * (self.high / self.low) ** share)
        return self.low + (self.high - self.low) * share

    @property
    def is_counted(self) -> bool:
        """Whether the axes count of 10,000: rarer guesses would be none."""
        return self.axes is Axes.LOG and self.low * CROWD > _ONE


def _lowest(prior: float) -> float:
    """Where the logarithmic axes start: at 1 of 10,000, or a decade below a rarer guess."""
    return min(1.0 / CROWD, max(10.0 ** (floor(log10(max(prior, SMALLEST_SHOWN)) + 1e-9) - 1), SMALLEST_SHOWN))


def scale(seen: AxisEnds) -> Part:
    """Both axes: counted of 10,000, or as "1 in" where rarer guesses are shown; linear ones in percent."""
    if seen.axes is Axes.LINEAR:
        return {"tickformat": ".4~%", "range": [seen.low, seen.high]}
    first, last = round(log10(seen.low)), floor(log10(seen.high) + 1e-9)
    stride = -(-(last - first + 1) // _MOST_TICKS)
    decades = list(range(last, first - 1, -stride))[::-1]
    names = [f"{10.0**decade * CROWD:,.0f}" if seen.is_counted else _one_in(-decade) for decade in decades]
    ends = [log10(seen.low), log10(seen.high)]
    return {"type": "log", "range": ends, "tickvals": [10.0**decade for decade in decades], "ticktext": names}


def _one_in(digits: int) -> str:
    if digits == 0:
        return "always"
    raised = "".join(_RAISED[int(digit)] for digit in str(digits))
    return f"1 in {10**digits:,}" if digits < _LONG else f"1 in 10{raised}"
