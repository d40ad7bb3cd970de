"""Poisson sampling: every record takes part in each step independently; with rate 1, no sampling.

With the noise K_m centred at m (in units of the sensitivity) and the record included with probability p,

* add/remove: P = (1-p) K_0 + p K_1 (record present) against Q = K_0 (record absent); so too zero-out, where the record
  that takes part adds nothing;
* replace-one: P = (1-p) K_0 + p K_1 against Q = (1-p) K_0 + p K_-1 (two records that pull in opposite directions).

Both dominate every pair of neighbouring data sets: among all regions S with K_0(S) = m, the half line in the record's
direction gives K_1 its largest and K_-1 its smallest value (Neyman-Pearson), so it maximises
P(S) - gamma Q(S) = (1-p)(1-gamma) m + p K_1(S) - gamma p K_-1(S) for every gamma, and likewise without the last term.
The privacy loss is the log-likelihood ratio log dP/dQ at the released value x; it never decreases in x.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from numerics.closed_forms import SampledOnce
from numerics.mechanisms.noise import Noise, sampled_loss, unsampled_loss
from numerics.mechanisms.shift import Shift
from numerics.not_offered import NotOfferedError
from numerics.privacy_loss.dominating_pairs import Atom, CellMasses
from numerics.privacy_loss.window_plan import Phases
from numerics.sampling.adjacency import Adjacency
from numerics.sampling.batches import Batches, UnitNoise
from numerics.trade_off import Floats

_FURTHEST = 12.0  # noise scales that a quadrature reaches from a centre


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

    is_reached: ClassVar[bool] = True
    words: ClassVar[str] = "batches drawn by Poisson sampling"

    def loss(self, x: Floats) -> Floats:
        """Privacy loss log dP/dQ at the released values ``x`` (n,)."""
        present = sampled_loss(self.noise.shift_loss(x), self.rate)
        return present - sampled_loss(self.noise.shift_loss(-x), self.rate) if self.replace_one else present

    def loss_range(self, tail: float) -> tuple[float, float]:
        """Smallest and largest loss, up to less than ``tail`` mass beyond either end under P and under Q."""
        reach = self.noise.reach(tail) + 1.0
        low, high = self.loss(np.array([-reach, reach]))
        return float(low), float(high)

    def position(self, loss: Floats) -> Floats:
        """The largest x whose privacy loss is at most ``loss`` (n,)."""
        if self.replace_one:
            return self.noise.opposed_position(loss, self.rate)
        return self.noise.shift_position(unsampled_loss(loss, self.rate))

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
        """Largest absolute loss: the pure epsilon of one step, from the loss at either end of the line.

        Infinite where the noise does not say what its loss tends to.
        """
        with np.errstate(invalid="ignore", over="ignore"):
            ends = np.abs(self.loss(np.array([-np.inf, np.inf])))
        return float(np.nan_to_num(np.max(ends), nan=np.inf, posinf=np.inf))

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


def sampled_pairs(phases: Phases) -> tuple[tuple[SampledPair, int], ...]:
    """The phases, if all steps are sampled by Poisson's rule or not at all; else raises NotOfferedError."""
    pairs = tuple((pair, steps) for pair, steps in phases if isinstance(pair, SampledPair) and pair.is_reached)
    if len(pairs) < len(phases):
        other = next(pair.words for pair, _ in phases if not (isinstance(pair, SampledPair) and pair.is_reached))
        raise NotOfferedError(f"this is computed for Poisson sampling only, and the release has {other}.")
    return pairs


class Poisson(Batches):
    """Every record takes part in each step independently, so batches vary in size."""

    words: ClassVar[str] = SampledPair.words
    in_short: ClassVar[str] = "Every step draws each record at random, one by one, and nobody sees which."

    def sentence(self, rate: float) -> str:
        """See Batches."""
        return f"Poisson sampling: every record takes part in each step independently with probability {rate:.6g}."

    def phases(self, noise: UnitNoise, rate: float, steps: int, adjacency: Adjacency) -> Phases:
        """See Batches."""
        return ((SampledPair(noise(1.0), rate, adjacency is Adjacency.REPLACE_ONE), steps),)

    def closed_form(self, shift: Shift, rate: float, adjacency: Adjacency) -> SampledOnce | None:
        """See Batches: known unless a record is replaced, as one of the two laws is then the noise alone."""
        return None if adjacency is Adjacency.REPLACE_ONE else SampledOnce(shift, rate)
