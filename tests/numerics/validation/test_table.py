"""What is refused by name, rule and value, and what members may be spelled as, from one table."""

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from numerics import approximations, conversions, membership, reconstruction, relaxed, renyi
from numerics.approximations.step_laws import cumulants
from numerics.audits import Attacker, Canary, ReleaseClaim
from numerics.calibration import AdvantageTarget, PowerTarget, noise_for
from numerics.frontier import Histogram, StatisticNoise
from numerics.mechanisms import MECHANISMS, Adjacency, Composition, Gaussian, Laplace, Sampling
from numerics.membership import Game
from numerics.membership.shares import eta_of_share
from numerics.not_offered import NotOfferedError
from numerics.relaxed import Reading, RelaxedTarget
from numerics.relaxed.resilience import detection_resilience
from numerics.sampling.poisson import sampled_pairs
from numerics.trade_off import Bound, Bracket, Order, TradeOffCurve
from numerics.unit_of_privacy import PeopleByRecords
from tests.numerics.asked import answer, checks_of
from tests.secant import Secant
from tests.strategies import KINDS

TABLE = Path(__file__).with_name("table.toml")
PARTS = tomllib.loads(TABLE.read_text(encoding="utf-8"))
KNOWN: list[Any] = [
    *(
        approximations,
        conversions,
        membership,
        reconstruction,
        relaxed,
        renyi,
        cumulants,
        Attacker,
        Canary,
        ReleaseClaim,
    ),
    *(AdvantageTarget, PowerTarget, noise_for, Histogram, StatisticNoise, Adjacency, Composition, Gaussian, Laplace),
    *(Sampling, Game, eta_of_share, Reading, RelaxedTarget, detection_resilience, sampled_pairs, Bound, Bracket, Order),
    *(TradeOffCurve, PeopleByRecords, Secant),
]
NAMES = {one.__name__.split(".")[-1]: one for one in KNOWN}
NAMES |= {"ALPHA": np.array([0.01, 0.1]), "REPLACE": Adjacency.REPLACE_ONE, "nan": np.nan, "inf": np.inf}
STEPS = Secant(2.0, 0.1, 20)
UNKNOWN = [Secant(1.0), Secant(1.0, 0.1), STEPS, Composition((Gaussian(2.0, 0.1, 20), STEPS))]
PERSON = Gaussian(1.0, 0.01, 1000, records_per_person=4)

_, _, test_values, test_refusals = checks_of(TABLE, NAMES)


@pytest.mark.parametrize(("parameters", "message"), PARTS["mechanisms"])
def test_mechanisms_refuse_bad_parameters(parameters, message):
    given = answer(f"({parameters})", NAMES)
    for kind in MECHANISMS:
        with pytest.raises((ValueError, TypeError), match=f"^{message}$"):
            kind(*given)


@pytest.mark.parametrize(("question", "message"), PARTS["unknown_noise"])
def test_noise_that_does_not_say_enough_is_refused_by_name(question, message):
    for release in UNKNOWN:
        with pytest.raises(NotOfferedError, match=message):
            answer(question, NAMES | {"release": release})


@pytest.mark.parametrize("question", PARTS["several_records"])
def test_what_is_about_one_record_refuses_people_with_several(question):
    with pytest.raises(NotOfferedError, match="people with several records"):
        answer(question, NAMES | {"release": PERSON})


def test_several_records_are_refused_by_name_where_they_are_not_known():
    for kind in (kind for kind in KINDS if not kind.several_records):
        with pytest.raises(NotOfferedError, match=f"records_per_person must be 1 for {kind.name}, got 2"):
            kind(1.0, 1.0, 1, kind.adjacencies[0], records_per_person=2)
    for way in (way for way in Sampling if not way.batches.several_records):
        with pytest.raises(NotOfferedError, match=f"records_per_person must be 1 for .*{way.batches.words}"):
            Gaussian(1.0, 0.1, 1, way.batches.adjacencies[0], way, records_per_person=2)


@pytest.mark.parametrize("attacker", Attacker)
def test_nothing_is_said_of_steps_that_depend_as_if_they_were_drawn_one_by_one(attacker):
    """One step in four has the record: the magnitude finds .057 at a rate of .01, and .122 if each had it by a coin."""
    ways = ((Sampling.RANDOM_ALLOCATION, Adjacency.ADD_REMOVE), (Sampling.SHUFFLED, Adjacency.ZERO_OUT))
    for sampling, adjacency in ways:
        release = Gaussian(0.5, 0.25, 4, adjacency, sampling)
        for reading in Reading:
            with pytest.raises(NotOfferedError, match="Poisson sampling only"):
                relaxed.trade_off(release, np.array([0.01]), reading=reading)
            assert not relaxed.holds_in_any_dimension(release, reading)
        with pytest.raises(NotOfferedError, match="Poisson sampling only"):
            Canary(release, attacker)


@pytest.mark.parametrize("sampling", [way for way in Sampling if Adjacency.REPLACE_ONE in way.batches.adjacencies])
def test_what_holds_for_all_noise_is_offered(sampling):
    """Eta by the replace-one curve, and reconstruction, both from the certified curve."""
    release = Secant(2.0, 0.2, 5, Adjacency.REPLACE_ONE, sampling)
    assert membership.eta(release, Game.HALVES).upper == pytest.approx(0.5 * release.advantage().upper, rel=1e-12)
    assert release.reconstruction(0.1).upper == release.power(0.1).upper
