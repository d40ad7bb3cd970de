"""The curve of who does not know the record, against what shares no code with it: cells, sums, draws."""

from functools import reduce

import numpy as np
import pytest

from numerics import relaxed
from numerics.mechanisms import Composition, Gaussian, Laplace
from numerics.relaxed import RelaxedTest
from numerics.trade_off import Order, alpha_grid
from tests.numerics import oracle
from tests.numerics.relaxed.relaxed_adapter import by_lattice, by_spectrum, found_before_bounds
from tests.numerics.relaxed.test_table import TABLE

ALPHA = np.array([1e-6, 1e-3, 0.01, 0.1, 0.5, 0.9, 0.99])
ROUNDING = 1e-8
STATED = 1e-6  # largest error stated for many steps of much noise


@pytest.mark.parametrize(("question", "direction", "expected"), TABLE.parts["two_steps"])
def test_two_steps_against_the_best_test_on_cells(question, direction, expected):
    """The error of a lattice comes and goes with alpha: it has to be stated."""
    release, order, alpha = eval(question, TABLE.names), Order[direction], np.array([1e-3, 0.1, 0.5, 0.9])
    found = relaxed.trade_off(release, alpha, order=order)
    assert found.power == pytest.approx(expected, abs=4e-5)
    assert 1.0 - found.beta == pytest.approx(expected, abs=4e-5)
    assert np.all((found.least.power - 2e-6 <= expected) & (expected <= found.most.power + 2e-6))


@pytest.mark.parametrize(("question", "cells"), TABLE.parts["outcomes"])
def test_the_even_mixture_of_both_sides_by_all_outcomes(question, cells):
    """All outcomes of all steps, sorted by their likelihood ratio; of noise on the line small cells of one step."""
    release = eval(question, TABLE.names)
    above, absent = oracle.step(release)
    up, down, q = (reduce(np.multiply.outer, [law] * release.steps).ravel() for law in (above, above[::-1], absent))
    for order, laws in {Order.ADD: (0.5 * (up + down), q), Order.REMOVE: (q, 0.5 * (up + down))}.items():
        best, found = oracle.power(laws, ALPHA), relaxed.trade_off(release, ALPHA, order=order)
        assert np.all(found.least.power - cells <= best * (1.0 + ROUNDING))
        assert np.all(best <= found.most.power * (1.0 + ROUNDING))
        assert found.error < 2e-3


@pytest.mark.parametrize("row", TABLE.parts["drawn"], ids=lambda row: row[0])
def test_the_best_test_against_a_million_draws(row):
    release, drawn, standard_error = eval(row[0], TABLE.names), np.array(row[1]), np.array(row[2])
    alpha, room = np.array([1e-3, 0.01, 0.1, 0.5]), 5.0 * standard_error + 1e-4 * drawn  # by the search for thresholds
    curve, (_, before, error) = relaxed.trade_off(release, alpha), found_before_bounds(release, alpha)
    for power, least, most in (
        (before, before - error, before + error),
        (curve.power, curve.least.power, curve.most.power),
    ):
        assert np.all((least - room <= drawn) & (drawn <= most + room))
        assert power == pytest.approx(drawn, rel=0.3)  # where little is stated to be known


@pytest.mark.parametrize(("noise", "steps"), [(20.0, 3000), (300.0, 1_000_000)])
@pytest.mark.parametrize("order", [Order.ADD, Order.REMOVE])
def test_the_numerical_test_at_rate_1_is_the_closed_form(noise, steps, order):
    """One of its two sums is a constant there, and only its blur is left of it."""
    release = Gaussian(noise, 1.0, steps)
    exact, found = relaxed.trade_off(release, ALPHA, order=order), found_before_bounds(release, ALPHA, order)
    beta, power, error = found
    room = np.maximum(error, 2e-8)  # the spline between 160 thresholds, and the blur
    assert np.all(np.abs(power - exact.power) <= room)
    assert np.all(np.abs(beta - exact.beta) <= room)
    assert np.all(error < STATED)


@pytest.mark.parametrize("order", [Order.ADD, Order.REMOVE])
def test_several_phases_by_two_methods(order):
    """Characteristic functions, and the convolution of masses on a lattice."""
    release = Composition((Gaussian(4.0, 1.0, 6), Laplace(5.0, 0.7, 40), Gaussian(2.0, 0.1, 30)))
    found, other = (by(release, ALPHA, order) for by in (by_spectrum, by_lattice))
    assert found == pytest.approx(other, abs=3e-4)


@pytest.mark.nightly
def test_every_participation_is_certain_exposure():
    assert relaxed.power(Gaussian(0.05, 0.1, 100), 1e-6).estimate == pytest.approx(1.0 - 0.9**100, abs=1e-6)


NIGHTLY = (pytest.param(*row, marks=pytest.mark.nightly) for row in TABLE.parts["little_noise_nightly"])


@pytest.mark.parametrize(("question", "direction"), [*TABLE.parts["little_noise"], *NIGHTLY])
def test_little_noise_at_low_rates_stays_between_its_bounds(question, direction):
    release, order, alpha = eval(question, TABLE.names), Order[direction], alpha_grid(31)
    found, full = relaxed.trade_off(release, alpha, order=order), release.trade_off(alpha, order)
    assert np.all(found.power <= full.lower.power * (1.0 + 1e-9) + 1e-12)
    # Both brackets of the steps' product: that of the enclosure is wider.
    reached = (1.0 - 0.02) * relaxed.trade_off(release, alpha, order=order, test=RelaxedTest.FOLDED_STEPS).power
    off = np.where(alpha <= 1e-3, 0.0, 1e-4)
    assert np.all(found.power >= reached - off)
