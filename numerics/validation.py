"""Checks of parameters, in one form of message: name, rule, value received."""

import numpy as np
from numpy import isfinite
from numpy.typing import NDArray


def between(name: str, value: float, smallest: float, largest: float) -> None:
    """Raise ValueError unless ``value`` lies in [``smallest``, ``largest``] (NaN fails too)."""
    if not smallest <= value <= largest:
        raise ValueError(f"{name} must be between {smallest:g} and {largest:g}, got {value!r}.")


def positive(name: str, value: float) -> None:
    """Raise ValueError unless ``value`` is a finite number above zero (NaN fails too)."""
    if not (value > 0 and isfinite(value)):
        raise ValueError(f"{name} must be positive and finite, got {value!r}.")


def probability(name: str, value: float) -> None:
    """Raise ValueError unless ``value`` lies in [0, 1]."""
    if not 0 <= value <= 1:
        raise ValueError(f"{name} must be between 0 and 1, got {value!r}.")


def probabilities(name: str, values: NDArray[np.float64]) -> None:
    """Raise ValueError unless every one of ``values`` lies in [0, 1] (NaN fails too)."""
    for extreme in (np.min(values, initial=0.0), np.max(values, initial=0.0)):
        probability(name, float(extreme))


def open_probability(name: str, value: float) -> None:
    """Raise ValueError unless ``value`` lies strictly between 0 and 1."""
    if not 0 < value < 1:
        raise ValueError(f"{name} must be strictly between 0 and 1, got {value!r}.")


def better_than_guessing(power: float, alpha: float) -> None:
    """Raise ValueError unless 0 < ``alpha`` < ``power`` < 1: a power target that something but guessing can miss."""
    open_probability("power", power)
    open_probability("alpha", alpha)
    if power <= alpha:
        raise ValueError(f"power must exceed alpha (guessing alone finds {alpha:g} of the members), got {power!r}.")


def positive_probability(name: str, value: float) -> None:
    """Raise ValueError unless ``value`` lies in (0, 1]."""
    if not 0 < value <= 1:
        raise ValueError(f"{name} must be above 0 and at most 1, got {value!r}.")


def non_negative(name: str, value: float) -> None:
    """Raise ValueError unless ``value`` is zero or more (NaN fails too)."""
    if not value >= 0:
        raise ValueError(f"{name} must not be negative, got {value!r}.")


def count(name: str, value: int, largest: int, smallest: int = 1) -> None:
    """Raise TypeError unless ``value`` is a whole number, ValueError unless it lies in ``smallest`` ... ``largest``."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be a whole number, got {value!r}.")
    if not smallest <= value <= largest:
        raise ValueError(f"{name} must be between {smallest} and {largest}, got {value!r}.")
