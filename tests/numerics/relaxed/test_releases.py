"""Unequal releases of an unknown record: weighed by their variances, along one direction or independent ones."""

import numpy as np
import pytest

from numerics import relaxed
from numerics.mechanisms import Composition, Gaussian
from numerics.mechanisms.folded_distance import FoldedDistance
from numerics.mechanisms.gaussian import FoldedNormal
from numerics.relaxed import Direction
from numerics.trade_off import Bound
from tests.reference import Reference, each
from tests.relaxed_curves import GRID, MISPRINT, ROUNDING, beta


def unequal(row: Reference) -> Composition:
    """Two releases of different influence and noise."""
    effects = [(row.number(f"D{which}"), row.number(f"s{which}")) for which in "ab"]
    return Composition(tuple(Gaussian(noise / influence) for influence, noise in effects))


@each("Lemma 8 noncentrality")
def test_average_of_unequal_releases_is_not_what_is_composed(row):
    """The best statistic weighs by inverse variance: its kappa is never below that of Lemma 8, nor its misprint's."""
    both = unequal(row)
    kappa = sum(phase.effect_size**2 for phase in both.phases)
    assert kappa >= row.expected
    for alpha in (0.01, 0.3):
        assert beta(both, alpha) == pytest.approx(beta(Gaussian(kappa**-0.5), alpha), rel=ROUNDING)


@each("j_GMC average")
def test_lemma_8_is_the_power_of_a_weaker_statistic(row):
    kappa = (row.number("Da") + row.number("Db")) ** 2 / (row.number("sa") ** 2 + row.number("sb") ** 2)
    assert beta(Gaussian(kappa**-0.5), row.number("alpha")) == pytest.approx(row.expected, rel=ROUNDING)
    assert beta(unequal(row), row.number("alpha")) <= row.expected


def test_independent_directions_add_dimensions():
    ten = Gaussian(1 / 0.7, 1.0, 10)
    found = relaxed.trade_off(ten, GRID, dimension=20, direction=Direction.INDEPENDENT)
    assert found.bound is Bound.UPPER
    np.testing.assert_allclose(found.beta, FoldedDistance(0.7 * 10**0.5, 200.0).errors(GRID, 1 - GRID).beta)
    assert beta(ten, 0.1, dimension=20) == pytest.approx(0.7037, abs=5e-5)  # correction 11
    assert beta(ten, 0.1, dimension=20, direction=Direction.INDEPENDENT) == pytest.approx(0.8495, abs=2e-3)


@each("j for optimal weighted statistic")
def test_unequal_releases_are_weighted_by_their_variances(row):
    assert beta(unequal(row), row.number("alpha")) == pytest.approx(row.expected, rel=1e-9)


def noncentrality(mechanism: Composition) -> float:
    form = relaxed.closed_form(mechanism, 1, Direction.COMMON)
    assert form is not None
    assert isinstance(form.folded, FoldedNormal)
    return form.folded.mu**2


@each("optimal noncentrality")
def test_effect_sizes_add_up_in_squares(row):
    assert noncentrality(unequal(row)) == pytest.approx(row.expected, rel=ROUNDING)


@each("misprint", role="negative", prefix="NEG_lem8")
def test_unequal_releases_are_not_averaged_as_printed(row):
    assert abs(noncentrality(unequal(row)) / row.expected - 1.0) > MISPRINT
