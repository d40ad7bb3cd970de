"""The dominating pair of a step for a person with several records, and every reference value."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from numerics.mechanisms.gaussian import GaussianNoise
from numerics.mechanisms.laplace import LaplaceNoise
from numerics.mechanisms.logistic import LogisticNoise
from numerics.privacy_loss import Precision, certify
from numerics.privacy_loss.certify import certify_number
from numerics.privacy_loss.questions import EpsilonAt
from numerics.sampling.person import PersonPair
from numerics.sampling.poisson import SampledPair
from numerics.trade_off import Order
from tests.reference import PRACTICE, each
from tests.secant import SecantNoise
from tests.strategies import log_uniform

NOISES = st.sampled_from((GaussianNoise, LaplaceNoise, LogisticNoise, SecantNoise))
TAIL = 1e-17
# A loss is a sum of up to 256 terms; a position found from it is known to the loss's own rounding.
ROUNDING = 1e-13


@st.composite
def pairs(draw):
    kind, scale, rate = draw(NOISES), draw(log_uniform(0.2, 100.0)), draw(log_uniform(1e-5, 0.95))
    records = draw(log_uniform(1.0, 256.0).map(round))
    return PersonPair(kind(scale), rate, draw(st.booleans()), records)


def losses(pair, count=400):
    low, high = pair.loss_range(TAIL)
    return np.linspace(max(low, -300.0), min(high, 300.0), count + 2)[1:-1]


@settings(max_examples=80)
@given(pair=pairs())
def test_positions_are_where_the_loss_is(pair):
    goal = losses(pair)
    x = pair.position(goal)
    assert np.all(np.diff(x) >= 0.0)
    inside = np.isfinite(x)
    size = np.abs(goal) + min(1.0, abs(pair.loss_range(TAIL)[0]))
    assert np.all(np.abs(pair.loss(x[inside]) - goal[inside]) <= ROUNDING * size[inside])


@settings(max_examples=80)
@given(pair=pairs())
def test_masses_are_laws_whose_ratio_is_the_loss(pair):
    edges = losses(pair)
    p, q = pair.cell_masses(edges)
    assert p.sum() == pytest.approx(1.0, abs=1e-12)
    assert q.sum() == pytest.approx(1.0, abs=1e-12)
    seen = (p[1:-1] > 1e-12) & (q[1:-1] > 1e-12)  # a difference of tails has lost digits below
    ratio = np.log(p[1:-1][seen]) - np.log(q[1:-1][seen])
    assert np.all(ratio >= edges[:-1][seen] - 1e-9)
    assert np.all(ratio <= edges[1:][seen] + 1e-9)


@settings(max_examples=40)
@given(kind=NOISES, scale=log_uniform(0.2, 100.0), rate=log_uniform(1e-5, 0.95), replaced=st.booleans())
def test_a_person_with_one_record_is_a_record(kind, scale, rate, replaced):
    person, record = PersonPair(kind(scale), rate, replaced, 1), SampledPair(kind(scale), rate, replaced)
    x = np.linspace(-3.0, 4.0, 201) * max(1.0, scale)
    np.testing.assert_allclose(person.loss(x), record.loss(x), rtol=1e-11, atol=1e-14 * min(1.0, rate / scale))
    edges = losses(record)
    for one, other in zip(person.cell_masses(edges), record.cell_masses(edges), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-7, atol=1e-12)
    assert person.loss_range(TAIL) == pytest.approx(record.loss_range(TAIL), rel=1e-12)
    assert person.largest_loss == pytest.approx(record.largest_loss, rel=1e-12)
    for atom, same in zip(person.atoms, record.atoms, strict=True):
        assert atom == pytest.approx(same, rel=1e-12)


@settings(max_examples=40)
@given(pair=pairs())
def test_masses_are_those_of_the_mixture(pair):
    """Term by term, without leaving any out, at positions of its own."""
    x = np.linspace(-6.0, 6.0, 41) * pair.noise.scale + np.linspace(-1.0, 1.0, 41) * pair.records
    weights = binom.pmf(np.arange(pair.records + 1), pair.records, pair.rate)
    plain = sum(weight * pair.noise.cells(x, float(j)) for j, weight in enumerate(weights))
    np.testing.assert_allclose(pair._mix(x).p, plain, rtol=1e-10, atol=1e-15)


def pair_of(row):
    noise = GaussianNoise(row.number("noise_multiplier"))
    return PersonPair(noise, float(Fraction(row.text("sampling_rate"))), False, row.count("k")), row.count("steps")


def power(row):
    order = Order.ADD if row.text("order") == "add" else Order.REMOVE
    return certify((pair_of(row),), Precision()).power(row.number("alpha"), order)


@each(prefix="unit_add", file=PRACTICE)
def test_power_in_the_add_order(row):
    assert_encloses(power(row), row)


@each(prefix="unit_rem", file=PRACTICE)
def test_power_in_the_remove_order(row):
    assert_encloses(power(row), row)


@each(prefix="unit_tv", file=PRACTICE)
def test_total_variation(row):
    assert_encloses(certify((pair_of(row),), Precision()).delta(0.0), row)


@each(prefix="unit_eps", file=PRACTICE)
def test_epsilon(row):
    found = certify_number((pair_of(row),), EpsilonAt(row.number("delta")), 1e-4)
    assert found.lower <= row.expected <= found.upper
    assert found.width <= 1e-4


@each(prefix="NEG_unit_keps", role="negative", file=PRACTICE)
def test_epsilon_times_the_number_of_records_is_no_guarantee(row):
    """At the same delta it lies below what an attack reaches."""
    assert row.expected < certify_number((pair_of(row),), EpsilonAt(row.number("delta")), 1e-4).lower


def assert_encloses(found, row):
    assert found.lower <= row.expected <= found.upper
    assert found.width <= min(Precision().width, Precision().relative * found.upper)


def test_draws_of_the_release_agree_with_the_masses():
    """A second method: batches drawn, noise added, the loss of what is released counted into cells."""
    pair, size = PersonPair(LaplaceNoise(0.8), 0.2, True, 5), 400_000
    generator = np.random.default_rng(7)
    drawn, noise = generator.binomial(5, 0.2, size), generator.laplace(scale=0.8, size=size)
    edges = np.linspace(-3.0, 3.0, 13)
    for masses, x in zip(pair.cell_masses(edges), (noise + drawn, noise - drawn), strict=True):
        counted = np.histogram(pair.loss(x), np.concatenate(([-np.inf], edges, [np.inf])))[0] / size
        assert np.all(np.abs(counted - masses) <= 5.0 * np.sqrt(masses * (1.0 - masses) / size) + 1.0 / size)
