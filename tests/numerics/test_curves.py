"""The curve, its grid and the bracket; the law of the statistic; Gaussian DP and its regret over fine grids."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri

from numerics.gaussian_dp import regret_of_corners
from numerics.mechanisms import Composition, Gaussian, Laplace, SampledMechanism
from numerics.privacy_loss import Precision
from numerics.trade_off import SMALLEST_ALPHA, Bracket, Order, alpha_grid
from tests.sides import ANY, CHEAP


@pytest.mark.parametrize("points", [3, 4, 5, 60, 61, 401])
@pytest.mark.parametrize("smallest", [1e-300, 1e-9, 0.4])
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


def test_samples_are_read_only_and_curves_frozen():
    exact = Gaussian(1.0).trade_off(alpha_grid(11))
    certified = Laplace(1.0, steps=3).trade_off(alpha_grid(11))
    assert certified.lower is not None
    for row in (exact, certified, certified.lower):
        for values in (row.alpha, row.beta, row.power):
            with pytest.raises(ValueError, match="read-only"):
                values[0] = 0.5
    with pytest.raises(dataclasses.FrozenInstanceError):
        Gaussian(1.0).trade_off(alpha_grid(3)).label = "another"  # type: ignore[misc]


def test_brackets():
    assert Bracket.exact(0.3) == (0.3, 0.3, 0.3)
    with pytest.raises(AttributeError):
        Bracket.exact(0.3).lower = 0.0  # type: ignore[misc]


OMITTED = 5e-6  # both ends together, and the lattice's rounding
OF_THE_PEAK = 0.03  # a lattice point astride a bin's edge, a bin holding some dozens
BIN = 2e-3  # mass in a bin of a few lattice points, against the integral of the density


@pytest.mark.parametrize(
    "mechanism",
    [
        Gaussian(1.0, 0.01, 1000),
        Gaussian(0.6, 0.01, 1000),
        Gaussian(1.0),
        Gaussian(1.0, 0.1),
        Laplace(1.0, 0.1, 100),
        Composition((Gaussian(1.0, 0.01, 1000), Gaussian(0.8, 0.01, 500))),
    ],
)
def test_statistic_holds_all_of_the_mass_in_even_bins(mechanism: SampledMechanism | Composition) -> None:
    law = mechanism.statistic()
    assert np.ptp(np.diff(law.loss)) < 1e-9 * np.diff(law.loss)[0] + 1e-12
    assert law.null.sum() == pytest.approx(1.0, abs=OMITTED)
    assert law.alternative.sum() == pytest.approx(1.0, abs=OMITTED)
    assert np.all(law.null >= 0.0)


@pytest.mark.parametrize(
    "mechanism", [Gaussian(1.0, 0.01, 1000), Gaussian(0.6, 0.01, 1000), Gaussian(1.0, 1.0, 20), Laplace(1.0, 0.1, 100)]
)
def test_sums_of_many_steps_have_one_hill_and_no_comb(mechanism: SampledMechanism) -> None:
    law = mechanism.statistic()
    for mass in (law.null, law.alternative):
        top = int(np.argmax(mass))
        falls_before, rises_after = -np.diff(mass[: top + 1]), np.diff(mass[top:])
        assert max(falls_before.max(), rises_after.max()) < OF_THE_PEAK * mass.max()


def test_statistic_of_gaussian_noise_is_gaussian() -> None:
    """Log-likelihood ratio of N(mu, 1) against N(0, 1): N(-mu^2/2, mu^2) without the record."""
    law, mu = Gaussian(0.5).statistic(), 2.0
    edges = np.append(law.loss, law.loss[-1] + law.loss[1] - law.loss[0]) - 0.5 * (law.loss[1] - law.loss[0])
    assert law.null == pytest.approx(np.diff(ndtr((edges + mu**2 / 2) / mu)), abs=BIN)
    assert law.alternative == pytest.approx(np.diff(ndtr((edges - mu**2 / 2) / mu)), abs=BIN)


ROUNDING = 1e-12  # of a closed form that is bracketed to 1e-13
FINE = Precision(width=1e-6)


@given(st.floats(0.05, 6.0), st.floats(0.0, 0.1), st.floats(0.05, 5.0))
@settings(max_examples=25)
def test_regret_is_the_least_shift_that_keeps_the_curve_below(epsilon, delta, mu):
    """The definition at 20,001 rates, about which a grid of the same size knows 5e-5."""
    alpha = np.array([0.0, (1.0 - delta) / (1.0 + np.exp(epsilon)), 1.0 - delta, 1.0])
    beta = np.array([1.0 - delta, alpha[1], 0.0, 0.0])
    found = regret_of_corners(alpha, beta, mu)
    grid = np.linspace(0.0, 1.0, 20_001)
    level = ndtr(-mu - ndtri(grid))

    def exceeds(shift):
        return np.max(np.interp(grid + shift, alpha, beta, right=0.0) - shift - level)

    assert exceeds(found) <= ROUNDING
    if found > 1e-3:
        assert exceeds(found - 1e-3) > 0.0


def test_regret_of_a_curve_that_is_not_convex():
    """Its farthest point is a corner, which no edge has inside."""
    alpha, beta = np.array([0.0, 0.3, 0.6, 1.0]), np.array([0.7, 0.65, 0.1, 0.0])
    found = regret_of_corners(alpha, beta, 1.0)
    grid = np.linspace(0.0, 1.0, 100_001)
    level = ndtr(-1.0 - ndtri(grid))
    excess = [np.max(np.interp(grid + at, alpha, beta) - at - level) for at in (found, found - 1e-3)]
    assert excess[0] <= 1e-9 < excess[1]


@given(mechanism=ANY)
@settings(max_examples=8)
def test_the_curve_lies_no_farther_above_the_reported_one_than_the_regret(mechanism):
    floor = 1e-6
    mu, found = mechanism.gaussian_mu(floor, CHEAP).upper, mechanism.gaussian_regret(floor, CHEAP)
    assert 0.0 <= found.lower <= found.estimate <= found.upper <= 0.5
    if not np.isfinite(mu):
        return
    at = np.linspace(0.0, 1.0, 501)
    shifted = np.minimum(at + found.upper + 1e-9, 1.0)
    safe, _, reached = mechanism.certified(CHEAP).trade_off(shifted, Order.SYMMETRIC)
    level = ndtr(-mu - ndtri(at))
    if mechanism.closed_form is None:
        assert np.all(reached.beta - found.upper <= level + 1e-9)
    assert np.all(safe.beta - found.upper <= level + 1e-9)
