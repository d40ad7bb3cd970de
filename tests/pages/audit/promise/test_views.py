"""A promise held against one run with canaries, and against many runs: plans, verdicts, refusals."""

from textwrap import indent

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from numerics import Gaussian
from numerics.audits import ApproximateClaim, Claim, GdpClaim, ReleaseClaim, Scores, claim_verdict
from numerics.audits.one_run import Guesses, audit
from pages.audit.promise import claims, confirmation, questions
from pages.audit.promise.canary_samples import CANARY_SAMPLES, CanarySample
from reports import canaries, runs
from reports.promises import named
from reports.rounding import rounded_down
from tests import ROOT
from tests.pages.uploading import give
from tests.pages.visit import addressed, checked, visited

SECONDS = 60
SCRIPT = f"""
import runpy
from pages.ui import rail
rail.draw()
runpy.run_path({str(ROOT / "pages/audit/page.py")!r})
"""
ONE, MANY = "one run with canaries", "many runs"


def page(evidence: str, **query: str) -> AppTest:
    return visited(
        AppTest.from_string(SCRIPT, default_timeout=SECONDS), addressed("audit", {"evidence": evidence, **query})
    )


def headline(app: AppTest) -> str:
    return " ".join(str(block.value) for block in app.markdown if block.value.startswith("## "))


def confirm(app: AppTest) -> AppTest:
    (box,) = (one for one in app.checkbox if one.label == confirmation.LABEL)
    return checked(box.check().run())


def file_of(with_record: np.ndarray, without: np.ndarray, header: str) -> bytes:
    lines = [f"{score:.6f},in" for score in with_record] + [f"{score:.6f},out" for score in without]
    return "\n".join([header, *lines]).encode()


@pytest.mark.parametrize("evidence", [ONE, MANY])
def test_a_plan_depends_on_no_budget(evidence: str) -> None:
    """A machine so busy that a run of the page has no time left for what takes long says the same."""
    busy = f"from pages.server.budget import Budget, within\nwith within(Budget(0.5)):\n{indent(SCRIPT, '    ')}"
    questions.one_run.cache_clear()
    questions.many_runs.cache_clear()
    query = {"evidence": evidence, "canaries_from": "before the audit", "claim": "μ-GDP"}
    app = visited(AppTest.from_string(busy, default_timeout=SECONDS), addressed("audit", query))
    assert any("in 4 of 5" in str(block.value) for block in app.markdown)
    assert not app.warning


@pytest.mark.parametrize("sample", CANARY_SAMPLES, ids=lambda sample: sample.file)
def test_the_shipped_run_that_kept_its_promise_is_not_refuted_and_the_broken_ones_are(sample: CanarySample) -> None:
    said = headline(page(ONE, canary_sample=sample.name))
    assert said.startswith("## **Not refuted:**" if sample.name == "as promised" else "## **Refuted:**")
    assert "about 1,000 canaries are right" in said


@pytest.mark.parametrize("claim", ["the release at the left", "ε and δ", "μ-GDP"])
def test_the_python_prints_the_verdict(claim: str, capsys: pytest.CaptureFixture[str]) -> None:
    app = AppTest.from_string(SCRIPT, default_timeout=SECONDS)
    app.session_state["downloads.take_canary-audit"] = True
    app = visited(app, addressed("audit", {"evidence": ONE, "claim": claim}))
    (code,) = (block.value for block in app.code if "audit(guesses" in block.value)
    exec(code, {})
    assert "verdict=<Verdict." in capsys.readouterr().out


@pytest.mark.parametrize(("right", "word"), [(99, "Refuted"), (60, "Not refuted")])
def test_counts_of_right_guesses_are_judged(right: int, word: str) -> None:
    app = page(ONE, canaries_from="counts", claim="ε and δ", canaries="1000", guessed="100", right=str(right))
    app = confirm(app)
    found = audit(Guesses(1000, (100,), (right,)), ApproximateClaim(1.0, 1e-5))
    assert f"**{word}:** {right} of the 100 surest guesses about 1,000 canaries are right" in headline(app)
    assert canaries.meaning(ApproximateClaim(1.0, 1e-5), found) in [block.value for block in app.markdown]


def test_too_few_canaries_are_said_to_be_too_few() -> None:
    app = confirm(
        page(ONE, canaries_from="counts", claim="ε and δ", claimed_epsilon="8", canaries="20", guessed="10", right="9")
    )
    assert "**Too few canaries to tell:**" in headline(app)


def test_a_file_of_canaries_is_judged() -> None:
    rng = np.random.default_rng(1)
    members = np.flatnonzero(rng.random(2_000) < 0.5)
    scores = rng.normal(size=2_000)
    scores[members] += 4.0
    inside = np.isin(np.arange(2_000), members)
    data = file_of(scores[inside], scores[~inside], "score,included")
    app = give(page(ONE, canaries_from="scores of canaries", claim="μ-GDP"), ("scores.csv", data))
    assert "**Refuted:**" in headline(confirm(app))


@pytest.mark.parametrize(("shift", "word"), [(3.0, "Refuted"), (0.5, "Not refuted")])
def test_scores_of_many_runs_are_judged(shift: float, word: str) -> None:
    rng = np.random.default_rng(2)
    data = file_of(rng.normal(shift, 1.0, 500), rng.normal(size=500), "score,world")
    app = confirm(give(page(MANY, runs_from="scores of runs", claim="μ-GDP"), ("scores.csv", data)))
    assert f"**{word}:**" in headline(app)
    assert any("a better attack may exist" in caption.value for caption in app.caption)


def test_two_runs_are_too_few() -> None:
    data = file_of(np.array([1.0, 2.0, 3.0]), np.array([0.0, 0.5, 0.7]), "score,world")
    app = confirm(give(page(MANY, runs_from="scores of runs", claim="μ-GDP"), ("scores.csv", data)))
    assert "**Too few runs to tell**" in headline(app)


@pytest.mark.parametrize("claim", [GdpClaim(1.0), ApproximateClaim(1.0, 1e-5), ReleaseClaim(Gaussian(1.0, 0.01, 1000))])
def test_a_weaker_promise_allows_more(claim: Claim) -> None:
    alpha = np.geomspace(1e-6, 0.5, 30)
    weaker = claims.wrong_by(claim, 2.0)
    assert np.all(weaker.power(alpha) >= claim.power(alpha))
    assert named(weaker) != named(claim)


def test_more_runs_refute_more_often() -> None:
    plan = questions.many_runs(GdpClaim(1.0), GdpClaim(2.0), 0.95)
    assert plan.needed is not None
    reached = np.interp(plan.needed, plan.sizes, plan.power)
    assert reached > 0.75
    assert plan.power[-1] > plan.power[0]


def test_words_of_a_refutation_name_the_counts_and_what_else_is_refuted() -> None:
    rng = np.random.default_rng(3)
    verdict = claim_verdict(Scores(rng.normal(size=400), rng.normal(3.0, 1.0, 400)), GdpClaim(1.0))
    cut = verdict.test.cut
    assert f"{cut.accused:,} of 400 runs" in runs.sentence(verdict)
    assert f"{cut.wronged:,} of 400" in runs.sentence(verdict)
    assert verdict.largest_refuted is not None
    assert f"Every promise up to μ {rounded_down(verdict.largest_refuted)} is refuted" in runs.meaning(verdict)
