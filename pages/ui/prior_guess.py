"""What the attacker can guess beforehand, in a number and in words, and what becomes of the guess."""

from dataclasses import dataclass

from numerics.trade_off import Bracket
from pages.ui.numbers_in_words import at_most, counted, one_in, rounded_down

_DIGITS = 3  # of "1 in k": more cannot be pictured
_RARE = 0.1  # below it "1 in k" overstates by a tenth at most
_MOST_TIMES = 10**10  # larger numbers are written as powers of ten
_ALL_BUT_CERTAIN = 1.0 - 1e-9
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Known:
    """A prior guess.

    Attributes:
        kappa: how often the attacker's best guess of the record is right without the release.
        words: where that comes from, for a sentence; free of markup and of a stranger's text; empty where it is given.
    """

    kappa: float
    words: str


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
