"""A bracket of the width asked for: the lattice is made as fine as that takes."""

from dataclasses import field, replace
from functools import lru_cache

import numpy as np

from numerics.deadline import UNLIMITED, Deadline, looking_at
from numerics.privacy_loss.bounds import CertifiedLoss
from numerics.privacy_loss.pairs import ComposedPairs
from numerics.privacy_loss.questions import Question
from numerics.privacy_loss.refinement import SEPARATED, Refinement
from numerics.privacy_loss.truncation_plan import FAR, SMALLEST_UNTILTED
from numerics.trade_off import SMALLEST_ALPHA, Bracket
from numerics.validation import OpenProbability, Positive, value

_ROUNDS = 12
_NO_EXCESS = 1e-12  # a release that hardly tells anything may leave none
_KEPT = 64  # brackets that are remembered, of some hundred kB as a rule and 10 MB at most: a sweep over noise takes ten
_ANSWERS = 2048
_FAR_FROM_START = 27.0  # minus the log of chances that are read from tilted transforms at once
_FINER = 0.02  # of its step, at least, has the next lattice for a number
_WORTH_IT = 0.8  # of the step of the last bracket: less of a refinement is not tried


@value
class Precision:
    """How narrow a certified bracket of the power should be, at every false positive rate from ``smallest_alpha`` up.

    Where that is out of reach, brackets are as narrow as could be had within the limits of time and memory: they hold
    all the same, and tell their width.

    Attributes:
        width: largest difference between guarantee and demonstrated attack.
        relative: the same, as a fraction of the power.
        smallest_alpha: smallest false positive rate at which both are wanted.
        deadline: looked at every few hundredths of a second; an answer does not depend on it.
        is_remembered: whether the bracket may stay in the memory of this process, for whoever asks the same next; not
            where the question, or the mechanism it is asked of, tells something private.
    """

    width: Positive = 1e-5
    relative: Positive = 1e-3
    smallest_alpha: OpenProbability = SMALLEST_ALPHA
    is_remembered: bool = True
    deadline: Deadline = field(default=UNLIMITED, compare=False, repr=False)

    def down_to(self, alpha: float) -> "Precision":
        """The same, wanted at false positive rates from ``alpha`` up at least."""
        return replace(self, smallest_alpha=min(self.smallest_alpha, alpha))


_USUAL = Precision()


def certify(phases: ComposedPairs, precision: Precision) -> CertifiedLoss:
    """Bracket the trade-off curve of ``phases`` as narrowly as ``precision`` asks; the last few are remembered.

    Where that takes more than the limits of time and memory, the narrowest bracket found. Raises DeadlineError where
    the precision's deadline says so.
    """
    with looking_at(precision.deadline):
        asked = replace(precision, deadline=UNLIMITED)  # which would stay with the answer
        return (_remembered if precision.is_remembered else _certified)(phases, asked)


def _certified(phases: ComposedPairs, precision: Precision) -> CertifiedLoss:
    tries = Refinement(phases, statistic=True)
    best, nearest, tried = tries.trivial(), np.inf, np.inf
    if tries.scheme.overlap < SEPARATED:
        return best
    step = tries.first_step(precision.width)
    several = precision.smallest_alpha < SMALLEST_UNTILTED
    for _ in range(_ROUNDS):
        if tries.finest > _WORTH_IT * tried:
            break
        found = tries.at(step, precision.width, FAR if several else 0.0)
        if found is None:
            continue
        tried, excess = found.step, _excess(found.loss, precision)
        best, nearest = (found.loss, excess) if excess < nearest else (best, nearest)
        if excess <= 1.0:
            break
        smooth = max(_excess(found.smooth, precision), _NO_EXCESS)
        if several and smooth <= 1.0:
            break  # kept from being narrow enough by rounding alone
        if not several and excess > 2.0 * smooth:
            # Rounding is most of it: a lattice that would be narrower without is worth trying, be it less fine.
            several, tried = True, tries.next_try(found.step * float(np.sqrt(excess / smooth)))
        step = found.step * float(np.clip(0.85 / np.sqrt(smooth), 0.05, 0.95))
    return best


def certify_number(
    phases: ComposedPairs, question: Question, width: float, relative: float = np.inf, precision: Precision = _USUAL
) -> Bracket:
    """Bracket one number to within ``width`` and ``relative`` of it, or as narrowly as time and memory allow.

    Every lattice tried gives a bracket that holds, so the answer is what all of them say together. What else there is
    to say, whether it is remembered and the deadline, is the ``precision``'s.
    """
    with looking_at(precision.deadline):
        answered = _remembered_number if precision.is_remembered else _certified_number
        return answered(phases, question, width, relative)


def _certified_number(phases: ComposedPairs, question: Question, width: float, relative: float) -> Bracket:
    tries, several = Refinement(phases), question.rarity > _FAR_FROM_START
    best, narrowest, tried = question.known(tries, tries.far), np.inf, np.inf
    question.look(tries, best)
    first = question.first_width(width)
    step = max(tries.first_step(first), tries.coarse)
    for _ in range(_ROUNDS):
        if best.width <= min(width, relative * best.upper) or tries.finest >= _WORTH_IT * tried:
            break
        found = tries.at(step, min(width, relative * best.upper, first), question.rarity if several else 0.0)
        if found is None:
            continue
        one = question.answer(found.loss)
        best = best.met(one)
        wanted = min(width, relative * best.upper)
        if best.width <= wanted or (several and one.width > _WORTH_IT * narrowest):
            break  # narrow enough, or kept from it by rounding alone
        smooth = question.answer(found.smooth)
        if not 0.0 < smooth.lower <= smooth.upper < np.inf and question.look(tries, best):
            step = max(step, tries.coarse)
            continue
        tried, narrowest = found.step, min(one.width, narrowest)
        if not several and not one.width <= 2.0 * smooth.width:
            several = True
            tried = tries.next_try(found.step * float(np.sqrt(one.width / max(smooth.width, wanted))))
            narrowest = np.inf if tried == np.inf else narrowest
        step = found.step * float(np.clip(np.sqrt(0.6 * wanted / max(smooth.width, wanted)), _FINER, 0.9))
    return best if best.upper < np.inf else best.met(question.known(tries, True))


_remembered = lru_cache(maxsize=_KEPT)(_certified)
_remembered_number = lru_cache(maxsize=_ANSWERS)(_certified_number)


def _excess(loss: CertifiedLoss, precision: Precision) -> float:
    """Width of the bracket over what was asked for, the largest over orders and false positive rates.

    Each order's own steep part and the chord to the mirrored one are all that matters; the rest is no wider.
    """
    worst = 0.0
    for is_mirrored in (False, True):
        parts = []
        for side in (loss.guarantee, loss.attack):
            own, other = (side.remove, side.add) if is_mirrored else (side.add, side.remove)
            parts.append((np.append(own.alpha, 1.0 - other.power[-1]), np.append(own.power, 1.0 - other.alpha[-1])))
        end = max(min(alpha[-1] for alpha, _ in parts), 2.0 * precision.smallest_alpha)
        alpha = np.geomspace(precision.smallest_alpha, end, 60)
        power, reached = (np.interp(alpha, *part) for part in parts)
        width = power - reached
        worst = max(worst, float(np.max(width / np.minimum(precision.width, precision.relative * power))))
    return worst


def forget() -> None:
    """Forget the brackets that are remembered: what they take is measured anew."""
    _remembered.cache_clear()
    _remembered_number.cache_clear()
