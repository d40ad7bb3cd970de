"""Noncentral chi-squared laws: the series, the mixture and the saddlepoint against each other and SciPy.

Tails to 40 digits, far beyond what SciPy reaches, and where one method takes over are rows of ``table.toml``.
"""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import ncx2

from numerics import chi_squared
from tests.strategies import log_uniform

SADDLEPOINT = 1e-8


@settings(max_examples=25)
@given(degrees=log_uniform(1.0, 1e5).map(round), noncentrality=log_uniform(1e-2, 1e6), z=st.floats(-8.0, 8.0))
def test_quick_tails_against_the_mixture_and_the_mixture_against_scipy(
    degrees: int, noncentrality: float, z: float
) -> None:
    x = np.array([degrees + noncentrality + z * np.sqrt(2.0 * degrees + 4.0 * noncentrality)])
    assume(x[0] > 1e-3)
    precise = [side[0] for side in chi_squared.noncentral_tails(degrees, noncentrality, x)]
    quick = np.exp([side[0] for side in chi_squared.log_tails(x, degrees, noncentrality)])
    assert quick == pytest.approx(precise, rel=SADDLEPOINT)
    if degrees + noncentrality < 1e4 and abs(z) < 5.0:
        known = [float(tail(x[0], degrees, noncentrality)) for tail in (ncx2.sf, ncx2.cdf)]
        assert precise == pytest.approx(known, rel=1e-7)


@settings(max_examples=25)
@given(total=log_uniform(1.001 * chi_squared.LARGE, 4e6), share=st.floats(0.0, 0.999), z=st.floats(-8.0, 8.0))
def test_saddlepoint_against_the_series(total: float, share: float, z: float) -> None:
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
def test_quantiles_invert_the_distribution(dimension: int, noncentrality: float, chance: float) -> None:
    """Also with parameters that no series reaches; there x itself has no more digits than the spread leaves it."""
    x = chi_squared.quantile(np.array([chance]), dimension, noncentrality)
    spread = np.sqrt(2.0 * dimension + 4.0 * noncentrality)
    last_digits = 1e3 * np.spacing(x[0]) / spread
    assert chi_squared.cdf(x, dimension, noncentrality)[0] == pytest.approx(chance, rel=1e-8 + last_digits)
