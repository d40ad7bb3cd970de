"""What is said of an audit's number in words, and what is taken away of it: the snippet, tables and their headers."""

import io
import re

import numpy as np
import pandas as pd
import pytest

from losses import SAMPLES
from numerics.epsilon_star import EMPIRICAL_CLIP, Method, ascending, estimate, lower_bound
from numerics.epsilon_star.audit_caveats import Caveat
from numerics.epsilon_star.confidence import Ascending, Place
from numerics.epsilon_star.error_ratios import Term
from numerics.epsilon_star.loss_summary import summarise
from pages.measuring import audits, figures, words
from pages.measuring.audits import Audit, Clip, Options
from pages.measuring.source import Source
from pages.shared import export
from pages.shared.frequencies import rounded_down, rounded_up
from tests.page_epsilon_star import samples_losses
from tests.page_visit import ROOT

ZERO_ONE = np.repeat([0.0, 1.0], [377, 23]), np.repeat([0.0, 1.0], [282, 118])
PRINTED = 1e-12  # numbers are printed with all digits


def audit_of(method: Method, clip: float | None, train: np.ndarray, fresh: np.ndarray, delta: float) -> Audit:
    options = Options(method, Clip.NONE if clip is None else Clip.PAPER, delta, 0.95, 2)
    result = estimate(train, fresh, delta, method, clip, components=options.components)
    assert result.evidence is not None
    bound = lower_bound(Ascending(ascending(train)), Ascending(ascending(fresh)), delta, options.level)
    return Audit(result, bound, summarise(train, fresh, result.evidence, result.laws), 0, 0.1, options)


def audits_of_all_kinds() -> list[Audit]:
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
    assert "at least 0" in words.bound_sentence(audit)
    assert f"up to {rounded_up(audit.bound.attainable)}" in words.bound_sentence(audit)


def test_what_is_shown_is_true_of_losses_that_are_0_or_1() -> None:
    audit = audit_of(Method.EMPIRICAL, EMPIRICAL_CLIP, *ZERO_ONE, 1e-3)
    said = words.bound_sentence(audit)
    found = re.search(
        r"of 10,000 outsiders at least ([\d,]+) have a loss above 0, and of 10,000 members at most ([\d,]+)", said
    )
    assert found
    assert int(found[1].replace(",", "")) <= 2950
    assert int(found[2].replace(",", "")) >= 570
    place = audit.bound.place
    assert place is not None
    alone = np.log((place.named_at_least - 1e-3) / place.wronged_at_most)
    assert f"by themselves give {rounded_down(float(alone))}." in said
    assert 0.0 < alone < audit.bound.value


@pytest.mark.parametrize(
    ("tied", "side"),
    [(0.0, "below 2"), (0.37, "below 2 (of those equal to it 37 % count too, by lot)"), (1.0, "up to 2")],
)
def test_tied_losses_are_said_to_count(tied: float, side: str) -> None:
    assert f"have a loss {side}, and" in words._shown(Place(Term.MEMBERS_BELOW, 2.0, tied, 0.3, 0.1))


def test_every_caveat_has_words() -> None:
    found = audits_of_all_kinds()
    assert {caveat for audit in found for caveat in audit.result.caveats} == set(Caveat)
    for audit in found:
        assert len(words.warnings(audit)) == len(audit.result.caveats)
        assert all("None" not in line and "nan" not in line for line in words.warnings(audit))


def test_sentence_speaks_of_whom_the_attack_names() -> None:
    for audit in audits_of_all_kinds():
        accuses = audit.result.peaks[0].term in (Term.MEMBERS_BELOW, Term.MEMBERS_ABOVE)
        assert ("accusing" in words.sentence(audit)) == accuses


def test_every_ratio_is_oriented() -> None:
    assert set(words.ORIENTATION) == set(words.QUOTIENT) == set(Term)


def sample_source(index: int = 0) -> Source:
    sample = SAMPLES[index]
    line = f'groups = split(read_table(open("data/{sample.file}", "rb").read()), "loss", "member", "1")'
    python = f"from losses import read_table, split\n\n{line}"
    return Source(("sample", sample.name), sample.name, sample.groups, python)


@pytest.mark.parametrize("method", audits.METHODS)
def test_the_snippet_prints_the_number_on_the_page(
    method: Method, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    audit = audit_of(method, EMPIRICAL_CLIP, *samples_losses(0), 1e-4)
    code = figures.snippet(sample_source(), audit).replace("open(", "__import__('pathlib').Path(")
    exec(code.replace(', "rb").read()', ").read_bytes()"), {})  # an open file would warn
    first, second = capsys.readouterr().out.splitlines()[:2]
    assert float(first.removeprefix("epsilon*: ")) == pytest.approx(audit.result.value, rel=PRINTED)
    assert float(second.removeprefix("at least: ")) == pytest.approx(audit.bound.value, rel=PRINTED)


def test_exports_say_what_they_are() -> None:
    audit = audit_of(Method.PARAMETRIC, None, *samples_losses(0), 1e-4)
    header = figures.settings(sample_source(), audit)
    assert header["epsilon*"] == repr(audit.result.value)
    assert "no lower bound" in header["kind"]
    assert all(caveat.value in header["caveats"] for caveat in audit.result.caveats)
    assert header["delta"] == "0.0001"


def test_both_figures_have_their_data() -> None:
    audit = audit_of(Method.PARAMETRIC, None, *samples_losses(0), 1e-4)
    header = figures.settings(sample_source(), audit)
    densities = pd.read_csv(io.StringIO(figures.densities_table(audit, header)), comment="#")
    np.testing.assert_array_equal(densities["density of training data"], audit.summary.train.density)
    errors = pd.read_csv(io.StringIO(export.curves_table(figures.curves(audit), header)), comment="#")
    assert list(errors["release"].unique()) == [curve.label for curve in figures.curves(audit)]
