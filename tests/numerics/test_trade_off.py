"""The curve, its grid and the bracket: shapes, read-only samples, no NaN, no order but ascending."""

import dataclasses

import numpy as np
import pytest

from numerics.mechanisms import Gaussian, Laplace
from numerics.trade_off import SMALLEST_ALPHA, Bound, Bracket, Order, TradeOffCurve, alpha_grid


def curve(alpha, beta, power) -> TradeOffCurve:
    return TradeOffCurve(np.asarray(alpha), np.asarray(beta), np.asarray(power), Bound.EXACT, "a curve")


@pytest.mark.parametrize("points", [3, 4, 5, 60, 61, 400, 401])
@pytest.mark.parametrize("smallest", [1e-300, 1e-12, 1e-9, 0.4])
def test_grids_ascend_from_end_to_end(points, smallest):
    grid = alpha_grid(points, smallest)
    assert len(grid) == points
    assert (grid[0], grid[-1]) == (0.0, 1.0)
    assert np.all(np.diff(grid) >= 0.0)
    assert points < 5 or grid[1] == pytest.approx(smallest, rel=1e-12)


def test_the_grid_is_dense_at_both_ends_on_a_log_axis():
    grid = alpha_grid()
    low, high = grid[(grid > 0.0) & (grid <= 0.5)], (1.0 - grid[grid >= 0.5])[:-1]
    for side in (low, high[::-1]):
        # 150 points over the 8 decades from 1e-9 to 0.1 are 0.054 decades apart; 1 - alpha has digits to 1e-16.
        assert np.all(np.diff(np.log10(side)) < 0.055)
        assert side[0] == pytest.approx(SMALLEST_ALPHA, rel=1e-6)


def test_a_curve_drawn_on_the_grid_has_no_corners_that_can_be_seen():
    """On a linear axis a thousand pixels wide no chord is longer than nine pixels, nor half a pixel off its curve."""
    grid = alpha_grid()
    middle = grid[(grid >= 0.1) & (grid <= 0.9)]
    assert np.all(np.diff(middle) < 0.009)
    fine = np.linspace(0.001, 0.999, 5000)
    for mechanism in (Gaussian(1.0), Gaussian(1.0 / 3.0)):
        chords = np.interp(fine, grid, mechanism.trade_off(grid).beta)
        assert np.max(np.abs(chords - mechanism.trade_off(fine).beta)) < 5e-4


def test_samples_are_read_only():
    exact = Gaussian(1.0).trade_off(alpha_grid(11))
    certified = Laplace(1.0, steps=3).trade_off(alpha_grid(11))
    assert certified.lower is not None
    for row in (exact, certified, certified.lower):
        for values in (row.alpha, row.beta, row.power):
            with pytest.raises(ValueError, match="read-only"):
                values[0] = 0.5


def test_curves_are_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Gaussian(1.0).trade_off(alpha_grid(3)).label = "another"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("alpha", "beta", "power"),
    [
        ([0.0, 1.0], [1.0], [0.0, 1.0]),
        ([0.0, 1.0], [1.0, 0.0], [0.0]),
        ([[0.0, 1.0]], [[1.0, 0.0]], [[0.0, 1.0]]),
        (0.5, 0.5, 0.5),
    ],
)
def test_shapes_must_agree(alpha, beta, power):
    with pytest.raises(ValueError, match="alpha, beta and power must be vectors of equal length"):
        curve(alpha, beta, power)


@pytest.mark.parametrize("alpha", [[0.5, 0.1], [0.1, np.nan], [np.nan, 0.1, 0.2]])
def test_alpha_must_ascend(alpha):
    with pytest.raises(ValueError, match="alpha must ascend"):
        curve(alpha, alpha, alpha)


def test_equal_and_no_alphas_are_fine():
    assert len(curve([0.1, 0.1], [0.9, 0.9], [0.1, 0.1]).alpha) == 2
    assert len(Gaussian(1.0).trade_off(np.array([])).power) == 0
    assert len(Gaussian(1.0, 0.5, 2).trade_off(np.array([]), Order.SYMMETRIC).power) == 0


@pytest.mark.parametrize("mechanism", [Gaussian(1.0), Gaussian(1.0, 0.3), Laplace(1.0, steps=2)], ids=str)
@pytest.mark.parametrize("alpha", [[-1e-9, 0.5], [0.5, 1.0 + 1e-9], [0.5, np.nan], [np.inf]])
def test_rates_outside_of_0_to_1_are_refused(mechanism, alpha):
    with pytest.raises(ValueError, match="alpha must be between 0 and 1, got"):
        mechanism.trade_off(np.array(alpha))


def test_brackets():
    assert Bracket.exact(0.3) == (0.3, 0.3, 0.3)
    assert Bracket.exact(0.3).width == 0.0
    assert Bracket(1.0, 1.5, 2.0).width == 1.0
    assert Bracket.exact(np.inf).width == 0.0
    assert Bracket(1.0, np.inf, np.inf).width == np.inf
    with pytest.raises(AttributeError):
        Bracket.exact(0.3).lower = 0.0  # type: ignore[misc]
