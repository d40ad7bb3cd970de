"""Uploads live in the visitor's session only, and their bytes are dropped. How a page reads them: ``cases``."""

import gc
import logging
import re
import sys

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from losses.isolation import client
from pages.server import memory_quota
from pages.ui import uploads
from pages.ui.plain_text import literal
from tests.pages.driver import control, text, visit
from tests.pages.visit import errors, give


def losses(seed: int, header: str = "loss,member", rows: int = 60) -> bytes:
    found = np.random.default_rng(seed).normal(size=rows)
    lines = (f"{loss - 0.8 * (row % 2):.6f},{row % 2}" for row, loss in enumerate(found))
    return "\n".join([header, *lines]).encode()


def page() -> AppTest:
    return visit("audit?audit.clip_parametric=exact")


def answer(app: AppTest) -> str:
    """What the page says of the losses, if anything."""
    said = [str(block.value) for block in app.markdown]
    return " ".join(one for one in said if re.match("## .*at least \\*\\*|### Estimate", one, re.DOTALL))


def test_bytes_are_dropped_once_read_refused_or_where_reading_fails(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody but this test holds the upload's bytes afterwards: not the store, not the widget, not the session.

    A run that ends in ``st.stop()`` would keep them: Streamlit then forgets no widget, nor what it held.
    """

    def held_after(data: bytes, name: str) -> int:
        before = sys.getrefcount(data)
        give(app, (name, data))
        gc.collect()
        return sys.getrefcount(data) - before

    app = page()
    assert held_after(losses(1), "losses.csv") == 0
    kept = answer(app)
    assert kept
    assert held_after(bytes([*b"PK\x03\x04", *range(256)]), "other.xlsx") == 0
    assert "Excel" in errors(app)
    for failure in (client.ReaderError("Traceback: 0.4711"), OSError("0.4711"), MemoryError()):

        def fail(*_arguments: object, failure: Exception = failure) -> None:
            raise type(failure)(*failure.args)

        with monkeypatch.context() as patched, caplog.at_level(logging.ERROR):
            patched.setattr(client, "read", fail)
            assert held_after(losses(2), "next.csv") == 0
        assert "This program failed to read the file" in errors(app)
        assert "next" in errors(app)
        assert answer(app) == kept
        assert type(failure).__name__ in caplog.text
        assert "4711" not in caplog.text + text(app), "a message may quote the file"
    give(app, ("next.csv", losses(2)))
    assert not app.error


def test_another_row_is_another_answer_and_the_table_of_a_removed_file_is_gone() -> None:
    """One row of many, which a cache that hashes a sample of the data would miss."""
    many, others = losses(1, rows=20_000), set(memory_quota._HELD)  # a job of an earlier visit ends when it likes
    app = give(page(), ("losses.csv", many))
    assert len(set(memory_quota._HELD) - others) == 1
    first = answer(app)
    control(app, "Remove").click().run()
    gc.collect()
    assert not set(memory_quota._HELD) - others
    assert answer(give(page(), ("losses.csv", many.replace(b"\n", b"\n-30.0,1\n", 1)))) != first


def test_names_are_text() -> None:
    """In Markdown every sign is escaped, and what Streamlit replaces after that is broken up."""
    name = "*l* <b> :smile: [a](x://a) $x$ `c`"
    rows = [line.partition(b",")[0] + b"," + line for line in losses(1).splitlines()]
    app = give(page(), (f"{name}.csv", b"\n".join([f'"{name}",x,member'.encode(), *rows[1:]])))
    assert literal(name) in " ".join(str(block.value) for block in (*app.markdown, *app.caption))
    assert literal(name) in app.info[0].value, "which column holds the losses is asked"
    assert all(f"\\{sign}" in literal(name) for sign in "*<[$`")
    assert re.search(r":\w+:|://", literal(name)) is None


def test_files_that_a_run_was_stopped_before_are_read_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    put, seen = uploads.put, list[object]()

    def stopped_after_the_first(slot: str, found: uploads.Upload | uploads.Refusal, most: int) -> None:
        put(slot, found, most)
        seen.append(found)
        if len(seen) == 1:
            st.rerun()

    monkeypatch.setattr(uploads, "put", stopped_after_the_first)
    app = give(page(), *((f"{name}.csv", losses(1)) for name in "abc"))
    assert list(app.session_state["audit.files_place"].files) == ["a.csv", "b.csv", "c.csv"]
