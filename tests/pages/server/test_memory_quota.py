"""What visitors hold has a budget: what exceeds it is refused in words, and nothing is lost."""

import gc
import re
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from losses import LossTable, TableError, read_table
from losses.isolation import client
from pages.server import memory, memory_quota
from pages.server.budget import Visit
from tests.pages.driver import visit as app_at
from tests.pages.visit import errors, give

ROWS = 1000
SIZE = 9 * ROWS  # bytes: a loss and a label in every row
TEXTS = 600  # bytes of its names, labels and words


def rows(seed: int, count: int = ROWS) -> bytes:
    """Losses of as many members as outsiders, other ones for every seed."""
    return b"loss,member\n" + b"".join(b"%d.%04d,%d\n" % (seed, row * 37 % 9973, row % 2) for row in range(count))


@pytest.fixture(autouse=True)
def visit(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A session whose name may be changed; the budgets have room for three and a half tables, and for five."""
    name = ["one"]
    gc.collect()
    monkeypatch.setattr(memory_quota, "session_name", lambda: name[0])
    monkeypatch.setattr(memory_quota, "MOST_OF_A_VISIT", 3 * SIZE + SIZE // 2)
    monkeypatch.setattr(memory_quota, "MOST_OF_ALL", memory_quota.held() + 5 * SIZE + SIZE // 2)
    return name


def taken(count: int) -> list[LossTable]:
    return [memory_quota.read(f"{seed}.csv", read_table, rows(seed)) for seed in range(count)]


def test_a_visit_has_a_budget_and_what_is_removed_makes_room() -> None:
    before = memory_quota.held()
    kept = taken(3)
    assert SIZE <= kept[0].size <= SIZE + TEXTS
    assert memory_quota.held() - before == sum(one.size for one in kept)
    with pytest.raises(TableError, match="takes less than 1 MB of memory; a visit may hold less") as refusal:
        taken(1)
    assert all(f"“{number}.csv” (less than 1 MB)" in refusal.value.where for number in range(3))
    assert refusal.value.remedy == "Remove one of these first."
    kept.pop()
    kept += taken(1)
    circle: list[object] = [*kept]
    circle.append(circle)
    del circle, kept
    assert len(taken(3)) == 3  # what hangs in circles is looked for once there is no room
    with pytest.raises(TableError):
        memory_quota.read("a.csv", read_table, b"")
    assert memory_quota.held() == before  # a file that is refused takes nothing


def test_the_reader_of_a_closed_tabs_file_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    left = [True]
    monkeypatch.setattr(Visit, "is_closed", lambda _visit: left[0])
    with pytest.raises(TableError, match="Nobody waits"):
        taken(1)
    with client._TURNS, client._TURNS, pytest.raises(TableError, match="Nobody waits"):
        taken(1)
    left[0] = False
    assert len(taken(1)) == 1


def test_all_visits_have_one(visit: list[str]) -> None:
    first = taken(3)
    visit[0] = "two"
    second = taken(2)
    with pytest.raises(TableError, match="this server has no room for it") as refusal:
        taken(1)
    assert "“0.csv”" in refusal.value.where
    assert "“2.csv”" not in refusal.value.where  # which is another visitor's
    visit[0] = "three"
    with pytest.raises(TableError, match="try again later") as refusal:
        taken(1)
    assert refusal.value.where == ""
    first.clear()
    assert len(taken(1) + second) == 3


def test_what_counts_is_what_a_file_becomes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    parquet.write_table(pa.table({"loss": [0.25] * 8 * ROWS}), tmp_path / "a.parquet", compression="zstd")
    data = (tmp_path / "a.parquet").read_bytes()
    assert len(data) < SIZE
    with pytest.raises(TableError, match="a visit may hold"):
        memory_quota.read("a.parquet", read_table, data)
    monkeypatch.setattr(memory_quota, "MOST_OF_A_VISIT", SIZE // 2)
    with pytest.raises(TableError, match="Keep only the columns") as refusal:
        taken(1)
    assert refusal.value.where == ""


def test_on_the_page_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_quota, "MOST_OF_ALL", 10**9)
    app = give(app_at("audit"), ("first.csv", rows(0)))
    first = [block.value for block in app.markdown if str(block.value).startswith("## ")]
    monkeypatch.setattr(memory_quota, "MOST_OF_A_VISIT", 2 * SIZE - 1)
    give(app, ("second.csv", rows(1, 2 * ROWS)))
    assert re.search("a visit may hold less.*first.csv", errors(app))
    assert [block.value for block in app.markdown if str(block.value).startswith("## ")] == first
    next(button for button in app.button if button.label == "Remove").click().run()
    assert not app.error


def test_freed_memory_is_overwritten_while_somebody_may_upload(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(memory, "overwrite_freed", asked.append)
    monkeypatch.setattr(memory_quota, "_EXPECTED", set[str]())
    monkeypatch.setattr(memory_quota, "_HELD", type(memory_quota._HELD)())
    memory_quota.expect()
    memory_quota.settle({"one"}.__contains__)
    kept = taken(1)
    memory_quota.settle({"other"}.__contains__)
    assert asked == [True]
    assert kept.pop().rows == ROWS
    memory_quota.settle({"other"}.__contains__)
    assert asked == [True, False]
