"""The dominating pair of a step whose laws are mixtures of one noise around several centres."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from numerics.lazy_property import lazy_property
from numerics.mechanisms.noise import Noise
from numerics.privacy_loss.pairs import Atom, CellPmf, DominatingPair, zcdp_of_range
from numerics.trade_off import Floats

_FURTHEST = 12.0  # noise scales that a quadrature reaches from a centre


@dataclass(frozen=True)
class MixturePair(DominatingPair, ABC):
    """Laws P and Q of one released number whose loss log dP/dQ never falls in it.

    Attributes:
        noise: the additive noise.
        rate: Poisson sampling rate p in (0, 1].
        replace_one: compare two opposite contributions instead of presence with absence.
    """

    noise: Noise
    rate: float
    replace_one: bool = False

    @property
    def is_symmetric(self) -> bool:
        """See DominatingPair: the noise is its own mirror image; so are its laws about the middle of their centres."""
        return self.replace_one or self.rate == 1.0

    @property
    def inclusion_probability(self) -> float:
        return self.rate

    @property
    def is_absence(self) -> bool:
        """See DominatingPair: of a record that is replaced Q is a mixture as well."""
        return not self.replace_one

    @property
    @abstractmethod
    def furthest(self) -> int:
        """The centre that lies furthest from 0."""

    @abstractmethod
    def loss(self, x: Floats) -> Floats:
        """Privacy loss log dP/dQ at the released values ``x`` (n,)."""

    @abstractmethod
    def position(self, loss: Floats) -> Floats:
        """The largest x whose privacy loss is at most ``loss`` (n,)."""

    @abstractmethod
    def _mix(self, x: Floats) -> CellPmf:
        """Masses of the cells between the ascending ``x`` (n,), (n + 1,)."""

    def loss_range(self, tail: float) -> tuple[float, float]:
        """Smallest and largest loss, up to less than ``tail`` mass beyond either end under P and under Q."""
        reach = self.noise.reach(tail) + self.furthest
        low, high = self.loss(np.array([-reach, reach]))
        return float(low), float(high)

    @lazy_property
    def atoms(self) -> tuple[Atom, ...]:
        """Atoms of the loss: all outcomes where they are few, else those below and above the outermost centres."""
        outcomes = self.noise.outcomes(self.furthest)
        if outcomes is not None:
            masses = self._mix(0.5 * (outcomes[1:] + outcomes[:-1]))
            return tuple(map(Atom, self.loss(outcomes).tolist(), masses.p.tolist(), masses.q.tolist()))
        if np.isinf(self.noise.flat_beyond):
            return ()
        top = float(self.furthest)
        ends = np.array([-top if self.replace_one else 0.0, top])
        masses, losses = self._mix(ends), self.loss(ends)
        return tuple(Atom(float(losses[i]), float(masses.p[k]), float(masses.q[k])) for i, k in ((0, 0), (1, -1)))

    def atom_cells(self, edges: Floats) -> tuple[int, ...]:
        """Indices of the loss cells (see ``cell_pmf``) that hold the atoms.

        By position, as the masses are: an edge that equals an atom's loss up to rounding falls on the same side.
        """
        if not self.atoms:
            return ()
        x, outcomes = self.position(edges), self.noise.outcomes(self.furthest)
        if outcomes is not None:
            return tuple(np.searchsorted(x, outcomes).tolist())
        return int(np.searchsorted(x, -np.inf, side="right")), int(np.searchsorted(x, np.inf))

    @property
    def largest_loss(self) -> float:
        """Largest absolute loss: the pure epsilon of one step, from the loss at either end of the line.

        Infinite where the noise does not say what its loss tends to.
        """
        with np.errstate(invalid="ignore", over="ignore"):
            ends = np.abs(self.loss(np.array([-np.inf, np.inf])))
        return float(np.nan_to_num(np.max(ends), nan=np.inf, posinf=np.inf))

    @property
    def zcdp(self) -> float | None:
        with np.errstate(invalid="ignore", over="ignore"):
            low, high = self.loss(np.array([-np.inf, np.inf]))
        return zcdp_of_range(float(high - low))

    def cell_pmf(self, edges: Floats) -> CellPmf:
        """Mass of the n+1 loss cells (.., e_0], (e_0, e_1], ..., (e_n-1, ..) under P and Q."""
        return self._mix(self.position(edges))

    def scatter(self, tail: float) -> tuple[Floats, CellPmf]:
        """A quadrature in x, dense around every centre: losses (n,) and the masses of the cells around them.

        Reaches as far as less than ``tail`` mass lies beyond.
        """
        outcomes = self.noise.outcomes(self.furthest)
        if outcomes is not None:
            return self.loss(outcomes), self._mix(0.5 * (outcomes[1:] + outcomes[:-1]))
        reach = min(self.noise.reach(tail) / self.noise.scale, _FURTHEST)
        around = self.noise.scale * np.linspace(-reach, reach, 121)
        top = self.furthest
        centres = range(-top if self.replace_one else 0, top + 1)
        between = np.linspace(-top, top, 80 * top + 1)
        x = np.unique(np.concatenate([between, *(centre + around for centre in centres)]))
        return self.loss(x), self._mix(0.5 * (x[1:] + x[:-1]))
