"""Tables in engines and in files: the same numbers as in memory, whatever the losses and the passes; and refusals."""

import gzip
import json
import os
import pwd
import re
import shutil
import socket
import subprocess
import tempfile
import tomllib
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, parquet

from losses.errors import TableError
from losses.warehouse import auditing, passes
from losses.warehouse.auditing import WarehouseAudit, Wish, audit
from losses.warehouse.columns import LossColumns, labelled_losses, two_tables
from losses.warehouse.engines import Engine, Resources, attached, embedded, file_table, ibis, named_table
from numerics.epsilon_star import EMPIRICAL_CLIP, LossScale, Method, default_delta, estimate
from numerics.epsilon_star.aggregates import shape_of_counts
from numerics.epsilon_star.verdict import Reason, Standing, shape_of
from reports.command.main import main
from tests.warehouse_tables import COUNTED, QUIET_IBIS, SUMMED, Losses, check, gammas, one_table, stored

pytestmark = QUIET_IBIS
SMALL = gammas(300)
REFUSALS = tomllib.loads(Path(__file__).with_name("rows.toml").read_text(encoding="utf-8"))["servers"]
PARAMETRIC = Wish((Method.PARAMETRIC,), scale=LossScale.NATS)
USER, PASSWORD = "auditor", "s3cret"
SPARK = {"spark.master": "local[2]", "spark.driver.host": "127.0.0.1", "spark.sql.shuffle.partitions": "2"}


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with embedded(Resources("500MB", 1)) as opened:
        yield opened


RNG, (TRAIN, POPULATION) = np.random.default_rng(1), gammas(1000)
# All but four losses share one bin of the first histogram.
OUTLIERS = np.append(TRAIN, [1e9, -1e9]), np.append(POPULATION, [2e9, -1.0])
MAGNITUDES = np.exp(RNG.normal(0.0, 12.0, 1000)), np.exp(RNG.normal(0.5, 12.0, 1000))


def audit_of(engine: Engine, table: pa.Table, wish: Wish | None = None, drop: bool = False) -> WarehouseAudit:
    rows, chosen = labelled_losses(engine, stored(engine, "losses", table))
    return audit(engine, rows, wish or Wish(scale=LossScale.PRINTED), drop=drop, column=chosen.membership or "")


@pytest.fixture(params=["small", "large"])
def audited(
    request: pytest.FixtureRequest, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., WarehouseAudit]:
    """Of a table whose losses are all counted one by one, or as of one that has some too many for that."""

    def found(table: pa.Table, wish: Wish | None = None, drop: bool = False) -> WarehouseAudit:
        if request.param == "large":
            monkeypatch.setattr(auditing, "_FEW", table.num_rows - 6)
        return audit_of(engine, table, wish, drop)

    return found


@pytest.mark.parametrize(
    "groups", [OUTLIERS, MAGNITUDES, (TRAIN.round(1), POPULATION.round(1))], ids=["outliers", "many magnitudes", "ties"]
)
def test_numbers_are_those_in_memory(audited: Callable[..., WarehouseAudit], groups: Losses) -> None:
    found = audited(one_table(groups))
    assert found.delta == default_delta(len(groups[0]))
    check(found, groups)


def few_bins(monkeypatch: pytest.MonkeyPatch) -> None:
    """As with losses so many that none but the last pass may look at single ones."""
    few = {"passes.BINS": 512, "passes._MOST_RUNS": 6, "passes._MOST_CUT": 1, "auditing._FEW": 40}
    for name, value in few.items():
        monkeypatch.setattr(f"losses.warehouse.{name}", value)


def test_passes_over_few_coarse_bins_end_at_the_same_numbers_or_at_a_smaller_bound(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    few_bins(monkeypatch)
    found = audit_of(engine, one_table(OUTLIERS))
    assert found.passes > 3
    check(found, OUTLIERS)
    monkeypatch.setattr(passes, "BINS", 64)
    monkeypatch.setattr(auditing, "_MOST_PASSES", 0)
    groups = gammas()
    found = audit_of(engine, one_table(groups))
    exact = estimate(*groups, found.delta, Method.EMPIRICAL, EMPIRICAL_CLIP).value
    assert found.found[Method.EMPIRICAL].value < exact < found.at_most
    assert 0.0 < found.found[Method.CONFIDENCE].value < estimate(*groups, found.delta, Method.CONFIDENCE).value


def test_groups_without_a_fit(audited: Callable[..., WarehouseAudit]) -> None:
    """Separated ones, one of equal losses, one with a loss beyond squares: the bound stays."""
    train, population = gammas(200)
    apart = audited(one_table((train, train + 100.0)))
    assert apart.summary.groups.separated
    counted = apart.found[Method.EMPIRICAL]
    assert (counted.unclipped, counted.value) == (np.inf, apart.at_most)
    found = audited(one_table((np.full(50, 1.5), population)), PARAMETRIC)
    assert set(found.found) == {Method.CONFIDENCE}
    assert "train_losses must differ" in found.refused[Method.PARAMETRIC]
    groups = np.append(train, 1e300), population
    found = audited(one_table(groups))
    assert found.found[Method.CONFIDENCE].value == estimate(*groups, found.delta).value
    assert set(found.refused) == {Method.PARAMETRIC}


@pytest.mark.parametrize("scale", [LossScale.BITS, LossScale.LOG_ODDS])
def test_scores_on_every_scale_are_those_in_memory_and_no_estimate_is_plain(
    audited: Callable[..., WarehouseAudit], scale: LossScale
) -> None:
    """Of an overfitted model: most losses are tiny, some are cut."""
    rng = np.random.default_rng(3)
    train, population = (np.logaddexp(0.0, -rng.normal(mean, 9.0, n)) for mean, n in ((18.0, 1000), (12.0, 1100)))
    groups = train, np.append(population, 0.0)
    found = audited(one_table(groups), Wish(scale=scale))
    check(found, groups)
    transform = found.found[Method.PARAMETRIC].transform
    assert transform is not None
    assert shape_of_counts(found.summary) == shape_of(np.sort(groups[0]), np.sort(groups[1]), transform)
    assert set(found.verdicts) == {Method.PARAMETRIC, Method.EMPIRICAL}
    for verdict in found.verdicts.values():
        assert verdict.standing is not Standing.PLAIN
        assert Reason.UNCHECKED in verdict.reasons


def test_rows_that_cannot_be_used_are_counted_and_a_table_that_changes_is_noticed(
    engine: Engine, audited: Callable[..., WarehouseAudit], monkeypatch: pytest.MonkeyPatch
) -> None:
    losses = np.linspace(0, 1, 400)
    cells = [None, float("nan"), float("inf"), -float("inf"), 5.0, *losses]
    spoiled = pa.table({"loss": cells, "member": [True, False, True, True, None] + [True, False] * 200})
    with pytest.raises(TableError, match=r"5 rows .* 1 without a label, 1 blank or no number, 3 NaN or infinite"):
        audited(spoiled)
    found = audited(spoiled, drop=True)
    check(found, (losses[::2], losses[1::2]))
    assert sum(found.dropped.values()) == 5
    monkeypatch.setattr(passes, "BINS", 16)
    rows, _ = labelled_losses(engine, stored(engine, "growing", one_table(gammas(200))))

    def grow(doing: str) -> None:
        if doing.startswith(("every loss", "a closer look")):
            engine.raw_sql("INSERT INTO growing SELECT * FROM growing")

    with pytest.raises(TableError, match="changed while it was read"):
        audit(engine, rows, progress=grow)


def written(path: Path, table: pa.Table) -> Path:
    """The table in the format of the name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".parquet":
        parquet.write_table(table, path)
    else:
        with gzip.open(path, "wb") if path.suffix == ".gz" else path.open("wb") as stream:
            csv.write_csv(table, stream, csv.WriteOptions(delimiter="\t" if ".tsv" in path.name else ","))
    return path


def test_every_format_and_folders_and_globs_give_the_number_in_memory(engine: Engine, tmp_path: Path) -> None:
    """A partitioned folder has the membership in its names; what is hidden, marked or elsewhere is no part."""
    table, runs = one_table(SMALL), tmp_path / "runs"
    files = [written(tmp_path / name, table) for name in ("a.tsv", "it's a file.csv")]
    written(runs / "a.csv.gz", table.slice(0, 300))
    written(runs / "deeper" / "b.csv.gz", table.slice(300).select(["member", "loss", "row"]))
    written(runs / "_temporary" / "c.csv.gz", table)
    (runs / "_SUCCESS").touch()
    for losses, name in zip(SMALL, ("train", "test"), strict=True):
        written(tmp_path / "parts" / f"split={name}" / "0.parquet", pa.table({"loss": losses}))
    expected = estimate(*SMALL, method=Method.PARAMETRIC, scale=LossScale.NATS)
    for source in (*files, runs, f"{runs}/[a-z]*/../**/[ab].csv.gz", tmp_path / "parts"):
        rows, chosen = labelled_losses(engine, file_table(engine, str(source)))
        assert chosen == LossColumns("loss", "split" if source == tmp_path / "parts" else "member")
        found = audit(engine, rows, PARAMETRIC, column=chosen.membership or "").found[Method.PARAMETRIC]
        assert found.value == pytest.approx(expected.value, rel=SUMMED)


def test_text_files_are_read_whole(engine: Engine, tmp_path: Path) -> None:
    """From the first row where there are no names; cells that are no numbers are counted, however late."""
    path = tmp_path / "a.csv"
    path.write_text("".join(f"0.{row}5,{row % 2}\n" for row in range(10, 40)))
    rows, _ = labelled_losses(engine, file_table(engine, str(path)), membership="column1")
    found = audit(engine, rows, Wish((Method.CONFIDENCE,)), member="1")
    assert (found.summary.train.size, found.summary.population.size) == (15, 15)
    path.write_text("loss,member\n" + "0.5,1\n0.7,0\n" * 10_000 + "n.a.,1\ninf,0\n,1\n0.5,\n")
    rows, _ = labelled_losses(engine, file_table(engine, str(path)))
    with pytest.raises(TableError, match=r"4 rows .* 1 without a label, 2 blank or no number, 1 NaN or infinite"):
        audit(engine, rows, column="member")


def test_the_limit_of_memory_is_the_engines(tmp_path: Path) -> None:
    settings = "SELECT current_setting('memory_limit'), current_setting('temp_directory')"
    with embedded(Resources("150MB", 1, tmp_path)) as engine:
        limit, folder = engine.con.execute(settings).fetchone()
        assert (limit, Path(folder).parent) == ("143.0 MiB", tmp_path)
    assert list(tmp_path.iterdir()) == []


# Servers of their own: PostgreSQL, and Spark in local mode.

TABLES = {
    "losses": pa.table({"loss": np.concatenate(SMALL), "is_test": np.repeat([False, True], [*map(len, SMALL)])}),
    "train": pa.table({"loss": SMALL[0]}),
    "nothing": pa.table({"loss": SMALL[0], "other": SMALL[0]}),
    "texts": pa.table(
        {
            "loss": [*map(repr, np.concatenate(SMALL).tolist()), "n.a.", "inf", None],
            "split": [*np.repeat(["train", "test"], [*map(len, SMALL)]).tolist(), "train", "test", None],
        }
    ),
}
PROGRAMS = [*sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin")), reverse=True), os.environ.get("PATH", "")]
INITDB, SERVER = (shutil.which(name, path=os.pathsep.join(PROGRAMS)) for name in ("initdb", "postgres"))
NO_POSTGRES = pytest.mark.skipif(not (INITDB and SERVER and find_spec("psycopg")), reason="no PostgreSQL or psycopg")


@contextmanager
def in_postgres() -> Iterator[tuple[str, Engine]]:
    """A server in a temporary folder; both are gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="postgres-", ignore_cleanup_errors=True) as folder:
        secret, somebody = Path(folder, "password"), None
        secret.write_text(PASSWORD)
        if os.geteuid() == 0:  # whom it refuses
            somebody = "postgres" if "postgres" in {one.pw_name for one in pwd.getpwall()} else "nobody"
            shutil.chown(folder, somebody)
            shutil.chown(secret, somebody)
        made = f"--username {USER} --pwfile {secret} --auth scram-sha-256 --no-sync --no-instructions".split()
        subprocess.run([str(INITDB), "-D", f"{folder}/base", *made], check=True, capture_output=True, user=somebody)
        with closing(socket.create_server(("127.0.0.1", 0))) as held:
            port = held.getsockname()[1]
        settings = ("listen_addresses=127.0.0.1", f"port={port}", f"unix_socket_directories={folder}", "fsync=off")
        line = [str(SERVER), "-D", f"{folder}/base", *(part for one in settings for part in ("-c", one))]
        how = {"stderr": subprocess.PIPE, "text": True, "user": somebody, "cwd": folder}
        with subprocess.Popen(line, **how) as server:  # type: ignore[call-overload]
            try:
                told = iter(server.stderr)  # ends with the server
                assert any("ready to accept connections" in one for one in told), "PostgreSQL does not start"
                address = f"postgres://{USER}:{PASSWORD}@127.0.0.1:{port}/postgres"
                with attached(address) as engine:
                    for name, table in TABLES.items():
                        engine.create_table(name, table)
                with attached(address) as engine:
                    yield address, engine
            finally:
                server.terminate()


@contextmanager
def in_spark() -> Iterator[tuple[str, Engine]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        session = import_module("pyspark.sql").SparkSession.builder.config(map=SPARK).getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        for name, table in TABLES.items():
            session.createDataFrame(table).createOrReplaceTempView(name)
        yield "pyspark://", ibis().pyspark.connect(session)
    session.stop()


@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning", "ignore::UserWarning")  # of Ibis
@pytest.mark.parametrize(
    "server", [pytest.param(in_postgres, marks=NO_POSTGRES), pytest.param(in_spark, marks=pytest.mark.nightly)]
)
def test_a_server_gives_the_numbers_in_memory_and_says_no_in_a_line_without_the_password(
    server: Callable[[], AbstractContextManager[tuple[str, Engine]]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with server() as (address, engine):
        with monkeypatch.context() as coarse:
            few_bins(coarse)
            rows, chosen = labelled_losses(engine, named_table(engine, "losses"))
            assert (chosen.loss, chosen.membership) == ("loss", "is_test")
            found = audit(engine, rows, Wish(scale=LossScale.NATS), column="is_test")
            check(found, SMALL)
            assert found.passes > 3
        rows, _ = two_tables(engine, named_table(engine, "train"), named_table(engine, "losses"), "loss")
        value = audit(engine, rows, PARAMETRIC).found[Method.PARAMETRIC].value
        expected = estimate(SMALL[0], np.concatenate(SMALL), method=Method.PARAMETRIC, scale=LossScale.NATS)
        assert value == pytest.approx(expected.value, rel=SUMMED)
        rows, _ = labelled_losses(engine, named_table(engine, "texts"), "loss", "split")
        with pytest.raises(TableError, match="3 rows cannot be used: 1 without a label, "):
            audit(engine, rows)
        value = audit(engine, rows, Wish((Method.CONFIDENCE,)), drop=True).found[Method.CONFIDENCE].value
        assert value == pytest.approx(estimate(*SMALL, method=Method.CONFIDENCE).value, rel=COUNTED)

        said = ["audit", "losses", "--engine", address, "--unit", "nats", "--json"]
        if PASSWORD in address:
            for table, old, new, words in REFUSALS:
                wrong = ["--engine", address.replace(old, new) if old else address]
                assert main(["audit", table, *wrong, "--loss", "loss"]) == 2
                told = capsys.readouterr().err
                assert re.search(words, told)
                assert (told[:7], told.count("\n"), PASSWORD in told) == ("error: ", 1, False)
        else:
            said[3] += "?spark.sql.shuffle.partitions=3"
        assert main(said) == 0  # ends the session of Spark, so that nothing can be asked of it afterwards
        text = capsys.readouterr().out
        report = json.loads(text)
        expected = estimate(*SMALL, method=Method.PARAMETRIC, scale=LossScale.NATS)
        assert report["numbers"]["estimates"]["parametric"]["value"] == pytest.approx(expected.value, rel=SUMMED)
        assert report["data"]["files"] == [{"name": "losses", "sha256": None}]
        assert PASSWORD not in text
