"""The truncated Laplace mechanism: Laplace noise that never goes beyond A (Geng, Ding, Guo and Kumar 2020).

With b = 1 / epsilon (in units of a record's largest share) and A = b log(1 + (e^epsilon - 1) / (2 delta)) it is exactly
(epsilon, delta)-private for one record more or less: with probability delta the release lies where no other data set's
could. Noise that is renormalised to fixed ends, wherever the sum lies, is another mechanism: its factor depends on the
data, and the same scale does not suffice (Holohan, Antonatos, Braghin and Mac Aonghusa 2020). That is not offered.
"""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from numerics.lazy_property import lazy_property
from numerics.mechanisms.base import Parameter, SampledMechanism
from numerics.mechanisms.location import Folded, LocationTradeOff, ShiftTradeOff, TradeOffFormula
from numerics.mechanisms.noise import cells_between
from numerics.privacy_loss.bounds import Polyline
from numerics.privacy_loss.pairs import Atom, CellPmf, ComposedPairs, DominatingPair
from numerics.trade_off import CurvePoints, Floats
from numerics.validation import Interval, Positive, value

SMALLEST_DELTA, LARGEST_DELTA = 1e-12, 0.1
_NODES = 201


def _furthest(epsilon: float, delta: float) -> float:
    """A / b, by logs where e^epsilon overflows."""
    return float(np.logaddexp(0.0, epsilon + np.log(-np.expm1(-epsilon)) - np.log(2.0 * delta)))


def _upper(u: Floats, furthest: float) -> Floats:
    """Mass above ``u`` of Laplace noise of scale 1 that ends at ``furthest``."""
    distance = np.minimum(np.abs(u), furthest)
    right = np.exp(-distance) * np.expm1(distance - furthest) / (2.0 * np.expm1(-furthest))
    return np.where(u >= 0.0, right, 1.0 - right)


@dataclass(frozen=True)
class TruncatedLaplacePair(DominatingPair):
    """Noise centred at 1 against noise centred at 0, of scale ``scale`` and ending ``furthest`` scales away.

    Outcomes that only one of the two centres can have are atoms of infinite loss; all other losses are those of Laplace
    noise, constant beyond the two centres.
    """

    scale: float
    furthest: float

    is_symmetric = True
    words = "truncated Laplace noise"
    largest_loss = np.inf
    zcdp = np.inf

    @property
    def _end(self) -> float:
        """The largest value that noise centred at 0 has."""
        return self.furthest * self.scale

    @property
    def _top(self) -> float:
        """The largest finite loss."""
        return (2.0 * min(self._end, 1.0) - 1.0) / self.scale

    @property
    def atoms(self) -> tuple[Atom, ...]:
        overlapping = [0.0, 1.0] if self._end > 1.0 else []
        masses = self._masses(np.array([1.0 - self._end, *overlapping, self._end]))
        low = Atom(-self._top, float(masses.p[1]), float(masses.q[1]))
        high = Atom(self._top, float(masses.p[-2]), float(masses.q[-2]))
        between = (low, high) if overlapping else ()
        return Atom(-np.inf, 0.0, float(masses.q[0])), *between, Atom(np.inf, float(masses.p[-1]), 0.0)

    def renyi(self, order: int) -> float:
        """See DominatingPair: infinite, as some outcomes are impossible under one of the two laws."""
        return np.inf

    def loss_range(self, tail: float) -> tuple[float, float]:
        """See DominatingPair: that of the finite losses."""
        return -self._top, self._top

    def atom_cells(self, edges: Floats) -> tuple[int, ...]:
        x = self._position(edges)
        outer = [-np.inf, np.inf] if self._end <= 1.0 else [-np.inf, 0.0, self._end, np.inf]
        return tuple(np.searchsorted(x, outer).tolist())

    def cell_pmf(self, edges: Floats) -> CellPmf:
        return self._masses(self._position(edges))

    def scatter(self, tail: float) -> tuple[Floats, CellPmf]:
        """See DominatingPair; of the finite losses."""
        first, last = max(1.0 - self._end, 0.0), min(self._end, 1.0)
        x = np.linspace(first, last, _NODES)
        ends = np.concatenate(([1.0 - self._end], 0.5 * (x[1:] + x[:-1]), [self._end]))
        masses = self._masses(ends)
        if not np.any(masses.p[1:-1] * masses.q[1:-1]):  # all is certain, but for what underflows
            return np.array([-self._top, self._top]), CellPmf(np.array([0.0, 1.0]), np.array([1.0, 0.0]))
        return (2.0 * x - 1.0) / self.scale, CellPmf(masses.p[1:-1], masses.q[1:-1])

    def _position(self, loss: Floats) -> Floats:
        """The largest x whose loss is at most ``loss``; the slack keeps an edge at an atom from losing it."""
        slack = 1e-12 / self.scale
        inside = 0.5 * (self.scale * np.clip(loss, -self._top, self._top) + 1.0)
        return np.where(
            loss >= self._top - slack, self._end, np.where(loss < -self._top - slack, 1.0 - self._end, inside)
        )

    def _masses(self, x: Floats) -> CellPmf:
        p, q = (cells_between(lambda u: _upper(u, self.furthest), (x - centre) / self.scale) for centre in (1.0, 0.0))
        return CellPmf(p, q)


# Whoever does not know the side of the shift, and sees u scales from the centre, has half of each side's density. Noise
# around the centre ends at F. From the largest ratio down: beyond F the record is given away; then up to F - mu both
# sides count, with the ratio cosh mu beyond mu and (e^(2u - mu) + e^-mu) / 2 before it; between F - mu and F only the
# nearer one, with e^mu / 2, which lies among the former from u* = log(e^(2 mu) - 1) / 2 on.


@value
class FoldedTruncatedLaplace(Folded):
    """One release in one dimension, its ends at least two shifts from the centre: chords, but for two smooth parts."""

    furthest: Positive

    def errors(self, alpha: Floats, rest: Floats) -> CurvePoints:
        _, beta, power = self._line.at(alpha)
        for first, last, u_first, u_last in self._smooth:
            line = self._line
            inside = (alpha > line.alpha[first]) & (rest > line.rest[last])
            u = -np.log(np.exp(-u_last) - self._whole * (rest[inside] - line.rest[last]))
            beta[inside] = line.beta[last] + self._shifted(u_last, u)
            power[inside] = line.power[first] + self._shifted(u, np.array(u_first))
        return CurvePoints(alpha, beta, power)

    def inverse(self, alpha: Floats, rest: Floats) -> CurvePoints:
        _, beta, power = self._line.mirrored.at(alpha)
        for first, last, u_first, u_last in self._smooth:
            line = self._line
            inside = (rest > line.power[first]) & (alpha > line.beta[last])
            excess = self._whole * np.exp(self.mu) * (alpha[inside] - line.beta[last])
            u = np.arcsinh(np.sinh(u_last) + excess)
            beta[inside] = line.alpha[first] + (np.exp(-u) - np.exp(-u_first)) / self._whole
            power[inside] = line.rest[last] + (np.exp(-u_last) - np.exp(-u)) / self._whole
        return CurvePoints(alpha, beta, power)

    @property
    def _whole(self) -> float:
        """Twice the mass of one side where the density is e^-u / 2."""
        return -float(np.expm1(-self.furthest))

    @property
    def _turn(self) -> float:
        """The u below which the ratio is less than that between F - mu and F; 0 where it nowhere is."""
        return 0.5 * float(np.log(max(np.expm1(2.0 * self.mu), 1.0)))

    @property
    def _smooth(self) -> tuple[tuple[int, int, float, float], ...]:
        """First and last corner of the smooth parts, and their u."""
        return (2, 3, self.mu, self._turn), (4, 5, self._turn, 0.0)

    def _shifted(self, low: float, high: Floats) -> Floats:
        """Mass with the record where u lies between ``low`` and ``high``, both below mu."""
        return np.exp(-self.mu) * (np.sinh(high) - np.sinh(low)) / self._whole

    @lazy_property
    def _line(self) -> Polyline:
        """The curve with chords for its smooth parts."""
        mu, turn, edge = self.mu, self._turn, self.furthest - self.mu
        ends = np.array([[mu, edge], [turn, mu], [edge, self.furthest], [0.0, turn]])
        absent = (np.exp(-ends[:, 0]) - np.exp(-ends[:, 1])) / self._whole
        within = [float(self._shifted(low, np.array(high))) for low, high in ((turn, mu), (0.0, turn))]
        present = [np.cosh(mu) * absent[0], within[0], 0.5 * np.exp(mu) * absent[2], within[1]]
        certain = float(_upper(np.array(edge), self.furthest))
        return Polyline.of(np.array([certain, *present])[::-1], np.array([0.0, *absent])[::-1])


@value
class TruncatedLaplaceShift(ShiftTradeOff):
    """The test of truncated Laplace noise of scale 1 that ends at ``furthest`` against its shift by ``mu``."""

    furthest: Positive

    formula = TradeOffFormula(
        r"f(\alpha) = F\bigl(F^{-1}(1 - \alpha) - \mu\bigr), \quad 1 - f(\alpha) = \delta + e^{\varepsilon}\alpha "
        r"\text{ for small } \alpha, \quad A = b \log\bigl(1 + \tfrac{e^{\varepsilon} - 1}{2\delta}\bigr)",
        "Truncated Laplace noise with distribution function F: with probability δ the release gives the record away.",
        "Geng, Ding, Guo and Kumar 2020; Neyman-Pearson",
    )
    folded_formula: ClassVar[TradeOffFormula | None] = TradeOffFormula(
        r"\frac{\tfrac12 (k_{\mu} + k_{-\mu})}{k_0}(u) = \begin{cases} \tfrac12 (e^{2u - \mu} + e^{-\mu}) & u < \mu \\ "
        r"\cosh\mu & \mu \le u < A - \mu \\ \tfrac12 e^{\mu} & A - \mu \le u < A \\ \infty & u \ge A \end{cases}",
        "RTM, one release of Laplace noise that ends at A, in scales: u is the distance from the centre, as the side "
        "is unknown; the largest ratios are accused. Near the ends only one of the two sides is left. It is minimax "
        "over the side and no guarantee against an attacker who guesses it.",
        "paper 000's question; Neyman-Pearson against the even mixture of both sides",
    )

    def upper_tail(self, u: Floats) -> Floats:
        return _upper(u, self.furthest)

    def quantile(self, alpha: Floats) -> Floats:
        small = np.minimum(alpha, 1.0 - alpha)
        with np.errstate(divide="ignore"):
            distance = -np.log(-2.0 * np.expm1(-self.furthest) * small + np.exp(-self.furthest))
        return np.sign(0.5 - alpha) * np.clip(distance, 0.0, self.furthest)

    def folded(self, dimension: int) -> Folded | None:
        """See LocationTradeOff; None where the ends are so near that nearly all is given away."""
        return FoldedTruncatedLaplace(self.mu, self.furthest) if self.furthest >= 2.0 * self.mu else None

    def delta(self, epsilon: float) -> float:
        """The certain part, and what the losses between epsilon and mu add."""
        certain = float(_upper(np.array(self.furthest - self.mu), self.furthest))
        if self.furthest < self.mu:
            threshold = min(0.5 * (self.mu + epsilon), self.furthest)
            alpha, power = (float(_upper(np.array(u), self.furthest)) for u in (threshold, threshold - self.mu))
            return power - (float(np.exp(epsilon + np.log(alpha))) if alpha > 0.0 else 0.0)
        half = max(0.5 * (self.mu - epsilon), 0.0)
        flat = np.expm1(-2.0 * half) * np.expm1(self.mu - self.furthest)
        return certain + float((np.expm1(-half) ** 2 + flat) / (-2.0 * np.expm1(-self.furthest)))

    def area(self) -> float:
        """1 less the integral of beta, piece by piece: the middle one is a hyperbola, the outer ones mirror images."""
        whole, end = -2.0 * float(np.expm1(-self.furthest)), float(np.exp(-self.furthest))
        if self.furthest < self.mu:
            last = float(_upper(np.array(self.mu - self.furthest), self.furthest))
            return 1.0 - float(np.exp(-self.mu)) * (2.0 * self.furthest - self.mu) / whole**2 + end * last / whole
        certain, first = (float(_upper(np.array(u), self.furthest)) for u in (self.furthest - self.mu, self.mu))
        below = float(np.exp(-self.mu)) * self.mu / whole**2 - end * (0.5 - first) / whole
        below += 0.5 * first * (1.5 - certain)  # beta falls from 1 - delta to 1/2 along a chord
        below += 0.5 * float(np.exp(-self.mu)) * (0.5 - certain) ** 2
        return 1.0 - below


@value
class TruncatedLaplace(SampledMechanism):
    """Truncated Laplace mechanism on one number; ``noise_multiplier`` is b = 1/epsilon, as of Laplace noise."""

    truncation_delta: Annotated[float, Interval(SMALLEST_DELTA, LARGEST_DELTA)] = 1e-6

    name: ClassVar[str] = "Truncated Laplace"
    scale_name: ClassVar[str] = "scale 1/epsilon"
    scale_sentence: ClassVar[str] = (
        "Each record adds one number of size at most 1 sensitivity unit, and the noise has ends: with the truncation "
        "delta a release gives the record away for certain. Noise that is renormalised to fixed ends, wherever the sum "
        "is, is another mechanism and not offered: its factor depends on the data, so the same scale is not enough. A "
        "release that is clamped afterwards keeps the guarantee of its noise."
    )
    is_epsilon: ClassVar[bool] = True
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter(
            "truncation_delta",
            "Truncation δ",
            "The probability with which one release gives a record away for certain, as the noise never goes further "
            "than its ends. The smaller, the further apart they are.",
            SMALLEST_DELTA,
            LARGEST_DELTA,
        ),
    )
    is_sampled: ClassVar[bool] = False
    limits: ClassVar[str] = "What a sample of the records changes about certain exposure is not computed here."

    @property
    def _furthest(self) -> float:
        return _furthest(1.0 / self.noise_multiplier, self.truncation_delta)

    def shift(self, distance: Positive) -> LocationTradeOff:
        return TruncatedLaplaceShift(distance / self.noise_multiplier, self._furthest)

    @property
    def pairs(self) -> ComposedPairs:
        return ((TruncatedLaplacePair(self.noise_multiplier / self.reach, self._furthest), self.steps),)
