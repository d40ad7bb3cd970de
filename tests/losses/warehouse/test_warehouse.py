"""Tables in DuckDB: the same numbers as in memory, whatever the losses and the passes; and what is refused."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from losses.errors import TableError
from losses.warehouse import auditing, passes
from losses.warehouse.auditing import Clips, WarehouseAudit, Wish, audit
from losses.warehouse.columns import labelled_losses
from losses.warehouse.engines import Engine, Resources, embedded, named_table
from losses.warehouse.expressions import LossRange
from numerics.epsilon_star import EMPIRICAL_CLIP, LossScale, Method, default_delta, estimate
from numerics.epsilon_star.from_aggregates import shape_of_counts
from numerics.epsilon_star.verdict import Reason, Standing, shape_of
from tests.warehouse_tables import QUIET_IBIS, Losses, check, gammas, one_table, stored

pytestmark = QUIET_IBIS


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with embedded(Resources("500MB", 1)) as opened:
        yield opened


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


def audited(engine: Engine, table: pa.Table, wish: Wish | None = None, drop: bool = False) -> WarehouseAudit:
    rows, chosen = labelled_losses(engine, stored(engine, "losses", table))
    return audit(engine, rows, wish or Wish(scale=LossScale.PRINTED), drop=drop, column=chosen.membership or "")


@pytest.mark.parametrize("make", CASES)
def test_numbers_are_those_in_memory(engine: Engine, make: type) -> None:
    groups = make()
    found = audited(engine, one_table(groups))
    assert found.delta == default_delta(len(groups[0]))
    check(found, groups, {})
    clips = {Method.PARAMETRIC: found.delta, Method.EMPIRICAL: EMPIRICAL_CLIP}
    check(audited(engine, one_table(groups), Wish(clips=Clips.PAPER, scale=LossScale.PRINTED)), groups, clips)


@pytest.mark.parametrize("make", [gammas, with_outliers])
def test_passes_over_few_coarse_bins_end_at_the_same_numbers(
    engine: Engine, make: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with losses so many that none but the last pass may look at single ones."""
    monkeypatch.setattr(passes, "BINS", 512)
    monkeypatch.setattr(passes, "_MOST_RUNS", 6)
    monkeypatch.setattr(passes, "_MOST_CUT", 1)
    monkeypatch.setattr(auditing, "_FEW", 40)
    groups = make()
    found = audited(engine, one_table(groups), Wish(clip=0.01, scale=LossScale.PRINTED))
    assert found.passes > 3
    check(found, groups, {Method.PARAMETRIC: 0.01, Method.EMPIRICAL: 0.01})


def test_without_a_closer_look_there_is_an_interval_and_a_smaller_bound(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passes, "BINS", 64)
    monkeypatch.setattr(auditing, "_MOST_PASSES", 0)
    train, population = gammas()
    found = audited(engine, one_table((train, population)), Wish(clip=0.01, scale=LossScale.PRINTED))
    exact = estimate(train, population, found.delta, Method.EMPIRICAL, 0.01).value
    assert found.found[Method.EMPIRICAL].value < exact < found.at_most
    bound = estimate(train, population, found.delta, Method.CONFIDENCE).value
    assert 0.0 < found.found[Method.CONFIDENCE].value < bound
    assert found.passes == 4  # with the one that tests for normal laws


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
    alone = audited(engine, table, Wish((Method.PARAMETRIC,), scale=LossScale.NATS))
    assert set(alone.found) == {Method.CONFIDENCE}
    assert "train_losses must differ" in alone.refused[Method.PARAMETRIC]


def test_one_loss_of_a_size_beyond_squares_leaves_the_bound(engine: Engine) -> None:
    train, population = gammas(200)
    groups = np.append(train, 1e300), population
    for scale in (LossScale.NATS, LossScale.LOG_ODDS, LossScale.PRINTED):
        found = audited(engine, one_table(groups), Wish(scale=scale))
        assert found.found[Method.CONFIDENCE].value == estimate(*groups, found.delta).value
        assert set(found.refused) == {Method.PARAMETRIC}


def near_zero() -> Losses:
    """Cross-entropy of an overfitted model: most losses are tiny, some are cut."""
    rng = np.random.default_rng(3)
    groups = np.logaddexp(0.0, -rng.normal(18.0, 9.0, 3000)), np.logaddexp(0.0, -rng.normal(12.0, 9.0, 3100))
    return groups[0], np.append(groups[1], 0.0)


@pytest.mark.parametrize("scale", [LossScale.NATS, LossScale.BITS, LossScale.LOG_ODDS])
@pytest.mark.parametrize("make", [gammas, over_many_magnitudes, near_zero])
def test_scores_on_every_scale_are_those_in_memory(engine: Engine, make: type, scale: LossScale) -> None:
    groups = make()
    found = audited(engine, one_table(groups), Wish(scale=scale))
    check(found, groups, {})
    transform = found.found[Method.PARAMETRIC].transform
    assert transform is not None
    seen, expected = shape_of_counts(found.summary), shape_of(np.sort(groups[0]), np.sort(groups[1]), transform)
    assert seen == expected


def test_no_estimate_of_an_engine_is_plain(engine: Engine) -> None:
    found = audited(engine, one_table(gammas()), Wish(scale=LossScale.NATS))
    assert set(found.verdicts) == {Method.PARAMETRIC, Method.EMPIRICAL}
    for verdict in found.verdicts.values():
        assert verdict.standing is not Standing.PLAIN
        assert Reason.UNCHECKED in verdict.reasons


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


@pytest.mark.parametrize(
    ("labels", "rule"),
    [
        (["in"] * 40, "One group is missing: every label is “in”"),
        (["in", "out", "hold"] * 20, "3 different labels; two are needed"),
        ([str(place) for place in range(40)], "more than 20 different labels"),
        (["a", "b"] * 20, "Neither the labels “[ab]”, “[ab]” nor the name “label” say"),
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
    engine: Engine, names: list[str], wish: dict[str, Any], rule: str
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


def test_a_table_that_changes_meanwhile_is_noticed(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passes, "BINS", 16)
    stored(engine, "growing", one_table(gammas(200)))

    def grow(doing: str) -> None:
        if doing.startswith("a closer look"):
            engine.raw_sql("INSERT INTO growing SELECT * FROM growing")

    rows, _ = labelled_losses(engine, named_table(engine, "growing"))
    with pytest.raises(TableError, match="changed while it was read"):
        audit(engine, rows, progress=grow)


def test_a_run_is_cut_near_both_of_its_ends() -> None:
    """Losses of models that know their data crowd there, over many orders of magnitude."""
    parts = passes._parts(LossRange(2.0, 6.0))
    low, high = ([getattr(part, end) for part in parts] for end in ("low", "high"))
    assert low[0] == 2.0
    assert high[-1] == 6.0
    assert low[1:] == high[:-1]
    assert np.array(high[:-1]) - 2.0 == pytest.approx(
        4.0 * np.array([1e-12, 1e-8, 1e-4, 1 - 1e-4, 1 - 1e-8, 1 - 1e-12]), rel=1e-3
    )
