"""The page about strangers' tables: it asks before any answer, and says beside it what was decided."""

import pytest
from streamlit.testing.v1 import AppTest

from losses.row_questions import PEOPLE
from pages.ui.upload_preview import UNKNOWN
from tests.losses.strangers import EACH_ROW, STRANGERS, curve
from tests.pages.audit.epsilon_star.sources import page
from tests.pages.uploading import choose, offer

OPEN = [name for name, one in STRANGERS.items() if one.asks]
CLEAR = [name for name, one in STRANGERS.items() if not one.asks]


def brought(name: str) -> AppTest:
    """The page with a stranger's file, or with both of them."""
    one = STRANGERS[name]
    if not one.fresh:
        return offer(page(source="one file"), (f"{name}.csv", one.data))
    return offer(offer(page(source="two files"), ("train.csv", one.data)), ("fresh.csv", one.fresh), place=1)


def test_every_stranger_has_something_to_say() -> None:
    assert all(one.label and one.answers for one in STRANGERS.values() if one.asks)


@pytest.mark.parametrize("name", OPEN)
def test_what_is_open_is_asked_before_any_answer(name: str) -> None:
    one, app = STRANGERS[name], brought(name)
    (box,) = (found for found in app.selectbox if found.label == one.label)
    assert box.value == UNKNOWN
    assert one.asks in " ".join(str(info.value) for info in app.info)
    assert "test source" not in app.session_state
    if one.also is not None:
        app = choose(app, *one.also)
    answer, _, told = one.answers[-1]
    app = choose(app, one.label, answer)
    groups = app.session_state["test source"].groups()
    assert any(told in note for note in groups.notes)


@pytest.mark.parametrize("name", CLEAR)
def test_what_is_clear_is_not_asked(name: str) -> None:
    one, app = STRANGERS[name], brought(name)
    assert not app.info
    next(button for button in app.button if (button.key or "").endswith("_confirm")).click()
    app.run()
    doubts = " ".join(app.session_state["test source"].groups().doubts)
    assert bool(doubts) == bool(one.doubt)
    assert one.doubt in doubts


LONE = {
    "with accuracy": "epoch,accuracy,loss,val_accuracy,val_loss",
    "TensorBoard": "Wall time,Step,Value",
    "W&B": "Step,run - loss",
}


@pytest.mark.parametrize("name", LONE)
def test_a_curve_without_groups_is_asked_about_before_it_is_told_to_get_some(name: str) -> None:
    data = curve(LONE[name], range(100)).data
    app = offer(page(source="one file"), (f"{name}.csv", data))
    assert "training, not a person" in " ".join(str(info.value) for info in app.info)
    assert not app.error
    app = choose(app, EACH_ROW, PEOPLE)
    assert "no column that tells members" in str(app.error[0].value)


@pytest.mark.parametrize("way", ["a file each", "a pair of files each"])
def test_curves_of_several_models_are_asked_about(way: str) -> None:
    data = curve("Wall time,Step,Value", range(100)).data
    names = ("train_1.csv", "test_1.csv")
    app = offer(page(source="several models", models_in=way), *((name, data) for name in names))
    assert "training, not a person" in " ".join(str(info.value) for info in app.info)
    assert "test source" not in app.session_state
