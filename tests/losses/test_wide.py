"""Layouts of tables are recognised, and brought to the long form without a cell lost or mixed up."""

import numpy as np
import pytest

from losses import TableError, groups_stacked, join, models_stacked, one_column, read_scores, read_table, split
from losses.long_form import check_any_layout
from losses.membership import Why
from losses.table import LossTable
from losses.wide import (
    group_columns,
    membership_columns,
    membership_of_groups,
    model_columns,
    model_names,
)

RNG = np.random.default_rng(3)
ROWS = 40


def table(header: str, *tails: str, scores: bool = False) -> LossTable:
    """Numbers, but for the last columns: ``tails`` repeat there from row to row."""
    names = header.split(",")
    rows = []
    for row in range(ROWS):
        cells = [repr(float(cell)) for cell in RNG.normal(size=len(names) - len(tails))]
        rows.append(",".join([*cells, *(tail[row % len(tail)] for tail in tails)]))
    data = "\n".join([header, *rows]).encode()
    return read_scores(data) if scores else read_table(data)


@pytest.mark.parametrize(
    ("header", "pairs"),
    [
        ("train_loss,test_loss", (("train_loss",), ("test_loss",))),
        ("loss_members,loss_outsiders,other", (("loss_members",), ("loss_outsiders",))),
        (
            "train_loss_10,test_loss_10,train_loss_2,test_loss_2",
            (("train_loss_2", "train_loss_10"), ("test_loss_2", "test_loss_10")),
        ),
        ("train_loss_1,test_loss_1,train_loss_2", ((), ())),
        ("loss,score", ((), ())),
    ],
)
def test_columns_of_groups_are_known_by_their_names(header: str, pairs: tuple[tuple[str, ...], ...]) -> None:
    assert group_columns(table(header)) == pairs


@pytest.mark.parametrize(
    ("header", "models"),
    [
        ("loss_1,loss_10,loss_2,member", ("loss_1", "loss_2", "loss_10")),
        ("loss_model_a,loss_model_b,member", ("loss_model_a", "loss_model_b")),
        ("epoch_1,epoch_2,member", ("epoch_1", "epoch_2")),
        ("model1,model2,member", ("model1", "model2")),
        ("loss,cross_entropy,member", ()),
        ("loss,x1,x2,member", ()),
    ],
)
def test_columns_of_models_are_named_alike(header: str, models: tuple[str, ...]) -> None:
    assert model_columns(table(header, "01")) == models


def test_names_of_models_are_what_tells_columns_apart() -> None:
    assert model_names(["loss_model_1", "loss_model_2"]) == ("1", "2")
    assert model_names(["lossA", "lossB"]) == ("A", "B")
    assert model_names(["a_1", "a_1_1"]) == ("a_1", "a_1_1")


def test_more_columns_of_models_than_a_person_would_choose_among_are_all_read() -> None:
    found = table(",".join([*(f"loss_{model}" for model in range(40)), "member"]), "01")
    assert len(model_columns(found)) == 40
    with pytest.raises(TableError, match="201 columns are named alike"):
        check_any_layout(table(",".join([*(f"loss_{model}" for model in range(201)), "member"]), "01"))


def test_columns_of_groups_give_the_groups_of_two_files() -> None:
    found = table("train_loss,test_loss,person", "abcdefghij")
    long = groups_stacked(found, ["train_loss"], ["test_loss"])
    told = membership_of_groups(["train_loss"], ["test_loss"])
    assert (told.why, told.words) == (
        Why.COLUMN,
        "Column “train_loss” means training data: each group has a column of its own.",
    )
    groups = split(long, long.numbers[0].name, told.column, told.member)
    apart = join(one_column(found, "train_loss"), one_column(found, "test_loss"))
    assert np.array_equal(groups.train, apart.train)
    assert np.array_equal(groups.population, apart.population)
    assert long.cluster("person").codes.tolist() == [*found.cluster("person").codes] * 2


def test_columns_of_models_keep_their_rows() -> None:
    found = table("loss_1,loss_2,loss_3,member", "01")
    long = models_stacked(found, ["loss_1", "loss_3"])
    assert long.rows == 2 * ROWS
    assert long.label("model").labels == ("1", "3")
    assert np.array_equal(long.numbers[0].values[ROWS:], found.number("loss_3").values)
    assert long.label("member").codes.tolist() == [*found.label("member").codes] * 2
    rows = long.cluster("row")
    assert [rows.words[code] for code in rows.codes[[0, 9, ROWS, 2 * ROWS - 1]]] == ["1", "10", "1", str(ROWS)]
    with pytest.raises(TableError, match="one column of a model"):
        models_stacked(found, ["loss_1"])
    with pytest.raises(TableError, match="no pairs"):
        groups_stacked(found, ["loss_1", "loss_2"], ["loss_3"])


def test_every_model_may_have_its_own_members() -> None:
    found = table("score_1,score_2,member_1,member_2", "01", "0011", scores=True)
    assert membership_columns(found, ["score_1", "score_2"]) == ("member_1", "member_2")
    long = models_stacked(found, ["score_1", "score_2"], ["member_1", "member_2"])
    told = long.label("member")
    assert long.is_membership_clear
    assert [told.labels[code] for code in told.codes[[0, 1, 2, 3]]] == ["0", "1", "0", "1"]
    assert [told.labels[code] for code in told.codes[ROWS : ROWS + 4]] == ["0", "0", "1", "1"]
    other = table("score_1,score_2,member_1,member_2", "01", "yn", scores=True)
    with pytest.raises(TableError, match="do not agree"):
        models_stacked(other, ["score_1", "score_2"], ["member_1", "member_2"])


def test_unusable_cells_are_told_with_their_column() -> None:
    data = b"train_loss,test_loss\n" + b"1.5,2.5\n2.5,x\n" * 20
    long = groups_stacked(read_table(data), ["train_loss"], ["test_loss"])
    assert long.numbers[0].faults.count == 20
    assert long.numbers[0].faults.examples[0].startswith("test_loss, row 2")


def test_too_many_numbers_are_refused_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("losses.wide.MOST_NUMBERS", 2 * ROWS - 1)
    with pytest.raises(TableError, match="2 columns of 40 rows are 80 numbers; at most 79 are read together"):
        groups_stacked(table("train_loss,test_loss"), ["train_loss"], ["test_loss"])
