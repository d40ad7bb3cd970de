"""Certificate, memo, report and label of a release: the pages' numbers, a stranger's text as text, nothing claimed."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from typing import Any

import plotly.graph_objects as go
import pytest

from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Mechanism, Sampling
from numerics.relaxed import Reading
from numerics.trade_off import Order
from pages.mechanism import details
from pages.ui import cached, cached_reconstruction, memo, people_scene, report_fields, task_runner
from pages.ui.certificate import html_file
from pages.ui.certificate.numbers import CertificateNumber, apart, beside, guarantees, rates
from pages.ui.certificate.program import program
from pages.ui.certificate.subject import RATES, CertificateSubject, FormEntries, one_of_all
from pages.ui.certificate.task import RUNNER
from pages.ui.numbers_in_words import rounded_up
from pages.ui.prior_guess import Known
from pages.ui.privacy_label import label_of
from pages.ui.release_choice import ReleaseChoice
from pages.ui.report_fields import FIELDS, NOT_STATED
from pages.ui.threat_models import views
from pages.ui.threat_models.release import ReleaseSetting
from pages.ui.training_run import TrainingRun
from plotting.curves import Axes
from tests.html import Elements
from tests.pages.driver import visit
from tests.pages.visit import checked

FIGURE = go.Figure(go.Scatter(x=[0, 1], y=[1, 0], mode="lines", name="curve"))
SGD = Gaussian(1.0, 0.01, 1000)
FIXED = Gaussian(1.0, 0.01, 100, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE)
TWO = Composition((SGD, Gaussian(2.0, 0.1, 50)))
RELEASES = [SGD, Gaussian(1e-3), FIXED, Composition((Laplace(3.0), Laplace(2.0))), TWO]
BY_RELEASE = pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.label)
ADDRESS = "https://example.org/mechanism?noise=2&x=%3Cscript%3E"
HOSTILE = "</title></style><img src=x onerror=alert(1)><script>alert(1)</script> $x$ \u202egpj"


def choice_of(release: Mechanism = SGD, order: Order = Order.ADD) -> ReleaseChoice:
    return ReleaseChoice(release, 1e-3, order, 1e-5, records=1000, dimension=1)


def subject(release: Mechanism = SGD, named: FormEntries = FormEntries(), address: str = "") -> CertificateSubject:  # noqa: B008
    return CertificateSubject(ReleaseSetting(choice_of(release)), one_of_all(1000), address, named)


@cache
def page(release: Mechanism) -> str:
    """What the certificate says."""
    return Elements(html_file.page(subject(release))).text


@BY_RELEASE
def test_the_full_guarantee_is_that_of_the_pages_in_every_document(release: Mechanism) -> None:
    epsilon = f"ε = {rounded_up(cached.epsilon(release, 1e-5).upper, 4)} at δ = 10⁻⁵"
    found = [cached.power(release, rate, order) for rate in RATES for order in (Order.ADD, Order.REMOVE)]
    for one in (*found, cached.advantage(release), cached_reconstruction.success(release, 1e-3)):
        assert rounded_up(one.upper) in page(release)
    assert epsilon in page(release)
    report = report_fields.rows(choice_of(release), {})[7][1]
    assert f"advantage: {rounded_up(cached.advantage(release).upper, 3)}" in report
    assert f"found at FPR 0.001: {rounded_up(cached.power(release, 1e-3, Order.ADD).upper)}" in report
    assert f"(its regret): {rounded_up(cached.gaussian_regret(release).upper, 2)}" in report


@BY_RELEASE
def test_relaxed_guarantees_stand_beside_it_with_their_kind_or_why_there_is_none(release: Mechanism) -> None:
    """What answers another question stands apart: the table of a Poisson release has no number about fixed sizes."""
    at = subject(release)
    made = guarantees(at)
    for view, one in zip(views.views(at.setting), made, strict=True):
        if view.curve is None or view.found is None:
            assert not isinstance(one.found, CertificateNumber)
            assert view.note in page(release)
        else:
            assert one.found == CertificateNumber(view.found.upper, view.curve.bound)
            assert view.curve.bound.value in page(release)
            assert rounded_up(view.found.upper) in page(release)
    assert "never in its place" in page(release)
    sampled = isinstance(release, Gaussian) and release.sampling is Sampling.POISSON and release.sampling_rate < 1.0
    if sampled:
        assert [one.view.model.notion for one in beside(made)] == ["DP", "RTM", "MIP"]
        assert [one.view.model.notion for one in apart(made)] == ["GMIP"]
    assert (views.APART in page(release)) == bool(apart(made))


@pytest.mark.parametrize("release", RELEASES[:4:2], ids=lambda release: release.label)
def test_the_program_prints_the_numbers(release: Mechanism, capsys: pytest.CaptureFixture[str]) -> None:
    at = subject(release)
    exec(program(at), {})
    printed = capsys.readouterr().out
    full, unknown, sample, others = guarantees(at)
    assert (unknown.found == "not defined") == (release is FIXED)
    found = [*full.own.values(), full.advantage, full.rebuilt, *sample.own.values()]
    found += [] if release is FIXED else [unknown.found]
    found += [value for column in rates(at) if column.notion == "DP" for value in column.values]
    for value in found:
        assert isinstance(value, CertificateNumber)
        assert repr(value.value) in printed
    if isinstance(others.found, CertificateNumber):
        (about,) = re.findall(r"about ([0-9.e-]+)", printed)
        assert float(about) == pytest.approx(others.found.value)


def test_what_one_attack_reaches_is_no_guarantee_and_the_prior_in_force_is_said() -> None:
    reading = ReleaseSetting(replace(choice_of(), clip=2.5), Reading.MAGNITUDE)
    text = Elements(html_file.page(CertificateSubject(reading, Known(0.25, "one of 4 candidates")))).text
    for said in (
        "RTM: reached by one attack; others may reach more.",
        "its curve: magnitude of the mean",
        "clipping norm C: 2.5",
        "κ = 0.25: one of 4 candidates",
        rounded_up(cached_reconstruction.success(SGD, 0.25).upper),
    ):
        assert said in text


def test_what_a_person_writes_stays_text_and_nothing_is_loaded_run_or_dated() -> None:
    said = FormEntries(HOSTILE, HOSTILE, (("trust", HOSTILE), ("attacks", "")))
    plain, html = (
        html_file.page(subject(named=named, address=ADDRESS))
        for named in (FormEntries("plain", "plain", (("trust", "x"),)), said)
    )
    hostile = Elements(html)
    assert (hostile.seen, hostile.attributes) == (Elements(plain).seen, Elements(plain).attributes)
    assert hostile.text.count(HOSTILE.replace("\u202e", "")) == 5  # title, release, responsible, to sign, the answer
    assert "\u202e" not in html
    assert html == html_file.page(subject(named=said, address=ADDRESS))
    assert not {"script", "img", "link", "iframe", "object", "base", "form"} & set(hostile.seen)
    assert (hostile.seen.count("figure"), hostile.seen.count("svg")) == (2, 2)
    letters = {f"#{value}" for name, value in hostile.attributes if name == "id"}
    links = [value for name, value in hostile.attributes if name in ("src", "href", "srcset", "action")]
    assert [link for link in links if link not in letters] == [ADDRESS]
    assert not re.search(r"url\((?!#)|@import", html)
    assert "<a " not in html_file.page(subject(address="javascript:alert(1)"))
    for place, field in enumerate(FIELDS, 1):
        assert f"{place}. {field.name}" in hostile.text
    assert "no claim of compliance" in hostile.text
    assert "Not stated: membership, attribute, reconstruction" in hostile.text
    assert not re.search("complies|compliant", hostile.text)


@BY_RELEASE
def test_report_and_label_mark_what_nobody_said(release: Mechanism) -> None:
    choice, said = choice_of(release), {field.key: f"said of {field.key}" for field in FIELDS}
    assert len(said) == 16
    both = zip(FIELDS, report_fields.rows(choice, {}), report_fields.rows(choice, said), strict=True)
    for field, (_, unsaid), (_, text) in both:
        assert (NOT_STATED in unsaid) == bool(field.asks)
        assert NOT_STATED not in text
        assert (said[field.key] in text) == bool(field.asks)
    label = label_of(choice, ADDRESS)
    picture, facts = Elements(label.html), {**label.facts, **label.numbers}
    assert all(name in picture.text and value in picture.text for name, value in facts.items())
    assert "script" not in picture.seen
    head, *lines = label.markdown.split("```yaml\n")[1].split("```")[0].splitlines()
    assert (head, len(lines) < 25) == ("differential_privacy:", True)
    found: dict[str, Any] = {}
    for line in lines:  # every string of JSON is one of YAML
        spelled = re.fullmatch(r'(  |    )(\w+|"[^"]+"): (.+)', line)
        assert spelled, line
        found[spelled[2].strip('"')] = None if spelled[3].startswith("#") else json.loads(spelled[3])
    assert found == {**facts, "guarantees": None, "check": ADDRESS, "not_stated": list(label.not_stated)}
    assert "sampler as run" in label.not_stated


@pytest.mark.parametrize("order", [Order.ADD, Order.REMOVE])
def test_a_memo_says_what_the_picture_says(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.ui.address.permalink", lambda **_: ADDRESS)
    choice = replace(choice_of(SGD, order), run=TrainingRun(60_000, 600, 10))
    scene = people_scene.scene(choice, "one")
    level = scene.levels[scene.chosen]
    made = replace(details.memo(choice, scene, Axes.LOG), report=lambda: report_fields.in_short(choice))
    html = memo.page(made, FIGURE)
    text = Elements(html).text
    for said in (
        f"{level.found:,} of {scene.crowd:,} {scene.words.after} ({scene.words.luck}). {level.verdict}",
        "60,000 people in batches of 600, 10 epochs.",
        "lacks this one record",
        ADDRESS,
        datetime.now(UTC).date().isoformat(),
        f"μ-GDP, error rates from 10⁻⁹: {rounded_up(cached.gaussian_mu(SGD).upper, 4)}",
        "Not stated here: release, trust model, implementation, attacks run",
    ):
        assert said in text
    assert (f"Noise {scene.advised:g} meets it." in text) == (level.over and scene.advised is not None)
    assert Elements(html).seen.count("svg") == 1
    hostile = Elements(memo.page(replace(made, release=HOSTILE, address="javascript:alert(1)"), FIGURE))
    assert not {"a", "script", "img"} & set(hostile.seen)
    assert HOSTILE.replace("\u202e", "") in hostile.text


def test_making_it_can_be_left_and_ends_with_the_release_it_is_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_runner, "SLICE", 1e-9)
    app = visit("mechanism", folds_open=True)
    app.toggle(key="certificate.open").set_value(True).run()
    app.button(key="certificate.task_start").click().run()
    app.button(key="certificate.task_cancel").click().run()
    assert "Certificate (HTML)" not in {button.proto.label for button in app.get("download_button")}
    app.button(key="certificate.task_start").click().run()
    assert RUNNER.running_key in app.session_state
    checked(app.number_input(key="people").set_value(70_000.0).run())
    assert RUNNER.running_key not in app.session_state
