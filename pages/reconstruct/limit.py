"""How often a guess may be right, at most: what the visitor says, or twice as often as without; and the verdict."""

from dataclasses import dataclass

import streamlit as st

from numerics.calibration import Calibration
from numerics.deadline import DeadlineError
from numerics.mechanisms import Mechanism
from numerics.trade_off import Bracket
from pages.server.shared_cache import Private
from pages.ui import cached_reconstruction, phase_noise, release_controls, solve_for
from pages.ui.error_boundary import error_boundary
from pages.ui.number_box import number_box
from pages.ui.numbers_in_words import (
    CROWD,
    as_entered,
    ceiling_digits,
    is_within,
    one_in,
    quantity,
    rounded_down,
    rounded_up,
)
from pages.ui.prior_guess import Guessed, Known, odds

KEYS = ("reconstruct.guess_limit",)
_HELP = (
    "The risk that you accept: of so many guesses, how many may be right once the attacker has seen the release? It "
    "starts at twice what the guess is right anyway; from one in three on, half-way to always."
)


@dataclass(frozen=True)
class GuessLimit:
    """The largest acceptable probability that a guess is right; ``start``: how it was set if the visitor did not."""

    share: float
    start: str = ""

    @classmethod
    def starting(cls, kappa: float) -> "GuessLimit":
        """Twice the guess, or half-way to certainty where that is less; no number fits guesses of any probability."""
        share, start = min((2.0 * kappa, "at twice"), (0.5 * (1.0 + kappa), "half-way to always"))
        return cls(Private(share) if isinstance(kappa, Private) else share, start)

    def at(self, kappa: float) -> "GuessLimit":
        """The limit at another prior: one that follows from the prior goes along."""
        return GuessLimit.starting(kappa) if self.start else self

    @property
    def words(self) -> str:
        """``20 of 10,000``; where it starts below one, as guesses are said that rare: ``1 in 500,000``."""
        count = self.share * CROWD
        if self.start and count < 1.0:
            return odds(self.share)
        return f"{quantity(float(f'{count:.4g}') if self.start else count)} of {CROWD:,}"

    @property
    def name(self) -> str:
        """The limit on a figure."""
        return f"{'' if self.start else 'my '}limit, {self.words.removesuffix(f' of {CROWD:,}')}"

    def is_kept(self, success: Bracket) -> bool:
        """Whether no guess is right more often."""
        return is_within(success.upper, self.share)


def draw(known: Known) -> GuessLimit:
    """Draw the box; what it says when it is empty stands in it."""
    first = GuessLimit.starting(known.kappa)
    start = f"{float(f'{first.share * CROWD:.4g}'):,g}, to start with"
    label = f"My limit: right guesses, of {CROWD:,}"
    value = number_box(label, "reconstruct.guess_limit", (1e-8, 9_999.9999), None, _HELP, unset=start, step=1.0)
    return first if value is None else GuessLimit(value / CROWD)


_NEARLY = 0.05  # of a ratio, that is called twice
_DIGITS = 3  # of the noise that is offered, if that many are enough


def draw_verdict(release: Mechanism, known: Known, limit: GuessLimit) -> None:
    """Draw the sentence, and a button for the noise where the limit is not kept. Looks for that noise."""
    success = cached_reconstruction.guessed_right(release, known)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if limit.is_kept(success) or limit.share <= known.kappa:
            st.markdown(words(success, known, limit), width="content")
            return
        noisy, why = _advised(release, known, limit)
        if noisy is None:
            st.markdown(f"{words(success, known, limit)} {why}", width="content")
            return
        st.markdown(words(success, known, limit, phase_noise.remedy(release, noisy)), width="content")
        label, key = phase_noise.use(release, noisy), "reconstruct.use_guess_noise"
        st.button(label, on_click=release_controls.put_noise, args=(noisy,), key=key)


def remedy(release: Mechanism, known: Known, limit: GuessLimit) -> str:
    """The noise that keeps the limit, in a sentence, or why none is named; empty where guessing alone exceeds it."""
    if limit.share <= known.kappa:
        return ""
    noisy, why = _advised(release, known, limit)
    return why if noisy is None else f"{phase_noise.remedy(release, noisy)} meets it."


def words(success: Bracket, known: Known, limit: GuessLimit, remedy: str = "") -> str:
    """Whether the limit is kept, by how much it is missed, and what keeps it: the subject of a sentence."""
    badge = ":green-badge[✓ Met]" if limit.is_kept(success) else ":orange-badge[✕ Too often]"
    if limit.start:
        end = f"the limit is {limit.start.removeprefix('at ')}"
        if remedy:
            end = f"{remedy[0].lower()}{remedy[1:]} keeps it {limit.start}"
        return f"{badge} {rounded_up(success.upper / known.kappa)} times the guess; {end}."
    if limit.share <= known.kappa:
        return f"{badge} Guessing alone exceeds your limit of {limit.words}: no noise can keep it."
    if limit.is_kept(success):
        return f"{badge} Within your limit of {limit.words}."
    ratio = success.upper / limit.share
    times = "Twice" if abs(ratio - 2.0) < _NEARLY else f"{rounded_up(ratio, 2 if ratio > 1.0 + _NEARLY else 3)} times"
    end = f" {remedy} meets it." if remedy else ""
    return f"{badge} {times} your limit of {limit.words}.{end}"


def least_noise(release: Mechanism, known: Known, limit: GuessLimit) -> Calibration:
    """The least noise with which the release keeps the limit, by the number that the page shows."""
    is_answer = known.guessed is Guessed.YES_OR_NO
    search = cached_reconstruction.noise_for_attribute if is_answer else cached_reconstruction.noise_for
    return search(limit.share, known.kappa, release.with_noise(1.0))


def _advised(release: Mechanism, known: Known, limit: GuessLimit) -> tuple[Mechanism | None, str]:
    """The release with that noise, in few digits; None where there is none, and why."""
    try:
        found = least_noise(release, known, limit).mechanism
    except DeadlineError:
        return None, "The noise that meets it takes longer to find."
    except ValueError:
        return None, "No noise that can be computed meets it."
    if not phase_noise.is_usable(found):
        return None, f"{phase_noise.remedy(release, found)} meets it, which is beyond the controls."
    if len(found.phases) > 1 or isinstance(known.kappa, Private):  # an upload's noise is not asked about again
        return found, ""
    short = found.with_noise(ceiling_digits(found.noise_multiplier, _DIGITS))
    is_enough = limit.is_kept(cached_reconstruction.guessed_right(short, known)) and phase_noise.is_usable(short)
    return (short if is_enough else found), ""


def draw_allowed(release: Mechanism, known: Known, limit: GuessLimit) -> None:
    """Draw the inverse questions: the least noise that keeps the limit, and the guesses for which this release does."""
    st.markdown(f"**How little noise is enough,** if a guess is right {one_in(known.kappa)} times beforehand?")
    with (
        error_boundary("noise found"),
        st.spinner("Searching the smallest noise that keeps this limit …", show_time=True),
    ):
        solve_for.answer(least_noise(release, known, limit))
    with error_boundary("largest guess"):
        largest = cached_reconstruction.largest_prior(release, limit.share)
        st.markdown("**How well may the attacker guess beforehand,** with the release as it is?")
        beyond = "" if largest.width == 0 else f" From {rounded_up(largest.upper, 5)} on that is no longer promised."
        st.success(
            f"Up to **κ = {rounded_down(largest.lower, 5)}** a guess among any number of values is right at most "
            f"{as_entered(limit.share)} of the time.{beyond}",
            icon=":material/check:",
        )
