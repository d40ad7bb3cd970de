"""The relaxed threat model in closed form: 50-digit references, laws, tails."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.special import ndtr, ndtri

from numerics import relaxed
from numerics.mechanisms import Gaussian, Laplace
from numerics.mechanisms.folded_distance import FoldedDistance
from numerics.mechanisms.laplace import FoldedLaplace
from numerics.relaxed import asymptotics
from numerics.trade_off import Bound, Order, alpha_grid
from tests.reference import Reference, each, rows
from tests.relaxed_curves import GRID, MISPRINT, ROUNDING, beta, dimension, once
from tests.strategies import log_uniform


def approximate(form, row: Reference) -> float:
    """Beta of one of the two normal approximations."""
    noncentrality = once(row).steps * once(row).effect_size ** 2
    return float(form(np.array([row.number("alpha")]), noncentrality, dimension(row)).beta[0])


CLOSED = {
    "j_Lap (RTM": Order.ADD,
    "j_Lap^{-1} with": Order.REMOVE,
    "j_Lap^{-1} in": Order.REMOVE,
    "J_Lap": Order.SYMMETRIC,
    "j_GM d=1": Order.ADD,
    "j_GM^{-1} d=1": Order.REMOVE,
    "J_GM": Order.SYMMETRIC,
    "j_GM d>1": Order.ADD,
    "j_GM^{-1} d>1": Order.REMOVE,
    "SGM RTM j_p N=1": Order.ADD,
    "SGM RTM j_p^{-1}": Order.REMOVE,
    "SLM RTM": Order.ADD,
}
CASES = [(row, order) for family, order in CLOSED.items() for row in rows(family)]


@pytest.mark.parametrize(("row", "order"), CASES, ids=[row.id for row, _ in CASES])
def test_closed_forms(row, order):
    found = beta(once(row), row.number("alpha"), dimension=dimension(row), order=order)
    assert found == pytest.approx(row.expected, rel=ROUNDING)


@each("j_Lap^{-1} threshold")
def test_threshold_of_the_laplace_inverse(row):
    assert FoldedLaplace(row.number("mu1")).inverse_threshold == pytest.approx(row.expected, rel=ROUNDING)


@each("misprint", prefix="NEG_lap_jinv", role="negative")
def test_printed_threshold_is_not_used(row):
    assert beta(once(row), row.number("alpha"), order=Order.REMOVE) != pytest.approx(row.expected, abs=MISPRINT)


@each("Theorem 3 CLT")
def test_asymptotic_forms(row):
    form = asymptotics.scaled if "LHS" in row.family else asymptotics.shifted
    assert approximate(form, row) == pytest.approx(row.expected, rel=ROUNDING)


@each("misprint", prefix="NEG_thm3", role="negative")
def test_printed_asymptotic_forms_are_not_used(row):
    for form in (asymptotics.scaled, asymptotics.shifted):
        assert approximate(form, row) != pytest.approx(row.expected, abs=MISPRINT)


effects, dimensions = log_uniform(0.02, 12.0), st.sampled_from([1, 2, 3, 10, 300, 40_001, 10**6, 10**9])
folded = st.builds(
    lambda laplace, mu, rate, d: (Laplace if laplace else Gaussian, mu, rate, 1 if laplace else d),
    st.booleans(),
    effects,
    st.one_of(st.just(1.0), log_uniform(0.01, 1.0)),
    dimensions,
)


@given(folded)
@settings(max_examples=40)
def test_laws_of_the_closed_forms(case):
    kind, mu, rate, d = case
    mechanism = kind(1.0 / mu, rate)
    j, inverse, both = (relaxed.trade_off(mechanism, GRID, dimension=d, order=order) for order in Order)
    assert j.bound is Bound.EXACT
    full = [mechanism.trade_off(GRID, order).beta for order in Order]
    for curve, below in zip((j, inverse, both), full, strict=True):
        assert np.all(curve.beta >= below - ROUNDING)
        assert np.all(curve.beta <= 1.0 - GRID + ROUNDING)
        np.testing.assert_allclose(curve.beta + curve.power, 1.0, rtol=1e-14)
        slopes = np.diff(curve.beta) / np.diff(GRID)
        # A slope loses digits to the difference of the betas, and of their rounding, over that of the alphas.
        assert np.all(np.diff(slopes) >= -4.0 * ROUNDING / np.minimum(np.diff(GRID)[1:], np.diff(GRID)[:-1]))
    assert np.all(both.beta <= np.minimum(j.beta, inverse.beta) + ROUNDING)


@given(folded)
@settings(max_examples=40)
def test_the_inverse_is_the_mirror_image(case):
    kind, mu, rate, d = case
    mechanism = kind(1.0 / mu, rate)
    inverse = relaxed.trade_off(mechanism, GRID[1:-1], dimension=d, order=Order.REMOVE)
    keep = (inverse.beta > 1e-9) & (inverse.beta < 1 - 1e-9)
    alpha = inverse.beta[keep][::-1]
    back = relaxed.trade_off(mechanism, alpha, dimension=d).beta[::-1]
    np.testing.assert_allclose(back, GRID[1:-1][keep], rtol=1e-6, atol=1e-10)


@given(effects)
@settings(max_examples=30)
def test_power_falls_with_the_dimension(mu):
    power = [relaxed.trade_off(Gaussian(1.0 / mu), GRID, dimension=d).power for d in (1, 2, 10, 300, 10**6)]
    for fewer, more in pairwise(power):
        assert np.all(more <= fewer + ROUNDING)


@pytest.mark.parametrize(("mu", "d"), [(1.0, 2), (1.5, 300), (30.0, 10**6), (0.5, 1)])
def test_tails_against_boost(mu, d):
    """Down to alpha = 1e-9 in either error, by another method: SciPy's noncentral chi-squared."""
    alpha = np.array([1e-9, 1e-4, 0.3, 1 - 1e-6])
    critical = stats.chi2.isf(alpha, d)
    curve = relaxed.trade_off(Gaussian(1.0 / mu), alpha, dimension=d)
    np.testing.assert_allclose(curve.power, stats.ncx2.sf(critical, d, mu**2), rtol=1e-9)
    np.testing.assert_allclose(curve.beta, stats.ncx2.cdf(critical, d, mu**2), rtol=1e-7)


def test_interpolation_between_nodes_keeps_the_digits():
    for mu, d in ((0.1, 1.0), (1.0, 2.0), (3.0, 300.0), (20.0, 1e6)):
        law, alpha = FoldedDistance(mu, d), alpha_grid(1000)[1:-1]
        many, few = law.errors(alpha, 1 - alpha), law.errors(alpha[::40], 1 - alpha[::40])
        np.testing.assert_allclose(many.power[::40], few.power, rtol=1e-9)
        np.testing.assert_allclose(many.beta[::40], few.beta, rtol=1e-9)


def test_symmetric_curve_is_the_envelope_by_brute_force():
    """Largest convex function below both: the largest supporting line over a fine set of slopes."""
    fine, at = alpha_grid(20_001), np.linspace(0.02, 0.98, 25)
    for mechanism in (Gaussian(1.0), Laplace(1.0), Laplace(0.7, 0.4), Gaussian(0.5, 0.3)):
        lowest = np.minimum(*(relaxed.trade_off(mechanism, fine, order=o).beta for o in (Order.ADD, Order.REMOVE)))
        slopes = -np.geomspace(1e-3, 1e3, 4001)
        intercepts = np.array([np.min(lowest - slope * fine) for slope in slopes])
        envelope = np.max(intercepts[:, None] + slopes[:, None] * at, axis=0)
        np.testing.assert_allclose(relaxed.trade_off(mechanism, at, order=Order.SYMMETRIC).beta, envelope, atol=1e-5)


@pytest.mark.parametrize("mu", [33.5, 36.0, 39.8, 45.0])
@pytest.mark.parametrize("dimension", [1, 10])
def test_hypotheses_far_apart_are_told_apart(mu: float, dimension: int) -> None:
    """Where beta underflows before alpha reaches 1; at that distance both sides are one, and beta is 2 P(Z > c)."""
    for order in Order:
        curve = relaxed.trade_off(Gaussian(1.0 / mu), GRID, dimension=dimension, order=order)
        assert np.all(curve.power[1:] == pytest.approx(1.0))
        assert np.all(np.diff(curve.beta) <= 0.0)
    if dimension == 1:
        alpha = np.array([1e-9, 1e-6])
        expected = 2.0 * ndtr(-mu - ndtri(alpha))
        assert relaxed.trade_off(Gaussian(1.0 / mu), alpha, order=Order.REMOVE).beta == pytest.approx(
            expected, rel=1e-6
        )
