"""The dominating pair of one step: the two laws between which the attacker has to decide, as the engine asks for them.

How they come about is said where batches are drawn (``numerics.sampling``).
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import logsumexp

from numerics.trade_off import Floats

if TYPE_CHECKING:
    from numerics.privacy_loss.smooth_sum import NormalLoss

UNIT_ROUNDOFF = 2.0**-53
# Beyond this exponent sinh and exp are replaced by their leading term; the relative error is below 1e-17.
LARGE_EXPONENT = 20.0
LARGEST_STEP_LOSS = 650.0  # whose exponential is still a number


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


class DominatingPair:
    """The laws P and Q of one step's release that are hardest to hide, as the engine asks for them. Hashable.

    What stands here is what holds of a pair that does not say otherwise.
    """

    words: str
    """What the release has, where an operation refuses it by name: "batches of fixed size"."""
    is_reached: bool = True
    """Whether an attack on the release is known that tells P and Q apart as well as can be."""
    is_adaptive: bool = False
    """Whether more is known of several such steps than the product of their pairs (see ``together``)."""

    @property
    def is_symmetric(self) -> bool:
        """Whether the loss under P is distributed as its negative under Q: both orders have the same curve."""
        return False

    @property
    def inclusion_probability(self) -> float:
        """Chance q that the record takes part: P = (1 - q) N + q A and Q = (1 - q) N + q B with laws N, A and B."""
        return 1.0

    @property
    def is_absence(self) -> bool:
        """Whether Q is N: the release without the record is what there is where it takes no part."""
        return True

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """Single losses with positive mass; infinite where only one hypothesis has it."""
        return ()

    @property
    def largest_loss(self) -> float:
        """Largest absolute loss: the pure epsilon of one step; may be infinite."""
        raise NotImplementedError

    @property
    def zcdp(self) -> float | None:
        """A rho of one step's zero-concentrated DP: a guarantee; None where none is known."""
        return None

    @property
    def smooth_loss(self) -> "NormalLoss | None":
        """The loss of one step where it has an analytic density: enough to sum it without a lattice."""
        return None

    def renyi(self, order: int) -> float | None:
        """Renyi divergence of a whole ``order``, the larger of both directions; None or UnsupportedError: not known."""
        return None

    def loss_range(self, tail: float) -> tuple[float, float]:
        """Smallest and largest loss, up to less than ``tail`` mass beyond either end under P and under Q."""
        raise NotImplementedError

    def atom_cells(self, edges: Floats) -> tuple[int, ...]:
        """Indices of the loss cells (see ``cell_pmf``) that hold the atoms."""
        return ()

    def cell_pmf(self, edges: Floats) -> CellPmf:
        """Mass of the n+1 loss cells (.., e_0], (e_0, e_1], ..., (e_n-1, ..) under P and Q."""
        raise NotImplementedError

    def scatter(self, tail: float) -> tuple[Floats, CellPmf]:
        """A quadrature: losses (n,) and the masses of the cells around them, but for ``tail``."""
        raise NotImplementedError

    def together(self, steps: int) -> "ComposedPairs":
        """Of an adaptive pair: pairs that dominate ``steps`` steps, each of which may depend on those before.

        Of an attack's pair: pairs each point of whose curve an attack of ``steps`` such steps reaches.
        """
        raise NotImplementedError


ComposedPairs = tuple[tuple[DominatingPair, int], ...]
"""One step's pair and the number of its steps, per phase."""


def composed(*phases: tuple[DominatingPair, int]) -> ComposedPairs:
    """The phases that have any steps."""
    return tuple((pair, steps) for pair, steps in phases if steps)


def together(phases: ComposedPairs) -> ComposedPairs:
    """The least that is known to dominate all steps of ``phases``: those of one adaptive pair are taken together.

    Whatever comes between them: with C the worst of all ways to make such a step and G the mean over another pair,
    C G h <= G C h for convex h, as the largest mean is at most the mean of the largest. So they may as well come last.
    Steps of several adaptive pairs, in whatever order, compose as if those of one pair came after those of another
    (Vadhan and Zhang 2022, arXiv 2207.08335).
    """
    adaptive: dict[DominatingPair, int] = {}
    for pair, steps in phases:
        if pair.is_adaptive:
            adaptive[pair] = adaptive.get(pair, 0) + steps
    rest = tuple(phase for phase in phases if not phase[0].is_adaptive)
    return rest + tuple(phase for pair, steps in adaptive.items() for phase in pair.together(steps))


def together_at_last(phases: ComposedPairs) -> ComposedPairs:
    """The most that attacks are known to reach whose steps are ``phases``, in this order.

    A run of one adaptive pair that nothing follows may depend on all before it: whatever came out there is the price of
    a false alarm with which the run begins. What is followed by something else is attacked as it stands.
    """
    if not phases or not phases[-1][0].is_adaptive:
        return phases
    last = phases[-1][0]
    run = list(takewhile(lambda phase: phase[0] == last, reversed(phases)))
    return phases[: len(phases) - len(run)] + last.together(sum(steps for _, steps in run))


def at_least_once(chances: list[tuple[float, int]]) -> float:
    """Probability that an event of probability x happens in any of its ``count`` independent tries, over all phases."""
    with np.errstate(divide="ignore"):
        return float(0.0 - np.expm1(sum(count * np.log1p(-min(chance, 1.0)) for chance, count in chances)))


def inclusion_probability(phases: ComposedPairs) -> float:
    """Chance that the record takes part in any step of ``phases``, which draw independently; no less by rounding."""
    if sum(count for _, count in phases) == 1:
        return phases[0][0].inclusion_probability
    found = at_least_once([(pair.inclusion_probability, count) for pair, count in phases])
    return min(found * (1.0 + 8.0 * UNIT_ROUNDOFF), 1.0)


def exposed(phases: ComposedPairs) -> float:
    """Chance that a release gives the record away for certain, or clears it for certain, whichever is larger.

    It is what is left of delta however large epsilon is.
    """
    present = [(sum(atom.p for atom in pair.atoms if atom.loss == np.inf), count) for pair, count in phases]
    absent = [(sum(atom.q for atom in pair.atoms if atom.loss == -np.inf), count) for pair, count in phases]
    return max(at_least_once(present), at_least_once(absent))


def zcdp_of_range(width: float) -> float | None:
    """A rho of a step all of whose losses lie in an interval of this width: width^2 / 8. None where it is not finite.

    The cumulant generating function K(o) = log E_Q[e^(o loss)] is 0 at o = 0 and 1, and its second derivative, the
    variance of the loss under a tilted law, is at most width^2 / 4; so K(o) <= o (o - 1) width^2 / 8.
    """
    return width**2 / 8.0 if isfinite(width) else None


class TabulatedPair(DominatingPair):
    """A pair whose loss has the law of a table; to be a frozen dataclass of what the table follows from.

    No atom stands out: rounding errors of many losses average out.
    """

    def tabulated(self) -> LossLaw:
        """The law; only one loss of it is infinite."""
        raise NotImplementedError

    @property
    def table(self) -> LossLaw:
        """The law, remembered."""
        return _table(self)

    @property
    def largest_loss(self) -> float:
        return float(np.max(np.abs(self.table.loss)))

    def loss_range(self, tail: float) -> tuple[float, float]:
        loss, *masses = self._clipped
        below = min(int(np.searchsorted(np.cumsum(mass), tail)) for mass in masses)
        above = min(int(np.searchsorted(np.cumsum(mass[::-1]), tail)) for mass in masses)
        return float(loss[min(below, len(loss) - 1)]), float(loss[max(len(loss) - 1 - above, 0)])

    def cell_pmf(self, edges: Floats) -> CellPmf:
        loss, *masses = self.table
        cells, count = np.searchsorted(edges, loss), len(edges) + 1
        return CellPmf(*(np.asarray(np.bincount(cells, mass, count), dtype=np.float64) for mass in masses))

    def scatter(self, tail: float) -> tuple[Floats, CellPmf]:
        loss, p, q = self._clipped
        return loss, CellPmf(p, q)

    @property
    def _clipped(self) -> LossLaw:
        """With the most that a lattice tells apart in place of losses without limit."""
        return self.table._replace(loss=np.clip(self.table.loss, -LARGEST_STEP_LOSS, LARGEST_STEP_LOSS))


@lru_cache(maxsize=512)
def _table(pair: TabulatedPair) -> LossLaw:
    return pair.tabulated()


@dataclass(frozen=True)
class FinitePair(TabulatedPair):
    """Few ``outcomes`` by ascending loss log dP/dQ, each an atom with its mass under P and under Q."""

    outcomes: tuple[Atom, ...]
    words: str
    is_reached: bool = True

    @classmethod
    def of(cls, law: LossLaw, words: str) -> "FinitePair":
        """The outcomes of a ``law``; an attack tells them apart."""
        return cls(tuple(map(Atom, *(each.tolist() for each in law))), words)

    def tabulated(self) -> LossLaw:
        return LossLaw(*np.array(self.outcomes).T)

    @property
    def atoms(self) -> tuple[Atom, ...]:
        return self.outcomes

    @property
    def zcdp(self) -> float | None:
        return zcdp_of_range(self.outcomes[-1].loss - self.outcomes[0].loss)

    def renyi(self, order: int) -> float:
        """See DominatingPair: of the outcomes, one by one."""
        loss, p, q = self.table
        both = [float(logsumexp((order - 1.0) * sign * loss, b=mass)) for sign, mass in ((1.0, p), (-1.0, q))]
        return max(*both, 0.0) / (order - 1.0)

    def atom_cells(self, edges: Floats) -> tuple[int, ...]:
        return tuple(np.searchsorted(edges, self.table.loss).tolist())


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


# The loss of a step that the record takes part in with probability p, from that of one that it does.


def sampled_loss(ratio: Floats, rate: float) -> Floats:
    """Log of 1 - p + p e^ratio; near its floor log(1-p) a sum of logs keeps the digits that 1 - p would lose."""
    if rate == 1.0:
        return ratio
    far = np.logaddexp(np.log1p(-rate), np.log(rate) + ratio)
    near = np.log1p(rate * np.expm1(np.clip(ratio, -1.0, LARGE_EXPONENT)))
    return np.where((ratio < -1.0) | (ratio > LARGE_EXPONENT), far, near)


def unsampled_loss(loss: Floats, rate: float) -> Floats:
    """The log dK_1/dK_0 at which the sampled loss equals ``loss``; -inf below its floor log(1-p).

    log((e^loss - (1-p)) / p), far from 0 with e^loss taken out: e^loss - 1 keeps no digit of a small e^loss.
    """
    if rate == 1.0:
        return loss
    is_far = (loss < -1.0) | (loss > LARGE_EXPONENT)
    with np.errstate(divide="ignore", over="ignore"):
        near = np.log1p(np.maximum(np.expm1(np.clip(loss, -1.0, LARGE_EXPONENT)) / rate, -1.0))
        if not np.any(is_far):
            return near
        far = loss - np.log(rate) + np.log1p(np.maximum(-(1.0 - rate) * np.exp(-loss), -1.0))
    return np.where(is_far, far, near)
