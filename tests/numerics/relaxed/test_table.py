"""Every number of the relaxed threat model that has a source, and what is refused: see table.toml."""

import numpy as np
import pytest

from numerics import relaxed
from tests.numerics.relaxed.relaxed_adapter import found_before_bounds
from tests.tables import Table

TABLE = Table(__file__)


@pytest.mark.parametrize("case", TABLE.cases())
def test_table(case):
    case.check()


@pytest.mark.parametrize("row", TABLE.parts["drawn"], ids=lambda row: row[0])
def test_the_best_test_against_a_million_draws(row):
    release, drawn, standard_error = eval(row[0], TABLE.names), np.array(row[1]), np.array(row[2])
    alpha, room = (
        np.array([1e-3, 0.01, 0.1, 0.5]),
        5.0 * standard_error + 1e-4 * drawn,
    )  # to which thresholds are sought
    curve, before = relaxed.trade_off(release, alpha), found_before_bounds(release, alpha)
    for power, least, most in (
        (before.power, before.power - before.error, before.power + before.error),
        (curve.power, curve.least.power, curve.most.power),
    ):
        assert np.all((least - room <= drawn) & (drawn <= most + room))
        assert power == pytest.approx(drawn, rel=0.3)  # where little is stated to be known
