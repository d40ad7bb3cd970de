"""Releases with finitely many outputs, by enumeration: what eta-privacy does not promise (paper 002).

``one_subset`` is hardly more than guessing for an attacker and has no differential privacy at all (Theorems 5 and 7).
``two_halves_of_a_secret`` are two releases that tell nothing each, and everything together: membership privacy does not
compose, which the paper leaves open (Sec. 5). Proof by counting, printed with each.
"""

from math import lgamma
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from numerics.lazy_property import lazy_property
from numerics.membership.halves import subsets
from numerics.trade_off import Floats
from numerics.validation import Interval, NonNegative, PositiveCount, Probability, checked, value

_ROUNDING = 1e-9


@value(eq=False)
class FiniteRelease:
    """A randomised algorithm on all equally likely subsets of k of n records.

    Attributes:
        inside: (m, n), which records each subset holds; see ``subsets``.
        chances: (m, o), the probability of each output from each subset.

    Raises ValueError unless the rows of ``chances`` add up to 1 and each record is in some subset and not in all.
    """

    inside: NDArray[np.bool_]
    chances: Floats

    def __post_init__(self) -> None:
        if self.inside.ndim != 2 or self.chances.ndim != 2 or len(self.inside) != len(self.chances):
            raise ValueError(f"chances must have a row a subset, got shapes {self.inside.shape}, {self.chances.shape}.")
        if not np.all(self.chances >= 0.0) or not np.allclose(self.chances.sum(axis=1), 1.0, rtol=0.0, atol=_ROUNDING):
            raise ValueError("chances must be probabilities that add up to 1 in each row.")
        if self.inside.all(axis=0).any() or not self.inside.any(axis=0).all():
            raise ValueError("inside must have every record in some subset and not in all.")

    @property
    def share(self) -> float:
        """The probability k/n that a record is drawn."""
        return float(self.inside[0].mean())

    @lazy_property
    def _joint(self) -> tuple[Floats, Floats]:
        """Probability (n, o) of each output together with a record that is in, and with one that is out."""
        weight = self.chances / len(self.chances)
        return self.inside.T @ weight, (~self.inside).T @ weight

    @property
    def etas(self) -> Floats:
        """Accuracy of the best attacker on each record (n,) above that of the better constant answer (Prop. 2)."""
        return np.asarray(np.maximum(*self._joint).sum(axis=1) - max(self.share, 1.0 - self.share))

    @property
    def eta(self) -> float:
        """That of the record that is found most easily."""
        return float(np.max(self.etas))

    @property
    def posteriors(self) -> Floats:
        """Probability (n, o) that a record was drawn given each output; NaN for outputs that never come."""
        present, absent = self._joint
        with np.errstate(invalid="ignore"):
            return np.asarray(present / (present + absent))

    def then(self, other: "FiniteRelease") -> "FiniteRelease":
        """Both releases of one draw, with independent coins. Raises ValueError for other subsets."""
        if not np.array_equal(self.inside, other.inside):
            raise ValueError("other must be a release of the same subsets.")
        both = self.chances[:, :, None] * other.chances[:, None, :]
        return FiniteRelease(self.inside, both.reshape(len(both), -1))


def _of_labels(inside: NDArray[np.bool_], labels: NDArray[np.integer]) -> FiniteRelease:
    """A release without coins: the label of the subset."""
    return FiniteRelease(inside, np.eye(int(labels.max()) + 1)[labels])


@checked
def one_subset(records: PositiveCount, size: PositiveCount) -> FiniteRelease:
    """Says whether one subset was drawn (paper 002 Theorems 5 and 7): the first ``size`` of ``records``.

    Its trade-off function between that subset and a neighbour is 0: no f-DP, RDP, CDP or tCDP. Eta falls as
    ``one_subset_eta``; whoever was in that subset is found for certain when it comes.
    """
    inside = subsets(records, size)
    return _of_labels(inside, (np.arange(len(inside)) == 0).astype(np.int64))


@checked
def one_subset_eta(records: Annotated[int, Interval(2, 1_000_000)]) -> float:
    """Eta of ``one_subset`` of half of an even number of ``records``: 1 / C(n, n/2).

    Of the accusing output's probability 1 / C(n, n/2) all comes with the members in and the others out, and the other
    output then tells exactly as much. Raises ValueError for an odd number.
    """
    if records % 2:
        raise ValueError(f"records must be even, got {records!r}.")
    return float(np.exp(2.0 * lgamma(0.5 * records + 1.0) - lgamma(records + 1.0)))


# Ten triples of six records: every record is in five of them and every pair in two; the complements are the other ten.
_DESIGN = ["012", "013", "024", "035", "045", "125", "134", "145", "234", "235"]


@checked
def two_halves_of_a_secret() -> tuple[FiniteRelease, FiniteRelease]:
    """Two releases about three of six records, each with eta = 0, that together name all three.

    The first says which of the ten pairs of complementary triples was drawn: of either triple of a pair a record is in
    exactly one. The second says whether the triple is in a design of ten that holds every record five times, as its
    complement does. A design that holds one triple of each pair tells the two apart, so that both together are the
    triple itself.
    """
    inside = subsets(6, 3)
    in_design = np.array(["".join(map(str, np.flatnonzero(row))) in _DESIGN for row in inside])
    # the order of combinations mirrors complements
    pair = np.minimum(np.arange(len(inside)), len(inside) - 1 - np.arange(len(inside)))
    return _of_labels(inside, pair), _of_labels(inside, in_design.astype(np.int64))


@checked
def tightest(epsilon: NonNegative, delta: Probability) -> FiniteRelease:
    """The release of one of two records at which paper 002 Theorem 4 is an equality.

    It is (``epsilon``, ``delta``)-DP for the replaced record.
    """
    likely, unlikely = (1.0 - delta) * float(expit(epsilon)), (1.0 - delta) * float(expit(-epsilon))
    return FiniteRelease(subsets(2, 1), np.array([[delta, 0.0, likely, unlikely], [0.0, delta, unlikely, likely]]))
