"""Uploads live in the visitor's session only: bytes are dropped, tables stay, refusals cost nothing."""

import gc
import gzip
import logging
import re
import sys

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from losses.isolation import client
from pages.server import held_tables
from pages.ui import upload_reading, uploads
from pages.ui.plain_text import literal
from tests.pages.uploading import change, give, offer
from tests.pages.visit import addressed, app_at, asked

ROWS = 4_000
EXCEL = b"PK\x03\x04 and so on"


def table(seed: int = 0, shift: float = 0.5, names: str = "loss,member", count: int = ROWS) -> bytes:
    """Losses of half as many members, and of as many outsiders."""
    losses = np.random.default_rng(seed).normal(size=count)
    rows = (f"{loss + shift * (row % 2 == 0):.6f},{row % 2}" for row, loss in enumerate(losses))
    return "\n".join([names, *rows, ""]).encode()


def page(**query: str) -> AppTest:
    """The page as a visitor of ``/audit?query`` gets it."""
    return asked(app_at("audit"), addressed("audit", query))


def upload(app: AppTest, data: bytes, name: str = "losses.csv", place: int = 0) -> AppTest:
    return give(app, (name, data), place=place)


def epsilon(app: AppTest) -> str:
    (found,) = answers(app)
    return found


def answers(app: AppTest) -> list[str]:
    """What the page says of the losses."""
    return [block.value for block in app.markdown if block.value.startswith("## ") and "at least **" in block.value]


def texts(app: AppTest) -> str:
    return " ".join(str(block.value) for block in [*app.markdown, *app.caption, *app.error])


def test_bytes_are_dropped_once_read() -> None:
    """Nobody but this test holds the upload's bytes afterwards: not the store, not the widget, not the session."""
    app = page(source="one file")
    data = table()
    before = sys.getrefcount(data)
    upload(app, data)
    assert epsilon(app)
    gc.collect()
    assert sys.getrefcount(data) == before


@pytest.mark.parametrize(
    ("source", "failure"),  # all kinds in one place; the other places read their files by the same function
    [
        ("one file", client.ReaderError("Traceback: 0.4711")),
        ("one file", OSError("0.4711")),
        ("one file", MemoryError()),
        ("several models", client.ReaderError("Traceback: 0.4711")),
    ],
)
def test_bytes_are_dropped_where_reading_fails_and_what_was_there_stays(
    source: str, failure: Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_arguments: object) -> None:
        raise type(failure)(*failure.args)

    app = upload(page(source=source), table())
    said = answers(app) or [block.value for block in app.markdown if block.value.startswith("### ")]
    data = table(seed=1)
    before = sys.getrefcount(data)
    with monkeypatch.context() as patched, caplog.at_level(logging.ERROR):
        patched.setattr(client, "read", fail)
        upload(app, data, "next.csv")
    gc.collect()
    assert sys.getrefcount(data) == before
    (error,) = app.error
    assert "This program failed to read the file" in error.value
    assert "next" in error.value
    assert said
    assert set(said) <= {block.value for block in app.markdown}
    assert type(failure).__name__ in caplog.text
    assert "4711" not in caplog.text + texts(app), "a message may quote the file"
    assert not upload(app, data, "next.csv").error


def test_bytes_of_the_first_of_two_files_are_dropped() -> None:
    """A run that ends in ``st.stop()`` would keep them: Streamlit then forgets no widget, nor what it held."""
    app = page(source="two files")
    data = table()
    before = sys.getrefcount(data)
    upload(app, data)
    gc.collect()
    assert sys.getrefcount(data) == before


def test_a_refused_file_leaves_the_one_before() -> None:
    app = upload(page(source="one file"), table())
    answer, refused, place = epsilon(app), EXCEL + bytes(range(256)), change(app).file_uploader[0].key
    before = sys.getrefcount(refused)
    upload(app, refused, "other.xlsx")
    gc.collect()
    assert sys.getrefcount(refused) == before
    assert "Excel" in app.error[0].value
    assert epsilon(app) == answer
    assert app.file_uploader[0].key != place, "a place for another file is an empty one"
    upload(app, table(seed=1), "losses.csv")  # the same name
    assert not app.error
    assert epsilon(app) != answer


def test_one_changed_row_of_many_is_another_answer() -> None:
    """What a cache that hashes a sample of the data would miss."""
    app = upload(page(source="one file", method="empirical"), table(count=20_000))
    first = epsilon(app)
    changed = table(count=20_000).replace(b"\n", b"\n9.5,1\n", 1)
    upload(app, changed.rsplit(b"\n", 2)[0] + b"\n")
    *_, audit = app.session_state["audit.audits"].values()
    assert (audit.result.evidence.train_size, audit.result.evidence.population_size) == (10_000, 10_000)
    assert epsilon(app) != first


def test_two_files_wait_for_each_other() -> None:
    app = page(source="two files")
    losses = [row.split(b",")[0] for row in table().splitlines()[1:]]
    upload(app, b"loss\n" + b"\n".join(losses[::2]), "train.csv", place=0)
    assert not answers(app)
    upload(app, gzip.compress(b"loss\n" + b"\n".join(losses[1::2])), "fresh.csv.gz", place=1)
    assert "train" in texts(app)
    assert "fresh" in texts(app)
    assert epsilon(app)


def test_removed_file_is_gone() -> None:
    gc.collect()
    before = held_tables.held()
    app = upload(page(source="one file"), table())
    assert held_tables.held() > before
    change(app)
    (remove,) = (button for button in app.button if button.label == "Remove")
    remove.click().run()
    assert not answers(app)
    gc.collect()
    assert held_tables.held() == before


@pytest.mark.parametrize("name", ["**loss**", "<b>loss</b>", ":smile:", "[loss](http://a.example)", "$x$", "`loss`"])
def test_names_are_text(name: str) -> None:
    """In Markdown every sign is escaped, and what Streamlit replaces after that is broken up."""
    app = upload(page(source="one file"), table(names=f'"{name}",member'), f"{name}.csv")
    assert epsilon(app)
    assert f"{literal(name)}" in texts(app)
    for sign in "*<[$`":
        assert f"\\{sign}" in literal(name) or sign not in name
    assert re.search(r":\w+:|://", literal(name)) is None


def test_files_that_a_run_was_stopped_before_are_read_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    put, seen = uploads.put, list[str]()

    def stopped_after_the_first(slot: str, found: upload_reading.Upload | upload_reading.Refusal) -> None:
        put(slot, found)
        seen.append(found.name)
        if len(seen) == 1:
            st.rerun()

    monkeypatch.setattr(uploads, "put", stopped_after_the_first)
    app = offer(page(source="several models"), *((f"{name}.csv", table(count=100)) for name in "abc"))
    assert seen[0] == "a.csv"
    assert list(app.session_state["audit.models_files_place"].files) == ["a.csv", "b.csv", "c.csv"]
