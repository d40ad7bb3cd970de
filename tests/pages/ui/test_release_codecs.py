"""A release survives every way it is written down: file, controls of the rail and their address, pins."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from numerics.mechanisms import MECHANISMS, Adjacency, SampledMechanism, Sampling
from numerics.trade_off import Order
from pages.ui import address, pins
from pages.ui.accountant_state import read
from pages.ui.release_choice import ReleaseChoice
from pages.ui.release_controls import KINDS, STARTS, state_of

UNITS = (1, 3)
CASES = list(product(MECHANISMS, Sampling, UNITS))


def offered(kind: type[SampledMechanism], sampling: Sampling, records: int) -> Iterator[SampledMechanism]:
    """What the rail can say of this kind, with parameters of its own that are no defaults."""
    own: dict[str, Any] = {
        each.name: int(each.low) + 5 if each.is_whole else 3.0 * each.low for each in kind.parameters
    }
    for adjacency in kind.adjacencies:
        for rate in (0.1, 1.0) if kind.is_sampled else (1.0,):
            try:
                yield kind(1.0 / 3.0, rate, 20, adjacency, sampling, records, **own)
            except ValueError:
                continue


def from_address(state: dict[str, object]) -> SampledMechanism:
    """What the rail's boxes say whose address is that of this state: what is left out starts where they start."""
    said = {**STARTS, **address.query(state, STARTS)}
    kind = KINDS[str(said["mechanism"])]
    numbers: dict[str, Any] = {
        each.name: (int if each.is_whole else float)(str(said[each.name])) for each in kind.parameters
    }
    noise, rate, steps, records = (float(str(said[key])) for key in ("noise", "rate", "steps", "records_per_person"))
    drawn = Adjacency(str(said["adjacency"])), Sampling(str(said["sampling"]))
    return kind(noise, rate, int(steps), *drawn, int(records), **numbers)


@pytest.mark.parametrize(("kind", "sampling", "records"), CASES)
def test_a_release_comes_back_from_its_file_its_address_and_its_pin(kind, sampling, records) -> None:
    for release in offered(kind, sampling, records):
        choice = ReleaseChoice(release, 1e-3, Order.ADD, 1e-7, records=5000, dimension=30, clip=0.5)
        found = read(choice.exported())
        assert found.phases == (release,)
        assert (found.delta, found.people, found.dimension, found.clip) == (1e-7, 5000, 30, 0.5)
        assert from_address(state_of(release)) == release
        assert pins.read(pins.spelled(release)) == release


def test_there_is_something_of_every_kind_every_batch_and_either_unit() -> None:
    made = [release for case in CASES for release in offered(*case)]
    assert {type(release) for release in made} == set(MECHANISMS)
    assert {release.sampling for release in made if release.sampling_rate < 1.0} == set(Sampling)
    assert {release.adjacency for release in made} == set(Adjacency)
    assert {type(release) for release in made if release.records_per_person > 1} == {
        kind for kind in MECHANISMS if kind.several_records
    }
