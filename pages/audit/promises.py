"""A promise held against measurements: of one run with canaries, or of many with and without a record."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from losses import Kind, LongRows
from numerics.audits import Claim, ClaimVerdict, Decision, claim_verdict
from numerics.audits.one_run import Canaries, Finding, Guesses, audit
from numerics.audits.one_run.design import MOST_CANARIES
from numerics.audits.one_run.guesses import FEWEST_CANARIES
from numerics.sampling import Adjacency
from numerics.trade_off import Bound
from pages.audit import claims, plan, take_away
from pages.audit.evidence import LabelledScores
from pages.audit.plan import PlanWords
from pages.server.budget import Budget, Visit
from pages.server.shared_cache import session_cache, shared_cache
from pages.ui import chart, downloads, result_header
from pages.ui.controls import whole_box
from pages.ui.plain_text import literal
from pages.ui.result_header import Formula
from pages.ui.skipped import error_boundary
from plotting.claims import MeasuredRoc
from reports import figures, promise_slices, promises
from reports.audit_report import AuditReport, Data
from reports.promise_slices import TestedSlices

KEYS = ("audit.canaries_from", "audit.canaries", "audit.guessed", "audit.right", "audit.recipe", *claims.KEYS)
_RECIPE = Path(__file__).parents[2] / "docs" / "audit_your_training.md"
SAMPLE, _PLAN, _COUNTS = "a sample", "before the audit", "counts"
CONFIRMED = "All that this rests on holds"
_KEPT, _SLICES, _MOST_KEPT = "audit.findings", "audit.tested_slices", 12

_CANARIES_PLAN = PlanWords(
    "{needed} canaries in one run catch {wrong} in place of the promised {promised} in 4 of 5 such audits, with the "
    "best possible scores.",
    "No number of canaries up to a million catches {wrong} in place of the promised {promised} in 4 of 5 audits: what "
    "one run shows stays below the truth. Many runs show more.",
    "Canaries in the run",
    "Computed for the best possible scores, and canaries that do not disturb each other; a real attack usually needs "
    "more.",
)
_RUNS_PLAN = PlanWords(
    "{needed} runs with the record and as many without catch {wrong} in place of the promised {promised} in 4 of 5 "
    "such audits.",
    "Not even ten million runs catch {wrong} in place of the promised {promised} in 4 of 5 audits.",
    "Runs with the record, and as many without",
    "Computed for the best attack there is; a weaker one needs more runs.",
)
_CANARY_FORMULAS = (
    Formula(
        r"r_{i+1} \le F(h_i), \; r_i = \sum_{l \ge i} \tfrac{l}{m} p_l, \; h_i = \sum_{l \ge i} \tfrac{g-l}{m} p_l",
        "p_l is the probability that l of g guesses about m canaries are right; F is the most that the promise allows. "
        "The p-value is the largest probability of as many right guesses under these inequalities.",
        "Mahloujifar, Melis and Chaudhuri 2024, Algorithm 3",
    ),
    Formula(
        r"\Pr(v \text{ of } g \text{ right}) \le \Pr\bigl(\mathrm{Bin}(g, \tfrac{1}{1 + e^{-\varepsilon}}) \ge v\bigr)",
        "Where ε is promised with δ = 0: given all before, a guess is right at most as often as a coin that ε allows.",
        "Steinke, Nasr and Jagielski 2023, Theorem 5.2",
    ),
)


_RUN_FORMULAS = (
    Formula(
        r"p_j = \mathrm{E}_U\, \Pr\bigl(\mathrm{Bin}(n_1, F(U)) \ge a\bigr), \quad U \sim \mathrm{B}(j, n_0 - j + 1)",
        "At the j-th largest of n₀ scores without the record, a of the n₁ scores with it lie above; F is the most that "
        "the promise allows. All four ways to read the scores are tried at preset ranks, and the p-values are "
        "multiplied by their number.",
        "beyond the papers; the ranks' beta law and the union bound",
    ),
)


@dataclass(frozen=True)
class CanaryGuesses:
    """Guesses about one run's canaries.

    Attributes:
        key: tells them from all others.
        make: counts them.
        data: what was read; its Python makes ``guesses``.
        is_shipped: whether the run was shipped, so that nobody needs to confirm how it was made.
        is_private: whether they follow from an upload.
        rows: of all canaries; None of counts.
    """

    key: tuple[object, ...]
    make: Callable[[], Guesses]
    data: Data
    is_shipped: bool = False
    is_private: bool = False
    rows: LongRows | None = None


def draw_source() -> str:
    """Draw where guesses about canaries come from without a file: a sample, counts, or none before the audit."""
    return st.selectbox(
        "Canaries",
        [SAMPLE, _PLAN, _COUNTS],
        key="audit.canaries_from",
        bind="query-params",
        width=175,
        label_visibility="collapsed",
    )


def draw(kind: Kind, found: LabelledScores | None, *, is_planned: bool) -> None:
    """Draw the promise, and what was found of it; or how large an audit has to be, if it ``is_planned``."""
    with st.container():
        _draw_promise(kind, found, is_planned=is_planned)
    if kind is Kind.CANARIES:
        fold = st.expander(
            "Canaries in your own training", type="compact", key="audit.recipe", on_change="rerun", bind="query-params"
        )
        if fold.open:
            fold.markdown(_RECIPE.read_text(encoding="utf-8").partition("\n")[2].replace("\n## ", "\n#### "))


def _draw_promise(kind: Kind, found: LabelledScores | None, *, is_planned: bool) -> None:
    is_run, sentence = kind is Kind.RUNS, st.container()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        guesses = None if is_run else _guesses(found)
        claim, level = claims.draw(), claims.draw_level()
    if claim is None:
        return
    if found is None and guesses is None:
        if not is_planned or not (is_run or st.session_state["audit.canaries_from"] == _PLAN):
            return
        question, words = (plan.many_runs, _RUNS_PLAN) if is_run else (plan.one_run, _CANARIES_PLAN)
        plan.draw(claim, level, question, words, sentence)
    elif guesses is not None:
        if guesses.is_shipped or _is_confirmed(guesses.key, promises.CANARIES_CONFIRMED):
            with error_boundary("verdict"), st.spinner("Testing the promise …", show_time=True):
                _draw_canaries(guesses, claim, *_finding(guesses, claim, level), sentence)
    elif found is not None and _is_confirmed(found.key, promises.RUNS_CONFIRMED):
        with error_boundary("verdict"), st.spinner("Testing the promise …", show_time=True):
            _draw_runs(found, *_verdict(found, claim, level), sentence)


def _is_confirmed(key: object, words: str) -> bool:
    """Draw what nothing in the data shows, and the box to tick; whether it is ticked for these very data."""
    ticked = st.checkbox(CONFIRMED, key=f"audit.confirmed_{hash(key)}", help=words)
    if not ticked:
        st.info(f"**Without this no statement follows:** {words}", icon=":material/help:")
    return ticked


def _deadline() -> Budget:
    """Of what was asked for by a tick: as long as the visitor waits for it."""
    return Budget(is_cancelled=Visit().is_cancelled)


def _slices(key: tuple[object, ...], claim: Claim, level: float, make: Callable[..., TestedSlices]) -> TestedSlices:
    return session_cache(_SLICES, (key, claim, level), _MOST_KEPT, lambda: make(deadline=_deadline()))


def _sentences(report: AuditReport, slices: TestedSlices | None) -> tuple[str, str]:
    """The answer, and what stands below the figure; slices that refute what all rows do not are the answer."""
    first, second = report.verdict[:2]
    if slices is not None and slices.overrule(report):
        return slices.sentence(literal), f"{first} {second}"
    return first, second


def _draw_slices(slices: TestedSlices | None, answer: str) -> None:
    if slices is None:
        return
    if (sentence := slices.sentence(literal)) != answer:
        st.markdown(sentence)
    downloads.draw_table(slices.table, width="stretch", alt=f"What each slice of the {slices.what} says.")
    st.caption(slices.caption)


# One run with canaries


def _guesses(found: LabelledScores | None) -> CanaryGuesses | None:
    """Draw what else has to be known of the canaries; None where there are none yet."""
    if found is None:
        return _counts() if st.session_state.get("audit.canaries_from") == _COUNTS else None
    adjacency = Adjacency.ADD_REMOVE if found.about else _neighbours()
    data = found.data(promises.guesses_in_python(adjacency))

    def make() -> Guesses:
        return Canaries(found.rows.values, found.rows.is_in, adjacency).guesses()

    return CanaryGuesses((*found.key, adjacency), make, data, bool(found.about), not found.about, found.rows)


def _counts() -> CanaryGuesses:
    total = whole_box("Canaries", "audit.canaries", (FEWEST_CANARIES, MOST_CANARIES), 1_000, width=140)
    guessed = whole_box("Guesses made", "audit.guessed", (1, MOST_CANARIES), 100, width=140)
    right = whole_box("Guesses right", "audit.right", (0, MOST_CANARIES), 80, width=140)
    adjacency = _neighbours()
    code = (
        "from numerics.audits.one_run import Guesses\nfrom numerics.sampling import Adjacency\n"
        f"guesses = Guesses({total}, ({guessed},), ({right},), Adjacency.{adjacency.name})"
    )
    return CanaryGuesses(
        ("counts", total, guessed, right, adjacency),
        lambda: Guesses(total, (guessed,), (right,), adjacency),
        Data("counts of right guesses", python=code),
    )


def _neighbours() -> Adjacency:
    ways = ["absent", "replaced by another record"]
    left_out = st.radio("A canary that is left out is", ways, horizontal=True, key="audit.left_out_is")
    return Adjacency.ADD_REMOVE if left_out == "absent" else Adjacency.REPLACE_ONE


_shared_finding = shared_cache(audit)
"""Of counts that somebody typed, or of a shipped run; what follows from an upload stays in its session."""


def _finding(measured: CanaryGuesses, claim: Claim, level: float) -> tuple[Guesses, Finding]:
    if not measured.is_private:
        guesses = measured.make()
        return guesses, _shared_finding(guesses, claim, level)

    def made() -> tuple[Guesses, Finding]:
        guesses = measured.make()
        return guesses, audit(guesses, claim, level, deadline=_deadline())

    return session_cache(_KEPT, (measured.key, claim, level), _MOST_KEPT, made)


def _draw_canaries(
    measured: CanaryGuesses, claim: Claim, guesses: Guesses, found: Finding, sentence: DeltaGenerator
) -> None:
    report = promises.report_of_canaries(guesses, claim, found, measured.data)
    slices = None
    if (rows := measured.rows) is not None and rows.slices is not None:
        asked = rows, rows.slices, claim, found.level, guesses.adjacency, found.proved.delta
        slices = _slices(measured.key, claim, found.level, partial(promise_slices.of_canaries, *asked))
    answer, below = _sentences(report, slices)
    with sentence:
        result_header.answer(answer, Bound.AUDIT)
    alt = f"Shares of right guesses at {len(guesses.counts)} numbers of guesses: {promises.right_guesses(guesses)}."
    drawn = figures.of_canaries(guesses, found)
    chart.draw(drawn.figure, alt, key="audit.canary_guesses")
    st.markdown(below)
    if beside := [*measured.data.notes, *(f"{note.value.capitalize()}." for note in found.notes)]:
        st.caption(literal(" ".join(beside)))
    if found.decision is not Decision.REFUTED:
        st.caption(promises.CANARIES_PROVE_NOTHING)
    _draw_slices(slices, answer)
    result_header.how_computed(_CANARY_FORMULAS, promises.CANARIES_ASSUMPTIONS, Bound.AUDIT, key="audit.how_canaries")
    take_away.offer_report("canary-audit", report if slices is None else slices.added_to(report), drawn)


# Many runs


def _verdict(found: LabelledScores, claim: Claim, level: float) -> tuple[ClaimVerdict, MeasuredRoc]:
    def made() -> tuple[ClaimVerdict, MeasuredRoc]:
        verdict = claim_verdict(found.scores, claim, level, deadline=_deadline())
        return verdict, figures.measured(found.scores, level)

    return session_cache(_KEPT, (found.key, claim, level), _MOST_KEPT, made)


def _draw_runs(found: LabelledScores, verdict: ClaimVerdict, curve: MeasuredRoc, sentence: DeltaGenerator) -> None:
    report, drawn = promises.report_of_runs(verdict, found.data()), figures.of_runs(curve, verdict)
    slices, test = None, verdict.test
    if found.rows.slices is not None:
        asked = partial(promise_slices.of_runs, found.rows, found.rows.slices, test.claim, test.level)
        slices = _slices(found.key, test.claim, test.level, asked)
    answer, below = _sentences(report, slices)
    with sentence:
        result_header.answer(answer, Bound.AUDIT)
    chart.draw(drawn.figure, f"{drawn.caption} {report.verdict[0]}", key="audit.promise_curve")
    st.markdown(below)
    st.caption(promises.RUNS_PROVE_NOTHING)
    _draw_slices(slices, answer)
    result_header.how_computed(_RUN_FORMULAS, promises.RUNS_ASSUMPTIONS, Bound.AUDIT, key="audit.how_runs")
    take_away.offer_report("runs-audit", report if slices is None else slices.added_to(report), drawn)
