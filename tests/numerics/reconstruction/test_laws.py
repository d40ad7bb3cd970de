"""Reconstruction: its table, laws over all mechanisms, priors by brute force, and the shipped points."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from data import make_paper_003
from numerics import reconstruction
from numerics.calibration import PowerTarget, noise_for
from numerics.mechanisms import Adjacency
from numerics.privacy_loss import Precision
from numerics.reconstruction.published import PANELS, shipped_estimates
from numerics.trade_off import alpha_grid
from tests.reference import PAPERS, PRACTICE, every_row
from tests.sides import ANY, CHEAP
from tests.tables import Table

TABLE = Table(__file__)
ROUNDING = 1e-12
SETTLED = Precision(width=1e-6, relative=1e-5)  # what calibrated noise is settled on
PRIORS = st.floats(1e-3, 1.0 - 1e-3)


def test_table():
    TABLE.check()


def test_every_reference_row_of_reconstruction_is_used():
    starts = ("rero_", "NEG_rero_", "unified_", "attr2_")
    assert {
        row.id for file in (PAPERS, PRACTICE) for row in every_row(file) if row.id.startswith(starts)
    } <= TABLE.rows_used


@settings(max_examples=15)
@given(ANY, st.floats(1e-9, 1.0), st.floats(0.1, 1.0), PRIORS)
def test_gamma_exceeds_guessing_rises_and_is_concave_and_has_an_inverse(mechanism, kappa, factor, limit):
    less, more = (mechanism.reconstruction(each, CHEAP) for each in (factor * kappa, kappa))
    assert less.lower <= less.estimate <= less.upper
    assert more.estimate >= kappa * (1.0 - ROUNDING)
    assert less.upper <= more.upper * (1.0 + ROUNDING)
    assert less.lower <= more.lower * (1.0 + ROUNDING)
    # A line from (0, 0) to a point of the curve lies below the curve.
    assert less.upper >= factor * more.lower * (1.0 - ROUNDING)
    prior = reconstruction.largest_prior(mechanism, limit, CHEAP)
    assert 0.0 <= prior.lower <= prior.estimate <= prior.upper <= limit * (1.0 + ROUNDING)
    if prior.lower > 0.0:  # 0 says that no prior is small enough
        assert mechanism.reconstruction(prior.lower, CHEAP).upper <= limit * (1.0 + ROUNDING)
    assume(prior.upper > 0.0 and mechanism.is_reached)  # else no attack is known for any prior
    # The curve is steep where a prior of 1e-300 is enough: its inverse is known to rounding, and so is the limit.
    assert mechanism.reconstruction(min(prior.upper * (1.0 + ROUNDING), 1.0), CHEAP).lower >= limit * (1.0 - 1e-9)


@settings(max_examples=15)
@given(ANY, PRIORS)
def test_an_attribute_of_two_values_and_who_gains_most(mechanism, prior):
    """Between guessing and the bound for any number of values; where the curve is a formula, a fine grid has it."""
    likelier, found = max(prior, 1.0 - prior), reconstruction.attribute_inference(mechanism, prior, CHEAP)
    assert likelier * (1.0 - ROUNDING) <= found.lower <= found.estimate <= found.upper <= 1.0 + ROUNDING
    assert found.lower <= mechanism.reconstruction(likelier, CHEAP).upper * (1.0 + ROUNDING)
    both = mechanism.with_neighbours(Adjacency.REPLACE_ONE)
    alpha = alpha_grid(201 if both.closed_form is None else 20_001)
    curve = both.trade_off(alpha, precision=CHEAP)
    reached = float(np.max(prior * (curve.upper or curve).power + (1.0 - prior) * (1.0 - alpha)))
    assert reached <= found.upper * (1.0 + 1e-9)
    assert both.closed_form is None or reached >= found.lower - 1e-5
    best, gain = reconstruction.largest_gain(mechanism, CHEAP)
    rates = np.linspace(0.0, 1.0, 101)
    curve = mechanism.trade_off(rates, precision=CHEAP)
    if mechanism.is_reached:
        assert np.max((curve.upper or curve).power - rates) <= gain.upper + 1e-9
    assert mechanism.reconstruction(best, CHEAP).upper - best >= gain.lower - 1e-3


@settings(max_examples=30)
@given(st.one_of(st.floats(0.0, 50.0), st.floats(0.0, 1e308)), st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_bounds_from_epsilon_and_delta(epsilon, delta, prior):
    tight, printed = reconstruction.from_epsilon_delta(epsilon, delta, prior)
    assert prior * (1.0 - ROUNDING) <= tight <= printed <= 1.0


@pytest.mark.parametrize("question", TABLE.parts["calibrated"])
def test_noise_for_an_attribute_and_for_reconstruction(question):
    release = eval(question, TABLE.names)
    for target in (reconstruction.AttributeTarget(0.55, 0.5), reconstruction.ReconstructionTarget(0.05, 1e-3)):
        found = noise_for(target, release)
        assert target.measure(found.mechanism, SETTLED).upper <= target.goal
        less = found.mechanism.with_noise(found.noise_multiplier * (1.0 - 1e-3))
        assert target.measure(less, SETTLED).upper > target.goal
        assert found.mechanism.adjacency is release.adjacency
    assert found.noise_multiplier == noise_for(PowerTarget(0.05, 1e-3), release).noise_multiplier


QUARTERS = st.integers(-40, 40).map(lambda whole: whole / 4.0)  # they add up without rounding
ROWS = st.lists(st.tuples(st.floats(0.0, 10.0), QUARTERS), min_size=1, max_size=12).filter(
    lambda rows: sum(weight for weight, _ in rows) > 1e-6
)


@settings(max_examples=25)
@given(ROWS, st.integers(0, 60).map(lambda whole: whole / 8.0), st.floats(1e-6, 1e6))
def test_largest_ball(rows, radius, factor):
    """That of brute force, of any order and unit; larger errors make larger balls."""
    weights, values = (np.array(each) for each in zip(*rows, strict=True))
    # The best ball can be moved until its lower end is a candidate.
    masses = [weights[(values >= low) & (values <= low + 2.0 * radius)].sum() for low in values]
    kappa = reconstruction.largest_ball(weights, values, radius)
    assert kappa == pytest.approx(max(masses) / weights.sum(), rel=ROUNDING)
    again = reconstruction.largest_ball(factor * weights[::-1], 4.0 * values[::-1] + 8.0, 4.0 * radius)
    assert again == pytest.approx(kappa, rel=ROUNDING)
    assert kappa <= reconstruction.largest_ball(weights, values, 1.5 * radius) * (1.0 + ROUNDING)
    assert reconstruction.largest_ball(weights) <= reconstruction.largest_ball(weights, values) * (1.0 + ROUNDING)


def test_shipped_points_are_where_the_certified_curve_is_and_one_is_made_anew():
    """The text calls the estimate useless in panel d alone: at the right ends of b and c it falls to nothing, too."""
    points = shipped_estimates()
    for panel in PANELS:
        own = [point for point in points if point.panel == panel.name]
        assert [point.effect for point in own] == pytest.approx(make_paper_003.effects(panel), rel=1e-6)
        if panel.name in "bc":
            assert not own[-1].usable
            assert own[-1].estimate < 1e-3
            assert own[-1].better > 0.999
        else:
            assert all(point.usable == (panel.name == "a") for point in own)
        for point in own[:: len(own) // 2] if panel.name != "d" else own[:1]:
            gamma = panel.at(point.effect).reconstruction(panel.prior)
            if point.usable:
                assert abs(point.estimate - gamma.estimate) < 5.0 * point.standard_error + gamma.width + 1e-6
            assert abs(point.better - gamma.estimate) < 5.0 * point.better_error + gamma.width + 1e-6
    made = make_paper_003.point(PANELS[0], make_paper_003.effects(PANELS[0])[0])
    assert made[2:4] == pytest.approx((points[0].estimate, points[0].standard_error), rel=1e-5)
    assert made[5:] == pytest.approx((points[0].better, points[0].better_error), rel=1e-5)
