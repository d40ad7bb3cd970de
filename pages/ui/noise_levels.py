"""A release at the noise levels of a slider: how many are found at each, the evidence, and the noise that is advised.

The noise in force and the one that is advised have the numbers that pages state, so what is advised keeps the limit
when it is taken. Those between have wider brackets, which take less time, and are found after the page's answers: they
are the same whatever noise is in force, so a browser that has them is not sent them again. All are upper ends.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import ceil
from statistics import NormalDist
from typing import ClassVar

import numpy as np

from numerics.calibration import PowerTarget
from numerics.deadline import DeadlineError
from numerics.mechanisms import Mechanism
from numerics.privacy_loss import CertifiedLoss, Precision
from numerics.trade_off import Bound, Order
from pages.server.budget import portion
from pages.server.run_order import RUNS
from pages.server.shared_cache import shared_cache
from pages.ui import cached, phase_noise
from pages.ui.numbers_in_words import ALL_BUT_CERTAIN, is_within
from pages.ui.phase_noise import at_noise, is_usable
from pages.ui.slider_with_box import round_values
from plotting.evidence import Evidence, apart, evidence

SLIDER_NOISES = round_values(-1, 100.0)
"""Where the slider rests."""
SECONDS = 0.8
"""Of processor time that a run of a page takes for what nobody has chosen."""
_COARSE = Precision(width=1e-3, relative=0.02, is_remembered=False)
_LARGEST_ALPHA = 0.1  # down to which coarse brackets are narrow in any case
_REACH = 16  # round values of the slider to either side of the one that keeps the limit
_DIGITS = 3  # of the advised noise
_GUESSES = 6  # after which a search halves: that ends in any case
_LEAST = 1e-12  # of an effect size, whose logarithm is taken, and of what is missing to certainty
_NORMAL = NormalDist()


@dataclass(frozen=True, eq=False)
class NoiseLevel:
    """What a release has at one noise: the most an attack finds, and the evidence where its law is known.

    ``found`` is the upper end of its bracket; None where there was no time for it. ``reached`` is what a known attack
    finds, where that is less and was computed.
    """

    REMEMBERED: ClassVar[int] = 4096  # some hundred sliders, of 2 kB a level

    noise: float
    found: float | None
    evidence: Evidence | None = None
    reached: float | None = None


@dataclass(frozen=True)
class LevelQuestion:
    """What is asked at every noise: how many are found at ``alpha``, in an order, and whether more than ``limit``."""

    alpha: float
    order: Order
    limit: float

    def is_kept(self, found: float) -> bool:
        """Whether no more than the limit are found."""
        return is_within(found, self.limit)


@dataclass(frozen=True, eq=False)
class _Curve:
    """A wider bracket of a whole curve; those of little noise take up to 20 MB, a slider's together up to 50."""

    REMEMBERED: ClassVar[int] = 64  # two sliders

    loss: CertifiedLoss


@shared_cache
def _coarse(release: Mechanism, smallest_alpha: float, *, precision: Precision = _COARSE) -> _Curve:
    """Narrow enough from this rate up."""
    return _Curve(release.certified(replace(precision, smallest_alpha=smallest_alpha)))


def _decade(alpha: float) -> float:
    """A round rate at or below: slider's rates share the brackets."""
    return float(10.0 ** np.floor(np.log10(min(alpha, _LARGEST_ALPHA))))


@shared_cache
def level(
    release: Mechanism, alpha: float, order: Order, *, is_fine: bool, precision: Precision = cached.PRECISION
) -> NoiseLevel:
    """The release as it is; as pages state it, or on a wider bracket."""
    loss = release.certified(precision) if is_fine else _coarse(release, _decade(alpha)).loss
    found = (loss if release.closed_form is None else release).power(alpha, order).upper
    is_open = is_fine and release.bound is Bound.OPEN
    reached = release.power(alpha, order, precision).lower if is_open else None
    clears, seen = order is Order.REMOVE, None
    if loss.statistic is not None:
        seen = evidence(loss.statistic, alpha, clears)
    elif loss.power(alpha, order).lower > ALL_BUT_CERTAIN:
        seen = apart(alpha, clears)
    return NoiseLevel(release.noise_multiplier, found, seen, reached)


def levels(release: Mechanism, question: LevelQuestion, advised: float | None, every: int = 1) -> list[NoiseLevel]:
    """The release's own level, the advised one, and those of round values around them, by ascending noise.

    Of these, only one in ``every`` so many, and without a number: see ``completed``.
    """
    own = release.noise_multiplier
    first, middle = _nearest(own), _nearest(advised or own)
    around = SLIDER_NOISES[max(min(first, middle - _REACH), 0) : max(first, middle + _REACH) + 1 : every]
    found = {noise: NoiseLevel(noise, None) for noise in around if _has(release, noise)}
    found[own] = level(release, question.alpha, question.order, is_fine=True)
    if advised is not None and advised != own:
        found[advised] = _stated(release, advised, question)
    return [found[noise] for noise in sorted(found)]


def _nearest(noise: float) -> int:
    """Index of the slider's round value next to this noise."""
    return int(np.argmin(np.abs(np.log(np.array(SLIDER_NOISES) / noise))))


def _has(release: Mechanism, noise: float) -> bool:
    """Whether every phase can have so much noise, or so little."""
    try:
        at_noise(release, noise)
    except ValueError:
        return False
    return True


def _stated(release: Mechanism, noise: float, question: LevelQuestion) -> NoiseLevel:
    """As pages state it; without a number where there is no time for it."""
    try:
        return level(at_noise(release, noise), question.alpha, question.order, is_fine=True)
    except DeadlineError:
        return NoiseLevel(noise, None)


def completed(release: Mechanism, question: LevelQuestion, noises: Sequence[float]) -> list[NoiseLevel]:
    """The levels of these ``noises`` by ascending noise, found in the order of their distance from the release's own.

    Only as far as there is time while no other visitor waits and this one has not asked for something else: the others
    are computed when the slider is let go there.
    """
    own, done, in_time = release.noise_multiplier, list[NoiseLevel](), True
    asked = question.alpha, question.order
    with portion(SECONDS, RUNS.is_busy):
        for noise in sorted(noises, key=lambda noise: abs(np.log(noise / own))):
            try:
                there = at_noise(release, noise)
                if in_time or level.knows(there, *asked, is_fine=False):
                    done.append(level(there, *asked, is_fine=False))
            except DeadlineError:
                in_time = False
            except ValueError:  # no number for this noise; there may be one for more
                continue
    return sorted(done, key=lambda one: one.noise)


# The noise that is advised: the least that keeps a limit, found with few certified curves.


class _Measured:
    """How many are found at noises that were tried, as effect sizes over that of the limit; logarithms of both."""

    def __init__(self, question: LevelQuestion) -> None:
        self._guessing, self._points = _NORMAL.inv_cdf(question.alpha), dict[float, float]()
        self._goal = self._effect(question.limit)

    def _effect(self, found: float) -> float:
        power = min(max(found, _LEAST), 1.0 - _LEAST)
        return float(np.log(max(_NORMAL.inv_cdf(power) - self._guessing, _LEAST)))

    def note(self, noise: float, found: float) -> None:
        """So many are found at this noise."""
        self._points[float(np.log(noise))] = self._effect(found) - self._goal

    @property
    def guess(self) -> float:
        """Where the limit is likely to be just kept: effects fall about in proportion to the noise, or as measured."""
        (near, excess), *others = sorted(self._points.items(), key=lambda point: abs(point[1]))
        slope = (others[0][1] - excess) / (others[0][0] - near) if others else -1.0
        return float(np.exp(np.clip(near - excess / min(slope, -0.5), -20.0, 20.0)))


class NoAdvice(StrEnum):
    """Why no noise is advised; the values are what the picture says, in the words of the order."""

    GUESSING = "Blind guessing {finds} no fewer: no noise meets it."
    NOT_NEEDED = ""
    BEYOND = "Only noise beyond the controls meets it."
    NOT_FOUND = "The least noise that meets it was not found in a moment; “Solve for” on Mechanism looks longer."


def advised(release: Mechanism, question: LevelQuestion) -> float | NoAdvice:
    """The least noise with which the release keeps the limit by the numbers that pages state.

    Of three digits; of several phases the first one's, where the factor on all of them has three.
    """
    if question.limit <= question.alpha:
        return NoAdvice.GUESSING
    measured = _Measured(question)

    def keeps(noise: float, is_fine: bool = True) -> bool:
        found = level(at_noise(release, noise), question.alpha, question.order, is_fine=is_fine).found
        if found is None:
            return False
        measured.note(noise, found)
        return question.is_kept(found)

    try:
        with portion(SECONDS):
            found = _least(keeps, measured, release, question)
    except ValueError:  # also of the deadline
        return NoAdvice.NOT_FOUND
    can_be_set = isinstance(found, NoAdvice) or is_usable(at_noise(release, found))
    return found if can_be_set else NoAdvice.BEYOND


def _least(
    keeps: Callable[..., bool], measured: _Measured, release: Mechanism, question: LevelQuestion
) -> float | NoAdvice:
    """First coarsely among the slider's round values, then finely among numbers of three digits near there."""
    is_kept = keeps(release.noise_multiplier)
    place = _first(lambda noise: keeps(noise, is_fine=False), SLIDER_NOISES, measured)
    if place == 0 and (is_kept or release.noise_multiplier >= SLIDER_NOISES[0]):
        return NoAdvice.NOT_NEEDED
    if place == len(SLIDER_NOISES):
        goal = PowerTarget(question.limit, question.alpha, question.order)
        least = cached.noise_for(goal, release.with_noise(1.0)).noise_multiplier
        sought = phase_noise.rounded_up(release, least, _DIGITS)
        return sought if keeps(sought) else NoAdvice.NOT_FOUND
    unit = phase_noise.unit(release)
    low, high = (SLIDER_NOISES[at] / unit for at in (max(place - 2, 0), place))
    last = 10.0 ** (np.floor(np.log10(high)) - (_DIGITS - 1))  # one in the last digit
    counts = range(round(low / last), ceil(high / last * (1.0 - _LEAST)) + 1)
    fine = [phase_noise.of_six_digits(float(f"{count * last:.{_DIGITS}g}") * unit) for count in counts]
    found = _first(keeps, fine, measured)
    return fine[found] if found < len(fine) else NoAdvice.NOT_FOUND


def _first(keeps: Callable[[float], bool], values: Sequence[float], measured: _Measured) -> int:
    """Index of the first value that keeps the limit; their number where none does.

    Tries where that is likely to be, and halves what is left where it was not.
    """
    low, high, tries = -1, len(values), 0
    while high - low > 1:
        likely = int(np.searchsorted(values, measured.guess)) if tries < _GUESSES else (low + high) // 2
        middle = min(max(likely, low + 1), high - 1)
        low, high = (low, middle) if keeps(values[middle]) else (middle, high)
        tries += 1
    return high
