"""Brackets that ever finer lattices give: a guarantee by connecting the dots, an attack by rounding.

Where sums are known without a lattice (see ``smooth_sum``), both are read from these in ever finer blocks.
"""

from dataclasses import dataclass, field, replace

import numpy as np
import scipy.fft

from numerics.deadline import look
from numerics.lazy_property import lazy_property
from numerics.privacy_loss.bounds import SMALLEST_CLAIM, CertifiedLoss, CurveBound, StatisticLaw, SteepPart
from numerics.privacy_loss.composition import Steps, Tilt, TooManyPointsError, UpperTail, upper_tail
from numerics.privacy_loss.lattice import connect_the_dots, rounded
from numerics.privacy_loss.pairs import (
    LARGEST_STEP_LOSS,
    UNIT_ROUNDOFF,
    ComposedPairs,
    DominatingPair,
    inclusion_probability,
)
from numerics.privacy_loss.smooth_sum import FEWEST_BLOCKS, SmoothSum, smooth_sums
from numerics.privacy_loss.truncation_plan import RELEVANT_LOSS, STEP_TAIL, TruncationPlan, tilts

_LARGEST_LATTICE = 2**20  # points
_MOST_BLOCKS = 2**18  # of sums that need no lattice
_COARSE_POINTS = 2.0**13
_MOST_POINTS = 1.6e7  # of all transforms together: a second
_READINGS = 6.0  # times a transform's points are taken on a lattice: transforms, and what is read from them
_SMALLEST_STEP, _COARSEST_STEP = 1e-13, 50.0
SEPARATED = 1e-14  # overlap of the two hypotheses below which nothing is left to resolve
_ROOM = 1.05  # a lattice that was too large is made coarser by a little more than that
_SNAPPED = 1e-6  # of a step: an offset that small is rounding

Tails = tuple[UpperTail, UpperTail]  # of the sum and of its mirror image


@dataclass(frozen=True, eq=False)
class Sums:
    """What sums of one ``step`` give, a lattice's or the width of a block.

    ``safe`` and ``reached`` are read for the guarantee and the attack, as ``of`` says.
    """

    step: float
    safe: Tails
    reached: Tails
    of: "Refinement"
    level: float

    def _bracket(self, safe: Tails, reached: Tails, law: StatisticLaw | None) -> CertifiedLoss:
        guarantee, attack = (
            CurveBound.of(tails, is_safe, self.of.farthest, self.of.drawn, self.level)
            for tails, is_safe in ((safe, True), (reached, False))
        )
        return CertifiedLoss(guarantee, attack, law, self.level)

    @lazy_property
    def loss(self) -> CertifiedLoss:
        """The bracket."""
        return self._bracket(self.safe, self.reached, StatisticLaw.of(*self.reached) if self.of.statistic else None)

    @lazy_property
    def smooth(self) -> CertifiedLoss:
        """What it would be if transforms did not round."""
        safe, reached = (
            tuple(replace(tail, p=tail.p.noiseless(), q=tail.q.noiseless()) for tail in tails)
            for tails in (self.safe, self.reached)
        )
        return self._bracket((safe[0], safe[1]), (reached[0], reached[1]), self.loss.statistic)


@dataclass(eq=False)
class Refinement:
    """Brackets of ``phases`` on ever finer lattices, read above the loss ``level`` (see ``CertifiedLoss``).

    Sums above ``top``, or far above the level, are not told apart. ``finest`` is the smallest step that is not known to
    need too many points (infinite: no lattice will do), ``left`` how many may still be taken. ``statistic`` asks for
    the law of the attacker's statistic as well.
    """

    phases: ComposedPairs
    statistic: bool = False
    level: float = 0.0
    top: float = RELEVANT_LOSS
    finest: float = _SMALLEST_STEP
    left: float = _MOST_POINTS
    _each: float = 0.0  # points of one transform times step
    _known_tilts: dict[tuple[float, float], tuple[tuple[Tilt, ...], ...]] = field(default_factory=dict)

    @lazy_property
    def scheme(self) -> TruncationPlan:
        """How to lay out the sums."""
        return TruncationPlan.of(self.phases)

    @lazy_property
    def farthest(self) -> float:
        """Upper bound on the total variation distance of all steps together: 1 - prod (1 - that of one)^steps.

        Two laws can be drawn so that they agree with probability 1 - TV, each step by itself: at least where the record
        takes no part. So no guarantee exceeds the chance that it takes part in any step, whatever is drawn.
        """
        zero, agree = np.zeros(1), 0.0
        for pair, count in self.phases:
            masses = pair.cell_pmf(zero)
            apart = max(float(masses.p[1] - masses.q[1]), 0.0) + 4.0 * UNIT_ROUNDOFF
            apart = min(apart, pair.inclusion_probability)
            with np.errstate(divide="ignore"):
                agree += count * float(np.log1p(-min(apart, 1.0)))
        return min(float(-np.expm1(agree)), inclusion_probability(self.phases))

    @lazy_property
    def drawn(self) -> float:
        """The q of P = (1 - q) Q + q A, over all steps; 1, which says nothing, where Q is not the law without."""
        return inclusion_probability(self.phases) if all(pair.is_absence for pair, _ in self.phases) else 1.0

    @property
    def far(self) -> bool:
        """Whether sums lie where a lattice read from 0 up does not tell them apart."""
        return self.scheme.overlap < SEPARATED or self.scheme.highest > RELEVANT_LOSS

    @lazy_property
    def exposed(self) -> float:
        """Chance that the loss of any step is larger than a lattice holds, the larger of both orders."""
        ends = np.array([-LARGEST_STEP_LOSS, LARGEST_STEP_LOSS])
        masses = [(pair.cell_pmf(ends), count) for pair, count in self.phases]
        chances = [(one.p[-1], one.q[0], count) for one, count in masses]
        return max(sum(count * float(row[i]) for *row, count in chances) for i in (0, 1))

    def trivial(self) -> CertifiedLoss:
        """What holds without any sum: the laws' distance, and the attack that their overlap allows."""
        overlap = max(self.scheme.overlap, SMALLEST_CLAIM)
        reached = (overlap, 1.0 - overlap) if overlap < 0.5 else (0.5, 0.5)
        most = SteepPart(np.array([0.0, 0.0]), np.array([self.farthest] * 2))
        attack = SteepPart(np.array([0.0, reached[0]]), np.array([0.0, reached[1]]))
        far = -2.0 * float(np.log(SMALLEST_CLAIM))
        guarantee = CurveBound(most, most, far, True, self.farthest, self.drawn)
        return CertifiedLoss(guarantee, CurveBound(attack, attack, far, False), None)

    @lazy_property
    def _smooth(self) -> tuple[SmoothSum, SmoothSum] | None:
        """The sums themselves, where every step's loss has an analytic density."""
        losses = [(pair.smooth_loss, count) for pair, count in self.phases]
        known = [(loss, count) for loss, count in losses if loss is not None]
        look()
        return smooth_sums(known) if len(known) == len(losses) else None

    def first_step(self, width: float) -> float:
        """A step likely to give brackets of ``width``."""
        return self.scheme.first_step(width) if self._smooth is None else self.scheme.first_block(width)

    def next_try(self, step: float) -> float:
        """The step below which a lattice with several transforms is worth trying, ``step`` if it is not the first."""
        return step if self._smooth is None else np.inf

    @property
    def coarse(self) -> float:
        """A step that shows cheaply where the sums lie."""
        highest = self.scheme.highest
        return (min(highest if highest > self.level else np.inf, self._reach) - self.level) / _COARSE_POINTS

    @property
    def _reach(self) -> float:
        """Sums beyond it are not told apart."""
        return self.level + min(max(self.top - self.level, RELEVANT_LOSS), LARGEST_STEP_LOSS)

    def at(self, step: float, width: float, rarity: float) -> Sums | None:
        """The bracket on a lattice of about ``step``, read in blocks that keep ``width``.

        ``rarity`` above 0 gives far tails transforms of their own (see ``tilts``). None where the lattice would be too
        large: then ``finest`` is raised.
        """
        if self._smooth is not None:
            if rarity == 0.0:
                return self._in_blocks(self._smooth, step)
            step = min(step, self.scheme.first_step(width))
        transforms = sum(map(len, self._tilts(rarity)))
        self.finest = max(self.finest, self._each * transforms / max(self.left, 1.0))
        step = self._aligned(step)
        if step > _COARSEST_STEP:
            return None
        largest = min(_LARGEST_LATTICE, max(self.left, 1.0) / (_READINGS * transforms))
        try:
            safe, reached = (self._on_lattice(is_safe, step, width, rarity, largest) for is_safe in (True, False))
        except TooManyPointsError as refusal:
            self.finest = step * _ROOM * refusal.factor
            return None
        points = sum(tail.points for tail in safe + reached)
        self.left -= points
        self._each = step * points / transforms
        self.finest = max(self.finest, step * points / max(self.left, 1.0))
        return Sums(step, safe, reached, self, self.level)

    def _in_blocks(self, sums: tuple[SmoothSum, SmoothSum], step: float) -> Sums | None:
        """The bracket read from the sums themselves in blocks of about ``step``."""
        fewest = max(FEWEST_BLOCKS, 2 * len(sums[0].spectrum))
        blocks = int(scipy.fft.next_fast_len(max(int(sums[0].period / step) + 1, fewest), real=True))
        if blocks > _MOST_BLOCKS:
            self.finest = _ROOM * sums[0].period / _MOST_BLOCKS
            return None
        tails: list[UpperTail] = []
        for total in sums:
            look()
            tails.append(total.upper_tail(blocks, self.level))
        both = tails[0], tails[1]
        return Sums(sums[0].period / blocks, both, both, self, self.level)

    def _aligned(self, step: float) -> float:
        """About ``step``; where it can, one that puts the loss 0 and the smallest on the lattice, or both ends.

        A lattice that is coarser than the smallest loss is shifted instead (see ``_offset``).
        """
        step = max(step, self.finest)
        floors = [(-pair.loss_range(STEP_TAIL)[0], count) for pair, count in self.phases]
        floor, _ = max(floors, key=lambda row: row[0] * row[1])
        floor = floor if self.scheme.held is None else 0.5 * self.scheme.held.width
        parts = min(np.ceil(floor / step), np.floor(floor / self.finest))
        return step if floor > RELEVANT_LOSS or floor < step or parts < 1.0 else float(floor / parts)

    def _tilts(self, rarity: float) -> tuple[tuple[Tilt, ...], ...]:
        """Of the loss, and of its mirror image."""
        asked = self.level, rarity
        if asked not in self._known_tilts:
            samples = self.scheme.clipped([self._ends(pair, count) for pair, count in self.phases])
            between = self.level, self._reach
            self._known_tilts[asked] = tuple(tilts(one, self.scheme.variance, between, rarity) for one in samples)
        return self._known_tilts[asked]

    def _on_lattice(self, is_safe: bool, step: float, width: float, rarity: float, largest: float) -> Tails:
        """Sums for both orders on a lattice of ``step``; raises TooManyPointsError."""
        steps: Steps = []
        for pair, count in self.phases:
            low, high = self._ends(pair, count)
            first, last = int(np.floor(low / step)), max(int(np.ceil(high / step)), 1)
            if last - first > _LARGEST_LATTICE:
                raise TooManyPointsError((last - first) / _LARGEST_LATTICE)
            look()
            law = (connect_the_dots if is_safe else rounded)(pair, step, first, last, _offset(pair, step))
            steps.append((law, count))
        coarsest = self.scheme.coarsest_block(width)
        add, remove = self._tilts(rarity)
        tail = upper_tail(steps, add, int(largest), coarsest, self.level)
        if all(pair.is_symmetric for pair, _ in self.phases):
            return tail, tail
        mirrored = [(law.mirrored(), count) for law, count in steps]
        return tail, upper_tail(mirrored, remove, int(largest), coarsest, self.level)

    def _ends(self, pair: DominatingPair, count: int) -> tuple[float, float]:
        """Smallest and largest loss of one step on a lattice.

        A loss so large that the other steps cannot bring the sum back into the relevant range is certain exposure:
        under the hypothesis that such a loss favours, theirs falls below -t with probability at most e^-t (Markov).
        """
        low, high = pair.loss_range(STEP_TAIL / count)
        reach, scheme = self._reach, self.scheme
        low = max(low, -reach - min(scheme.highest, RELEVANT_LOSS), -LARGEST_STEP_LOSS)
        high = min(high, reach - max(scheme.lowest, -RELEVANT_LOSS), LARGEST_STEP_LOSS)
        return low, high


def _offset(pair: DominatingPair, step: float) -> float:
    """Shift of the lattice that puts the smallest loss on it, where much of the mass can sit; 0 where losses mirror."""
    low, high = pair.loss_range(STEP_TAIL)
    shift = low - step * float(np.rint(low / step))
    return 0.0 if low < -RELEVANT_LOSS or -low > high * (1.0 - 1e-9) or abs(shift) < _SNAPPED * step else shift
