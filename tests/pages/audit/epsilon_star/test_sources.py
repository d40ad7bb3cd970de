"""Where the losses of the audit page come from: layouts corrected by hand, names of uploads, and addresses."""

import re
from pathlib import Path

import numpy as np
import pytest

from losses import join, one_column, read_table, split
from losses.row_questions import PEOPLE
from pages.audit.epsilon_star import model_files, predictions, source_controls
from tests.pages.audit.epsilon_star.sources import (
    assert_python_reads_the_same,
    box,
    captions,
    estimate,
    losses,
    page,
    value,
)
from tests.pages.uploading import change, choose, confirm, give, leave_out
from tests.pages.visit import checked, errors


def test_a_layout_is_corrected_for_the_next_upload(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers such as 1,250 are thousands or decimals: only the visitor knows."""
    text = losses(1).decode().replace(",", ";").replace(".", ",")
    data = re.sub(r"(,\d{3})\d{3}", r"\1", text).encode()
    app = page(source="one file")
    checked(box(app, "Delimiter").select(";").run())
    checked(box(app, "Decimal mark").select(",").run())
    give(app, ("losses.csv", data))
    groups = split(read_table(data.replace(b",", b".").replace(b";", b",")), "loss", "member", "1")
    assert value(app) == estimate(groups.train, groups.population).value
    assert_python_reads_the_same(app, {"losses.csv": data}, tmp_path, monkeypatch)


def test_a_file_read_in_another_way_has_another_answer() -> None:
    data = b"\n".join(losses(1).splitlines()[1:])
    app = give(page(source="one file", method="empirical"), ("losses.csv", data))
    assert "60 rows" in captions(app)
    checked(box(app, "Names in the first row").select("yes").run())
    assert "60 rows" in captions(app)
    give(app, ("losses.csv", data))
    assert "59 rows" in captions(app)


def test_kinds_and_keys_are_pinned() -> None:
    """Public formats: names and values in the URL."""
    assert list(source_controls.SourceKind) == ["a sample", "one file", "two files", "predictions", "several models"]
    assert list(model_files.ModelLayout) == ["a file each", "a pair of files each", "a column of one file"]
    assert (source_controls.KEYS, predictions.KEYS) == (
        ("audit.source", "audit.sample", "audit.predictions_in", "audit.models_in"),
        ("audit.predictions_in",),
    )


@pytest.mark.parametrize("kind", ["predictions", "several models"])
@pytest.mark.parametrize("nonsense", ["nan", "<b>", ""])
def test_nonsense_in_the_url_is_harmless(kind: str, nonsense: str) -> None:
    app = page(source=kind, predictions_in=nonsense, models_in=nonsense)
    assert app.file_uploader[0].value in (None, [])
    assert not app.error


def test_an_upload_keeps_its_whole_name() -> None:
    """A short one could not be opened, nor would its group be told by it."""
    app = give(page(source="one file"), (f"{'a' * 60}_train.csv", losses(1)))
    (name,) = app.session_state["audit.both_place"].files
    assert name == f"{'a' * 60}_train.csv"
    assert name in app.session_state["test source"].python


def wide(extra: str = "", cell: str = "") -> bytes:
    rows = np.random.default_rng(4).normal(size=(60, 2)).tolist()
    return "\n".join([f"train_loss,test_loss{extra}", *(f"{a - 0.8!r},{b!r}{cell}" for a, b in rows)]).encode()


def test_groups_in_a_column_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = wide()
    app = give(page(source="one file"), ("wide.csv", data))
    table = read_table(data)
    groups = join(one_column(table, "train_loss"), one_column(table, "test_loss"))
    assert value(app) == estimate(groups.train, groups.population).value
    assert_python_reads_the_same(app, {"wide.csv": data}, tmp_path, monkeypatch)
    assert [name for name, _ in app.session_state["test source"].files] == ["wide.csv"]
    assert "Layout: a column for each group" in captions(app)
    assert app.session_state["test source"].membership.words == (
        "Column “train_loss” means training data: each group has a column of its own."
    )
    assert "columns are named so, and none tells groups" in captions(change(app))


def test_a_wide_table_with_a_label_too_is_read_by_it_unless_somebody_says_otherwise() -> None:
    data = wide(",member", ",1").replace(b",1\n", b",0\n", 25)
    app = give(page(source="one file"), ("wide.csv", data))
    assert "test source" not in app.session_state
    choose(app, "Losses", "train_loss")
    assert app.session_state["test source"].membership.column == "member"
    choose(app, "Layout", "a column for each group")
    assert app.session_state["test source"].membership.column == "group"


def test_a_column_for_each_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its models are those of the long form, and which columns are models is corrected without another upload."""
    rows = np.random.default_rng(5).normal(size=(60, 3)).tolist()
    body = (
        ",".join([*(f"{cell - 0.9 * (row % 2)!r}" for cell in cells), str(row % 2)]) for row, cells in enumerate(rows)
    )
    data = "\n".join(["loss_1,loss_2,loss_10,member", *body]).encode()
    app = give(page(source="one file"), ("models.csv", data))
    assert [row.name for row in app.session_state["test measured"].rows] == ["1", "2", "10"]
    first = split(read_table(data), "loss_1", "member", "1")
    assert value(app) == estimate(first.train, first.population).value
    assert_python_reads_the_same(app, {"models.csv": data}, tmp_path, monkeypatch)
    assert "3 columns are named alike" in captions(change(app))
    (picked,) = app.multiselect
    checked(picked.set_value(["loss_2", "loss_10"]).run())
    confirm(app)
    assert [row.name for row in app.session_state["test measured"].rows] == ["2", "10"]
    choose(app, "Layout", "one column of numbers")
    choose(app, "Losses", "loss_1")
    assert app.session_state["test source"].models is None


def test_a_pair_of_columns_for_each_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"{group}_loss_{epoch}" for epoch in (5, 10) for group in ("train", "test")]
    rows = np.random.default_rng(6).normal(size=(40, 4)).tolist()
    data = "\n".join([",".join(names), *(",".join(map(repr, cells)) for cells in rows)]).encode()
    app = give(page(source="one file"), ("pairs.csv", data))
    assert [row.name for row in app.session_state["test measured"].rows] == ["5", "10"]
    groups = join(one_column(read_table(data), "train_loss_5"), one_column(read_table(data), "test_loss_5"))
    assert value(app) == estimate(groups.train, groups.population).value
    assert_python_reads_the_same(app, {"pairs.csv": data}, tmp_path, monkeypatch)
    change(app)
    checked(app.multiselect[0].set_value(names[:1]).run())
    assert "no pairs" in errors(app)


def test_epochs_of_two_columns_of_groups() -> None:
    app = give(
        page(source="one file"), ("wide.csv", wide(",epoch", ",{}").replace(b",{}\n", b",1\n", 30).replace(b"{}", b"2"))
    )
    choose(app, "Each row is", PEOPLE)
    assert [row.name for row in app.session_state["test measured"].rows] == ["1", "2"]


def test_models_and_epochs_are_told_apart_together() -> None:
    """Every epoch of every model by itself; what is said to count together is noted."""
    lines = losses(3, 240).decode().splitlines()
    body = (f"{line},{row // 120},{row // 60 % 2}" for row, line in enumerate(lines[1:]))
    data = "\n".join(["loss,member,model,epoch", *body]).encode()
    app = give(page(source="one file"), ("a.csv", data))
    assert [row.name for row in app.session_state["test measured"].rows] == [
        f"model {model}, epoch {epoch}" for model in (0, 1) for epoch in (0, 1)
    ]
    choose(app, "Rows of one model share", ("model",))
    assert len(app.session_state["test measured"].rows) == 2
    assert "Rows that share “epoch” count as independent" in " ".join(app.session_state["test source"].groups().notes)


def test_columns_of_other_lengths_are_asked_about() -> None:
    app = give(page(source="one file"), ("wide.csv", wide() + b"\n1.5,\n2.5,"))
    assert "2 cells without a finite number" in errors(app)
    leave_out(app)
    assert len(app.session_state["test source"].groups().train) == 62
