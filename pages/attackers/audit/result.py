"""What an audit found: plain sentences with limits, theory and verdict; figure, files, and how it was computed."""

from functools import partial
from math import ceil, floor

import numpy as np
import streamlit as st

from numerics.audits import Position
from numerics.trade_off import Bound, Floats, Order, TradeOffCurve
from pages.attackers.audit import cached
from pages.attackers.audit.formulas import LIMITS
from pages.attackers.audit.run import CONFIDENCE, AuditComparison, AuditTask, Result
from pages.attackers.audit.subjects import AttackSubject
from pages.ui import chart, csv_tables, readout, share
from pages.ui.numbers_in_words import at_most, counted
from pages.ui.segmented_control import segmented_control
from pages.ui.share import Shared
from plotting.audit import Audited, audit_figure
from plotting.curves import Axes
from plotting.theme import Figure
from reports.losses_words import percent


def draw(result: Result, alpha: float) -> None:
    """Draw it; ``alpha`` is the page's false positive rate."""
    if not result.pairs:
        st.info("Stopped before the first round: nothing was measured. Start again to measure.")
        return
    rate = stated_rate(result, alpha)
    subject = result.audit.subject
    first, *more = [sentence(pair, rate, order, subject) for order, pair in result.pairs.items()]
    readout.answer(first, Bound.AUDIT, level=3)
    for other in more:
        st.markdown(other)
    st.markdown(overall(result))
    moved = "" if abs(rate - alpha) <= 1e-9 * alpha else _MOVED.format(alpha)
    st.caption(f"{done(result)} {moved}".strip())
    figure = _figure(result, rate)
    chart.draw(
        figure, f"Measured curve with limits, and the theory. {first.replace('**', '')}", "attackers.audit_figure"
    )
    _take(result, figure)
    how(result)


_MOVED = "The page's false alarms, {:g}, are not among the rates that so many rounds can state well."


def _figure(result: Result, rate: float) -> Figure:
    axes = segmented_control(
        "Axes", list(Axes), default=Axes.LOG, key="attackers.audit_axes", label_visibility="collapsed"
    )
    several = len(result.pairs) > 1
    subject = result.audit.subject
    audited = [
        Audited(pair.measured, pair.theory, subject.color, f", {order}" if several else "", subject.premise)
        for order, pair in result.pairs.items()
    ]
    return audit_figure(audited, rate, axes, set(result.pairs) == {Order.ADD})


def how(result: Result) -> None:
    """Draw "How this is computed"."""
    pairs = list(result.pairs.values())
    notes = [*pairs[0].measured.assumptions, *dict.fromkeys(note for pair in pairs for note in pair.theory.assumptions)]
    notes.append("Sampled attacks say what this attack reached, not what a better one would.")
    readout.how_computed(
        [*result.audit.subject.formulas, LIMITS], notes, Bound.AUDIT, result.seconds, key="attackers.how_audit"
    )


def header(result: Result) -> dict[str, str]:
    """What a reader of the file must know."""
    said = {f"sentence {order}": theory.theory.label for order, theory in result.pairs.items()}
    return {
        "attack": result.audit.name,
        **result.audit.subject.parameters,
        "rounds without and with the record": f"{result.done} each, of {result.audit.rounds} asked for",
        "seed": str(result.audit.seed),
        "confidence": CONFIDENCE.sentence,
        "alpha": "false positive rate",
        "beta": "false negative rate; (lower limit) and (upper limit) are of the true one",
        **{name.replace("sentence", "theory,"): label for name, label in said.items()},
    }


def table(result: Result) -> str:
    """CSV of the measured curves and the theory beside them, one below the other."""
    blocks = [_columns(pair) for pair in result.pairs.values()]
    columns = {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
    orders = [str(order) for order, pair in result.pairs.items() for _ in pair.measured.alpha]
    return csv_tables.table({"order": orders, **columns}, header(result))


def _columns(pair: AuditComparison) -> dict[str, Floats]:
    measured, columns = pair.measured, {"alpha": pair.measured.alpha}
    limits = {" (lower limit)": measured.lower, " (upper limit)": measured.upper}
    for name, side in ({"": measured} | limits | {" (theory)": pair.theory}).items():
        if side is not None:
            columns |= {f"beta{name}": side.beta, f"power{name}": side.power}
    return columns


def python(audit: AuditTask) -> str:
    """Python that measures the same curve; run it in the project's folder."""
    orders = ", ".join(f"Order.{order.name}" for order in audit.subject.orders)
    return (
        "from numerics.audits import Confidence, collected, measured_curve\n"
        "from numerics.trade_off import Order\n"
        "from pages.attackers.audit.cached import rates\n"
        f"{audit.subject.python}\n"
        f"scores = collected(attack.rounds({audit.rounds}, seed={audit.seed}))\n"
        f"for order in ({orders},):\n"
        f"    curve = measured_curve(scores, rates({audit.rounds}), Confidence({CONFIDENCE.level}), order)\n"
        "    print(curve.alpha, curve.power, curve.upper.power, curve.lower.power)\n"
    )


def _take(result: Result, figure: Figure) -> None:
    table_of = partial(table, result)
    share.offer(Shared("audit", python(result.audit), header(result), table=table_of))


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


def sentence(pair: AuditComparison, rate: float, order: Order, subject: AttackSubject) -> str:
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
        f"{percent(CONFIDENCE.level)} confidence); theory says {_says(theory.bound, says * group, subject.premise)}: "
        f"**{VERDICTS[place(pair, at)]}**."
    )


def place(pair: AuditComparison, at: int) -> Position:
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
    together = f"Over all {rates} shown rates together, with {percent(CONFIDENCE.level)} confidence for each curve: "
    subject = result.audit.subject
    if Position.STRONGER in found:
        return f"{together}**stronger than the theory somewhere.** {_on_strength(subject)}"
    if Position.WEAKER in found:
        return f"{together}**weaker than the theory somewhere, nowhere stronger.** {_on_weakness(subject)}"
    expected = subject.expected is Position.INSIDE
    return f"{together}**the theory lies within these limits.**" + (
        "" if expected else " More rounds may show the attack weaker."
    )


def _on_weakness(subject: AttackSubject) -> str:
    if subject.expected is Position.INSIDE:
        return f"That is not expected: this attack reaches the theory. {_CHANCE}"
    return "That is expected: this attack does not use all there is to know."


def _on_strength(subject: AttackSubject) -> str:
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
