"""What keeps a limit, each solved by the numbers that pages state: advised noise, other levers, what was solved for.

Of several phases the remedy is one factor on all noises, and what each then has.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from enum import StrEnum
from math import ceil, floor, log10
from statistics import NormalDist

import numpy as np
import streamlit as st

from numerics.calibration import Calibration, PowerTarget
from numerics.deadline import UNLIMITED, Deadline
from numerics.mechanisms import Mechanism, SampledMechanism
from numerics.unsupported import UnsupportedError
from pages.server.budget import portion
from pages.server.shared_cache import shared_cache
from pages.ui import cached, noise_levels, release_in_force
from pages.ui.cached import Goal
from pages.ui.noise_levels import SECONDS, SLIDER_NOISES, at_noise, is_usable, level, listed, noises
from pages.ui.numbers_in_words import as_entered, is_within, quantity, rounded_up
from pages.ui.release_in_force import BOXES, ReleaseChoice, TrainingRun, counted_epochs

_DIGITS = 3  # of the advised noise
_NEARLY_ALL = 0.99  # found: a noise that small says nothing of others
_GUESSES = 6  # after which a search halves: that ends in any case
_LEAST = 1e-12  # of an effect size, whose logarithm is taken, and of what is missing to certainty
_NORMAL = NormalDist()


# In words


def remedy(release: Mechanism, noisy: Mechanism) -> str:
    """The noise that ``noisy`` has, as a change of that of ``release``: the subject of a sentence.

    Of several phases one factor on all of them, and what each then has.
    """
    if len(release.phases) == 1:
        return f"Noise {listed(noisy)}"
    return f"All noise times {factor(release, noisy)} ({listed(noisy)})"


def use(release: Mechanism, noisy: Mechanism) -> str:
    """The same as what a button does: ``Use 1.69``, ``Multiply all noise by 2.7``."""
    if len(release.phases) == 1:
        return f"Use {listed(noisy)}"
    return f"Multiply all noise by {factor(release, noisy)}"


def factor(release: Mechanism, noisy: Mechanism) -> str:
    """By what all noise is multiplied, of six digits at most."""
    return f"{noisy.noise_multiplier / release.noise_multiplier:g}"


# The least noise that keeps a limit on people found, sought with few certified curves


class _Measured:
    """How many are found at noises that were tried, as effect sizes over that of the limit; logarithms of both."""

    def __init__(self, choice: ReleaseChoice) -> None:
        self._guessing, self._points = _NORMAL.inv_cdf(choice.alpha), dict[float, float]()
        self._goal = self._effect(choice.limit)

    def _effect(self, found: float) -> float:
        power = min(max(found, _LEAST), 1.0 - _LEAST)
        return float(np.log(max(_NORMAL.inv_cdf(power) - self._guessing, _LEAST)))

    def note(self, noise: float, found: float) -> None:
        """So many are found at this noise; where all are, nothing follows for another noise."""
        if found < _NEARLY_ALL:
            self._points[float(np.log(noise))] = self._effect(found) - self._goal

    @property
    def guess(self) -> float:
        """Where the limit is likely to be just kept: effects fall about in proportion to the noise, or as measured."""
        if not self._points:
            return 1.0
        (near, excess), *others = sorted(self._points.items(), key=lambda point: abs(point[1]))
        slope = (others[0][1] - excess) / (others[0][0] - near) if others else -1.0
        return float(np.exp(np.clip(near - excess / min(slope, -0.5), -20.0, 20.0)))


class NoAdvice(StrEnum):
    """Why no noise is advised; the values are what the picture says, in the words of the order."""

    GUESSING = "Blind guessing {finds} no fewer: no noise meets it."
    NOT_NEEDED = ""
    BEYOND = "Only noise beyond the controls meets it."
    NOT_FOUND = "The least noise that meets it was not found in a moment; “Solve for” on Mechanism looks longer."


def advised(choice: ReleaseChoice) -> float | NoAdvice:
    """The least noise with which the release keeps the limit by the numbers that pages state.

    Of three digits; of several phases the first one's, where the factor on all of them has three.
    """
    if choice.limit <= choice.alpha:
        return NoAdvice.GUESSING
    release, measured = choice.mechanism, _Measured(choice)

    def keeps(noise: float, is_fine: bool = True) -> bool:
        found = level(at_noise(release, noise), choice.alpha, choice.order, is_fine=is_fine).found
        if found is None:
            return False
        measured.note(noise, found)
        return is_within(found, choice.limit)

    try:
        with portion(SECONDS):
            found = _least(keeps, measured, choice)
    except ValueError:  # also of the deadline
        return NoAdvice.NOT_FOUND
    can_be_set = isinstance(found, NoAdvice) or is_usable(at_noise(release, found))
    return found if can_be_set else NoAdvice.BEYOND


def _least(keeps: Callable[..., bool], measured: _Measured, choice: ReleaseChoice) -> float | NoAdvice:
    """First coarsely among the slider's round values, then finely among numbers of three digits near there."""
    release = choice.mechanism
    is_kept = keeps(release.noise_multiplier)
    place = _first(lambda noise: keeps(noise, is_fine=False), SLIDER_NOISES, measured)
    if place == 0 and (is_kept or release.noise_multiplier >= SLIDER_NOISES[0]):
        return NoAdvice.NOT_NEEDED
    if place == len(SLIDER_NOISES):
        goal = PowerTarget(choice.limit, choice.alpha, choice.order)
        least = cached.noise_for(goal, release.with_noise(1.0)).noise_multiplier
        sought = noise_levels.round_up_noise(release, least, _DIGITS)
        return sought if keeps(sought) else NoAdvice.NOT_FOUND
    unit = noise_levels.unit(release)
    low, high = (SLIDER_NOISES[at] / unit for at in (max(place - 2, 0), place))
    # One in the last digit; of a power of ten in that of what lies just below it, where the least may be.
    last = 10.0 ** (np.floor(np.log10(high * (1.0 - _LEAST))) - (_DIGITS - 1))
    counts = range(round(low / last), ceil(high / last * (1.0 - _LEAST)) + 1)
    fine = [noise_levels.of_six_digits(float(f"{count * last:.{_DIGITS}g}") * unit) for count in counts]
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


# Other levers than noise, each solved alone with the rest as it is: they may cost less accuracy


@shared_cache
def levers(
    target: Goal, release: SampledMechanism, run: TrainingRun, deadline: Deadline = UNLIMITED
) -> tuple[TrainingRun, ...]:
    """The run with fewer epochs, a smaller batch, and more people, each the least change that keeps ``target``.

    To three digits; batches and people are whole. A lever that keeps it at no value is left out.
    """

    def keeps(changed: TrainingRun) -> bool:
        deadline.check()
        with suppress(UnsupportedError):  # some ways to draw batches do not come out even
            made = replace(release, sampling_rate=changed.rate, steps=changed.steps)
            return cached.measured(target, made).upper <= target.goal
        return False

    batches = sorted({floor(count) for count in _of_three_digits(1.0, run.batch)}, reverse=True)
    ways = (
        [replace(run, epochs=epochs) for epochs in reversed(_of_three_digits(run.rate, run.epochs))],
        [replace(run, batch=float(batch)) for batch in batches],
        [replace(run, people=ceil(people)) for people in _of_three_digits(run.people, BOXES["people"].high)],
    )
    found = []
    for changes in ways:
        possible = [changed for changed in changes if changed != run and not changed.refusal()]
        place = bisect_left(possible, True, key=keeps)
        found += possible[place : place + 1]
    return tuple(found)


def _of_three_digits(low: float, high: float) -> list[float]:
    """The numbers of three digits from one to the other, ascending."""
    decades = range(floor(log10(low)) - 2, floor(log10(high)) - 1)
    values = (float(f"{digits}e{decade}") for decade in decades for digits in range(100, 1000))
    return [value for value in values if low <= value <= high]


def levers_in_words(choice: ReleaseChoice, target: Goal) -> str:
    """What else keeps ``target``, in a sentence; empty where nothing does, or the run is entered in other words."""
    release, run = choice.mechanism, choice.run
    if run is None or not isinstance(release, SampledMechanism) or not release.is_sampled:
        return ""
    said = []
    for changed in levers(target, release, run):
        if changed.epochs != run.epochs:
            said.append(counted_epochs(changed.epochs))
        elif changed.batch != run.batch:
            said.append(f"a batch of {quantity(changed.batch)}")
        else:
            said.append(f"{changed.people:,} {'people' if release.records_per_person == 1 else 'records'}")
    listed = ", or ".join(filter(None, (", ".join(said[:-1]), *said[-1:])))
    return f"So would, with the noise as it is, each of these alone: {listed}." if said else ""


def draw_found(found: Calibration) -> None:
    """Say what noise was found, and offer to use it."""
    if not found.noise_needed:
        st.success(f"No noise is needed: noise {listed(found.mechanism)} already keeps this limit.")
        return
    release = release_in_force.current().mechanism
    # Small numbers as on the rest of the page: 10⁻⁵.
    limit = re.sub(r"\d[\d.]*e[-+]\d+", lambda number: as_entered(float(number[0])), found.target.label)
    st.success(
        f"**{remedy(release, found.mechanism)}** keeps {limit}: "
        f"the guarantee at this noise is {rounded_up(found.reached.upper, 6)}.",
        icon=":material/check:",
    )
    in_use = noises(found.mechanism) == noises(release)
    several = len(release.phases) > 1
    label = "This noise is in use" if in_use else use(release, found.mechanism) if several else "Use this noise"
    usable = is_usable(found.mechanism) and not in_use
    st.button(
        label, on_click=release_in_force.put_noise, args=(found.mechanism,), disabled=not usable, key="remedies.use"
    )
