"""Small releases whose every half can be enumerated: bundled ones, and values that a visitor pastes.

Pasted values stay with the session: nothing here remembers anything, and nothing of it goes into the address.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from numerics.membership import worst_case_data
from numerics.membership.halves import HalfReleases
from numerics.membership.one_swap import OneSwap, SwapNoise
from numerics.trade_off import Floats
from numerics.training.data_sets import DIGITS, shipped_images

RECORDS = (4, 6, 8, 10, 12, 14, 16)
_BETWEEN = re.compile(r"[\s,;]+")
_NO_COMMA = re.compile(r"[\s;]+")
_COMMA_INSIDE = re.compile(r"\d,\d")
_LONGEST = 1000  # characters
_LARGEST = 1e100
_RELATIVE_RANGE = 1e-9  # a mean of values that differ by less has lost most digits of the difference
_POINT = "Write numbers with a decimal point, separated by spaces, commas or new lines."


class SmallDataSet(StrEnum):
    """Whose membership is hidden; the values are labels, and values in the URL."""

    DIGITS = "digit images"
    PROPOSITION_11 = "Proposition 11"
    OWN = "my own values"


class ValuesError(ValueError):
    """Pasted values that cannot be used: what is wrong, where, and what to do."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(f"{what} {remedy}")
        self.what, self.remedy = what, remedy


@dataclass(frozen=True, eq=False)
class SmallRelease:
    """A number, ``what``, computed from a random half of a small pool; ``halves`` has its value for every half.

    ``swap`` is the one-swap bound of Laplace noise of scale 1 on it, ``sensitivity`` the largest change by one replaced
    record, within this pool.
    """

    what: str
    halves: HalfReleases
    swap: OneSwap
    sensitivity: float

    @property
    def records(self) -> int:
        """Number of values in the pool."""
        return int(self.halves.inside.shape[1])


def mean_of(values: Floats, what: str) -> SmallRelease:
    """The mean of a random half of ``values`` (n,), n even."""

    def mean(members: Floats) -> Floats:
        return np.asarray(np.mean(members, axis=1))

    swap = OneSwap.of_mean(values, SwapNoise.LAPLACE)
    return SmallRelease(what, HalfReleases.of(values, mean), swap, float(np.ptp(values)) / (len(values) // 2))


def bundled(data: SmallDataSet, records: int) -> SmallRelease:
    """The first ``records`` values of a bundled data set, or the construction of Proposition 11."""
    if data is SmallDataSet.PROPOSITION_11:
        halves = worst_case_data.releases(records)
        swap = OneSwap.of_halves(halves.inside, halves.statistics, SwapNoise.LAPLACE)
        return SmallRelease("1 / sum over a random half", halves, swap, worst_case_data.sensitivity(records))
    brightness = np.asarray(np.mean(shipped_images(DIGITS).images[:records], axis=1, dtype=float))
    return mean_of(brightness, "the mean brightness of a random half of the images, from 0 to 16")


def read(text: str) -> Floats:
    """The numbers in ``text``; raises ValuesError that says what is wrong, where, and what to do."""
    if len(text) > _LONGEST:
        raise ValuesError(f"The text has {len(text):,} characters.", f"Paste {RECORDS[0]} to {RECORDS[-1]} numbers.")
    _check_commas(text)
    words = [word for word in _BETWEEN.split(text) if word]
    values = np.array([_number(place, word) for place, word in enumerate(words, 1)])
    _check_count(len(values))
    if np.ptp(values) <= _RELATIVE_RANGE * np.max(np.abs(values)):
        raise ValuesError(
            "The values are all the same, or nearly so.",
            "Their mean gives nobody away; paste values that differ by more than a billionth.",
        )
    return values


def _check_commas(text: str) -> None:
    """Where other separators are used too, a comma between digits may be a decimal one."""
    parts = [part for part in _NO_COMMA.split(text) if part]
    for part in parts if len(parts) > 1 else ():
        if _COMMA_INSIDE.search(part):
            raise ValuesError(f"“{_short(part)}” may be one number or several.", f"{_POINT} A space after each comma.")


def _short(word: str) -> str:
    return word if len(word) <= 20 else f"{word[:20]}…"


def _number(place: int, word: str) -> float:
    try:
        value = float(word if "_" not in word else "no number")
    except ValueError:
        raise ValuesError(f"Value {place}, “{_short(word)}”, is not a number.", _POINT) from None
    if not abs(value) <= _LARGEST:
        raise ValuesError(f"Value {place} is {value:g}.", f"Use finite numbers up to {_LARGEST:g} in size.")
    return value


def _check_count(count: int) -> None:
    least, most = RECORDS[0], RECORDS[-1]
    if count < least:
        raise ValuesError(f"There are {count} values.", f"Paste at least {least}, at most {most}.")
    if count > most:
        raise ValuesError(f"There are {count} values.", f"Leave out {count - most}: all halves of {most} can be tried.")
    if count % 2:
        raise ValuesError(f"There are {count} values.", "Add or leave out one: an odd number has no halves.")
