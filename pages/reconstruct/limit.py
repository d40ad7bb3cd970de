"""How often a guess may be right: the limit of all pages at the prior of the guess, the verdict, and what keeps it."""

from dataclasses import dataclass, replace

import streamlit as st

from numerics import calibration, reconstruction
from numerics.calibration import Calibration, Unremembered
from numerics.deadline import UNLIMITED, Deadline, DeadlineError
from numerics.mechanisms import Mechanism
from numerics.trade_off import Bracket
from pages.server.shared_cache import Private, shared_cache
from pages.ui import noise_levels, release_in_force, remedies
from pages.ui.limit import Limit, people
from pages.ui.numbers_in_words import (
    CROWD,
    ceiling_digits,
    floor_digits,
    is_within,
    one_in,
    quantity,
    rounded_down,
    rounded_up,
)
from pages.ui.prior_guess import PRECISION, Guessed, Known, attribute, guessed_right, success
from pages.ui.skipped import error_boundary

_NEARLY = 0.05  # of a ratio, that is called twice
_DIGITS = 3  # of the noise that is offered, if that many are enough
_PRIOR_DIGITS, _ATTEMPTS, _LEAST_STEP = 5, 16, 1e-5


@dataclass(frozen=True)
class GuessLimit(Limit):
    """The limit of all pages as a guess has it: the largest acceptable probability that it is right.

    A guess right with probability ``kappa`` beforehand is a test at this rate of false accusations.
    """

    kappa: float

    @property
    def share(self) -> float:
        """How often a guess may be right; as private as the prior."""
        return type(self.kappa)(self.at(self.kappa))

    @property
    def words(self) -> str:
        """As it was set, ``20 of 10,000``; at another rate rounded down, and ``1 in 20,500`` where it is that rare."""
        if self.kappa == self.alpha:
            return f"{quantity(self.found * CROWD)} of {CROWD:,}"
        if (count := people(self.share)) < 1.0:
            return f"1 in {ceiling_digits(1.0 / self.share, _DIGITS):,.0f}"
        return f"{quantity(count)} of {CROWD:,}"

    @property
    def stated(self) -> str:
        """The limit as it was set, where that was at another rate; empty where it is the same."""
        if self.kappa == self.alpha:
            return ""
        return f" ({quantity(self.found * CROWD)} at {quantity(self.alpha * CROWD)} false alarms)"

    @property
    def name(self) -> str:
        """The limit on a figure."""
        return f"limit, {self.words.removesuffix(f' of {CROWD:,}')}"

    def is_kept(self, success: Bracket) -> bool:
        """Whether no guess is right more often."""
        return is_within(success.upper, self.share)


def draw_verdict(release: Mechanism, known: Known, limit: GuessLimit) -> None:
    """Draw the sentence, and a button for the noise where the limit is not kept. Looks for that noise."""
    success = guessed_right(release, known)
    noisy, remedy = (None, "") if limit.is_kept(success) else advised(release, known, limit)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(words(success, limit, remedy), width="content")
        if noisy is not None:
            label, key = remedies.use(release, noisy), "reconstruct.use_guess_noise"
            st.button(label, on_click=release_in_force.put_noise, args=(noisy,), key=key)


def words(success: Bracket, limit: GuessLimit, remedy: str = "") -> str:
    """Whether the limit is kept, or by how much it is missed; with the sentence that says what keeps it."""
    badge = ":green-badge[✓ Met]" if limit.is_kept(success) else ":orange-badge[✕ Too often]"
    said = f"your limit of {limit.words}{limit.stated}"
    if limit.is_kept(success):
        return f"{badge} Within {said}."
    if limit.is_out_of_reach:
        return f"{badge} Guessing alone exceeds {said}: no noise can keep it."
    ratio = success.upper / limit.share
    times = "Twice" if abs(ratio - 2.0) < _NEARLY else f"{rounded_up(ratio, 2 if ratio > 1.0 + _NEARLY else 3)} times"
    return f"{badge} {times} {said}. {remedy}".rstrip()


@shared_cache
def largest_prior(release: Mechanism, limit: float, deadline: Deadline = UNLIMITED) -> Bracket:
    """The prior up to which reconstruction stays at or below ``limit``.

    ``lower`` has five digits, and ``success`` says of it that the limit is kept; it is 0 where no such prior is found.
    """
    found = reconstruction.largest_prior(release, limit, PRECISION)
    kind, prior = type(limit), found.lower  # what follows from an upload is as private
    for attempt in range(_ATTEMPTS):
        deadline.check()
        prior = kind(floor_digits(prior, _PRIOR_DIGITS))
        reached = success(release, prior).upper
        if reached <= limit:
            return Bracket(prior, max(found.estimate, prior), found.upper)
        prior *= 1.0 - min(max(reached / limit - 1.0, _LEAST_STEP) * 2.0**attempt, 0.5)
    return found._replace(lower=0.0)


@shared_cache
def noise_for(
    limit: float, prior: float, release: Mechanism, is_yes_or_no: bool = False, deadline: Deadline = UNLIMITED
) -> Calibration:
    """The least noise with which a guess right with probability ``prior`` is right with the release at most so often.

    By the number that the pages then show.
    """
    if is_yes_or_no:
        answers = reconstruction.AttributeTarget(limit, prior)
        return calibration.noise_for(answers, release, lambda noisy: attribute(noisy, prior), deadline)
    target = reconstruction.ReconstructionTarget(limit, prior)
    if not isinstance(prior, Private):
        return calibration.noise_for(target, release, lambda noisy: success(noisy, prior), deadline)
    precision = replace(PRECISION.down_to(prior), is_remembered=False)  # the noise follows from the prior
    found = calibration.noise_for(
        Unremembered(target), release, lambda noisy: noisy.reconstruction(prior, precision), deadline
    )
    return replace(found, target=target)


def least_noise(release: Mechanism, known: Known, limit: GuessLimit) -> Calibration:
    """The least noise with which the release keeps the limit, by the number that the page shows."""
    return noise_for(limit.share, known.kappa, release.with_noise(1.0), known.guessed is Guessed.YES_OR_NO)


def advised(release: Mechanism, known: Known, limit: GuessLimit) -> tuple[Mechanism | None, str]:
    """The release with that noise, in few digits, and what is said of it; None where there is none, and why."""
    if limit.is_out_of_reach:
        return None, "No noise can keep it."
    try:
        found = least_noise(release, known, limit).mechanism
    except DeadlineError:
        return None, "The noise that meets it takes longer to find."
    except ValueError:
        return None, "No noise that can be computed meets it."
    if not noise_levels.is_usable(found):
        return None, f"{remedies.remedy(release, found)} meets it, which is beyond the controls."
    if len(found.phases) == 1 and not isinstance(known.kappa, Private):  # an upload's noise is not asked about again
        short = found.with_noise(ceiling_digits(found.noise_multiplier, _DIGITS))
        if limit.is_kept(guessed_right(short, known)) and noise_levels.is_usable(short):
            found = short
    return found, f"{remedies.remedy(release, found)} meets it."


def draw_allowed(release: Mechanism, known: Known, limit: GuessLimit) -> None:
    """Draw the inverse questions: the least noise that keeps the limit, and the guesses for which this release does."""
    st.markdown(f"**How little noise is enough,** if a guess is right {one_in(known.kappa)} times beforehand?")
    with (
        error_boundary("noise found"),
        st.spinner("Searching the smallest noise that keeps this limit …", show_time=True),
    ):
        remedies.draw_found(least_noise(release, known, limit))
    with error_boundary("largest guess"):
        largest = largest_prior(release, limit.share)
        st.markdown("**How well may the attacker guess beforehand,** with the release as it is?")
        beyond = "" if largest.width == 0 else f" From {rounded_up(largest.upper, 5)} on that is no longer promised."
        st.success(
            f"Up to **κ = {rounded_down(largest.lower, 5)}** a guess among any number of values is right at most "
            f"{rounded_up(limit.share, 5)} of the time.{beyond}",
            icon=":material/check:",
        )
