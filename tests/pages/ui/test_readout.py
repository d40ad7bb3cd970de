"""The answer in words."""

import pytest
from streamlit.testing.v1 import AppTest

import people_view
from numerics.trade_off import Bound, Bracket
from pages.ui import readout


def test_between_rounds_each_side_outwards() -> None:
    assert readout.between(Bracket(1.82823652, 1.8282367, 1.82823688)) == "Certified between 1.8282365 and 1.8282369."
    assert readout.between(Bracket.exact(0.5)) == "Exact."


def test_every_kind_of_bound_has_words() -> None:
    app = AppTest.from_string(
        "import streamlit as st\n"
        "from numerics.trade_off import Bound\n"
        "from pages.ui import readout\n"
        "for bound in Bound:\n"
        "    readout.badge(bound)\n"
        "    st.session_state[bound] = True\n"
        "    formula = readout.Formula('x', 'words', 'source', 'corrected')\n"
        "    readout.how_computed([formula], ('one', 'two'), bound, 0.1, key=bound)\n"
    ).run()
    assert not app.exception
    texts = " ".join(element.value for element in app.markdown)
    assert all(bound.value in texts for bound in Bound)
    assert "Beside the paper's text: corrected" in texts


def test_what_is_heard_is_what_is_read_without_its_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    monkeypatch.setattr(people_view, "draw_said", heard.append)
    readout.announce("At most **41** of 10,000.", ":orange-badge[✕ Too often] 4.1 times the guess.")
    readout.announce(":green[:material/check_circle:] Limit met (certified). A record is *replaced*.", "")
    assert heard == [
        "At most 41 of 10,000. ✕ Too often. 4.1 times the guess.",
        "Limit met (certified). A record is replaced.",
    ]
