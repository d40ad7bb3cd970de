"""Central limit and Edgeworth estimates: reference values and laws; what all estimates have in common."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.approximations import clt, clt_mu, edgeworth, monte_carlo
from numerics.approximations.step_laws import cumulants
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, SampledMechanism
from numerics.sampling.poisson import sampled_pairs
from numerics.trade_off import Bound, alpha_grid
from tests.reference import Reference, each
from tests.strategies import KNOWN

# Closed forms and Gauss-Legendre panels: a few hundred roundings.
RELATIVE = 1e-12
# The reference rows of the Edgeworth series carry 15 digits.
SERIES = 1e-12
# A row of a misprint must differ by more than any rounding could explain.
DISTINCT = 1e-3

FAMILIES = {"SGM": Gaussian, "SLM": Laplace}


def sampled(row: Reference, effect: str, kind: type[SampledMechanism] = Gaussian) -> SampledMechanism:
    return kind(1.0 / row.number(effect), row.number("p"), row.count("N"))


@each("CLT mu~ SGM")
def test_clt_mu_of_sampled_gaussian_noise(row):
    assert clt_mu(sampled(row, "mu2")) == pytest.approx(row.expected, rel=RELATIVE)


@each("CLT mu~ SLM")
def test_clt_mu_of_sampled_laplace_noise(row):
    assert clt_mu(sampled(row, "mu1", Laplace)) == pytest.approx(row.expected, rel=RELATIVE)


@each("misprint", role="negative", prefix="NEG_clt_sgm")
def test_clt_mu_squares_the_effect_size(row):
    assert abs(clt_mu(sampled(row, "mu2")) / row.expected - 1.0) > DISTINCT


@each("CLT trade-off")
def test_clt_trade_off(row):
    curve = clt(sampled(row, "mu2"), np.array([row.number("alpha")]))
    assert curve.beta[0] == pytest.approx(row.expected, rel=RELATIVE)
    assert curve.power[0] == pytest.approx(1.0 - row.expected, rel=RELATIVE)


@each("CLT inverse sigma")
def test_clt_mu_at_the_noise_that_was_solved_for(row):
    mechanism = Gaussian(row.expected, row.number("p"), row.count("N"))
    assert clt_mu(mechanism) == pytest.approx(row.number("mu_tilde"), rel=RELATIVE)


def test_clt_phases_add_in_squares():
    phases = Gaussian(2.0, 0.01, 1000), Laplace(3.0, 0.02, 500)
    expected = np.hypot(clt_mu(phases[0]), clt_mu(phases[1]))
    assert clt_mu(Composition(phases)) == pytest.approx(expected, rel=RELATIVE)


def test_clt_lies_on_either_side_of_the_truth():
    # Correction 39 and the 0.23 of paper 003's figure 1e range.
    rare = Gaussian(0.6, 0.001, 10_000), np.array([1e-7])
    assert clt(*rare).power[0] / rare[0].trade_off(rare[1]).power[0] == pytest.approx(0.23, abs=0.005)
    few = Gaussian(0.5, 0.005, 4_000), np.array([0.1])
    assert (clt(*few).power[0], few[0].trade_off(few[1]).power[0]) == pytest.approx((0.849, 0.665), abs=0.0005)


@pytest.mark.parametrize("adjacency", Adjacency)
def test_clt_of_unsampled_gaussian_noise_is_exact(adjacency):
    mechanism = Gaussian(2.0, 1.0, 9, adjacency)
    alpha = alpha_grid(51)
    np.testing.assert_allclose(clt(mechanism, alpha).power, mechanism.trade_off(alpha).power, rtol=1e-9)


@pytest.mark.parametrize("kind", KNOWN)
@pytest.mark.parametrize("adjacency", Adjacency)
def test_clt_mu_is_the_small_rate_limit_of_the_loss_deviation(kind, adjacency):
    mechanism = kind(1.3, 1e-6, 10_000, adjacency)
    variance = cumulants(sampled_pairs(mechanism.pairs)[0][0]).null[1]
    # The next term is of relative order p.
    assert clt_mu(mechanism) == pytest.approx(np.sqrt(10_000 * variance), rel=1e-5)


@each("cumulants of per-step log-LR")
def test_cumulants_of_one_step(row):
    step = FAMILIES[row.text("mech")](1.0 / row.number("mu"), row.number("p"))
    law = cumulants(sampled_pairs(step.pairs)[0][0])
    values = law.null if row.text("under") == "P" else law.alternative
    assert values[row.count("order") - 1] == pytest.approx(row.expected, rel=RELATIVE)


@pytest.mark.parametrize("kind", KNOWN)
@pytest.mark.parametrize("noise", [0.05, 0.4, 1.0, 7.0, 300.0])
@pytest.mark.parametrize("rate", [1e-4, 0.3, 1.0])
@pytest.mark.parametrize("adjacency", Adjacency)
def test_replacing_mirrors_and_mean_losses_are_divergences(kind, noise, rate, adjacency):
    law = cumulants(sampled_pairs(kind(noise, rate, 1, adjacency).pairs)[0][0])
    assert law.null[0] < 0.0 < law.alternative[0]
    if adjacency is Adjacency.REPLACE_ONE or rate == 1.0:
        signs = np.array([-1.0, 1.0, -1.0, 1.0])
        scale = law.null[1] ** (0.5 * np.arange(1, 5))
        np.testing.assert_allclose(law.alternative[:4] / scale, signs * law.null[:4] / scale, rtol=1e-6, atol=1e-7)


def test_cumulants_of_an_unsampled_gaussian_step():
    law = cumulants(sampled_pairs(Gaussian(0.5).pairs)[0][0])
    # log-likelihood ratio: normal with mean -+ mu^2 / 2 and variance mu^2, so no further cumulants.
    np.testing.assert_allclose(law.null, [-2.0, 4.0, 0.0, 0.0, 0.0, 0.0], rtol=RELATIVE, atol=1e-9)
    np.testing.assert_allclose(law.alternative, [2.0, 4.0, 0.0, 0.0, 0.0, 0.0], rtol=RELATIVE, atol=1e-9)


@each("Edgeworth trade-off")
def test_edgeworth_trade_off(row):
    mechanism = sampled(row, "mu", FAMILIES[row.text("mech")])
    curve = edgeworth(mechanism, np.array([row.number("alpha")]), row.count("order"))
    assert curve.beta[0] == pytest.approx(row.expected, rel=SERIES)
    assert curve.power[0] == pytest.approx(1.0 - row.expected, rel=10 * SERIES)


def test_edgeworth_orders_have_the_errors_of_correction_43():
    mechanism, alpha, exact = Gaussian(1.0, 0.1, 100), np.array([0.01]), 0.853945541809674716
    errors = [edgeworth(mechanism, alpha, order).beta[0] - exact for order in range(5)]
    np.testing.assert_allclose(errors, [-0.049, -0.0041, 0.0020, -0.00016, -0.000067], rtol=0.05)


def test_edgeworth_of_normal_losses_is_exact_at_every_order():
    mechanism = Composition((Gaussian(2.0, 1.0, 9), Gaussian(3.0, 1.0, 4)))
    alpha = alpha_grid(51, 1e-6)
    for order in range(5):
        np.testing.assert_allclose(
            edgeworth(mechanism, alpha, order).power, mechanism.trade_off(alpha).power, rtol=1e-8
        )


def test_edgeworth_composes_phases_as_it_composes_steps():
    alpha = alpha_grid(51, 1e-4)
    split = Composition((Gaussian(1.0, 0.1, 30), Gaussian(1.0, 0.1, 70)))
    whole = edgeworth(Gaussian(1.0, 0.1, 100), alpha)
    np.testing.assert_allclose(edgeworth(split, alpha).beta, whole.beta, rtol=1e-9, atol=1e-12)


def test_edgeworth_is_close_to_the_certified_curve_under_replace_one():
    mechanism = Gaussian(1.0, 0.05, 1000, Adjacency.REPLACE_ONE)
    alpha = np.array([0.01, 0.1, 0.3, 0.7])
    np.testing.assert_allclose(edgeworth(mechanism, alpha).beta, mechanism.trade_off(alpha).beta, atol=1e-5)


def test_edgeworth_decreases_where_the_expansion_holds():
    beta = edgeworth(Gaussian(1.0, 0.01, 1000), alpha_grid(200, 1e-3)).beta
    assert np.all(np.diff(beta) <= 1e-12)


@pytest.mark.parametrize("order", [-1, 5, 2.5])
def test_edgeworth_refuses_an_order_it_does_not_have(order):
    with pytest.raises((ValueError, TypeError), match=r"order must be (between 0 and 4|a whole number), got"):
        edgeworth(Gaussian(1.0), np.array([0.1]), order)


def test_edgeworth_refuses_a_loss_that_never_varies():
    with pytest.raises(ValueError, match="hardly ever varies"):
        edgeworth(Gaussian(0.01, 1e-6), np.array([0.1]))


@given(
    kind=st.sampled_from(KNOWN),
    noise=st.floats(0.2, 50.0),
    rate=st.floats(1e-5, 1.0),
    steps=st.integers(1, 1_000_000),
    adjacency=st.sampled_from(Adjacency),
)
@settings(deadline=None, max_examples=40, derandomize=True)
def test_estimates_stay_in_range_and_say_what_they_are(kind, noise, rate, steps, adjacency):
    mechanism = kind(noise, rate, steps, adjacency)
    alpha = alpha_grid(40)
    gaussian = clt(mechanism, alpha)
    assert np.all(np.diff(gaussian.beta) <= 0.0)
    assert np.all(gaussian.beta <= 1.0 - alpha + 1e-15)
    for curve in (gaussian, edgeworth(mechanism, alpha, 0), edgeworth(mechanism, alpha)):
        assert curve.bound is Bound.ESTIMATE
        assert "not a bound" in curve.assumptions[0]
        assert np.all((curve.beta >= 0.0) & (curve.beta <= 1.0) & (curve.power >= 0.0) & (curve.power <= 1.0))
        np.testing.assert_allclose(curve.beta + curve.power, 1.0, atol=1e-12)
        assert (curve.beta[0], curve.beta[-1]) == (1.0, 0.0)


@pytest.mark.parametrize("estimate", [clt, edgeworth, monte_carlo])
@pytest.mark.parametrize("alpha", [[-0.1, 0.5], [0.5, 1.1], [0.1, np.nan]])
def test_estimates_refuse_rates_that_are_no_probabilities(estimate, alpha):
    with pytest.raises(ValueError, match="alpha must be between 0 and 1"):
        estimate(Gaussian(1.0, 0.1, 10), np.array(alpha))


def test_estimates_leave_the_callers_array_writable():
    alpha = alpha_grid(20)
    for estimate in (clt, edgeworth):
        estimate(Gaussian(1.0), alpha)
    monte_carlo(Gaussian(1.0), alpha, samples=100)
    assert alpha.flags.writeable


def test_a_central_limit_without_end_is_said_to_have_none() -> None:
    assert clt(Gaussian(0.001, 0.5, 3), np.array([0.0, 0.5])).label == "CLT estimate, mu = ∞"
