"""Every number of reconstruction that has a source, and what is refused: see table.toml."""

import numpy as np
import pytest

from numerics import approximations, calibration, mechanisms, reconstruction, relaxed
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, gaussian
from numerics.reconstruction import hayes, hayes_estimate
from numerics.reconstruction.published import PANELS
from numerics.trade_off import Order
from tests.reference import PAPERS, PRACTICE, every_row
from tests.tables import Table

REPLACE = Adjacency.REPLACE_ONE
STEPS, RARE = Composition((Gaussian(1.0, 0.1, 300), Gaussian(2.0, 0.1, 700))), Gaussian(0.6, 0.001, 10_000)
# Paper 003: one step, and 10,000 steps, that are (4, 1e-5)-DP.
FIGURE_3 = ((0.659595527601, 0.1), (0.913243565316, 0.5), (1.052239341149, 0.9))
FIGURE_4 = (
    Gaussian(10.84765173, 0.1, 10_000),
    Gaussian(54.06890070, 0.5, 10_000),
    Gaussian(97.30652196, 0.9, 10_000),
)
SEVERAL = Gaussian(1.0), Laplace(1.0, 0.3, 5), Composition((Gaussian(1.0, 0.01, 50), Laplace(2.0)))
YEARS = np.linspace(-80.0, 80.0, 160_001)
HANDFUL = hayes_estimate(np.concatenate([each.losses for each in hayes(Gaussian(0.1), 100_000)]), np.array([0.01, 0.5]))
SIDES = 1e-11  # of a closed form and a certified bracket


def gammas(mechanism, kappa):
    """By its own name, and as the power of the same test."""
    return *mechanism.reconstruction(kappa), *mechanism.power(kappa)


def is_certified(mechanism, kappa, expected):
    safe, _, reached = mechanism.certified().trade_off(np.array([kappa]), Order.ADD)
    return bool(reached.power[0] * (1.0 - SIDES) <= expected <= safe.power[0] * (1.0 + SIDES))


def phases(mus):
    return Composition(tuple(Gaussian(1.0 / mu) for mu in mus))


def at_end(panel):
    (found,) = (each for each in PANELS if each.name == panel)
    return found.at(found.largest)


TABLE = Table(__file__, relaxed, mechanisms, gaussian, calibration, approximations, reconstruction, globals())


@pytest.mark.parametrize("case", TABLE.cases())
def test_table(case):
    case.check()


def test_every_reference_row_of_reconstruction_is_used():
    starts = ("rero_", "NEG_rero_", "unified_", "attr2_", "pso_")
    rows = {row.id for file in (PAPERS, PRACTICE) for row in every_row(file) if row.id.startswith(starts)}
    assert rows <= TABLE.rows_used
