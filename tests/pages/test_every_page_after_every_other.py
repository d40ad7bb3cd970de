"""One visit through all pages, with every control away from where it starts and a file in every place for one.

Two pages that mean different things by one name break each other: who sets it on one cannot open the other.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from streamlit.runtime.state.common import TESTING_KEY
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1 import element_tree as drawn_as

from pages.audit import plan
from pages.ui.catalog import PAGES
from tests import ROOT
from tests.pages.driver import CASES, visit
from tests.pages.visit import SHARED, checked, unfold

FILE = "losses.csv", (CASES.parent / "files" / "sixty.csv").read_bytes(), "text/csv"
RELEASE = (  # closed formulas answer
    "knows_rate=true&noise=2&rate=1&steps=3&records=5000&delta=1e-6&clip=2&dimension=7&order=both&accused=20&limit=50"
    "&axes=linear&window=up+to+10+%&how=true&tour=2"
)


def settings(widget: drawn_as.Widget, most: int) -> list[Any]:
    """Values away from where the control stands: the first others of a row of which one is chosen, and else one."""
    found: list[Any] = []
    match widget:
        case drawn_as.Toggle() | drawn_as.Checkbox():
            found = [not widget.value]
        case drawn_as.NumberInput():
            start, low, high = widget.value or 1.0, widget.min or 0.0, widget.max or 1e6
            found = [min(2.0 * start, high) if start < high else (low + high) / 2.0]
        case drawn_as.TextInput() | drawn_as.TextArea():
            found = ["1: 3, 2: 1"]
        case drawn_as.ButtonGroup():
            others = [one for one in widget.options if one not in widget.formatted_values]
            found = others[: most if is_row(widget) else 1]
        case drawn_as.Selectbox() | drawn_as.SelectSlider():
            found = widget.options[1:2]
        case drawn_as.Slider():
            found = [widget.min]
        case drawn_as.FileUploader():
            found = [FILE]
    return found


def is_row(widget: drawn_as.Widget) -> bool:
    """Whether the page may have other controls by what is chosen here: not so where all pages have the same."""
    return isinstance(widget, drawn_as.ButtonGroup) and widget._is_single_select and widget.key not in SHARED


def said(widget: drawn_as.Widget, setting: object) -> str:
    """Every file leaves another uploader behind, with a number of its own."""
    key = str(widget.key)
    return (
        f"{key}: {setting}" if is_row(widget) else key.rstrip("0123456789" * isinstance(widget, drawn_as.FileUploader))
    )


def away(app: AppTest, done: set[str], most: int) -> Iterator[set[str]]:
    """Set every control of the page, of each of its parts, and give a file wherever there is a place for one.

    The controls that are drawn are set together, and one row of choices with them, the last that has any left. Yields
    the names there are after each run.
    """
    while True:
        drawn = [one for one in app.main if isinstance(one, drawn_as.Widget) and one.key and not one.proto.disabled]
        left = [(one, setting, said(one, setting)) for one in drawn for setting in settings(one, most) if setting]
        left = [each for each in left if each[2] not in done]
        if not left:
            return
        files = [each for each in left if isinstance(each[0], drawn_as.FileUploader)]
        rows = [each for each in left if is_row(each[0])]
        for widget, setting, name in [each for each in left if each not in [*files, *rows]] + (files[:1] or rows[-1:]):
            done.add(name)
            if isinstance(widget, drawn_as.ButtonGroup | drawn_as.SelectSlider):  # a visitor sees labels only
                app.session_state[TESTING_KEY][widget.id] = str
            several = isinstance(widget, drawn_as.ButtonGroup) and not widget._is_single_select
            widget.set_value([setting] if several else setting)
        checked(app.run())
        yield {str(name) for name in app.session_state._state.filtered_state}


@pytest.mark.parametrize("most", [1, pytest.param(100, marks=pytest.mark.nightly)])
def test_every_page_opens_after_every_other_with_every_control_set(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All is set on the way there, and found on the way back."""
    monkeypatch.setattr(plan, "draw", lambda *_: None)  # a figure without a control, which takes long
    app = visit(f"?{RELEASE}")
    done, names = set[str](), set[str]()
    for page in PAGES:
        checked(unfold(app).switch_page(page.script).run())
        names = names.union(*away(app, done, most))
    for page in reversed(PAGES):
        checked(unfold(app).switch_page(page.script).run())
    folders = {page.folder for page in PAGES}
    assert {name.partition(".")[0] for name in done} >= folders - {"home"}  # which has no control of its own
    homes = folders | {path.stem for path in (ROOT / "pages" / "ui").iterdir()} | {"shared_cache"}
    assert sorted(name for name in names if name not in SHARED and name.partition(".")[0] not in homes) == []
