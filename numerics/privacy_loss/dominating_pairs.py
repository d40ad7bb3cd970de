"""The dominating pair of one step: the two laws between which the attacker has to decide, as the engine asks for them.

How they come about is said where batches are drawn (``numerics.sampling``).
"""

from dataclasses import dataclass
from math import isfinite
from typing import ClassVar, NamedTuple, Protocol

import numpy as np
from scipy.special import logsumexp

from numerics.trade_off import Floats


class CellPmf(NamedTuple):
    """Probability of each cell of the privacy loss under P and under Q, both (n,)."""

    p: Floats
    q: Floats


class Atom(NamedTuple):
    """A single loss of positive mass; infinite where one hypothesis gives it none."""

    loss: float
    p: float
    q: float


class LossLaw(NamedTuple):
    """Losses (n,), ascending, and their masses under P and under Q, (n,) each."""

    loss: Floats
    p: Floats
    q: Floats


def zcdp_of_range(width: float) -> float | None:
    """A rho of a step all of whose losses lie in an interval of this width: width^2 / 8. None where it is not finite.

    The cumulant generating function K(o) = log E_Q[e^(o loss)] is 0 at o = 0 and 1, and its second derivative, the
    variance of the loss under a tilted law, is at most width^2 / 4; so K(o) <= o (o - 1) width^2 / 8.
    """
    return width**2 / 8.0 if isfinite(width) else None


class DominatingPair(Protocol):
    """The laws P and Q of one step's release that are hardest to hide, as the engine asks for them."""

    @property
    def is_reached(self) -> bool:
        """Whether an attack on the release is known that tells P and Q apart as well as can be."""
        ...

    @property
    def is_symmetric(self) -> bool:
        """Whether the loss under P is distributed as its negative under Q: both orders have the same curve."""
        ...

    @property
    def inclusion_probability(self) -> float:
        """Chance q that the record takes part: P = (1 - q) N + q A and Q = (1 - q) N + q B with laws N, A and B."""
        ...

    @property
    def is_absence(self) -> bool:
        """Whether Q is N: the release without the record is what there is where it takes no part."""
        ...

    @property
    def words(self) -> str:
        """What the release has, where an operation refuses it by name: "batches of fixed size"."""
        ...

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """Single losses with positive mass; infinite where only one hypothesis has it."""
        ...

    @property
    def largest_loss(self) -> float:
        """Largest absolute loss: the pure epsilon of one step; may be infinite."""
        ...

    @property
    def zcdp(self) -> float | None:
        """A rho of one step's zero-concentrated DP: a guarantee; None where none is known."""
        ...

    def renyi(self, order: int) -> float | None:
        """Renyi divergence of a whole ``order``, the larger of both directions; None or UnsupportedError: not known."""
        ...

    def loss_range(self, tail: float) -> tuple[float, float]:
        """Smallest and largest loss, up to less than ``tail`` mass beyond either end under P and under Q."""
        ...

    def atom_cells(self, edges: Floats) -> tuple[int, ...]:
        """Indices of the loss cells (see ``cell_pmf``) that hold the atoms."""
        ...

    def cell_pmf(self, edges: Floats) -> CellPmf:
        """Mass of the n+1 loss cells (.., e_0], (e_0, e_1], ..., (e_n-1, ..) under P and Q."""
        ...

    def scatter(self, tail: float) -> tuple[Floats, CellPmf]:
        """A quadrature: losses (n,) and the masses of the cells around them, but for ``tail``."""
        ...


# A pair of laws on few outcomes, as the engine asks for it.


@dataclass(frozen=True)
class FinitePair:
    """Outcomes by their loss log dP/dQ, each with its mass under P and under Q.

    Attributes:
        atoms: by ascending loss.
        words: what the release has, where an operation refuses it by name.
        is_reached: whether an attack on the release is known that tells P and Q apart as well as can be.
    """

    atoms: tuple[Atom, ...]
    words: str
    is_reached: bool = True
    is_symmetric: ClassVar[bool] = False
    inclusion_probability: ClassVar[float] = 1.0
    is_absence: ClassVar[bool] = True

    @property
    def largest_loss(self) -> float:
        return max(abs(atom.loss) for atom in self.atoms)

    @property
    def zcdp(self) -> float | None:
        return zcdp_of_range(self.atoms[-1].loss - self.atoms[0].loss)

    def renyi(self, order: int) -> float:
        """See DominatingPair: of the outcomes, one by one."""
        loss, p, q = np.array(self.atoms).T
        both = [float(logsumexp((order - 1.0) * sign * loss, b=mass)) for sign, mass in ((1.0, p), (-1.0, q))]
        return max(*both, 0.0) / (order - 1.0)

    def loss_range(self, tail: float) -> tuple[float, float]:
        return self.atoms[0].loss, self.atoms[-1].loss

    def atom_cells(self, edges: Floats) -> tuple[int, ...]:
        return tuple(np.searchsorted(edges, [atom.loss for atom in self.atoms]).tolist())

    def cell_pmf(self, edges: Floats) -> CellPmf:
        _, p, q = np.array(self.atoms).T
        cells = np.array(self.atom_cells(edges))
        return CellPmf(*(np.asarray(np.bincount(cells, mass, len(edges) + 1), dtype=np.float64) for mass in (p, q)))

    def scatter(self, tail: float) -> tuple[Floats, CellPmf]:
        loss, p, q = np.array(self.atoms).T
        return loss, CellPmf(p, q)


def two_outcomes(loss: float, spread: float, words: str, is_reached: bool = True) -> FinitePair:
    """The two laws on two outcomes whose losses are ``loss`` - ``spread`` and ``loss``, the larger one above 0.

    With t the larger loss and w the spread: Q of it is (1 - e^(t - w)) / (e^t (1 - e^-w)), P is e^t times that; of the
    other outcome Q is (1 - e^-t) / (1 - e^-w) and P e^(t - w) times that.
    """
    top, bottom = loss, loss - spread
    whole = -np.expm1(-spread)
    under_p = float(-np.expm1(bottom) / whole), float(np.exp(bottom) * -np.expm1(-top) / whole)
    under_q = float(np.exp(-top) * -np.expm1(bottom) / whole), float(-np.expm1(-top) / whole)
    atoms = Atom(bottom, under_p[1], under_q[1]), Atom(top, under_p[0], under_q[0])
    return FinitePair(atoms, words, is_reached)
