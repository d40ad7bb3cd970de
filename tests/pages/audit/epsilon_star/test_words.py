"""What is said of an audit's number in words, and what is taken away of it: the snippet, tables and their headers."""

import io
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from losses import SAMPLES, Groups
from numerics.epsilon_star import EMPIRICAL_CLIP, LossScale, Method, estimate
from numerics.epsilon_star.audit_caveats import Caveat
from numerics.epsilon_star.confidence import Place
from numerics.epsilon_star.error_ratios import Term
from numerics.epsilon_star.permutation import Null
from numerics.epsilon_star.verdict import Reason
from pages.audit.epsilon_star import audits, figures, options, words
from pages.audit.epsilon_star.audits import EpsilonStarAudit
from pages.audit.epsilon_star.loss_units import WITHOUT_SCALE, Unit
from pages.audit.epsilon_star.options import Clip, Options
from pages.audit.epsilon_star.report import report
from pages.audit.epsilon_star.source import LossSource
from pages.ui import csv_tables
from pages.ui.numbers_in_words import rounded_up
from reports import html_file, losses_words
from tests import ROOT
from tests.pages.audit.epsilon_star.visit import samples_losses

ZERO_ONE = np.repeat([0.0, 1.0], [377, 23]), np.repeat([0.0, 1.0], [282, 118])
PRINTED = 1e-12  # numbers are printed with all digits


def audit_of(
    method: Method, clip: float | None, train: np.ndarray, fresh: np.ndarray, delta: float
) -> EpsilonStarAudit:
    options = Options(method, Clip.NONE if clip is None else Clip.PAPER, delta, 0.95, 2, LossScale.LOG_ODDS)
    return audits.of_groups(Groups(train, fresh), options)


def audits_of_all_kinds() -> list[EpsilonStarAudit]:
    rng = np.random.default_rng(2)
    train, fresh = rng.normal(0, 1, 200), rng.normal(1, 1.4, 200)
    cases = [
        audit_of(Method.PARAMETRIC, None, train, fresh, 1e-5),
        audit_of(Method.PARAMETRIC, 1e-5, fresh, train, 1e-5),
        audit_of(Method.EMPIRICAL, EMPIRICAL_CLIP, train, fresh, 0.1),
        audit_of(Method.EMPIRICAL, None, train, train + 100.0, 1e-5),
        audit_of(Method.EMPIRICAL, EMPIRICAL_CLIP, train, train, 1e-5),
    ]
    cases.append(audit_of(Method.PARAMETRIC, None, *ZERO_ONE, 1e-3))
    return [*cases, audit_of(Method.PARAMETRIC, None, -train, -fresh, 1e-5)]


def test_nothing_shown_is_said() -> None:
    rng = np.random.default_rng(5)
    audit = audit_of(Method.PARAMETRIC, None, rng.normal(size=100), rng.normal(size=100), 1e-3)
    assert audit.bound.value == 0.0
    ceiling = rounded_up(audit.bound.attainable)
    assert losses_words.bound_sentence(audit.bound).endswith("with 95 % confidence ε\\* is at least **0**.")
    assert losses_words.bound_details(audit.bound) == (
        f"A share δ = 0.001 of people is set aside. Samples of these sizes can show at most {ceiling}."
    )


def test_what_is_shown_is_true_of_losses_that_are_0_or_1() -> None:
    audit = audit_of(Method.EMPIRICAL, EMPIRICAL_CLIP, *ZERO_ONE, 1e-3)
    said = losses_words.bound_sentence(audit.bound)
    found = re.search(r"(\d+) of 400 outsiders, but (\d+) of 400 members, have a loss (?:above 0|of at least 1)", said)
    assert found
    named, wronged = map(int, found.groups())
    assert (named, wronged) <= (118, 23)  # the counts of losses of 1, but for the lots
    assert named / max(wronged, 1) > np.exp(audit.bound.value)


@pytest.mark.parametrize(
    ("tied", "side"),
    [(0.0, "below 2"), (0.37, "below 2 (of those equal to it 37 % count too, by lot)"), (1.0, "up to 2")],
)
def test_tied_losses_are_said_to_count(tied: float, side: str) -> None:
    said = losses_words.shown(Place(Term.MEMBERS_BELOW, 2.0, tied, 37, 899, 8, 898))
    assert said == f"37 of 899 members, but 8 of 898 outsiders, have a loss {side}"


def test_every_caveat_has_words() -> None:
    found = audits_of_all_kinds()
    assert {caveat for audit in found if audit.estimated for caveat in audit.estimated.caveats} == set(Caveat)
    for audit in found:
        one = audit.estimated or audit.bounded
        said = losses_words.warnings(one)
        assert len(said) == len(one.caveats)
        assert all("None" not in line and "nan" not in line for line in said)


def test_sentence_speaks_of_whom_the_attack_names() -> None:
    for audit in audits_of_all_kinds():
        if audit.bound.place is not None:
            accuses = audit.bound.place.term in (Term.MEMBERS_BELOW, Term.MEMBERS_ABOVE)
            assert ("accusing" in words.counted_sentence(audit)) == accuses


def test_every_ratio_is_oriented() -> None:
    assert set(losses_words.ORIENTATION) == set(losses_words.QUOTIENT) == set(Term)


def sample_source(index: int = 0) -> LossSource:
    sample = SAMPLES[index]
    line = f'groups = split(read_table(open("data/{sample.file}", "rb").read()), "loss", "member", "1")'
    python = f"from losses import read_table, split\n\n{line}"
    return LossSource(("sample", sample.name), sample.name, sample.groups, python)


@pytest.mark.parametrize("method", options.METHODS)
def test_the_snippet_prints_the_number_on_the_page(
    method: Method, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    audit = audit_of(method, EMPIRICAL_CLIP, *samples_losses(0), 1e-4)
    code = figures.snippet(sample_source(), audit).replace("open(", "__import__('pathlib').Path(")
    exec(code.replace(', "rb").read()', ").read_bytes()"), {})  # an open file would warn
    first, second = capsys.readouterr().out.splitlines()[:2]
    assert audit.estimated is not None
    assert audit.verdict is not None
    said = f"estimate ({audit.verdict.standing}): "
    assert float(second.removeprefix(said)) == pytest.approx(audit.estimated.value, rel=PRINTED)
    assert float(first.removeprefix("at least: ")) == pytest.approx(audit.bound.value, rel=PRINTED)


def test_exports_say_what_they_are() -> None:
    audit = audit_of(Method.PARAMETRIC, None, *samples_losses(0), 1e-4)
    header = figures.settings(sample_source(), audit)
    assert audit.estimated is not None
    flagged = header["estimate of epsilon*"]
    assert flagged.startswith(f"{audit.estimated.value!r} (says nothing about these losses because it is larger")
    assert header["epsilon* at least"] == f"{audit.bound.value!r} with confidence 0.95"
    assert header["such losses can show at most"] == repr(audit.bound.attainable)
    assert "no lower bound" in header["kind"]
    assert all(caveat.value in header["caveats"] for caveat in audit.estimated.caveats)
    assert header["delta"] == "0.0001"


def test_both_figures_have_their_data() -> None:
    audit = audit_of(Method.PARAMETRIC, None, *samples_losses(0), 1e-4)
    header = figures.settings(sample_source(), audit)
    densities = pd.read_csv(io.StringIO(figures.densities_table(audit, header)), comment="#")
    np.testing.assert_array_equal(densities["density of training data"], audit.summary.train.density)
    errors = pd.read_csv(io.StringIO(csv_tables.curves_table(figures.curves(audit), header)), comment="#")
    assert list(errors["release"].unique()) == [curve.label for curve in figures.curves(audit)]


@pytest.mark.parametrize(
    ("train", "fresh", "scale"),
    [
        (np.zeros(300), np.repeat([0.0, 1.0], [200, 100]), LossScale.NATS),
        (np.zeros(300), np.repeat([0.0, 1.0], [200, 100]), LossScale.PRINTED),
        (np.append(np.linspace(0.0, 1.0, 299), 1e300), np.linspace(0.5, 2.0, 300), LossScale.NATS),
        (np.append(np.linspace(0.0, 1.0, 299), 1e300), np.linspace(0.5, 2.0, 300), LossScale.PRINTED),
        (np.linspace(-1.0, 1.0, 300), np.linspace(0.5, 2.0, 300), LossScale.NATS),
    ],
)
def test_the_bound_and_all_else_stay_where_there_is_no_estimate(
    train: np.ndarray, fresh: np.ndarray, scale: LossScale
) -> None:
    options = Options(Method.PARAMETRIC, Clip.NONE, 1e-3, scale=scale)
    audit = audits.of_groups(Groups(train, fresh), options)
    assert audit.estimated is None
    assert audit.bound == estimate(train, fresh, 1e-3).confidence
    assert audit.bound.value > 0.5
    assert f"not shown as a number,** because {audit.refused}" in audit.estimate.sentence
    assert "nan" not in losses_words.bound_sentence(audit.bound)
    assert figures.settings(sample_source(), audit)["estimate of epsilon*"].startswith("none: ")
    source = LossSource(("one",), "one", lambda: Groups(train, fresh), "groups = None")
    assert "not shown as a number" in html_file.page(report(source, audit, None))
    assert report(source, audit, None).numbers["refused"] == {"parametric": audit.refused}


@pytest.mark.parametrize("unit", [Unit.NOT_SAID, Unit.OTHER])
def test_losses_of_unknown_kind_have_no_fit(unit: Unit) -> None:
    groups = SAMPLES[1].groups()
    for method in (Method.PARAMETRIC, Method.MIXTURE):
        audit = audits.of_groups(groups, Options(method, Clip.NONE, 1e-3, scale=unit))
        assert (audit.estimated, audit.null) == (None, None)
        assert WITHOUT_SCALE[unit] in audit.estimate.sentence
        assert (audit.summary.train.fit, audit.summary.population.fit) == (None, None)


def test_an_estimate_below_the_bound_is_called_too_small() -> None:
    rng = np.random.default_rng(1)
    train, fresh = rng.normal(size=(2, 4000))
    train[:400] -= 8.0
    audit = audits.of_groups(Groups(train, fresh), Options(Method.EMPIRICAL, Clip.PAPER, 0.05))
    assert audit.estimated is not None
    largest = audit.estimated.peaks[0]._replace(log_ratio=0.5 * audit.bound.value)
    too_small = replace(audit, estimated=replace(audit.estimated, peaks=(largest, *audit.estimated.peaks[1:])))
    assert "it is below the lower bound, so it is too small" in too_small.estimate.sentence


def test_mixtures_are_not_checked_until_their_labels_are_shuffled() -> None:
    audit = audit_of(Method.MIXTURE, None, *samples_losses(1), 1e-3)
    assert audit.null is None
    assert audit.verdict is not None
    assert Reason.UNCHECKED in audit.verdict.reasons


def test_rates_near_1_are_shown_by_what_they_lack() -> None:
    assert [losses_words.rate(rate) for rate in (0.5, 0.999, 0.99951, 1.0)] == ["0.5", "0.999", "1 − 0.00049", "1"]


def test_the_share_of_equal_losses_that_count_is_said_in_per_cent() -> None:
    place = Place(Term.MEMBERS_BELOW, 0.0, 0.8, 5, 10, 1, 10)
    assert "(of those equal to it 80 % count too, by lot)" in losses_words.shown(place)


def test_a_p_value_has_two_digits() -> None:
    values = np.array([2.0] * 12 + [0.0] * 87)
    assert "(p = 0.13)" in losses_words.null_sentence(Null(1.0, values, 99, (10, 10), False))
