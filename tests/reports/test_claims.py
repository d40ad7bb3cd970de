"""``--claim``: what is understood, verdicts with their exit codes, in words and in JSON; and what is said of parts."""

from pathlib import Path

import numpy as np
import pytest

from numerics import Gaussian
from numerics.audits import ApproximateClaim, Claim, GdpClaim, ReleaseClaim, Scores
from numerics.sampling import Adjacency, Sampling
from plotting.parts import PartShare, parts_figure
from reports import attack_scores, figures, html_file, json_file, parts, promises
from reports.audit_report import Data
from reports.command.claims import claim_of
from reports.parts import RowParts
from reports.rounding import rounded_up
from tests import ROOT
from tests.html import Elements
from tests.reports.running import Command

PROMISED = "gaussian,noise=1,rate=0.01,steps=1000"
RNG = np.random.default_rng(2)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("mu=1.5", GdpClaim(1.5)),
        ("epsilon=2, delta=1e-5", ApproximateClaim(2.0, 1e-5)),
        ("epsilon=2", ApproximateClaim(2.0, 0.0)),
        (PROMISED, ReleaseClaim(Gaussian(1.0, 0.01, 1000))),
        ("Gaussian,noise=2,adjacency=replace-one", ReleaseClaim(Gaussian(2.0, 1.0, 1, Adjacency.REPLACE_ONE))),
        (
            "gaussian,noise=1,rate=0.1,steps=5,adjacency=replace-one,sampling=fixed-size",
            ReleaseClaim(Gaussian(1.0, 0.1, 5, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE)),
        ),
    ],
)
def test_promises_are_understood(text: str, claim: Claim) -> None:
    assert claim_of(text) == claim


@pytest.mark.parametrize(
    ("claim", "last", "refuted", "found"),
    [
        (GdpClaim(0.5), 0.57689, "up to μ 0.576 is", "μ 0.577"),
        (ApproximateClaim(1.0, 1e-5), 2.3451, "up to ε 2.34 at δ = 10⁻⁵ is", "ε 2.35 at δ"),
        (ReleaseClaim(Gaussian(1.0, 0.01, 1000)), 0.56219, "noise 0.563 or more is", "noise 0.562"),
    ],
)
def test_members_of_a_family_are_rounded_to_the_safe_side(claim: Claim, last: float, refuted: str, found: str) -> None:
    assert refuted in promises.all_refuted(claim, last)
    assert promises.at_least(claim, last).startswith(found)


@pytest.mark.parametrize(
    ("name", "code"), [("as_promised", 0), ("noise_by_batch", 1), ("not_clipped", 1), ("five_times_the_rate", 1)]
)
def test_broken_code_is_refuted_and_the_promise_that_was_kept_is_not(command: Command, name: str, code: int) -> None:
    """What canaries would have shown is said of the best scores alone, on a condition; text and JSON say the same."""
    path = ROOT / "data" / f"canaries_{name}.csv"
    given = (path, "--evidence", "canaries", "--claim", PROMISED, "--confirm")
    text = command(*given, code=code).out
    assert text.startswith("Refuted: ") == bool(code)
    assert code or "if canaries do not disturb each other" in text
    if name == "noise_by_batch":
        found = command(*given, "--json", code=1)
        assert "refuted" in found.report["verdict"]["outcome"]
        assert found.report["verdict"]["sentences"][0] in text
        assert found.numbers["p_value"] < 1e-9
        assert f"noise {rounded_up(found.numbers['refuted'])} or more is refuted" in text
        assert found.numbers["canaries"] == 1000


@pytest.mark.parametrize(("shift", "rows", "code"), [(3.0, 100, 1), (0.5, 400, 0), (3.0, 2, 2)])
def test_many_runs_are_tested_and_few_are_undecided(
    command: Command, tmp_path: Path, shift: float, rows: int, code: int
) -> None:
    rng = np.random.default_rng(1)
    lines = [f"{score:.5f},with" for score in rng.normal(shift, 1.0, rows)]
    lines += [f"{score:.5f},without" for score in rng.normal(size=rows)]
    (tmp_path / "runs.csv").write_text("\n".join(["score,world", *lines]))
    found = command(tmp_path / "runs.csv", "--evidence", "runs", "--claim", "mu=1", "--confirm", code=code)
    assert code == 2 or "by the best attack there is" in found.out


# Parts.

ODD = "class_a*b* <b>x</b>"


def three(second: float) -> RowParts:
    shifts = {ODD: 4.0, "b": second, "c": 0.0}
    scores = [Scores(RNG.normal(size=600), RNG.normal(by, 1.0, 600)) for by in shifts.values()]
    return RowParts((), "slices", tuple(shifts), lambda: scores)


def test_of_two_that_are_not_told_apart_none_is_called_the_most_exposed() -> None:
    """The second may be more exposed than the first, though more is shown of that: only the third is surely below."""
    every = three(3.9)
    found = parts.compared(every, 0.95)
    said = parts.sentence(every, found, 0.95, str)
    assert sum(found.below) == 1
    assert "most exposed" not in said
    assert "1 other slice surely" in said
    assert said.count("confidence") == 2  # of two families of statements, each with its own


def test_a_strangers_name_is_text_in_reports_and_figures() -> None:
    every = three(0.0)
    found = parts.compared(every, 0.95)
    drawn = figures.of_parts(every, found)
    assert drawn is not None
    report = attack_scores.report(attack_scores.measured(every.read()[0], 0.95), Data("scores.csv"), [(every, found)])
    for one in (report, attack_scores.report_of_models(every, found, 0.95, Data("scores.csv"))):
        assert f"“{ODD}”" in Elements(html_file.page(one)).text
        assert f"“{ODD}”" in json_file.text(one).encode().decode("unicode_escape")
    assert "<b>" not in drawn.picture.svg
    (tick, *_) = parts_figure([PartShare("<a>{b}", 0.5, 0.1, 0.9)], 0.01).layout.yaxis.ticktext
    assert tick == "&lt;a&gt;&#123;b}"


def test_parts_too_small_for_one_rate_of_false_alarms_are_said_to_be_for_that_rate() -> None:
    """Their Epsilon* may be bounded all the same."""
    few = [Scores(RNG.normal(size=12), RNG.normal(3.0, 1.0, 12)) for _ in range(2)]
    every = RowParts((), "models", ("a", "b"), lambda: few)
    found = parts.compared(every, 0.95)
    assert f"too small to tell anything at {100 * found.alpha:g} %" in parts.sentence(every, found, 0.95, str)
