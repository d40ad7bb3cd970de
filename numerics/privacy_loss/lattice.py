"""Discrete privacy losses on a lattice: one that the true pair is a post-processing of, and one that is a real attack.

Both put the loss on a lattice of step D, which may be shifted so that a loss of much mass is one of its points.
``connect_the_dots`` yields a pair that is at least as easy to tell apart as the true one (its trade-off curve lies
below: a guarantee). ``rounded`` yields the exact law of the loss rounded to the lattice, which an attacker could
compute (its curve lies above: a demonstrated attack).
"""

from dataclasses import dataclass

import numpy as np

from numerics.lazy_property import lazy_property
from numerics.privacy_loss.pairs import Atom, CellPmf, DominatingPair
from numerics.trade_off import Floats


@dataclass(frozen=True, eq=False)
class DiscretisedPld:
    """Law of one step's loss: masses ``p`` and ``q`` (n,) at the losses ``offset + (first + i) * step``.

    ``p_infinite`` is the mass under P of releases that give the record away for certain, ``q_infinite`` the mass under
    Q of those that clear it for certain. ``exact_ratio`` says that p = e^loss q holds at every point.
    """

    step: float
    first: int
    p: Floats
    q: Floats
    p_infinite: float
    q_infinite: float
    exact_ratio: bool
    offset: float = 0.0

    @lazy_property
    def loss(self) -> Floats:
        """Losses (n,) of the lattice points."""
        return points(self.step, self.first, self.last, self.offset)

    @property
    def last(self) -> int:
        """Lattice index of the largest loss."""
        return self.first + len(self.p) - 1

    @property
    def largest_loss(self) -> float:
        """Largest absolute loss."""
        return float(max(abs(self.loss[0]), abs(self.loss[-1])))

    def mirrored(self) -> "DiscretisedPld":
        """The law of the negated loss, with P and Q exchanged: the remove-one test as an add-one test."""
        p, q = self.q[::-1].copy(), self.p[::-1].copy()
        infinite = self.q_infinite, self.p_infinite
        return DiscretisedPld(self.step, -self.last, p, q, *infinite, self.exact_ratio, -self.offset)


def points(step: float, first: int, last: int, offset: float) -> Floats:
    """Losses (last - first + 1,) of the lattice points ``first`` to ``last``."""
    return offset + step * np.arange(first, last + 1, dtype=np.float64)


def connect_the_dots(pair: DominatingPair, step: float, first: int, last: int, offset: float = 0.0) -> DiscretisedPld:
    """Split each cell's mass between its two ends so that both its P and its Q mass are kept.

    Doroshenko, Ghazi, Kamath, Kumar and Manurangsi, PoPETs 2022: delta(epsilon) of the result interpolates the true
    one linearly in e^epsilon between the lattice points, hence lies on or above it; the error is of second order in D.
    Mass above the last point counts as certain exposure, Q mass below the first as certain clearance.
    """
    loss = points(step, first, last, offset)
    masses, ratio = pair.cell_pmf(loss), np.exp(loss)
    exposed, cleared = _take_out_infinite(masses, pair.atoms)
    inner_p, inner_q = masses.p[1:-1], masses.q[1:-1]
    to_upper = np.clip((inner_p - ratio[:-1] * inner_q) / -np.expm1(-step), 0.0, inner_p)
    p = np.concatenate(([0.0], to_upper))
    p[:-1] += inner_p - to_upper
    bottom = min(masses.p[0], masses.q[0] * ratio[0])
    top = min(masses.p[-1], masses.q[-1] * ratio[-1])
    p[0] += bottom
    p[-1] += top
    q_infinite = max(float(masses.q[0] - bottom / ratio[0]), 0.0)
    p_infinite = exposed + float(masses.p[-1] - top)
    return DiscretisedPld(step, first, p, p / ratio, p_infinite, cleared + q_infinite, True, offset)


def rounded(pair: DominatingPair, step: float, first: int, last: int, offset: float = 0.0) -> DiscretisedPld:
    """Exact law, under P and under Q, of the loss rounded to the nearest point of the lattice.

    Any function of the release, with or without a coin of one's own, is a statistic the attacker may threshold
    (Neyman-Pearson: none beats the loss itself), so the curve it reaches is an upper bound by construction. Losses
    beyond the ends count as the end; atoms are rounded up or down by a coin that keeps their mean, or many steps
    would drift off by many times the rounding. Atoms of infinite loss stay what they are.
    """
    edges = points(step, first, last - 1, offset + 0.5 * step)
    masses = pair.cell_pmf(edges)
    exposed, cleared = _take_out_infinite(masses, pair.atoms)
    atoms = [atom for atom in zip(pair.atoms, pair.atom_cells(edges), strict=True) if np.isfinite(atom[0].loss)]
    if atoms:
        loss, *whole = np.array([atom for atom, _ in atoms]).T
        below = np.floor((loss - offset) / step)
        share, inside = (loss - offset) / step - below, (first <= below) & (below < last)
        cells, below = np.array([cell for _, cell in atoms])[inside], (below[inside] - first).astype(np.intp)
        for mass, each in zip(masses, whole, strict=True):
            np.subtract.at(mass, cells, each[inside])
            np.add.at(mass, below, ((1.0 - share) * each)[inside])
            np.add.at(mass, below + 1, (share * each)[inside])
            np.maximum(mass, 0.0, out=mass)
    return DiscretisedPld(step, first, masses.p, masses.q, exposed, cleared, False, offset)


def _take_out_infinite(masses: CellPmf, atoms: tuple[Atom, ...]) -> tuple[float, float]:
    """Masses under P and under Q of losses that only one of them has, which the outermost ``masses`` lose."""
    exposed = sum(atom.p for atom in atoms if atom.loss == np.inf)
    cleared = sum(atom.q for atom in atoms if atom.loss == -np.inf)
    masses.p[-1] = max(masses.p[-1] - exposed, 0.0)
    masses.q[0] = max(masses.q[0] - cleared, 0.0)
    return exposed, cleared
