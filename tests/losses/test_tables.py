"""Every file of ``tables.toml``, as the library and as the command read it: the same reading, or the same refusal."""

import json
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from losses import (
    ColumnRoles,
    Groups,
    KnownLayout,
    LossTable,
    TableError,
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
from losses.isolation import client
from losses.isolation.worker import Reader
from numerics.epsilon_star import lower_bound
from numerics.epsilon_star.confidence import Ascending
from reports.command.main import main
from tests.loss_files import FRESH, TRAIN, check_both
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


def named(files: Iterable[Row]) -> list[object]:
    return [pytest.param(file, id=file["id"]) for file in files]


def reader_of(file: Row) -> str:
    return str(file.get("reader", "losses"))


def is_refused(file: Row) -> bool:
    return bool(set(REFUSED) & file.keys())


def groups(table: LossTable, drop: bool = False) -> Groups:
    """The groups as a page without any correction by hand would take them."""
    labels = table.labels[0]
    told = training_label(labels.name, labels.labels)
    return split(table, table.numbers[0].name, labels.name, told.member if told else labels.labels[0], drop)


def taken(file: Row) -> LossTable:
    """The table; of candidates and of losses that name their groups also what they are read for."""
    data = content(file)
    if known := file.get("known"):
        return read_table(data, known=KnownLayout(**known))
    table = READERS[reader_of(file)](data)
    if reader_of(file) == "candidates":
        weights(table, table.numbers[0].name)
    elif reader_of(file) == "losses" and is_refused(file):
        groups(table)
    return table


def check_table(file: Row, table: LossTable) -> None:
    """All that the row says of the reading."""
    if "groups" in file:
        check_both(groups(table))
    for name, values in file.get("values", {}).items():
        assert table.number(name).values[: len(values)].tolist() == values
    for name, labels in file.get("labels", {}).items():
        assert set(table.label(name).labels) == set(labels)
    for name, counts in file.get("counts", {}).items():
        assert table.label(name).counts == counts
    for name, faults in file.get("faults", {}).items():
        assert table.number(name).faults.count == faults
    for words in file.get("layout", ()):
        assert words in table.layout.words
    seen: dict[str, object] = {
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
    assert {key: seen[key] for key in seen if key in file} == {key: file[key] for key in seen if key in file}


@pytest.mark.parametrize("file", named(file for file in FILES if not is_refused(file)))
def test_a_table_is_read_as_what_it_is(file: Row) -> None:
    only_read = "readings" in file and "weights" not in file
    table = read_candidates(content(file)) if only_read else taken(file)
    check_table(file, table)
    if "weights" in file:
        found = weights(table, table.numbers[0].name)
        assert found.weights.tolist() == file["weights"]
        assert (found.total, found.dropped, found.values) == (sum(file["weights"]), 0, None)
    if "readings" in file:
        assert len(readings(table)) == file["readings"]


@pytest.mark.parametrize("file", named(file for file in FILES if is_refused(file)))
def test_a_table_that_is_no_use_is_refused_with_its_place_and_a_remedy(file: Row) -> None:
    with pytest.raises(TableError) as caught:
        taken(file)
    error = caught.value
    for part, said in zip(REFUSED, (error.what, error.where, error.remedy), strict=True):
        for words in file.get(part, ()):
            assert words in said
    assert error.what
    assert error.remedy.endswith(".")
    assert not INVISIBLE & set(str(error))
    if reader_of(file) != "losses":
        assert "loss" not in str(error)
    if "kept" in file:
        left = groups(read_table(content(file)), drop=True)
        assert [len(left.train), len(left.population)] == file["kept"]
        assert left.dropped == len(TRAIN) + len(FRESH) - sum(file["kept"])
    if "left" in file:
        table = read_candidates(content(file))
        found = weights(table, table.numbers[0].name, drop=True)
        assert found.weights.tolist() == file["left"]
        assert found.dropped == table.rows - len(file["left"])


def test_a_file_that_only_its_own_reader_refuses_is_refused_by_the_groups() -> None:
    """Scores of three worlds are no two groups."""
    data = content({"header": "score,member", "row": "{n}.5,{third}", "count": 30})
    with pytest.raises(TableError, match="3 different labels"):
        rows_of(read_scores(data), ColumnRoles("score", "member", "1"))


def of_reading(data: bytes) -> str | None:
    """What the command says of a file that as such is refused."""
    try:
        client.read(read_table, data)
    except TableError as refusal:
        return f"error: {refusal}\n"
    return None


COMMANDED = [
    file for file in FILES if reader_of(file) == "losses" and file.get("command") is not False and "known" not in file
]


@pytest.mark.parametrize("file", named(COMMANDED))
def test_the_command_reads_and_refuses_what_the_library_does(
    file: Row, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where a file as such is refused, the words are the same, too."""
    path = tmp_path / "losses.csv"
    path.write_bytes(content(file))
    given = ["audit", str(path), "--quiet", "--method", "confidence", "--json", *file.get("command", ())]
    code = main(given)
    shown = capsys.readouterr()
    if is_refused(file) or "rule_of_command" in file:
        assert code == 2
        assert shown.err.startswith("error: ")
        assert shown.err.count("\n") == 1
        for words in (*file.get("rule_of_command", ()), *file.get("where", ())):
            assert words in shown.err
        refusal = of_reading(path.read_bytes())
        assert refusal in (None, shown.err)
    else:
        assert code == 0, shown.err
    if "kept" in file:
        assert main([*given, "--drop"]) == 0
        assert list(json.loads(capsys.readouterr().out)["numbers"]["sizes"].values()) == file["kept"]
    if "groups" in file:
        found = json.loads(shown.out)["numbers"]
        assert found["sizes"] == {"train": len(TRAIN), "population": len(FRESH)}
        expected = lower_bound(Ascending(np.sort(TRAIN)), Ascending(np.sort(FRESH)), found["delta"])
        assert found["estimates"]["confidence"]["value"] == pytest.approx(expected.value, rel=COUNTED)
