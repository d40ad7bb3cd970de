"""What is refused by name, rule and value, and what members may be spelled as, from one table."""

import numpy as np
import pytest

from numerics import membership, relaxed
from numerics.audits import Attacker, Canary
from numerics.mechanisms import MECHANISMS, Adjacency, Gaussian, Sampling
from numerics.not_offered import NotOfferedError
from tests.secant import Secant
from tests.strategies import KINDS
from tests.tables import Table

TABLE = Table(__file__)
PARTS, NAMES = TABLE.parts, TABLE.names


@pytest.mark.parametrize("case", TABLE.cases())
def test_table(case):
    case.check()


@pytest.mark.parametrize(("parameters", "message"), PARTS["mechanisms"])
def test_mechanisms_refuse_bad_parameters(parameters, message):
    for kind in MECHANISMS:
        with pytest.raises((ValueError, TypeError), match=f"^{message}$"):
            kind(*eval(f"({parameters})", NAMES))


@pytest.mark.parametrize(("question", "message"), PARTS["unknown_noise"])
def test_noise_that_does_not_say_enough_is_refused_by_name(question, message):
    for release in NAMES["UNKNOWN"]:
        with pytest.raises(NotOfferedError, match=message):
            eval(question, NAMES | {"release": release})


@pytest.mark.parametrize("question", PARTS["several_records"])
def test_what_is_about_one_record_refuses_people_with_several(question):
    with pytest.raises(NotOfferedError, match="people with several records"):
        eval(question, NAMES | {"release": NAMES["PERSON"]})


def test_several_records_are_refused_by_name_where_they_are_not_known():
    for kind in (kind for kind in KINDS if not kind.several_records):
        with pytest.raises(NotOfferedError, match=f"records_per_person must be 1 for {kind.name}, got 2"):
            kind(1.0, 1.0, 1, kind.adjacencies[0], records_per_person=2)
    for way in (way for way in Sampling if not way.batches.several_records):
        with pytest.raises(NotOfferedError, match=f"records_per_person must be 1 for .*{way.batches.words}"):
            Gaussian(1.0, 0.1, 1, way.batches.adjacencies[0], way, records_per_person=2)


def test_nothing_is_said_of_steps_that_depend_as_if_they_were_drawn_one_by_one():
    """One step in four has the record: the magnitude finds .057 at a rate of .01, and .122 if each had it by a coin."""
    ways = ((Sampling.RANDOM_ALLOCATION, Adjacency.ADD_REMOVE), (Sampling.SHUFFLED, Adjacency.ZERO_OUT))
    for release in (Gaussian(0.5, 0.25, 4, adjacency, sampling) for sampling, adjacency in ways):
        for reading in relaxed.Reading:
            with pytest.raises(NotOfferedError, match="Poisson sampling only"):
                relaxed.trade_off(release, np.array([0.01]), reading=reading)
            assert not relaxed.holds_in_any_dimension(release, reading)
        for attacker in Attacker:
            with pytest.raises(NotOfferedError, match="Poisson sampling only"):
                Canary(release, attacker)


@pytest.mark.parametrize("sampling", [way for way in Sampling if Adjacency.REPLACE_ONE in way.batches.adjacencies])
def test_what_holds_for_all_noise_is_offered(sampling):
    """Eta by the replace-one curve, and reconstruction, both from the certified curve."""
    release = Secant(2.0, 0.2, 5, Adjacency.REPLACE_ONE, sampling)
    assert membership.eta(release, membership.Game.HALVES).upper == pytest.approx(
        0.5 * release.advantage().upper, rel=1e-12
    )
    assert release.reconstruction(0.1).upper == release.power(0.1).upper
