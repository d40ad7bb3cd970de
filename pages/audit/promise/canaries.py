"""One training run with canaries, each in or out by a coin: does the code keep what was promised?"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import streamlit as st

from numerics.audits import Claim, Decision
from numerics.audits.one_run import Canaries, Finding, Guesses, audit
from numerics.audits.one_run.design import MOST_CANARIES
from numerics.audits.one_run.guesses import FEWEST_CANARIES
from numerics.sampling import Adjacency
from numerics.trade_off import Bound
from pages.audit import labelled_scores, take_away
from pages.audit.labelled_scores import ScoresWords
from pages.audit.promise import claims, confirmation, plan, questions
from pages.audit.promise.canary_samples import CANARY_SAMPLES
from pages.audit.promise.plan import PlanWords
from pages.server.shared_cache import session_cache
from pages.ui import chart, result_header
from pages.ui.controls import segmented_control, whole_box
from pages.ui.plain_text import literal
from pages.ui.result_header import Formula
from pages.ui.skipped import error_boundary
from reports import figures, promises
from reports.audit_report import Data

KEYS = (
    "audit.canaries_from",
    "audit.canary_sample",
    "audit.canaries",
    "audit.guessed",
    "audit.right",
    *claims.KEYS,
)
_SHIPPED = "1,000 canaries in one run of DP-SGD; noise 1, rate 0.01 and 1,000 steps were promised."
_SLOT, _KEPT, _MOST_KEPT = "audit.canary_scores", "audit.findings", 12
_WORDS = ScoresWords(
    "A file with a score and a coin for every canary", "Scores", "Included", "Included are", ("included", "left out")
)


_PLAN = PlanWords(
    "{needed} canaries in one run catch {wrong} in place of the promised {promised} in 4 of 5 such audits, with the "
    "best possible scores.",
    "No number of canaries up to a million catches {wrong} in place of the promised {promised} in 4 of 5 audits: what "
    "one run shows stays below the truth. Many runs show more.",
    "Canaries in the run",
    "Computed for the best possible scores, and canaries that do not disturb each other; a real attack usually needs "
    "more.",
)
_FORMULAS = (
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


class CanarySource(StrEnum):
    """Where an audit is; the values are the labels, and the values in the URL."""

    SAMPLE = "a sample"
    PLAN = "before the audit"
    FILE = "scores of canaries"
    COUNTS = "counts"


@dataclass(frozen=True)
class CanaryGuesses:
    """Guesses about one run's canaries.

    Attributes:
        key: tells them from all others.
        make: counts them.
        data: what was read; its Python makes ``guesses``.
        is_shipped: whether the run was shipped, so that nobody needs to confirm how it was made.
        is_private: whether they follow from an upload.
    """

    key: tuple[object, ...]
    make: Callable[[], Guesses]
    data: Data
    is_shipped: bool = False
    is_private: bool = False


def draw() -> None:
    """Draw the plan of an audit or what it found, and below it the promise."""
    source = segmented_control(
        "Canaries",
        list(CanarySource),
        default=CanarySource.SAMPLE,
        key="audit.canaries_from",
        label_visibility="collapsed",
    )
    takes = {CanarySource.SAMPLE: _sample, CanarySource.COUNTS: _counts, CanarySource.FILE: _file}
    measured = takes[source]() if source in takes else None
    answer = st.container()
    claim, level = claims.draw_with_level()
    if claim is None or (measured is None and source != CanarySource.PLAN):
        return
    with answer:
        if measured is None:
            plan.draw(claim, level, questions.one_run, _PLAN)
            return
        if not measured.is_shipped and not confirmation.drawn(measured.key, promises.CANARIES_CONFIRMED):
            return
        with error_boundary("verdict"), st.spinner("Testing the promise …", show_time=True):
            _draw_answer(measured, claim, *_finding(measured, claim, level))


def _finding(measured: CanaryGuesses, claim: Claim, level: float) -> tuple[Guesses, Finding]:
    if not measured.is_private:
        guesses = measured.make()
        return guesses, questions.finding(guesses, claim, level)

    def made() -> tuple[Guesses, Finding]:
        guesses = measured.make()
        return guesses, audit(guesses, claim, level, deadline=confirmation.deadline())

    return session_cache(_KEPT, (measured.key, claim, level), _MOST_KEPT, made)


def _sample() -> CanaryGuesses:
    names = [sample.name for sample in CANARY_SAMPLES]
    name = segmented_control("Sample", names, default=names[0], key="audit.canary_sample", label_visibility="collapsed")
    sample = CANARY_SAMPLES[names.index(name)]
    return CanaryGuesses(
        ("sample", name),
        sample.guesses,
        Data(
            f"sample: {name}",
            ((sample.file, sample.digest),),
            f"{sample.python}\n{promises.guesses_in_python(Adjacency.ADD_REMOVE)}",
            (f"{sample.description} {_SHIPPED}",),
        ),
        is_shipped=True,
    )


def _counts() -> CanaryGuesses:
    with st.container(horizontal=True):
        total = whole_box("Canaries", "audit.canaries", (FEWEST_CANARIES, MOST_CANARIES), 1_000, width=140)
        guessed = whole_box("Guesses made", "audit.guessed", (1, MOST_CANARIES), 100, width=140)
        right = whole_box("Guesses right", "audit.right", (0, MOST_CANARIES), 80, width=140)
    adjacency = _neighbours()
    return CanaryGuesses(
        ("counts", total, guessed, right, adjacency),
        lambda: Guesses(total, (guessed,), (right,), adjacency),
        Data(
            "counts of right guesses",
            python="from numerics.audits.one_run import Guesses\nfrom numerics.sampling import Adjacency\n"
            f"guesses = Guesses({total}, ({guessed},), ({right},), Adjacency.{adjacency.name})",
        ),
    )


def _file() -> CanaryGuesses | None:
    found = labelled_scores.draw(_SLOT, _WORDS)
    if found is None:
        return None
    adjacency = _neighbours()
    return CanaryGuesses(
        (*found.key, adjacency),
        lambda: Canaries(found.rows.values, found.rows.is_in, adjacency).guesses(),
        found.data(promises.guesses_in_python(adjacency)),
        is_private=True,
    )


def _neighbours() -> Adjacency:
    left_out = st.radio(
        "A canary that is left out is",
        ["absent", "replaced by another record"],
        horizontal=True,
        key="audit.left_out_is",
    )
    return Adjacency.ADD_REMOVE if left_out == "absent" else Adjacency.REPLACE_ONE


def _draw_answer(measured: CanaryGuesses, claim: Claim, guesses: Guesses, found: Finding) -> None:
    report = promises.report_of_canaries(guesses, claim, found, measured.data)
    result_header.answer(report.verdict[0], Bound.AUDIT)
    alt = f"Shares of right guesses at {len(guesses.counts)} numbers of guesses: {promises.right_guesses(guesses)}."
    drawn = figures.of_canaries(guesses, found)
    chart.draw(drawn.figure, alt, key="audit.canary_guesses")
    st.markdown(report.verdict[1])
    if beside := [*measured.data.notes, *(f"{note.value.capitalize()}." for note in found.notes)]:
        st.caption(literal(" ".join(beside)))
    if found.decision is not Decision.REFUTED:
        st.caption(promises.CANARIES_PROVE_NOTHING)
    result_header.how_computed(_FORMULAS, promises.CANARIES_ASSUMPTIONS, Bound.AUDIT, key="audit.how_canaries")
    take_away.offer_report("canary-audit", report, drawn)
