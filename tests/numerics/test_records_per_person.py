"""People with several records: one step exactly, conversions, laws, and who refuses to answer for them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.mechanisms import Adjacency, Gaussian, Laplace
from numerics.mechanisms.logistic import Logistic
from numerics.trade_off import Bracket, Order
from numerics.unit_of_privacy import PeopleByRecords, group_mu, group_power
from tests.sides import ALPHA, CHEAP, ROUNDING, assert_closed_form_is_bracketed, sides
from tests.strategies import KINDS, log_uniform

ORDERS = st.sampled_from(Order)
PERSON = Gaussian(1.0, 0.01, 1000, records_per_person=4)
SEVERAL = [kind for kind in KINDS if kind.several_records]
NEIGHBOURS = st.sampled_from(Adjacency)


@st.composite
def people(draw, largest_steps=300):
    kind, records = draw(st.sampled_from(SEVERAL)), draw(st.integers(2, 12))
    rate = draw(st.one_of(st.just(1.0), log_uniform(1e-4, 0.9)))
    noise, steps = draw(log_uniform(0.3, 50.0)), draw(log_uniform(1.0, float(largest_steps)).map(round))
    return kind(noise * records, rate, steps, draw(NEIGHBOURS), records_per_person=records)


@pytest.mark.parametrize("kind", [Gaussian, Laplace, Logistic])
@pytest.mark.parametrize("adjacency", Adjacency)
def test_without_sampling_a_person_is_a_record_that_weighs_as_much(kind, adjacency):
    person, record = kind(4.0, 1.0, 3, adjacency, records_per_person=4), kind(1.0, 1.0, 3, adjacency)
    for order in Order:
        one, other = (mechanism.trade_off(ALPHA, order, CHEAP) for mechanism in (person, record))
        np.testing.assert_allclose(one.beta, other.beta, rtol=1e-12)
    assert person.pairs == record.pairs
    if kind is Gaussian:
        assert group_mu(person).upper == pytest.approx(person.gaussian_mu().upper, rel=1e-12)


@settings(max_examples=12)
@given(mechanism=people(largest_steps=1), order=ORDERS)
def test_one_step_lies_in_its_certified_bracket(mechanism, order):
    assert_closed_form_is_bracketed(mechanism, order)
    form = mechanism.closed_form
    if form is None:
        return
    bracket = mechanism.certified(CHEAP)
    for epsilon in (0.0, 0.1, 1.0):
        found, delta = bracket.delta(epsilon), form.delta(epsilon)
        assert found.lower * (1.0 - 1e-9) <= delta <= found.upper * (1.0 + 1e-9)
    area = bracket.auc()
    assert area.lower - 1e-9 <= form.area() <= area.upper + 1e-9


@settings(max_examples=12)
@given(mechanism=people(), order=ORDERS)
def test_rates_are_rates_and_guarantees_convex(mechanism, order):
    safe, shown, reached = sides(mechanism, order=order)
    for low, high in ((safe, shown), (shown, reached)):
        assert np.all(low.beta <= high.beta * (1.0 + 1e-14) + (high.beta > 0.1) * 2e-16)
    for curve in (safe, shown, reached):
        assert np.all((curve.beta >= 0.0) & (curve.power >= ALPHA * (1.0 - ROUNDING)))
    share = np.diff(ALPHA)[:-1] / (ALPHA[2:] - ALPHA[:-2])
    chord = safe.beta[:-2] + share * (safe.beta[2:] - safe.beta[:-2])
    assert np.all(safe.beta[1:-1] <= chord + 0.01 * CHEAP.width)


@settings(max_examples=12)
@given(mechanism=people(), fewer=st.integers(1, 11), order=ORDERS)
def test_more_records_risk_more(mechanism, fewer, order):
    """The attack on who has fewer never beats the guarantee of who has more; so too a rate times the records."""
    less = mechanism.with_records_per_person(min(fewer, mechanism.records_per_person))
    safe, reached = sides(mechanism, order=order)[0], sides(less, order=order)[2]
    assert np.all(reached.power <= safe.power * (1.0 + ROUNDING) + 1e-15)
    assert less.participation <= mechanism.participation
    assert less.pure_epsilon <= mechanism.pure_epsilon * (1.0 + ROUNDING)


@settings(max_examples=8)
@given(mechanism=people(), order=ORDERS)
def test_group_privacy_never_promises_more(mechanism, order):
    for alpha in (1e-4, 0.05):
        assert mechanism.power(alpha, order, CHEAP).lower <= group_power(mechanism, alpha, order, CHEAP).upper + 1e-12


@pytest.mark.parametrize("adjacency", [Adjacency.ADD_REMOVE, Adjacency.REPLACE_ONE])
def test_drawn_releases_lie_in_the_bracket(adjacency):
    """A second method: every record's coin and the noise are drawn, and the likelihood ratio taken from densities."""
    noise, rate, steps, records, rounds = 2.0, 0.2, 5, 3, 200_000
    generator = np.random.default_rng(11)
    replaced = adjacency is Adjacency.REPLACE_ONE
    log_odds = {}
    for present in (False, True):
        drawn = generator.binomial(records, rate, (rounds, steps))
        sign = 1.0 if present else -1.0 if replaced else 0.0
        x = sign * drawn + noise * generator.standard_normal((rounds, steps))
        log_odds[present] = np.sum(_density(x, 1.0) - (_density(x, -1.0) if replaced else _density(x, 0.0)), axis=1)
    mechanism = Gaussian(noise, rate, steps, adjacency, records_per_person=records)
    for alpha in (0.01, 0.1, 0.5):
        threshold = np.quantile(log_odds[False], 1.0 - alpha)
        power = np.mean(log_odds[True] > threshold)
        assert mechanism.power(alpha).estimate == pytest.approx(power, abs=6.0 * np.sqrt(alpha / rounds) * 5.0)


def _density(x, sign):
    """Log density, up to a constant, of the release with three records at rate 0.2 and noise 2."""
    weights = np.array([0.512, 0.384, 0.096, 0.008])
    return np.log(sum(w * np.exp(-((x - sign * j) ** 2) / 8.0) for j, w in enumerate(weights)))


def test_words_say_person():
    assert PERSON.label.endswith("1,000 steps, 4 records per person")
    neighbours, *_, attacker = PERSON.assumptions
    assert "presence of one person with all of their records, at most 4" in neighbours
    assert "all of the person's" in attacker
    for adjacency in Adjacency:
        assert "person" not in adjacency.sentence_for(1)
        assert "person" in adjacency.sentence_for(2)


def test_the_guarantee_is_that_of_the_most_records():
    people = PeopleByRecords((1, 2, 4), (900, 80, 20))
    assert people.most == 4
    values = tuple(PERSON.with_records_per_person(number).power(1e-3) for number in people.records)
    mean = people.mean(values)
    assert mean.upper == pytest.approx(0.9 * values[0].upper + 0.08 * values[1].upper + 0.02 * values[2].upper)
    assert mean.upper < values[-1].lower
    assert isinstance(mean, Bracket)
    with pytest.raises(ValueError, match="equally many"):
        PeopleByRecords((1, 2), (3,))
    with pytest.raises(ValueError, match="every number once"):
        PeopleByRecords((1, 1), (3, 4))
