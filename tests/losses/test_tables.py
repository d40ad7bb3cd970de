"""Every file of ``tables.toml``, as the library and as the command read it: the same reading, or the same refusal."""

import json
from pathlib import Path

import pytest

import losses
from losses.isolation.worker import Reader
from numerics.epsilon_star import Method, estimate
from reports.command.main import main
from tests.losses.files import FILES, FRESH, TRAIN, Row, content
from tests.warehouse_tables import COUNTED, QUIET_IBIS

pytestmark = QUIET_IBIS
READERS: dict[str, Reader] = {
    "candidates": losses.read_candidates,
    "sweep": losses.read_sweep,
    "scores": losses.read_scores,
}
REFUSED = ("rule", "where", "remedy")
INVISIBLE = set(map(chr, range(32))) | {"\u202e", "\u200b"}


def groups(table: losses.LossTable, drop: bool = False) -> losses.Groups:
    """The groups as a page without any correction by hand would take them."""
    labels = table.labels[0]
    told = losses.training_label(labels.name, labels.labels)
    return losses.split(table, table.numbers[0].name, labels.name, told.member if told else labels.labels[0], drop)


def taken(file: Row) -> losses.LossTable:
    """The table; of candidates and of losses that are refused also what they are read for."""
    if known := file.get("known"):
        return losses.read_table(content(file), known=losses.KnownLayout(**known))
    reader = file.get("reader", "losses")
    table = READERS.get(reader, losses.read_table)(content(file))
    if reader == "candidates" and (set(REFUSED) & file.keys() or "weights" in file):
        losses.weights(table, table.numbers[0].name)
    elif reader == "losses" and set(REFUSED) & file.keys():
        groups(table)
    return table


def check_refusal(file: Row) -> None:
    """What is wrong, where, and what to do; and what is left without the rows that cannot be used."""
    with pytest.raises(losses.TableError) as caught:
        taken(file)
    error = caught.value
    for part, said in zip(REFUSED, (error.what, error.where, error.remedy), strict=True):
        assert all(words in said for words in file.get(part, ()))
    assert error.what
    assert error.remedy.endswith(".")
    assert not INVISIBLE & set(str(error))
    assert "reader" not in file or "loss" not in str(error)
    if "kept" in file:
        left = groups(losses.read_table(content(file)), drop=True)
        assert [len(left.train), len(left.population)] == file["kept"]
        assert left.dropped == len(TRAIN) + len(FRESH) - sum(file["kept"])
    if "left" in file:
        table = losses.read_candidates(content(file))
        found = losses.weights(table, table.numbers[0].name, drop=True)
        assert (found.weights.tolist(), found.dropped) == (file["left"], table.rows - len(file["left"]))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file["id"])
def test_a_table_is_read_as_what_it_is_or_refused_with_its_place_and_a_remedy(file: Row) -> None:
    if set(REFUSED) & file.keys():
        check_refusal(file)
        return
    table = taken(file)
    if "groups" in file:
        found = groups(table)
        assert (found.train.tolist(), found.population.tolist(), found.dropped) == (sorted(TRAIN), sorted(FRESH), 0)
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
        of_candidates = losses.weights(table, table.numbers[0].name)
        seen["weights"] = of_candidates.weights.tolist()
        assert (of_candidates.total, of_candidates.dropped) == (sum(file["weights"]), 0)
    if "readings" in file:
        seen["readings"] = len(losses.readings(table))
    assert {key: seen[key] for key in seen if key in file} == {key: file[key] for key in seen if key in file}


@pytest.mark.parametrize("file", [file for file in FILES if "command" in file], ids=lambda file: file["id"])
def test_the_command_reads_and_refuses_what_the_library_does(
    file: Row, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "losses.csv"
    path.write_bytes(content(file))
    given = ["audit", str(path), "--estimate", "none", "--json", *file["command"]]
    code = main(given)
    shown = capsys.readouterr()
    if {*REFUSED, "rule_of_command"} & file.keys():
        assert (code, shown.err[:7], shown.err.count("\n")) == (2, "error: ", 1)
        words = file.get("rule_of_command", ())
        assert all(word in shown.err for word in (*words, *file.get("where", ())))
        if "of_file" in file:
            with pytest.raises(losses.TableError) as caught:
                losses.read_table(content(file))
            assert shown.err == f"error: {caught.value}\n"
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
