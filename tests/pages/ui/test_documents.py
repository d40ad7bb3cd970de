"""Certificate, memo, report and label of a release: the pages' numbers, a stranger's text as text, nothing claimed."""

import json
import re
from dataclasses import replace
from functools import cache

import plotly.graph_objects as go
import pytest

from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Mechanism, Sampling
from numerics.trade_off import Order
from pages.attackers import answer
from pages.mechanism import details, in_numbers
from pages.ui import cached, cached_reconstruction, memo, people_scene, report_fields
from pages.ui.certificate import html_file, words
from pages.ui.certificate.numbers import CertificateNumber, apart, beside, guarantees, rates
from pages.ui.certificate.program import program
from pages.ui.certificate.subject import RATES, CertificateSubject, FormEntries, one_of_all
from pages.ui.headline import crowd_for
from pages.ui.numbers_in_words import count_up, counted, rounded_up
from pages.ui.privacy_label import label_of
from pages.ui.release_choice import ReleaseChoice
from pages.ui.report_fields import FIELDS, NOT_STATED
from pages.ui.threat_models import views
from pages.ui.threat_models.release import ReleaseSetting
from pages.ui.training_run import TrainingRun
from plotting.curves import Axes
from tests.html import Elements

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
    return Elements(html_file.page(subject(release))).text


@BY_RELEASE
def test_the_full_guarantee_is_that_of_the_pages_in_every_document(release: Mechanism) -> None:
    found = [cached.power(release, rate, order) for rate in RATES for order in (Order.ADD, Order.REMOVE)]
    for one in (*found, cached.advantage(release), cached_reconstruction.success(release, 1e-3)):
        assert rounded_up(one.upper) in page(release)
    assert f"ε = {rounded_up(cached.epsilon(release, 1e-5).upper, 4)} at δ = 10⁻⁵" in page(release)
    report = report_fields.rows(choice_of(release), {})[7][1]
    assert f"advantage: {rounded_up(cached.advantage(release).upper, 3)}" in report
    assert f"found at FPR 0.001: {rounded_up(cached.power(release, 1e-3, Order.ADD).upper)}" in report
    assert f"(its regret): {rounded_up(cached.gaussian_regret(release).upper, 2)}" in report


@BY_RELEASE
def test_relaxed_guarantees_stand_beside_it_with_their_kind_or_why_there_is_none(release: Mechanism) -> None:
    """What answers another question stands apart: the table of a Poisson release has no number about fixed sizes."""
    at, said = subject(release), page(release)
    made = guarantees(at)
    for view, one in zip(views.views(at.setting), made, strict=True):
        if view.curve is None or view.found is None:
            assert not isinstance(one.found, CertificateNumber)
            assert view.note in said
        else:
            assert one.found == CertificateNumber(view.found.upper, view.curve.bound)
            assert all(each in said for each in (view.curve.bound.value, rounded_up(view.found.upper)))
    assert "never in its place" in said
    if release is SGD:
        notions = [[one.view.model.notion for one in part] for part in (beside(made), apart(made))]
        assert notions == [["DP", "RTM", "MIP"], ["GMIP"]]
    assert (views.APART in said) == bool(apart(made))


@pytest.mark.parametrize("release", RELEASES[:4:2], ids=lambda release: release.label)
def test_the_program_prints_the_numbers(release: Mechanism, capsys: pytest.CaptureFixture[str]) -> None:
    at = subject(release)
    exec(program(at), {})
    printed = capsys.readouterr().out
    full, unknown, sample, _ = guarantees(at)
    assert (unknown.found == "not defined") == (release is FIXED)
    found = [*full.own.values(), full.advantage, full.rebuilt, *sample.own.values()]
    found += [] if release is FIXED else [unknown.found]
    found += [value for column in rates(at) if column.notion == "DP" for value in column.values]
    assert all(isinstance(one, CertificateNumber) and repr(one.value) in printed for one in found)


def test_what_a_person_writes_stays_text_and_nothing_is_loaded_or_run() -> None:
    entries = FormEntries(HOSTILE, HOSTILE, (("trust", HOSTILE), ("attacks", "")))
    html = html_file.page(subject(named=entries, address=ADDRESS))
    hostile = Elements(html)
    plain = Elements(html_file.page(subject(named=FormEntries("x", "x", (("trust", "x"),)), address=ADDRESS)))
    assert (hostile.seen, hostile.attributes) == (plain.seen, plain.attributes)
    assert "\u202e" not in html
    assert hostile.text.count(HOSTILE.replace("\u202e", "")) == 5  # title, release, responsible, to sign, the answer
    assert not {"script", "img", "link", "iframe", "object", "base", "form"} & set(hostile.seen)
    letters = {f"#{value}" for name, value in hostile.attributes if name == "id"}
    links = [value for name, value in hostile.attributes if name in ("src", "href", "srcset", "action")]
    assert [link for link in links if link not in letters] == [ADDRESS]
    assert not re.search(r"url\((?!#)|@import", html)
    assert "<a " not in html_file.page(subject(address="javascript:alert(1)"))
    assert all(f"{place}. {field.name}" in hostile.text for place, field in enumerate(FIELDS, 1))
    assert "no claim of compliance" in hostile.text


@BY_RELEASE
def test_report_and_label_mark_what_nobody_said(release: Mechanism) -> None:
    choice, said = choice_of(release), {field.key: f"said of {field.key}" for field in FIELDS}
    both = zip(FIELDS, report_fields.rows(choice, {}), report_fields.rows(choice, said), strict=True)
    for field, (_, unsaid), (_, text) in both:
        assert (NOT_STATED in unsaid) == (said[field.key] in text) == bool(field.asks)
        assert NOT_STATED not in text
    label = label_of(choice, ADDRESS)
    picture, facts = Elements(label.html), {**label.facts, **label.numbers}
    assert all(name in picture.text and value in picture.text for name, value in facts.items())
    head, *lines = label.markdown.split("```yaml\n")[1].split("```")[0].splitlines()
    spelled = [re.fullmatch(r'(?:  |    )(\w+|"[^"]+"): (.+)', line) for line in lines]
    assert (head, len(lines) < 25, all(spelled)) == ("differential_privacy:", True, True)
    found = {  # every string of JSON is one of YAML
        line[1].strip('"'): None if line[2].startswith("#") else json.loads(line[2]) for line in spelled if line
    }
    assert found == {**facts, "guarantees": None, "check": ADDRESS, "not_stated": list(label.not_stated)}


@pytest.mark.parametrize("order", [Order.ADD, Order.REMOVE])
def test_a_memo_says_what_the_picture_says(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.ui.address.permalink", lambda **_: ADDRESS)
    choice = replace(choice_of(SGD, order), run=TrainingRun(60_000, 600, 10))
    scene = people_scene.scene(choice, "one")
    level = scene.levels[scene.chosen]
    made = replace(details.memo(choice, scene, Axes.LOG), report=lambda: report_fields.in_short(choice))
    figure = go.Figure(go.Scatter(x=[0, 1], y=[1, 0], mode="lines", name="curve"))
    text = Elements(memo.page(made, figure)).text
    for said in (
        f"{level.found:,} of {scene.crowd:,} {scene.words.after} ({scene.words.luck}). {level.verdict}",
        *("60,000 people in batches of 600, 10 epochs.", "lacks this one record", ADDRESS),
        f"μ-GDP, error rates from 10⁻⁹: {rounded_up(cached.gaussian_mu(SGD).upper, 4)}",
        "Not stated here: release, trust model, implementation, attacks run",
    ):
        assert said in text
    assert (f"Noise {scene.advised:g} meets it." in text) == (level.over and scene.advised is not None)
    hostile = Elements(memo.page(replace(made, release=HOSTILE, address="javascript:alert(1)"), figure))
    assert not {"a", "script", "img"} & set(hostile.seen)
    assert HOSTILE.replace("\u202e", "") in hostile.text


CHOICES = [
    *map(choice_of, (SGD, replace(SGD, records_per_person=4), Gaussian(0.02), Gaussian(900.0, 1e-3))),
    replace(choice_of(), alpha=1e-6),
    replace(choice_of(), order=Order.REMOVE, alpha=0.02),
    replace(choice_of(), order=Order.SYMMETRIC, alpha=0.00123),
]
STATED = re.compile(r"^(At most|No protection: up to|No promise: up to) \*\*([\d,]+)\*\* of ([\d,]+) (.+)$")


@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_how_many_are_found_stands_with_its_false_verdicts_and_beside_guessing(
    choice: ReleaseChoice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever a page says it."""
    monkeypatch.setattr("pages.ui.address.permalink", lambda **_: "")
    most = choice.mechanism.power(choice.alpha, choice.order)
    at, scene = ReleaseSetting(choice), people_scene.scene(choice, "x")
    full, *others = views.views(at)
    for said in (
        people_scene.sentence(scene),
        answer.in_full(at, full, others),
        " ".join(details.memo(choice, scene, Axes.LOG).verdict),
        words.sentences(CertificateSubject(at, None))[0],
        in_numbers.sentences(choice, 0.1),
    ):
        stated = STATED.match(said)
        assert stated, said
        count, of = (int(number.replace(",", "")) for number in stated.groups()[1:3])
        assert of >= crowd_for(choice.alpha)
        assert count_up(most.lower, of) <= count <= count_up(most.upper, of) + 1
        wronged, rest = counted(choice.alpha, of), stated[4]
        ruled_out = f"outsiders can be ruled out while {wronged} members are wrongly ruled out"
        accused = f"can be found while {wronged} outsiders are wrongly accused"
        assert (ruled_out if choice.order is Order.REMOVE else accused) in rest
        assert ("with 4 records each" in rest) == (choice.mechanism.records_per_person > 1)
        assert re.search(r"[Gg]uessing (finds|rules out) (about )?[\d,]+", rest)
