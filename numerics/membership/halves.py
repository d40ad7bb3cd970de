"""Exact eta of a small release: every half of the data is enumerated (paper 002 Prop. 2)."""

from collections.abc import Callable
from itertools import combinations
from math import ceil, comb, lgamma
from typing import Annotated

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.special import expit, ndtr, ndtri

from numerics.lazy_property import lazy_property
from numerics.membership.advantage import PositiveEta
from numerics.membership.running_sums import running_sums
from numerics.trade_off import Floats
from numerics.validation import POSITIVE, Interval, NonNegative, Positive, PositiveCount, Probability, checked, value

LARGEST_POOL = 20
LARGEST_NUMBER = 200_000  # of subsets
_NEGLIGIBLE = 1e-13  # of the noise that is surely enough: what rounding leaves between equal statistics is less
_LOG_SCALE, _GAUSSIAN_LOG_SCALE = 1e-9, 1e-6  # to which the scale is searched
_STEP, _CELLS = 1.0 / 128, 1 << 17  # of the lattice for Gaussian noise, in its deviations; no more cells than that
_FARTHEST = 9.0  # deviations: beyond lies less than 1e-18
_CURVED = 4.0 * float(np.exp(-0.5) / np.sqrt(2.0 * np.pi))  # integral of the normal density's |second derivative|
_THIRD = 0.55059  # its largest third derivative
_TRANSFORMS = 1e-9  # more than their rounding


@checked
def subsets(records: PositiveCount, size: PositiveCount) -> NDArray[np.bool_]:
    """Membership (C(n, k), n) of n = ``records`` in each subset of k = ``size``, in the order of ``combinations``.

    Raises ValueError unless 0 < k < n and there are at most 200,000 of them.
    """
    Interval(1, records - 1).check("size", size)
    Interval(1, LARGEST_NUMBER).check("number of subsets", comb(records, size))
    chosen = np.array(list(combinations(range(records), size)))
    inside = np.zeros((len(chosen), records), dtype=bool)
    np.put_along_axis(inside, chosen, True, axis=1)
    return inside


@checked
def halves(records: int) -> NDArray[np.bool_]:
    """Those of half of the records.

    Raises ValueError unless n is an even number from 2 to 20.
    """
    if records % 2 or not 2 <= records <= LARGEST_POOL:
        raise ValueError(f"records must be an even number between 2 and {LARGEST_POOL}, got {records!r}.")
    return subsets(records, records // 2)


@value(eq=False)
class HalfReleases:
    """A real-valued statistic of every half of a data set, ascending.

    Attributes:
        statistics: (m,) ascending.
        inside: (m, n), which records each half holds.
    """

    statistics: Floats
    inside: NDArray[np.bool_]

    @classmethod
    def of(cls, data: Floats, statistic: Callable[[Floats], Floats]) -> "HalfReleases":
        """From ``data`` (n,), n even and at most 20; ``statistic`` maps halves (m, n/2) to numbers (m,)."""
        inside = halves(len(data))
        values = statistic(np.broadcast_to(data, inside.shape)[inside].reshape(len(inside), -1))
        order = np.argsort(values)
        return cls(np.asarray(values[order], dtype=float), inside[order])

    @property
    def mean(self) -> float:
        """E theta over a random half."""
        return float(np.mean(self.statistics))

    def spread(self, moment: Positive = 2.0) -> float:
        """M-th root of E |theta - E theta|^M."""
        deviation = np.abs(self.statistics - self.mean)
        largest = float(np.max(deviation))
        # Relative to the largest one: high powers of small numbers would vanish.
        return largest and largest * float(np.mean((deviation / largest) ** moment) ** (1.0 / moment))

    def etas(self, scale: Positive) -> Floats:
        """Eta of each record (n,) when Laplace noise of ``scale`` b is added: accuracy of the best attacker minus 1/2.

        Exact to rounding: between two neighbouring statistics the difference of the two mixture densities is
        A e^(x/b) + B e^(-x/b), which is integrated in closed form on both sides of its one possible zero.
        """
        # + for halves with the record, - for those without; each mixture weighs 1
        weights = np.where(self.inside, 2.0, -2.0) / len(self.inside)
        gaps = np.diff(self.statistics)[:, None] / scale
        # At each statistic the weights up to it, and from it on, each times e^-(distance).
        decays = np.append(0.0, np.exp(-gaps[:, 0])), np.append(0.0, np.exp(-gaps[::-1, 0]))
        left, right = running_sums(decays[0], weights), running_sums(decays[1], weights[::-1])[::-1]
        # Between two statistics: the integral of |low e^-u + high e^-(gap - u)| over u from 0 to the gap.
        low, high = left[:-1], right[1:]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            zero = 0.5 * (gaps + np.log(-low / high))  # NaN where both have the same sign: no zero
        # Clipped to the gap, a zero outside of it makes one part empty.
        zero = np.clip(np.where(np.isnan(zero), 0.0, zero), 0.0, gaps)
        head, tail = -np.expm1(-zero), -np.expm1(-(gaps - zero))
        first = low * head + high * np.exp(-(gaps - zero)) * head
        second = low * np.exp(-zero) * tail + high * tail
        between = np.sum(np.abs(first) + np.abs(second), axis=0)
        # density 1/2b and total variation 1/2, then eta = half of the total variation
        return (between + np.abs(right[0]) + np.abs(left[-1])) / 8.0

    def eta(self, scale: Positive) -> float:
        """Eta of the record that is found most easily."""
        return float(np.max(self.etas(scale)))

    def scale_for(self, eta: PositiveEta) -> float:
        """Least scale of Laplace noise at which ``eta(scale)`` is at most ``eta``, in (0, 1/2); 0 if none is needed.

        More Laplace noise is the same noise with further independent noise on top, so eta falls with the scale. Raises
        ValueError where that noise is too large for a number.
        """
        return self._least(self.eta, eta, float(-2.0 * np.log1p(-2.0 * eta)), _LOG_SCALE)

    def _least(self, largest: Callable[[float], float], eta: float, shift: float, close: float) -> float:
        """Least scale at which ``largest`` is at most ``eta``; ``shift``, in scales, is what has this eta."""
        farthest = float(self.statistics[-1] - self.statistics[0])
        enough = farthest / shift  # even if all who hold a record lay so far off
        if enough == 0.0:
            return 0.0
        POSITIVE.check("the noise that is enough", enough)
        little = enough
        while little > _NEGLIGIBLE * enough and largest(little) <= eta:
            little *= 0.25
        if little <= _NEGLIGIBLE * enough:
            return 0.0
        if little == enough:  # the bound is tight to rounding
            return enough
        # In powers of 2 of ``enough``: at both ends, which are whole, the scale is to the last digit what it was above.
        halvings = scipy.optimize.brentq(
            lambda x: largest(enough * 2.0**x) - eta, np.log2(little / enough), 0.0, xtol=close
        )
        return float(enough * 2.0**halvings)

    def gaussian_etas(self, deviation: Positive) -> tuple[Floats, Floats]:
        """Eta of each record (n,), at least and at most, when Gaussian noise of this standard ``deviation`` is added.

        Gaps that no noise bridges are shortened, and statistics go to the two nearest points of a lattice, their mean
        kept: the densities change by little. The difference d of the mixtures' densities is integrated cell by cell in
        closed form. Where d may have a zero within a cell of width h, its values there are at most h times its largest
        slope, so that the integral of |d| exceeds |integral of d| by at most h^2 times that; elsewhere they are equal.
        """
        gaps = np.minimum(np.diff(self.statistics) / deviation, 2.0 * _FARTHEST)
        statistics = np.append(0.0, np.cumsum(gaps))
        step = max(_STEP, float(statistics[-1]) / _CELLS)
        place = np.minimum((statistics / step).astype(np.intp), int(statistics[-1] / step))
        share = (statistics / step - place)[:, None]
        weights = np.where(self.inside, 2.0, -2.0) / len(self.inside)
        first = np.flatnonzero(np.diff(place, prepend=-1))
        sums = np.zeros((place[-1] + 2, weights.shape[1]))
        sums[place[first]] = np.add.reduceat(weights * (1.0 - share), first)
        sums[place[first] + 1] += np.add.reduceat(weights * share, first)
        at = step * np.arange(-ceil(_FARTHEST / step), ceil(_FARTHEST / step) + 1)
        density = np.exp(-0.5 * at**2) / np.sqrt(2.0 * np.pi)
        kernels = np.stack((ndtr(at + 0.5 * step) - ndtr(at - 0.5 * step), -at * density, (at**2 - 1.0) * density))
        points = len(sums) + len(at) - 1
        length = scipy.fft.next_fast_len(points, real=True)
        spectrum = scipy.fft.rfft(sums.T, length)  # once for all three
        mass, slope, bend = (
            scipy.fft.irfft(spectrum * one, length)[:, :points] for one in scipy.fft.rfft(kernels, length)
        )
        steepest = np.abs(slope) + 0.5 * step * np.abs(bend) + 0.25 * step**2 * _THIRD
        most = step**2 * steepest
        found, hidden = np.abs(mass).sum(axis=1), np.where(np.abs(mass) <= most, most, 0.0).sum(axis=1)
        moved = 0.125 * step**2 * _CURVED * 2.0 + _TRANSFORMS
        return np.maximum((found - moved) / 4.0, 0.0), np.minimum((found + hidden + moved) / 4.0, 0.5)

    def gaussian_scale_for(self, eta: PositiveEta) -> float:
        """Least standard deviation of Gaussian noise at which ``gaussian_etas`` says that no eta is above ``eta``.

        It is more than is needed by what the width of that bracket costs; 0 if none is needed. Raises as ``scale_for``.
        """
        shift = -2.0 * float(ndtri(0.5 - eta))
        return self._least(self.gaussian_eta, eta, shift, _GAUSSIAN_LOG_SCALE) * 2.0**_GAUSSIAN_LOG_SCALE

    def gaussian_eta(self, deviation: Positive) -> float:
        """Eta, at most, of the record that is found most easily under Gaussian noise."""
        return float(np.max(self.gaussian_etas(deviation)[1]))


# Releases with finitely many outputs, by enumeration: what eta-privacy does not promise (paper 002).
#
# ``one_subset`` is hardly more than guessing for an attacker and has no differential privacy at all (Theorems 5 and 7).
# ``two_halves_of_a_secret`` are two releases that tell nothing each, and everything together: membership privacy does
# not compose, which the paper leaves open (Sec. 5). Proof by counting, printed with each.


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
        return np.maximum(*self._joint).sum(axis=1) - max(self.share, 1.0 - self.share)

    @property
    def eta(self) -> float:
        """That of the record that is found most easily."""
        return float(np.max(self.etas))

    @property
    def posteriors(self) -> Floats:
        """Probability (n, o) that a record was drawn given each output; NaN for outputs that never come."""
        present, absent = self._joint
        with np.errstate(invalid="ignore"):
            return present / (present + absent)

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
