"""Losses for tables in an engine, and the same numbers in memory to check an audit by."""

import numpy as np
import pyarrow as pa
import pytest

from losses.warehouse.auditing import METHODS, WarehouseAudit
from losses.warehouse.engines import Engine, named_table
from numerics.epsilon_star import EMPIRICAL_CLIP, Method, estimate
from numerics.trade_off import Floats

# Of Ibis 12 about DuckDB 2 and pandas 3; all are locked.
QUIET_IBIS = pytest.mark.filterwarnings("ignore:fetch_arrow_table", "ignore:The 'future.infer_string'")
SUMMED = 1e-9  # promised: the same sums by another engine
COUNTED = 1e-12  # the same counts, divided in another order
Losses = tuple[Floats, Floats]


def gammas(n: int = 3000) -> Losses:
    """Two groups of different sizes."""
    rng = np.random.default_rng(0)
    return rng.gamma(1.6, size=n), rng.gamma(2.0, size=n + 100)


def one_table(groups: Losses) -> pa.Table:
    """Both groups, rows in random order."""
    losses, member = np.concatenate(groups), np.repeat(["in", "out"], [len(own) for own in groups])
    order = np.random.default_rng(2).permutation(len(losses))
    return pa.table({"row": np.arange(len(losses)), "loss": losses[order], "member": member[order]})


def stored(engine: Engine, name: str, table: pa.Table) -> Engine:
    """The table in the engine."""
    engine.con.register("arrow", table)
    engine.con.execute(f"CREATE OR REPLACE TABLE {name} AS FROM arrow")
    engine.con.unregister("arrow")
    return named_table(engine, name)


def check(found: WarehouseAudit, groups: Losses) -> None:
    """The same as in memory."""
    for method in METHODS:
        clip = EMPIRICAL_CLIP if method is Method.EMPIRICAL else None
        expected = estimate(*groups, found.delta, method, clip, scale=found.summary.scale)
        near = SUMMED if method is Method.PARAMETRIC else COUNTED
        assert found.found[method].value == pytest.approx(expected.value, rel=near), method
        assert found.found[method].unclipped == pytest.approx(expected.unclipped, rel=near), method
        assert found.found[method].groups == expected.groups
    assert found.at_most == found.found[Method.EMPIRICAL].value
