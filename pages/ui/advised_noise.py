"""The noise that is advised: the least that keeps a limit, found with few certified curves."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from math import ceil
from statistics import NormalDist

import numpy as np

from numerics.calibration import PowerTarget
from numerics.mechanisms import Mechanism
from pages.server.budget import portion
from pages.ui import cached, phase_noise
from pages.ui.noise_levels import SECONDS, SLIDER_NOISES, LevelQuestion, level
from pages.ui.phase_noise import at_noise, is_usable

_DIGITS = 3
_GUESSES = 6  # after which a search halves: that ends in any case
_LEAST = 1e-12  # of an effect size, whose logarithm is taken, and of what is missing to certainty
_NORMAL = NormalDist()


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
