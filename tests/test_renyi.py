"""Renyi divergences of releases by quadrature, and the power that zCDP and RDP allow: reference rows and laws."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri

from numerics import renyi
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Sampling
from numerics.mechanisms.logistic import Logistic
from tests.reference import PRACTICE, each

RHO, ALPHA = st.floats(1e-3, 20.0), st.floats(1e-9, 0.5)


@each(prefix="zcdp_simple", file=PRACTICE)
def test_simple_power_limit(row):
    assert renyi.simple_power_limit(row.number("rho"), row.number("alpha")) == pytest.approx(row.expected, rel=1e-13)


@each(prefix="zcdp_tight", file=PRACTICE)
def test_power_limit(row):
    assert renyi.power_limit(row.number("rho"), row.number("alpha")) == pytest.approx(row.expected, rel=1e-11)


@given(RHO, ALPHA)
@settings(max_examples=40, deadline=None)
def test_limits_lie_above_the_gaussian_release_and_in_order(rho, alpha):
    tight = renyi.power_limit(rho, alpha)
    release = float(ndtr(np.sqrt(2.0 * rho) + ndtri(alpha)))
    assert max(release, alpha) <= tight * (1.0 + 1e-12)
    assert tight <= renyi.simple_power_limit(rho, alpha) * (1.0 + 1e-9)
    # Some orders alone are a guarantee too, and allow more.
    orders = (1.5, 2.0, 8.0, 64.0)
    assert renyi.power_limit_of_rdp(orders, tuple(rho * o for o in orders), alpha) >= tight * (1.0 - 1e-12)


@given(st.floats(1e-6, 5.0), ALPHA, st.floats(1.01, 50.0))
@settings(max_examples=40, deadline=None)
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


def test_divergences_add_up_and_know_their_neighbours():
    assert renyi.divergence(Gaussian(2.0, steps=7), 3) == pytest.approx(7 * 3 / 8.0, rel=1e-14)
    assert renyi.divergence(Gaussian(2.0, adjacency=Adjacency.REPLACE_ONE), 3) == pytest.approx(12 / 8.0, rel=1e-14)
    first, second = Gaussian(2.0, 0.1, 5), Laplace(3.0)
    together = renyi.divergence(Composition((first, second)), 4)
    assert together == pytest.approx(renyi.divergence(first, 4) + renyi.divergence(second, 4), rel=1e-14)


@pytest.mark.parametrize("release", [Gaussian(1.0, 0.01, 100), Laplace(2.0, 0.1, 20), Gaussian(1.0, steps=2)], ids=str)
def test_what_divergences_allow_is_no_less_than_the_certified_curve(release):
    orders = (2, 3, 4, 6, 8, 16, 32)
    epsilons = tuple(renyi.divergence(release, order) for order in orders)
    for alpha in (1e-4, 0.05):
        found = renyi.power_limit_of_rdp(tuple(map(float, orders)), epsilons, alpha)
        assert found >= release.power(alpha).lower * (1.0 - 1e-9)


def test_conversions_to_rho():
    assert renyi.zcdp_of_mu(2.0) == 2.0
    assert renyi.zcdp_of_pure_epsilon(1.0) == 0.5
    pure, rho = Laplace(1.0), renyi.zcdp_of_pure_epsilon(Laplace(1.0).pure_epsilon)
    assert all(renyi.divergence(pure, order) <= rho * order for order in (2, 3, 10, 100))


@pytest.mark.parametrize(
    "release",
    [
        Gaussian(1.0, 0.1, 1, Adjacency.REPLACE_ONE),
        Gaussian(1.0, 0.1, 1, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE),
        Logistic(1.0),
    ],
    ids=lambda release: release.label,
)
def test_what_is_not_known_is_refused(release):
    with pytest.raises(ValueError, match=r"not offered|Poisson sampling only"):
        renyi.divergence(release, 2)


def test_orders_and_their_epsilons_go_together():
    with pytest.raises(ValueError, match="equally many, got 2 and 1"):
        renyi.power_limit_of_rdp((2.0, 3.0), (1.0,), 0.1)
