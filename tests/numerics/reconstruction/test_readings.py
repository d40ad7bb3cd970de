"""Attribute inference, singling out, the largest gain: reference rows, enumerated attacks, laws of all mechanisms."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from numerics.calibration import noise_for
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Sampling
from numerics.privacy_loss import Precision
from numerics.reconstruction import (
    AttributeTarget,
    attribute_inference,
    largest_gain,
    singling_out,
)
from numerics.trade_off import alpha_grid
from tests.reference import PAPERS, PRACTICE, every_row, rows
from tests.sides import ANY, CHEAP

# Closed forms: a few hundred roundings.
RELATIVE = 1e-11
ROUNDING = 1e-12
NARROW = Precision(width=1e-7)
SETTLED = Precision(width=1e-6, relative=1e-5)  # what calibrated noise is settled on
PRIORS = st.floats(1e-3, 1.0 - 1e-3)


def of_both(family: str) -> pytest.MarkDecorator:
    """The rows of a family in either file."""
    found = [row for file in (PAPERS, PRACTICE) for row in rows(family, file=file)]
    return pytest.mark.parametrize("row", found, ids=[row.id for row in found])


def replaced(mu: float) -> Gaussian:
    """Two values of a record that the release tells apart as well as normal numbers ``mu`` deviations apart."""
    return Gaussian(2.0 / mu, adjacency=Adjacency.REPLACE_ONE)


@of_both("unified bound on re-identification")
def test_the_unified_bound_is_reconstruction_by_replacement(row):
    found = replaced(row.number("mu")).reconstruction(row.number("baseline"))
    assert found == pytest.approx((row.expected,) * 3, rel=RELATIVE)


@of_both("binary attribute inference")
@pytest.mark.parametrize("neighbours", Adjacency)
def test_an_attribute_of_two_values(row, neighbours):
    """Whatever neighbours the release is stated for: add/remove's own curve in the formula would say too little."""
    release = Gaussian(2.0 / row.number("mu"), adjacency=neighbours)
    for prior in (row.number("prior"), 1.0 - row.number("prior")):
        assert attribute_inference(release, prior) == pytest.approx((row.expected,) * 3, rel=RELATIVE)


@of_both("predicate singling out")
def test_singling_out(row):
    weight, records = row.number("weight"), row.count("n")
    found = singling_out(replaced(row.number("mu")), weight, records)
    assert found.success == pytest.approx((row.expected,) * 3, rel=RELATIVE)
    assert found.guessed == pytest.approx(records * weight * (1.0 - weight) ** (records - 1), rel=1e-9)


def test_every_reference_row_of_the_readings_is_used_above():
    names = ("unified bound", "binary attribute inference", "predicate singling out")
    for row in (*every_row(PAPERS), *every_row(PRACTICE)):
        if row.id.startswith(("unified_", "attr2_", "pso_")):
            assert row.family.startswith(names), row.id


@pytest.mark.parametrize("rate", [1.0, 0.3])
@pytest.mark.parametrize("prior", [0.02, 0.5, 0.8])
def test_an_attribute_by_enumeration_of_what_is_released(rate, prior):
    """Two opposite records in one step: every released value speaks for the likelier of both, and for no other."""
    x, width = np.linspace(-12.0, 12.0, 400_001, retstep=True)
    first, second = ((1.0 - rate) * norm.pdf(x) + rate * norm.pdf(x, at) for at in (1.0, -1.0))
    right = float(np.sum(np.maximum(prior * first, (1.0 - prior) * second)) * width)
    found = attribute_inference(Gaussian(1.0, rate), prior, NARROW)
    assert found.lower - 1e-9 <= right <= found.upper + 1e-9


@pytest.mark.parametrize("values", [2, 3, 10])
@pytest.mark.parametrize("noise", [0.5, 2.0])
def test_no_guess_among_several_values_beats_reconstruction(values, noise):
    """Records in orthogonal directions; the best guess names the largest coordinate. Add/remove neighbours are enough.

    Opposite records and two equal values reach the bound: it says no more than it must.
    """
    x, width = np.linspace(-9.0, 9.0, 20_001, retstep=True)
    right = float(np.sum(norm.pdf(x) * norm.cdf(x + 1.0 / noise) ** (values - 1)) * width)
    assert right <= Gaussian(noise).reconstruction(1.0 / values).lower
    opposite = attribute_inference(Gaussian(noise), 0.5).lower
    assert opposite == pytest.approx(Gaussian(noise).reconstruction(0.5).upper, rel=RELATIVE)


@given(mechanism=ANY, prior=PRIORS)
@settings(deadline=None, max_examples=40)
def test_two_values_lie_between_guessing_and_the_bound_for_any_number_of_values(mechanism, prior):
    likelier = max(prior, 1.0 - prior)
    found = attribute_inference(mechanism, prior, CHEAP)
    assert likelier * (1.0 - ROUNDING) <= found.lower <= found.estimate <= found.upper <= 1.0 + ROUNDING
    assert found.lower <= mechanism.reconstruction(likelier, CHEAP).upper * (1.0 + ROUNDING)
    assert found == attribute_inference(mechanism.with_neighbours(Adjacency.REPLACE_ONE), prior, CHEAP)


@given(mechanism=ANY, prior=PRIORS)
@settings(deadline=None, max_examples=25)
def test_two_values_are_what_the_curve_says_at_its_worst(mechanism, prior):
    """The formula itself over a grid; where the curve is a formula too, a fine grid has the maximum."""
    both = mechanism.with_neighbours(Adjacency.REPLACE_ONE)
    alpha = alpha_grid(201 if both.closed_form is None else 20_001)
    curve = both.trade_off(alpha, precision=CHEAP)
    attack = curve.upper or curve
    found = attribute_inference(mechanism, prior, CHEAP)
    reached = float(np.max(prior * attack.power + (1.0 - prior) * (1.0 - alpha)))
    assert reached <= found.upper * (1.0 + 1e-9)
    if both.closed_form is not None:
        assert reached >= found.lower - 1e-5


@given(mechanism=ANY, weight=st.floats(1e-9, 0.5), records=st.integers(1, 10**6))
@settings(deadline=None, max_examples=30)
def test_singling_out_is_no_rarer_than_guessing_and_no_surer_than_sure(mechanism, weight, records):
    guessed, success = singling_out(mechanism, weight, records, CHEAP)
    assert 0.0 <= guessed <= 1.0 + ROUNDING
    assert guessed <= success.upper * (1.0 + 1e-9)
    assert success.lower <= success.estimate <= success.upper <= 1.0


@given(mechanism=ANY)
@settings(deadline=None, max_examples=30)
def test_nobody_gains_more_than_the_largest_gain(mechanism):
    prior, gain = largest_gain(mechanism, CHEAP)
    assert 0.0 < prior < 1.0
    rates = np.linspace(0.0, 1.0, 101)
    curve = mechanism.trade_off(rates, precision=CHEAP)
    attack = curve.upper or curve
    if mechanism.is_reached:
        assert np.max(attack.power - rates) <= gain.upper + 1e-9
    own = mechanism.reconstruction(prior, CHEAP)
    assert own.upper - prior >= gain.lower - 1e-3


@pytest.mark.parametrize("mu", [0.3, 1.0, 4.0])
def test_the_largest_gain_of_normal_noise(mu):
    prior, gain = largest_gain(Gaussian(1.0 / mu))
    assert prior == pytest.approx(norm.cdf(-mu / 2.0), abs=5e-4)
    assert gain == pytest.approx((2.0 * norm.cdf(mu / 2.0) - 1.0,) * 3, rel=RELATIVE)


@pytest.mark.parametrize(
    "release",
    [
        Gaussian(1.0, 0.01, 1000),
        Laplace(2.0, 0.1, 50, Adjacency.REPLACE_ONE),
        Gaussian(1.0, 0.01, 100, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE),
        Composition((Gaussian(1.0, 0.1, 20), Gaussian(3.0))),
    ],
    ids=lambda release: release.label,
)
def test_noise_for_an_attribute(release):
    target = AttributeTarget(0.55, 0.5)
    found = noise_for(target, release)
    assert attribute_inference(found.mechanism, 0.5, SETTLED).upper <= target.goal
    less = found.mechanism.with_noise(found.noise_multiplier * (1.0 - 1e-3))
    assert attribute_inference(less, 0.5, SETTLED).upper > target.goal
    assert found.mechanism.adjacency is release.adjacency


@pytest.mark.parametrize(
    ("success", "prior", "message"),
    [
        (0.8, 0.1, "success must exceed prior .guessing alone succeeds with probability 0.9., got 0.8"),
        (0.9, 0.9, "success must exceed prior .guessing alone succeeds with probability 0.9., got 0.9"),
        (1.0, 0.5, "success must be strictly between 0 and 1, got 1.0"),
        (0.7, np.nan, "prior must be strictly between 0 and 1, got nan"),
    ],
)
def test_attribute_target_refuses(success, prior, message):
    with pytest.raises(ValueError, match=message):
        AttributeTarget(success, prior)
