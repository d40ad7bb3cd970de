"""The page about strangers' tables: it asks before any answer, and says beside it what was decided."""

import pytest

from pages.ui.upload_preview import UNKNOWN
from tests.losses.strangers import STRANGERS
from tests.pages.audit.epsilon_star.sources import page
from tests.pages.uploading import choose, offer

OPEN = [name for name, one in STRANGERS.items() if one.asks]
CLEAR = [name for name, one in STRANGERS.items() if not one.asks]


def test_every_stranger_has_something_to_say() -> None:
    assert all(one.label and one.answers for one in STRANGERS.values() if one.asks)


@pytest.mark.parametrize("name", OPEN)
def test_what_is_open_is_asked_before_any_answer(name: str) -> None:
    one = STRANGERS[name]
    app = offer(page(source="one file"), (f"{name}.csv", one.data))
    (box,) = (found for found in app.selectbox if found.label == one.label)
    assert box.value == UNKNOWN
    assert one.asks in " ".join(str(info.value) for info in app.info)
    assert "test source" not in app.session_state
    answer, _, told = one.answers[-1]
    app = choose(app, one.label, answer)
    groups = app.session_state["test source"].groups()
    assert any(told in note for note in groups.notes)


@pytest.mark.parametrize("name", CLEAR)
def test_what_is_clear_is_not_asked(name: str) -> None:
    one = STRANGERS[name]
    app = offer(page(source="one file"), (f"{name}.csv", one.data))
    assert not app.info
    next(button for button in app.button if (button.key or "").endswith("_confirm")).click()
    app.run()
    doubts = " ".join(app.session_state["test source"].groups().doubts)
    assert bool(doubts) == bool(one.doubt)
    assert one.doubt in doubts
