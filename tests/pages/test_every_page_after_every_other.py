"""One visit through all pages, with every control away from where it starts and a file in every place for one.

Two pages that mean different things by one name break each other: who sets it on one cannot open the other.
"""

import ast
from collections.abc import Iterator
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import pytest
from streamlit.runtime.state.common import TESTING_KEY
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import (
    ButtonGroup,
    Checkbox,
    FileUploader,
    NumberInput,
    Selectbox,
    SelectSlider,
    Slider,
    TextArea,
    TextInput,
    Toggle,
    Widget,
)

from pages.audit.promise import plan
from pages.ui.catalog import PAGES, Page
from pages.ui.keys import SHARED
from tests import ROOT
from tests.pages.uploading import confirm
from tests.pages.visit import checked, unfold

FOLDERS = {page.folder for page in PAGES}
PARTS = {path.stem for path in (ROOT / "pages" / "ui").iterdir()} | {"session_cache"}  # which several pages draw
FILE = "losses.csv", (ROOT / "tests/pages/files/losses.csv").read_bytes(), "text/csv"
RELEASE = {  # closed formulas answer
    "knows_rate": "true",
    "noise": "2",
    "rate": "1",
    "steps": "3",
    "records": "5000",
    "delta": "1e-6",
    "clip": "2",
    "dimension": "7",
    "order": "both",
    "accused": "20",
    "limit": "50",
    "axes": "linear",
    "window": "up to 10 %",
    "how": "true",
    "tour": "2",
}


def is_at_home(name: object, places: set[str]) -> bool:
    """Whether a name begins with where it is at home, or is one of those that mean the same everywhere."""
    return str(name) in SHARED or str(name).partition(".")[0] in places


def literals(tree: ast.AST) -> Iterator[str]:
    """The names that are written out for controls and for what the session keeps: each as far as it is fixed."""
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "key":
            yield from beginning(node.value)
        if isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith(("session_state", "query_params")):
            yield from beginning(node.slice)
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("session_state.get", "session_state.pop")):
            yield from beginning(node.args[0])
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("TaskRunner", "SliderWithBox", "session_cache"):
            yield from beginning(node.args[0])
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("number_box", "whole_box"):
            yield from beginning(node.args[1])


def beginning(node: ast.AST) -> Iterator[str]:
    """As far as it is fixed; of a later phase by the second."""
    if isinstance(node, ast.JoinedStr):
        node = node.values[0]
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield f"{node.value}2" if f"{node.value}2" in SHARED else node.value


@pytest.mark.parametrize("path", sorted((ROOT / "pages").rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_name_that_is_written_out_begins_where_it_is_at_home(path: Path) -> None:
    folder = path.relative_to(ROOT / "pages").parts[0]
    places = {folder} if folder in FOLDERS else FOLDERS | PARTS
    assert [name for name in literals(ast.parse(path.read_text())) if not is_at_home(name, places)] == []


def settings(widget: Widget) -> list[Any]:
    """Values away from where the control stands: every other one of a few choices, and else one."""
    found: list[Any] = []
    match widget:
        case Toggle() | Checkbox():
            found = [not widget.value]
        case NumberInput():
            start, low, high = widget.value or 1.0, widget.min or 0.0, widget.max or 1e6
            found = [min(2.0 * start, high) if start < high else (low + high) / 2.0]
        case TextInput() | TextArea():
            found = ["1: 3, 2: 1"]
        case ButtonGroup():
            found = [one for one in widget.options if one not in widget.formatted_values]
        case Selectbox() | SelectSlider():
            found = widget.options[1:2]
        case Slider():
            found = [widget.min]
    return found


def is_open(widget: Widget, setting: object, done: set[str]) -> bool:
    """Whether the control is still to be set so; of a row of choices each is."""
    return said(widget, setting) not in done


def said(widget: Widget, setting: object) -> str:
    return f"{widget.key}: {setting}" if isinstance(widget, ButtonGroup) else str(widget.key)


def put(app: AppTest, widget: Any, setting: object) -> None:
    """As a visitor does who sees labels only."""
    if isinstance(widget, ButtonGroup | SelectSlider):
        app.session_state[TESTING_KEY][widget.id] = str
    widget.set_value([setting] if isinstance(widget, ButtonGroup) and not widget._is_single_select else setting)


def slot(place: FileUploader) -> str:
    """Every file leaves another uploader behind, with a number of its own."""
    return str(place.key).rstrip("0123456789")


def away(app: AppTest, done: set[str]) -> Iterator[set[str]]:
    """Set every control of the page, of each of its parts, and give a file wherever there is a place for one.

    The controls that are drawn are set together, and one row of choices with them, the last that has any left. Yields
    the names there are after each run.
    """
    while True:
        drawn = [one for one in app.main if isinstance(one, Widget) and one.key and not one.proto.disabled]
        places = [one for one in drawn if isinstance(one, FileUploader) and slot(one) not in done]
        left = [(one, setting) for one in drawn for setting in settings(one) if is_open(one, setting, done)]
        rows = [(one, setting) for one, setting in left if isinstance(one, ButtonGroup)]
        if not left and not places:
            return
        for place in places[:1]:
            done.add(slot(place))
            place.set_value(FILE)
        for widget, setting in [one for one in left if one not in rows] + ([] if places else rows[-1:]):
            done.add(said(widget, setting))
            put(app, widget, setting)
        confirm(checked(app.run()))
        yield set(app.session_state._state.filtered_state)


def turned(app: AppTest, page: Page) -> AppTest:
    return checked(unfold(app).switch_page(page.script).run())


def every_order_of_two(pages: tuple[Page, ...]) -> list[Page]:
    """A way through the pages on which each comes right after each other one."""
    left, way = set(permutations(pages, 2)), [pages[0]]
    while left:
        after = [then for then in pages if (way[-1], then) in left]
        # Of those that have the most ways on; from where all are taken, over any other.
        then = max(after or set(pages) - {way[-1]}, key=lambda page: sum(first is page for first, _ in left))
        left.discard((way[-1], then))
        way.append(then)
    return way


def test_every_page_opens_after_every_other_with_every_control_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "draw", lambda *_: None)  # a figure without a control, which takes long
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=90)
    app.query_params.update(RELEASE)
    checked(app.run())
    done, names = set[str](), set[str]()
    for page in PAGES:
        turned(app, page)
        names = names.union(*away(app, done))
    way = every_order_of_two(PAGES)
    assert set(permutations(PAGES, 2)) <= set(pairwise(way))
    for page in way:
        turned(app, page)
    assert {name.partition(".")[0] for name in done} >= FOLDERS - {"home"}  # which has no control of its own
    assert sorted(str(name) for name in names if not is_at_home(name, FOLDERS | PARTS)) == []
