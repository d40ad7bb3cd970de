"""Every layout of an uploaded table: recognised with its reason, measured once that is confirmed."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.audit.layouts import LOSSES, SCORES
from tests.pages.uploading import confirm, offer
from tests.pages.visit import addressed, app_at, asked

PLACES = {"losses": {"source": "one file"}, "scores": {"evidence": "attack scores", "scores_from": "a file"}}
FILES = [(place, name) for place, files in (("losses", LOSSES), ("scores", SCORES)) for name in files]


def words(app: AppTest) -> list[str]:
    """What is said, without the marks of bold letters and the escapes of names, and the choices' labels."""
    said = [str(block.value) for block in (*app.markdown, *app.caption, *app.info)]
    return [re.sub(r"\\(.)|\*\*|\u2060", r"\1", one) for one in said] + [
        box.label for box in (*app.selectbox, *app.multiselect)
    ]


@pytest.mark.parametrize(("place", "name"), FILES, ids=str)
def test_a_layout_is_recognised_and_measured(place: str, name: str) -> None:
    data, reasons, answer = (LOSSES if place == "losses" else SCORES)[name]
    app = offer(asked(app_at("audit"), addressed("audit", PLACES[place])), (f"{name}.csv", data))
    shown = words(app)
    for reason in reasons:
        assert any(reason in one for one in shown), reason
    shown = words(confirm(app))
    assert not app.error
    assert any(re.search(answer, one.lstrip("# ")) for one in shown if one.startswith("#"))
    assert any(f"{name}.csv" in one for one in shown)
