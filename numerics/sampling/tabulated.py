"""A pair of laws by a table of its loss, for steps whose loss is no formula of one released number."""

from abc import ABC, abstractmethod
from functools import lru_cache
from typing import ClassVar

import numpy as np

from numerics.privacy_loss.dominating_pairs import Atom, CellMasses, LossLaw
from numerics.privacy_loss.window_plan import LARGEST_STEP_LOSS
from numerics.trade_off import Floats

_SMALLEST = 1e-250  # a mass below may have underflowed; counted as much it is on the safe side of an attack


def told_by_cells(p: Floats, q: Floats) -> LossLaw:
    """What an attacker knows who is told the cell alone, of masses (n,) under either law."""
    p, q = np.maximum(p, _SMALLEST), np.maximum(q, _SMALLEST)
    loss = np.log(p) - np.log(q)
    order = np.argsort(loss, kind="stable")
    return LossLaw(loss[order], p[order], q[order])


class TabulatedPair(ABC):
    """A pair whose loss has the law of a table; see Pair. To be a frozen dataclass of what the table follows from."""

    atoms: ClassVar[tuple[Atom, ...]] = ()  # none stands out: rounding errors of many losses average out
    zcdp: ClassVar[float | None] = None

    @abstractmethod
    def tabulated(self) -> LossLaw:
        """The law; only one loss of it is infinite."""

    @property
    def table(self) -> LossLaw:
        """The law, remembered."""
        return _remembered(self)

    @property
    def is_symmetric(self) -> bool:
        return False

    @property
    def participation(self) -> float:
        """See DominatingPair: certain, unless a pair says otherwise."""
        return 1.0

    @property
    def is_absence(self) -> bool:
        return True

    @property
    def largest_loss(self) -> float:
        return float(np.max(np.abs(self.table.loss)))

    def renyi(self, order: int) -> float | None:
        return None

    def loss_range(self, tail: float) -> tuple[float, float]:
        loss, *masses = self._told_apart
        below = min(int(np.searchsorted(np.cumsum(mass), tail)) for mass in masses)
        above = min(int(np.searchsorted(np.cumsum(mass[::-1]), tail)) for mass in masses)
        return float(loss[min(below, len(loss) - 1)]), float(loss[max(len(loss) - 1 - above, 0)])

    def atom_cells(self, edges: Floats) -> tuple[int, ...]:
        return ()

    def cell_masses(self, edges: Floats) -> CellMasses:
        loss, *masses = self.table
        cells, count = np.searchsorted(edges, loss), len(edges) + 1
        p, q = (np.asarray(np.bincount(cells, mass, count), dtype=np.float64) for mass in masses)
        return CellMasses(p, q)

    def scatter(self, tail: float) -> tuple[Floats, CellMasses]:
        loss, p, q = self._told_apart
        return loss, CellMasses(p, q)

    @property
    def _told_apart(self) -> LossLaw:
        """With the most that a lattice tells apart in place of losses without limit."""
        return self.table._replace(loss=np.clip(self.table.loss, -LARGEST_STEP_LOSS, LARGEST_STEP_LOSS))


@lru_cache(maxsize=512)
def _remembered(pair: TabulatedPair) -> LossLaw:
    return pair.tabulated()
