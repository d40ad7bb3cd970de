"""Engines of the warehouse: database files, one that is no DuckDB, passwords, limits of memory."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from losses.errors import TableError
from losses.warehouse.auditing import Wish, audit
from losses.warehouse.columns import labelled_losses
from losses.warehouse.engines import Resources, attached, embedded, named_table
from numerics.epsilon_star import LossScale, Method, estimate
from tests.warehouse_tables import QUIET_IBIS, SUMMED, check, gammas, one_table, stored

pytestmark = QUIET_IBIS


def test_a_database_file_is_an_engine(tmp_path: Path) -> None:
    groups = gammas(500)
    with embedded(Resources("200MB", 1)) as memory:
        memory.raw_sql(f"ATTACH '{tmp_path}/models.ddb' AS models")
        memory.raw_sql("CREATE SCHEMA models.runs")
        stored(memory, "models.runs.losses", one_table(groups))
    with attached(f"duckdb://{tmp_path}/models.ddb") as engine:
        rows, _ = labelled_losses(engine, named_table(engine, "runs.losses"))
        found = audit(engine, rows, Wish((Method.PARAMETRIC,), scale=LossScale.NATS)).found[Method.PARAMETRIC].value
    assert found == pytest.approx(estimate(*groups, method=Method.PARAMETRIC, scale=LossScale.NATS).value, rel=SUMMED)


def test_an_engine_that_is_no_duckdb_gives_the_same_numbers(tmp_path: Path) -> None:
    groups = gammas(500)
    rows = [(loss, label) for own, label in zip(groups, (1, 0), strict=True) for loss in own.tolist()]
    with closing(sqlite3.connect(tmp_path / "losses.sqlite")) as base, base:
        base.execute("CREATE TABLE losses (loss REAL, member INTEGER)")
        base.executemany("INSERT INTO losses VALUES (?, ?)", rows)
    with attached(f"sqlite://{tmp_path}/losses.sqlite") as engine:
        found = audit(
            engine,
            labelled_losses(engine, named_table(engine, "losses"))[0],
            Wish(scale=LossScale.NATS),
            column="member",
        )
    check(found, groups, {})


def test_a_password_in_the_address_is_not_repeated() -> None:
    with pytest.raises(TableError) as refusal, attached("nosuchengine://me:secret@host/base"):
        pass
    assert "secret" not in str(refusal.value)


def test_the_limit_of_memory_is_the_engines(tmp_path: Path) -> None:
    with embedded(Resources("150MB", 1, tmp_path)) as engine:
        (limit, folder) = engine.con.execute(
            "SELECT current_setting('memory_limit'), current_setting('temp_directory')"
        ).fetchone()
        assert limit == "143.0 MiB"
        assert Path(folder).parent == tmp_path
    assert list(tmp_path.iterdir()) == []
