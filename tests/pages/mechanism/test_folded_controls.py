"""Controls that are folded away: drawn where they say something, left out where they are at their start."""

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Widget

from tests.pages.visit import app_at, asked

SAID: dict[str, str | list[str]] = {
    "order": "both",
    "dimension": "7",
    "axes": "linear",
    "window": "up to 1 %",
    "mechanism.relaxed": "true",
    "estimates": ["CLT"],
    "mechanism.prior": "0.5",
    "mechanism.second": "effect size",
    "mechanism.bands": "4",
    "mechanism.people_by_records": "1: 9",
}


def drawn(app: AppTest) -> set[str | None]:
    return {widget.key for widget in app if isinstance(widget, Widget)}


def test_controls_are_not_drawn_where_they_are_folded_away_at_their_start() -> None:
    """A browser draws each of them anew at every move of the slider, seen or not."""
    assert not drawn(asked(app_at("mechanism"), {})) & SAID.keys()


def test_controls_of_which_the_address_speaks_are_drawn_though_folded_away() -> None:
    """They alone bind it: Streamlit drops from an address what no control is bound to."""
    app = asked(app_at("mechanism"), SAID)
    assert drawn(app) >= SAID.keys()
    assert not app.session_state["mechanism.banded"]
    shown = {key: app.session_state[key] for key in SAID}
    assert shown == {
        "order": "both",
        "dimension": 7,
        "axes": "linear",
        "window": "up to 1 %",
        "mechanism.relaxed": True,
        "estimates": ["CLT"],
        "mechanism.prior": 0.5,
        "mechanism.second": "effect size",
        "mechanism.bands": 4,
        "mechanism.people_by_records": "1: 9",
    }
