"""What the attacker can guess beforehand, in a number and in words, and what becomes of the guess.

The answers are remembered as in ``cached``: bounded, pure, and none about what was uploaded.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

import numpy as np

from numerics import approximations, reconstruction
from numerics.deadline import UNLIMITED, Deadline
from numerics.mechanisms import Adjacency, Mechanism
from numerics.privacy_loss import Precision
from numerics.trade_off import Bound, Bracket, Order, TradeOffCurve
from pages.server.shared_cache import Private, shared_cache
from pages.ui import cached
from pages.ui.cached import noise_at
from pages.ui.numbers_in_words import ALL_BUT_CERTAIN, CROWD, at_most, counted, one_in, rounded_down
from plotting.power import PowerCurve

_DIGITS = 3  # of "1 in k": more cannot be pictured
_RARE = 0.1  # below it "1 in k" overstates by a tenth at most
_MOST_TIMES = 10**10  # larger numbers are written as powers of ten
_ROUNDING = 1e-12


class Guessed(StrEnum):
    """What the attacker guesses; the values are the labels, and the values in the URL."""

    RECORD = "a record"
    ATTRIBUTE = "an attribute"
    YES_OR_NO = "a yes or no"
    PERSON = "whose record it is"


_ACTS: Mapping[Guessed, tuple[str, str]] = MappingProxyType(
    {
        Guessed.RECORD: ("guesses a record right", "gets it right"),
        Guessed.ATTRIBUTE: ("guesses somebody's attribute right", "gets it right"),
        Guessed.YES_OR_NO: ("guesses a yes or no right", "gets it right"),
        Guessed.PERSON: ("names the right person", "does so"),
    }
)


@dataclass(frozen=True)
class Known:
    """A prior guess.

    Attributes:
        kappa: how often the attacker's best guess is right without the release.
        words: where that comes from, for a sentence; free of markup and of a stranger's text; empty where it is given.
        guessed: what is guessed; a yes or no is guessed by the likelier of both.
    """

    kappa: float
    words: str
    guessed: Guessed = Guessed.RECORD


def success_sentence(success: Bracket, known: Known, records: int = 1) -> str:
    """What a guess becomes that succeeds so often with the release, in which a person has so many ``records``."""
    release = "this release" if records == 1 else f"this release, in which the person has {records:,} records"
    source = f" ({known.words})" if known.words else ""
    if known.kappa == 1.0:
        return f"**Nothing to protect:** the attacker's guess is always right without the release{source}."
    guessed, rebuilt = in_words(known.kappa, success.upper)
    guesses, succeeds = _ACTS[known.guessed]
    before = f"An attacker who {guesses} {guessed} times{source}"
    if success.upper > ALL_BUT_CERTAIN:
        return f"**No protection here:** {before[0].lower()}{before[1:]} may always be right with {release}."
    return f"{before} {succeeds} at most **{rebuilt}** times with {release}."


def in_words(kappa: float, success: float) -> tuple[str, str]:
    """A guess and what it becomes at most, in the same form: both of one crowd, or "1 in k" where that is rare.

    >>> in_words(1e-3, 0.00406)
    ('10 of 10,000', '41 of 10,000')
    >>> in_words(2e-5, 0.00013297)
    ('1 in 50,000', '1 in 7,520')
    >>> in_words(0.1, 0.43)
    ('1,000 of 10,000', '4,300 of 10,000')
    """
    if success > _RARE or is_counted(kappa):
        rebuilt = at_most(success)
        return counted(kappa, rebuilt.of), str(rebuilt)
    times = round(1.0 / kappa)
    is_whole = abs(times * kappa - 1.0) < _ROUNDING and times <= _MOST_TIMES
    return f"1 in {times:,}" if is_whole else one_in(kappa), odds(success)


def is_counted(kappa: float) -> bool:
    """Whether a guess is right a whole number of 10,000 times; what becomes of it is then counted in the same crowd."""
    count = round(kappa * CROWD)
    return count > 0 and abs(count - kappa * CROWD) <= _ROUNDING * count


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


# What becomes of a guess

# A thousandth of the probability, down to priors of 1e-9.
PRECISION = Precision(width=1e-4, relative=1e-3)
PRIORS = cached.ESTIMATES_ALPHA


@shared_cache
def curve(release: Mechanism, *, precision: Precision = PRECISION) -> TradeOffCurve:
    """Reconstruction probability (power) at every prior (alpha)."""
    return release.trade_off(PRIORS, Order.ADD, precision)


@shared_cache
def success(release: Mechanism, prior: float) -> Bracket:
    """Reconstruction probability at ``prior``; the bracket is remembered unless it tells of an upload's prior."""
    precision = PRECISION.down_to(prior)
    is_remembered = not isinstance(prior, Private) or precision == PRECISION
    return release.reconstruction(prior, replace(precision, is_remembered=is_remembered))


attribute = shared_cache(reconstruction.attribute_inference, precision=PRECISION)


def guessed_right(release: Mechanism, known: Known) -> Bracket:
    """How often the attacker is right with the release, in what it guesses."""
    return (attribute if known.guessed is Guessed.YES_OR_NO else success)(release, known.kappa)


def bound(release: Mechanism, known: Known) -> Bound:
    """What kind of number that is: a yes or no is told apart by replacement, whatever the release's neighbours are."""
    is_replaced = known.guessed is Guessed.YES_OR_NO
    return (release.with_neighbours(Adjacency.REPLACE_ONE) if is_replaced else release).bound


def in_python(release: str, known: Known) -> str:
    """The same as an expression of Python, of the ``release`` by its name there."""
    if known.guessed is Guessed.YES_OR_NO:
        return f"reconstruction.attribute_inference({release}, {known.kappa!r}, {PRECISION!r})"
    return f"{release}.reconstruction({known.kappa!r}, {PRECISION.down_to(known.kappa)!r})"


@shared_cache
def estimated_at_effects(
    release: Mechanism, effects: tuple[float, ...], prior: float, order: int | None, deadline: Deadline = UNLIMITED
) -> PowerCurve:
    """The central limit estimate (``order`` None) or Edgeworth's for the noise that makes each effect size."""
    at, made = np.array([prior]), []
    for effect in effects:
        deadline.check()
        other = release.with_noise(noise_at(release, effect))
        made.append(approximations.clt(other, at) if order is None else approximations.edgeworth(other, at, order))
    power = np.array([float(one.power[0]) for one in made])
    label = "CLT" if order is None else f"Edgeworth, order {order}"
    return PowerCurve(np.array(effects), power, power, power, prior, Bound.ESTIMATE, label)
