"""The game with five doors: a guess before each number, a state that the address keeps, and nothing computed unseen."""

import json
import re

import pytest
from streamlit.testing.v1 import AppTest

from numerics.mechanisms import Gaussian
from pages.attackers.doors import ALL, CLOSED, Doors, Guess
from pages.ui import cached, cached_threat_models
from pages.ui.threat_models import notions
from tests.pages.visit import addressed, app_at, asked, checked

ONE_STEP = {"knows_rate": "true", "rate": "1", "steps": "1"}  # closed formulas
FIRST_SIGHT = 60  # words


def page(**query: str) -> AppTest:
    return asked(app_at("attackers"), addressed("attackers", query))


def press(app: AppTest, key: str) -> AppTest:
    return checked(app.button(key=key).click().run())


def behind(app: AppTest, name: str) -> str:
    """What the door says: its second line."""
    return str(re.findall(r"\*\*(.+?)\*\*", app.button(key=f"attackers.door_{name}").label)[-1])


def lines(app: AppTest) -> list[str]:
    """The attackers with a row of dots."""
    (chart, *_) = app.get("plotly_chart")
    return list(json.loads(chart.proto.spec)["layout"]["yaxis2"]["ticktext"])


def address(app: AppTest) -> str | None:
    said = app.query_params.get("attackers.doors")
    return said[0] if isinstance(said, list) else said


@pytest.mark.parametrize(
    "text",
    ["", "record", "record-fewer", "record-fewer_drawn-same_others", "others-more_record-same", "all", "all_drawn"],
)
def test_the_address_says_the_state(text: str) -> None:
    assert str(Doors.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "meant"), [("x", ""), ("record-x", ""), ("record-fewer_record-more", "record-fewer"), ("__-_", "")]
)
def test_what_an_address_cannot_mean_is_passed_over(text: str, meant: str) -> None:
    assert str(Doors.parse(text)) == meant


def test_at_first_one_door_is_open_and_little_is_said() -> None:
    app = page()
    assert behind(app, "all") == "At most 41"
    assert [behind(app, name) for name in CLOSED] == ["?"] * len(CLOSED)
    assert lines(app) == ["all known"]
    (verdict,) = (block.value for block in app.main.markdown if block.value.startswith("## "))
    assert "twice your limit of 20" in verdict
    seen = [app.title[0].value, verdict, "Open a door.", "Show all"]
    seen += [app.button(key=f"attackers.door_{name}").label for name in ("all", *CLOSED)]
    words = re.findall(r"[\w,]+", re.sub(r":material/\w+:", "", " ".join(seen)))
    assert len(words) < FIRST_SIGHT
    assert address(app) is None


def test_nothing_is_computed_behind_closed_doors(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise AssertionError

    for name in ("relaxed_curve", "relaxed_power", "membership_curve", "membership_power", "noise_for", "eta"):
        monkeypatch.setattr(cached_threat_models, name, refused)
    page()


def test_a_door_asks_for_a_guess_and_then_opens() -> None:
    app = press(page(**ONE_STEP), "attackers.door_record")
    assert address(app) == "record"
    assert "Unknown: the record. More or fewer than 183?" in [block.value for block in app.markdown]
    assert behind(app, "record") == "?"
    app = press(app, "attackers.guess_fewer")
    assert address(app) == "record-fewer"
    assert behind(app, "record") == "At most 111"
    assert lines(app) == ["all known", "record unknown"]
    said = " ".join(str(block.value) for block in app.markdown)
    assert "You said fewer. Right:** at most **111** of 10,000 people can be found while" in said
    assert "watch both sides" in said


def test_a_wrong_guess_is_told_so_with_the_reason() -> None:
    app = press(press(page(**ONE_STEP), "attackers.door_drawn"), "attackers.guess_fewer")
    said = " ".join(str(block.value) for block in app.markdown)
    assert "You said fewer. It is as many:** at most **183** of 10,000 people can be found while" in said
    assert "no smaller number is proved" in said


@pytest.mark.parametrize("guess", Guess)
def test_who_cannot_be_compared_is_neither_more_nor_fewer(guess: Guess) -> None:
    app = press(press(page(**ONE_STEP), "attackers.door_others"), f"attackers.guess_{guess.name.lower()}")
    said = " ".join(str(block.value) for block in app.markdown)
    assert f"You said {guess}. It answers another question:" in said
    assert behind(app, "others") == "Apart"
    assert lines(app) == ["all known"]
    assert any("Apart: an attacker who does not know the others" in block.value for block in app.subheader)


def test_an_unknown_record_is_not_defined_where_one_is_replaced() -> None:
    app = page(**ONE_STEP, adjacency="replace-one", doors="record-fewer")
    assert behind(app, "record") == "Not defined"
    assert any("absence of a question, not protection" in str(block.value) for block in app.markdown)


def test_a_link_restores_the_doors() -> None:
    app = page(**ONE_STEP, doors="drawn-same_record")
    assert [behind(app, name) for name in CLOSED] == ["?", "At most 183", "?", "?"]
    assert "Unknown: the record. More or fewer than 183?" in [block.value for block in app.markdown]
    assert address(app) == "drawn-same_record"


def test_all_doors_at_once_and_closed_again() -> None:
    app = press(page(**ONE_STEP), "attackers.doors_all")
    assert address(app) == ALL
    assert lines(app) == ["all known", "record unknown", "draw unknown"]
    app = press(app, "attackers.door_drawn")  # what is behind it is said again
    assert any("no smaller number is proved" in str(block.value) for block in app.markdown)
    app = press(app, "attackers.doors_close")
    assert address(app) is None
    assert lines(app) == ["all known"]


@pytest.mark.parametrize(
    "query", [{"axes": "linear"}, {"attackers.reading": "magnitude of the mean"}, {"attackers.part": "converters"}]
)
def test_an_address_of_an_earlier_version_shows_every_attacker(query: dict[str, str]) -> None:
    assert lines(page(**ONE_STEP, **query)) == ["all known", "record unknown", "draw unknown"]


@pytest.mark.parametrize("query", [{"clip": "1"}, {"dimension": "30"}, {"records": "5000"}])
def test_a_run_that_is_described_further_spoils_no_guess(query: dict[str, str]) -> None:
    """A preset names the clip, and the visitor comes from another page with it."""
    assert lines(page(**ONE_STEP, **query)) == ["all known"]


def test_a_figure_of_a_paper_shows_every_attacker() -> None:
    app = page(**ONE_STEP, doors="record")
    app.session_state["preset_buttons.open"] = True
    (button,) = (one for one in app.run().button if one.label == "000 Fig. 1c")
    app = checked(button.click().run())
    assert address(app) == ALL
    assert len(lines(app)) == 3


def test_the_noise_that_keeps_the_limit_is_said_and_keeps_it() -> None:
    app = page()
    assert any("**Noise 1.69 keeps your limit**" in str(block.value) for block in app.markdown)
    app = press(app, "attackers.use_saving")
    assert "within your limit of 20" in next(block.value for block in app.markdown if block.value.startswith("## "))
    assert cached.power(Gaussian(1.69, 0.01, 1000), 1e-3).upper <= 0.002
    assert not [button for button in app.button if button.key == "attackers.use_saving"]


def test_what_an_assumption_saves_and_gives_up_stand_together() -> None:
    app = page(**ONE_STEP, doors="record-fewer_drawn-same")
    said = " ".join(str(block.value) for block in app.markdown)
    assert re.search(r"who does not know the record, noise [\d.]+ is enough: \d+ % less\.", said)
    assert "That no longer protects against an attacker who knows the record" in said
    assert "Not knowing who was drawn saves nothing" in said
    bars = json.loads(app.get("plotly_chart")[-1].proto.spec)["data"][0]
    names = [re.sub(r"</?b>", "", bar).split("<br>")[0] for bar in bars["y"]]
    assert names == ["all known", "record unknown", "draw unknown"]
    models = (notions.FULL, notions.RELAXED, notions.SAMPLE)
    assert bars["marker"]["color"] == [model.color for model in models]


def test_what_takes_long_is_offered_where_it_is_missing() -> None:
    app = page(doors="record-fewer")
    assert app.button(key="attackers.find_noise").label == "Find noise: record unknown"
    assert not [button for button in app.button if button.key == "longer_work.start"]


def test_a_limit_below_guessing_has_no_noise() -> None:
    app = page(limit="5")
    assert any(
        "**No noise keeps your limit:** blind guessing finds 10 of 10,000" in block.value for block in app.markdown
    )
