"""Running an audit a slice at a time, so that the page stays alive, and keeping what it found in the session.

The generator of the audit waits in the session between the slices; the browser asks for the next one. Leaving the page
pauses an audit, closing the tab ends it. Of finished audits only the curves are kept.
"""

from collections.abc import Generator
from dataclasses import dataclass, field
from time import perf_counter

import streamlit as st

from numerics.audits import Confidence, Position, Progress, collected, measured_curve, positions
from numerics.trade_off import Order, TradeOffCurve
from pages.attackers.audit_subjects import Subject
from pages.shared import cached_audits

CONFIDENCE = Confidence(0.95)
_TOGETHER = Confidence(CONFIDENCE.level, simultaneous=True)
_RUNNING, _RESULTS, _REFUSAL = "audit running", "audit results", "audit refusal"
_SLICE = 0.4  # seconds of work between two chances to cancel
_PAUSE = 0.1  # seconds until the browser asks for the next slice
_KEPT = 24


@dataclass(frozen=True)
class Audit:
    """An attack with its parameters, how often it is run, and the seed: results are kept by it."""

    subject: Subject
    name: str
    rounds: int
    seed: int


@dataclass(frozen=True, eq=False)
class Pair:
    """What was measured, what the theory says, and where the one lies against the other over all rates together."""

    measured: TradeOffCurve
    theory: TradeOffCurve
    together: frozenset[Position]


@dataclass(frozen=True, eq=False)
class Result:
    """The curves of an audit of which ``done`` rounds were run, by order of the test."""

    audit: Audit
    done: int
    pairs: dict[Order, Pair]
    seconds: float


@dataclass
class Run:
    """An audit that is under way."""

    audit: Audit
    steps: Generator[Progress, None, None]
    chunks: list[Progress] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def share(self) -> float:
        """Share of the work that is done."""
        return self.chunks[-1].done / self.chunks[-1].total if self.chunks else 0.0

    @property
    def rounds(self) -> int:
        """Rounds that are done."""
        return sum(len(step.null) for step in self.chunks)

    def advance(self, seconds: float) -> bool:
        """Work for about ``seconds``, a chunk at least; whether the audit is finished."""
        began = perf_counter()
        for step in self.steps:
            self.chunks.append(step)
            if perf_counter() - began >= seconds:
                break
        self.seconds += perf_counter() - began
        return self.share == 1.0

    def result(self) -> Result:
        """Stop, and make the curves of the rounds there are."""
        self.steps.close()
        pairs = {order: self._pair(order) for order in self.audit.subject.orders} if self.rounds else {}
        return Result(self.audit, self.rounds, pairs, self.seconds)

    def _pair(self, order: Order) -> Pair:
        scores, rounds = collected(self.chunks), self.audit.rounds
        theory = self.audit.subject.theory(order, rounds)
        rates = cached_audits.rates(rounds)
        measured, wide = (measured_curve(scores, rates, limits, order) for limits in (CONFIDENCE, _TOGETHER))
        return Pair(measured, theory, frozenset(positions(wide, theory)))


def running() -> Run | None:
    """The audit under way in this session."""
    run = st.session_state.get(_RUNNING)
    return run if isinstance(run, Run) else None


def result_of(audit: Audit) -> Result | None:
    """What this session found for ``audit``."""
    found = _results().get(audit)
    return found if isinstance(found, Result) else None


def start(audit: Audit) -> None:
    """Start ``audit``, if there is a theory to compare it with. For a button's ``on_click``."""
    stop()
    st.session_state.pop(_REFUSAL, None)
    try:
        for order in audit.subject.orders:
            audit.subject.theory(order, audit.rounds)
        st.session_state[_RUNNING] = Run(audit, audit.subject.start(audit.rounds, audit.seed))
    except ValueError as refusal:
        st.session_state[_REFUSAL] = (audit, str(refusal))


def stop() -> None:
    """End the audit under way and keep what it has. For a button's ``on_click``."""
    run = running()
    if run is None:
        return
    del st.session_state[_RUNNING]
    results = _results()
    results.pop(run.audit, None)
    results[run.audit] = run.result()
    while len(results) > _KEPT:
        del results[next(iter(results))]


def refusal_of(audit: Audit) -> str | None:
    """Why ``audit`` could not be run."""
    refused, reason = st.session_state.get(_REFUSAL, (None, None))
    return reason if refused == audit else None


def _results() -> dict[Audit, Result]:
    results: dict[Audit, Result] = st.session_state.setdefault(_RESULTS, {})
    return results


@st.fragment(run_every=_PAUSE)
def draw() -> None:
    """Draw the progress of the audit under way, and work on it for a moment."""
    run = running()
    if run is None:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        words = f"{run.audit.name}: {run.rounds:,} of {run.audit.rounds:,} rounds, {run.seconds:.0f} s"
        st.progress(run.share, words)
        st.button("Cancel", key="audit_cancel", on_click=stop, help="What is done until then stays usable.")
    try:
        finished = run.advance(_SLICE)
    except ValueError as refusal:
        del st.session_state[_RUNNING]
        st.session_state[_REFUSAL] = (run.audit, str(refusal))
        st.rerun()
    if finished:
        with st.spinner("Limits of the measured curve …", show_time=True):
            stop()
        st.rerun()
