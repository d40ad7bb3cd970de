"""Central limit, Edgeworth and Monte Carlo estimates beside exact curves; what all estimates have in common.

Reference values and refusals are rows of ``tests/numerics/engine_table.toml``.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.approximations import affordable_samples, clt, clt_mu, edgeworth, monte_carlo
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Mechanism, SampledMechanism
from numerics.trade_off import Bound, alpha_grid
from tests.numerics import engine_adapter as engine
from tests.strategies import KNOWN

RELATIVE = 1e-12  # closed forms and Gauss-Legendre panels: a few hundred roundings
REPLACE = Adjacency.REPLACE_ONE


@pytest.mark.parametrize("adjacency", Adjacency)
def test_normal_losses_are_exact_at_every_order(adjacency: Adjacency) -> None:
    """Unsampled Gaussian steps and phases: mean -+ mu^2 / 2, variance mu^2, and no further cumulants."""
    phases = tuple(Gaussian(noise, 1.0, steps, adjacency) for noise, steps in ((2.0, 9), (3.0, 4)))
    release, alpha = Composition(phases), alpha_grid(51, 1e-6)
    exact = release.trade_off(alpha).power
    np.testing.assert_allclose(clt(release, alpha).power, exact, rtol=1e-9)
    for order in range(5):
        np.testing.assert_allclose(edgeworth(release, alpha, order).power, exact, rtol=1e-8)
    null, alternative = engine.step_cumulants(Gaussian(0.5))
    np.testing.assert_allclose(null, [-2.0, 4.0, 0.0, 0.0, 0.0, 0.0], rtol=RELATIVE, atol=1e-9)
    np.testing.assert_allclose(alternative, [2.0, 4.0, 0.0, 0.0, 0.0, 0.0], rtol=RELATIVE, atol=1e-9)


def test_phases_add_up_as_steps_do() -> None:
    phases, alpha = (Gaussian(2.0, 0.01, 1000), Laplace(3.0, 0.02, 500)), alpha_grid(51, 1e-4)
    assert clt_mu(Composition(phases)) == pytest.approx(np.hypot(clt_mu(phases[0]), clt_mu(phases[1])), rel=RELATIVE)
    split = Composition((Gaussian(1.0, 0.1, 30), Gaussian(1.0, 0.1, 70)))
    whole = edgeworth(Gaussian(1.0, 0.1, 100), alpha)
    np.testing.assert_allclose(edgeworth(split, alpha).beta, whole.beta, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("adjacency", Adjacency)
@pytest.mark.parametrize("kind", KNOWN)
def test_cumulants_are_moments_of_the_loss(kind: type[SampledMechanism], adjacency: Adjacency) -> None:
    """By sums over cells of the step's own laws; and the central limit is their limit where rates are small."""
    release = kind(1.0, 0.3, 1, adjacency)
    ((pair, _),) = release.pairs
    low, high = np.clip(pair.loss_range(1e-16), -60.0, 60.0)
    edges = np.linspace(low, high, 40_001)
    middle = np.concatenate(([edges[0]], 0.5 * (edges[1:] + edges[:-1]), [edges[-1]]))
    for law, masses in zip(engine.step_cumulants(release), reversed(pair.cell_masses(edges)), strict=True):
        mean = masses @ middle
        central = [float(masses @ (middle - mean) ** k) for k in range(2, 7)]
        m2, m3, m4, m5, m6 = central
        cumulants = [mean, m2, m3, m4 - 3 * m2**2, m5 - 10 * m3 * m2, m6 - 15 * m4 * m2 - 10 * m3**2 + 30 * m2**3]
        scale = m2 ** (0.5 * np.arange(1, 7))
        np.testing.assert_allclose(np.array(law) / scale, np.array(cumulants) / scale, atol=2e-3)
    rare = kind(1.3, 1e-6, 10_000, adjacency)
    assert clt_mu(rare) == pytest.approx(np.sqrt(10_000 * engine.step_cumulants(rare)[0][1]), rel=1e-5)


@pytest.mark.parametrize("rate", [1e-4, 0.3, 1.0])
@pytest.mark.parametrize("noise", [0.05, 1.0, 300.0])
@pytest.mark.parametrize("kind", KNOWN)
def test_mean_losses_are_divergences_and_replacing_mirrors(
    kind: type[SampledMechanism], noise: float, rate: float
) -> None:
    for adjacency in Adjacency:
        null, alternative = engine.step_cumulants(kind(noise, rate, 1, adjacency))
        assert null[0] < 0.0 < alternative[0]
        if adjacency is REPLACE or rate == 1.0:
            signs, scale = np.array([-1.0, 1.0, -1.0, 1.0]), null[1] ** (0.5 * np.arange(1, 5))
            np.testing.assert_allclose(alternative[:4] / scale, signs * null[:4] / scale, rtol=1e-6, atol=1e-7)


def test_edgeworth_has_the_errors_of_correction_43_and_falls() -> None:
    release, alpha, exact = Gaussian(1.0, 0.1, 100), np.array([0.01]), 0.853945541809674716
    errors = [edgeworth(release, alpha, order).beta[0] - exact for order in range(5)]
    np.testing.assert_allclose(errors, [-0.049, -0.0041, 0.0020, -0.00016, -0.000067], rtol=0.05)
    assert np.all(np.diff(edgeworth(Gaussian(1.0, 0.01, 1000), alpha_grid(200, 1e-3)).beta) <= 1e-12)
    replaced, alpha = Gaussian(1.0, 0.05, 1000, REPLACE), np.array([0.01, 0.1, 0.3, 0.7])
    np.testing.assert_allclose(edgeworth(replaced, alpha).beta, replaced.trade_off(alpha).beta, atol=1e-5)


@settings(max_examples=25)
@given(
    kind=st.sampled_from(KNOWN),
    noise=st.floats(0.2, 50.0),
    rate=st.floats(1e-5, 1.0),
    steps=st.integers(1, 1_000_000),
    adjacency=st.sampled_from(Adjacency),
)
def test_estimates_stay_in_range_and_say_what_they_are(
    kind: type[SampledMechanism], noise: float, rate: float, steps: int, adjacency: Adjacency
) -> None:
    release, alpha = kind(noise, rate, steps, adjacency), alpha_grid(40)
    normal = clt(release, alpha)
    assert np.all(np.diff(normal.beta) <= 0.0)
    assert np.all(normal.beta <= 1.0 - alpha + 1e-15)
    for curve in (normal, edgeworth(release, alpha, 0), edgeworth(release, alpha)):
        assert curve.bound is Bound.ESTIMATE
        assert "not a bound" in curve.assumptions[0]
        assert np.all((curve.beta >= 0.0) & (curve.beta <= 1.0) & (curve.power >= 0.0) & (curve.power <= 1.0))
        np.testing.assert_allclose(curve.beta + curve.power, 1.0, atol=1e-12)
        assert (curve.beta[0], curve.beta[-1]) == (1.0, 0.0)
    assert alpha.flags.writeable


SIMULATED = [
    Gaussian(0.5, 0.01),
    Gaussian(2.0, 1.0, 16),
    Laplace(1.5, 0.2),
    Gaussian(1.0, 1.0, 1, REPLACE),
    Composition((Gaussian(2.0, 1.0, 4), Gaussian(3.0, 1.0, 9))),
    Gaussian(1.0, 0.1, 100, REPLACE),
    Laplace(1.0, 0.1, 100),
]


@pytest.mark.parametrize("release", SIMULATED, ids=str)
def test_monte_carlo_agrees_within_its_standard_error(release: Mechanism) -> None:
    """One comparison in 15,000 exceeds 4 standard errors by chance; the seed is fixed, so a pass stays one."""
    alpha = np.array([1e-6, 1e-4, 1e-3, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99])
    curve, error = monte_carlo(release, alpha, samples=20_000, seed=5)
    assert np.all(np.abs(curve.beta - release.trade_off(alpha).beta) <= 4.0 * error)
    assert np.all(error <= 0.51 / np.sqrt(20_000))  # an average of numbers in [0, 1] has at most that
    assert curve.bound is Bound.ESTIMATE
    assert curve.label == "Monte Carlo estimate, 20,000 samples"
    assert np.all(np.diff(curve.beta) <= 0.0)


def test_the_standard_error_of_monte_carlo_is_that_of_repetition() -> None:
    alpha = np.array([0.01, 0.1, 0.3, 0.8])
    runs = [monte_carlo(Gaussian(1.0, 0.2, 5), alpha, samples=2_000, seed=seed) for seed in range(60)]
    spread = np.std([run.curve.beta for run in runs], axis=0, ddof=1)
    stated = np.mean([run.standard_error for run in runs], axis=0)
    np.testing.assert_allclose(spread, stated, rtol=0.3)  # 60 runs know it to 9 %; three such errors


def test_monte_carlo_repeats_itself_with_the_same_seed_only_and_says_what_it_can_afford() -> None:
    first, again, other = (monte_carlo(Gaussian(1.0), np.array([0.1]), 1000, seed).curve.beta[0] for seed in (1, 1, 2))
    assert first == again != other
    assert affordable_samples(Gaussian(1.0, 0.01, 1_000_000)) == 100
    assert affordable_samples(Gaussian(1.0, 0.01, 500_000)) == 200


def test_a_central_limit_without_end_is_said_to_have_none() -> None:
    assert clt(Gaussian(0.001, 0.5, 3), np.array([0.0, 0.5])).label == "CLT estimate, mu = ∞"
