"""``python -m losses audit``: exit codes, the report in words, and JSON with the numbers of the in-memory path."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from scipy import stats

from losses import SAMPLES
from losses.warehouse.engines import attached
from numerics.epsilon_star import EMPIRICAL_CLIP, LossScale, Method, default_delta, estimate
from numerics.version import VERSION
from pages.audit.epsilon_star.audits import of_groups
from pages.audit.epsilon_star.options import Options, usual_clip
from reports.command.main import main
from tests import ROOT
from tests.reference import rows

pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")

SAMPLE = str(ROOT / "data" / SAMPLES[0].file)
UNIT = ("--unit", "log-odds")
SUMMED = 1e-9  # promised: the same sums by another engine
COUNTED = 1e-12  # the same counts, divided in another order


def parsed(text: str, **how: Any) -> Any:
    """The numbers of a report in JSON."""
    return json.loads(text, **how)["numbers"]


@pytest.fixture
def numbers(tmp_path: Path) -> str:
    """A Parquet file of two groups of 200 losses."""
    rng = np.random.default_rng(0)
    table = pa.table({"loss": rng.gamma(2.0, size=400), "split": ["train", "test"] * 200})
    parquet.write_table(table, tmp_path / "numbers.parquet")
    return str(tmp_path / "numbers.parquet")


def said(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert main(["audit", *arguments]) == code
    shown = capsys.readouterr()
    return shown.out if code < 2 else shown.err


def test_the_command_itself_gives_the_numbers_in_memory() -> None:
    command = [
        sys.executable,
        "-m",
        "losses",
        "audit",
        SAMPLE,
        "--method",
        "all",
        "--clip",
        "paper",
        "--json",
        "--quiet",
        *UNIT,
    ]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    found, software = parsed(run.stdout), json.loads(run.stdout)["software"]
    groups = SAMPLES[0].groups()
    delta = default_delta(len(groups.train))
    assert found["delta"] == delta
    assert found["sizes"] == {"train": len(groups.train), "population": len(groups.population)}
    assert software.endswith(VERSION)
    assert found["engine"].startswith("duckdb ")
    clips = {Method.PARAMETRIC: delta, Method.EMPIRICAL: EMPIRICAL_CLIP}
    for name, method in (
        ("parametric", Method.PARAMETRIC),
        ("empirical", Method.EMPIRICAL),
        ("confidence", Method.CONFIDENCE),
    ):
        expected = estimate(groups.train, groups.population, None, method, clips.get(method), scale=LossScale.LOG_ODDS)
        tolerance = SUMMED if method is Method.PARAMETRIC else COUNTED
        assert found["estimates"][name]["value"] == pytest.approx(expected.value, rel=tolerance)
        assert found["estimates"][name]["caveats"] == [str(caveat) for caveat in expected.caveats]
    assert found["estimates"]["empirical"]["at_most"] == found["estimates"]["empirical"]["value"]
    assert found["limit"] is None


def test_the_limit_decides_the_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, SAMPLE, "--method", "confidence", "--max-epsilon-star", "1.0", code=1)
    assert "Limit 1, compared with the lower confidence bound: EXCEEDED by the lower confidence bound." in text
    text = said(capsys, SAMPLE, "--method", "confidence", "--max-epsilon-star", "5")
    assert "Limit 5, compared with the lower confidence bound: kept. A lower bound within the limit is no" in text
    text = said(capsys, SAMPLE, *UNIT, "--max-epsilon-star", "50")
    assert text.startswith("Limit 50, compared with the lower confidence bound and the parametric estimate: kept.\n")


def test_by_default_the_limit_is_for_the_bound_and_the_parametric_estimate(capsys: pytest.CaptureFixture[str]) -> None:
    found = parsed(said(capsys, SAMPLE, *UNIT, "--max-epsilon-star", "1.0", "--json", code=1))
    value, bound = (found["estimates"][name]["value"] for name in ("parametric", "confidence"))
    assert found["limit"] == {
        "max_epsilon_star": 1.0,
        "compared_with": {"confidence": bound, "parametric": value},
        "exceeded_by": ["confidence", "parametric"],
        "undecided": False,
    }
    said(capsys, SAMPLE, *UNIT, "--max-epsilon-star", repr(value))  # a limit is kept where it is met


def test_a_bound_above_the_limit_fails_although_the_estimate_is_below_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Sparse leaks: one member in ten is certain, which normal fits do not see."""
    rng = np.random.default_rng(1)
    train, fresh = (rng.normal(size=4000) for _ in range(2))
    train[:400] -= 8.0
    rows = [f"{loss!r},{label}" for own, label in ((train, "in"), (fresh, "out")) for loss in own.tolist()]
    (tmp_path / "leak.csv").write_text("\n".join(["loss,member", *rows]))
    arguments = (f"{tmp_path}/leak.csv", "--member", "in", "--method", "empirical", "--clip", "0.05", "--json")
    limit = ("--max-epsilon-star", "3.0")
    found = parsed(said(capsys, *arguments, *limit, code=1))
    assert found["estimates"]["empirical"]["value"] < 3.0 < found["estimates"]["confidence"]["value"]
    assert found["limit"]["exceeded_by"] == ["confidence"]
    assert "it is below the lower bound, so it is too small" in found["estimates"]["empirical"]["reasons"]


def test_without_a_unit_there_is_no_normal_fit_and_a_limit_is_undecided(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, SAMPLE)
    assert text.index("ε* is at least 2.68.") < text.index("(parametric): not shown as a number, because")
    assert main(["audit", SAMPLE, "--max-epsilon-star", "5"]) == 2
    assert "UNDECIDED" in capsys.readouterr().out
    assert main(["audit", SAMPLE, "--max-epsilon-star", "1"]) == 1  # the bound alone decides that


@pytest.mark.parametrize("unit", ["nats", "bits", "none"])
def test_losses_below_zero_are_no_cross_entropy(capsys: pytest.CaptureFixture[str], unit: str) -> None:
    found = parsed(said(capsys, SAMPLE, "--unit", unit, "--json"))
    assert set(found["estimates"]) == {"confidence"}
    assert ("must not be negative" in found["refused"]["parametric"]) == (unit != "none")


def test_an_engine_fits_on_every_scale_and_says_what_the_fit_is_worth(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Cross-entropy of log odds N(3, 4) and N(2, 4): the truth is 1.9931, and 14.59 is said of it as printed."""
    row = next(row for row in rows("normal laws fitted to -z itself") if row.id == "grey_natural_logit_fit")
    z = stats.norm.ppf((np.arange(1, 1001) - 0.5) / 1000)
    groups = [np.logaddexp(0.0, -(mean + 2.0 * z)) for mean in (3.0, 2.0)]
    for name, unit in (("nats", 1.0), ("bits", np.log(2.0))):
        lines = [f"{loss!r},{label}" for own, label in zip(groups, "io", strict=True) for loss in (own / unit).tolist()]
        (tmp_path / f"{name}.csv").write_text("\n".join(["loss,member", *lines]))
        arguments = (f"{tmp_path}/{name}.csv", "--member", "i", "--delta", "1e-5", "--json")
        found = parsed(said(capsys, *arguments, "--unit", name))["estimates"]["parametric"]
        assert found["value"] == pytest.approx(row.expected, rel=SUMMED)
        assert found["standing"] == "not to be relied on alone"
        assert found["reasons"][-1] == "it was not checked against a null of these losses"
        printed = parsed(said(capsys, *arguments, "--as-printed"))["estimates"]["parametric"]
        assert printed["value"] == pytest.approx(rows(prefix="grey_parametric_cross_entropy")[0].expected, rel=SUMMED)
        assert printed["standing"] == "says nothing about these losses"


def test_help_says_what_the_exit_codes_mean(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["audit", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert "1 the lower bound or the estimate of the chosen method exceeds --max-epsilon-star" in told


def test_of_all_methods_each_must_keep_the_limit(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = (SAMPLE, *UNIT, "--method", "all", "--json", "--max-epsilon-star", "4.5", "--clip", "paper")
    found = parsed(said(capsys, *arguments, code=1))
    above = {name for name, value in found["limit"]["compared_with"].items() if value > 4.5}
    assert set(found["limit"]["exceeded_by"]) == above
    assert 0 < len(above) < 3


def test_a_bound_of_0_is_shown_at_no_loss(capsys: pytest.CaptureFixture[str], numbers: str) -> None:
    text = said(capsys, numbers, "--member", "train", "--loss", "loss", "--membership", "split")
    assert "ε* is at least 0.\n" in text
    assert "have a loss" not in text


def test_infinite_values_are_words_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    found = parsed(said(capsys, SAMPLE, "--method", "empirical", "--clip", "no", "--json"), parse_constant=pytest.fail)
    assert found["estimates"]["empirical"]["value"] == "inf"
    assert float(found["estimates"]["empirical"]["at_most"]) == np.inf


def test_the_estimate_that_nobody_chose_a_clip_for_is_that_of_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    for method, clip in ((Method.EMPIRICAL, EMPIRICAL_CLIP), (Method.PARAMETRIC, None)):
        found = parsed(said(capsys, SAMPLE, "--method", method.name.lower(), "--unit", "log-odds", "--json"))
        on_page = Options(method, usual_clip(method), None, scale=LossScale.LOG_ODDS)
        expected = of_groups(SAMPLES[0].groups(), on_page, has_null=False).estimated
        assert expected is not None
        assert found["estimates"][method.name.lower()]["clip"] == expected.clip == clip
        assert found["estimates"][method.name.lower()]["value"] == pytest.approx(expected.value, rel=1e-9)


def test_the_report_says_what_was_measured_and_what_to_mind(capsys: pytest.CaptureFixture[str], numbers: str) -> None:
    wishes = ("--delta", "0.01", "--clip", "0.02", "--level", "0.9", "--unit", "nats")
    text = said(capsys, numbers, "--method", "all", *wishes)
    assert "Losses are in column “loss”.\n" in text
    assert text.count("200 losses\n") == 2
    assert "“train” in column “split” means training data: its labels say so.\n" in text
    assert "δ = 0.01" in text
    assert "with 90 % confidence ε* is at least" in text
    assert "rates cut to (0.02, 1 − 0.02)" in text
    assert "because counted rates are biased upwards" in text
    assert "δ is larger than 1/n: it leaves out whole people" in text
    assert "**" not in text
    assert "no guarantee" in text


def test_a_member_may_be_named(capsys: pytest.CaptureFixture[str], numbers: str) -> None:
    found = parsed(said(capsys, numbers, "--member", "test", "--loss", "loss", "--membership", "split", "--json"))
    assert found["columns"] == {
        "loss": "loss",
        "membership": "split",
        "member": "test",
        "why": "this was said, not guessed",
    }


def test_two_sources(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    train, fresh = np.linspace(0.1, 1, 50), np.linspace(0.2, 2, 40)
    for name, own in (("train", train), ("fresh", fresh)):
        (tmp_path / f"{name}.csv").write_text("loss\n" + "\n".join(map(repr, own.tolist())))
    text = said(capsys, f"{tmp_path}/train.csv", "--population", f"{tmp_path}/fresh.csv", "--json", "--unit", "nats")
    expected = estimate(train, fresh, method=Method.PARAMETRIC, scale=LossScale.NATS)
    assert parsed(text)["estimates"]["parametric"]["value"] == pytest.approx(expected.value, rel=1e-9)
    assert parsed(text)["columns"]["member"] is None


def test_a_table_of_an_engine(capsys: pytest.CaptureFixture[str], tmp_path: Path, numbers: str) -> None:
    url = f"duckdb://{tmp_path}/models.ddb"
    with attached(url) as engine:
        engine.con.execute(f"CREATE TABLE losses AS FROM '{numbers}'")
    found = parsed(said(capsys, "--engine", url, "--table", "losses", "--json", "--unit", "nats"))
    expected = parsed(said(capsys, numbers, "--json", "--unit", "nats"))["estimates"]
    assert found["estimates"].keys() == expected.keys()
    for method, numbers_of in expected.items():  # an engine adds up in any order, so the last digits differ
        assert found["estimates"][method]["value"] == pytest.approx(numbers_of["value"], rel=SUMMED)
    assert "There is no table “other”" in said(capsys, "--engine", url, "--table", "other", code=2)
