"""Renyi divergences of releases by quadrature, and the power that zCDP and RDP allow: reference rows and laws."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri

from numerics import renyi
from numerics.mechanisms import Adjacency, Gaussian, Laplace, Sampling
from numerics.mechanisms.discrete_gaussian import DiscreteGaussian
from numerics.mechanisms.discrete_laplace import DiscreteLaplace
from numerics.mechanisms.exponential_mechanism import ExponentialMechanism
from numerics.mechanisms.logistic import Logistic
from numerics.mechanisms.noisy_max import LaplaceNoisyMax, PermuteAndFlip
from numerics.mechanisms.randomised_response import RandomisedResponse

RHO, ALPHA = st.floats(1e-3, 20.0), st.floats(1e-9, 0.5)


def test_the_limit_keeps_what_orders_near_1_allow():
    """There the divergence is the relative entropy, and for these it decides."""
    rho, alpha = 2.476, 0.0556
    power = renyi.power_limit(rho, alpha)
    entropy = power * np.log(power / alpha) + (1.0 - power) * np.log((1.0 - power) / (1.0 - alpha))
    assert rho <= entropy + 1e-9 <= rho + 1e-5


@given(RHO, ALPHA)
@settings(max_examples=20)
def test_limits_lie_above_the_gaussian_release_and_in_order(rho, alpha):
    tight = renyi.power_limit(rho, alpha)
    release = float(ndtr(np.sqrt(2.0 * rho) + ndtri(alpha)))
    assert max(release, alpha) <= tight * (1.0 + 1e-12)
    assert tight <= renyi.simple_power_limit(rho, alpha) * (1.0 + 1e-9)
    # Some orders alone are a guarantee too, and allow more.
    orders = (1.5, 2.0, 8.0, 64.0)
    assert renyi.power_limit_of_rdp(orders, tuple(rho * o for o in orders), alpha) >= tight * (1.0 - 1e-12)


@given(st.floats(1e-6, 5.0), ALPHA, st.floats(1.01, 50.0))
@settings(max_examples=20)
def test_one_order_allows_what_its_divergence_says(epsilon, alpha, order):
    power = renyi.power_limit_of_rdp((order,), (epsilon,), alpha)
    assert alpha * (1.0 - 1e-12) <= power <= 1.0
    if power < 1.0 - 1e-9:
        both = [
            np.logaddexp(
                order * np.log(p) + (1.0 - order) * np.log(q), order * np.log1p(-p) + (1.0 - order) * np.log1p(-q)
            )
            / (order - 1.0)
            for p, q in ((power, alpha), (alpha, power))
        ]
        assert max(both) == pytest.approx(epsilon, rel=1e-6, abs=1e-9)


def _by_quadrature(density, shift: float, rate: float, order: int) -> float:
    x, width = np.linspace(-24.0, 25.0, 490_001, retstep=True)
    absent, present = density(x), density(x - shift)
    mixed = (1.0 - rate) * absent + rate * present
    both = [np.log(np.sum(p**order * q ** (1.0 - order)) * width) for p, q in ((mixed, absent), (absent, mixed))]
    return float(max(both) / (order - 1.0))


@pytest.mark.parametrize("order", [2, 5])
@pytest.mark.parametrize("rate", [1.0, 0.2])
def test_divergences_by_quadrature_of_both_directions(order, rate):
    normal = _by_quadrature(lambda x: np.exp(-0.5 * x**2 / 4.0) / np.sqrt(8.0 * np.pi), 1.0, rate, order)
    assert renyi.divergence(Gaussian(2.0, rate), order) == pytest.approx(normal, rel=1e-9)
    laplace = _by_quadrature(lambda x: np.exp(-np.abs(x)) / 2.0, 1.0, rate, order)
    assert renyi.divergence(Laplace(1.0, rate), order) == pytest.approx(laplace, rel=1e-5)


@pytest.mark.parametrize("release", [Gaussian(1.0, 0.01, 100), Laplace(2.0, 0.1, 20), Gaussian(1.0, steps=2)], ids=str)
def test_what_divergences_allow_is_no_less_than_the_certified_curve(release):
    orders = (2, 3, 4, 6, 8, 16, 32)
    epsilons = tuple(renyi.divergence(release, order) for order in orders)
    for alpha in (1e-4, 0.05):
        found = renyi.power_limit_of_rdp(tuple(map(float, orders)), epsilons, alpha)
        assert found >= release.power(alpha).lower * (1.0 - 1e-9)


def _of_laws(p, q, order: int) -> float:
    """The larger of both directions, as the definition has it."""
    both = (np.log(np.sum(one * (one / other) ** (order - 1.0))) for one, other in ((p, q), (q, p)))
    return float(max(both) / (order - 1.0))


@pytest.mark.parametrize("order", [2, 3, 8])
@pytest.mark.parametrize("rate", [1.0, 0.2])
@pytest.mark.parametrize("kind", [DiscreteGaussian, DiscreteLaplace, Logistic])
def test_divergences_of_other_noise_by_definition(kind, rate, order):
    """Whole numbers one by one, weights from their definition; logistic noise by quadrature."""
    if kind is Logistic:
        assert renyi.divergence(kind(0.8, rate), order) == pytest.approx(
            _by_quadrature(lambda x: 1.0 / (3.2 * np.cosh(x / 1.6) ** 2), 1.0, rate, order), rel=1e-6
        )
        return
    x = np.arange(-80, 81)
    weigh = (lambda u: np.exp(-0.5 * (u / 2.4) ** 2)) if kind is DiscreteGaussian else (lambda u: np.exp(-abs(u) / 2.4))
    absent, present = (weigh(x - shift) / np.sum(weigh(x)) for shift in (0, 3))
    found = renyi.divergence(kind(0.8, rate, sensitivity=3), order)
    assert found == pytest.approx(_of_laws((1.0 - rate) * absent + rate * present, absent, order), rel=1e-9)
    if rate == 1.0:
        replaced = renyi.divergence(kind(0.8, adjacency=Adjacency.REPLACE_ONE, sensitivity=3), order)
        one, other = (weigh(x - shift) / np.sum(weigh(x)) for shift in (-3, 3))
        assert replaced == pytest.approx(_of_laws(one, other, order), rel=1e-9)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
@pytest.mark.parametrize("order", [2, 5, 32])
def test_of_choices_no_largest_loss_is_worse(epsilon, order):
    """The definition on two outcomes at 20,001 largest losses; scores of several candidates stay below."""
    t = np.linspace(0.0, epsilon, 20_001)[1:-1]
    q = (np.exp(-t) - np.exp(-epsilon)) / -np.expm1(-epsilon)
    moments = q * np.exp(order * t) + (1.0 - q) * np.exp(order * (t - epsilon))
    release = ExponentialMechanism(1.0 / epsilon)
    found = renyi.divergence(release, order)
    assert found == pytest.approx(np.log(np.max(moments)) / (order - 1.0), rel=1e-6)
    assert renyi.divergence(replace(release, steps=7), order) == pytest.approx(7.0 * found, rel=1e-12)
    generator = np.random.default_rng(order)
    for _ in range(50):
        scores = generator.uniform(-3.0, 3.0, 5)
        other = scores + generator.choice([-1.0, 0.0, 1.0], 5)
        one, two = (np.exp(0.5 * epsilon * each) / np.exp(0.5 * epsilon * each).sum() for each in (scores, other))
        assert _of_laws(one, two, order) <= found * (1.0 + 1e-12)


@pytest.mark.parametrize("rate", [0.05, 0.6])
def test_of_choices_from_a_sample_divergences_are_a_guarantee(rate):
    release = ExponentialMechanism(0.5, rate)
    generator = np.random.default_rng(3)
    for _ in range(100):
        scores = generator.uniform(-3.0, 3.0, 4)
        other = scores + generator.choice([-1.0, 1.0], 4)
        absent, present = (np.exp(each) / np.exp(each).sum() for each in (scores, other))
        for order in (2, 6, 20):
            worst = _of_laws((1.0 - rate) * absent + rate * present, absent, order)
            assert worst <= renyi.divergence(release, order)
            assert worst <= renyi.zcdp(release) * order


RHO_OF = [
    *(Gaussian(2.0, steps=3), DiscreteGaussian(2.0, sensitivity=3), Laplace(1.5, steps=4), Logistic(0.7, 0.1, 9)),
    *(ExponentialMechanism(0.5, steps=20), ExponentialMechanism(0.5, 0.3, 20), PermuteAndFlip(1.0, steps=5)),
    *(RandomisedResponse(1.0, steps=2), DiscreteLaplace(0.4), LaplaceNoisyMax(0.4), Gaussian(1.0, 0.01, 1000)),
    *(Gaussian(1.0, 0.1, 10, Adjacency.ZERO_OUT, Sampling.SHUFFLED), ExponentialMechanism(5.0, 0.9)),
]


@pytest.mark.parametrize("release", RHO_OF, ids=lambda release: release.label)
def test_rho_is_no_less_than_any_divergence_over_its_order(release):
    rho = renyi.zcdp(release)
    assert all(renyi.divergence(release, order) <= rho * order * (1.0 + 1e-12) for order in (2, 3, 8, 32, 300))


def test_conversions_to_rho():
    assert renyi.zcdp_of_mu(2.0) == 2.0
    assert renyi.zcdp_of_pure_epsilon(1.0) == 0.5
    pure, rho = Laplace(1.0), renyi.zcdp_of_pure_epsilon(Laplace(1.0).pure_epsilon)
    assert all(renyi.divergence(pure, order) <= rho * order for order in (2, 3, 10, 100))
