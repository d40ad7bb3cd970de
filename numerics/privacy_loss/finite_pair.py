"""A pair of laws on few outcomes, as the engine asks for it."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import logsumexp

from numerics.privacy_loss.dominating_pairs import Atom, CellMasses, zcdp_of_range
from numerics.trade_off import Floats


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
    participation: ClassVar[float] = 1.0
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

    def cell_masses(self, edges: Floats) -> CellMasses:
        _, p, q = np.array(self.atoms).T
        cells = np.array(self.atom_cells(edges))
        return CellMasses(*(np.asarray(np.bincount(cells, mass, len(edges) + 1), dtype=np.float64) for mass in (p, q)))

    def scatter(self, tail: float) -> tuple[Floats, CellMasses]:
        loss, p, q = np.array(self.atoms).T
        return loss, CellMasses(p, q)


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
