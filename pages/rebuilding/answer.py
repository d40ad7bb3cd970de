"""The answer above the fold: what a guess becomes with the release."""

from numerics import reconstruction
from numerics.trade_off import Bracket
from pages.rebuilding.known import Known
from pages.rebuilding.setting import Setting
from pages.shared import cached_reconstruction
from pages.shared.frequencies import EPSILON_DIGITS, at_most, chosen, counted, one_in, rounded_down, rounded_up
from pages.shared.readout import Metric

_LIKELY = 0.5
_DIGITS = 3  # of "1 in k": more cannot be pictured
_RARE = 0.1  # below it "1 in k" overstates by a tenth at most
_MOST_TIMES = 10**10  # larger numbers are written as powers of ten
_ALL_BUT_CERTAIN = 1.0 - 1e-9
_ROUNDING = 1e-12


def sentence(setting: Setting) -> str:
    """What a guess becomes, for somebody who has never heard of a prior."""
    return success_sentence(cached_reconstruction.success(setting.release, setting.prior), setting.known)


def success_sentence(success: Bracket, known: Known) -> str:
    """What a guess becomes that succeeds so often with the release."""
    source = f" ({known.words})" if known.words else ""
    if known.kappa == 1.0:
        return f"**Nothing to protect:** the attacker guesses the record right without the release{source}."
    guessed, rebuilt = in_words(known.kappa, success.upper)
    before = f"An attacker who guesses a record right {guessed} times{source}"
    if success.upper > _ALL_BUT_CERTAIN:
        return f"**No protection here:** {before[0].lower()}{before[1:]} may always get it right with this release."
    return f"{before} gets it right at most **{rebuilt}** times with this release."


def in_words(kappa: float, success: float) -> tuple[str, str]:
    """A guess and what it becomes at most, in the same form: both "1 in k" where that is rare, else of one crowd.

    >>> in_words(2e-5, 0.00013297)
    ('1 in 50,000', '1 in 7,520')
    >>> in_words(0.1, 0.43)
    ('1,000 of 10,000', '4,300 of 10,000')
    """
    if success > _RARE:
        rebuilt = at_most(success)
        return counted(kappa, rebuilt.of), str(rebuilt)
    times = round(1.0 / kappa)
    is_whole = abs(times * kappa - 1.0) < _ROUNDING and times <= _MOST_TIMES
    return f"1 in {times:,}" if is_whole else one_in(kappa), odds(success)


def odds(rate: float) -> str:
    """A probability as "1 in k", rounded up; as a count where that would overstate it by more than a tenth.

    >>> odds(0.043)
    '1 in 23'
    >>> odds(1 / 106_732)
    '1 in 106,000'
    >>> odds(0.43)
    '4,300 of 10,000'
    """
    if not 0.0 < rate <= _RARE:
        return str(at_most(rate))
    times = int(1.0 / rate * (1.0 + _ROUNDING))
    unit = 10 ** max(len(str(times)) - _DIGITS, 0)
    return f"1 in {times // unit * unit:,}" if times <= _MOST_TIMES else f"1 in {rounded_down(times, _DIGITS)}"


def numbers(setting: Setting) -> list[Metric]:
    """The guarantees in numbers, each with how well it is known."""
    release, prior = setting.release, setting.prior
    success, epsilon = cached_reconstruction.success(release, prior), setting.epsilon
    alone = reconstruction.from_epsilon_delta(epsilon, setting.choice.delta, prior)
    promised, delta = rounded_up(epsilon, EPSILON_DIGITS), chosen(setting.choice.delta)
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


def weakness(setting: Setting) -> str:
    """Words for a release that makes reconstruction likelier than not; empty for others."""
    success = cached_reconstruction.success(setting.release, setting.prior)
    if success.upper <= _LIKELY or setting.prior > _LIKELY / 2:
        return ""
    return (
        f"**Reconstruction may be likelier than not:** all that is promised is at most {odds(success.upper)} times. "
        "More noise, fewer steps or a smaller sampling rate would change that."
    )
