"""What visitors hold has a budget: what exceeds it is refused in words, and nothing is lost."""

import gc

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from benchmarks import hostile_files
from losses import LossTable, TableError, read_table
from pages.server import held_tables, memory
from tests.pages.ui.test_uploads import epsilon, page, table, texts, upload

ROWS = 1000
SIZE = 9 * ROWS  # bytes: a loss and a label in every row
TEXTS = 600  # bytes of its names, labels and words


def rows(seed: int = 0, count: int = ROWS) -> bytes:
    losses = np.random.default_rng(seed).gamma(2.0, size=count)
    return b"loss,member\n" + b"".join(b"%.4f,%d\n" % (loss, row % 2) for row, loss in enumerate(losses))


@pytest.fixture
def visit(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A session whose name may be changed; the budgets have room for three and a half tables, and for five."""
    name = ["one"]
    gc.collect()
    monkeypatch.setattr(held_tables, "session_name", lambda: name[0])
    monkeypatch.setattr(held_tables, "MOST_OF_A_VISIT", 3 * SIZE + SIZE // 2)
    monkeypatch.setattr(held_tables, "MOST_OF_ALL", held_tables.held() + 5 * SIZE + SIZE // 2)
    return name


def taken(count: int) -> list[LossTable]:
    return [held_tables.read(f"{seed}.csv", read_table, rows(seed)) for seed in range(count)]


@pytest.mark.usefixtures("visit")
def test_a_visit_has_a_budget() -> None:
    before = held_tables.held()
    kept = taken(3)
    assert SIZE <= kept[0].size <= SIZE + TEXTS
    assert held_tables.held() - before == sum(one.size for one in kept)
    with pytest.raises(TableError, match="takes less than 1 MB of memory; a visit may hold less") as refusal:
        taken(1)
    assert (
        refusal.value.where == "Here are “0.csv” (less than 1 MB), “1.csv” (less than 1 MB), “2.csv” (less than 1 MB)."
    )
    assert refusal.value.remedy == "Remove one of these first."
    del kept[0]
    assert taken(1)[0].rows == ROWS
    del kept
    assert held_tables.held() == before


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


def test_a_table_that_is_too_large_by_itself(visit: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held_tables, "MOST_OF_A_VISIT", SIZE // 2)
    with pytest.raises(TableError, match="Keep only the columns") as refusal:
        taken(1)
    assert refusal.value.where == ""
    assert visit == ["one"]


def test_what_circles_hold_makes_room(visit: list[str]) -> None:
    circle: list[object] = [*taken(3)]
    circle.append(circle)
    del circle
    assert len(taken(3)) == 3
    assert visit == ["one"]


@pytest.mark.usefixtures("visit")
def test_what_counts_is_what_a_small_file_becomes() -> None:
    data = hostile_files.repeated_rows(2, rows=4 * ROWS)
    assert len(data) < SIZE
    with pytest.raises(TableError, match="a visit may hold"):
        held_tables.read("a.parquet", read_table, data)


@pytest.mark.usefixtures("visit")
def test_a_file_that_is_refused_takes_nothing() -> None:
    before = held_tables.held()
    with pytest.raises(TableError):
        held_tables.read("a.csv", read_table, b"")
    assert held_tables.held() == before


def test_on_the_page_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    gc.collect()
    app = upload(page(source="one file"), table(count=20_000))
    answer = epsilon(app)
    monkeypatch.setattr(held_tables, "MOST_OF_A_VISIT", 300_000)
    upload(app, table(seed=1, count=20_000), "second.csv")
    assert "a visit may hold less" in app.error[0].value
    assert "losses\\.csv" in app.error[0].value
    assert epsilon(app) == answer
    _remove(app)
    assert not app.error
    upload(app, table(seed=1, count=20_000), "second.csv")
    assert "second" in texts(app)
    assert epsilon(app) != answer


def _remove(app: AppTest) -> None:
    (remove,) = (button for button in app.button if button.label == "Remove")
    remove.click().run()


def test_freed_memory_is_overwritten_while_somebody_may_upload(
    monkeypatch: pytest.MonkeyPatch, visit: list[str]
) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(memory, "overwrite_freed", asked.append)
    monkeypatch.setattr(held_tables, "_EXPECTED", set[str]())
    monkeypatch.setattr(held_tables, "_HELD", type(held_tables._HELD)())
    held_tables.expect()
    held_tables.settle({"one"}.__contains__)
    kept = taken(1)
    held_tables.settle({"other"}.__contains__)
    assert asked == [True]
    assert kept.pop().rows == ROWS
    held_tables.settle({"other"}.__contains__)
    assert asked == [True, False]
    assert visit == ["one"]
