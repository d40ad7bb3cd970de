"""Rows that belong together, on the page: persons are drawn from, models are measured one by one, or it is asked."""

import json
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from losses import by_column, read_table, split
from losses.row_questions import COPIES
from pages.audit.epsilon_star import figures
from pages.audit.epsilon_star.report import report
from reports import html_file, json_file
from tests.pages.audit.epsilon_star.sources import (
    assert_python_reads_the_same,
    captions,
    estimate,
    has_value,
    page,
    value,
)
from tests.pages.uploading import choose, give, leave_out, offer
from tests.pages.visit import errors

RNG = np.random.default_rng(0)


def rows(column: str, of: int, pattern: str = "{}", persons: int = 40) -> bytes:
    """Losses of two groups; the cells of ``column`` name ``of`` others in each group, several rows each."""
    lines = [f"loss,member,{column}"]
    for member in (1, 0):
        losses = RNG.gamma(2.0 + 0.5 * member, size=2 * persons)
        lines += [f"{loss!r},{member},{pattern.format(row % of, member)}" for row, loss in enumerate(losses.tolist())]
    return "\n".join(lines).encode()


def asked(app: AppTest) -> bool:
    return any("Say which rows belong together" in note.value for note in app.info)


def test_one_row_of_each_person_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = rows("user_id", 40, "u{}-{}")
    app = give(page(source="one file"), ("a.csv", data))
    groups = split(read_table(data), "loss", "member", "1", person="user_id")
    assert len(groups.train) == 40
    assert value(app) == estimate(groups.train, groups.population).value
    assert_python_reads_the_same(app, {"a.csv": data}, tmp_path, monkeypatch)
    source, (audit,) = app.session_state["test source"], app.session_state["audit.audits"].values()
    assert audit.notes == groups.notes
    assert "names 80 persons in 160 rows" in html_file.page(report(source, audit, None))
    assert "names 80 persons in 160 rows" in json_file.text(report(source, audit, None))
    choose(app, "Rows of one person share", "no column: each row is another person")
    pooled = split(read_table(data), "loss", "member", "1")
    assert value(app) == estimate(pooled.train, pooled.population).value
    assert_said(app, "user_id")


def assert_said(app: AppTest, column: str) -> None:
    """What somebody said against a column's name goes with the answer, wherever that goes."""
    said = f"Rows that share “{column}” count as independent, as was said."
    source = app.session_state["test source"]
    *_, audit = app.session_state["audit.audits"].values()
    assert said in html_file.page(report(source, audit, None))
    assert json.loads(json_file.text(report(source, audit, None)))["numbers"]["dependence"]["handled"] == [said]
    assert figures.settings(source, audit)["rows that belong together"] == said


@pytest.mark.parametrize("column", ["epoch", "user_id"])
def test_rows_without_a_model_or_a_person_are_left_out_and_counted(column: str) -> None:
    data = rows(column, 2 if column == "epoch" else 40, "{}{}" if column == "user_id" else "{}")
    app = offer(page(source="one file"), ("a.csv", data + b"\n0.5,1,\n0.25,0,\n0.125,0,"))
    assert app.checkbox[0].label == "Leave out 3 unusable rows"
    leave_out(app)
    assert has_value(app)
    assert "3 rows left out" in captions(app)


def test_persons_in_both_groups_are_refused() -> None:
    app = give(page(source="one file"), ("a.csv", rows("patient", 40, "p{}")))
    assert "40 values of column “patient” are in both groups" in errors(app).replace("*", "")
    assert not has_value(app)


def test_a_column_that_may_name_anybody_is_asked_about() -> None:
    app = give(page(source="one file"), ("a.csv", rows("cluster", 40, "c{}-{}")))
    assert asked(app)
    assert not has_value(app)
    choose(app, "Rows of one person share", "cluster")
    assert "80 persons" in app.session_state["audit.audits"].popitem()[1].notes[0]


@pytest.mark.parametrize("pattern", ["{}", "model {}"])
def test_several_models_in_one_file_are_not_pooled(pattern: str) -> None:
    data = rows("model", 3, pattern, persons=60)
    app = give(page(source="one file"), ("a.csv", data))
    assert len(app.session_state["test measured"].rows) == 3
    pooled = split(read_table(data), "loss", "member", "1")
    assert value(app) != estimate(pooled.train, pooled.population).value
    choose(app, "Rows of one model share", ())
    assert value(app) == estimate(pooled.train, pooled.population).value
    assert_said(app, "model")


def test_more_models_than_are_read_as_labels() -> None:
    app = give(page(source="one file"), ("a.csv", rows("run", 25, "run {}", persons=300)))
    assert len(app.session_state["test measured"].rows) == 25


def test_epochs_in_two_files_are_asked_about() -> None:
    lines = rows("epoch", 2, persons=60).decode().splitlines()
    app = page(source="two files")
    for place, member in enumerate("10"):
        part = [line for line in lines[1:] if line.split(",")[1] == member]
        give(app, (f"{place}.csv", "\n".join([lines[0], *part]).encode()), place=place)
    assert len(app.session_state["test measured"].rows) == 2
    both = by_column(read_table("\n".join(lines).encode()), "epoch", "loss", "member", "1")
    bounds = {one.name: one for one in both}
    assert value(app) == estimate(bounds["0"].groups.train, bounds["0"].groups.population).value
    choose(app, "Rows of one model share", ())
    assert has_value(app)
    assert_said(app, "epoch")


def test_the_python_of_one_of_several_reads_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = rows("epoch", 2, persons=60).decode().splitlines()
    app, files = page(source="two files"), dict[str, bytes]()
    for place, member in enumerate("10"):
        part = [line for line in lines[1:] if line.split(",")[1] == member]
        files[f"{place}.csv"] = "\n".join([lines[0], *part]).encode()
        give(app, (f"{place}.csv", files[f"{place}.csv"]), place=place)
    assert_python_reads_the_same(app, files, tmp_path, monkeypatch)


@pytest.mark.parametrize("parts", ["one file", "two files"])
def test_epochs_of_predictions_are_measured_one_by_one(parts: str) -> None:
    """Never pooled: what is shown is of the first epoch, and the table has all of them."""
    losses = [line.split(",") for line in rows("epoch", 3, persons=60).decode().splitlines()[1:]]
    lines = [
        (member, f"{p if row % 2 else 1.0 - p!r},{row % 2},{member},{epoch}")
        for row, (loss, member, epoch) in enumerate(losses)
        for p in [float(np.exp(-float(loss)))]
    ]
    head, app = "p,y,member,epoch", page(source="predictions", predictions_in=parts)
    groups = ["10"] if parts == "one file" else ["1", "0"]
    for place, members in enumerate(groups):
        own = [line for member, line in lines if member in members]
        give(app, (f"{place}.csv", "\n".join([head, *own]).encode()), place=place)
    assert not errors(app)
    measured = app.session_state["test measured"]
    assert [row.name for row in measured.rows] == ["0", "1", "2"]
    assert [row.train for row in measured.rows] == [40, 40, 40]
    choose(app, "Rows of one model share", ())
    assert_said(app, "epoch")


def test_an_epoch_of_one_value_is_no_model() -> None:
    app = give(page(source="one file"), ("a.csv", rows("epoch", 1)))
    assert has_value(app)
    assert "Rows of one model share" not in [one.label for one in app.selectbox]


def test_copies_are_pointed_out() -> None:
    losses = RNG.gamma(2.0, size=60)
    lines = [f"{loss!r},{row % 2}" for row, loss in enumerate(losses.tolist()) for _ in range(5)]
    app = give(page(source="one file"), ("a.csv", "\n".join(["loss,member", *lines]).encode()))
    app = choose(app, "Rows with equal numbers are", COPIES)
    (audit,) = app.session_state["audit.audits"].values()
    assert "hold copies, as was said" in audit.notes[0]
    assert audit.result.evidence.train_size == 30
    assert "copies: each counts once" in captions(app)
