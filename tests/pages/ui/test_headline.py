"""How many are found never stands without how many are accused wrongly meanwhile, wherever a page says it."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from numerics.mechanisms import Gaussian
from numerics.trade_off import Bound, Bracket, Order
from pages.attackers import answer
from pages.mechanism import details, figures, in_numbers
from pages.ui import address, chart, people_scene, readout
from pages.ui.certificate import words
from pages.ui.certificate.subject import CertificateSubject
from pages.ui.figure_controls import CurveView
from pages.ui.headline import Headline, crowd_for
from pages.ui.numbers_in_words import count_up, counted
from pages.ui.release_choice import ReleaseChoice
from pages.ui.threat_models import views
from pages.ui.threat_models.release import ReleaseSetting
from plotting import theme
from plotting.curves import Axes
from tests.pages import picture
from tests.pages.visit import app_at, asked, checked

CHOICE = ReleaseChoice(Gaussian(1.0, 0.01, 1000), 1e-3, Order.ADD, 1e-5, records=60_000, dimension=1)
CHOICES = [
    CHOICE,
    replace(CHOICE, alpha=0.00123),
    replace(CHOICE, alpha=1e-6),
    replace(CHOICE, order=Order.REMOVE, alpha=0.02),
    replace(CHOICE, order=Order.SYMMETRIC),
    replace(CHOICE, mechanism=Gaussian(1.0, 0.01, 1000, records_per_person=4)),
    replace(CHOICE, mechanism=Gaussian(0.02)),  # no protection
    replace(CHOICE, mechanism=Gaussian(900.0, 1e-6)),  # guessing
]


def of_scene(choice: ReleaseChoice) -> str:
    return people_scene.sentence(people_scene.scene(choice, "x"))


def of_doors(choice: ReleaseChoice) -> str:
    at = ReleaseSetting(choice)
    full, *others = views.views(at)
    return answer.in_full(at, full, others)


def of_memo(choice: ReleaseChoice) -> str:
    return " ".join(details.memo(choice, people_scene.scene(choice, "x"), Axes.LOG).verdict)


def of_certificate(choice: ReleaseChoice) -> str:
    return words.sentences(CertificateSubject(ReleaseSetting(choice), None))[0]


def of_numbers(choice: ReleaseChoice) -> str:
    return in_numbers.sentences(choice, 0.1)


SENTENCES = [of_scene, of_doors, of_memo, of_certificate, of_numbers]
STATED = re.compile(r"^(At most|No protection: up to|No promise: up to) \*\*([\d,]+)\*\* of ([\d,]+) (.+)$")


@pytest.mark.parametrize("choice", CHOICES, ids=str)
@pytest.mark.parametrize("said", SENTENCES, ids=lambda said: said.__name__)
def test_the_count_stands_with_its_false_verdicts_and_beside_guessing(
    said: Callable[[ReleaseChoice], str], choice: ReleaseChoice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(address, "permalink", lambda **_: "")
    stated = STATED.match(said(choice))
    assert stated
    count, of = (int(number.replace(",", "")) for number in stated.groups()[1:3])
    most = choice.mechanism.power(choice.alpha, choice.order)
    assert of >= crowd_for(choice.alpha)
    assert count_up(most.lower, of) <= count <= count_up(most.upper, of) + 1
    wronged, rest = counted(choice.alpha, of), stated[4]
    if choice.order is Order.REMOVE:
        assert f"outsiders can be ruled out while {wronged} members are wrongly ruled out" in rest
    else:
        assert f"can be found while {wronged} outsiders are wrongly accused" in rest
    several = choice.mechanism.records_per_person > 1
    assert ("with 4 records each" in rest) == several
    assert re.search(r"[Gg]uessing (finds|rules out) (about )?[\d,]+", rest)


@pytest.mark.parametrize("bound", list(Bound))
@pytest.mark.parametrize("order", list(Order))
@pytest.mark.parametrize("rate", [0.001, 0.00405, 0.99999, 1.0])
def test_a_count_is_rounded_to_its_safe_side_and_says_what_may_be_claimed(
    rate: float, order: Order, bound: Bound
) -> None:
    stated = Headline(1e-3, order, 10_000)
    said = stated.sentence(Bracket.exact(rate), bound)
    claims = {Bound.UPPER: "At least", Bound.ESTIMATE: "About", Bound.AUDIT: "About"}
    count = stated.count(Bracket.exact(rate), bound)
    assert f"**{count:,}** of 10,000" in said
    if bound in claims:
        assert said.startswith(claims[bound])
    else:
        assert said.startswith("No pro" if rate == 1.0 else "At most")
        assert count >= rate * 10_000 - 1e-6
    assert bound is not Bound.UPPER or count <= rate * 10_000 + 1e-6
    assert "while 10 of 10,000" in said


def test_guessing_that_is_no_whole_number_of_people_is_said_to_be_about_one() -> None:
    assert Headline(1.5e-3, Order.ADD, 10_000).luck == "15"
    assert Headline(1.23e-3, Order.ADD, 10_000).luck == "about 12"
    assert Headline(1e-12, Order.ADD, crowd_for(1e-12)).luck == "fewer than one"


@pytest.mark.parametrize(("alpha", "crowd"), [(1e-3, 10_000), (1e-4, 10_000), (1e-6, 10**6), (1e-9, 10**9)])
def test_more_people_are_counted_only_where_guessing_would_find_nobody(alpha: float, crowd: int) -> None:
    assert crowd_for(alpha) == crowd


def test_near_certainty_is_not_rounded_to_everybody_where_nobody_can_look_closer() -> None:
    stated = Headline.faithful(CHOICE, 0.99996)
    assert stated.sentence(Bracket.exact(0.99996)).startswith("At most **99,996** of 100,000 people")


CONDITION = "can be found while 50 of 10,000 outsiders are wrongly accused"


@pytest.mark.parametrize("page", ["", "mechanism"])
def test_the_picture_of_a_page_says_the_condition_at_every_noise(page: str) -> None:
    app = asked(app_at(page), {"accused": "50", "limit": "70"})
    shown = picture.scene(app)
    assert CONDITION in shown["words"]["after"]  # drawn after the count of every level
    assert shown["words"]["luck"] == "guessing finds 50"
    assert all(level["before"] for level in shown["levels"] if level["found"] is not None)


def test_attackers_say_the_condition_at_every_door(monkeypatch: pytest.MonkeyPatch) -> None:
    alts, draw = list[str](), chart.draw

    def noted(figure: theme.Figure, alt: str, *rest: Any, **more: Any) -> Any:
        alts.append(alt)
        return draw(figure, alt, *rest, **more)

    monkeypatch.setattr(chart, "draw", noted)
    for door in ("record-fewer", "drawn-fewer"):
        app: AppTest = checked(asked(app_at("attackers"), {"accused": "50", "attackers.doors": door}))
        stated = [text.value for text in app.main.markdown if CONDITION in text.value]
        assert len(stated) == 2  # the headline, and what is behind the door
    assert CONDITION in alts[0]
    assert "*" not in alts[0]


def test_figures_are_described_with_the_condition(monkeypatch: pytest.MonkeyPatch) -> None:
    alts: list[str] = []
    monkeypatch.setattr(chart, "draw", lambda figure, alt, *_, **__: alts.append(alt))
    figures.draw_trade_off(replace(CHOICE, alpha=5e-3), CurveView(), [], [])
    assert CONDITION in alts[0]
    assert readout.heard(alts[0]) == alts[0]
