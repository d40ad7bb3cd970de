"""Central limit, Edgeworth and Monte Carlo estimates beside exact curves; what all estimates have in common.

Reference values and refusals are rows of ``tests/numerics/engine_table.toml``.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.approximations import clt, edgeworth, monte_carlo
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Mechanism, SampledMechanism
from numerics.trade_off import Bound, alpha_grid
from tests.strategies import KNOWN

REPLACE = Adjacency.REPLACE_ONE


@pytest.mark.parametrize("adjacency", Adjacency)
def test_normal_losses_are_exact_at_every_order_and_phases_add_up_as_steps_do(adjacency: Adjacency) -> None:
    phases, alpha = (Gaussian(2.0, 1.0, 9, adjacency), Gaussian(3.0, 1.0, 4, adjacency)), alpha_grid(51, 1e-6)
    exact = Composition(phases).trade_off(alpha).power
    np.testing.assert_allclose(clt(Composition(phases), alpha).power, exact, rtol=1e-9)
    for order in range(5):
        np.testing.assert_allclose(edgeworth(Composition(phases), alpha, order).power, exact, rtol=1e-8)
    split = Composition((Gaussian(1.0, 0.1, 30, adjacency), Gaussian(1.0, 0.1, 70, adjacency)))
    whole = edgeworth(Gaussian(1.0, 0.1, 100, adjacency), alpha)
    np.testing.assert_allclose(edgeworth(split, alpha).beta, whole.beta, rtol=1e-9, atol=1e-12)


@settings(max_examples=15)
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


SIMULATED = [
    Gaussian(0.5, 0.01),
    Laplace(1.5, 0.2),
    Composition((Gaussian(2.0, 1.0, 4), Gaussian(3.0, 1.0, 9))),
    Gaussian(1.0, 0.1, 100, REPLACE),
]


@pytest.mark.parametrize("release", SIMULATED, ids=str)
def test_monte_carlo_agrees_within_its_standard_error(release: Mechanism) -> None:
    """One comparison in 15,000 exceeds 4 standard errors by chance; the seed is fixed, so a pass stays one."""
    alpha = np.array([1e-6, 1e-4, 1e-3, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99])
    curve, error = monte_carlo(release, alpha, samples=10_000, seed=5)
    assert np.all(np.abs(curve.beta - release.trade_off(alpha).beta) <= 4.0 * error)
    assert np.all(error <= 0.51 / np.sqrt(10_000))  # an average of numbers in [0, 1] has at most that
    assert (curve.bound, curve.label) == (Bound.ESTIMATE, "Monte Carlo estimate, 10,000 samples")
    assert np.all(np.diff(curve.beta) <= 0.0)
