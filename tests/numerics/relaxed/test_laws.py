"""Laws of an attacker who does not know the record: for every mechanism, sampling rate and number of steps.

A mechanism whose noise the relaxed model does not know is refused by name, which is as right as an answer.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics import relaxed
from numerics.mechanisms import Composition, Gaussian, Laplace
from numerics.mechanisms.whole_numbers import WholeNumberMechanism
from numerics.relaxed import RelaxedTest
from numerics.trade_off import Bound, Order, alpha_grid
from numerics.unsupported import UnsupportedError
from tests.strategies import KNOWN, SAMPLED, log_uniform

ALPHA = np.concatenate(([0.0], alpha_grid(41, 1e-9)[1:]))
OPPOSITE = {Order.ADD: Order.REMOVE, Order.REMOVE: Order.ADD, Order.SYMMETRIC: Order.SYMMETRIC}
ROUNDING = 1e-9
INTERPOLATED = 1e-6  # one statistic, between 250 thresholds
CLOSED_FORM = 1e-11  # a quantile and back
CHORDS = 4e-3  # what chords between neighbours of 201 points add to the gap


def phase(kind, signal, rate, steps):
    """Noise such that all steps together say about as much as one of effect size ``signal``."""
    return kind(max(rate * np.sqrt(steps) / signal, 0.3), rate, steps)


RATES = st.one_of(st.just(1.0), log_uniform(1e-5, 1.0), st.floats(0.7, 0.9999))
STEPS = log_uniform(1.0, 3000.0).map(round)
ADDED = st.builds(phase, st.sampled_from(KNOWN), log_uniform(0.05, 4.0), RATES, STEPS)
"""Neither hides all nor gives all away."""


def curve(release, order=Order.ADD, test=RelaxedTest.MINIMAX, alpha=ALPHA, **options):
    return relaxed.trade_off(release, alpha, order=order, test=test, **options)


@settings(max_examples=5)
@given(st.one_of(ADDED, ADDED, st.tuples(ADDED, ADDED).map(Composition)), st.sampled_from(Order))
def test_every_curve_keeps_the_laws(release, order):
    found, full = curve(release, order), release.trade_off(ALPHA, order)
    # Error rates are rates: falling, convex, no better than guessing, and the error stated holds both sides.
    assert np.all((found.beta >= 0.0) & (found.beta <= (1.0 - ALPHA) * (1.0 + ROUNDING) + found.error))
    assert np.all(np.abs(found.beta + found.power - 1.0) <= ROUNDING + found.error)
    assert np.all(np.diff(found.beta) <= ROUNDING + found.error)
    both = ALPHA[2:] - ALPHA[:-2]
    share = np.diff(ALPHA)[:-1] / both
    chord = found.power[:-2] + share * (found.power[2:] - found.power[:-2])
    assert np.all(found.power[1:-1] >= chord - ROUNDING - 2.0 * found.error)
    assert np.all((found.least.power <= found.power) & (found.power <= found.most.power))
    assert np.all(np.maximum(found.most.power - found.power, found.power - found.least.power) <= found.error)
    # Who knows less never finds more, whatever the error stated, and what takes part seldom is found seldom.
    safe = full.lower or full
    assert np.all(found.most.power <= safe.power * (1.0 + ROUNDING))
    assert np.all(found.most.beta >= safe.beta * (1.0 - ROUNDING))
    if order is Order.ADD:
        taking_part = 1.0 - np.prod([(1.0 - part.sampling_rate) ** part.steps for part in release.phases])
        assert np.all(found.power <= ALPHA + taking_part + ROUNDING)
    at = relaxed.power(release, ALPHA[12], order=order)
    assert at.lower <= at.estimate <= at.upper
    assert at.estimate == pytest.approx(found.power[12], abs=ROUNDING + found.error)
    # No statistic beats the guarantee: neither the magnitude of the mean nor the product of folded steps.
    tests = [RelaxedTest.FOLDED_STEPS, *([RelaxedTest.MAGNITUDE] if isinstance(release, Gaussian) else [])]
    for test in tests:
        one = curve(release, order, test)
        assert one.bound in (Bound.UPPER, Bound.EXACT)
        assert np.all(one.power <= found.most.power * (1.0 + INTERPOLATED))
        if found.bound is Bound.ESTIMATE:
            assert np.all(found.least.power >= one.power * (1.0 - INTERPOLATED))
            assert np.all(found.least.beta <= one.beta * (1.0 + INTERPOLATED))
    # The opposite direction is the inverse, and both directions joined are their own mirror image.
    inside = (found.beta > 1e-3) & (found.beta < 0.9) & (ALPHA > 1e-3)
    if np.any(inside):
        back = curve(release, OPPOSITE[order], alpha=found.beta[inside][::-1])
        # An error of the power moves alpha by that over the slope, at most 1 / alpha for a convex curve.
        room = ROUNDING + back.error + found.error / np.minimum(found.beta, ALPHA)[inside]
        assert np.all(np.abs(back.beta[::-1] - ALPHA[inside]) <= room)


@settings(max_examples=2)
@given(ADDED, st.floats(0.1, 0.9), log_uniform(1.05, 3.0))
def test_releases_beside_each_other(release, share, factor):
    """Steps in two phases are the same release; more noise, a lower rate and fewer steps are safer."""
    whole, alpha = curve(release), ALPHA[::4]
    first = min(max(1, int(share * release.steps)), max(release.steps - 1, 1))
    parts = tuple(replace(release, steps=steps) for steps in (first, release.steps - first) if steps)
    split = curve(Composition(parts))
    np.testing.assert_allclose(split.power, whole.power, rtol=ROUNDING, atol=split.error + whole.error + ROUNDING)
    for safer in (
        release.with_noise(release.noise_multiplier * factor),
        replace(release, sampling_rate=release.sampling_rate / factor),
        parts[0],
    ):
        less = curve(safer, alpha=alpha)
        assert np.all(less.power <= whole.power[::4] + less.error + whole.error + ROUNDING)
    fine = curve(release, alpha=alpha_grid(201))  # chords between the points are in the upper end of the advantage
    advantage, gap = relaxed.advantage(fine), float(np.max(fine.power - fine.alpha))
    assert advantage.lower <= gap + ROUNDING
    assert advantage.estimate == pytest.approx(gap, abs=ROUNDING)
    assert gap + fine.error - ROUNDING <= advantage.upper <= gap + fine.error + CHORDS


@settings(max_examples=8)
@given(
    st.sampled_from([Gaussian, Laplace]),
    log_uniform(0.02, 12.0),
    st.one_of(st.just(1.0), log_uniform(0.01, 1.0)),
    st.sampled_from([1, 2, 3, 10, 300, 40_001, 10**6, 3 * 10**8]),
)
def test_laws_of_the_closed_forms(kind, mu, rate, dimension):
    dimension, grid = 1 if kind is Laplace else dimension, alpha_grid(41)
    mechanism = kind(1.0 / mu, rate)
    curves = [curve(mechanism, order, alpha=grid, dimension=dimension) for order in Order]
    for found, order in zip(curves, Order, strict=True):
        assert found.bound is Bound.EXACT
        assert np.all(found.beta >= mechanism.trade_off(grid, order).beta - CLOSED_FORM)
        assert np.all(found.beta <= 1.0 - grid + CLOSED_FORM)
        np.testing.assert_allclose(found.beta + found.power, 1.0, rtol=1e-14)
        slopes = np.diff(found.beta) / np.diff(grid)
        # A slope loses digits to the difference of the betas, and of their rounding, over that of the alphas.
        assert np.all(np.diff(slopes) >= -4.0 * CLOSED_FORM / np.minimum(np.diff(grid)[1:], np.diff(grid)[:-1]))
    j, inverse, both = curves
    if kind is Gaussian:
        assert np.all(curve(mechanism, alpha=grid, dimension=3 * dimension).power <= j.power + CLOSED_FORM)
    assert np.all(both.beta <= np.minimum(j.beta, inverse.beta) + CLOSED_FORM)
    keep = (inverse.beta > 1e-9) & (inverse.beta < 1.0 - 1e-9) & (grid > 0.0) & (grid < 1.0)
    back = curve(mechanism, alpha=inverse.beta[keep][::-1], dimension=dimension).beta[::-1]
    np.testing.assert_allclose(back, grid[keep], rtol=1e-6, atol=1e-10)


def test_another_noise_is_refused_by_its_name():
    for unknown in (kind for kind in SAMPLED if kind not in KNOWN and not issubclass(kind, WholeNumberMechanism)):
        for release in (unknown(2.0, 0.5, 3), Composition((Gaussian(2.0), unknown(2.0)))):
            with pytest.raises(UnsupportedError, match=f"(?i){unknown.name}"):
                curve(release)
