"""Shuffled batches: once an epoch the records are put into a random order and cut into batches of one size.

Guarantee (Chua et al. 2024, arXiv 2403.17673): a record is in one batch of an epoch, so an epoch with a known order is
one release without sampling, the other batches being computed from it; the order is drawn whatever the record is, and
the divergences of privacy are jointly convex, so not knowing it is never worse. Nothing better is established. This is
about a record that is zeroed out or replaced: one that is removed shifts others across the borders of batches.

Attack (the same; arXiv 2411.04205): all other records pull by -1 and the record by +1. Less what the others sum to, one
of T batches, any, has mean 2, or 1 if the record is zeroed out, or 0 if it is replaced by another -1; the others have
mean 0. The attacker looks at the largest of the epoch's T releases, whose law is known, and adds up over the epochs.

No Poisson curve is a guarantee here: at rate 1/T it lies far below what this attack reaches.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from numerics.mechanisms.noise import Noise
from numerics.privacy_loss.pairs import ComposedPairs, LossLaw, TabulatedPair, composed
from numerics.sampling.batches import Adjacency, Batches
from numerics.sampling.poisson import SampledPair
from numerics.trade_off import Floats

if TYPE_CHECKING:
    from numerics.mechanisms.base import SampledMechanism

_SMALLEST = 1e-250  # a mass below may have underflowed; counted as much it is on the safe side of an attack
_WORDS = "shuffled batches"
_PRESENT = 2.0  # mean of the record's batch, in units of the sensitivity, above that of a batch of others
_TAIL = 1e-18  # mass of a release beyond the cells on either side; not left out, but not told apart
_CELLS = 6000
_WHOLE = 1e-9  # relative, by which a number of batches may miss a whole one through rounding


def batches_of(rate: float) -> int:
    """Full batches in an epoch, T.

    >>> batches_of(0.01), batches_of(1 / 49), batches_of(256 / 60_000)
    (100, 49, 234)
    """
    return int(np.floor((1.0 + _WHOLE) / rate))


@dataclass(frozen=True)
class EpochPair(SampledPair):
    """One epoch as a single release without sampling. No attack on shuffled batches is known to reach it.

    Attributes:
        seen: chance that the record is in a batch of an epoch that is broken off. Where it is in none, other records
            are in its place: what is released then is not what is released without it.
    """

    seen: float = 1.0

    is_reached = False
    is_absence = False
    words = _WORDS

    @property
    def inclusion_probability(self) -> float:
        return self.seen


@dataclass(frozen=True)
class LargestPair(TabulatedPair):
    """The largest of an epoch's releases, with the record and without it, told by the cell it is in.

    Attributes:
        noise: of every release, in units of the sensitivity.
        batches: releases that are looked at.
        share: chance that the record is in one of them; all have mean 0 if it is not.
        absent: mean of the record's batch in the other data set: 1 if it is zeroed out, 0 if it is replaced.
    """

    noise: Noise
    batches: int
    share: float
    absent: float

    words = _WORDS

    def tabulated(self) -> LossLaw:
        edges = _edges(self.noise, _TAIL / self.batches)
        others = _log_below(self.noise, edges, 0.0)
        own = (_log_below(self.noise, edges, at) for at in (_PRESENT, self.absent, 0.0))
        *laws, nowhere = (_of_largest(others, one, self.batches) for one in own)
        mixed = (self.share * law + (1.0 - self.share) * nowhere for law in laws)
        p, q = (np.maximum(law, _SMALLEST) for law in mixed)  # what is known of whoever sees the cell alone
        loss = np.log(p) - np.log(q)
        order = np.argsort(loss, kind="stable")
        return LossLaw(loss[order], p[order], q[order])


def _edges(noise: Noise, tail: float) -> Floats:
    """Ends of cells: where the loss of one release changes, and on to where no more than ``tail`` lies beyond.

    A loss that is constant further out is so for one release alone: that of the largest of several goes on changing.
    """
    near = far = noise.reach(tail)
    while noise.cells(np.array([far]), 0.0)[-1] > tail:
        far *= 2.0
    fine = np.linspace(-near, _PRESENT + near, _CELLS)
    return fine if far == near else np.union1d(fine, np.linspace(-far, _PRESENT + far, _CELLS))


def _log_below(noise: Noise, edges: Floats, centre: float) -> Floats:
    """Log of the mass below every edge, from the nearer tail."""
    masses = noise.cells(edges, centre)
    below, above = np.cumsum(masses)[:-1], np.cumsum(masses[::-1])[::-1][1:]
    with np.errstate(divide="ignore"):
        return np.where(below < 0.5, np.log(below), np.log1p(-np.minimum(above, 0.5)))


def _of_largest(others: Floats, own: Floats, batches: int) -> Floats:
    """Masses of the cells for the largest of ``batches`` releases, one of which has the law ``own``.

    All are smaller than x with the product of their chances; differences are taken in the nearer tail.
    """
    with np.errstate(invalid="ignore"):
        logs = own + (batches - 1) * others if batches > 1 else own
    below, above = np.exp(logs), -np.expm1(logs)
    lower = np.diff(below, prepend=0.0, append=1.0)
    upper = -np.diff(above, prepend=1.0, append=0.0)
    return np.maximum(np.where(np.append(below, 1.0) < 0.5, lower, upper), 0.0)


class Shuffled(Batches):
    """Every epoch goes through all records in a new random order, a batch a step."""

    words: ClassVar[str] = _WORDS
    suffix: ClassVar[str] = ", shuffled batches"
    in_short: ClassVar[str] = "Every epoch shuffles all records anew and cuts them into batches; nobody sees the order."
    adjacencies: ClassVar[tuple[Adjacency, ...]] = (Adjacency.ZERO_OUT, Adjacency.REPLACE_ONE)

    def sentence(self, rate: float) -> str:
        return (
            f"Shuffled batches: every epoch puts all records into a new order and cuts it into {batches_of(rate):,} "
            "batches of one size, with the noise added to sums. No attack finds more than one release an epoch without "
            "sampling gives away; the attack that is known looks at the largest sum of an epoch. What lies between is "
            "open."
        )

    def phases(self, release: "SampledMechanism") -> ComposedPairs:
        """See Batches: every epoch that is begun is a release; of the last one part of the records may be in it.

        Where records that fill no batch are a smaller one, fewer epochs are begun, or as many and less of the last.
        """
        noise, rate, replaced = release.noise(), release.sampling_rate, release.adjacency is Adjacency.REPLACE_ONE
        whole, rest = divmod(release.steps, batches_of(rate))
        return composed(
            (EpochPair(noise, 1.0, replaced), whole),
            (EpochPair(noise, 1.0, replaced, min(rest * rate, 1.0)), int(rest > 0)),
        )

    def attack_phases(self, release: "SampledMechanism") -> ComposedPairs:
        """See Batches. Records that fill no batch are a smaller one, or are left out: the attack does without them.

        Epochs are counted as if they were a smaller one. Where they are left out as many epochs have ended or more, and
        if as many, more of the next is seen: who leaves that aside does as well.
        """
        noise, rate = release.noise(), release.sampling_rate
        full, absent = batches_of(rate), 0.0 if release.adjacency is Adjacency.REPLACE_ONE else 1.0
        taken = full if full * rate > 1.0 - _WHOLE else full + 1  # steps of an epoch, at most
        whole, rest = divmod(release.steps, taken)
        seen = min(rest, full)
        return composed(
            (LargestPair(noise, full, min(full * rate, 1.0), absent), whole),
            (LargestPair(noise, seen, min(seen * rate, 1.0), absent), int(seen > 0)),
        )
