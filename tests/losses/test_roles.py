"""Rows read by the roles of their columns: persons, models, slices and records."""

import numpy as np
import pytest

from losses import ColumnRoles, TableError, by_column, read_scores, rows_of, split
from losses.classes import joint_labels
from losses.roles import by_record
from losses.table import LabelColumn, LossTable
from losses.wide import models_stacked

RNG = np.random.default_rng(8)
RECORDS = 30
MODELS = ("2", "10")


def table(skip: int = 0, twice: bool = False) -> LossTable:
    """Two epochs of two models that have the same records: every second one is in the first, the others in the last."""
    lines = ["score,member,model,epoch,user,record_id,class"]
    for model in MODELS:
        for epoch in (1, 2):
            for record in range(RECORDS):
                member = (record + (model == "10")) % 2
                lines.append(
                    f"{RNG.normal()!r},{member},{model},{epoch},u{record // 2 * 2 + record % 2},r{record},{record % 3}"
                )
    lines = lines[: len(lines) - skip] + (lines[-1:] if twice else [])
    return read_scores("\n".join(lines).encode())


ROLES = ColumnRoles("score", "member", "1", models=("model",), slice="class", record="record_id")


def test_models_and_slices_part_the_scores() -> None:
    found = table()
    rows = rows_of(found, ROLES)
    assert rows.models is not None
    assert rows.slices is not None
    assert rows.models.labels == MODELS
    for name, scores in zip(MODELS, rows.scores_by(rows.models), strict=True):
        of_one = rows.of_model(name).scores
        assert sorted(scores.null) == sorted(of_one.null)
        assert len(of_one.alternative) == RECORDS
    assert sum(len(one.null) + len(one.alternative) for one in rows.scores_by(rows.slices)) == found.rows


def test_scores_of_models_are_those_of_the_losses_view() -> None:
    found = table()
    of_models = by_column(found, ("model", "epoch"), "score", "member", "1")
    rows = rows_of(found, ColumnRoles("score", "member", "1", models=("model", "epoch")), negate=True)
    assert rows.models is not None
    assert [one.name for one in of_models] == [*rows.models.labels]
    assert rows.models.labels[:2] == ("model 2, epoch 1", "model 2, epoch 2")
    for one, scores in zip(of_models, rows.scores_by(rows.models), strict=True):
        assert np.array_equal(np.sort(-scores.alternative), one.groups.train)
        assert np.array_equal(np.sort(-scores.null), one.groups.population)


def test_one_row_of_each_person_is_the_one_that_the_losses_view_draws() -> None:
    lines = ["loss,member,user", *(f"{RNG.normal()!r},{row % 2},u{row % 2}-{row % 24}" for row in range(96))]
    found = read_scores("\n".join(lines).encode())
    groups = split(found, "loss", "member", "1", person="user")
    rows = rows_of(found, ColumnRoles("loss", "member", "1", person="user"), negate=True)
    assert np.array_equal(np.sort(-rows.scores.alternative), groups.train)
    assert np.array_equal(np.sort(-rows.scores.null), groups.population)
    assert "one row of each counts" in rows.notes[0]


def test_a_person_in_both_groups_is_refused() -> None:
    lines = ["loss,member,user", *(f"{RNG.normal()!r},{row % 2},u{row % 15}" for row in range(96))]
    with pytest.raises(TableError, match="are in both groups"):
        rows_of(read_scores("\n".join(lines).encode()), ColumnRoles("loss", "member", "1", person="user"))


def test_records_meet_over_models() -> None:
    roles = ColumnRoles("score", "member", "1", models=("model", "epoch"), record="record_id")
    found = by_record(rows_of(table(), roles))
    assert found.scores.shape == (RECORDS, 4)
    assert found.is_in.sum(axis=1).tolist() == [2] * RECORDS
    assert found.is_in[1].tolist() == [True, True, False, False]
    assert by_record(rows_of(table(skip=1), roles)).left_out == 1
    with pytest.raises(TableError, match="1 records have several rows in one model"):
        by_record(rows_of(table(twice=True), roles))
    with pytest.raises(TableError, match="was not said"):
        by_record(rows_of(table(), ColumnRoles("score", "member", "1")))


def test_a_row_without_a_model_is_left_out_or_refused() -> None:
    lines = ["score,member,model", *(f"{row}.5,{row % 2},{'' if row == 7 else row % 3}" for row in range(40))]
    found = read_scores("\n".join(lines).encode())
    roles = ColumnRoles("score", "member", "1", models=("model",))
    with pytest.raises(TableError):
        rows_of(found, roles)
    assert rows_of(found, roles, drop=True).dropped == 1


def test_rows_and_records_go_by_what_the_file_calls_them() -> None:
    """Rows left out do not shift the numbers of those below them, and a record's name is its cell."""
    lines = [
        "score,member,model,id",
        *(f"{'' if row == 3 else row}.5,{row % 2},{row % 4 // 2},{907 + row // 4}" for row in range(40)),
    ]
    lines[4] = lines[4].replace(".5", "")
    found = rows_of(
        read_scores("\n".join(lines).encode()),
        ColumnRoles("score", "member", "1", models=("model",), record="id"),
        drop=True,
    )
    assert [found.row_at(place) for place in (2, 3)] == ["3", "5"]
    assert [found.record_at(place) for place in (0, 3)] == ["907", "908"]
    assert found.of(found.is_in).row_at(1) == "6"
    wide = read_scores(
        "\n".join(["score_1,score_2,member", *(f"{row}.5,{row}.25,{row % 2}" for row in range(30))]).encode()
    )
    stacked = rows_of(
        models_stacked(wide, ["score_1", "score_2"]), ColumnRoles("score", "member", "1", models=("model",))
    )
    assert [stacked.of_model("2").row_at(place) for place in (0, 29)] == ["1", "30"]


def test_labels_are_joined_where_they_occur_together() -> None:
    first = LabelColumn("model", np.array([0, 0, 1, 1, -1, 0], np.int8), ("b", "a"))
    second = LabelColumn("epoch", np.array([0, 1, 0, 0, 1, -1], np.int8), ("1", "5"))
    both = joint_labels([first, second])
    assert both.labels == ("model b, epoch 1", "model b, epoch 5", "model a, epoch 1")
    assert both.codes.tolist() == [0, 1, 2, 2, -1, -1]
