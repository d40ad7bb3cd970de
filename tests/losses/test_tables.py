"""Every file of ``tables.toml``, as the library and as the command read it: the same reading, or the same refusal."""

import json
from pathlib import Path

import numpy as np
import pytest

from losses import (
    SAMPLES,
    ColumnRoles,
    Groups,
    KnownLayout,
    LossTable,
    Sample,
    TableError,
    join,
    one_column,
    read_candidates,
    read_scores,
    read_sweep,
    read_table,
    readings,
    rows_of,
    split,
    training_label,
    weights,
)
from losses.isolation.worker import Reader
from numerics.epsilon_star import EMPIRICAL_CLIP, Method, estimate
from reports.command.main import main
from tests.loss_files import FRESH, TRAIN, one
from tests.losses.files import FILES, Row, content
from tests.warehouse_tables import COUNTED, QUIET_IBIS

pytestmark = QUIET_IBIS
READERS: dict[str, Reader] = {
    "losses": read_table,
    "candidates": read_candidates,
    "sweep": read_sweep,
    "scores": read_scores,
}
REFUSED = ("rule", "where", "remedy")
INVISIBLE = set(map(chr, range(32))) | {"\u202e", "\u200b"}


def is_refused(file: Row) -> bool:
    return bool(set(REFUSED) & file.keys())


def groups(table: LossTable, drop: bool = False) -> Groups:
    """The groups as a page without any correction by hand would take them."""
    labels = table.labels[0]
    told = training_label(labels.name, labels.labels)
    return split(table, table.numbers[0].name, labels.name, told.member if told else labels.labels[0], drop)


def check_groups(found: Groups) -> None:
    assert (found.train.tolist(), found.population.tolist()) == (sorted(TRAIN), sorted(FRESH))
    assert found.dropped == 0


def taken(file: Row) -> LossTable:
    """The table; of candidates and of losses that name their groups also what they are read for."""
    if known := file.get("known"):
        return read_table(content(file), known=KnownLayout(**known))
    reader = file.get("reader", "losses")
    table = READERS[reader](content(file))
    if reader == "candidates" and (is_refused(file) or "weights" in file):
        weights(table, table.numbers[0].name)
    elif reader == "losses" and is_refused(file):
        groups(table)
    return table


@pytest.mark.parametrize("file", [file for file in FILES if not is_refused(file)], ids=lambda file: file["id"])
def test_a_table_is_read_as_what_it_is(file: Row) -> None:
    table = taken(file)
    if "groups" in file:
        check_groups(groups(table))
    for name, values in file.get("values", {}).items():
        assert table.number(name).values[: len(values)].tolist() == values
    assert all(words in table.layout.words for words in file.get("layout", ()))
    seen: dict[str, object] = {
        "labels": {name: sorted(table.label(name).labels) for name in file.get("labels", ())},
        "counts": {name: table.label(name).counts for name in file.get("counts", ())},
        "faults": {name: table.number(name).faults.count for name in file.get("faults", ())},
        "names": [*table.layout.names],
        "rows": table.rows,
        "has_header": table.layout.has_header,
        "first": table.numbers[0].name if table.numbers else "",
        "first_label": table.labels[0].name if table.labels else "",
        "kept_numbers": len(table.numbers),
        "label_columns": [column.name for column in table.labels],
        "clusters": [column.name for column in table.clusters],
        "clear": table.is_membership_clear,
    }
    if "weights" in file:
        found = weights(table, table.numbers[0].name)
        seen["weights"] = found.weights.tolist()
        assert (found.total, found.dropped, found.values) == (sum(file["weights"]), 0, None)
    if "readings" in file:
        seen["readings"] = len(readings(table))
    assert {key: seen[key] for key in seen if key in file} == {key: file[key] for key in seen if key in file}


@pytest.mark.parametrize("file", [file for file in FILES if is_refused(file)], ids=lambda file: file["id"])
def test_a_table_that_is_no_use_is_refused_with_its_place_and_a_remedy(file: Row) -> None:
    with pytest.raises(TableError) as caught:
        taken(file)
    error = caught.value
    for part, said in zip(REFUSED, (error.what, error.where, error.remedy), strict=True):
        assert all(words in said for words in file.get(part, ()))
    assert error.what
    assert error.remedy.endswith(".")
    assert not INVISIBLE & set(str(error))
    assert "reader" not in file or "loss" not in str(error)
    if "kept" in file:
        left = groups(read_table(content(file)), drop=True)
        assert [len(left.train), len(left.population)] == file["kept"]
        assert left.dropped == len(TRAIN) + len(FRESH) - sum(file["kept"])
    if "left" in file:
        table = read_candidates(content(file))
        found = weights(table, table.numbers[0].name, drop=True)
        assert (found.weights.tolist(), found.dropped) == (file["left"], table.rows - len(file["left"]))


def of_reading(data: bytes) -> str | None:
    """What the command says of a file that as such is refused."""
    try:
        read_table(data)
    except TableError as refusal:
        return f"error: {refusal}\n"
    return None


@pytest.mark.parametrize("file", [file for file in FILES if "command" in file], ids=lambda file: file["id"])
def test_the_command_reads_and_refuses_what_the_library_does(
    file: Row, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where a file as such is refused, the words are the same, too."""
    path = tmp_path / "losses.csv"
    path.write_bytes(content(file))
    given = ["audit", str(path), "--quiet", "--method", "confidence", "--json", *file["command"]]
    code = main(given)
    shown = capsys.readouterr()
    if is_refused(file) or "rule_of_command" in file:
        assert code == 2
        assert shown.err.startswith("error: ")
        assert shown.err.count("\n") == 1
        assert all(words in shown.err for words in (*file.get("rule_of_command", ()), *file.get("where", ())))
        refusal = of_reading(content(file))
        assert refusal in (None, shown.err)
    else:
        assert code == 0, shown.err
    if "kept" in file:
        assert main([*given, "--drop"]) == 0
        assert list(json.loads(capsys.readouterr().out)["numbers"]["sizes"].values()) == file["kept"]
    if "groups" in file:
        found = json.loads(shown.out)["numbers"]
        assert found["sizes"] == {"train": len(TRAIN), "population": len(FRESH)}
        expected = estimate(TRAIN, FRESH, found["delta"], Method.CONFIDENCE)
        assert found["estimates"]["confidence"]["value"] == pytest.approx(expected.value, rel=COUNTED)


def test_a_file_that_only_its_own_reader_refuses_is_refused_by_the_groups() -> None:
    """Scores of three worlds are no two groups."""
    data = content({"header": "score,member", "row": "{n}.5,{third}", "count": 30})
    with pytest.raises(TableError, match="3 different labels"):
        rows_of(read_scores(data), ColumnRoles("score", "member", "1"))


def test_two_files_are_two_groups_and_the_table_is_left_alone() -> None:
    table = read_table(one().encode())
    check_groups(join(one_column(table, "loss"), one_column(read_table(one(FRESH).encode()), "loss")))
    assert np.array_equal(table.number("loss").values, TRAIN)


def test_of_the_samples_the_overfitted_model_shows_its_members() -> None:
    def found(sample: Sample) -> float:
        groups = sample.groups()
        assert (len(groups.train), len(groups.population)) == (898, 899)
        return estimate(groups.train, groups.population, method=Method.EMPIRICAL, clip=EMPIRICAL_CLIP).value

    overfitted, regularised = map(found, SAMPLES)
    assert overfitted > regularised + 1.0
