"""The sheet of a release: the pages' numbers, a stranger's text as text, and nothing claimed that nobody said."""

import json
import re
from dataclasses import replace
from functools import cache

import pytest

from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Mechanism, Sampling
from numerics.trade_off import Bound, Order
from pages.attackers import answer
from pages.mechanism import numbers
from pages.ui import cached, people_scene, prior_guess, sheet_fields, sheet_filling, threat_models
from pages.ui.numbers_in_words import count_up, counted, rounded_up
from pages.ui.release_in_force import ReleaseChoice, TrainingRun
from pages.ui.result_header import crowd_for
from pages.ui.sheet_filling import RATES, SheetNumber, guarantees, one_of_all, program, rates
from pages.ui.threat_models import ReleaseSetting
from reports.audit_report import plain
from reports.sheet import FIELDS, NOT_STATED, Sheet, fields
from tests.html import Elements
from tests.pages.driver import SHOWN

SGD = Gaussian(1.0, 0.01, 1000)
FIXED = Gaussian(1.0, 0.01, 100, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE)
TWO = Composition((SGD, Gaussian(2.0, 0.1, 50)))
RELEASES = [SGD, Gaussian(1e-3), FIXED, Composition((Laplace(3.0), Laplace(2.0))), TWO]
BY_RELEASE = pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.label)
ADDRESS = "https://example.org/mechanism?noise=2&x=%3Cscript%3E"
HOSTILE = "</title></style><img src=x onerror=alert(1)><script>alert(1)</script> $x$ \u202egpj"


def choice_of(release: Mechanism = SGD, order: Order = Order.ADD) -> ReleaseChoice:
    return ReleaseChoice(release, 1e-3, order, 1e-5, records=1000, dimension=1)


def sheet(release: Mechanism = SGD, address: str = "") -> Sheet:
    return sheet_filling.sheet(ReleaseSetting(choice_of(release)), address)


@cache
def page(release: Mechanism) -> str:
    return Elements(sheet(release).html).text


@BY_RELEASE
def test_the_full_guarantee_is_that_of_the_pages(release: Mechanism) -> None:
    found = [cached.power(release, rate, order) for rate in RATES for order in (Order.ADD, Order.REMOVE)]
    for one in (*found, cached.advantage(release), prior_guess.success(release, 1e-3)):
        assert rounded_up(one.upper) in page(release)
    assert f"ε = {rounded_up(cached.epsilon(release, 1e-5).upper, 4)} at δ = 10⁻⁵" in page(release)
    report = sheet_fields.known(choice_of(release))["parameters"]
    assert f"advantage: {rounded_up(cached.advantage(release).upper, 3)}" in report
    assert f"found at FPR 0.001: {rounded_up(cached.power(release, 1e-3, Order.ADD).upper)}" in report
    assert f"(its regret): {rounded_up(cached.gaussian_regret(release).upper, 2)}" in report


@BY_RELEASE
def test_relaxed_guarantees_stand_beside_it_with_their_kind_or_why_there_is_none(release: Mechanism) -> None:
    """What answers another question stands apart: the numbers of a Poisson release are not those of fixed sizes."""
    at, said = ReleaseSetting(choice_of(release)), page(release)
    made = guarantees(at, one_of_all(1000))
    for view, one in zip(threat_models.views(at), made, strict=True):
        if view.curve is None or view.found is None:
            assert not isinstance(one.found, SheetNumber)
            assert view.note in said
        else:
            assert one.found == SheetNumber(view.found.upper, view.curve.bound)
            assert all(each in said for each in (view.curve.bound.value, rounded_up(view.found.upper)))
    assert "never in its place" in said
    apart = [one.view.model.notion for one in made if one.view.differs and one.view.curve is not None]
    assert apart == ["GMIP"] or release is not SGD
    assert (f"Apart, GMIP: {threat_models.APART}" in said) == ("DP there" in said) == bool(apart)
    is_guarantee = bool(apart) and at.fixed_size.bound is Bound.LOWER  # without sampling it is exact
    assert ("DP there, a guarantee that no known attack reaches" in said) == is_guarantee


@pytest.mark.parametrize("release", RELEASES[:4:2], ids=lambda release: release.label)
def test_the_program_prints_the_numbers(release: Mechanism, capsys: pytest.CaptureFixture[str]) -> None:
    at, known = ReleaseSetting(choice_of(release)), one_of_all(1000)
    exec(program(at, known), {})
    printed = capsys.readouterr().out
    full, unknown, sample, _ = guarantees(at, known)
    assert (unknown.found == "not defined") == (release is FIXED)
    found = [*full.own.values(), full.advantage, full.rebuilt, *sample.own.values()]
    found += [] if release is FIXED else [unknown.found]
    found += [value for (notion, _), values in rates(at).items() if notion == "DP" for value in values]
    assert all(isinstance(one, SheetNumber) and repr(one.value) in printed for one in found)


def test_what_a_stranger_wrote_stays_text_and_nothing_is_loaded_or_run() -> None:
    made = sheet(address=ADDRESS)
    html = replace(made, subject=HOSTILE, notes=(HOSTILE,), facts=(*made.facts, (HOSTILE, HOSTILE))).html
    hostile = Elements(html)
    plain = Elements(replace(made, subject="x", notes=("x",), facts=(*made.facts, ("x", "x"))).html)
    assert (hostile.seen, hostile.attributes) == (plain.seen, plain.attributes)
    assert "\u202e" not in html
    assert hostile.text.count(HOSTILE.replace("\u202e", "")) == 5  # title, heading, note, fact and its name
    assert not {"script", "img", "link", "iframe", "object", "base", "form"} & set(hostile.seen)
    links = [value for name, value in hostile.attributes if name in ("src", "href", "srcset", "action")]
    assert links == [ADDRESS]
    assert not re.search(r"url\(|@import", html)
    assert "<a " not in sheet(address="javascript:alert(1)").html
    assert all(f"{place}. {field.name}" in hostile.text for place, field in enumerate(FIELDS, 1))
    assert "no claim of compliance" in hostile.text


@BY_RELEASE
def test_fields_and_model_card_mark_what_nobody_said(release: Mechanism) -> None:
    known = sheet_fields.known(choice_of(release))
    for field, (_, text), (_, unknown) in zip(FIELDS, fields(known), fields({}), strict=True):
        assert (NOT_STATED in text) == bool(field.asks)
        assert NOT_STATED in unknown
    made = sheet(release, ADDRESS)
    SHOWN.check(f"sheet of {release.label}", [page(release), made.markdown])
    head, *lines = made.markdown.split("```yaml\n")[1].split("```")[0].splitlines()
    spelled = [re.fullmatch(r'(?:  |    )(\w+|"[^"]+"): (.+)', line) for line in lines]
    assert (head, len(lines) < 30, all(spelled)) == ("differential_privacy:", True, True)
    found = {  # every string of JSON is one of YAML
        line[1].strip('"'): None if line[2].startswith("#") else json.loads(line[2]) for line in spelled if line
    }
    facts = {**dict(made.facts), **dict(made.settings), **dict(made.numbers), "verdict": plain(made.verdict)}
    about = {"of": made.subject, "made": made.made, "check": ADDRESS}
    assert found == {**facts, **about, "numbers": None, "not_stated": made.not_stated}
    assert made.not_stated[:2] == ["release", "unit of privacy"]


@pytest.mark.parametrize("order", [Order.ADD, Order.REMOVE])
def test_page_1_says_what_the_picture_says(order: Order) -> None:
    choice = replace(choice_of(SGD, order), run=TrainingRun(60_000, 600, 10), records=60_000)
    scene = people_scene.scene(choice, "one")
    level = scene.levels[scene.chosen]
    made = Elements(sheet_filling.sheet(ReleaseSetting(choice), ADDRESS).html)
    page_1 = made.text[: made.text.index("page 2")]
    for said in (
        f"✕ {level.before} {level.found:,} of {scene.crowd:,} {scene.words.after}. {level.verdict}",
        f"At most 20 of 10,000 {'outsiders ruled out' if scene.clears else 'people found'}.",
        f"{scene.words.luck}.",
        *("60,000 people in batches of 600, 10 epochs", "lacks this one record", ADDRESS, "Signature"),
        "How many outsiders there are is not stated" if scene.clears else "at most 245 are found so; by guessing 60.",
    ):
        assert said in page_1
    assert (f"Noise {scene.advised:g} meets the limit." in page_1) == (level.over and scene.advised is not None)
    assert made.seen.count("figure") == 1


CHOICES = [
    *map(choice_of, (SGD, replace(SGD, records_per_person=4), Gaussian(0.02), Gaussian(900.0, 1e-3))),
    replace(choice_of(), alpha=1e-6),
    replace(choice_of(), order=Order.REMOVE, alpha=0.02),
    replace(choice_of(), order=Order.SYMMETRIC, alpha=0.00123),
]
STATED = re.compile(r"^(At most|No protection: up to|No promise: up to) \*\*([\d,]+)\*\* of ([\d,]+) (.+)$")


@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_how_many_are_found_stands_with_its_false_verdicts_and_beside_guessing(choice: ReleaseChoice) -> None:
    """Wherever a page says it."""
    most = choice.mechanism.power(choice.alpha, choice.order)
    at, scene = ReleaseSetting(choice), people_scene.scene(choice, "x")
    full, *others = threat_models.views(at)
    for said in (
        people_scene.sentence(scene),
        answer.in_full(at, full, others),
        f"{(found := sheet_filling.people_found(at)).verdict} {found.facts[1][1]}",
        numbers.sentences(choice, 0.1),
    ):
        stated = STATED.match(said)
        assert stated, said
        count, of = (int(number.replace(",", "")) for number in stated.groups()[1:3])
        assert of >= crowd_for(choice.alpha)
        assert count_up(most.lower, of) <= count <= count_up(most.upper, of) + 1
        wronged, rest = counted(choice.alpha, of), stated[4]
        ruled_out = f"outsiders can be ruled out while {wronged} members are wrongly cleared"
        accused = f"can be found while {wronged} outsiders are wrongly accused"
        assert (ruled_out if choice.order is Order.REMOVE else accused) in rest
        assert ("with 4 records each" in rest) == (choice.mechanism.records_per_person > 1)
        assert re.search(r"[Gg]uessing (finds|rules out) (about )?[\d,]+", rest)
