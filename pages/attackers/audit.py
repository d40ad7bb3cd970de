"""Audits: attacks that are really run against the release, one at a time in a session; which one, and what it found.

An audit goes on beside the pages, whichever is looked at, and ends with the tab. The session keeps the latest results.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil, floor
from typing import Any, NamedTuple

import streamlit as st

from numerics.audits import AuditProgress, Confidence, Position, collected, measured_curve, positions
from numerics.trade_off import Bound, Floats, Order, TradeOffCurve
from pages.attackers.audit_attacks import FORMS, LIMITS, Attack, AttackSubject, rates
from pages.server.background_job import BackgroundJob
from pages.server.budget import Visit, current
from pages.ui import chart, downloads, result_header, share
from pages.ui.controls import segmented_control, whole_box
from pages.ui.numbers_in_words import at_most, counted
from pages.ui.share import Shared
from pages.ui.skipped import error_boundary
from pages.ui.threat_models import ReleaseSetting
from plotting.audit import Audited, audit_figure
from plotting.curves import Axes
from reports.losses_audit import percent

CONFIDENCE = Confidence(0.95)
_TOGETHER = Confidence(CONFIDENCE.level, simultaneous=True)
_RUNNING, _RESULTS, _REFUSAL = "attackers.audit_running", "attackers.audit_results", "attackers.audit_refusal"
_KEPT = 24  # results
_EVERY = 0.5  # seconds between two looks at how far it is
_ROUNDS = (1_000, 10_000, 100_000, 1_000_000)
_LONGEST = 1800.0  # seconds
_LARGEST_SEED = 2**32 - 1
_LARGEST_CROWD = 1_000_000
_ROUNDING = 1e-9  # counts of a rate that is whole but for its last bit
_FEW = 10  # false alarms, below which a rate is not stated
_CHANCE = "By chance it happens in one audit of twenty at most: try another seed, or more rounds."
VERDICTS = {
    Position.INSIDE: "within these limits",
    Position.WEAKER: "the attack is weaker than the theory",
    Position.STRONGER: "the attack is stronger than the theory",
}


class AuditComparison(NamedTuple):
    """What was measured, what the theory says, and where the one lies against the other over all rates together."""

    measured: TradeOffCurve
    theory: TradeOffCurve
    together: frozenset[Position]


@dataclass(frozen=True)
class AuditTask:
    """An attack with its parameters, how often it is run, and the seed: results are kept by it."""

    subject: AttackSubject
    name: str
    rounds: int
    seed: int

    def steps(self) -> "Iterator[AuditProgress | Result]":
        """The rounds, in chunks, and last what they say, which may take as long.

        Raises ValueError, before any of them, where there is no theory to compare it with.
        """
        for order in self.subject.orders:
            self.subject.theory(order, self.rounds)
        chunks = list[AuditProgress]()
        for chunk in self.subject.start(self.rounds, self.seed):
            chunks.append(chunk)
            yield chunk
        yield self.result(chunks, current().spent)

    def result(self, chunks: Sequence[AuditProgress], seconds: float) -> "Result":
        """The curves of the rounds there are; also of an audit that was cancelled."""
        scores, shown, pairs = collected(chunks), rates(self.rounds), dict[Order, AuditComparison]()
        for order in self.subject.orders if chunks else ():
            theory = self.subject.theory(order, self.rounds)
            measured, wide = (measured_curve(scores, shown, limits, order) for limits in (CONFIDENCE, _TOGETHER))
            pairs[order] = AuditComparison(measured, theory, frozenset(positions(wide, theory)))
        return Result(self, len(scores.null), pairs, seconds)


@dataclass(frozen=True, eq=False)
class Result:
    """The curves of an audit of which ``done`` rounds were run, by order of the test."""

    audit: AuditTask
    done: int
    pairs: dict[Order, AuditComparison]
    seconds: float


def draw(setting: ReleaseSetting) -> None:
    """Draw the form: an attack, its parameters, its start and progress; and what it found."""
    attack = segmented_control("Attack", list(Attack), default=Attack.FULL_KNOWLEDGE, key="attackers.audit_attack")
    form = FORMS[attack]
    st.caption(form.words)
    with error_boundary("audit"):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            rounds = segmented_control(
                "Rounds with, and as many without the record",
                _ROUNDS,
                default=_ROUNDS[1],
                format_func="{:,}".format,
                key="attackers.audit_rounds",
                help="Every round is a training of its own. Four times the rounds halve the width of the limits.",
            )
            seed = whole_box(
                "Seed", "attackers.audit_seed", (0, _LARGEST_SEED), 1, "The same seed gives the same rounds.", width=130
            )
            entered = [draw_box() for draw_box in form.boxes]
            audit = AuditTask(form.subject(setting, *entered), str(attack), int(rounds), seed)
        seconds = audit.subject.seconds(audit.rounds)
        if seconds > _LONGEST:
            raise ValueError(
                f"rounds must take at most {_LONGEST / 60:.0f} minutes, got {audit.rounds:,} rounds, about "
                f"{seconds / 60:,.0f} minutes: choose fewer rounds or steps."
            )
        found = _results().get(audit)
        _draw_start(audit, seconds, "Start" if found is None else "Run again")
        if found is not None:
            _draw_result(found, setting.choice.alpha)


def _results() -> dict[AuditTask, Result]:
    results: dict[AuditTask, Result] = st.session_state.setdefault(_RESULTS, {})
    return results


def _start(audit: AuditTask) -> None:
    """For a button's ``on_click``."""
    _stop()
    st.session_state.pop(_REFUSAL, None)
    st.session_state[_RUNNING] = audit, BackgroundJob(audit.steps(), Visit().is_closed)


def _stop() -> None:
    """End the audit under way, and keep what it has, unless an earlier run got farther. For a button's ``on_click``."""
    audit, job = st.session_state.pop(_RUNNING, (None, None))
    if job is None:
        return
    job.cancel()
    chunks, results = list(job.chunks), _results()  # as they are now: another thread may add some
    is_whole = bool(chunks) and isinstance(chunks[-1], Result)
    found = chunks[-1] if is_whole else audit.result(chunks, job.seconds)
    earlier = results.pop(audit, found)
    results[audit] = earlier if earlier.done > found.done else found
    while len(results) > _KEPT:
        del results[next(iter(results))]


def _draw_start(audit: AuditTask, seconds: float, label: str) -> None:
    """Draw the button, with how long it takes, the progress of what is under way, and why ``audit`` was not run."""
    with st.container(horizontal=True, vertical_alignment="center"):
        is_running = _RUNNING in st.session_state
        st.button(label, key="attackers.audit_start", on_click=_start, args=(audit,), disabled=is_running)
        st.caption(f"About {seconds:.0f} s on one core." if seconds >= 1.0 else "A moment.")
    if is_running:
        _draw_progress()
    refused, reason = st.session_state.get(_REFUSAL, (None, ""))
    if refused == audit:
        st.warning(f"**Not run:** {reason}", icon=":material/block:")


@st.fragment(run_every=_EVERY)
def _draw_progress() -> None:
    """Draw how far the audit under way is; after its end, the page with the result."""
    if _RUNNING not in st.session_state:
        st.rerun()
    audit, job = st.session_state[_RUNNING]
    chunks = [chunk for chunk in list(job.chunks) if isinstance(chunk, AuditProgress)]
    share, done = (chunks[-1].done / chunks[-1].total, sum(len(one.null) for one in chunks)) if chunks else (0.0, 0)
    words = f"{audit.name}: {done:,} of {audit.rounds:,} rounds, {job.seconds:.0f} s"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(share, words)
        cancelled = "What is done until then stays usable."
        st.button("Cancel", key="attackers.audit_cancel", on_click=_stop, help=cancelled)
    if not job.ended.is_set():
        return
    if isinstance(job.failure, ValueError):
        del st.session_state[_RUNNING]
        st.session_state[_REFUSAL] = audit, str(job.failure)
    else:
        _stop()
        if job.failure is not None:
            raise job.failure
    st.rerun()


def _draw_result(result: Result, alpha: float) -> None:
    """Draw it; ``alpha`` is the page's false positive rate."""
    if not result.pairs:
        st.info("Stopped before the first round: nothing was measured. Start again to measure.")
        return
    rate, subject = stated_rate(result, alpha), result.audit.subject
    first, *more = [sentence(pair, rate, order, subject) for order, pair in result.pairs.items()]
    result_header.answer(first, Bound.AUDIT, level=3)
    for other in (*more, overall(result)):
        st.markdown(other)
    moved = f" The page's false alarms, {alpha:g}, are not among the rates that so many rounds can state well."
    st.caption(f"{done(result)}{'' if abs(rate - alpha) <= _ROUNDING * alpha else moved}")
    axes = segmented_control(
        "Axes", list(Axes), default=Axes.LOG, key="attackers.audit_axes", label_visibility="collapsed"
    )
    audited = [
        Audited(
            pair.measured, pair.theory, subject.color, f", {order}" if len(result.pairs) > 1 else "", subject.premise
        )
        for order, pair in result.pairs.items()
    ]
    figure = audit_figure(audited, rate, axes, set(result.pairs) == {Order.ADD})
    alt = f"Measured curve with limits, and the theory. {result_header.spoken(first)}"
    chart.draw(figure, alt, "attackers.audit_figure")
    share.offer(Shared("audit", python(result.audit), partial(table, result)))
    pairs = list(result.pairs.values())
    notes = [*pairs[0].measured.assumptions, *dict.fromkeys(note for pair in pairs for note in pair.theory.assumptions)]
    notes.append("Sampled attacks say what this attack reached, not what a better one would.")
    result_header.how_computed(
        [*subject.formulas, LIMITS], notes, Bound.AUDIT, result.seconds, key="attackers.how_audit"
    )


def header(result: Result) -> dict[str, str]:
    """What a reader of the file must know."""
    return {
        "attack": result.audit.name,
        **result.audit.subject.parameters,
        "rounds without and with the record": f"{result.done} each, of {result.audit.rounds} asked for",
        "seed": str(result.audit.seed),
        "confidence": CONFIDENCE.sentence,
        "alpha": "false positive rate",
        "beta": "false negative rate; (lower limit) and (upper limit) are of the true one",
        **{f"theory, {order}": pair.theory.label for order, pair in result.pairs.items()},
    }


def table(result: Result) -> str:
    """CSV of the measured curves and the theory beside them, one below the other."""
    columns: dict[str, Any] = {"order": [], "alpha": []}
    for order, (measured, theory, _) in result.pairs.items():
        columns["order"] += [str(order)] * len(measured.alpha)
        columns["alpha"] += list(measured.alpha)
        sides = {"": measured, " (lower limit)": measured.lower, " (upper limit)": measured.upper, " (theory)": theory}
        for name, side in sides.items():
            if side is not None:
                columns.setdefault(f"beta{name}", []).extend(side.beta)
                columns.setdefault(f"power{name}", []).extend(side.power)
    return downloads.table(columns, header(result))


def python(audit: AuditTask) -> str:
    """Python that measures the same curve; run it in the project's folder."""
    orders = ", ".join(f"Order.{order.name}" for order in audit.subject.orders)
    return (
        "from numerics.audits import Confidence, collected, measured_curve\n"
        "from numerics.trade_off import Order\n"
        "from pages.attackers.audit_attacks import rates\n"
        f"{audit.subject.python}\n"
        f"scores = collected(attack.run({audit.rounds}, seed={audit.seed}))\n"
        f"for order in ({orders},):\n"
        f"    curve = measured_curve(scores, rates({audit.rounds}), Confidence({CONFIDENCE.level}), order)\n"
        "    print(curve.alpha, curve.power, curve.upper.power, curve.lower.power)\n"
    )


def stated_rate(result: Result, alpha: float) -> float:
    """The shown rate nearest to ``alpha`` at which the rounds done have some ten false alarms."""
    shown: Floats = rates(result.audit.rounds)
    lowest = min(_FEW / max(result.done, 1), 0.5)
    enough = shown[shown >= lowest * (1.0 - _ROUNDING)]
    return float(min(enough, key=lambda rate: abs(rate - alpha)))


def sentence(pair: AuditComparison, rate: float, order: Order, subject: AttackSubject) -> str:
    """What was found at ``rate``, between which limits, what the theory says, and where that leaves the attack."""
    measured, theory = pair.measured, pair.theory
    at = int((abs(measured.alpha - rate)).argmin())
    lowest, highest = ((side or measured).power[at] for side in (measured.upper, measured.lower))
    says = float((theory.lower or theory).power[at])
    group = min(at_most(says).of, _LARGEST_CROWD)
    wrong = counted(float(measured.alpha[at]), group)
    alarms, found = f"a false alarm rate of {wrong}", subject.found
    if order is Order.REMOVE:
        alarms, found = f"{wrong} {subject.found} wrongly cleared", "absences"
    # The theory's count is the most there can be only where it is about every attack on this record.
    most = f"at most {ceil(says * group - _ROUNDING):,}"
    if subject.premise or theory.bound in (Bound.ESTIMATE, Bound.UPPER):
        about = "about " if theory.bound is Bound.ESTIMATE else ""
        most = f"{about}{round(says * group):,} {subject.premise}".strip()
    return (
        f"At {alarms} the attack found **{round(float(measured.power[at]) * group):,}** of {group:,} {found} (between "
        f"{floor(lowest * group + _ROUNDING):,} and {ceil(highest * group - _ROUNDING):,} with "
        f"{percent(CONFIDENCE.level)} confidence); theory says {most}: **{VERDICTS[place(pair, at)]}**."
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
    shown, subject = len(next(iter(result.pairs.values())).measured.alpha), result.audit.subject
    is_expected_weaker = subject.expected is not Position.INSIDE
    if Position.STRONGER in found:
        verdict = "**stronger than the theory somewhere.** "
        if subject.premise:
            verdict += f"The theory is {subject.premise}; others are found more easily."
        else:
            verdict += f"That is not possible but by chance, or by an error in theory or experiment. {_CHANCE}"
    elif Position.WEAKER in found:
        verdict = "**weaker than the theory somewhere, nowhere stronger.** "
        if is_expected_weaker:
            verdict += "That is expected: this attack does not use all there is to know."
        else:
            verdict += f"That is not expected: this attack reaches the theory. {_CHANCE}"
    else:
        verdict = "**the theory lies within these limits.**"
        verdict += " More rounds may show the attack weaker." if is_expected_weaker else ""
    return (
        f"Over all {shown} shown rates together, with {percent(CONFIDENCE.level)} confidence for each curve: {verdict}"
    )


def done(result: Result) -> str:
    """How much was run, and in which time."""
    whole = result.done >= result.audit.rounds
    rounds = f"{result.done:,}" if whole else f"stopped after {result.done:,} of {result.audit.rounds:,}"
    return f"{result.audit.name}: {rounds} rounds with and as many without the record, {result.seconds:.2g} s."
