"""The dominating pair of one step: the two laws between which the attacker has to decide, as the engine asks for them.

How they come about is said where batches are drawn (``numerics.sampling``).
"""

from math import isfinite
from typing import NamedTuple, Protocol

from numerics.trade_off import Floats


class CellMasses(NamedTuple):
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
    def participation(self) -> float:
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
        """Renyi divergence of a whole ``order``, the larger of both directions; None or NotOfferedError: not known."""
        ...

    def loss_range(self, tail: float) -> tuple[float, float]:
        """Smallest and largest loss, up to less than ``tail`` mass beyond either end under P and under Q."""
        ...

    def atom_cells(self, edges: Floats) -> tuple[int, ...]:
        """Indices of the loss cells (see ``cell_masses``) that hold the atoms."""
        ...

    def cell_masses(self, edges: Floats) -> CellMasses:
        """Mass of the n+1 loss cells (.., e_0], (e_0, e_1], ..., (e_n-1, ..) under P and Q."""
        ...

    def scatter(self, tail: float) -> tuple[Floats, CellMasses]:
        """A quadrature: losses (n,) and the masses of the cells around them, but for ``tail``."""
        ...
