"""Reconstruction robustness: reference rows, the paper's figures, and laws of the bracket."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics import relaxed
from numerics.approximations import clt
from numerics.calibration import EpsilonTarget, noise_for
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace
from numerics.mechanisms.analysis import Analysis
from numerics.reconstruction import from_epsilon_delta
from numerics.trade_off import Order, alpha_grid
from tests.reference import each, every_row
from tests.sides import ANY, CHEAP, assert_power

# Closed forms, or roots of one: a few hundred roundings.
RELATIVE = 1e-11
# A row of a misprint or of a wrong direction must differ by more than any rounding could explain.
DISTINCT = 1e-3
# Sums and products of numbers up to 1, near 1.
ROUNDING = 1e-12


def assert_gamma(mechanism: Analysis, kappa: float, expected: float) -> None:
    """The closed form to rounding, the power of the same test, and inside the certified bracket of the mechanism."""
    assert_power(mechanism, kappa, expected)
    assert mechanism.reconstruction(kappa) == pytest.approx((expected,) * 3, rel=RELATIVE)
    safe, _, reached = mechanism.certified().trade_off(np.array([kappa]), Order.ADD)
    assert reached.power[0] <= expected * (1.0 + RELATIVE)
    assert expected <= safe.power[0] * (1.0 + RELATIVE)


@each("ReRo Laplace")
def test_laplace_noise(row):
    assert_gamma(Laplace(1.0 / row.number("mu1")), row.number("kappa"), row.expected)


@each("ReRo Gaussian N-fold")
def test_steps_of_gaussian_noise(row):
    assert_gamma(Gaussian(1.0 / row.number("mu2"), steps=row.count("N")), row.number("kappa"), row.expected)


@each("ReRo Gaussian heterogeneous")
def test_phases_of_gaussian_noise(row):
    phases = Composition(tuple(Gaussian(1.0 / float(mu)) for mu in row.params["mus"]))
    assert_gamma(phases, row.number("kappa"), row.expected)


@each("ReRo SLM N=1")
def test_one_sampled_step_of_laplace_noise(row):
    assert_gamma(Laplace(1.0 / row.number("mu1"), row.number("p")), row.number("kappa"), row.expected)


@each("ReRo SGM N=1")
def test_one_sampled_step_of_gaussian_noise(row):
    assert_gamma(Gaussian(1.0 / row.number("mu2"), row.number("p")), row.number("kappa"), row.expected)


@each("wrong direction", role="negative")
def test_never_the_wrong_direction(row):
    gamma = Gaussian(1.0 / row.number("mu2"), row.number("p")).reconstruction(row.number("kappa"))
    assert all(abs(side / row.expected - 1.0) > DISTINCT for side in gamma)


@each("misprint", role="negative", prefix="NEG_rero")
def test_effect_sizes_add_in_squares(row):
    gamma = Gaussian(1.0 / row.number("mu2"), steps=row.count("N")).reconstruction(row.number("kappa"))
    assert all(abs(side / row.expected - 1.0) > DISTINCT for side in gamma)


@each("ReRo from (eps,delta), tight")
def test_tight_bound_from_epsilon_and_delta(row):
    bound = from_epsilon_delta(*map(row.number, ("eps", "delta", "kappa")))
    assert bound.tight == pytest.approx(row.expected, rel=RELATIVE)


@each("ReRo from (eps,delta), paper")
def test_printed_bound_from_epsilon_and_delta(row):
    bound = from_epsilon_delta(*map(row.number, ("eps", "delta", "kappa")))
    assert bound.printed == pytest.approx(row.expected, rel=RELATIVE)


def test_every_reference_row_of_reconstruction_is_used_above():
    names = ("Laplace", "Gaussian N-fold", "Gaussian heterogeneous", "SLM N=1", "SGM N=1", "from (eps,delta)")
    tested = tuple(f"ReRo {name}" for name in names)
    for row in every_row():
        if row.id.startswith("rero_"):
            assert row.family.startswith(tested), row.id
        if row.id.startswith("NEG_rero_"):
            assert row.family == "wrong direction" or row.id == "NEG_rero_gauss_sqrtNmu", row.id


def test_directions_of_correction_42():
    # The other direction in each: .0111, .1110 and .5521 at one step, .0261 at ten.
    once, ten = Gaussian(0.5, 0.1), Gaussian(0.5, 0.1, 10)
    assert [once.reconstruction(kappa).estimate for kappa in (0.01, 0.1, 0.5)] == pytest.approx(
        [0.0462, 0.1664, 0.5477], abs=5e-5
    )
    assert ten.reconstruction(0.01).estimate == pytest.approx(0.1618, abs=5e-5)
    assert ten.power(0.01, Order.REMOVE).estimate == pytest.approx(0.0261, abs=5e-5)


def test_a_replaced_record_is_easier_to_reconstruct():
    for mechanism in (Gaussian(1.0), Gaussian(1.0, 0.1, 20), Laplace(1.0, 0.3, 5)):
        replaced = replace(mechanism, adjacency=Adjacency.REPLACE_ONE)
        for kappa in (1e-6, 0.01, 0.5):
            assert replaced.reconstruction(kappa).lower > mechanism.reconstruction(kappa).upper


# Paper 003 Fig. 3: one step that is (4, 1e-5)-DP.
FIGURE_3 = [(0.659595527601, 0.1), (0.913243565316, 0.5), (1.052239341149, 0.9)]


@pytest.mark.parametrize(("noise", "rate"), FIGURE_3)
def test_noise_of_figure_3(noise, rate):
    assert Gaussian(noise, rate).epsilon(1e-5).estimate == pytest.approx(4.0, abs=1e-9)
    found = noise_for(EpsilonTarget(4.0, 1e-5), Gaussian(1.0, rate)).noise_multiplier
    digits = 5 if noise > 1.0 else 6
    assert found == pytest.approx(np.ceil(noise * 10**digits) / 10**digits, rel=1e-12)


def test_mechanisms_of_figure_3_differ_in_reconstruction():
    gammas = [Gaussian(noise, rate).reconstruction(0.01).estimate for noise, rate in FIGURE_3]
    # Correction 43.
    assert gammas == pytest.approx([0.02989, 0.05955, 0.07697], abs=5e-6)


SETTLED = 1e-5  # of epsilon: the width of the bracket that calibrated noise is settled on, and no less of the noise

# Paper 003 Fig. 4: 10,000 steps that are (4, 1e-5)-DP; noise to 1e-8.
FIGURE_4 = [Gaussian(10.84765173, 0.1, 10_000), Gaussian(54.06890070, 0.5, 10_000), Gaussian(97.30652196, 0.9, 10_000)]


def test_mechanisms_of_figure_4_are_close_and_not_identical():
    deltas = [mechanism.delta(1.0) for mechanism in FIGURE_4]
    gammas = [mechanism.reconstruction(0.01) for mechanism in FIGURE_4]
    # Correction 43: the paper calls them identical.
    assert [delta.estimate for delta in deltas] == pytest.approx([0.100910, 0.101275, 0.101316], abs=1e-6)
    assert [gamma.estimate for gamma in gammas] == pytest.approx([0.080403, 0.080529, 0.080543], abs=1e-6)
    for values in (deltas, gammas):
        assert values[0].upper < values[1].lower <= values[1].upper < values[2].lower


def test_noise_of_figure_4():
    found = noise_for(EpsilonTarget(4.0, 1e-5), Gaussian(1.0, 0.5, 10_000)).noise_multiplier
    assert 54.06890070 <= found <= 54.06890070 * (1.0 + SETTLED)


def test_the_central_limit_theorem_understates_the_rare():
    mechanism = Gaussian(0.6, 0.001, 10_000)
    exact = mechanism.reconstruction(1e-7)
    for side in exact:
        assert clt(mechanism, np.array([1e-7])).power[0] / side == pytest.approx(0.23, abs=0.01)


@pytest.mark.parametrize(
    "mechanism",
    [
        Gaussian(0.6, 0.001, 10_000),
        Gaussian(2.5, 16384 / 1281167, 71_589),
        Laplace(1.0, 0.01, 1_000),
        Composition((Gaussian(1.0, 0.01, 500), Laplace(2.0, 0.02, 50))),
        Gaussian(1.0, 0.01, 1_000, Adjacency.REPLACE_ONE),
    ],
    ids=lambda mechanism: mechanism.label,
)
def test_width_at_one_in_a_billion(mechanism):
    gamma = mechanism.reconstruction(1e-9)
    assert 0.0 < gamma.lower <= gamma.estimate <= gamma.upper
    assert gamma.width <= 1e-3 * gamma.estimate


def test_relaxed_attackers_reconstruct_less():
    mechanism = Gaussian(1.0)
    assert relaxed.power(mechanism, 0.01).upper < mechanism.reconstruction(0.01).lower


@given(mechanism=ANY, kappa=st.floats(1e-9, 1.0), factor=st.floats(0.1, 1.0))
@settings(deadline=None, max_examples=30)
def test_gamma_exceeds_guessing_rises_and_is_concave(mechanism, kappa, factor):
    less, more = (mechanism.reconstruction(k, CHEAP) for k in (factor * kappa, kappa))
    assert less.lower <= less.estimate <= less.upper
    assert more.estimate >= kappa * (1.0 - ROUNDING)
    assert less.upper <= more.upper * (1.0 + ROUNDING)
    assert less.lower <= more.lower * (1.0 + ROUNDING)
    # A line from (0, 0) to a point of the curve lies below the curve.
    assert less.upper >= factor * more.lower * (1.0 - ROUNDING)


@pytest.mark.parametrize("prior", [-1e-9, 1.1, np.nan])
def test_reconstruction_refuses_a_prior_that_is_no_probability(prior):
    with pytest.raises(ValueError, match="prior must be between 0 and 1"):
        Gaussian(1.0).reconstruction(prior)
    with pytest.raises(ValueError, match="prior must be between 0 and 1"):
        from_epsilon_delta(1.0, 0.0, prior)


@given(
    epsilon=st.one_of(st.floats(0.0, 50.0), st.floats(0.0, 1e308)), delta=st.floats(0.0, 1.0), prior=st.floats(0.0, 1.0)
)
def test_bounds_from_epsilon_and_delta(epsilon, delta, prior):
    tight, printed = from_epsilon_delta(epsilon, delta, prior)
    assert prior * (1.0 - ROUNDING) <= tight <= printed <= 1.0


def test_tight_bound_is_safe_for_tiny_priors():
    assert from_epsilon_delta(0.0, 0.0, 1e-20).tight == 1e-20
    assert from_epsilon_delta(1e-300, 0.0, 1e-20).tight >= 1e-20
    assert from_epsilon_delta(np.inf, 0.0, 1e-20) == (1.0, 1.0)


def test_bounds_from_epsilon_and_delta_hold_for_a_mechanism():
    mechanism = Gaussian(1.0, 0.1, 50)
    kappa = alpha_grid(50)
    attack = mechanism.trade_off(kappa).upper
    assert attack is not None
    gamma = attack.power
    for delta in (1e-6, 1e-3):
        epsilon = mechanism.epsilon(delta).upper
        assert all(from_epsilon_delta(epsilon, delta, k).tight >= g for k, g in zip(kappa, gamma, strict=True))
