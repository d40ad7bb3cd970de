"""Every number of records in a mean of gradients that has a source, and what is refused: see table.toml."""

import pytest

from numerics.gaussian_membership.calibration import MuTarget, noise_for
from tests.tables import Table

TABLE = Table(__file__)


@pytest.mark.parametrize("case", TABLE.cases())
def test_table(case):
    case.check()


@pytest.mark.parametrize("row", TABLE.parts["table_5"], ids=lambda row: row["release"])
def test_table_5(row):
    """All 120 printed noise levels, to their two decimals."""
    release, printed, known = eval(row["release"], TABLE.names), row["printed"].split(), row["none_needed_from"]
    found = [noise_for(MuTarget(mu), release) for mu in TABLE.names["LEVELS"]]
    assert [f"{each.private_noise / release.batch_size * row['clip']:.2f}" for each in found] == printed
    relaxed = [f"{each.release.noise_multiplier / release.batch_size * row['clip']:.2f}" for each in found]
    assert relaxed == [*printed[:known], *["0.00"] * (20 - known)]
    assert [each.noise_needed for each in found] == [True] * known + [False] * (20 - known)
    assert all(each.set_by_privacy == each.noise_needed for each in found)
    assert all(each.noise_multiplier == each.release.noise_multiplier for each in found)
