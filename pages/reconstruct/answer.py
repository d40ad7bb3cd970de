"""The answer above the fold: what a guess becomes with the release."""

from numerics import reconstruction
from numerics.trade_off import Bracket
from pages.reconstruct.controls import ReconstructionSetting
from pages.ui import cached_reconstruction
from pages.ui.numbers_in_words import EPSILON_DIGITS, as_entered, rounded_down, rounded_up
from pages.ui.prior_guess import odds, success_sentence
from pages.ui.readout import Metric

_LIKELY = 0.5


def sentence(setting: ReconstructionSetting) -> str:
    """What a guess becomes, for somebody who has never heard of a prior."""
    return success_sentence(cached_reconstruction.success(setting.release, setting.prior), setting.known)


def numbers(setting: ReconstructionSetting) -> list[Metric]:
    """The guarantees in numbers, each with how well it is known."""
    release, prior = setting.release, setting.prior
    success, epsilon = cached_reconstruction.success(release, prior), setting.epsilon
    alone = reconstruction.from_epsilon_delta(epsilon, setting.choice.delta, prior)
    promised, delta = rounded_up(epsilon, EPSILON_DIGITS), as_entered(setting.choice.delta)
    return [
        Metric("Reconstructed, γ", rounded_up(success.upper), f"At prior κ = {prior:.3g}. {_how_far(success)}"),
        Metric(
            "Times the guess",
            rounded_up(success.upper / prior),
            "At most: γ / κ, how much likelier a right guess gets.",
        ),
        Metric(
            "From ε and δ alone",
            rounded_up(alone.tight),
            f"What ε = {promised} at δ = {delta} promises without knowing the mechanism; as printed in paper 003: "
            f"{rounded_up(alone.printed)}.",
        ),
        Metric(f"ε at δ = {delta}", promised, "At most; differential privacy of this release."),
    ]


def _how_far(success: Bracket) -> str:
    """What the number is: the most that any attack reaches, and how near the best test of presence comes."""
    if success.width == 0:
        return "No attack is right more often: it is the power of the best test of presence, exactly."
    return (
        f"No attack is right more often than {rounded_up(success.upper, 8)}. The best test of presence lies between "
        f"{rounded_down(success.lower, 8)} and that; whether naming a candidate reaches as much depends on the data."
    )


def weakness(setting: ReconstructionSetting) -> str:
    """Words for a release that makes reconstruction likelier than not; empty for others."""
    success = cached_reconstruction.success(setting.release, setting.prior)
    if success.upper <= _LIKELY or setting.prior > _LIKELY / 2:
        return ""
    return (
        f"**Reconstruction may be likelier than not:** all that is promised is at most {odds(success.upper)} times. "
        "More noise, fewer steps or a smaller sampling rate would change that."
    )
