"""Laws of trade-off curves: for every mechanism, whatever its parameters, and for both sides of its bracket."""

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.mechanisms import Adjacency, Composition, Gaussian, SampledMechanism, Sampling
from numerics.mechanisms.analysis import Analysis
from numerics.privacy_loss.vertices import Corners
from numerics.trade_off import Order, TradeOffCurve
from tests.sides import ALPHA, ANY, CHEAP, ROUNDING, assert_closed_form_is_bracketed, sides
from tests.strategies import log_uniform, single

# Every half of a guarantee is moved by an allowance of its own for rounding, at most this where steps say much.
ALLOWANCE = 0.01 * CHEAP.width
EXAMPLES = 60
ORDERS = st.sampled_from(Order)
Sides = tuple[TradeOffCurve | Corners, ...]


@settings(max_examples=EXAMPLES)
@given(mechanism=ANY, order=ORDERS)
def test_every_curve_keeps_the_laws(mechanism, order):
    """All laws of one mechanism's curves, which are what takes the time."""
    drawn = {each: sides(mechanism, order=each) for each in Order}
    error_rates_are_rates(drawn[order])
    the_guarantee_is_below_the_estimate_and_that_below_the_attack(drawn[order])
    the_guarantee_is_convex(drawn[order][0])
    for alone in (Order.ADD, Order.REMOVE):
        both_orders_joined_are_no_safer_than_either(drawn[Order.SYMMETRIC], drawn[alone])
    both_orders_joined_are_their_own_mirror_image(mechanism, drawn[Order.SYMMETRIC])
    the_orders_are_inverse_to_each_other(mechanism, drawn[Order.ADD])


def error_rates_are_rates(drawn: Sides) -> None:
    """0 <= beta <= 1 - alpha, power = 1 - beta >= alpha, beta falls; on every side."""
    for curve in drawn:
        assert np.all(curve.beta >= 0.0)  # NaN fails as well
        assert np.all(curve.beta <= (1.0 - ALPHA) * (1.0 + ROUNDING))
        assert np.all(curve.power >= ALPHA * (1.0 - ROUNDING))
        assert np.all(curve.power <= 1.0)
        assert np.all(np.abs(curve.beta + curve.power - 1.0) <= ROUNDING)
        assert np.all(np.diff(curve.beta) <= 0.0)
        assert np.all(np.diff(curve.power) >= 0.0)


def the_guarantee_is_below_the_estimate_and_that_below_the_attack(drawn: Sides) -> None:
    safe, shown, reached = drawn
    for low, high in ((safe, shown), (shown, reached)):
        # Rates near 1 are rounded to 1e-16; small ones keep all digits.
        assert np.all(low.beta <= high.beta * (1.0 + 1e-14) + (high.beta > 0.1) * 2e-16)
        assert np.all(high.power <= low.power * (1.0 + 1e-14) + (low.power > 0.1) * 2e-16)


def the_guarantee_is_convex(safe: TradeOffCurve | Corners) -> None:
    """It is the trade-off function of a pair of laws; rounding moves every point by an allowance of its own."""
    share = np.diff(ALPHA)[:-1] / (ALPHA[2:] - ALPHA[:-2])
    for values in (safe.beta, -safe.power):  # each on the axis that keeps its digits
        chord = values[:-2] + share * (values[2:] - values[:-2])
        assert np.all(values[1:-1] <= chord + ALLOWANCE)


def both_orders_joined_are_no_safer_than_either(joined: Sides, alone: Sides) -> None:
    assert np.all(joined[0].power >= alone[2].power * (1.0 - ROUNDING))
    for side in (0, 2):
        # Guarantees carry their own allowances for rounding; where the error is below them they say nothing.
        says_something = alone[side].beta > ROUNDING
        assert np.all((joined[side].power >= alone[side].power * (1.0 - ROUNDING) - 1e-12)[says_something])


def both_orders_joined_are_their_own_mirror_image(mechanism: Analysis, joined: Sides) -> None:
    for side in (0, 2):
        curve = joined[side]
        inside = (curve.beta > 1e-11) & (curve.beta < 0.9) & (ALPHA > 1e-11)
        again = sides(mechanism, np.sort(curve.beta[inside]), Order.SYMMETRIC)[side]
        # Beta near 1 has no digits left to return to alpha.
        np.testing.assert_allclose(again.beta[::-1], ALPHA[inside], rtol=1e-4, atol=1e-11)


def the_orders_are_inverse_to_each_other(mechanism: Analysis, added: Sides) -> None:
    """Alpha and beta of the add-one test are beta and alpha of the remove-one test, within the bracket."""
    safe, _, reached = added
    for curve, outer in ((reached, 0), (safe, 2)):
        inside = (curve.beta > 0.0) & (curve.beta < 1.0 - 1e-9) & (ALPHA > 0.0)
        back = sides(mechanism, curve.beta[inside][::-1], Order.REMOVE)[outer]
        sign = 1.0 if outer == 0 else -1.0
        assert np.all(sign * (back.beta[::-1] - ALPHA[inside]) <= 1e-9 * ALPHA[inside] + 1e-13)


@settings(max_examples=EXAMPLES)
@given(mechanism=ANY, factor=log_uniform(1.001, 3.0), what=st.sampled_from(["noise", "rate", "steps"]))
def test_more_noise_a_lower_rate_and_fewer_steps_are_safer(mechanism, factor, what):
    """The attack on the safer mechanism never beats the guarantee of the other."""
    if what == "noise" and not all(phase.is_ordered_by_noise for phase in mechanism.phases):
        return
    safer = eased(mechanism, factor, what)
    for order in Order:
        safe, reached = sides(mechanism, order=order)[0], sides(safer, order=order)[2]
        assert np.all(reached.power <= safe.power * (1.0 + ROUNDING) + 1e-15)
    assert safer.advantage(CHEAP).lower <= mechanism.advantage(CHEAP).upper + ROUNDING
    assert safer.auc(CHEAP).lower <= mechanism.auc(CHEAP).upper + ROUNDING
    bounds = (m.epsilon(1e-5, np.inf, CHEAP) for m in (safer, mechanism))
    assert next(bounds).lower <= next(bounds).upper * (1.0 + ROUNDING)


def eased(mechanism: SampledMechanism | Composition, factor: float, what: str) -> SampledMechanism | Composition:
    """The same with more noise, a lower rate or fewer steps."""
    if isinstance(mechanism, Composition):
        return Composition((*mechanism.phases[:-1], eased_phase(mechanism.phases[-1], factor, what)))
    return eased_phase(mechanism, factor, what)


def eased_phase(phase: SampledMechanism, factor: float, what: str) -> SampledMechanism:
    noise, rate, steps = phase.noise_multiplier, phase.sampling_rate, phase.steps
    if what == "noise":
        return phase.with_noise(noise * factor)
    if what == "rate" and phase.is_sampled:
        return replace(phase, sampling_rate=rate / factor)
    return replace(phase, steps=max(1, int(steps / factor)))


@settings(max_examples=EXAMPLES)
@given(mechanism=single(largest_steps=1, noise=(0.2, 1e3)), order=ORDERS)
def test_composed_once_contains_the_closed_form(mechanism, order):
    assert_closed_form_is_bracketed(mechanism, order)


@settings(max_examples=20)
@given(mechanism=single(noise=(0.2, 300.0)), order=ORDERS)
def test_a_composition_of_one_phase_is_that_phase(mechanism, order):
    for one, other in zip(sides(mechanism, order=order), sides(Composition((mechanism,)), order=order), strict=True):
        assert np.array_equal(one.power, other.power)
        assert np.array_equal(one.beta, other.beta)
    assert mechanism.advantage(CHEAP) == Composition((mechanism,)).advantage(CHEAP)


@settings(max_examples=30)
@given(noise=log_uniform(0.5, 1e3), steps=log_uniform(1.0, 5000.0).map(round), adjacency=st.sampled_from(Adjacency))
def test_unsampled_gaussian_steps_contain_their_closed_form(noise, steps, adjacency):
    mechanism = Gaussian(noise * np.sqrt(steps), steps=steps, adjacency=adjacency)
    exact = mechanism.trade_off(ALPHA)
    safe, _, reached = mechanism.certified(CHEAP).trade_off(ALPHA, Order.ADD)
    assert np.all(safe.power >= exact.power * (1.0 - ROUNDING) - 1e-15)
    assert np.all(reached.power <= exact.power * (1.0 + ROUNDING))


@settings(max_examples=EXAMPLES)
@given(mechanism=single(noise=(0.2, 300.0)), share=st.floats(0.05, 0.95))
def test_steps_split_into_two_phases_have_the_same_answer(mechanism, share):
    if mechanism.steps < 2 or mechanism.sampling is Sampling.SHUFFLED:  # a phase begins with another shuffle
        return
    first = min(max(1, int(share * mechanism.steps)), mechanism.steps - 1)
    parts = [replace(mechanism, steps=steps) for steps in (first, mechanism.steps - first)]
    split = Composition(tuple(parts))
    for order in Order:
        whole, halves = sides(mechanism, order=order), sides(split, order=order)
        for one, other in ((whole, halves), (halves, whole)):
            assert np.all(one[2].power <= other[0].power * (1.0 + ROUNDING) + 1e-15)


def test_conventions_say_how_neighbours_differ():
    assert "differ by the presence of one record (add/remove)" in Adjacency.ADD_REMOVE.sentence
    assert "differ in the value of one record (replace-one)" in Adjacency.REPLACE_ONE.sentence
