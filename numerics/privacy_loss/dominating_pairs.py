"""Dominating pairs of one sampled step: the two laws between which the attacker has to decide.

With the noise K_m centred at m (in units of the sensitivity) and the record included with probability p,

* add/remove: P = (1-p) K_0 + p K_1 (record present) against Q = K_0 (record absent);
* replace-one: P = (1-p) K_0 + p K_1 against Q = (1-p) K_0 + p K_-1 (two records that pull in opposite directions).

Both dominate every pair of neighbouring data sets: among all regions S with K_0(S) = m, the half line in the record's
direction gives K_1 its largest and K_-1 its smallest value (Neyman-Pearson), so it maximises
P(S) - gamma Q(S) = (1-p)(1-gamma) m + p K_1(S) - gamma p K_-1(S) for every gamma, and likewise without the last term.
The privacy loss is the log-likelihood ratio log dP/dQ at the released value x; it never decreases in x.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from scipy.special import ndtr, ndtri

from numerics.trade_off import Floats

# Beyond this exponent sinh and exp are replaced by their leading term; the relative error is below 1e-17.
_LARGE_EXPONENT = 20.0
_FURTHEST = 12.0  # noise scales that a quadrature reaches from a centre


class CellMasses(NamedTuple):
    """Probability of each cell of the privacy loss under P and under Q, both (n,)."""

    p: Floats
    q: Floats


class Atom(NamedTuple):
    """A single loss that both hypotheses give positive mass."""

    loss: float
    p: float
    q: float


class Noise(Protocol):
    """Additive noise with unit sensitivity."""

    @property
    def scale(self) -> float:
        """Standard deviation or scale parameter, in units of the sensitivity."""
        ...

    @property
    def flat_beyond(self) -> float:
        """Distance from every centre beyond which the loss no longer changes; infinite if it always does."""
        ...

    def cells(self, edges: Floats, centre: float) -> Floats:
        """Mass (n+1,) of the n+1 cells that the ascending ``edges`` (n,) cut, for noise centred at ``centre``."""
        ...

    def reach(self, tail: float) -> float:
        """Distance from the centre beyond which less than ``tail`` of the mass lies on either side."""
        ...

    def shift_loss(self, x: Floats) -> Floats:
        """Log-likelihood ratio log dK_1/dK_0 at ``x``."""
        ...

    def shift_position(self, loss: Floats) -> Floats:
        """The largest x with ``shift_loss(x) <= loss`` (-inf or inf outside the range)."""
        ...

    def opposed_position(self, loss: Floats, rate: float) -> Floats:
        """The largest x whose replace-one loss is at most ``loss``."""
        ...


def _cells(lower_tail: Callable[[Floats], Floats], upper_tail: Callable[[Floats], Floats], u: Floats) -> Floats:
    """Cell masses from whichever tail is smaller, so that no cell loses digits to 1 - x."""
    middle = int(np.searchsorted(u, 0.0))
    below, above = lower_tail(u[:middle]), upper_tail(u[middle:])
    masses = np.empty(len(u) + 1)
    masses[1:middle] = np.diff(below)
    masses[middle + 1 : -1] = -np.diff(above)
    masses[0] = below[0] if middle > 0 else 1.0 - above[0]
    masses[-1] = above[-1] if middle < len(u) else 1.0 - below[-1]
    if 0 < middle < len(u):
        masses[middle] = 1.0 - below[-1] - above[0]
    return masses


def _sampled_loss(ratio: Floats, rate: float) -> Floats:
    """Log of 1 - p + p e^ratio; near its floor log(1-p) a sum of logs keeps the digits that 1 - p would lose."""
    if rate == 1.0:
        return ratio
    far = np.logaddexp(np.log1p(-rate), np.log(rate) + ratio)
    near = np.log1p(rate * np.expm1(np.clip(ratio, -1.0, _LARGE_EXPONENT)))
    return np.where((ratio < -1.0) | (ratio > _LARGE_EXPONENT), far, near)


def _unsampled_loss(loss: Floats, rate: float) -> Floats:
    """The log dK_1/dK_0 at which the sampled loss equals ``loss``; -inf below its floor log(1-p)."""
    if rate == 1.0:
        return loss
    with np.errstate(divide="ignore"):
        near = np.log1p(np.maximum(np.expm1(np.minimum(loss, _LARGE_EXPONENT)) / rate, -1.0))
        far = loss - np.log(rate) + np.log1p(-(1.0 - rate) * np.exp(-np.maximum(loss, 1.0)))
    return np.where(loss > _LARGE_EXPONENT, far, near)


@dataclass(frozen=True)
class GaussianNoise:
    """Normal noise of standard deviation ``scale``, in units of the L2 sensitivity."""

    scale: float
    flat_beyond: float = np.inf

    def cells(self, edges: Floats, centre: float) -> Floats:
        """See Noise."""
        return _cells(ndtr, lambda u: np.asarray(ndtr(-u)), (edges - centre) / self.scale)

    def reach(self, tail: float) -> float:
        """See Noise."""
        return float(-ndtri(tail) * self.scale)

    def shift_loss(self, x: Floats) -> Floats:
        """See Noise: (2x - 1) / (2 s^2)."""
        return (x - 0.5) / self.scale**2

    def shift_position(self, loss: Floats) -> Floats:
        """See Noise."""
        return loss * self.scale**2 + 0.5

    def opposed_position(self, loss: Floats, rate: float) -> Floats:
        """Solve (1-p + p e^-c y) = e^loss (1-p + p e^-c / y) for y = e^{x/s^2}, with c = 1/(2 s^2).

        y = e^{loss/2} v with v - 1/v = 2w and w = (1-p)/p sinh(loss/2) e^c, hence x = s^2 (loss/2 + asinh w).
        """
        if rate == 1.0:
            return 0.5 * self.scale**2 * loss
        log_w = np.log1p(-rate) - np.log(rate) + 0.5 / self.scale**2 + _log_sinh(0.5 * np.abs(loss))
        small = np.arcsinh(np.exp(np.minimum(log_w, _LARGE_EXPONENT)))
        asinh_w = np.where(log_w > _LARGE_EXPONENT, log_w + np.log(2.0), small)
        return np.asarray(self.scale**2 * (0.5 * loss + np.sign(loss) * asinh_w))


def _log_sinh(x: Floats) -> Floats:
    """Log sinh of non-negative ``x`` without overflow; -inf at 0."""
    with np.errstate(divide="ignore"):
        return np.asarray(x + np.log(-np.expm1(-2.0 * x)) - np.log(2.0))


@dataclass(frozen=True)
class LaplaceNoise:
    """Laplace noise of scale b = ``scale``, in units of the L1 sensitivity. The loss has an atom at either end."""

    scale: float
    flat_beyond: float = 0.0

    def cells(self, edges: Floats, centre: float) -> Floats:
        """See Noise."""
        return _cells(lambda u: 0.5 * np.exp(u), lambda u: 0.5 * np.exp(-u), (edges - centre) / self.scale)

    def reach(self, tail: float) -> float:
        """The loss is constant beyond the two centres, so nothing further out is ever needed."""
        return 1.0

    def shift_loss(self, x: Floats) -> Floats:
        """See Noise: (|x| - |x - 1|) / b."""
        return np.clip(2.0 * x - 1.0, -1.0, 1.0) / self.scale

    def shift_position(self, loss: Floats) -> Floats:
        """See Noise. A loss at or above 1/b holds the whole upper atom, one below -1/b nothing."""
        inside = 0.5 * (self.scale * np.clip(loss, -1.0 / self.scale, 1.0 / self.scale) + 1.0)
        # The atoms sit at the ends; the slack keeps an edge that equals an end from losing its atom to rounding.
        slack = 1e-12 / self.scale
        above = np.where(loss >= 1.0 / self.scale - slack, np.inf, inside)
        return np.where(loss < -1.0 / self.scale - slack, -np.inf, above)

    def opposed_position(self, loss: Floats, rate: float) -> Floats:
        """For x in [0, 1] the replaced record is already at its end, so the loss is the add/remove one, shifted.

        loss = log(1-p + p e^{(2x-1)/b}) - log(1-p + p e^{-1/b}); odd in x.
        """
        floor, ceiling = _sampled_loss(np.array([-1.0, 1.0]) / self.scale, rate)
        position = np.clip(0.5 * (self.scale * _unsampled_loss(np.abs(loss) + floor, rate) + 1.0), 0.0, 1.0)
        top = ceiling - floor
        slack = 1e-12 * top
        above = np.where(loss >= top - slack, np.inf, np.sign(loss) * position)
        return np.where(loss < -top - slack, -np.inf, above)


@dataclass(frozen=True)
class SampledPair:
    """P and Q of one step in which the record takes part with probability ``rate``.

    Attributes:
        noise: the additive noise.
        rate: Poisson sampling rate p in (0, 1].
        replace_one: compare two opposite records instead of presence with absence.
    """

    noise: Noise
    rate: float
    replace_one: bool = False

    def loss(self, x: Floats) -> Floats:
        """Privacy loss log dP/dQ at the released values ``x`` (n,)."""
        present = _sampled_loss(self.noise.shift_loss(x), self.rate)
        return present - _sampled_loss(self.noise.shift_loss(-x), self.rate) if self.replace_one else present

    def loss_range(self, tail: float) -> tuple[float, float]:
        """Smallest and largest loss, up to less than ``tail`` mass beyond either end under P and under Q."""
        reach = self.noise.reach(tail) + 1.0
        low, high = self.loss(np.array([-reach, reach]))
        return float(low), float(high)

    def position(self, loss: Floats) -> Floats:
        """The largest x whose privacy loss is at most ``loss`` (n,)."""
        if self.replace_one:
            return self.noise.opposed_position(loss, self.rate)
        return self.noise.shift_position(_unsampled_loss(loss, self.rate))

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """Atoms of the loss, below and above the outermost centres."""
        if np.isinf(self.noise.flat_beyond):
            return ()
        ends = np.array([-1.0 if self.replace_one else 0.0, 1.0])
        masses, losses = self._mix(ends), self.loss(ends)
        return tuple(Atom(float(losses[i]), float(masses.p[k]), float(masses.q[k])) for i, k in ((0, 0), (1, -1)))

    def atom_cells(self, edges: Floats) -> tuple[int, ...]:
        """Indices of the loss cells (see ``cell_masses``) that hold the atoms.

        By position, as the masses are: an edge that equals an atom's loss up to rounding falls on the same side.
        """
        if not self.atoms:
            return ()
        x = self.position(edges)
        return int(np.searchsorted(x, -np.inf, side="right")), int(np.searchsorted(x, np.inf))

    @property
    def largest_loss(self) -> float:
        """Largest absolute loss: the pure epsilon of one step; infinite without atoms."""
        return max((abs(atom.loss) for atom in self.atoms), default=np.inf)

    def cell_masses(self, edges: Floats) -> CellMasses:
        """Mass of the n+1 loss cells (.., e_0], (e_0, e_1], ..., (e_n-1, ..) under P and Q."""
        return self._mix(self.position(edges))

    def scatter(self, tail: float) -> tuple[Floats, CellMasses]:
        """A quadrature in x, dense around every centre: losses (n,) and the masses of the cells around them.

        Reaches as far as less than ``tail`` mass lies beyond.
        """
        reach = min(self.noise.reach(tail) / self.noise.scale, _FURTHEST)
        around = self.noise.scale * np.linspace(-reach, reach, 121)
        centres = (-1.0, 0.0, 1.0) if self.replace_one else (0.0, 1.0)
        x = np.unique(np.concatenate([np.linspace(-1.0, 1.0, 81), *(centre + around for centre in centres)]))
        return self.loss(x), self._mix(0.5 * (x[1:] + x[:-1]))

    def _mix(self, x: Floats) -> CellMasses:
        absent, present = self.noise.cells(x, 0.0), self.noise.cells(x, 1.0)
        p = (1.0 - self.rate) * absent + self.rate * present
        if not self.replace_one:
            return CellMasses(p, absent)
        return CellMasses(p, (1.0 - self.rate) * absent + self.rate * self.noise.cells(x, -1.0))
