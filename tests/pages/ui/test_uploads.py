"""Uploads live in the visitor's session only: looked at, confirmed, marked as older, gone; their bytes are dropped."""

import gc
import gzip
import logging
import re
import sys
from typing import Any

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from losses.isolation import client
from pages.server import held_tables
from pages.ui import upload_reading, uploads
from pages.ui.plain_text import literal
from pages.ui.upload_look import look_at
from plotting import group_histograms, theme
from tests.pages.driver import control, text, visit
from tests.pages.uploading import change, choose, confirm, give, leave_out, offer
from tests.pages.visit import checked, errors

EXCEL = b"PK\x03\x04 and so on" + bytes(range(256))


def losses(seed: int, header: str = "loss,member", rows: int = 60) -> bytes:
    found = np.random.default_rng(seed).normal(size=rows)
    lines = (f"{loss - 0.8 * (row % 2):.6f},{row % 2}" for row, loss in enumerate(found))
    return "\n".join([header, *lines]).encode()


GOOD = ("losses.csv", losses(1))
ONE_GROUP = losses(2).replace(b",0\n", b",1\n").replace(b",0", b",1")
NAMELESS = b"\n".join(losses(1).splitlines()[1:])
ONE_COLUMN = b"\n".join(line.split(b",")[0] for line in losses(1).splitlines())

FRESH = b"loss\n" + b"\n".join(b"%f" % (3.0 + float(loss)) for loss in ONE_COLUMN.split()[1:])


def page(source: str = "one file") -> AppTest:
    return visit(f"audit?audit.source={source.replace(' ', '+')}&audit.clip_parametric=exact")


def answer(app: AppTest) -> str:
    """What the page says of the losses, if anything."""
    said = [str(block.value) for block in app.markdown]
    return " ".join(
        one for one in said if (one.startswith("## ") and "at least **" in one) or one.startswith("### Estimate")
    )


def button(app: AppTest, label: str) -> Any:
    found = [one for one in app.button if one.label == label]
    return found[0] if found else None


def test_nothing_follows_from_a_file_until_it_is_confirmed_then_it_folds() -> None:
    app = offer(page(), GOOD)
    assert not answer(app)
    assert not app.checkbox, "nothing is to be left out"
    assert "30 training data, 30 fresh data; no row left out" in text(app)
    assert "its name says who was trained on" in text(app)
    assert [control(app, label).value for label in ("Losses", "Membership", "Members are")] == ["loss", "member", "1"]
    first = answer(confirm(app))
    assert first
    assert "losses.csv · 30 training data, 30 fresh data" in text(app).replace("*", "")
    assert not app.file_uploader
    assert answer(change(app)) == first, "what is only looked at again stays in force"
    checked(control(app, "Members are").select("0").run())
    assert not answer(app)
    assert answer(confirm(app)) not in ("", first)
    assert not answer(offer(app, ("next.csv", losses(5))))


def test_the_first_rows_say_what_each_column_is_and_show_no_formula_nor_name() -> None:
    lines = losses(1).decode().splitlines()[1:]
    rows = "\n".join(f"{line},=x,Anna{row // 2}" for row, line in enumerate(lines))
    app = offer(page(), ("a.csv", f"loss,member,note,patient_id\n=1+1,1,n,Anna0\n{rows}".encode()))
    (table,) = (found.value for found in app.dataframe)
    assert list(table) == ["loss (Losses)", "member (Membership)", "note", "patient_id"]
    assert (len(table), table["loss (Losses)"][0], table["note"][1]) == (5, "not usable", "'=x")
    assert list(table["patient_id"]) == ["no. 1", "no. 1", "no. 1", "no. 2", "no. 2"]
    assert "Anna" not in str(table)


def test_open_questions_and_unusable_rows_close_the_way() -> None:
    app = offer(page(), ("flagged.csv", losses(2, "loss,flag")))
    assert button(app, "Measure").disabled
    assert "Say which column and which label mark the members" in app.info[0].value
    checked(control(app, "Membership").select("flag").run())
    assert button(app, "Measure").disabled
    assert answer(choose(app, "Members are", "1"))
    assert "as you said" in text(change(app))
    offer(app, ("a.csv", losses(1) + b"\nx,1\n,0"))
    assert "2 cells without a finite number" in errors(app)
    assert button(app, "Measure").disabled
    assert app.checkbox[0].label == "Leave out 2 unusable rows"
    assert answer(leave_out(app))
    assert "2 rows left out" in text(app)


def test_a_bad_file_leaves_the_answer_marked_as_older() -> None:
    app = give(page(), GOOD)
    before = answer(app)
    for bad, words in [
        (EXCEL, "Excel"),
        (ONE_COLUMN, "has no column that tells members from outsiders"),
        (ONE_GROUP, "One group is missing"),
        (b"\n".join(losses(1).splitlines()[:12]), "One group has 5 rows; at least 10 are needed"),
        (losses(1).replace(b",1\n", b",c\n", 1), "3 different labels"),
    ]:
        give(app, ("bad.csv", bad))
        assert words in errors(app).replace("*", "")
        assert answer(app) == before
        assert "Results are of a file read before, **losses.csv**: 60 rows" in text(app)
    give(app, ("losses.csv", losses(3)))  # the same name
    assert not app.error
    assert answer(app) != before
    assert "read before" not in text(app)


def test_what_was_said_of_a_file_holds_for_that_file_alone() -> None:
    app = give(page(), ("a.csv", losses(1) + b"\nx,1"))
    assert answer(leave_out(app))
    assert not answer(give(app, ("b.csv", losses(2) + b"\nx,1")))
    assert answer(give(app, ("a.csv", losses(1) + b"\nx,1")))
    give(app, ("c.csv", NAMELESS))
    checked(control(app, "Names in the first row").select("yes").run())
    give(app, ("d.csv", b"\n".join(losses(2).splitlines()[1:])))
    assert ("60 rows" in text(app), control(app, "Names in the first row").value) == (True, "as found")
    give(app, ("c.csv", NAMELESS))
    assert ("59 rows" in text(app), control(app, "Names in the first row").value) == (True, "yes")
    give(app, ("refused.csv", losses(1).replace(b",", b";|x,")))
    checked(control(app, "Encoding").select("latin-1").run())
    change(give(app, GOOD))
    assert control(app, "Encoding").value == "as found"


def test_labels_said_of_some_models_are_asked_of_others() -> None:
    app = give(page("several models"), ("a.csv", losses(1, "loss,flag")))
    choose(app, "Membership", "flag")
    choose(app, "Members are", "0")
    assert "a.csv" in text(app)
    assert button(app, "Change") is not None
    give(app, ("b.csv", losses(2, "loss,flag")))
    assert button(app, "Change") is None


def test_two_files_wait_for_each_other_and_either_is_marked_as_older() -> None:
    app = page("two files")
    offer(app, ("train.csv", ONE_COLUMN))
    assert button(app, "Measure") is None
    offer(app, ("fresh.csv.gz", gzip.compress(FRESH)), place=1)
    assert answer(confirm(app))
    assert "train.csv and fresh.csv.gz · 60 training data, 60 fresh data" in text(app).replace("*", "")
    give(app, ("bad.csv", EXCEL), place=1)
    assert "read before" in text(app)
    assert answer(app)


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


def test_one_changed_row_of_many_is_another_answer() -> None:
    """What a cache that hashes a sample of the data would miss."""
    many = losses(1, rows=20_000)
    first = answer(give(page(), ("losses.csv", many)))
    assert answer(give(page(), ("losses.csv", many.replace(b"\n", b"\n-30.0,1\n", 1)))) != first


GONE = "uploaded or pasted here is gone"
CANDIDATES = "\n".join(["name,p", *(f"c{row},{1 / 64}" for row in range(64))]).encode()
LISTED = "reconstruct?reconstruct.knows=an+uploaded+distribution&reconstruct.candidates_from=a+file"


@pytest.mark.parametrize(
    ("address", "files"),
    [
        (LISTED, [("list.csv", CANDIDATES)]),
        ("audit?audit.source=several+models", [("a.csv", losses(1)), ("b.csv", losses(2))]),
        ("audit?audit.source=one+file", [GOOD]),
    ],
    ids=["list", "models", "one"],
)
def test_a_new_session_says_that_a_file_is_gone_and_one_that_was_removed_is_not_missed(
    address: str, files: list[tuple[str, bytes]]
) -> None:
    gc.collect()
    before = held_tables.held()
    app = give(visit(address), *files)
    assert GONE not in text(app)
    assert held_tables.held() > before
    named = app.query_params["uploaded"]
    (slot,) = [named] if isinstance(named, str) else named
    again = visit(f"{address}&uploaded={slot}")
    assert GONE in text(again)
    assert GONE not in text(give(again, *files))
    change(app)
    (remove,) = (one for one in app.button if one.label in ("Remove", "Remove all"))
    checked(remove.click().run())
    change(again)
    (remove,) = (one for one in again.button if one.label in ("Remove", "Remove all"))
    checked(remove.click().run())
    assert "uploaded" not in app.query_params
    assert GONE not in text(app)
    gc.collect()
    assert held_tables.held() == before


@pytest.mark.parametrize("name", ["**loss**", "<b>loss</b>", ":smile:", "[loss](http://a.example)", "$x$", "`loss`"])
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
    drawn = group_histograms.figure(found).to_plotly_json()["data"]
    assert {trace["name"]: trace["line"]["color"] for trace in drawn} == {"in": theme.MEMBER, "out": theme.OUTSIDER}
    assert np.isfinite(found.edges.astype(np.float32)).all()  # as they are sent to the browser
    for values in (np.zeros(5), np.full(5, 1e300), np.array([5e-324, 1e-323])):
        odd = look_at({"all": values}, 0, "x").histogram
        assert odd is not None
        assert (np.diff(odd.edges) > 0).all()
        group_histograms.figure(odd)
    assert look_at({"all": np.empty(0)}, 0, "x").histogram is None
