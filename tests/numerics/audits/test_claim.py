"""Claims allow at least the power of the exact curve, are inverted rightly, and ascend with their parameter."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri

from numerics import Adjacency, Composition, Gaussian, Laplace
from numerics.audits import ApproximateClaim, Claim, GdpClaim, ReleaseClaim
from numerics.conversions import power_limit
from numerics.sampling import Sampling
from numerics.trade_off import Order

ALPHA = np.concatenate(([0.0], np.geomspace(1e-8, 0.5, 60), 1.0 - np.geomspace(0.4, 1e-8, 60), [1.0]))
SAMPLED = Gaussian(1.0, 0.01, 1000)
FIXED = Gaussian(1.0, 0.05, 100, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE)
CLAIMS: list[Claim] = [
    GdpClaim(0.0),
    GdpClaim(1.5),
    ApproximateClaim(1.0, 0.0),
    ApproximateClaim(0.5, 0.1),
    ReleaseClaim(SAMPLED),
    ReleaseClaim(Gaussian(0.8, 0.1)),
    ReleaseClaim(Laplace(1.0)),
    ReleaseClaim(FIXED),
    ReleaseClaim(Composition((SAMPLED, Gaussian(2.0)))),
]


def names(claim: Claim) -> str:
    return claim.label


@pytest.mark.parametrize("claim", CLAIMS, ids=names)
@pytest.mark.parametrize("order", Order)
def test_power_is_a_concave_curve_above_guessing(claim: Claim, order: Order) -> None:
    power = claim.power(ALPHA, order)
    assert np.all(power >= ALPHA)
    assert np.all(np.diff(power) >= 0.0)
    assert power[-1] == 1.0
    even = claim.power(np.linspace(0.0, 1.0, 401), order)
    assert np.all(np.diff(even, 2) <= 1e-9)


@pytest.mark.parametrize("claim", CLAIMS, ids=names)
@pytest.mark.parametrize("order", Order)
def test_the_inverse_is_the_smallest_rate_with_that_power(claim: Claim, order: Order) -> None:
    power = np.geomspace(1e-6, 1.0, 200)[:-1]
    alpha = claim.alpha_for(power, order)
    np.testing.assert_allclose(np.maximum(claim.power(alpha, order), power), claim.power(alpha, order), rtol=1e-9)
    found = alpha > 1e-12
    np.testing.assert_allclose(claim.power(alpha[found], order), power[found], rtol=1e-6)
    assert np.all(claim.power(np.zeros(1), order) >= power[alpha == 0.0] * (1.0 - 1e-12))


@pytest.mark.parametrize("claim", CLAIMS, ids=names)
def test_the_symmetric_order_allows_what_either_does_and_is_its_own_mirror_image(claim: Claim) -> None:
    both = claim.power(ALPHA)
    for order in (Order.ADD, Order.REMOVE):
        assert np.all(both >= claim.power(ALPHA, order) - 1e-12)
    inner = ALPHA[(both > 1e-7) & (both < 1.0 - 1e-7) & (ALPHA > 0.0)]
    np.testing.assert_allclose(claim.alpha_for(1.0 - inner), 1.0 - claim.power(inner), rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize(
    "release", [SAMPLED, FIXED, Gaussian(0.8, 0.1), Laplace(1.0)], ids=lambda release: release.label
)
def test_a_release_is_taken_at_its_guarantee(release) -> None:
    for order in Order:
        power = ReleaseClaim(release).power(ALPHA, order)
        curve = release.trade_off(ALPHA, order)
        assert np.all(power >= (curve.upper or curve).power)
        np.testing.assert_array_equal(power, (curve.lower or curve).power)


def test_the_curves_by_hand() -> None:
    np.testing.assert_allclose(GdpClaim(1.5).power(ALPHA), ndtr(ndtri(ALPHA) + 1.5))
    np.testing.assert_allclose(ReleaseClaim(Gaussian(0.5)).power(ALPHA), GdpClaim(2.0).power(ALPHA), rtol=1e-12)
    limits = [power_limit(0.5, 0.1, alpha) for alpha in ALPHA]
    np.testing.assert_array_equal(ApproximateClaim(0.5, 0.1).power(ALPHA), limits)
    corner = np.array([0.9 / (1.0 + np.exp(0.5))])  # where both lines meet
    np.testing.assert_allclose(ApproximateClaim(0.5, 0.1).power(corner), 1.0 - corner)
    assert ApproximateClaim(0.5, 0.1).alpha_for(np.array([1.0])) == 0.9


@pytest.mark.parametrize("claim", CLAIMS, ids=names)
@settings(max_examples=5, deadline=None)
@given(factor=st.floats(1.05, 2.0))
def test_the_family_ascends_in_its_parameter(claim: Claim, factor: float) -> None:
    more = claim.with_parameter(claim.parameter * factor + (0.1 if claim.grows else 0.0))
    assert type(more) is type(claim)
    assert more.adjacency is claim.adjacency
    weak, strong = (claim, more) if claim.grows else (more, claim)
    rates = ALPHA[1:]  # at 0 brackets promise no width
    assert np.all(strong.power(rates) >= weak.power(rates) * (1.0 - 1e-3))
    assert strong.power(np.array([0.1])) > weak.power(np.array([0.1]))


@pytest.mark.parametrize("claim", CLAIMS, ids=names)
def test_a_claim_says_what_it_is(claim: Claim) -> None:
    assert claim.parameter == pytest.approx(getattr(getattr(claim, "release", claim), claim.parameter_name))
    assert claim.limits[0] <= claim.parameter <= claim.limits[1]
    for beyond in (claim.limits[0] - 1.0, claim.limits[1] * 2.0):
        with pytest.raises(ValueError, match=r"must|between"):
            claim.with_parameter(beyond)
