"""Tables in DuckDB and in files: the same numbers as in memory, whatever the losses and the passes; and refusals."""

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, parquet

from losses.errors import TableError
from losses.warehouse import auditing, passes
from losses.warehouse.auditing import Clips, WarehouseAudit, Wish, audit
from losses.warehouse.columns import LossColumns, labelled_losses
from losses.warehouse.engines import Engine, Resources, embedded, file_table, named_table
from numerics.epsilon_star import EMPIRICAL_CLIP, LossScale, Method, default_delta, estimate
from numerics.epsilon_star.from_aggregates import shape_of_counts
from numerics.epsilon_star.verdict import Reason, Standing, shape_of
from tests.warehouse_tables import QUIET_IBIS, SUMMED, Losses, check, gammas, one_table, stored

pytestmark = QUIET_IBIS


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with embedded(Resources("500MB", 1)) as opened:
        yield opened


def with_outliers() -> Losses:
    """All but four losses share one bin of the first histogram."""
    train, population = gammas(1000)
    return np.append(train, [1e9, -1e9]), np.append(population, [2e9, -1.0])


def over_many_magnitudes() -> Losses:
    rng = np.random.default_rng(1)
    return np.exp(rng.normal(0.0, 12.0, 1000)), np.exp(rng.normal(0.5, 12.0, 1000))


def with_ties() -> Losses:
    train, population = gammas(1000)
    return train.round(1), population.round(1)


def near_zero() -> Losses:
    """Cross-entropy of an overfitted model: most losses are tiny, some are cut."""
    rng = np.random.default_rng(3)
    groups = np.logaddexp(0.0, -rng.normal(18.0, 9.0, 1000)), np.logaddexp(0.0, -rng.normal(12.0, 9.0, 1100))
    return groups[0], np.append(groups[1], 0.0)


def audited(engine: Engine, table: pa.Table, wish: Wish | None = None, drop: bool = False) -> WarehouseAudit:
    rows, chosen = labelled_losses(engine, stored(engine, "losses", table))
    return audit(engine, rows, wish or Wish(scale=LossScale.PRINTED), drop=drop, column=chosen.membership or "")


@pytest.mark.parametrize("make", [with_outliers, over_many_magnitudes, with_ties])
def test_numbers_are_those_in_memory(engine: Engine, make: Callable[[], Losses]) -> None:
    groups = make()
    found = audited(engine, one_table(groups))
    assert found.delta == default_delta(len(groups[0]))
    check(found, groups, {})
    clips = {Method.PARAMETRIC: found.delta, Method.EMPIRICAL: EMPIRICAL_CLIP}
    check(audited(engine, one_table(groups), Wish(clips=Clips.PAPER, scale=LossScale.PRINTED)), groups, clips)


def test_passes_over_few_coarse_bins_end_at_the_same_numbers(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """As with losses so many that none but the last pass may look at single ones."""
    monkeypatch.setattr(passes, "BINS", 512)
    monkeypatch.setattr(passes, "_MOST_RUNS", 6)
    monkeypatch.setattr(passes, "_MOST_CUT", 1)
    monkeypatch.setattr(auditing, "_FEW", 40)
    groups = with_outliers()
    found = audited(engine, one_table(groups), Wish(clip=0.01, scale=LossScale.PRINTED))
    assert found.passes > 3
    check(found, groups, {Method.PARAMETRIC: 0.01, Method.EMPIRICAL: 0.01})


def test_without_a_closer_look_there_is_an_interval_and_a_smaller_bound(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passes, "BINS", 64)
    monkeypatch.setattr(auditing, "_MOST_PASSES", 0)
    groups = gammas()
    found = audited(engine, one_table(groups), Wish(clip=0.01, scale=LossScale.PRINTED))
    exact = estimate(*groups, found.delta, Method.EMPIRICAL, 0.01).value
    assert found.found[Method.EMPIRICAL].value < exact < found.at_most
    assert 0.0 < found.found[Method.CONFIDENCE].value < estimate(*groups, found.delta, Method.CONFIDENCE).value


def test_groups_without_a_fit(engine: Engine) -> None:
    """Identical ones, separated ones, one of equal losses, one with a loss beyond squares: the bound stays."""
    train, population = gammas(200)
    same = audited(engine, one_table((train, train)))
    assert same.summary.evidence.identical
    assert same.found[Method.PARAMETRIC].value == pytest.approx(0.0, abs=1e-6)  # sums in another order
    apart = audited(engine, one_table((train, train + 100.0)))
    assert apart.summary.evidence.separated
    assert apart.found[Method.EMPIRICAL].value == np.inf == apart.at_most
    constant = one_table((np.full(50, 1.5), population))
    found = audited(engine, constant, Wish((Method.PARAMETRIC,), scale=LossScale.NATS))
    assert set(found.found) == {Method.CONFIDENCE}
    assert "train_losses must differ" in found.refused[Method.PARAMETRIC]
    groups = np.append(train, 1e300), population
    found = audited(engine, one_table(groups))
    assert found.found[Method.CONFIDENCE].value == estimate(*groups, found.delta).value
    assert set(found.refused) == {Method.PARAMETRIC}


@pytest.mark.parametrize("scale", [LossScale.NATS, LossScale.BITS, LossScale.LOG_ODDS])
def test_scores_on_every_scale_are_those_in_memory_and_no_estimate_is_plain(engine: Engine, scale: LossScale) -> None:
    groups = near_zero()
    found = audited(engine, one_table(groups), Wish(scale=scale))
    check(found, groups, {})
    transform = found.found[Method.PARAMETRIC].transform
    assert transform is not None
    assert shape_of_counts(found.summary) == shape_of(np.sort(groups[0]), np.sort(groups[1]), transform)
    assert set(found.verdicts) == {Method.PARAMETRIC, Method.EMPIRICAL}
    for verdict in found.verdicts.values():
        assert verdict.standing is not Standing.PLAIN
        assert Reason.UNCHECKED in verdict.reasons


def test_rows_that_cannot_be_used_are_counted_and_refused_or_dropped(engine: Engine) -> None:
    losses = np.linspace(0, 1, 40)
    cells = [None, float("nan"), float("inf"), -float("inf"), 5.0, *losses]
    spoiled = pa.table({"loss": cells, "member": [True, False, True, True, None] + [True, False] * 20})
    with pytest.raises(TableError, match=r"5 rows .* 1 without a label, 1 blank or no number, 3 NaN or infinite"):
        audited(engine, spoiled)
    found = audited(engine, spoiled, drop=True)
    check(found, (losses[::2], losses[1::2]), {})
    assert sum(found.dropped.values()) == 5


@pytest.mark.parametrize(
    ("labels", "rule"),
    [
        (["in"] * 40, "One group is missing: .*“in”"),
        (["in", "out", "hold"] * 20, "3 different labels"),
        ([str(place) for place in range(40)], "more than 20 different labels"),
        (["a", "b"] * 20, "Neither the labels “[ab]”, “[ab]” nor the name “label”"),
        ([None] * 40, "no row with a label"),
        (["in"] * 9 + ["out"] * 40, "train_losses must be a vector of at least 10 losses, got 9"),
    ],
)
def test_labels_must_be_two(engine: Engine, labels: list[str], rule: str) -> None:
    table = pa.table({"loss": np.linspace(0, 1, len(labels)), "member": pa.array(labels, pa.string())})
    rows, _ = labelled_losses(engine, stored(engine, "few", table), "loss", "member")
    with pytest.raises(ValueError, match=rule):
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
    engine: Engine, names: list[str], wish: dict[str, Any], rule: str
) -> None:
    cells = np.linspace(0.01, 1, 40)
    table = pa.table(dict(zip(names, [cells, cells + 1, (np.arange(40) % 3).astype(str)], strict=True)))
    with pytest.raises(TableError, match=rule):
        labelled_losses(engine, stored(engine, "unclear", table), **wish)


def test_a_table_that_changes_meanwhile_is_noticed(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passes, "BINS", 16)
    stored(engine, "growing", one_table(gammas(200)))

    def grow(doing: str) -> None:
        if doing.startswith("a closer look"):
            engine.raw_sql("INSERT INTO growing SELECT * FROM growing")

    rows, _ = labelled_losses(engine, named_table(engine, "growing"))
    with pytest.raises(TableError, match="changed while it was read"):
        audit(engine, rows, progress=grow)


# Files, folders and other engines.

SMALL = gammas(300)
WISH = Wish((Method.PARAMETRIC,), scale=LossScale.NATS)


def parametric_of(engine: Engine, source: Path | str) -> LossColumns:
    """The columns; the number must be that in memory."""
    rows, chosen = labelled_losses(engine, file_table(engine, str(source)))
    found = audit(engine, rows, WISH, column=chosen.membership or "").found[Method.PARAMETRIC]
    expected = estimate(*SMALL, method=Method.PARAMETRIC, scale=LossScale.NATS)
    assert found.value == pytest.approx(expected.value, rel=SUMMED)
    return chosen


def write(table: pa.Table, path: Path) -> Path:
    """The table in the format of the name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".parquet":
        parquet.write_table(table, path)
    else:
        with gzip.open(path, "wb") if path.suffix == ".gz" else path.open("wb") as stream:
            csv.write_csv(table, stream, csv.WriteOptions(delimiter="\t" if ".tsv" in path.name else ","))
    return path


@pytest.mark.parametrize("name", ["a.parquet", "a.tsv", "it's a file.csv"])
def test_every_format_gives_the_number_in_memory(engine: Engine, tmp_path: Path, name: str) -> None:
    assert parametric_of(engine, write(one_table(SMALL), tmp_path / name)) == LossColumns("loss", "member")


def test_folders_and_globs_are_one_table(engine: Engine, tmp_path: Path) -> None:
    """A partitioned folder has the membership in its names; what is hidden, marked or elsewhere is no part."""
    table = one_table(SMALL)
    write(table.slice(0, 300), tmp_path / "runs" / "a.csv.gz")
    write(table.slice(300).select(["member", "loss", "row"]), tmp_path / "runs" / "deeper" / "b.csv.gz")
    write(table, tmp_path / "runs" / "_temporary" / "c.csv.gz")
    (tmp_path / "runs" / "_SUCCESS").touch()
    for source in (tmp_path / "runs", f"{tmp_path}/runs/[a-z]*/../**/[ab].csv.gz"):
        parametric_of(engine, source)
    for losses, name in zip(SMALL, ("train", "test"), strict=True):
        write(pa.table({"loss": losses}), tmp_path / "parts" / f"split={name}" / "0.parquet")
    assert parametric_of(engine, tmp_path / "parts") == LossColumns("loss", "split")


def test_text_files_are_read_whole(engine: Engine, tmp_path: Path) -> None:
    """From the first row where there are no names; and cells that are no numbers are counted, however late."""
    path = tmp_path / "a.csv"
    path.write_text("".join(f"0.{row}5,{row % 2}\n" for row in range(10, 40)))
    rows, _ = labelled_losses(engine, file_table(engine, str(path)), membership="column1")
    found = audit(engine, rows, Wish((Method.CONFIDENCE,)), member="1")
    assert (found.summary.train.size, found.summary.population.size) == (15, 15)
    path.write_text("loss,member\n" + "0.5,1\n0.7,0\n" * 10_000 + "n.a.,1\ninf,0\n,1\n0.5,\n")
    rows, _ = labelled_losses(engine, file_table(engine, str(path)))
    with pytest.raises(TableError, match=r"4 rows .* 1 without a label, 2 blank or no number, 1 NaN or infinite"):
        audit(engine, rows, column="member")


def test_sources_that_cannot_be_read_are_refused(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(TableError, match="no CSV or Parquet file at"):
        file_table(engine, str(tmp_path / "*.csv"))
    write(one_table(gammas(20)), tmp_path / "a.csv")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(TableError, match="mixes Parquet and text files"):
        file_table(engine, str(tmp_path))
    with pytest.raises(TableError, match=r"“broken\.parquet” cannot be read as a table") as refusal:
        file_table(engine, str(tmp_path / "broken.parquet"))
    assert "\n" not in str(refusal.value)


def test_the_limit_of_memory_is_the_engines(tmp_path: Path) -> None:
    settings = "SELECT current_setting('memory_limit'), current_setting('temp_directory')"
    with embedded(Resources("150MB", 1, tmp_path)) as engine:
        limit, folder = engine.con.execute(settings).fetchone()
        assert (limit, Path(folder).parent) == ("143.0 MiB", tmp_path)
    assert list(tmp_path.iterdir()) == []
