"""Data for which eta-privacy needs little noise and differential privacy very much (paper 002 Prop. 11, Fig. 1).

The statistic is 1 / sum. One half of the data has a tiny sum, so one replaced record can change the statistic by almost
C(n, n/2)^(1/2); as that half is one of very many, the spread over random halves stays near 1.
"""

from fractions import Fraction
from math import comb, sqrt

import numpy as np

from numerics.membership.halves import HalfReleases
from numerics.trade_off import Floats
from numerics.validation import checked

LARGEST_RECORDS = 60


@checked
def special_element(records: int) -> float:
    """C(n, n/2)^(-1/2) - (2^(n/2 - 1) - 1), n = ``records``; our copy's main text has ^(1/2) (correction 35)."""
    _check(records)
    tiny_sum = 1.0 / sqrt(comb(records, records // 2))
    return tiny_sum - float(2 ** (records // 2 - 1) - 1)


@checked
def worst_case_data(records: int) -> Floats:
    """1, 2, 4, ... 2^(n - 2) and the special element: (n,) for n = ``records``, even, 4 to 60."""
    return np.append(2.0 ** np.arange(records - 1), special_element(records))


@checked
def sensitivity(records: int) -> float:
    """Largest change of 1 / sum by one replaced record: C(n, n/2)^(1/2) - 1 / (2^(n-2) + 2^(n/2-1) - 1)."""
    _check(records)
    second = Fraction(1, 2 ** (records - 2) + 2 ** (records // 2 - 1) - 1)
    return sqrt(comb(records, records // 2)) - float(second)


@checked
def releases(records: int) -> HalfReleases:
    """1 / sum of every half; n = ``records`` at most 20."""

    def inverse_sum(members: Floats) -> Floats:
        return 1.0 / np.sum(members, axis=1)

    return HalfReleases.of(worst_case_data(records), inverse_sum)


def _check(records: int) -> None:
    if records % 2 or not 4 <= records <= LARGEST_RECORDS:
        raise ValueError(f"records must be an even number between 4 and {LARGEST_RECORDS}, got {records!r}.")
