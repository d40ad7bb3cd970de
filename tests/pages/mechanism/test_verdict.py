"""What the explorer page opens with: a verdict that moves with the noise, in few words."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages import picture
from tests.pages.mechanism.visit import PAGE, SECONDS, button, in_both_worlds, page
from tests.pages.visit import app_at, script_of, visited


def test_the_page_opens_with_a_verdict_and_what_meets_the_limit() -> None:
    app = page()
    said = "At most 41 of 10,000 people can be found while 10 of 10,000 outsiders are wrongly accused"
    assert picture.sentence(app) == f"{said}. Twice your limit of 20."
    assert picture.scene(app)["advised"] == 1.69
    assert [part["part"] for part in picture.parts(app)][:3] == ["answer", "people", "hills"]
    assert {part.get("name", "mechanism") for part in picture.parts(app)} == {"mechanism"}


def test_the_advised_noise_is_taken_and_met_in_the_words_of_the_page() -> None:
    app = page(noise="1.69")
    said = "At most 20 of 10,000 people can be found while 10 of 10,000 outsiders are wrongly accused"
    assert picture.sentence(app) == f"{said}. Within your limit of 20."
    assert "At most **20** of 10,000 people can be found" in in_both_worlds(app)


@pytest.mark.parametrize(
    ("query", "put"),
    [({}, {"noise": 1.69}), ({"phases": "2", "noise_2": "2"}, {"noise": 1.69, "noise_2": 3.38})],
)
def test_the_slider_gives_every_phase_its_noise(query: dict[str, str], put: dict[str, float]) -> None:
    script = f"{script_of(PAGE)}\nimport streamlit as st\nfrom pages.ui import people_scene\n"
    script += "st.button('let go', on_click=people_scene.take_noise, args=(1.69,))\n"
    app = visited(AppTest.from_string(script, default_timeout=SECONDS), query)
    button(app, "let go").click().run()  # type: ignore[attr-defined]
    state = app.session_state
    assert state["noise"] == put["noise"]
    assert all(state[key] == value for key, value in put.items() if key != "noise")
    assert picture.level(app)["noise"] == 1.69


def test_few_words_meet_a_visitor_at_first() -> None:
    """Those of the page itself: the verdict, captions, and titles of what is one step away."""
    app = AppTest.from_string(script_of(PAGE), default_timeout=SECONDS).run()
    words = picture.scene(app)["words"]
    captions = [words[key] for key in ("group", "guessing", "more", "null", "alternative", "accused", "low", "high")]
    said = " ".join([picture.sentence(app), *captions, *(str(block.value) for block in app.markdown)])
    assert len(said.split()) < 60


@pytest.mark.usefixtures("all_noises")
@pytest.mark.parametrize(("address", "epochs"), [("mechanism", "9.1"), ("", "9.2")])
def test_the_levels_of_other_noises_come_after_the_answers(address: str, epochs: str) -> None:
    app = visited(app_at(address), {"epochs": epochs})
    open_ones = {level["noise"] for level in picture.scene(app)["levels"] if level["found"] is None}
    *_, last = picture.parts(app)
    assert last["part"] == "levels"
    found = {level["noise"]: level["found"] for level in last["levels"]}
    assert set(found) <= open_ones | {1.0}  # all of them where there is time, and the noise in force
    assert all(found.values())
