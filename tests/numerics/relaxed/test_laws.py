"""Laws of an attacker who does not know the record: for every mechanism, sampling rate and number of steps.

A mechanism whose noise the relaxed model does not know is refused by name, which is as right as an answer.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics import relaxed
from numerics.mechanisms import MECHANISMS, Adjacency, Composition, Gaussian, SampledMechanism
from numerics.not_offered import NotOfferedError, name_of
from numerics.privacy_loss import Precision
from numerics.relaxed import Reading, RelaxedCurve
from numerics.trade_off import Bound, Order, alpha_grid
from tests.secant import Secant
from tests.strategies import KINDS, KNOWN, SAMPLED, log_uniform

ALPHA = np.concatenate(([0.0], alpha_grid(41, 1e-9)[1:]))
ORDERS = st.sampled_from(Order)
OPPOSITE = {Order.ADD: Order.REMOVE, Order.REMOVE: Order.ADD, Order.SYMMETRIC: Order.SYMMETRIC}
ROUNDING = 1e-9
# What full knowledge reaches is known to this much.
FULL = Precision(width=1e-4, relative=5e-3)
CHORDS = 1e-4  # what a chord between neighbours of 401 points adds to the gap
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


def curve(release, order: Order = Order.ADD, reading: Reading = Reading.MINIMAX, alpha=ALPHA) -> RelaxedCurve:
    """The relaxed curve."""
    return relaxed.trade_off(release, alpha, order=order, reading=reading)


def guaranteed(release, order: Order = Order.ADD, alpha=ALPHA):
    """The most that full knowledge finds, (n,)."""
    full = release.trade_off(alpha, order, FULL)
    return (full.lower or full).power


@settings(max_examples=10)
@given(parts=st.lists(added(), max_size=2), unknown=added(UNKNOWN), order=ORDERS)
def test_another_noise_is_refused_by_its_name(parts, unknown, order):
    release = Composition((*parts, unknown)) if parts else unknown
    with pytest.raises(NotOfferedError, match=f"not offered for {name_of(type(unknown.noise()))} noise"):
        relaxed.trade_off(release, ALPHA, order=order)


@settings(max_examples=20)
@given(release=RELEASES, order=ORDERS)
def test_every_curve_keeps_the_laws(release, order):
    """All laws of one curve, which is what takes the time."""
    found = curve(release, order)
    who_knows_less_never_finds_more(release, order, found)
    error_rates_are_rates(found)
    no_statistic_beats_the_guarantee(release, order, found)
    the_opposite_order_is_the_inverse(release, order, found)


def who_knows_less_never_finds_more(release, order: Order, found: RelaxedCurve) -> None:
    """RTM <= DP."""
    assert np.all(found.power - found.error <= guaranteed(release, order) * (1.0 + ROUNDING))
    for alpha in (ALPHA[12], ALPHA[30]):
        known, unknown = release.power(alpha, order, FULL), relaxed.power(release, alpha, order=order)
        assert 0.0 <= unknown.lower <= unknown.estimate <= unknown.upper
        # The estimate's bracket ends at the full-knowledge guarantee, which is computed less narrowly for it.
        assert unknown.upper <= known.upper * (1.0 + 2.0 * FULL.relative)


def error_rates_are_rates(found: RelaxedCurve) -> None:
    assert np.all((found.beta >= 0.0) & (found.beta <= (1.0 - ALPHA) * (1.0 + ROUNDING) + found.error))
    assert np.all(np.abs(found.beta + found.power - 1.0) <= ROUNDING + found.error)
    assert np.all(np.diff(found.beta) <= ROUNDING + found.error)
    share = np.diff(ALPHA)[:-1] / (ALPHA[2:] - ALPHA[:-2])
    chord = found.power[:-2] + share * (found.power[2:] - found.power[:-2])
    assert np.all(found.power[1:-1] >= chord - ROUNDING - 2.0 * found.error)


def no_statistic_beats_the_guarantee(release, order: Order, allowed: RelaxedCurve) -> None:
    """What the magnitude of the mean (of one phase of Gaussian noise) and the product of folded steps find."""
    for reading in (Reading.MAGNITUDE, Reading.FOLDED_STEPS):
        if reading is Reading.MAGNITUDE and not isinstance(release, Gaussian):
            continue
        found = curve(release, order, reading)
        assert found.bound in (Bound.UPPER, Bound.EXACT)
        assert np.all(found.power <= allowed.power + allowed.error + ROUNDING)


def the_opposite_order_is_the_inverse(release, order: Order, there: RelaxedCurve) -> None:
    """And both orders joined are their own mirror image."""
    inside = (there.beta > 1e-3) & (there.beta < 0.9) & (ALPHA > 1e-3)
    if not np.any(inside):
        return
    again = curve(release, OPPOSITE[order], alpha=there.beta[inside][::-1])
    # An error of the power moves alpha by that over the slope, at most 1 / alpha for a convex curve.
    room = ROUNDING + again.error + there.error / np.minimum(there.beta, ALPHA)[inside]
    assert np.all(np.abs(again.beta[::-1] - ALPHA[inside]) <= room)


@settings(max_examples=10)
@given(release=added(), factor=log_uniform(1.05, 3.0), what=st.sampled_from(["noise", "rate", "steps"]))
def test_more_noise_a_lower_rate_and_fewer_steps_are_safer(release, factor, what):
    eased = {
        "noise": lambda: release.with_noise(release.noise_multiplier * factor),
        "rate": lambda: replace(release, sampling_rate=release.sampling_rate / factor),
        "steps": lambda: replace(release, steps=max(1, int(release.steps / factor))),
    }
    less, more = curve(eased[what]()), curve(release)
    assert np.all(less.power <= more.power + less.error + more.error + ROUNDING)


@settings(max_examples=10)
@given(release=added(), share=st.floats(0.1, 0.9))
def test_steps_in_two_phases_are_the_same_release(release, share):
    once = curve(Composition((release,)))
    whole = curve(release)
    np.testing.assert_allclose(once.power, whole.power, rtol=ROUNDING, atol=once.error + whole.error)
    if release.steps > 1:
        first = min(max(1, int(share * release.steps)), release.steps - 1)
        split = Composition(tuple(replace(release, steps=n) for n in (first, release.steps - first)))
        halves = curve(split)
        np.testing.assert_allclose(halves.power, whole.power, rtol=ROUNDING, atol=halves.error + whole.error + ROUNDING)


@settings(max_examples=8)
@given(release=added())
def test_the_advantage_is_the_largest_gap(release):
    found = curve(release, alpha=alpha_grid(401))  # chords between the points are in its upper end
    advantage = relaxed.advantage(found)
    assert advantage.upper >= float(np.max(found.power - found.alpha)) - ROUNDING
    assert advantage.upper <= release.advantage(FULL).upper + found.error + CHORDS


@pytest.mark.parametrize("kind", SAMPLED)
@pytest.mark.parametrize("steps", [1, 10])
def test_a_replaced_unknown_record_is_not_defined(kind, steps):
    with pytest.raises(ValueError, match="adjacency must be add/remove"):
        relaxed.trade_off(kind(2.0, 0.5, steps, Adjacency.REPLACE_ONE), ALPHA)


def test_the_laws_meet_a_mechanism_that_the_relaxed_model_does_not_know():
    """Otherwise there would be no test of the refusals."""
    assert Secant in UNKNOWN
    assert set(MECHANISMS) < set(KINDS)
