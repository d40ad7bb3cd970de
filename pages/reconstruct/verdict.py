"""The answer held against the limit, and the noise that keeps it."""

import streamlit as st

from numerics.calibration import Calibration
from numerics.deadline import DeadlineError
from numerics.trade_off import Bracket
from pages.reconstruct.limit import Limit
from pages.server.shared_cache import Private
from pages.ui import cached_reconstruction, solve_for
from pages.ui.numbers_in_words import ceiling_digits, rounded_up
from pages.ui.prior_guess import Guessed, Known
from pages.ui.release_curves import Release

_NEARLY = 0.05  # of a ratio, that is called twice
_DIGITS = 3  # of the noise that is offered, if that many are enough


def draw(release: Release, known: Known, limit: Limit) -> None:
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
        noise = ", ".join(f"{one:g}" for one in solve_for.noises(noisy))
        st.markdown(words(success, known, limit, noise), width="content")
        st.button(f"Use {noise}", on_click=solve_for.use, args=(noisy,), key="use_guess_noise")


def words(success: Bracket, known: Known, limit: Limit, noise: str = "") -> str:
    """Whether the limit is kept, by how much it is missed, and the ``noise`` that keeps it."""
    badge = ":green-badge[✓ Met]" if limit.is_kept(success) else ":orange-badge[✕ Too often]"
    if not limit.is_own:
        end = f"noise {noise} keeps it {limit.start}" if noise else f"the limit is {limit.start.removeprefix('at ')}"
        return f"{badge} {rounded_up(success.upper / known.kappa)} times the guess; {end}."
    if limit.share <= known.kappa:
        return f"{badge} Guessing alone exceeds your limit of {limit.words}: no noise can keep it."
    if limit.is_kept(success):
        return f"{badge} Within your limit of {limit.words}."
    end = f" Noise {noise} meets it." if noise else ""
    return f"{badge} {_times(success.upper / limit.share)} your limit of {limit.words}.{end}"


def _times(ratio: float) -> str:
    """How many times the limit, rounded up, as the beginning of a sentence."""
    if abs(ratio - 2.0) < _NEARLY:
        return "Twice"
    return f"{rounded_up(ratio, 2 if ratio > _NEARLY + 1.0 else 3)} times"


def least_noise(release: Release, known: Known, limit: Limit) -> Calibration:
    """The least noise with which the release keeps the limit, by the number that the page shows."""
    is_answer = known.guessed is Guessed.YES_OR_NO
    search = cached_reconstruction.noise_for_attribute if is_answer else cached_reconstruction.noise_for
    return search(limit.share, known.kappa, release.with_noise(1.0))


def _advised(release: Release, known: Known, limit: Limit) -> tuple[Release | None, str]:
    """The release with that noise, in few digits; None where there is none, and why."""
    try:
        found = least_noise(release, known, limit).mechanism
    except DeadlineError:
        return None, "The noise that meets it takes longer to find."
    except ValueError:
        return None, "No noise that can be computed meets it."
    if not solve_for.is_usable(found):
        return None, f"Noise {found.noise_multiplier:g} would, which is beyond the controls."
    return _rounded(found, known, limit), ""


def _rounded(found: Release, known: Known, limit: Limit) -> Release:
    """Fewer digits, if these keep the limit too; what follows from an upload is not asked about again."""
    if len(found.phases) > 1 or isinstance(known.kappa, Private):
        return found
    short = found.with_noise(ceiling_digits(found.noise_multiplier, _DIGITS))
    kept = limit.is_kept(cached_reconstruction.guessed_right(short, known))
    return short if kept and solve_for.is_usable(short) else found
