"""One record or one person: what a guarantee for a record says of a person with several, and who has how many.

``mechanism.records_per_person`` gives the person's own curve, which an attack reaches. The conversions here start from
the curve of one record; they hold, and promise less. That the same delta goes with so many times the epsilon is no
conversion: an attack reaches more.
"""

import numpy as np
import scipy

from numerics.mechanisms import Mechanism
from numerics.privacy_loss import Precision
from numerics.trade_off import SMALLEST_ALPHA, Bracket, Order
from numerics.validation import OpenProbability, PositiveCount, Probability, checked, value

_WIDTH = 1e-4  # of an epsilon of one record
_MOST = 1e4  # epsilon of one record that is looked at


@checked
def group_power(
    mechanism: Mechanism, alpha: Probability, order: Order = Order.ADD, precision: Precision | None = None
) -> Bracket:
    """Power against a person by group privacy: 1 - (1 - f)^k, f the curve of one record (Dong, Roth and Su 2022, 2.14).

    Data sets that differ by a person's k records are k records apart, so the power of one record is taken k times in
    turn. The bracket is that of the conversion's value: ``upper`` is a guarantee, ``lower`` no attack.
    """
    record = mechanism.with_records_per_person(1)
    found = Bracket.exact(alpha)
    for _ in range(mechanism.records_per_person):
        low, middle, high = (record.power(min(rate, 1.0), order, precision) for rate in found)
        found = Bracket.around(low.lower, middle.estimate, high.upper)
    return found


@checked
def group_epsilon(mechanism: Mechanism, delta: OpenProbability, precision: Precision | None = None) -> float:
    """Epsilon of a person by group privacy of (epsilon, delta), at its best; a guarantee.

    (e, d) for a record is (k e, d (e^{k e} - 1) / (e^e - 1)) for k of them (Vadhan 2017, Lemma 2.2): the least e is
    sought for whose d the sum is ``delta``. Infinite where none is found.
    """
    record, k = mechanism.with_records_per_person(1), mechanism.records_per_person

    def left(epsilon: float) -> float:
        """How much more than ``epsilon`` the record's epsilon is at the delta that is then left for it."""
        steps = np.log(np.sum(np.exp(epsilon * (np.arange(k) - (k - 1.0))))) + epsilon * (k - 1.0)
        own = float(np.exp(np.log(delta) - steps))
        return (record.epsilon(own, _WIDTH, precision).upper if own > 0.0 else record.pure_epsilon) - epsilon

    low = high = max(record.epsilon(delta, _WIDTH, precision).upper, _WIDTH)
    while left(high) > 0.0:
        low, high = high, 1.5 * high
        if high > _MOST:
            return float("inf")
    if high > low:
        high = float(scipy.optimize.brentq(left, low, high, xtol=_WIDTH)) + _WIDTH
        while left(high) > 0.0:  # the root lies a little beyond where the search ended
            high += _WIDTH
    return float(min(k * high, k * record.pure_epsilon))


@checked
def group_mu(
    mechanism: Mechanism, smallest_alpha: OpenProbability = SMALLEST_ALPHA, precision: Precision | None = None
) -> Bracket:
    """Mu of a person by group privacy: k times that of one record; exact without sampling."""
    found = mechanism.with_records_per_person(1).gaussian_mu(smallest_alpha, precision)
    return Bracket(*(mechanism.records_per_person * value for value in found))


@value
class PeopleByRecords:
    """How many ``people`` have how many ``records``, (n,) each.

    Every person has a guarantee: that of who has most records. What somebody with fewer faces is less, and the mean
    over people is nobody's guarantee.

    Raises ValueError unless both are equally many, one at least, and no number of records stands twice.
    """

    records: tuple[PositiveCount, ...]
    people: tuple[PositiveCount, ...]

    def __post_init__(self) -> None:
        if not self.records or len(self.records) != len(self.people):
            raise ValueError(f"records and people must be equally many, got {self.records!r} and {self.people!r}.")
        if len(set(self.records)) < len(self.records):
            raise ValueError(f"records must name every number once, got {self.records!r}.")

    @property
    def most(self) -> int:
        """The largest number of records that anybody has."""
        return max(self.records)

    def mean(self, values: tuple[Bracket, ...]) -> Bracket:
        """The mean over people of what those with so many records face, (n,)."""
        share = np.array(self.people) / sum(self.people)
        return Bracket.around(*(float(share @ side) for side in np.array(values).T))
