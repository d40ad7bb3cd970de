"""One way to drive a page without a browser: an address, steps, and what is expected after them, as a row of a table.

A case is a table of ``cases/*.toml``:

* ``name``: what must be true, in words.
* ``open``: the page's address, such as ``mechanism?noise=0.3&limit=15``; of ``rail`` the controls alone.
* ``unfold``: whether every fold and every door is open; ``false`` unless it says ``true``.
* ``files``: text of files by name, for the steps that upload them.
* ``steps``: lists of a verb and its arguments: ``set`` or ``choose`` (key or label, value; "" empties), ``click``
  (key or label), ``upload`` a file (key, label or number of the place, names of ``files`` or of
  ``tests/pages/files``), ``go`` to a page (its file and query), ``finish`` a task (its runner's name); and what is
  there in between: ``says`` and ``never`` (regular expressions), ``state`` (key, what it holds), ``rests`` (a control).
* ``state``: what a control or the session holds at the end, by key: a number, a text, a list of texts, or else the
  representation of what is there, such as ``"None"``.
* ``says``, ``never``: regular expressions that the texts of the page match, or do not.
* ``code``: regular expressions that a block of code matches, such as a link or a snippet.
* ``charts``: how many figures there are.
* ``address``: what the address says at the end, by name; ``""`` of what it does not say.
* ``present``, ``missing``: keys or labels of controls and of files to take away that are there, or are not.
* ``disabled``: keys or labels of controls that are there and rest.

Whatever a case says, no run may raise, and no text may break the rules of ``wording``.
"""

import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import NumberInput, Widget

from tests.pages import picture, wording
from tests.pages.visit import app_at, checked, unfold

CASES = Path(__file__).parent / "cases"
RAIL = """
import streamlit as st
from pages.ui import release_controls, rail

refusal = rail.draw()
st.session_state["result"] = refusal or release_controls.current()
"""
"""The controls of the release beside a page that hands out what they say."""


def cases() -> Iterator[Any]:
    """All cases, each with its name as its test's."""
    for path in sorted(CASES.glob("*.toml")):
        for case in tomllib.loads(path.read_text())["case"]:
            yield pytest.param(case, id=f"{path.stem}: {case['name']}")


def drive(case: dict[str, Any]) -> AppTest:
    """The app after a case's steps."""
    app = visit(case["open"], folds_open=case.get("unfold", False))
    for verb, *arguments in case.get("steps", []):
        STEPS[verb](app, case, *arguments)
        checked(app)
    return app


def visit(address: str, *, folds_open: bool = False) -> AppTest:
    """The app as a visitor of an address gets it."""
    page, _, query = address.partition("?")
    app = AppTest.from_string(RAIL, default_timeout=60) if page == "rail" else app_at(page)
    if folds_open:
        unfold(app)
    for name, values in parse_qs(query, keep_blank_values=True).items():
        app.query_params[name] = values if len(values) > 1 else values[0]
    return checked(app.run())


def control(app: AppTest, named: str) -> Any:
    """The one control with this key, or else with this label."""
    widgets = [found for found in wording._elements(app._tree) if isinstance(found, Widget)]
    found = [one for one in widgets if one.key == named] or [one for one in widgets if one.label == named]
    assert len(found) == 1, f"{named!r} names {len(found)} of {sorted(str(one.key or one.label) for one in widgets)}"
    return found[0]


def text(app: AppTest) -> str:
    """All that the page says, its picture, tables, errors and toasts too, without the escapes of Markdown."""
    said = [picture.sentence(app)] if any(part["part"] == "answer" for part in picture.parts(app)) else []
    tables = [table.value.to_csv(index=False) for table in (*app.table, *app.dataframe)]
    lines = filter(None, [*said, *wording.texts(app), *tables])
    return re.sub(r"\\(.)|\u2060", r"\1", "\n".join(lines))


def value(app: AppTest, key: str) -> Any:
    """What a control holds, or else the session."""
    return app.session_state[key] if key in app.session_state else control(app, key).value


def check(app: AppTest, case: dict[str, Any]) -> None:
    """What the case expects, and what is expected of every run."""
    for key, expected in case.get("state", {}).items():
        _state(app, case, key, expected)
    _says(app, case, *case.get("says", []))
    _never(app, case, *case.get("never", []))
    for pattern in case.get("code", []):
        assert any(re.search(pattern, str(block.value)) for block in app.code), f"in no code: {pattern}"
    for name, expected in case.get("address", {}).items():
        assert app.query_params.get(name, "") in (expected, [expected]), name
    assert len(app.get("plotly_chart")) == case.get("charts", len(app.get("plotly_chart")))
    there = {name for one in wording._elements(app._tree) for name in (one.key, getattr(one.proto, "label", None))}
    for named in case.get("present", []):
        assert named in there, f"{named} is not one of {sorted(map(str, there))}"
    assert not there & set(case.get("missing", []))
    for named in case.get("disabled", []):
        _rests(app, case, named)
    assert wording.found(app) == []


def _state(app: AppTest, _: dict[str, Any], key: str, expected: Any) -> None:
    found = value(app, key)
    found = list(map(str, found)) if isinstance(found, list) else found
    found = found if isinstance(found, bool | int | float | str | list) else repr(found)
    assert found == pytest.approx(expected, rel=1e-12) if isinstance(expected, float) else found == expected, key


def _says(app: AppTest, _: dict[str, Any], *patterns: str) -> None:
    said = text(app)
    for pattern in patterns:
        assert re.search(pattern, said), f"nowhere: {pattern}\n{said}"


def _never(app: AppTest, _: dict[str, Any], *patterns: str) -> None:
    said = text(app)
    for pattern in patterns:
        assert not re.search(pattern, said), f"{pattern}\n{said}"


def _rests(app: AppTest, _: dict[str, Any], named: str) -> None:
    assert control(app, named).disabled, named


def _set(app: AppTest, _: dict[str, Any], named: str, chosen: Any) -> None:
    found = control(app, named)
    found.set_value(None if chosen == "" and isinstance(found, NumberInput) else chosen)
    app.run()


def _click(app: AppTest, _: dict[str, Any], named: str) -> None:
    button = control(app, named)
    assert not button.disabled, f"{named} rests"
    button.click().run()


def _upload(app: AppTest, case: dict[str, Any], place: str | int, *names: str) -> None:
    given = case.get("files", {})
    files = [
        (name, given[name].encode() if name in given else (CASES.parent / "files" / name).read_bytes(), "")
        for name in names
    ]
    found = app.file_uploader[place] if isinstance(place, int) else control(app, place)
    found.set_value(files if len(files) > 1 else files[0])
    app.run()


def _go(app: AppTest, _: dict[str, Any], address: str) -> None:
    page, __, query = address.partition("?")
    app.switch_page(page)
    if query:  # a link's address alone is in the browser
        app.query_params.clear()
        app.query_params.update(parse_qs(query))
    app.run()


def _finish(app: AppTest, _: dict[str, Any], runner: str) -> None:
    """A visitor's browser asks for the next slice by itself; here each run is one."""
    while f"{runner}_running" in app.session_state:
        app.run()


STEPS: dict[str, Callable[..., None]] = {
    "set": _set,
    "choose": _set,
    "click": _click,
    "upload": _upload,
    "go": _go,
    "finish": _finish,
    "state": _state,
    "says": _says,
    "never": _never,
    "rests": _rests,
}
