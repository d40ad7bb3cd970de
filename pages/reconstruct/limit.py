"""How often a guess may be right, at most: what the visitor says, or twice as often as without; and the verdict."""

from dataclasses import dataclass

import streamlit as st

from numerics.calibration import Calibration
from numerics.deadline import DeadlineError
from numerics.mechanisms import Mechanism
from numerics.trade_off import Bracket
from pages.server.shared_cache import Private
from pages.ui import cached_reconstruction, phase_noise, release_controls
from pages.ui.number_box import number_box
from pages.ui.numbers_in_words import CROWD, ceiling_digits, is_within, quantity, rounded_up
from pages.ui.prior_guess import Guessed, Known, odds

KEYS = ("reconstruct.guess_limit",)
_SMALLEST, _LARGEST = 1e-8, 9_999.9999
_HELP = (
    "The risk that you accept: of so many guesses, how many may be right once the attacker has seen the release? It "
    "starts at twice what the guess is right anyway; from one in three on, half-way to always."
)


@dataclass(frozen=True)
class GuessLimit:
    """The largest acceptable probability that a guess is right, and where it starts if the visitor did not say it."""

    share: float
    start: str = ""

    @classmethod
    def starting(cls, kappa: float) -> "GuessLimit":
        """Twice the guess, or half-way to certainty where that is less; no number fits guesses of any probability."""
        share, start = min((2.0 * kappa, "at twice"), (0.5 * (1.0 + kappa), "half-way to always"))
        return cls(Private(share) if isinstance(kappa, Private) else share, start)

    @property
    def is_own(self) -> bool:
        """Whether the visitor said it."""
        return not self.start

    @property
    def words(self) -> str:
        """``20 of 10,000``; where it starts below one, as guesses are said that rare: ``1 in 500,000``."""
        return f"{self._count} of {CROWD:,}" if self._is_counted else odds(self.share)

    @property
    def name(self) -> str:
        """The limit on a figure."""
        count = self._count if self._is_counted else odds(self.share)
        return f"my limit, {count}" if self.is_own else f"limit, {count}"

    @property
    def _count(self) -> str:
        """Of 10,000, as the visitor said it, or rounded."""
        times = self.share * CROWD
        return quantity(times if self.is_own else float(f"{times:.4g}"))

    @property
    def _is_counted(self) -> bool:
        return self.is_own or self.share * CROWD >= 1.0

    def is_kept(self, success: Bracket) -> bool:
        """Whether no guess is right more often."""
        return is_within(success.upper, self.share)


def draw(known: Known) -> GuessLimit:
    """Draw the box; what it says when it is empty stands in it."""
    first = GuessLimit.starting(known.kappa)
    start = f"{float(f'{first.share * CROWD:.4g}'):,g}, to start with"
    label = f"My limit: right guesses, of {CROWD:,}"
    value = number_box(label, "reconstruct.guess_limit", (_SMALLEST, _LARGEST), None, _HELP, unset=start, step=1.0)
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
        label = phase_noise.use(release, noisy)
        st.button(label, on_click=release_controls.put_noise, args=(noisy,), key="reconstruct.use_guess_noise")


def remedy(release: Mechanism, known: Known, limit: GuessLimit) -> str:
    """The noise that keeps the limit, in a sentence, or why none is named; empty where guessing alone exceeds it."""
    if limit.share <= known.kappa:
        return ""
    noisy, why = _advised(release, known, limit)
    return why if noisy is None else f"{phase_noise.remedy(release, noisy)} meets it."


def words(success: Bracket, known: Known, limit: GuessLimit, remedy: str = "") -> str:
    """Whether the limit is kept, by how much it is missed, and what keeps it: the subject of a sentence."""
    badge = ":green-badge[✓ Met]" if limit.is_kept(success) else ":orange-badge[✕ Too often]"
    if not limit.is_own:
        end = f"the limit is {limit.start.removeprefix('at ')}"
        if remedy:
            end = f"{remedy[0].lower()}{remedy[1:]} keeps it {limit.start}"
        return f"{badge} {rounded_up(success.upper / known.kappa)} times the guess; {end}."
    if limit.share <= known.kappa:
        return f"{badge} Guessing alone exceeds your limit of {limit.words}: no noise can keep it."
    if limit.is_kept(success):
        return f"{badge} Within your limit of {limit.words}."
    end = f" {remedy} meets it." if remedy else ""
    return f"{badge} {_times(success.upper / limit.share)} your limit of {limit.words}.{end}"


def _times(ratio: float) -> str:
    """How many times the limit, rounded up, as the beginning of a sentence."""
    if abs(ratio - 2.0) < _NEARLY:
        return "Twice"
    return f"{rounded_up(ratio, 2 if ratio > _NEARLY + 1.0 else 3)} times"


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
    return _rounded(found, known, limit), ""


def _rounded(found: Mechanism, known: Known, limit: GuessLimit) -> Mechanism:
    """Fewer digits, if these keep the limit too; what follows from an upload is not asked about again."""
    if len(found.phases) > 1 or isinstance(known.kappa, Private):
        return found
    short = found.with_noise(ceiling_digits(found.noise_multiplier, _DIGITS))
    kept = limit.is_kept(cached_reconstruction.guessed_right(short, known))
    return short if kept and phase_noise.is_usable(short) else found
