"""The curve of who does not know the record, against what shares no code with it: cells, and sums."""

from functools import reduce

import numpy as np
import pytest
from scipy import stats
from scipy.special import ndtr, ndtri

from numerics import relaxed
from numerics.mechanisms import Composition, Gaussian, Laplace
from numerics.mechanisms.logistic import Logistic
from numerics.relaxed import Reading
from numerics.trade_off import Order, alpha_grid
from tests.numerics.relaxed.relaxed_adapter import by_lattice, by_spectrum, found_before_bounds
from tests.numerics.relaxed.test_table import TABLE

ALPHA = np.array([1e-6, 1e-3, 0.01, 0.1, 0.5, 0.9, 0.99])
STATED = 1e-6  # largest error stated for many steps of much noise
CELLS = 1e-4  # what 800 cells tell less than the value itself
NOISE = {Gaussian: stats.norm, Laplace: stats.laplace, Logistic: stats.logistic}


def power_by_cells(release, alpha, order):
    """Of the best test who is told in which cell each of a few steps lies, which is never better than the best of all:
    outcomes sorted by their likelihood ratio.
    """
    noise, rate = release.noise_multiplier, release.sampling_rate
    furthest = 1.0 + noise * (5.0 if isinstance(release, Gaussian) else 12.0)
    edges = np.unique(np.concatenate((np.linspace(-furthest, furthest, 400), np.linspace(-1.0, 1.0, 400))))
    cumulative = [NOISE[type(release)].cdf(edges, centre, noise) for centre in (0.0, 1.0, -1.0)]
    absent, *sides = (np.diff([0.0, *below, 1.0]) for below in cumulative)
    one_step = absent, *((1.0 - rate) * absent + rate * side for side in sides)
    q, *either = (reduce(np.multiply.outer, [masses] * release.steps).ravel() for masses in one_step)
    q, p = (q, 0.5 * (either[0] + either[1]))[:: -1 if order is Order.REMOVE else 1]
    kept = (p > 0.0) | (q > 0.0)
    with np.errstate(divide="ignore"):
        best = np.argsort(np.log(q[kept]) - np.log(p[kept]))
    false, found = (np.append(0.0, np.cumsum(mass[kept][best])) for mass in (q, p))
    return np.interp(alpha, false, found)


@pytest.mark.parametrize(("question", "direction"), TABLE.parts["two_steps"])
def test_two_steps_against_the_best_test_on_cells(question, direction):
    """The error of a lattice comes and goes with alpha: it has to be stated."""
    release, order = eval(question, TABLE.names), Order[direction]
    alpha = np.array([0.01, 0.1, 0.8])
    reached, found = power_by_cells(release, alpha, order), relaxed.trade_off(release, alpha, order=order)
    assert np.all((found.least.power - CELLS <= reached) & (reached <= found.most.power))
    assert np.all(np.abs(found.power - reached) <= CELLS + found.most.power - found.least.power)


def power_of_mean(release, alpha, dimension):
    """Of the magnitude of the mean of Gaussian steps: a sum over how many of them the record takes part in."""
    law = stats.binom(release.steps, release.sampling_rate)
    count = np.arange(law.ppf(1e-15), law.isf(1e-15) + 1.0)
    centre = count / np.sqrt(release.steps) / release.noise_multiplier
    if dimension == 1:
        critical = -ndtri(0.5 * alpha)[:, None]
        found = ndtr(centre - critical) + ndtr(-centre - critical)
    else:
        found = stats.ncx2.sf(stats.chi2.isf(alpha, dimension)[:, None], dimension, centre**2)
    return found @ law.pmf(count)


MUCH_NOISE = Gaussian(10.0, 0.7, 300), Gaussian(50.0, 0.98, 3000), Gaussian(3.35, 0.957, 6), Gaussian(1e6, 1e-12, 2)


@pytest.mark.parametrize("release", MUCH_NOISE, ids=lambda release: release.label)
def test_the_guarantee_allows_what_the_magnitude_of_the_mean_finds(release):
    """It lay below that by up to 43 times its stated error, towards rate 1."""
    curve, sums = relaxed.trade_off(release, ALPHA), power_of_mean(release, ALPHA, 1)
    assert np.all(curve.most.power >= sums - 1e-12)
    assert np.all(curve.power >= sums - curve.error - 1e-12)
    assert np.all(curve.most.power <= ALPHA + release.participation)
    assert curve.error < (STATED if release.steps > 6 else 1e-3)
    for dimension in (1, 7) if release.steps < 1000 else (1,):
        found = relaxed.trade_off(release, ALPHA, dimension=dimension, reading=Reading.MAGNITUDE)
        # interpolated between 250 thresholds
        np.testing.assert_allclose(found.power, power_of_mean(release, ALPHA, dimension), rtol=1e-4)


@pytest.mark.parametrize(("noise", "steps"), [(20.0, 3000), (300.0, 1_000_000)])
@pytest.mark.parametrize("order", [Order.ADD, Order.REMOVE])
def test_the_numerical_test_at_rate_1_is_the_closed_form(noise, steps, order):
    """One of its two sums is a constant there, and only its blur is left of it."""
    release = Gaussian(noise, 1.0, steps)
    found, exact = found_before_bounds(release, ALPHA, order), relaxed.trade_off(release, ALPHA, order=order)
    room = np.maximum(found.error, 2e-8)  # the spline between 160 thresholds, and the blur
    assert np.all(np.abs(found.power - exact.power) <= room)
    assert np.all(np.abs(found.beta - exact.beta) <= room)
    assert np.all(found.error < STATED)


@pytest.mark.parametrize(
    "phases",
    [
        (Laplace(3.0, 0.5, 30), Gaussian(2.0, 0.5, 5)),
        (Gaussian(4.0, 1.0, 6), Laplace(5.0, 0.7, 40), Gaussian(2.0, 0.1, 30)),
    ],
    ids=str,
)
def test_several_phases_by_two_methods(phases):
    """Characteristic functions, and the convolution of masses on a lattice."""
    alpha = np.array([1e-6, 1e-3, 0.1, 0.5, 0.9, 0.999])
    for order in (Order.ADD, Order.REMOVE):
        found, other = (by(Composition(phases), alpha, order) for by in (by_spectrum, by_lattice))
        assert found == pytest.approx(other, abs=3e-4)


@pytest.mark.nightly
def test_every_participation_is_certain_exposure():
    assert relaxed.power(Gaussian(0.05, 0.1, 100), 1e-6).estimate == pytest.approx(1.0 - 0.9**100, abs=1e-6)


@pytest.mark.parametrize("order", Order)
def test_hypotheses_too_far_apart_for_the_grid_are_enclosed(order):
    """One statistic tells them apart but for 4e-7: the guarantee, taken for certain exposure, does not deny that."""
    release, alpha = Laplace(1.46279, 1.0, 1323), np.array([1e-9, 1e-6])
    curve = relaxed.trade_off(release, alpha, order=order)
    reached = relaxed.trade_off(release, alpha, order=order, reading=Reading.FOLDED_STEPS)
    assert np.all(curve.power >= reached.power)
    assert np.all(curve.power - curve.error <= reached.power + 1e-8)
    assert curve.error < 1e-4


NIGHTLY = (pytest.param(*row, marks=pytest.mark.nightly) for row in TABLE.parts["little_noise_nightly"])


@pytest.mark.parametrize(("question", "direction"), [*TABLE.parts["little_noise"], *NIGHTLY])
def test_little_noise_at_low_rates_stays_between_its_bounds(question, direction):
    release, order, alpha = eval(question, TABLE.names), Order[direction], alpha_grid(31)
    found, full = relaxed.trade_off(release, alpha, order=order), release.trade_off(alpha, order)
    assert np.all(found.power <= full.lower.power * (1.0 + 1e-9) + 1e-12)
    # Both brackets of the steps' product: that of the enclosure is wider.
    reached = (1.0 - 0.02) * relaxed.trade_off(release, alpha, order=order, reading=Reading.FOLDED_STEPS).power
    assert np.all(found.power >= reached - np.where(alpha <= 1e-3, 0.0, 1e-4))
