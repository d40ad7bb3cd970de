"""Noncentral chi-squared laws: the series, the mixture and the saddlepoint against each other and mpmath."""

from collections.abc import Iterator
from itertools import count

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import ncx2

from numerics import chi_squared
from tests.strategies import log_uniform

SADDLEPOINT = 1e-8
MIXTURE = 1e-11  # of a tail with up to 27,000 in its exponent's terms


@pytest.fixture(autouse=True, scope="module")
def thirty_digits() -> Iterator[None]:
    with mpmath.workdps(30):
        yield


def log_lower(x: float, degrees: int, noncentrality: float) -> float:
    """Poisson mixture of central laws, term by term, around its peak."""
    centre = noncentrality * x / (degrees + np.sqrt(degrees**2 + 4.0 * noncentrality * x))
    reach = 12.0 * np.sqrt(centre) + 40.0
    mean, half = mpmath.mpf(noncentrality) / 2, mpmath.mpf(x) / 2
    terms = (
        mpmath.exp(-mean + j * mpmath.log(mean) - mpmath.loggamma(j + 1))
        * mpmath.gammainc(mpmath.mpf(degrees) / 2 + j, 0, half, regularized=True)
        for j in range(max(int(centre - reach), 0), int(centre + reach))
    )
    return float(mpmath.log(mpmath.fsum(terms)))


@pytest.mark.parametrize(
    ("degrees", "noncentrality", "x", "error"),
    [
        (10, 240.0, 20.0, MIXTURE),
        (10, 240.0, 1e-20, MIXTURE),  # 1e-156: the series gives 0
        (2, 2000.0, 500.0, MIXTURE),
        (50, 0.2, 1e-5, MIXTURE),
        (2, 2000.0, 50.0, 1e-3),  # below 1e-290: the saddlepoint
        (10, 240.0, 1e-60, 0.1),
        (1, 2000.0, 1e-30, 0.2),
    ],
)
def test_lower_tails_against_mpmath(degrees: int, noncentrality: float, x: float, error: float) -> None:
    known = log_lower(x, degrees, noncentrality)
    assert float(chi_squared.log_tails(x, degrees, noncentrality)[1]) == pytest.approx(known, abs=error)
    if known > np.log(1e-290):
        lower = chi_squared.noncentral_tails(degrees, noncentrality, np.array([x]))[1]
        assert np.log(lower[0]) == pytest.approx(known, abs=MIXTURE)


@pytest.mark.parametrize("shape", [2.1e4, 1e5])
@pytest.mark.parametrize("deviations", [3.6, 6.0, 15.0])
def test_far_lower_tails_of_large_shapes_against_their_series(shape: float, deviations: float) -> None:
    """The series x^k / ((a + 1) ... (a + k)) of the incomplete gamma function, term by term."""
    x = shape - deviations * np.sqrt(shape)
    ratios, term, total = (mpmath.mpf(x) / (shape + k) for k in count(1)), mpmath.mpf(1), mpmath.mpf(1)
    while term > 1e-20 * total:
        term *= next(ratios)
        total += term
    known = mpmath.exp(shape * mpmath.log(x) - x - mpmath.loggamma(shape + 1.0)) * total
    assert chi_squared.central_tails(2.0 * shape, 2.0 * np.array([x]))[1][0] == pytest.approx(float(known), rel=1e-10)


@settings(max_examples=30)
@given(degrees=log_uniform(1.0, 1e5).map(round), noncentrality=log_uniform(1e-2, 1e6), z=st.floats(-8.0, 8.0))
def test_series_and_saddlepoint_against_the_mixture(degrees: int, noncentrality: float, z: float) -> None:
    x = np.array([degrees + noncentrality + z * np.sqrt(2.0 * degrees + 4.0 * noncentrality)])
    assume(x[0] > 1e-3)
    for quick, precise in zip(
        chi_squared.log_tails(x, degrees, noncentrality),
        chi_squared.noncentral_tails(degrees, noncentrality, x),
        strict=True,
    ):
        assert np.exp(quick) == pytest.approx(precise, rel=SADDLEPOINT)


def test_mixture_takes_a_noncentrality_for_each_value() -> None:
    x, noncentrality = np.array([5.0, 900.0, 3.0, 30_000.0]), np.array([0.0, 800.0, 12.0, 30_000.0])
    together = chi_squared.noncentral_tails(7, noncentrality, x)
    for place in range(len(x)):
        alone = chi_squared.noncentral_tails(7, float(noncentrality[place]), x[place : place + 1])
        assert [side[place] for side in together] == pytest.approx([side[0] for side in alone], rel=MIXTURE)


@pytest.mark.parametrize("degrees", [1, 491])
def test_saddlepoint_goes_on_where_the_series_ends(degrees: int) -> None:
    noncentrality = (chi_squared.LARGE - degrees) * np.array([1.0 - 1e-12, 1.0 + 1e-12])
    for place in (-6.0, -0.5, 0.0, 0.005, 2.0, 6.0):
        x = chi_squared.LARGE + place * np.sqrt(4.0 * chi_squared.LARGE - 2.0 * degrees)
        series, saddlepoint = chi_squared.log_tails(x, degrees, noncentrality)[1]
        assert saddlepoint == pytest.approx(series, rel=1e-8)


def test_chances_near_one_keep_their_complement() -> None:
    """A p-value of 1 - 1e-30 has the logarithm -1e-30, not 0: scores would be tied."""
    upper, lower = chi_squared.log_tails(400.0, 10, 100.0)
    assert float(lower) == pytest.approx(-np.exp(float(upper)), rel=1e-12)
    assert -1e-15 < float(lower) < 0.0


def test_far_tails_stay_finite_and_join_the_rest():
    """Both sides of the chance below which the saddlepoint takes over."""
    x = np.linspace(500.0, 200_000.0, 400)
    found = chi_squared.log_tails(x, 650, 500.0 * 650.0)[1]
    assert np.all(np.isfinite(found))
    assert np.all(np.diff(found) > 0.0)
    assert found[0] < -100_000.0


@settings(max_examples=25)
@given(total=log_uniform(1.001 * chi_squared.LARGE, 4e6), share=st.floats(0.0, 0.999), z=st.floats(-8.0, 8.0))
def test_saddlepoint_against_the_series(total, share, z):
    """Large parameters, both tails and the mean, where the formula has a hole."""
    dimension = max(round(share * total), 1)
    noncentrality = total - dimension
    x = dimension + noncentrality + z * np.sqrt(2.0 * dimension + 4.0 * noncentrality)
    found = [float(tail(x, dimension, noncentrality)) for tail in (chi_squared.cdf, chi_squared.sf)]
    known = [float(tail(x, dimension, noncentrality)) for tail in (ncx2.cdf, ncx2.sf)]
    assert found == pytest.approx(known, rel=SADDLEPOINT, abs=0.0)


@settings(max_examples=25)
@given(
    dimension=log_uniform(1.0, 1e9).map(round), noncentrality=log_uniform(1e-2, 1e15), chance=log_uniform(1e-9, 0.999)
)
def test_quantiles_invert_the_distribution(dimension, noncentrality, chance):
    """Also with parameters that no series reaches; there x itself has no more digits than the spread leaves it."""
    x = chi_squared.quantile(np.array([chance]), dimension, noncentrality)
    spread = np.sqrt(2.0 * dimension + 4.0 * noncentrality)
    last_digits = 1e3 * np.spacing(x[0]) / spread
    assert chi_squared.cdf(x, dimension, noncentrality)[0] == pytest.approx(chance, rel=1e-8 + last_digits)


def test_distribution_at_its_ends():
    x = np.array([0.0, np.inf])
    for dimension in (3, 10**7):
        assert chi_squared.cdf(x, dimension, 2.0).tolist() == [0.0, 1.0]
        assert chi_squared.sf(x, dimension, 2.0).tolist() == [1.0, 0.0]
    assert float(chi_squared.cdf(1e7, 10**7, 0.0)) == pytest.approx(0.5, abs=1e-3)
