"""Conversions and Renyi divergences: each limit is kept, and reached by a release that has just this guarantee."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics import conversions, renyi
from numerics.mechanisms import MECHANISMS, Adjacency, Gaussian, Laplace, SampledMechanism, Sampling
from numerics.mechanisms.gaussian import GaussianShift
from numerics.membership import eta_of_epsilon
from numerics.trade_off import Floats
from tests.numerics import oracle

ADD, REPLACE = Adjacency.ADD_REMOVE, Adjacency.REPLACE_ONE
ROUNDING = 1e-9
EPSILONS, RATES = st.floats(0.01, 8.0), st.floats(1e-6, 1.0 - 1e-6)
EXAMPLES = settings(max_examples=30)


def limit_curve(epsilon: float, delta: float, alpha: Floats) -> Floats:
    """1 - f for f = max(0, 1 - delta - e^eps alpha, e^-eps (1 - delta - alpha)), the trade-off function as printed."""
    beta = np.maximum(1.0 - delta - np.exp(epsilon) * alpha, np.exp(-epsilon) * (1.0 - delta - alpha))
    return np.asarray(1.0 - np.maximum(beta, 0.0))


@EXAMPLES
@given(EPSILONS, st.sampled_from([0.0, 1e-9, 1e-5, 0.1, 0.9]), RATES)
def test_limits_are_those_of_the_printed_trade_off_function(epsilon: float, delta: float, alpha: float) -> None:
    """Its power, twice eta its largest gap, mu the least whose curve lies below; two steps as Laplace has them."""
    at = np.array([alpha, (1.0 - delta) / (1.0 + np.exp(epsilon)), *np.linspace(0.0, 1.0, 101)])
    limit = limit_curve(epsilon, delta, at)
    assert conversions.power_limit(epsilon, delta, alpha) == pytest.approx(limit[0], abs=ROUNDING)
    gap = np.max(limit - at)
    assert 2.0 * eta_of_epsilon(epsilon, delta, REPLACE) == pytest.approx(gap, abs=ROUNDING)
    assert gap <= 2.0 * eta_of_epsilon(epsilon, delta, ADD) + ROUNDING
    mu, grid = conversions.mu_limit(epsilon), np.append(np.geomspace(1e-9, 1.0, 300), 1.0 / (1.0 + np.exp(epsilon)))
    allowed = limit_curve(epsilon, 0.0, grid)
    assert np.all(GaussianShift(mu).power(grid) >= allowed - ROUNDING)
    assert np.any(GaussianShift(0.999 * mu).power(grid) < allowed)
    replaced = Laplace(1.0 / epsilon, adjacency=REPLACE).advantage().estimate
    assert conversions.replaced_advantage_limit(epsilon, 0.0) == pytest.approx(replaced, abs=ROUNDING)


@EXAMPLES
@given(st.floats(0.2, 20.0), st.floats(1e-6, 0.5))
def test_releases_keep_their_limits_and_an_attack_proves_no_more_than_the_release_has(
    noise: float, alpha: float
) -> None:
    for release, delta in ((Laplace(noise), 0.0), (Gaussian(noise), 1e-5)):
        epsilon = release.epsilon(delta).estimate if delta else release.pure_epsilon
        power = min(release.power(alpha).estimate, 1.0 - 1e-12)
        assert power <= conversions.power_limit(epsilon, delta, alpha) + ROUNDING
        assert conversions.epsilon_reached(alpha, power, delta) <= epsilon + 1e-3
        assert conversions.mu_reached(alpha, power) <= release.gaussian_mu().upper + 1e-3  # 1 - power has lost digits
        assert conversions.advantage_reached(alpha, power) <= release.advantage().estimate + ROUNDING
        if delta:
            assert conversions.advantage_of_power_limit(alpha, power) >= release.advantage().estimate - ROUNDING


KEPT = [kind for kind in MECHANISMS if kind.name in oracle.KNOWN and kind.name != "Truncated Laplace"]


@pytest.mark.parametrize(("adjacency", "rate"), [(ADD, 1.0), (ADD, 0.2), (REPLACE, 1.0)])
@pytest.mark.parametrize("kind", KEPT)
def test_divergences_by_definition_and_what_follows_from_them(
    kind: type[SampledMechanism], adjacency: Adjacency, rate: float
) -> None:
    """On cells, in both directions; rho is no less than any over its order."""
    if adjacency not in kind.adjacencies or (rate < 1.0 and not kind.is_sampled):
        return
    release = kind(2.0, rate, 1, adjacency)
    laws = oracle.step(release, 20_000)
    kept = (laws[0] > 1e-60) & (laws[1] > 1e-60)
    orders = (2, 3, 5)
    found = [renyi.divergence(release, order) for order in orders]
    known = [oracle.divergence((laws[0][kept], laws[1][kept]), order) for order in orders]
    assert found == pytest.approx(known, rel=1e-5)
    assert all(each <= renyi.zcdp(release) * order * (1.0 + 1e-12) for each, order in zip(found, orders, strict=True))
    many = kind(2.0, rate, 7, adjacency)
    assert renyi.divergence(many, 3) == pytest.approx(7.0 * found[1], rel=1e-12)


@pytest.mark.parametrize("kind", MECHANISMS)
def test_rho_is_no_less_than_any_divergence_over_its_order(kind: type[SampledMechanism]) -> None:
    drawn = [kind(1.0, 0.3, 20, kind.adjacencies[0])] if kind.is_sampled else []
    if Sampling.SHUFFLED in kind.samplings and kind.is_sampled:
        drawn.append(kind(1.0, 0.1, 10, Adjacency.ZERO_OUT, Sampling.SHUFFLED))
    for release in (kind(0.7, 1.0, 4, kind.adjacencies[0]), *drawn):
        rho = renyi.zcdp(release)
        assert all(renyi.divergence(release, n) <= rho * n * (1.0 + 1e-12) or np.isinf(rho) for n in (2, 8, 32, 300))
