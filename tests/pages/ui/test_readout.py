"""The answer in words."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

import people_view
from numerics.trade_off import Bound, Bracket, Order
from pages.ui import readout


def sentence(power: float, alpha: float, order: Order = Order.ADD) -> str:
    return readout.membership_sentence(Bracket(power / 2, power / 2, power), alpha, order)


def test_sentence_states_the_guarantee_beside_blind_guessing() -> None:
    assert sentence(0.0427, 0.001) == (
        "Of 10,000 people in the training data, the attacker finds at most **427** "
        "while falsely accusing 10 of 10,000 outsiders. Blind guessing finds 10."
    )


def test_sentence_of_the_other_order_speaks_of_ruling_out() -> None:
    assert sentence(0.0427, 0.001, Order.REMOVE).startswith("Of 10,000 people outside the training data")


def test_tiny_rates_use_a_crowd_that_shows_them() -> None:
    text = sentence(3e-6, 1e-6)
    assert "Of 1,000,000 people" in text
    assert "at most **3**" in text
    assert "Blind guessing finds 1." in text


def test_guesses_rarer_than_any_crowd_are_fewer_than_one() -> None:
    assert "Blind guessing finds fewer than one." in sentence(0.2, 1e-9)


@pytest.mark.parametrize("order", list(Order))
def test_no_protection_is_said_plainly(order: Order) -> None:
    assert sentence(1.0, 0.01, order).startswith("**No protection here:**")


def test_near_certainty_is_not_rounded_to_everybody() -> None:
    assert "Of 10,000 people in the training data, the attacker finds at most **9,996**" in sentence(0.9996, 0.01)
    assert "Of 100,000 people in the training data, the attacker finds at most **99,996**" in sentence(0.99996, 0.01)


def test_a_share_of_outsiders_that_is_no_whole_number_of_the_crowd_keeps_its_digits() -> None:
    assert "while falsely accusing 123 in 100,000 outsiders. Blind guessing finds 12." in sentence(0.02, 0.00123)


def test_the_rarest_accusations_need_no_crowd_that_does_not_exist() -> None:
    text = sentence(3e-12, 1e-12)
    assert "Of 10,000,000,000 people in the training data, the attacker finds at most **1**" in text
    assert "accusing 1 in 10¹² outsiders. Blind guessing finds fewer than one." in text


@given(alpha=st.floats(1e-12, 0.999), gain=st.floats(0.0, 1.0))
def test_sentence_holds_for_any_rates(alpha: float, gain: float) -> None:
    power = alpha + gain * (1 - alpha)
    text = sentence(power, alpha)
    counted = re.search(r"Of ([\d,]+) people .* at most \*\*([\d,]+)\*\*", text)
    if counted is None:
        assert "No protection" in text
        assert power > 1 - 1e-8
        return
    of, count = (int(group.replace(",", "")) for group in counted.groups())
    assert count >= power * of * (1 - 1e-11)
    guess = re.search(r"finds ([\d,]+)\.$", text)
    assert guess is None or int(guess[1].replace(",", "")) <= count


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
    assert "The print is corrected: corrected" in texts


def test_what_is_heard_is_what_is_read_without_its_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    monkeypatch.setattr(people_view, "draw_said", heard.append)
    readout.announce("At most **41** of 10,000.", ":orange-badge[✕ Too often] 4.1 times the guess.")
    readout.announce(":green[:material/check_circle:] Limit met (certified). A record is *replaced*.", "")
    assert heard == [
        "At most 41 of 10,000. ✕ Too often. 4.1 times the guess.",
        "Limit met (certified). A record is replaced.",
    ]
