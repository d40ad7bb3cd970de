"""The explorer page where a row of cases cannot say it: refusals from within, its slider, its words, its last part."""

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import cached
from tests.pages import picture
from tests.pages.mechanism.visit import PAGE, SECONDS, button, page
from tests.pages.visit import app_at, script_of, visited


def test_a_part_that_is_refused_leaves_the_rest_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise ValueError("too hard for this test.")

    monkeypatch.setattr(cached, "statistic", refuse)
    app = page()
    assert [warning.value for warning in app.warning] == ["**No second figure:** too hard for this test."]
    assert len(app.metric) == 6
    assert len(app.get("plotly_chart")) == 1


def test_the_slider_gives_every_phase_its_noise() -> None:
    script = f"{script_of(PAGE)}\nimport streamlit as st\nfrom pages.ui import people_scene\n"
    script += "st.button('let go', on_click=people_scene.take_noise, args=(1.69,))\n"
    app = visited(AppTest.from_string(script, default_timeout=SECONDS), {"phases": "2", "noise_2": "2"})
    button(app, "let go").click().run()  # type: ignore[attr-defined]
    assert (app.session_state["noise"], app.session_state["noise_2"]) == (1.69, 3.38)
    assert picture.level(app)["noise"] == 1.69


def test_few_words_meet_a_visitor_at_first() -> None:
    """Those of the page itself: the verdict, captions, and titles of what is one step away."""
    app = AppTest.from_string(script_of(PAGE), default_timeout=SECONDS).run()
    scene = picture.scene(app)
    assert scene["advised"] == 1.69
    assert [part["part"] for part in picture.parts(app)][:3] == ["answer", "people", "hills"]
    captions = [
        scene["words"][key] for key in ("group", "guessing", "more", "null", "alternative", "accused", "low", "high")
    ]
    said = " ".join([picture.sentence(app), *captions, *(str(block.value) for block in app.markdown)])
    assert len(said.split()) < 60


@pytest.mark.usefixtures("all_noises")
def test_the_levels_of_other_noises_come_after_the_answers() -> None:
    app = visited(app_at("mechanism"), {"epochs": "9.1"})
    open_ones = {level["noise"] for level in picture.scene(app)["levels"] if level["found"] is None}
    *_, last = picture.parts(app)
    assert last["part"] == "levels"
    found = {level["noise"]: level["found"] for level in last["levels"]}
    assert set(found) <= open_ones | {1.0}  # all of them where there is time, and the noise in force
    assert all(found.values())
