"""What the explorer says of batches that are not Poisson's: the promise, what is known, and both over the noise."""

import json
import re

import pytest

from numerics.mechanisms import Adjacency, Gaussian, Sampling
from numerics.trade_off import Bound
from pages.mechanism import batches
from tests.pages.mechanism.visit import CHOICE, page
from tests.pages.rail import rail

RUN = {"knows_rate": "true", "rate": "0.01", "steps": "100"}  # one epoch of 100 batches


def bold(text: str) -> list[str]:
    return re.findall(r"\*\*(.+?)\*\*", text)


def test_a_false_promise_is_called_one_with_all_numbers() -> None:
    """Section 10 of the reference: Poisson .718, attack 4.063, guarantee 4.377."""
    app = page(**RUN, sampling="shuffled", adjacency="zero-out")
    (said,) = (block.value for block in app.warning)
    promised, reached, most, verdict = bold(said)
    assert float(promised) == pytest.approx(0.718, abs=3e-3)
    assert (reached, verdict) == ("4.063", "The promise is false.")
    assert float(most) == pytest.approx(4.377, abs=6e-3)
    assert "Other attacks may reach more." in said


def test_random_allocation_has_both_numbers_without_a_verdict() -> None:
    app = page(**RUN, sampling="random allocation")
    (said,) = (block.value for block in app.info if "accountant" in block.value)
    promised, most = bold(said)
    assert float(promised) == pytest.approx(0.718, abs=3e-3)
    assert float(most) == pytest.approx(0.621, abs=3e-3)
    assert not app.warning


@pytest.mark.parametrize("query", [{}, {"knows_rate": "true", "sampling": "shuffled", "rate": "1"}])
def test_nothing_is_said_of_poisson_batches_or_of_none(query: dict[str, str]) -> None:
    app = page(**RUN | query)
    assert not [block for block in (*app.warning, *app.info) if "accountant" in block.value]


def test_the_picture_says_what_an_attack_finds() -> None:
    app = page(**RUN, sampling="shuffled", adjacency="zero-out")
    scenes = json.dumps([str(one.proto) for one in app.get("bidi_component")])
    assert "A known attack finds" in scenes


def test_noise_for_which_nothing_is_known_is_refused_in_the_rail() -> None:
    refused = rail(**RUN, sampling="random allocation", mechanism="Laplace")
    assert "not offered for Laplace noise" in refused.session_state["result"]


def test_sides_of_the_figure_and_what_is_left_out() -> None:
    found = {one.name: one for one in batches.curves(CHOICE)[0]}
    shuffled, poisson = found["shuffled"], found["Poisson"]
    assert (shuffled.bound, poisson.bound) == (Bound.OPEN, Bound.CERTIFIED)
    assert (poisson.upper < shuffled.upper).all()
    assert (shuffled.lower <= shuffled.upper).all()
    replaced = Gaussian(1.0, 0.1, 10, Adjacency.REPLACE_ONE)
    with pytest.raises(ValueError, match="got replace-one"):
        batches.drawn_as(replaced, Sampling.RANDOM_ALLOCATION)
    assert batches.drawn_as(Gaussian(1.0, 0.1, 10), Sampling.SHUFFLED).adjacency is Adjacency.ZERO_OUT
