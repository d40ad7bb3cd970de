"""Every number of records in a mean of gradients that has a source, and what is refused: see table.toml."""

import numpy as np
import pytest

from numerics import calibration as calibration_of_mechanisms
from numerics import gaussian_membership
from numerics.gaussian_membership import GradientRelease, calibration, composition, stochastic
from numerics.gaussian_membership.calibration import MuTarget, noise_for
from numerics.mechanisms import gaussian
from tests.tables import Table

LEDGER, CIFAR = GradientRelease(48000, 400, 1200, 650, 1.0), GradientRelease(48000, 400, 1200, 650)
LEVELS = 0.4 * 125.0 ** (np.arange(20) / 19)


def at(alpha):
    return np.array([alpha])


def effective(size, clip, square):
    """Effective batch size with noise of that variance on the mean gradient."""
    return size + square * size**2 / clip**2


MODULES = calibration_of_mechanisms, gaussian, gaussian_membership, stochastic, composition, calibration
TABLE = Table(__file__, *MODULES, globals())


@pytest.mark.parametrize("case", TABLE.cases())
def test_table(case):
    case.check()


@pytest.mark.parametrize("row", TABLE.parts["table_5"], ids=lambda row: row["release"])
def test_table_5(row):
    """All 120 printed noise levels, to their two decimals."""
    release = eval(row["release"], TABLE.names)
    found = [noise_for(MuTarget(float(mu)), release) for mu in LEVELS]
    printed, known = row["printed"].split(), row["none_needed_from"]
    assert [f"{each.private_noise / release.batch_size * row['clip']:.2f}" for each in found] == printed
    relaxed = [f"{each.release.noise_multiplier / release.batch_size * row['clip']:.2f}" for each in found]
    assert relaxed == [*printed[:known], *["0.00"] * (20 - known)]
    assert [each.noise_needed for each in found] == [True] * known + [False] * (20 - known)
    assert all(each.set_by_privacy == each.noise_needed for each in found)
    assert all(each.noise_multiplier == each.release.noise_multiplier for each in found)
