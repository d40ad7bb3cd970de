"""Long and wide tables: models, slices, records and groups by columns, without a cell lost or mixed up."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

from losses import (
    ColumnRoles,
    LossTable,
    TableError,
    by_column,
    by_column_of_two,
    groups_stacked,
    join,
    models_stacked,
    one_column,
    read_scores,
    read_table,
    rows_of,
    split,
)
from losses.instances import refusals_of
from losses.long_form import check_any_layout
from losses.roles import by_record
from losses.table import LabelColumn, NumberColumn
from losses.wide import group_columns, membership_columns, membership_of_groups, model_columns, model_names

NAMES = tomllib.loads(Path(__file__).with_name("names.toml").read_text(encoding="utf-8"))
RNG = np.random.default_rng(3)
ROWS = 40


def table(header: str, *tails: str, scores: bool = False) -> LossTable:
    """Numbers, but for the last columns: ``tails`` repeat there from row to row."""
    numbers = header.count(",") + 1 - len(tails)
    rows = []
    for row in range(ROWS):
        cells = [repr(float(cell)) for cell in RNG.normal(size=numbers)]
        rows.append(",".join([*cells, *(tail[row % len(tail)] for tail in tails)]))
    return (read_scores if scores else read_table)("\n".join([header, *rows]).encode())


def scored(lines: list[str]) -> LossTable:
    return read_scores("\n".join(lines).encode())


def test_columns_of_groups_and_of_models_are_known_by_their_names() -> None:
    for row in NAMES["columns_of_groups"]:
        assert group_columns(table(row["header"])) == (tuple(row["train"].split()), tuple(row["test"].split()))
    for row in NAMES["columns_of_models"]:
        found = model_columns(table(row["header"], "01"))
        assert found == tuple(row["columns"].split())
        assert not found or model_names(found) == tuple(row["models"].split())


@pytest.mark.parametrize("models", [200, 201])
def test_more_columns_of_models_than_a_person_would_choose_among_are_all_read(models: int) -> None:
    found = table(",".join([*(f"loss_{model}" for model in range(models)), "member"]), "01")
    if models > 200:
        with pytest.raises(TableError, match="201 columns are named alike"):
            check_any_layout(found)
    else:
        check_any_layout(found)
        assert len(model_columns(found)) == models


def test_columns_of_groups_give_the_groups_of_two_files(monkeypatch: pytest.MonkeyPatch) -> None:
    found = table("train_loss,test_loss,person", "abcdefghij")
    long = groups_stacked(found, ["train_loss"], ["test_loss"])
    told = membership_of_groups(["train_loss"], ["test_loss"])
    assert "train_loss" in told.words
    groups = split(long, long.numbers[0].name, told.column, told.member)
    apart = join(one_column(found, "train_loss"), one_column(found, "test_loss"))
    assert np.array_equal(groups.train, apart.train)
    assert np.array_equal(groups.population, apart.population)
    assert long.cluster("person").codes.tolist() == [*found.cluster("person").codes] * 2
    spoiled = read_table(b"train_loss,test_loss\n" + b"1.5,2.5\n2.5,x\n" * 20)
    faults = groups_stacked(spoiled, ["train_loss"], ["test_loss"]).numbers[0].faults
    assert (faults.count, faults.examples[0][:16]) == (20, "test_loss, row 2")
    with pytest.raises(TableError, match="no pairs"):
        groups_stacked(table("loss_1,loss_2,loss_3"), ["loss_1", "loss_2"], ["loss_3"])
    monkeypatch.setattr("losses.wide.MOST_NUMBERS", 2 * ROWS - 1)
    with pytest.raises(TableError, match="2 columns of 40 rows are 80 numbers; at most 79"):
        groups_stacked(found, ["train_loss"], ["test_loss"])


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


def test_every_model_may_have_its_own_members() -> None:
    header, scores, members = "score_1,score_2,member_1,member_2", ["score_1", "score_2"], ["member_1", "member_2"]
    found = table(header, "01", "0011", scores=True)
    assert membership_columns(found, scores) == tuple(members)
    long = models_stacked(found, scores, members)
    told = long.label("member")
    assert long.is_membership_clear
    assert [told.labels[code] for code in told.codes[[0, 1, 2, 3]]] == ["0", "1", "0", "1"]
    assert [told.labels[code] for code in told.codes[ROWS : ROWS + 4]] == ["0", "0", "1", "1"]
    with pytest.raises(TableError, match="do not agree"):
        models_stacked(table(header, "01", "yn", scores=True), scores, members)


# Scores by the roles of their columns.

RECORDS, MODELS = 30, ("2", "10")
OF_MODELS = ColumnRoles("score", "member", "1", models=("model", "epoch"), record="record_id")


def of_models(skip: int = 0, twice: bool = False) -> LossTable:
    """Two epochs of two models that have the same records: every second one is in the first, the others in the last."""
    lines = [
        f"{RNG.normal()!r},{(record + (model == '10')) % 2},{model},{epoch},r{record},{record % 3}"
        for model in MODELS
        for epoch in (1, 2)
        for record in range(RECORDS)
    ]
    lines = lines[: len(lines) - skip] + (lines[-1:] if twice else [])
    return scored(["score,member,model,epoch,record_id,class", *lines])


def test_models_and_slices_part_the_scores_as_the_losses_view_does() -> None:
    found = of_models()
    rows = rows_of(found, ColumnRoles("score", "member", "1", models=("model",), slice="class", record="record_id"))
    assert rows.models is not None
    assert rows.slices is not None
    assert rows.models.labels == MODELS
    for name, scores in zip(MODELS, rows.scores_by(rows.models), strict=True):
        assert sorted(scores.null) == sorted(rows.of_model(name).scores.null)
        assert len(scores.alternative) == RECORDS
    assert sum(len(one.null) + len(one.alternative) for one in rows.scores_by(rows.slices)) == found.rows
    losses = by_column(found, ("model", "epoch"), "score", "member", "1")
    rows = rows_of(found, OF_MODELS, negate=True)
    assert rows.models is not None
    assert [one.name for one in losses] == [*rows.models.labels]
    assert rows.models.labels[:2] == ("model 2, epoch 1", "model 2, epoch 2")
    for one, scores in zip(losses, rows.scores_by(rows.models), strict=True):
        assert np.array_equal(np.sort(-scores.alternative), one.groups.train)
        assert np.array_equal(np.sort(-scores.null), one.groups.population)


def test_records_meet_over_models() -> None:
    found = by_record(rows_of(of_models(), OF_MODELS))
    assert found.scores.shape == (RECORDS, 4)
    assert found.is_in.sum(axis=1).tolist() == [2] * RECORDS
    assert found.is_in[1].tolist() == [True, True, False, False]
    assert by_record(rows_of(of_models(skip=1), OF_MODELS)).left_out == 1
    with pytest.raises(TableError, match="1 records have several rows in one model"):
        by_record(rows_of(of_models(twice=True), OF_MODELS))
    with pytest.raises(TableError, match="was not said"):
        by_record(rows_of(of_models(), ColumnRoles("score", "member", "1")))


def test_rows_and_records_go_by_what_the_file_calls_them() -> None:
    """Rows left out do not shift the numbers of those below them, and a record's name is its cell."""
    lines = [
        f"{row}.5,{row % 2},{row % 4 // 2},{907 + row // 4},{row % 3 - 1},{'cat' if row % 3 else 'dog'}"
        for row in range(40)
    ]
    lines[3], lines[9] = ",1,1,907,1,cat", "9.5,1,,909,1,cat"
    data = scored(["score,member,model,id,guess,class", *lines])
    roles = ColumnRoles("score", "member", "1", models=("model",), record="id")
    with pytest.raises(TableError, match="without a finite number"):
        rows_of(data, roles)
    found = rows_of(data, roles, drop=True)
    kept = np.delete(np.arange(40), [3, 9])
    assert (found.dropped, found.values.tolist(), found.is_in.tolist()) == (
        2,
        (kept + 0.5).tolist(),
        (kept % 2 == 1).tolist(),
    )
    assert [found.row_at(place) for place in (2, 3, 8)] == ["3", "5", "11"]
    assert [found.record_at(place) for place in (0, 3)] == ["907", "908"]
    assert found.of(found.is_in).row_at(1) == "6"
    guess, kind = found.columns["guess"], found.columns["class"]
    assert isinstance(guess, NumberColumn)
    assert isinstance(kind, LabelColumn)
    assert np.array_equal(guess.values, kept % 3 - 1)
    assert [kind.labels[code] for code in kind.codes[:3]] == ["dog", "cat", "cat"]
    turned = rows_of(data, ColumnRoles("score", "member", "0", models=("model",)), drop=True, negate=True)
    assert np.array_equal(turned.values, -found.values)
    assert np.array_equal(turned.is_in, ~found.is_in)
    wide = scored(["score_1,score_2,member", *(f"{row}.5,{row}.25,{row % 2}" for row in range(30))])
    stacked = rows_of(
        models_stacked(wide, ["score_1", "score_2"]), ColumnRoles("score", "member", "1", models=("model",))
    )
    assert [stacked.of_model("2").row_at(place) for place in (0, 29)] == ["1", "30"]


# Several instances in a column.


def instances(name: str = "run {}", more: str = "") -> LossTable:
    """Three of them, in turn; every other row of each is a member's."""
    lines = [f"{row}.5,{row // 3 % 2},{name.format((9, 10, 8)[row % 3])}" for row in range(90)]
    return read_table(("\n".join(["loss,member,run", *lines]) + more).encode())


@pytest.mark.parametrize("name", ["{}", "run {}"])
def test_a_column_of_instances(name: str) -> None:
    found = by_column(instances(name, "\n0.25,1,\n0.25,0,"), "run", "loss", "member", "1", drop=True)
    assert [one.name for one in found] == [name.format(number) for number in (8, 9, 10)]
    assert [one.groups.train[0] for one in found] == [5.5, 3.5, 4.5]
    assert [one.groups.population[0] for one in found] == [2.5, 0.5, 1.5]
    assert sum(len(groups.train) + len(groups.population) for _, groups in found) == 90


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("\n" + "\n".join(f"{row}.5,1,z" for row in range(30)), "^“z”: One group is missing: “member” is “1”"),
        ("\n0.25,1,\n0.25,0,", r"“run” has 2 blank cells. The first is in row 91"),
        ("\nnan,1,run 9", r"^“run 9”: .*1 cell .* Row 91"),
    ],
)
def test_instances_that_cannot_be_used_are_named(more: str, words: str) -> None:
    with pytest.raises(TableError, match=words):
        by_column(instances(more=more), "run", "loss", "member", "1")
    with pytest.raises(TableError, match=r"^“short.csv”: Training data: 5"), refusals_of("short.csv"):
        split(read_table(b"loss,member\n" + b"1.5,1\n0.5,0\n" * 5), "loss", "member", "1")


def test_two_tables_with_a_column_of_models() -> None:
    """Each model's groups are those of its rows in both files; one that a file lacks is refused by its name."""
    groups = {(name, member): RNG.gamma(1.0 + member, size=30) for name in ("2", "10") for member in (1, 0)}

    def file(member: int, names: tuple[str, ...] = ("10", "2")) -> LossTable:
        lines = [f"{loss!r},{name}" for name in names for loss in groups[name, member].tolist()]
        return read_table("\n".join(["loss,epoch", *lines]).encode())

    found = by_column_of_two([file(1), file(0)], "epoch", ("loss", "loss"))
    assert [one.name for one in found] == ["2", "10"]
    for one in found:
        assert one.groups.train.tolist() == sorted(groups[one.name, 1].tolist())
        assert one.groups.population.tolist() == sorted(groups[one.name, 0].tolist())
    with pytest.raises(TableError, match="“10”: One of the files has no row of it"):
        by_column_of_two([file(1), file(0, ("2",))], ["epoch"], ("loss", "loss"))
