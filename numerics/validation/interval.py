"""Numbers from one to another, and the message that refuses any other."""

from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

SMALLEST, LARGEST = 5e-324, float(np.finfo(np.float64).max)
_LONGEST = 200  # characters of a value in a message


@dataclass(frozen=True)
class Interval:
    """Numbers from ``low`` to ``high``, both included; ``words`` say so after "must"."""

    low: float
    high: float
    words: str = ""

    @classmethod
    def inside(cls, low: float, high: float, words: str = "") -> "Interval":
        """Both excluded."""
        ends = float(np.nextafter(low, high)), float(np.nextafter(high, low))
        return cls(*ends, words or f"be strictly between {low:g} and {high:g}")

    def check(self, name: str, value: Any) -> None:
        """Raise ValueError unless ``value``, or every number of an array, lies inside; NaN does not."""
        for number in _extremes(value) if isinstance(value, np.ndarray) else (value,):
            if not self.low <= number <= self.high:
                ends = (f"{end:g}" if type(end) is float else end for end in (self.low, self.high))
                refuse(name, self.words or "be between {} and {}".format(*ends), number, ValueError)


def _extremes(values: NDArray[Any]) -> tuple[float, ...]:
    return (float(values.min()), float(values.max())) if values.size else ()


def better_than_guessing(power: float, alpha: float) -> None:
    """Raise ValueError unless ``alpha`` < ``power``: a power target that something but guessing can miss."""
    if power <= alpha:
        raise ValueError(f"power must exceed alpha (guessing alone finds {alpha:g} of the members), got {power!r}.")


def refuse(name: str, words: str, value: Any, kind: type[Exception]) -> NoReturn:
    """Raise ``kind`` with the parameter's name, its rule and the value received."""
    with np.printoptions(threshold=_LONGEST // 10):  # of a long array the ends: all of it takes a millisecond to write
        shown = repr(value)
    raise kind(f"{name} must {words}, got {shown if len(shown) <= _LONGEST else shown[:_LONGEST] + ' ...'}.")
