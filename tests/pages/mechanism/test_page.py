"""The explorer page where a row of cases cannot say it: a refusal from within, and its slider."""

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import cached
from tests.pages import picture
from tests.pages.mechanism.visit import PAGE, SECONDS, button, page
from tests.pages.visit import script_of, visited


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
