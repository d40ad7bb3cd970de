"""Batches of fixed size: each step takes a share of the records, drawn without replacement."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from numerics.lazy_property import lazy_property
from numerics.privacy_loss.pairs import Atom, CellPmf, ComposedPairs, DominatingPair, zcdp_of_range
from numerics.sampling.batches import Adjacency, Batches
from numerics.sampling.poisson import SampledPair
from numerics.trade_off import Floats

if TYPE_CHECKING:
    from numerics.mechanisms.base import SampledMechanism


@dataclass(frozen=True)
class FixedSizePair(DominatingPair):
    """A pair whose trade-off function is C_p(f): batches drawn without replacement, one record replaced.

    f is the unsampled replace-one trade-off function and C_p(f) = min(f_p, f_p^-1)**, f_p = p f + (1 - p) Id (Dong,
    Roth and Su 2022, theorem 4.2; paper 004 Section 5): no attack on the release errs less. It is a guarantee; whether
    an attack reaches it is not known.

    Where its slope is steeper than -1 the envelope is f_p, so the losses above 0 are those of ``one_sided`` and the
    losses below 0 their mirror image with P and Q exchanged; what is left sits at 0, on the chord of slope -1.

    Attributes:
        one_sided: the pair behind f_p: (1-p) K_0 + p K_1 against K_0, of noise in units of the replaced distance.
    """

    one_sided: SampledPair

    is_reached = False
    is_symmetric = True
    is_absence = False
    words = "batches of fixed size"

    @property
    def inclusion_probability(self) -> float:
        """See DominatingPair: the same draw decides for the record and for what replaces it."""
        return self.one_sided.rate

    @lazy_property
    def _at_zero(self) -> float:
        above = self.one_sided.cell_pmf(np.zeros(1))
        return max(1.0 - float(above.p[1] + above.q[1]), 0.0)

    @lazy_property
    def _upper(self) -> slice:
        """The atoms whose loss is above 0, the last ones; they have a mirror image, the others are cut off."""
        return slice(sum(cell == 0 for cell in self.one_sided.atom_cells(np.zeros(1))), None)

    @property
    def _top(self) -> tuple[Atom, ...]:
        return self.one_sided.atoms[self._upper]

    @property
    def atoms(self) -> tuple[Atom, ...]:
        mirrored = tuple(Atom(-atom.loss, atom.q, atom.p) for atom in self._top)
        return (*mirrored, Atom(0.0, self._at_zero, self._at_zero), *self._top)

    @property
    def zcdp(self) -> float | None:
        """See DominatingPair: losses lie between -``largest_loss`` and that."""
        return zcdp_of_range(2.0 * self.largest_loss)

    @property
    def largest_loss(self) -> float:
        return self.one_sided.largest_loss

    def loss_range(self, tail: float) -> tuple[float, float]:
        high = self.one_sided.loss_range(tail)[1]
        return -high, high

    def atom_cells(self, edges: Floats) -> tuple[int, ...]:
        below, above = _distances(edges)
        zero, first_above = len(below) - 1, len(edges) - len(above) + 1
        bottom = tuple(zero + 1 - cell for cell in self.one_sided.atom_cells(below)[self._upper])
        return (*bottom, zero, *(first_above - 1 + cell for cell in self.one_sided.atom_cells(above)[self._upper]))

    def cell_pmf(self, edges: Floats) -> CellPmf:
        below, above = (self.one_sided.cell_pmf(distances) for distances in _distances(edges))
        return CellPmf(self._joined(edges, below.q, above.p), self._joined(edges, below.p, above.q))

    def _joined(self, edges: Floats, below: Floats, above: Floats) -> Floats:
        """Masses of all cells from those of the distances from 0 on either side, whose first is not above 0."""
        masses = np.zeros(len(edges) + 1)
        masses[len(below) - 2 :: -1] += below[1:]
        masses[len(masses) - len(above) + 1 :] += above[1:]
        masses[len(below) - 2] += self._at_zero
        return masses

    def scatter(self, tail: float) -> tuple[Floats, CellPmf]:
        loss, masses = self.one_sided.scatter(tail)
        up = loss > 0.0
        loss, p, q = loss[up], masses.p[up], masses.q[up]
        rest = [max(1.0 - float(np.sum(p + q)), 0.0)]
        join = np.concatenate
        return join((-loss, [0.0], loss)), CellPmf(join((q, rest, p)), join((p, rest, q)))


def _distances(edges: Floats) -> tuple[Floats, Floats]:
    """Distances from 0 of the ascending ``edges`` below 0 and above 0, each ascending and starting with 0 itself."""
    return np.append(0.0, -edges[edges < 0.0][::-1]), np.append(0.0, edges[edges > 0.0])


class FixedSize(Batches):
    """Batches of one size, drawn without replacement; another mechanism than Poisson sampling.

    Neighbours of a batch must have its size, so they differ in the value of a record.
    """

    words: ClassVar[str] = FixedSizePair.words
    suffix: ClassVar[str] = ", batches of fixed size"
    in_short: ClassVar[str] = "Every step draws a batch of the same size at random, and nobody sees which records."
    adjacencies: ClassVar[tuple[Adjacency, ...]] = (Adjacency.REPLACE_ONE,)

    def sentence(self, rate: float) -> str:
        return (
            f"Batches of fixed size: each step takes a share {rate:.6g} of the records, drawn without replacement. No "
            "attack finds more than stated; whether one finds as much is not known."
        )

    def phases(self, release: "SampledMechanism") -> ComposedPairs:
        noise = release.noise(release.adjacency.reach)
        return ((FixedSizePair(SampledPair(noise, release.sampling_rate)), release.steps),)
