"""One way to drive a page without a browser: an address, steps, and what is expected after them, as a row of a table.

A case is a table of ``cases/*.toml``:

* ``name``: what must be true, in words; ``nightly``: whether another case shows nearly the same, and this one waits.
* ``open``: the page's address, such as ``mechanism?noise=0.3``; of ``rail`` the controls alone.
* ``unfold``: whether every fold and every door is open; ``false`` unless it says ``true``.
* ``files``: text of files by name, for the steps that upload them; others are in ``tests/pages/files``.
* ``steps``: lists of a verb of ``step`` and its arguments; a control is named by its key, or else by its label.
* ``state``: what a control or the session holds at the end, by key: a number, a text, a list of texts, or else the
  representation of what is there, such as ``"None"``.
* ``says``, ``never``, ``code``: regular expressions that the texts match, or do not, or that a block of code matches.
* ``charts``: how many figures there are.
* ``address``: what the address says at the end, by name; ``""`` of what it does not say.
* ``varies``: whether its numbers are others every time, and not kept in ``shown.json``.
* ``present``, ``missing``, ``disabled``: keys or labels of controls and of files that are there, are not, or rest.

Whatever a case says, no run may raise, and each number and name is written in one way (``NEVER``).
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Element, NumberInput, Widget

from tests.kept import DRAWN, Kept, lines_drawn
from tests.pages.visit import app_at, checked, unfold

CASES = Path(__file__).parent / "cases"
SHOWN = Kept(CASES / "shown.json")
RAIL = """
import streamlit as st
from pages.ui import release_in_force, sidebar

refusal = sidebar.draw()
st.session_state["result"] = refusal or release_in_force.current()
"""
"""The controls of the release beside a page that hands out what they say."""
# What must not stand in a text, and what is written instead.
NEVER = {
    r"\d%": "a space before the sign, as everywhere else",
    r"(?<![\w.`'])\d+(\.\d+)?e[-+]?\d+": "10⁻⁵, as everywhere else",
    r"\d\.\d{12,}": "an estimate with the digits that mean something",
    "\u0395": "a small epsilon, also where a sentence begins",
    r"\bthe rail\b|\bat the left\b": "the sidebar, which may be closed",
    r"(?<![.,\d])\b1 (rows|people|records|steps|columns|members|outsiders|canaries|runs|models|values)\b": "one",
    r"\bnp\.float|\bNone\b": "what is meant",
}


def drive(case: dict[str, Any]) -> AppTest:
    """The app after a case's steps."""
    app = visit(case["open"], folds_open=case.get("unfold", False))
    for verb, *arguments in case.get("steps", []):
        step(app, case, verb, arguments)
        checked(app)
    return app


def step(app: AppTest, case: dict[str, Any], verb: str, arguments: list[Any]) -> None:
    """What a visitor does, or what is there in between."""
    match verb, arguments:
        case (("set" | "choose"), [named, chosen]):
            found = control(app, named)
            found.set_value(None if chosen == "" and isinstance(found, NumberInput) else chosen).run()
        case "click", [named]:
            assert not control(app, named).disabled, f"{named} rests"
            control(app, named).click().run()
        case "upload", [place, *names]:
            _upload(app, case.get("files", {}), place, names)
        case "go", [address]:
            _go(app, address)
        case "finish", [key]:  # a visitor's browser looks again by itself; here each run does
            while key in app.session_state:
                _, job = app.session_state[key]
                job.ended.wait(app.default_timeout)
                app.run()
        case _:
            assert verb in ("rests", "state", "says", "never", "present", "missing"), verb
            there: Any = {"rests": {"disabled": arguments}, "state": {"state": {arguments[0]: arguments[-1]}}}
            check(app, there.get(verb, {verb: arguments}))


def _upload(app: AppTest, given: dict[str, str], place: str | int, names: list[str]) -> None:
    texts = {name: text.encode() for name, text in given.items()}
    files = [(name, texts.get(name) or (CASES.parent / "files" / name).read_bytes(), "") for name in names]
    found = app.file_uploader[place] if isinstance(place, int) else control(app, place)
    found.set_value(files if len(files) > 1 else files[0]).run()


def _go(app: AppTest, address: str) -> None:
    page, _, query = address.partition("?")
    app.switch_page(page)
    if query:  # a link's address alone is in the browser
        app.query_params.clear()
        app.query_params.update(parse_qs(query))
    app.run()


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
    widgets = [found for found in elements(app._tree) if isinstance(found, Widget)]
    found = [one for one in widgets if one.key == named] or [one for one in widgets if one.label == named]
    assert len(found) == 1, f"{named!r} names {len(found)} of {sorted(str(one.key or one.label) for one in widgets)}"
    return found[0]


def text(app: AppTest) -> str:
    """All that the page says, its picture, tables, errors and toasts too, without the escapes of Markdown."""
    said = []
    if shown := scene(app):
        now = shown["levels"][shown["chosen"]]
        said = [f"{now['before']} {now['found']:,} of {shown['crowd']:,} {shown['words']['after']}. {now['verdict']}"]
    tables = [table.value.to_csv(index=False) for table in (*app.table, *app.dataframe)]
    lines = filter(None, [*said, *texts(app), *tables])
    return re.sub(r"\\(.)|\u2060", r"\1", "\n".join(lines))


def texts(app: AppTest) -> Iterator[str]:
    """What the page says: headings, sentences, labels, tips and cells; not what a visitor entered, nor code."""
    for element in elements(app._tree):
        yield from words_of(element)


def words_of(element: Element) -> Iterator[str]:
    """What it says."""
    if element.type not in ("code", "latex"):
        for name in ("body", "label", "help", "text"):
            words = getattr(element.proto, name, "")
            if isinstance(words, str):
                yield re.sub(r"`[^`]*`|\$[^$]*\$", "", words)


def elements(block: Block) -> Iterator[Element]:
    for child in block.children.values():
        if isinstance(child, Block):
            yield from elements(child)
        else:
            yield child


def numbered(app: AppTest) -> Iterator[str]:
    """All beside the sidebar that has numbers: what it says, tables, ends of boxes, the picture of people, lines."""
    for element in elements(app.main if len(app.main) else app._tree):
        if element.type != "html":  # it counts runs; and pictures come when they are drawn
            yield from (words for words in words_of(element) if "base64" not in words)
        if isinstance(element, NumberInput):
            yield f"{element.min} {element.max} {element.step} {element.value}"
    for table in (*app.table, *app.dataframe):
        yield from table.value.to_csv(index=False).splitlines()
    yield json.dumps(level(app) if scene(app) else "", ensure_ascii=False)
    for chart in app.get("plotly_chart"):
        yield from lines_drawn(chart.proto.spec, *DRAWN)


def scene(app: AppTest) -> dict[str, Any]:
    """The picture of people of the page's answer, as it is sent to the browser; empty where there is none."""
    parts = [json.loads(one.proto.mixed.json or one.proto.json)[0] for one in app.get("bidi_component")]
    return {key: one for part in parts if part["part"] == "answer" for key, one in part["scene"].items()}


def level(app: AppTest) -> dict[str, Any]:
    """What the answer shows at first."""
    shown = scene(app)
    return dict(shown["levels"][shown["chosen"]])


def check(app: AppTest, case: dict[str, Any]) -> None:
    """What the case expects, and what is expected of every run."""
    for key, expected in case.get("state", {}).items():
        found = app.session_state[key] if key in app.session_state else control(app, key).value
        found = list(map(str, found)) if isinstance(found, list) else found
        found = found if isinstance(found, bool | int | float | str | list) else repr(found)
        assert found == (pytest.approx(expected, rel=1e-12) if isinstance(expected, float) else expected), key
    said = text(app)
    for there, pattern in [(verb, pattern) for verb in ("says", "never") for pattern in case.get(verb, [])]:
        assert bool(re.search(pattern, said)) is (there == "says"), f"{pattern}\n{said}"
    for pattern in case.get("code", []):
        assert any(re.search(pattern, str(block.value)) for block in app.code), f"in no code: {pattern}"
    for name, expected in case.get("address", {}).items():
        assert app.query_params.get(name, "") in (expected, [expected]), name
    assert len(app.get("plotly_chart")) == case.get("charts", len(app.get("plotly_chart")))
    names = {name for one in elements(app._tree) for name in (one.key, getattr(one.proto, "label", None))}
    assert set(case.get("present", [])) - names == set(), sorted(map(str, names))
    assert not names & set(case.get("missing", []))
    assert all(control(app, named).disabled for named in case.get("disabled", []))
    wrong = [(one, instead) for one in set(texts(app)) for never, instead in NEVER.items() if re.search(never, one)]
    assert wrong == []
