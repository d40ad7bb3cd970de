"""What the attacker can guess beforehand: every way to say it, its address, and lists of candidates, some of no use."""

import gc
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from losses import RowUnit
from pages.reconstruct import prior
from pages.ui.plain_text import literal
from reports.rounding import nearest
from tests.pages import visit as uploading
from tests.pages.visit import addressed, checked, visited

TABLE = tomllib.loads(Path(__file__).with_name("prior.toml").read_text())
UPLOADED = "an uploaded distribution"
SCRIPT = """import streamlit as st
from pages.reconstruct import prior
known = prior.draw()
st.text("nothing" if known is None else f"{known.kappa!r} {known.words}")"""


def page(**query: str) -> AppTest:
    return visited(AppTest.from_string(SCRIPT, default_timeout=60), addressed("reconstruct", query))


def said(app: AppTest) -> str:
    """Messages as they are read: without the escapes."""
    blocks = [*app.error, *app.warning, *app.info, *app.caption]
    return " ".join(re.sub(r"\\(.)|\u2060", r"\1", str(block.value)) for block in blocks)


def uploaded(data: str | bytes, rows: str | None = None, name: str = "candidates.csv") -> AppTest:
    """The page with a file, and with what its rows are where that is said."""
    content = data.encode() if isinstance(data, str) else data
    app = uploading.give(page(knows=UPLOADED, candidates_from="a file"), (name, content))
    asked = any("What is a row" in question.value for question in app.info)
    unit = RowUnit.CANDIDATES if rows == "a candidate" else RowUnit.RECORDS
    return uploading.choose(app, "Each row is", unit) if asked and rows else app


def check(app: AppTest, row: dict[str, Any]) -> None:
    kappa, _, words = app.text[0].value.partition(" ")
    if "kappa" in row:
        assert float(kappa) == pytest.approx(row["kappa"], rel=1e-12)
        assert words == row["words"]
        assert f"κ = {nearest(float(kappa))}" in said(app)
    else:
        assert kappa == "nothing"
    for sentence in row.get("says", []):
        assert sentence in said(app) or sentence in said(app).replace("**", "")


@pytest.mark.parametrize("row", TABLE["way"], ids=str)
def test_every_way_to_say_it_from_its_address(row: dict[str, Any]) -> None:
    app = page(**row.get("query", {}))
    for key, value in row.get("set", []):
        checked(app.number_input(key).set_value(value).run())
    check(app, row)


@pytest.mark.parametrize("row", TABLE["file"], ids=lambda row: str(row["text"])[:40])
def test_lists_of_candidates(row: dict[str, Any]) -> None:
    app = uploaded(row["text"], row.get("rows"))
    for label, value in row.get("choose", []):
        uploading.choose(app, label, value)
    for key, value in row.get("set", []):
        checked(app.number_input(key).set_value(value).run())
    for box in app.checkbox:
        if "tick" in row and box.label.startswith(row["tick"]):
            checked(box.check().run())
    check(app, row)


def test_defaults_are_public() -> None:
    """A value equal to its default is left out of the URL: another default would change old links."""
    drawn: dict[str, object] = {}
    queries: list[dict[str, str]] = [{}, {"reconstruct.guessed": "a yes or no"}]
    queries += [{"reconstruct.knows": knows} for knows in prior.Knows]
    for query in queries:
        app = page(**query)
        held = {key: app.session_state[key] for key in prior.KEYS if key in app.session_state and key not in query}
        drawn |= {key: str(value) if value is None else value for key, value in held.items()}
    assert drawn == TABLE["default"]
    assert set(prior.KEYS) == set(drawn)


def test_names_are_text_and_every_file_is_asked_about_anew() -> None:
    """In what is said, every sign of a stranger's name is escaped; the words for other parts hold no name at all."""
    name = "**n** <b> [p](a://b) $x$"
    table = f'name,"{name}"\nann,3\nbob,1\ncay,-1\n'
    app = uploaded(table, "a candidate", f"{name.replace('/', '')}.csv")
    texts = " ".join(str(block.value) for block in [*app.error, *app.caption])
    assert literal(name) in texts
    assert name not in texts
    uploading.give(app, ("candidates.csv", b"name,p\nann,0.3\nbob,0.2\n"))
    assert "What is a row of this table?" in said(app)


def test_bytes_are_dropped_once_read_and_the_list_goes_when_removed() -> None:
    data = b"name,count\n" + b"ann,3\n" * 1000
    before = sys.getrefcount(data)
    app = uploaded(data, "a candidate")
    gc.collect()
    check(app, {"kappa": 1e-3, "words": "the likeliest of 1,000 uploaded candidates"})
    assert sys.getrefcount(data) == before
    (remove,) = (button for button in app.button if button.label == "Remove")
    check(checked(remove.click().run()), {})
