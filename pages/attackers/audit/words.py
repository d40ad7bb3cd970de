"""The answer of an audit in plain sentences: what the attack found, the limits, the theory, the verdict."""

from math import ceil, floor

from numerics.audits import Position
from numerics.trade_off import Bound, Floats, Order, TradeOffCurve
from pages.attackers.audit import cached
from pages.attackers.audit.run import CONFIDENCE, Pair, Result
from pages.attackers.audit.subjects import Subject
from pages.ui.numbers_in_words import at_most, counted

_LARGEST_CROWD = 1_000_000
_ROUNDING = 1e-9  # counts of a rate that is whole but for its last bit
_FEW = 10  # false alarms, below which a rate is not stated

_CHANCE = "By chance it happens in one audit of twenty at most: try another seed, or more rounds."

VERDICTS = {
    Position.INSIDE: "within these limits",
    Position.WEAKER: "the attack is weaker than the theory",
    Position.STRONGER: "the attack is stronger than the theory",
}


def stated_rate(result: Result, alpha: float) -> float:
    """The shown rate nearest to ``alpha`` at which the rounds done have some ten false alarms."""
    shown: Floats = cached.rates(result.audit.rounds)
    lowest = min(_FEW / max(result.done, 1), 0.5)
    enough = shown[shown >= lowest * (1.0 - _ROUNDING)]
    return float(min(enough, key=lambda rate: abs(rate - alpha)))


def sentence(pair: Pair, rate: float, order: Order, subject: Subject) -> str:
    """What was found at ``rate``, between which limits, what the theory says, and where that leaves the attack."""
    measured, theory = pair.measured, pair.theory
    at = int((abs(measured.alpha - rate)).argmin())
    lowest, highest = _power(measured.upper or measured, at), _power(measured.lower or measured, at)
    says = _power(theory.lower or theory, at)
    group = min(at_most(says).of, _LARGEST_CROWD)
    alarms, found = _words(order, counted(float(measured.alpha[at]), group), subject.found)
    return (
        f"At {alarms} the attack found **{round(_power(measured, at) * group):,}** of {group:,} {found} (between "
        f"{floor(lowest * group + _ROUNDING):,} and {ceil(highest * group - _ROUNDING):,} with "
        f"{CONFIDENCE.level:.0%} confidence); theory says {_says(theory.bound, says * group, subject.premise)}: "
        f"**{VERDICTS[place(pair, at)]}**."
    )


def place(pair: Pair, at: int) -> Position:
    """Where the limits lie against the theory at one rate, by its index."""
    measured, theory = pair.measured, pair.theory
    lower, upper = measured.lower or measured, measured.upper or measured
    if lower.beta[at] > (theory.upper or theory).beta[at]:
        return Position.WEAKER
    return Position.STRONGER if upper.beta[at] < (theory.lower or theory).beta[at] else Position.INSIDE


def overall(result: Result) -> str:
    """The verdict on the whole curve, and whether it is the expected one."""
    found = {where for pair in result.pairs.values() for where in pair.together}
    rates = len(next(iter(result.pairs.values())).measured.alpha)
    together = f"Over all {rates} shown rates together, with {CONFIDENCE.level:.0%} confidence for each curve: "
    subject = result.audit.subject
    if Position.STRONGER in found:
        return f"{together}**stronger than the theory somewhere.** {_on_strength(subject)}"
    if Position.WEAKER in found:
        return f"{together}**weaker than the theory somewhere, nowhere stronger.** {_on_weakness(subject)}"
    expected = subject.expected is Position.INSIDE
    return f"{together}**the theory lies within these limits.**" + (
        "" if expected else " More rounds may show the attack weaker."
    )


def _on_weakness(subject: Subject) -> str:
    if subject.expected is Position.INSIDE:
        return f"That is not expected: this attack reaches the theory. {_CHANCE}"
    return "That is expected: this attack does not use all there is to know."


def _on_strength(subject: Subject) -> str:
    if subject.premise:
        return f"The theory is {subject.premise}; others are found more easily."
    return f"That is not possible but by chance, or by an error in theory or experiment. {_CHANCE}"


def done(result: Result) -> str:
    """How much was run, and in which time."""
    whole = result.done >= result.audit.rounds
    rounds = f"{result.done:,}" if whole else f"stopped after {result.done:,} of {result.audit.rounds:,}"
    return f"{result.audit.name}: {rounds} rounds with and as many without the record, {result.seconds:.2g} s."


def _power(curve: TradeOffCurve, at: int) -> float:
    return float(curve.power[at])


def _says(bound: Bound, count: float, premise: str) -> str:
    """The theory's count: the most there can be only where the theory is about every attack on this record."""
    if premise or bound in (Bound.ESTIMATE, Bound.UPPER):
        return f"{'about ' if bound is Bound.ESTIMATE else ''}{round(count):,}{f' {premise}' if premise else ''}"
    return f"at most {ceil(count - _ROUNDING):,}"


def _words(order: Order, rate: str, found: str) -> tuple[str, str]:
    if order is Order.REMOVE:
        return f"{rate} {found} wrongly cleared", "absences"
    return f"a false alarm rate of {rate}", found
