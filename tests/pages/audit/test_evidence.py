"""Attack scores and promises on the page of audits: verdicts are those of the numerics, and the files say the same."""

import json
from collections.abc import Callable

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from losses import SAMPLES
from numerics import Gaussian
from numerics.audits import (
    ApproximateClaim,
    Claim,
    GdpClaim,
    ReleaseClaim,
    Scores,
    area_under_curve,
    true_positive_rate,
)
from pages.audit import claims, plan
from pages.ui import downloads
from reports import attack_scores
from reports.promises import named
from tests.html import Elements
from tests.pages.driver import text, visit
from tests.pages.visit import checked, give

RNG = np.random.default_rng(1)


def headline(app: AppTest) -> str:
    return " ".join(str(block.value) for block in app.markdown if block.value.startswith("## "))


def test_attack_scores_are_measured_with_the_confidence_of_the_slider_and_too_few_are_said() -> None:
    groups = SAMPLES[1].groups()
    scores = Scores(-groups.population, -groups.train)
    app = visit("audit?audit.evidence=attack+scores&audit.sure=99+%25&audit.scored_sample=" + SAMPLES[1].name)
    assert attack_scores.sentence(true_positive_rate(scores, 0.01, 0.99), 0.99) in headline(app)
    assert f"Area under the curve {area_under_curve(scores).value:.3f}" in text(app)
    few = true_positive_rate(Scores(np.arange(50.0), np.arange(50.0)), 0.001)
    assert "takes 4,380 outsiders, and there are 50" in attack_scores.sentence(few, 0.95)


def of_models(easy: int, models: int, records: int = 60) -> bytes:
    """Scores of records under models with members of their own; the first ``easy`` records give themselves away."""
    is_in = RNG.random((models, records)) < 0.5
    scores = RNG.normal(size=(models, records)) + np.where(np.arange(records) < easy, 9.0, 0.0) * is_in
    rows = [f"{float(scores[at])},{int(is_in[at])},{at[0]},{at[1]}" for at in np.ndindex(*is_in.shape)]
    return "\n".join(["score,member,model,record_id", *rows]).encode()


def test_records_that_stand_out_are_named_and_none_where_there_is_nothing() -> None:
    app = visit("audit?audit.evidence=attack+scores")
    app.session_state["audit.named_records"] = app.session_state["audit.records_of_models"] = True
    give(app, ("scores.csv", of_models(5, 20)))
    assert "**5 of 60 records stand out over 20 models.**" in text(app)
    shown = next(one.value for one in app.dataframe if "record" in one.value)
    assert sorted(map(int, shown["record"])) == [0, 1, 2, 3, 4]
    rows = (f"{RNG.normal():.5f},{row % 2}" for row in range(800))
    give(app, ("none.csv", "\n".join(["score,member", *rows]).encode()))
    assert "**0 of 400 members stand out.**" in text(app)


@pytest.mark.parametrize("claim", ["the release you set", "ε and δ", "μ-GDP"])
def test_the_python_prints_the_verdict(claim: str, capsys: pytest.CaptureFixture[str]) -> None:
    app = visit(f"audit?audit.evidence=one+run+with+canaries&audit.claim={claim}")
    app.session_state["share.menu"] = True
    (code,) = (block.value for block in checked(app.run()).code if "audit(guesses" in block.value)
    exec(code, {})
    assert "decision=<Decision." in capsys.readouterr().out


def test_a_weaker_promise_allows_more_and_more_runs_refute_more_often() -> None:
    alpha = np.geomspace(1e-6, 0.5, 30)
    every: list[Claim] = [GdpClaim(1.0), ApproximateClaim(1.0, 1e-5), ReleaseClaim(Gaussian(1.0, 0.01, 1000))]
    for claim in every:
        weaker = claims.wrong_by(claim, 2.0)
        assert np.all(weaker.power(alpha) >= claim.power(alpha))
        assert named(weaker) != named(claim)
    planned = plan.many_runs(GdpClaim(1.0), GdpClaim(2.0), 0.95)
    assert planned.needed is not None
    assert np.interp(planned.needed, planned.sizes, planned.power) > 0.75
    assert planned.power[-1] > planned.power[0]


@pytest.mark.parametrize(
    ("evidence", "name", "kind"),
    [
        ("one+run+with+canaries", "canary-audit", "canaries"),
        ("attack+scores", "attack-scores", "attack scores"),
        ("a+model's+losses&audit.method=empirical", "epsilon-star", "losses"),
    ],
)
def test_the_sheet_has_the_pages_verdict_and_the_fields_of_the_json(
    evidence: str, name: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered: dict[str, Callable[[], str]] = {}

    def button(_label: str, file: str, make: Callable[[], str], **_: object) -> None:
        offered[file] = make

    monkeypatch.setattr(downloads, "button", button)
    app = visit(f"audit?audit.evidence={evidence}", folds_open=True)
    sheet = Elements(offered[f"{name}-sheet.html"]())
    found = json.loads(offered[f"{name}.json"](), parse_constant=pytest.fail)
    assert found["audit"] == kind
    said = found["verdict"]["sentences"][0]
    assert said in headline(app).replace(r"\*", "\0").replace("*", "").replace("\0", "*")
    files = [one["sha256"] for one in found["data"]["files"]]
    assert [words for words in (*found["rests_on"], *files, found["code"].rstrip()) if words not in sheet.text] == []
    assert sheet.seen.count("figure") >= max(1, len(found["figures"]))
    page_1, page_2 = sheet.text.split("page 2")
    limit = {"losses": "Limitε* of at most 1Outcome✕ Over your limit of 1.", "canaries": "What was promised: "}
    assert limit.get(kind, "LimitNot stated.") in page_1
    assert [words for words in (said, *found["rests_on"][:3], *files[:4]) if words not in page_1] == []
    assert all(words in page_2 for words in ("None: measured.", "12. Attacks runAudit of a "))
