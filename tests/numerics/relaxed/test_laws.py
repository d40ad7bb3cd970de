"""Laws of an attacker who does not know the record: for every mechanism, sampling rate and number of steps.

A mechanism whose noise the relaxed model does not know is refused by name, which is as right as an answer.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics import relaxed
from numerics.mechanisms import Composition, Gaussian, Laplace, SampledMechanism
from numerics.not_offered import NotOfferedError
from numerics.privacy_loss import Precision
from numerics.relaxed import Reading, RelaxedCurve
from numerics.trade_off import Bound, Order, alpha_grid
from tests.strategies import KNOWN, SAMPLED, log_uniform

ALPHA = np.concatenate(([0.0], alpha_grid(41, 1e-9)[1:]))
ORDERS = st.sampled_from(Order)
OPPOSITE = {Order.ADD: Order.REMOVE, Order.REMOVE: Order.ADD, Order.SYMMETRIC: Order.SYMMETRIC}
ROUNDING = 1e-9
INTERPOLATED = 1e-6  # one statistic, between 250 thresholds
CLOSED_FORM = 1e-11  # a quantile and back
CHORDS = 2e-3  # what chords between neighbours of 401 points add to the gap
RATES = st.one_of(st.just(1.0), log_uniform(1e-5, 1.0), st.floats(0.7, 0.9999))


def phase(kind: type[SampledMechanism], signal: float, rate: float, steps: int) -> SampledMechanism:
    """Noise such that all steps together say about as much as one of effect size ``signal``."""
    return kind(max(rate * np.sqrt(steps) / signal, 0.3), rate, steps)


def added(kinds: tuple[type[SampledMechanism], ...] = KNOWN) -> st.SearchStrategy[SampledMechanism]:
    """One phase under add/remove adjacency that neither hides all nor gives all away."""
    steps = log_uniform(1.0, 3000.0).map(round)
    return st.builds(phase, st.sampled_from(kinds), log_uniform(0.05, 4.0), RATES, steps)


UNKNOWN = tuple(kind for kind in SAMPLED if kind not in KNOWN)
RELEASES = st.one_of(added(), added(), st.tuples(added(), added()).map(Composition))


def curve(release, order: Order = Order.ADD, reading: Reading = Reading.MINIMAX, alpha=ALPHA, **options):
    return relaxed.trade_off(release, alpha, order=order, reading=reading, **options)


@pytest.mark.parametrize("unknown", UNKNOWN)
def test_another_noise_is_refused_by_its_name(unknown):
    for release in (unknown(2.0, 0.5, 3), Composition((Gaussian(2.0), unknown(2.0)))):
        with pytest.raises(NotOfferedError, match=f"(?i){unknown.name}"):
            curve(release)


@settings(max_examples=15)
@given(release=RELEASES, order=ORDERS)
def test_every_curve_keeps_the_laws(release, order):
    """All laws of one curve, which is what takes the time."""
    found = curve(release, order)
    error_rates_are_rates(found)
    who_knows_less_never_finds_more(release, order, found)
    no_statistic_beats_the_guarantee(release, order, found)
    the_opposite_order_is_the_inverse(release, order, found)


def error_rates_are_rates(found: RelaxedCurve) -> None:
    assert np.all((found.beta >= 0.0) & (found.beta <= (1.0 - ALPHA) * (1.0 + ROUNDING) + found.error))
    assert np.all(np.abs(found.beta + found.power - 1.0) <= ROUNDING + found.error)
    assert np.all(np.diff(found.beta) <= ROUNDING + found.error)
    share = np.diff(ALPHA)[:-1] / (ALPHA[2:] - ALPHA[:-2])
    chord = found.power[:-2] + share * (found.power[2:] - found.power[:-2])
    assert np.all(found.power[1:-1] >= chord - ROUNDING - 2.0 * found.error)
    assert np.all((found.least.power <= found.power) & (found.power <= found.most.power))
    assert np.all(np.maximum(found.most.power - found.power, found.power - found.least.power) <= found.error)


def who_knows_less_never_finds_more(release, order: Order, found: RelaxedCurve) -> None:
    """RTM <= DP, with the whole error of an estimate, exactly; and what takes part seldom is found seldom."""
    full = release.trade_off(ALPHA, order, Precision())
    safe = full.lower or full
    assert np.all(found.most.power <= safe.power * (1.0 + ROUNDING))
    assert np.all(found.most.beta >= safe.beta * (1.0 - ROUNDING))
    at = relaxed.power(release, ALPHA[12], order=order)
    assert at.lower <= at.estimate <= at.upper
    assert at.estimate == pytest.approx(found.power[12], abs=ROUNDING + found.error)
    if order is Order.ADD:
        taking_part = 1.0 - np.prod([(1.0 - part.sampling_rate) ** part.steps for part in release.phases])
        assert np.all(found.power <= ALPHA + taking_part + ROUNDING)


def no_statistic_beats_the_guarantee(release, order: Order, allowed: RelaxedCurve) -> None:
    """What the magnitude of the mean (of one phase of Gaussian noise) and the product of folded steps find."""
    for reading in (Reading.MAGNITUDE, Reading.FOLDED_STEPS):
        if reading is Reading.MAGNITUDE and not isinstance(release, Gaussian):
            continue
        found = curve(release, order, reading)
        assert found.bound in (Bound.UPPER, Bound.EXACT)
        assert np.all(found.power <= allowed.most.power * (1.0 + INTERPOLATED))
        if allowed.bound is Bound.ESTIMATE:
            assert np.all(allowed.least.power >= found.power * (1.0 - INTERPOLATED))
            assert np.all(allowed.least.beta <= found.beta * (1.0 + INTERPOLATED))


def the_opposite_order_is_the_inverse(release, order: Order, there: RelaxedCurve) -> None:
    """And both orders joined are their own mirror image."""
    inside = (there.beta > 1e-3) & (there.beta < 0.9) & (ALPHA > 1e-3)
    if not np.any(inside):
        return
    again = curve(release, OPPOSITE[order], alpha=there.beta[inside][::-1])
    # An error of the power moves alpha by that over the slope, at most 1 / alpha for a convex curve.
    room = ROUNDING + again.error + there.error / np.minimum(there.beta, ALPHA)[inside]
    assert np.all(np.abs(again.beta[::-1] - ALPHA[inside]) <= room)


@settings(max_examples=6)
@given(release=added(), factor=log_uniform(1.05, 3.0), what=st.sampled_from(["noise", "rate", "steps"]))
def test_more_noise_a_lower_rate_and_fewer_steps_are_safer(release, factor, what):
    eased = {
        "noise": lambda: release.with_noise(release.noise_multiplier * factor),
        "rate": lambda: replace(release, sampling_rate=release.sampling_rate / factor),
        "steps": lambda: replace(release, steps=max(1, int(release.steps / factor))),
    }
    less, more = curve(eased[what]()), curve(release)
    assert np.all(less.power <= more.power + less.error + more.error + ROUNDING)


@settings(max_examples=6)
@given(release=added(), share=st.floats(0.1, 0.9))
def test_steps_in_two_phases_are_the_same_release(release, share):
    whole, first = curve(release), min(max(1, int(share * release.steps)), max(release.steps - 1, 1))
    parts = [replace(release, steps=steps) for steps in (first, release.steps - first) if steps]
    split = curve(Composition(tuple(parts)))
    np.testing.assert_allclose(split.power, whole.power, rtol=ROUNDING, atol=split.error + whole.error + ROUNDING)


@settings(max_examples=6)
@given(release=added())
def test_the_advantage_is_the_largest_gap(release):
    found = curve(release, alpha=alpha_grid(401))  # chords between the points are in its upper end
    advantage, gap = relaxed.advantage(found), float(np.max(found.power - found.alpha))
    assert advantage.lower <= gap + ROUNDING
    assert advantage.estimate == pytest.approx(gap, abs=ROUNDING)
    assert gap + found.error - ROUNDING <= advantage.upper <= gap + found.error + CHORDS
    if found.bound is Bound.EXACT:
        finer = curve(release, alpha=np.linspace(0.0, 1.0, 5001))
        assert np.max(finer.power - finer.alpha) <= advantage.upper + ROUNDING


EFFECTS, DIMENSIONS = log_uniform(0.02, 12.0), st.sampled_from([1, 2, 3, 10, 300, 40_001, 10**6, 3 * 10**8])


@settings(max_examples=15)
@given(st.sampled_from([Gaussian, Laplace]), EFFECTS, st.one_of(st.just(1.0), log_uniform(0.01, 1.0)), DIMENSIONS)
def test_laws_of_the_closed_forms(kind, mu, rate, dimension):
    dimension, grid = 1 if kind is Laplace else dimension, alpha_grid(101)
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


def test_assumptions_of_several_phases_hold_for_all_of_them() -> None:
    phases = (Gaussian(1.0, 0.01, 10), Gaussian(2.0, 0.1, 5), Gaussian(1.5, 0.02, 3))
    *own, adversary = Composition(phases).assumptions
    assert adversary == phases[0].assumptions[-1]
    assert set(own) == {text for each in phases for text in each.assumptions[:-1]}
    found = relaxed.trade_off(Composition(phases), np.array([1e-3]))
    assert set(own) < set(found.assumptions)
    assert adversary not in found.assumptions  # who knows the record is another attacker
