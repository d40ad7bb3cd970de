"""A report's fields: what is known fills itself in with the pages' numbers, the rest is marked; so does the label."""

import json
import re
from typing import Any

import pytest

from numerics.mechanisms import Composition, Gaussian, Laplace
from numerics.mechanisms.exponential_mechanism import ExponentialMechanism
from numerics.mechanisms.noisy_max import LaplaceNoisyMax
from numerics.mechanisms.truncated_laplace import TruncatedLaplace
from numerics.trade_off import Order
from pages.ui import cached, memo, report_fields
from pages.ui.certificate import html_file
from pages.ui.certificate.subject import FormEntries
from pages.ui.memo import Memo
from pages.ui.numbers_in_words import rounded_up
from pages.ui.privacy_label import label_of
from pages.ui.release_choice import ReleaseChoice
from pages.ui.report_fields import FIELDS, NOT_STATED
from tests.html import Elements
from tests.pages.ui.certificate.subjects import FIXED, NO_NOISE, PHASES, SGD, subject
from tests.plotting.test_static import figure

ADDRESS = "https://privacy.example.org/mechanism?noise=2&limit=30"
RELEASES = [SGD, NO_NOISE, FIXED, PHASES, Composition((SGD, Gaussian(2.0, 0.1, 50)))]


def choice_of(release: Any = SGD, records: int | None = 1000) -> ReleaseChoice:
    return ReleaseChoice(release, 1e-3, Order.ADD, 1e-5, records=records)


def row(choice: ReleaseChoice, place: int, **answers: str) -> str:
    return report_fields.rows(choice, answers)[place - 1][1]


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.label)
def test_what_nobody_said_is_marked_and_what_is_known_is_not(release: Any) -> None:
    for field, (_, text) in zip(FIELDS, report_fields.rows(choice_of(release), {}), strict=True):
        assert (NOT_STATED in text) == bool(field.asks), text
    assert len({field.key for field in FIELDS}) == 16
    said = {field.key: f"said of {field.key}" for field in FIELDS}
    for field, (_, text) in zip(FIELDS, report_fields.rows(choice_of(release), said), strict=True):
        assert NOT_STATED not in text
        assert (said[field.key] in text) == bool(field.asks)


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.label)
def test_numbers_are_the_pages_guarantees(release: Any) -> None:
    text = row(choice_of(release), 8)
    assert f"advantage: {rounded_up(cached.advantage(release).upper, 3)}" in text
    assert f"found at FPR 0.001: {rounded_up(cached.power(release, 1e-3, Order.ADD).upper)}" in text
    assert f"(its regret): {rounded_up(cached.gaussian_regret(release).upper, 2)}" in text


def test_zcdp_and_rdp_are_there_where_they_are_known() -> None:
    assert "zCDP: ρ = 0.125, exact; RDP of order 2: 0.25, " in row(choice_of(Gaussian(2.0)), 8)
    assert "zCDP: ρ at most 0.125; " in row(choice_of(Laplace(2.0)), 8)
    assert "RDP is not computed" in row(choice_of(FIXED), 8)
    assert "zCDP: ρ at most 500, as without sampling; RDP" in row(choice_of(SGD), 8)  # zCDP cannot say what that saves
    choices = row(choice_of(ExponentialMechanism(1.0, steps=20)), 8)
    assert "zCDP: ρ at most 2.5; RDP of order 2: " in choices  # 20/8, Cesar and Rogers 2021
    nothing = row(choice_of(LaplaceNoisyMax(0.5, steps=100)), 8)
    assert "error rates from 10⁻⁹: none that is finite; advantage" in nothing
    assert "regret" not in nothing
    assert "zCDP: no finite ρ; RDP: no finite divergence." in row(choice_of(TruncatedLaplace(1.0)), 8)


def test_delta_is_compared_with_the_records() -> None:
    assert "N δ = 0.01, below 1 in all" in row(choice_of(), 9)
    assert "N δ = 0.6, below 1 in all" in row(choice_of(records=60_000), 9)
    assert "allows to publish somebody's record" in row(choice_of(records=200_000), 9)
    assert "cannot be compared" in row(choice_of(records=None), 9)


def test_the_certificate_has_all_fields_and_claims_no_compliance() -> None:
    said = FormEntries(answers=(("trust", "central <script>alert(1)</script>"), ("attacks", "")))
    html = html_file.page(subject(SGD, named=said))
    page = Elements(html)
    for place, field in enumerate(FIELDS, 1):
        assert f"{place}. {field.name}" in page.text
    assert "no claim of compliance" in page.text
    assert "central <script>alert(1)</script>" in page.text
    assert "script" not in page.seen
    assert "Not stated: membership, attribute, reconstruction" in page.text
    assert "complies" not in page.text
    assert "compliant" not in page.text


def test_a_memo_has_the_numbers_and_what_is_open() -> None:
    choice = choice_of()
    made = Memo(
        "?", ("answer",), "release", memo.assumptions(SGD), "shown", ADDRESS, lambda: report_fields.in_short(choice)
    )
    text = Elements(memo.page(made, figure())).text
    assert f"μ-GDP, error rates from 10⁻⁹: {rounded_up(cached.gaussian_mu(SGD).upper, 4)}" in text
    assert "Not stated here: release, trust model, implementation, attacks run" in text
    assert "For a report" not in Elements(memo.page(Memo(*list(vars(made).values())[:-1]), figure())).text


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.label)
def test_the_label_says_the_same_in_markdown_and_as_a_picture(release: Any) -> None:
    label = label_of(choice_of(release), ADDRESS)
    picture = Elements(label.html)
    for name, value in {**label.facts, **label.numbers}.items():
        assert json.dumps(value, ensure_ascii=False) in label.markdown
        assert name in picture.text
        assert value in picture.text
    assert "sampler as run" in label.markdown
    assert ADDRESS in label.markdown
    assert len(label.markdown.splitlines()) < 25
    assert "script" not in picture.seen


def test_the_label_is_yaml_of_names_and_quoted_strings() -> None:
    """Every string of JSON is one of YAML."""
    label = label_of(choice_of(), ADDRESS)
    head, *lines = label.markdown.split("```yaml\n")[1].split("```")[0].splitlines()
    assert head == "differential_privacy:"
    found: dict[str, Any] = {}
    for line in lines:
        spelled = re.fullmatch(r'(  |    )(\w+|"[^"]+"): (.+)', line)
        assert spelled, line
        _, name, value = spelled.groups()
        found[name.strip('"')] = None if value.startswith("#") or value == "" else json.loads(value)
    assert found.pop("not_stated") == list(label.not_stated)
    assert found.pop("check") == ADDRESS
    assert found.pop("guarantees") is None
    assert found == {**label.facts, **label.numbers}
