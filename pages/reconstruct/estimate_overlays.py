"""The literature's estimates laid over the certified curve, with their error at the prior in force in words."""

import numpy as np
import streamlit as st

from pages.reconstruct import monte_carlo
from pages.reconstruct.controls import ReconstructionSetting
from pages.server.shared_cache import Private
from pages.ui import cached_reconstruction, estimates
from pages.ui.prior_guess import Guessed
from plotting.curves import Estimated

_NEAR = 1.5  # as a ratio of priors; the curves' samples are closer together


def overlays(setting: ReconstructionSetting) -> list[Estimated]:
    """The chosen estimates, and what this session drew with Algorithm 1; those that cannot be had say why."""
    chosen = setting.shown.estimates
    if setting.known.guessed is Guessed.YES_OR_NO:
        if chosen.names or setting.shown.also:
            st.info("A yes or no has a curve of its own: no estimates and other attackers.", icon=":material/info:")
        return []
    made = estimates.overlays(setting.release, chosen)
    drawn = monte_carlo.result_of(setting.release)
    return made if drawn is None else [*made, drawn.overlay]


def describe(setting: ReconstructionSetting, made: list[Estimated]) -> None:
    """How far each estimate is from the certified curve at the prior in force."""
    lines = [f"- {_sentence(setting, guess)}" for guess in made]
    if lines:
        st.markdown("\n".join(lines))


def _sentence(setting: ReconstructionSetting, guess: Estimated) -> str:
    curve = guess.curve
    index = int(np.argmin(np.abs(np.log(np.maximum(curve.alpha, 1e-300) / setting.prior))))
    prior, value = float(curve.alpha[index]), float(curve.power[index])
    if np.isnan(value):
        return f"**{curve.label}** is not usable at κ = {prior:.3g}: too few samples count there."
    # Which of the curve's samples is nearest tells where an uploaded prior lies.
    truth = cached_reconstruction.success(setting.release, Private(prior))
    spread = "" if guess.error is None else f" ± {float(guess.error[index]):.2g} (standard error)"
    verdict = estimates.comparison(value, truth.estimate)
    beyond = prior / setting.prior
    place = "" if 1.0 / _NEAR < beyond < _NEAR else f" at κ = {prior:.3g}, where estimates start,"
    return f"**{curve.label}** puts γ{place} at {value:.4g}{spread}, against {truth.estimate:.4g}: {verdict}."
