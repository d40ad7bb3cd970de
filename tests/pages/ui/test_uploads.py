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
from pages.server import held_tables
from pages.ui import upload_reading, uploads
from pages.ui.plain_text import literal
from pages.ui.upload_look import look_at
from plotting import group_histograms
from tests.pages.driver import control, text, visit
from tests.pages.visit import change, errors, give, offer

EXCEL = b"PK\x03\x04 and so on" + bytes(range(256))


def losses(seed: int, header: str = "loss,member", rows: int = 60) -> bytes:
    found = np.random.default_rng(seed).normal(size=rows)
    lines = (f"{loss - 0.8 * (row % 2):.6f},{row % 2}" for row, loss in enumerate(found))
    return "\n".join([header, *lines]).encode()


def page(source: str = "one file") -> AppTest:
    return visit(f"audit?audit.source={source.replace(' ', '+')}&audit.clip_parametric=exact")


def answer(app: AppTest) -> str:
    """What the page says of the losses, if anything."""
    said = [str(block.value) for block in app.markdown]
    return " ".join(
        one for one in said if (one.startswith("## ") and "at least **" in one) or one.startswith("### Estimate")
    )


@pytest.mark.parametrize("source", ["one file", "two files", "several models"])
def test_bytes_are_dropped_once_read_refused_or_where_reading_fails(
    source: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody but this test holds the upload's bytes afterwards: not the store, not the widget, not the session.

    A run that ends in ``st.stop()`` would keep them: Streamlit then forgets no widget, nor what it held.
    """

    def held_after(data: bytes, name: str) -> int:
        before = sys.getrefcount(data)
        give(app, (name, data))
        gc.collect()
        return sys.getrefcount(data) - before

    app = page(source)
    assert held_after(losses(1), "losses.csv") == 0
    kept = answer(app)
    assert bool(kept) == (source != "two files")
    assert held_after(bytes([*EXCEL]), "other.xlsx") == 0
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


def test_the_table_of_a_removed_file_is_gone() -> None:
    gc.collect()
    before = held_tables.held()
    app = change(give(page(), ("losses.csv", losses(1))))
    assert held_tables.held() > before
    control(app, "Remove").click().run()
    gc.collect()
    assert held_tables.held() == before


def test_one_changed_row_of_many_is_another_answer() -> None:
    """What a cache that hashes a sample of the data would miss."""
    many = losses(1, rows=20_000)
    first = answer(give(page(), ("losses.csv", many)))
    assert answer(give(page(), ("losses.csv", many.replace(b"\n", b"\n-30.0,1\n", 1)))) != first


@pytest.mark.parametrize("name", ["**loss** <b>x</b> :smile:", "[a](http://a.example) $x$ `c`"])
def test_names_are_text(name: str) -> None:
    """In Markdown every sign is escaped, and what Streamlit replaces after that is broken up."""
    app = give(page(), (f"{name}.csv", losses(1, f'"{name}",member')))
    assert literal(name) in " ".join(str(block.value) for block in (*app.markdown, *app.caption))
    assert all(f"\\{sign}" in literal(name) for sign in "*<[$`" if sign in name)
    assert re.search(r":\w+:|://", literal(name)) is None


def test_files_that_a_run_was_stopped_before_are_read_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    put, seen = uploads.put, list[str]()

    def stopped_after_the_first(slot: str, found: upload_reading.Upload | upload_reading.Refusal) -> None:
        put(slot, found)
        seen.append(found.name)
        if len(seen) == 1:
            st.rerun()

    monkeypatch.setattr(uploads, "put", stopped_after_the_first)
    app = offer(page("several models"), *((f"{name}.csv", losses(1)) for name in "abc"))
    assert list(app.session_state["audit.models_files_place"].files) == ["a.csv", "b.csv", "c.csv"]


def test_a_glance_counts_each_group_and_what_lies_outside_at_any_numbers() -> None:
    many = np.append(np.random.default_rng(0).normal(size=1000), [1e300, -np.finfo(float).max])
    found = look_at({"in": many, "out": many[:500]}, 1, "Score").histogram
    assert found is not None
    inside = [float(shares.sum() * size) for shares, size in zip(found.shares.values(), (1002, 500), strict=True)]
    assert round(sum(inside)) + found.beyond == 1502
    assert found.beyond >= 2
    assert "numbers lie outside" in group_histograms.described(found)
    assert np.isfinite(found.edges.astype(np.float32)).all()  # as they are sent to the browser
    for values in (np.zeros(5), np.full(5, 1e300), np.array([5e-324, 1e-323])):
        odd = look_at({"all": values}, 0, "x").histogram
        assert odd is not None
        assert (np.diff(odd.edges) > 0).all()
        group_histograms.figure(odd)
    assert look_at({"all": np.empty(0)}, 0, "x").histogram is None
