"""Tables in DuckDB: the same numbers as in memory, whatever the losses, the files and the number of passes."""

import gzip
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, parquet

from losses import passes, warehouse
from losses.engines import Engine, Resources, attached, embedded, file_table, files_of, named_table
from losses.errors import TableError
from losses.remote_columns import Chosen, labelled_losses, two_tables
from losses.warehouse import METHODS, Audit, Wish, audit
from numerics.epsilon_star import EMPIRICAL_CLIP, Method, default_delta, estimate
from numerics.trade_off import Floats

# Of Ibis 12 about DuckDB 2 and pandas 3; all are locked.
pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table", "ignore:The 'future.infer_string'")

SUMMED = 1e-9  # promised: the same sums by another engine
COUNTED = 1e-12  # the same counts, divided in another order
Losses = tuple[Floats, Floats]


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with embedded(Resources("500MB", 1)) as opened:
        yield opened


def gammas(n: int = 3000) -> Losses:
    rng = np.random.default_rng(0)
    return rng.gamma(1.6, size=n), rng.gamma(2.0, size=n + 100)


def with_outliers() -> Losses:
    """All but four losses share one bin of the first histogram."""
    train, population = gammas()
    return np.append(train, [1e9, -1e9]), np.append(population, [2e9, -1.0])


def over_many_magnitudes() -> Losses:
    rng = np.random.default_rng(1)
    return np.exp(rng.normal(0.0, 12.0, 2000)), np.exp(rng.normal(0.5, 12.0, 2000))


def with_ties() -> Losses:
    train, population = gammas()
    return train.round(1), population.round(1)


CASES = (gammas, with_outliers, over_many_magnitudes, with_ties)


def one_table(groups: Losses, labels: tuple[str, str] = ("in", "out")) -> pa.Table:
    """Both groups, rows in random order."""
    losses = np.concatenate(groups)
    member = np.repeat(labels, [len(own) for own in groups])
    order = np.random.default_rng(2).permutation(len(losses))
    return pa.table({"row": np.arange(len(losses)), "loss": losses[order], "member": member[order]})


def stored(engine: Engine, name: str, table: pa.Table) -> Engine:
    """The table in the engine."""
    engine.con.register("arrow", table)
    engine.con.execute(f"CREATE OR REPLACE TABLE {name} AS FROM arrow")
    engine.con.unregister("arrow")
    return named_table(engine, name)


def audited(engine: Engine, table: pa.Table, wish: Wish | None = None, drop: bool = False) -> Audit:
    rows, _ = labelled_losses(engine, stored(engine, "losses", table))
    return audit(engine, rows, wish, drop=drop)


def check(found: Audit, groups: Losses, clips: Mapping[Method, float | None]) -> None:
    """The same as in memory."""
    for method in METHODS:
        expected = estimate(*groups, found.delta, method, clips.get(method))
        tolerance = SUMMED if method is Method.PARAMETRIC else COUNTED
        assert found.found[method].value == pytest.approx(expected.value, rel=tolerance), method
        assert found.found[method].unclipped == pytest.approx(expected.unclipped, rel=tolerance), method
        assert found.found[method].evidence == expected.evidence
    assert found.at_most == found.found[Method.EMPIRICAL].value


@pytest.mark.parametrize("make", CASES)
def test_numbers_are_those_in_memory(engine: Engine, make: type) -> None:
    groups = make()
    found = audited(engine, one_table(groups))
    assert found.delta == default_delta(len(groups[0]))
    check(found, groups, {})
    clips = {Method.PARAMETRIC: found.delta, Method.EMPIRICAL: EMPIRICAL_CLIP}
    check(audited(engine, one_table(groups), Wish(paper_clips=True)), groups, clips)


@pytest.mark.parametrize("make", [gammas, with_outliers])
def test_passes_over_few_coarse_bins_end_at_the_same_numbers(
    engine: Engine, make: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with losses so many that none but the last pass may look at single ones."""
    monkeypatch.setattr(passes, "BINS", 512)
    monkeypatch.setattr(passes, "_MOST_RUNS", 6)
    monkeypatch.setattr(passes, "_MOST_CUT", 1)
    monkeypatch.setattr(warehouse, "_FEW", 40)
    groups = make()
    found = audited(engine, one_table(groups), Wish(clip=0.01))
    assert found.passes > 3
    check(found, groups, {Method.PARAMETRIC: 0.01, Method.EMPIRICAL: 0.01})


def test_without_a_closer_look_there_is_an_interval_and_a_smaller_bound(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passes, "BINS", 64)
    monkeypatch.setattr(warehouse, "_MOST_PASSES", 0)
    train, population = gammas()
    found = audited(engine, one_table((train, population)), Wish(clip=0.01))
    exact = estimate(train, population, found.delta, Method.EMPIRICAL, 0.01).value
    assert found.found[Method.EMPIRICAL].value < exact < found.at_most
    bound = estimate(train, population, found.delta, Method.CONFIDENCE).value
    assert 0.0 < found.found[Method.CONFIDENCE].value < bound
    assert found.passes == 2


def test_identical_and_separated_groups_are_recognised(engine: Engine) -> None:
    train, _ = gammas()
    same = audited(engine, one_table((train, train)))
    assert same.summary.evidence.identical
    assert same.found[Method.PARAMETRIC].value == pytest.approx(0.0, abs=1e-6)  # sums in another order
    apart = audited(engine, one_table((train, train + 100.0)))
    assert apart.summary.evidence.separated
    assert apart.found[Method.EMPIRICAL].value == np.inf == apart.at_most


def test_a_group_of_equal_losses_has_no_fit_but_counts(engine: Engine) -> None:
    table = one_table((np.full(50, 1.5), gammas(50)[1]))
    found = audited(engine, table)
    assert set(found.found) == {Method.EMPIRICAL, Method.CONFIDENCE}
    assert "train_losses must differ" in found.refused[Method.PARAMETRIC]
    with pytest.raises(ValueError, match="train_losses must differ"):
        audited(engine, table, Wish((Method.PARAMETRIC,)))


# ---- files


def parametric_of(engine: Engine, source: Path | str, **columns: str) -> tuple[float, Chosen]:
    rows, chosen = labelled_losses(engine, file_table(engine, str(source)), **columns)
    return audit(engine, rows, Wish((Method.PARAMETRIC,))).found[Method.PARAMETRIC].value, chosen


def write(table: pa.Table, path: Path) -> Path:
    """The table in the format of the name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".parquet":
        parquet.write_table(table, path)
    else:
        with gzip.open(path, "wb") if path.suffix == ".gz" else path.open("wb") as stream:
            csv.write_csv(table, stream, csv.WriteOptions(delimiter="\t" if ".tsv" in path.name else ","))
    return path


@pytest.mark.parametrize("name", ["a.parquet", "a.csv", "a.csv.gz", "a.tsv", "it's a file.csv"])
def test_every_format_gives_the_number_in_memory(engine: Engine, tmp_path: Path, name: str) -> None:
    groups = gammas(500)
    found, chosen = parametric_of(engine, write(one_table(groups), tmp_path / name))
    assert found == pytest.approx(estimate(*groups).value, rel=SUMMED)
    assert chosen == Chosen("loss", "member")


@pytest.mark.parametrize("suffix", ["parquet", "csv.gz"])
def test_folders_and_globs_are_one_table(engine: Engine, tmp_path: Path, suffix: str) -> None:
    groups = gammas(500)
    table = one_table(groups)
    write(table.slice(0, 300), tmp_path / "runs" / f"a.{suffix}")
    write(table.slice(300).select(["member", "loss", "row"]), tmp_path / "runs" / "deeper" / f"b.{suffix}")
    write(table, tmp_path / "runs" / "_temporary" / f"c.{suffix}")
    (tmp_path / "runs" / "_SUCCESS").touch()
    write(table, tmp_path / f"other.{suffix}")
    expected = pytest.approx(estimate(*groups).value, rel=SUMMED)
    assert parametric_of(engine, tmp_path / "runs")[0] == expected
    assert parametric_of(engine, f"{tmp_path}/runs/[a-z]*/../**/[ab].{suffix}")[0] == expected


def test_a_partitioned_folder_has_its_membership_in_its_names(engine: Engine, tmp_path: Path) -> None:
    groups = gammas(500)
    for losses, name in zip(groups, ("train", "test"), strict=True):
        write(pa.table({"loss": losses}), tmp_path / f"split={name}" / "0.parquet")
    found, chosen = parametric_of(engine, tmp_path)
    assert found == pytest.approx(estimate(*groups).value, rel=SUMMED)
    assert chosen == Chosen("loss", "split")


def test_two_sources_are_two_groups(engine: Engine, tmp_path: Path) -> None:
    groups = gammas(500)
    train = file_table(engine, str(write(pa.table({"loss": groups[0]}), tmp_path / "train.csv")))
    fresh = file_table(engine, str(write(pa.table({"nll": groups[1].astype(np.float32)}), tmp_path / "fresh.parquet")))
    rows, chosen = two_tables(engine, train, fresh)
    found = audit(engine, rows, Wish((Method.PARAMETRIC,)))
    expected = estimate(groups[0], groups[1].astype(np.float32).astype(float))
    assert found.found[Method.PARAMETRIC].value == pytest.approx(expected.value, rel=SUMMED)
    assert (chosen, found.member) == (Chosen("loss and nll"), "train")


def test_a_file_without_names_is_read_from_its_first_row(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("".join(f"0.{row}5,{row % 2}\n" for row in range(10, 40)))
    rows, _ = labelled_losses(engine, file_table(engine, str(tmp_path / "a.csv")), membership="column1")
    found = audit(engine, rows, Wish((Method.CONFIDENCE,)), member="1")
    assert (found.summary.train.size, found.summary.population.size) == (15, 15)


def test_a_database_file_is_an_engine(tmp_path: Path) -> None:
    groups = gammas(500)
    with embedded(Resources("200MB", 1)) as memory:
        memory.raw_sql(f"ATTACH '{tmp_path}/models.ddb' AS models")
        memory.raw_sql("CREATE SCHEMA models.runs")
        stored(memory, "models.runs.losses", one_table(groups))
    with attached(f"duckdb://{tmp_path}/models.ddb") as engine:
        rows, _ = labelled_losses(engine, named_table(engine, "runs.losses"))
        found = audit(engine, rows, Wish((Method.PARAMETRIC,))).found[Method.PARAMETRIC].value
    assert found == pytest.approx(estimate(*groups).value, rel=SUMMED)


def test_an_engine_that_is_no_duckdb_gives_the_same_numbers(tmp_path: Path) -> None:
    groups = gammas(500)
    rows = [(loss, label) for own, label in zip(groups, (1, 0), strict=True) for loss in own.tolist()]
    with closing(sqlite3.connect(tmp_path / "losses.sqlite")) as base, base:
        base.execute("CREATE TABLE losses (loss REAL, member INTEGER)")
        base.executemany("INSERT INTO losses VALUES (?, ?)", rows)
    with attached(f"sqlite://{tmp_path}/losses.sqlite") as engine:
        found = audit(engine, labelled_losses(engine, named_table(engine, "losses"))[0])
    check(found, groups, {})


# ---- what cannot be used


def spoiled() -> pa.Table:
    losses = [None, float("nan"), float("inf"), -float("inf"), 5.0, *np.linspace(0, 1, 40)]
    return pa.table({"loss": losses, "member": [True, False, True, True, None] + [True, False] * 20})


def test_rows_that_cannot_be_used_are_counted_and_refused(engine: Engine) -> None:
    reasons = "5 rows cannot be used: 1 without a label, 1 blank or no number, 3 NaN or infinite."
    with pytest.raises(TableError) as refusal:
        audited(engine, spoiled())
    assert reasons in str(refusal.value)


def test_rows_that_cannot_be_used_are_dropped_on_request(engine: Engine) -> None:
    found = audited(engine, spoiled(), drop=True)
    losses = np.linspace(0, 1, 40)
    check(found, (losses[::2], losses[1::2]), {})
    assert sum(found.dropped.values()) == 5


def test_cells_of_text_files_that_are_no_numbers_are_counted(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("loss,member\n" + "0.5,1\n0.7,0\n" * 10_000 + "n.a.,1\ninf,0\n,1\n0.5,\n")
    rows, _ = labelled_losses(engine, file_table(engine, str(tmp_path / "a.csv")))
    with pytest.raises(
        TableError, match="4 rows cannot be used: 1 without a label, 2 blank or no number, 1 NaN or infinite"
    ):
        audit(engine, rows)


@pytest.mark.parametrize(
    ("labels", "rule"),
    [
        (["in"] * 40, "One group is missing: every label is “in”"),
        (["in", "out", "hold"] * 20, "3 different labels; two are needed"),
        ([str(place) for place in range(40)], "more than 20 different labels"),
        (["a", "b"] * 20, "Which label means a member: “[ab]”, “[ab]”"),
        ([None] * 40, "no row with a label"),
    ],
)
def test_labels_must_be_two(engine: Engine, labels: list[str], rule: str) -> None:
    table = pa.table({"loss": np.linspace(0, 1, len(labels)), "member": pa.array(labels, pa.string())})
    rows, _ = labelled_losses(engine, stored(engine, "few", table), "loss", "member")
    with pytest.raises(TableError, match=rule):
        audit(engine, rows)


@pytest.mark.parametrize(
    ("names", "wish", "rule"),
    [
        (["a", "b", "member"], {}, "Several columns may hold the losses.*“a”, “b”"),
        (["loss", "b", "other"], {}, "No column tells members from outsiders"),
        (["loss", "b", "member"], {"loss": "los"}, "There is no column “los”.*“loss”, “b”, “member”"),
        (["loss", "b", "member"], {"membership": "m"}, "There is no column “m”"),
    ],
)
def test_columns_that_are_not_clear_must_be_named(
    engine: Engine, names: list[str], wish: dict[str, str], rule: str
) -> None:
    cells = np.linspace(0.01, 1, 40)
    table = pa.table(dict(zip(names, [cells, cells + 1, (np.arange(40) % 3).astype(str)], strict=True)))
    with pytest.raises(TableError, match=rule):
        labelled_losses(engine, stored(engine, "unclear", table), **wish)


def test_small_groups_and_equal_losses_are_refused(engine: Engine) -> None:
    with pytest.raises(ValueError, match="train_losses must be a vector of at least 10 losses, got 9"):
        audited(engine, one_table((gammas()[0][:9], gammas()[1])))
    with pytest.raises(ValueError, match=r"losses must differ, but all of them are 2\.5"):
        audited(engine, one_table((np.full(20, 2.5), np.full(20, 2.5))))


def test_sources_that_cannot_be_read_are_refused(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(TableError, match="no CSV or Parquet file at"):
        files_of(str(tmp_path / "*.csv"))
    write(one_table(gammas(20)), tmp_path / "a.csv")
    write(one_table(gammas(20)), tmp_path / "b.parquet")
    with pytest.raises(TableError, match="mixes Parquet and text files"):
        files_of(str(tmp_path))
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(TableError, match="refused to read “broken") as refusal:
        file_table(engine, str(tmp_path / "broken.parquet").removeprefix(f"{Path.cwd()}/"))
    assert "\n" not in str(refusal.value)


def test_a_table_that_changes_meanwhile_is_noticed(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passes, "BINS", 16)
    stored(engine, "growing", one_table(gammas(200)))

    def grow(doing: str) -> None:
        if doing.startswith("a closer look"):
            engine.raw_sql("INSERT INTO growing SELECT * FROM growing")

    rows, _ = labelled_losses(engine, named_table(engine, "growing"))
    with pytest.raises(TableError, match="changed while it was read"):
        audit(engine, rows, progress=grow)


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
