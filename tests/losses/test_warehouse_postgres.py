"""PostgreSQL, a real server: the numbers in memory, columns of text, and refusals in words that repeat no password."""

import json
import re
from collections.abc import Iterator
from importlib import import_module

import numpy as np
import pytest

from losses.errors import TableError
from losses.warehouse.auditing import Wish, audit
from losses.warehouse.columns import labelled_losses, two_tables
from losses.warehouse.engines import attached, named_table
from numerics.epsilon_star import LossScale, Method, estimate
from reports.command.main import main
from tests import postgres_server
from tests.postgres_server import BASE, PASSWORD, USER
from tests.warehouse_tables import COUNTED, QUIET_IBIS, SUMMED, check, gammas

pytestmark = [
    QUIET_IBIS,
    pytest.mark.skipif(bool(postgres_server.missing()), reason=postgres_server.missing() or "it is there"),
]
GROUPS = gammas(300)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Of a base with losses in a schema, the same as text, and a group each in a table."""
    with postgres_server.running() as host:
        server = f"postgres://{USER}:{PASSWORD}@{host}"
        connect = import_module("psycopg").connect
        with connect(f"{server}/postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {BASE}")
        with connect(f"{server}/{BASE}", autocommit=True) as connection:
            connection.execute("CREATE SCHEMA runs")
            connection.execute("CREATE TABLE runs.losses (loss double precision, is_test boolean)")
            connection.execute("CREATE TABLE nothing (loss double precision, member integer)")
            rows = [(loss, bool(group)) for group, own in enumerate(GROUPS) for loss in own.tolist()]
            with connection.cursor() as cursor:
                cursor.executemany("INSERT INTO runs.losses VALUES (%s, %s)", rows)
            connection.execute("CREATE TABLE train AS SELECT loss FROM runs.losses WHERE NOT is_test")
            split = "CASE WHEN is_test THEN 'test' ELSE 'train' END"
            connection.execute(f"CREATE TABLE texts AS SELECT loss::text, {split} AS split FROM runs.losses")
            connection.execute("INSERT INTO texts VALUES ('n.a.', 'train'), ('inf', 'test'), (NULL, NULL)")
        yield f"{server}/{BASE}"


def test_numbers_are_those_in_memory(address: str) -> None:
    with attached(address) as engine:
        rows, chosen = labelled_losses(engine, named_table(engine, "runs.losses"))
        assert (chosen.loss, chosen.membership) == ("loss", "is_test")
        check(audit(engine, rows, Wish(scale=LossScale.NATS), column="is_test"), GROUPS, {})
        rows, _ = two_tables(engine, named_table(engine, "train"), named_table(engine, "runs.losses"), "loss")
        found = audit(engine, rows, Wish((Method.PARAMETRIC,), scale=LossScale.NATS)).found[Method.PARAMETRIC]
    everybody = np.concatenate(GROUPS)
    expected = estimate(GROUPS[0], everybody, method=Method.PARAMETRIC, scale=LossScale.NATS)
    assert found.value == pytest.approx(expected.value, rel=SUMMED)


def test_losses_in_text_are_read_and_what_is_no_number_is_counted(address: str) -> None:
    with attached(address) as engine:
        rows, _ = labelled_losses(engine, named_table(engine, "texts"), "loss", "split")
        with pytest.raises(TableError, match="3 rows cannot be used: 1 without a label, 2 blank or no number"):
            audit(engine, rows)
        found = audit(engine, rows, Wish((Method.CONFIDENCE,)), drop=True).found[Method.CONFIDENCE]
    assert found.value == pytest.approx(estimate(*GROUPS, method=Method.CONFIDENCE).value, rel=COUNTED)


def test_the_command_and_its_report_name_no_password(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = ["audit", "--engine", address, "--table", "runs.losses", "--unit", "nats", "--quiet", "--json"]
    assert main(said) == 0
    text = capsys.readouterr().out
    found = json.loads(text)
    expected = estimate(*GROUPS, method=Method.PARAMETRIC, scale=LossScale.NATS).value
    assert found["numbers"]["estimates"]["parametric"]["value"] == pytest.approx(expected, rel=SUMMED)
    assert found["numbers"]["engine"].startswith("postgres ")
    assert found["data"]["files"] == [{"name": "runs.losses", "sha256": None}]
    assert PASSWORD not in text


@pytest.mark.parametrize(
    ("table", "wrong", "words"),
    [
        ("nowhere.losses", ("", ""), "There is no table “nowhere.losses”"),
        ("nothing", ("", ""), "No column tells members from outsiders"),
        ("runs.losses", (f"/{BASE}", "/nowhere"), 'It says: .*database "nowhere" does not exist'),
        ("runs.losses", (f":{PASSWORD}@", ":wrong@"), "It says: .*password authentication failed"),
        ("runs.losses", ("127.0.0.1", "127.0.0.9"), "It says: .*refused"),
    ],
)
def test_a_wrong_table_and_a_server_that_says_no_are_told_in_a_line(
    address: str, capsys: pytest.CaptureFixture[str], table: str, wrong: tuple[str, str], words: str
) -> None:
    given = ["audit", "--engine", address.replace(*wrong) if wrong[0] else address, "--table", table, "--loss", "loss"]
    assert main([*given, "--quiet"]) == 2
    said = capsys.readouterr().err
    assert re.search(words, said)
    assert said.startswith("error: ")
    assert said.count("\n") == 1
    assert PASSWORD not in said
