"""My limit: the risk that a visitor accepts, set once in the sidebar and valid on every page.

It is a point: at most so many members found while so many outsiders are falsely accused. A page that works at another
rate, or with a guess that is right so often beforehand, reads it through the Gaussian trade-off curve of that point:
a convention, which rises with both rates and comes back. A point says little elsewhere by itself.
"""

from dataclasses import dataclass
from math import erfc, floor, sqrt
from statistics import NormalDist

from pages.ui.numbers_in_words import CROWD, floor_digits

_Z = NormalDist().inv_cdf
_DIGITS, _MANY = 3, 100.0  # of a limit on fewer people
_WHOLE = 1e-9  # of a count: below it a difference is rounding


@dataclass(frozen=True)
class Limit:
    """At most the share ``found`` of members is found while the share ``alpha`` of outsiders is falsely accused."""

    found: float
    alpha: float

    @property
    def is_out_of_reach(self) -> bool:
        """Whether it allows no more than guessing: no noise can keep it."""
        return self.found <= self.alpha

    def at(self, alpha: float) -> float:
        """The same limit where ``alpha`` are accused, or guessed right beforehand: the share found, unrounded.

        >>> round(1e4 * Limit(20e-4, 10e-4).at(100e-4), 6)
        172.457947
        """
        if alpha == self.alpha or self.found >= 1.0:
            return self.found
        return 0.5 * erfc(-(_Z(alpha) + _Z(self.found) - _Z(self.alpha)) / sqrt(2.0))


def people(share: float) -> float:
    """So many of 10,000, rounded down as a limit is said: whole people, or three digits of few.

    >>> people(0.01724579), people(0.00200001), people(1e-7 / 3)
    (172.0, 20.0, 0.000333)
    """
    count = share * CROWD * (1.0 + _WHOLE)
    return float(floor(count)) if count >= _MANY else floor_digits(count, _DIGITS)
