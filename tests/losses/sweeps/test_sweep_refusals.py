"""Tables that are no use as a sweep: each is refused in words, or what is left out is said."""

import gzip
from dataclasses import replace

import pytest

from losses import SweepRoles, TableError, read_sweep, sweep
from losses.sweeps.table import MOST_SWEEP_COLUMNS
from tests.losses.sweeps.test_sweep import HEADER, ROLES, TABLE, of

WIDE = ",".join(f"c{place}" for place in range(MOST_SWEEP_COLUMNS + 1))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "The file is empty."),
        (HEADER, "a header and no rows below it"),
        ("strategy\na\nb\n", "No column holds numbers"),
        ("strategy,accuracy\na,0.5\nb,0.6\n", "Only the column “accuracy” holds numbers; a sweep needs two"),
        ("accuracy\n0.5\n0.6\n", "Only the column “accuracy” holds numbers"),
        ("strategy,accuracy,eps\na,high,low\n", "No column holds numbers"),
        (f"{WIDE}\n{WIDE.replace('c', '')}\n", "at most 200 are read"),
        (b"PK\x03\x04 and so on", "Excel"),
        (b"acc,eps\n0.5,\x001\n", "NUL bytes"),
        (gzip.compress(TABLE.encode())[:-9], "ends too early"),
        ("strategy,acc,eps\na,0.5,1\nb,0.6\nc,0.7,2\n", "Rows differ in length"),
        ('strategy,acc,eps\n"a,0.5,1\n', "quotation mark is never closed"),
    ],
)
def test_tables_that_cannot_be_read(data: str | bytes, words: str) -> None:
    with pytest.raises(TableError) as refusal:
        read_sweep(data if isinstance(data, bytes) else data.encode())
    assert words in str(refusal.value)
    assert refusal.value.remedy


@pytest.mark.parametrize(
    ("cell", "shown"),
    [("", "blank"), ("nan", "“nan”|blank"), ("inf", "inf"), ("-inf", "inf"), ("n.a.", "“n.a.”"), ("12 %", "“12 %”")],
)
@pytest.mark.parametrize("column", ["accuracy", "epsilon_star"])
def test_cells_without_a_number_stop_or_are_left_out(cell: str, shown: str, column: str) -> None:
    value = {"accuracy": "0.5", "epsilon_star": "1"} | {column: cell}
    text = f"strategy,accuracy,epsilon_star\na,0.5,1\nb,{value['accuracy']},{value['epsilon_star']}\nc,0.7,2\n"
    roles = SweepRoles("accuracy", "epsilon_star", "strategy")
    with pytest.raises(TableError, match=rf"“{column}” has 1 cell without a finite number\. Row 2: .*({shown})"):
        of(text, roles)
    assert of(text, roles, drop=True).names == ("a", "c")


def test_nothing_left() -> None:
    with pytest.raises(TableError, match="No row is left"):
        of("acc,eps\n1,inf\nnan,2\n", SweepRoles("acc", "eps", each_row=True), drop=True)


@pytest.mark.parametrize(
    "roles",
    [
        replace(ROLES, utility="epsilon_star"),
        replace(ROLES, strategy="accuracy"),
        replace(ROLES, run="strategy"),
        replace(ROLES, spread="accuracy"),
    ],
)
def test_a_column_with_two_roles(roles: SweepRoles) -> None:
    with pytest.raises(TableError, match="is chosen twice"):
        of(TABLE, roles)


def test_numbers_beyond_any_figure() -> None:
    with pytest.raises(TableError, match=r"beyond 1e\+100.*row 2"):
        of("acc,eps\n1,2\n1e200,2\n", SweepRoles("acc", "eps", each_row=True))


@pytest.mark.parametrize("more", [0, 1])
def test_as_many_strategies_as_can_be_drawn(more: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("losses.sweeps.table.MOST_STRATEGIES", most := 30)
    text = "strategy,acc,eps\n" + "".join(f"s{place},0.5,1\n" for place in range(most + more))
    for roles in (SweepRoles("acc", "eps", "strategy"), SweepRoles("acc", "eps", each_row=True)):
        if more:
            with pytest.raises(TableError, match=r"31 different strategies|more than 30 different cells"):
                of(text, roles)
        else:
            assert len(of(text, roles)) == most


def test_names_lose_their_marks_and_differ() -> None:
    table = read_sweep("a\u202eb,,x,x\nk\u200fey,1,2,3\n".encode())
    assert table.layout.names == ("ab", "column 2", "x", "x (2)")
    assert sweep(table, SweepRoles("x", "x (2)", "ab")).kinds == ("key",)
