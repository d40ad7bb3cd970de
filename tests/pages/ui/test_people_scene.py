"""The picture of people: what it says of a release, and what is sent to the browser."""

import json
from dataclasses import replace
from math import ceil

import pytest

from numerics.mechanisms import MECHANISMS, Adjacency, Composition, Gaussian, SampledMechanism, Sampling
from numerics.trade_off import Order
from pages.ui import cached, people_scene
from pages.ui.advised_noise import NoAdvice
from pages.ui.noise_levels import NoiseLevel
from pages.ui.release_choice import ReleaseChoice
from people_view import HEIGHT, PLACES
from tests.strategies import NEIGHBOURS, offered

CHOICE = ReleaseChoice(Gaussian(1.0, 0.01, 1000), 1e-3, Order.ADD, 1e-5)
SMALL, LARGEST = 9_000, 60_000  # bytes of a scene, which every run sends, and of the other noises


def test_the_default_release_says_what_the_product_promises() -> None:
    scene = people_scene.scene(CHOICE, "x")
    own = scene.levels[scene.chosen]
    assert (own.noise, own.found, own.over, own.verdict) == (1.0, 41, True, "Twice your limit of 20.")
    assert (scene.crowd, scene.guessed, scene.limit, scene.advised) == (10_000, 10, 20, 1.69)
    (advised,) = (level for level in scene.levels if level.noise == 1.69)
    assert (advised.found, advised.over, advised.verdict) == (20, False, "Within your limit of 20.")
    assert scene.words.kind == "certified"


@pytest.mark.parametrize(
    ("found", "over", "words"),
    [
        (20, False, "Within your limit of 20."),
        (21, True, "Just over your limit of 20."),
        (30, True, "1.5 times your limit of 20."),
        (41, True, "Twice your limit of 20."),
        (9124, True, "456 times your limit of 20."),
    ],
)
def test_verdicts(found: int, over: bool, words: str) -> None:
    assert people_scene.verdict(found, 20, over) == words
    assert people_scene.verdict(8, 10**9, over=False) == "Within your limit of 1,000,000,000."


def test_a_count_above_a_limit_that_is_kept_says_why() -> None:
    said = people_scene.drawn(NoiseLevel(1.0, 0.09711), replace(CHOICE, limit=0.09713))
    assert (said.found, said.verdict) == (972, "Within your limit of 971.3 before the count is rounded up.")


@pytest.mark.parametrize(("rate", "count"), [(0.0041, 41), (0.00410001, 42), (1e-9, 1), (1.0, 10_000), (0.0, 0)])
def test_counts_are_rounded_up(rate: float, count: int) -> None:
    level = people_scene.drawn(NoiseLevel(1.0, rate), CHOICE)
    assert level.found == count
    assert level.over == (rate > 2e-3)


def test_what_no_attack_is_known_to_reach_is_called_a_guarantee() -> None:
    fixed = Gaussian(1.0, 0.01, 100, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE)
    words = people_scene.scene(replace(CHOICE, mechanism=fixed), "x").words
    assert words.kind == "guarantee"
    assert "error is at least" in words.kind_help


def test_a_test_that_clears_people_speaks_of_outsiders() -> None:
    scene = people_scene.scene(replace(CHOICE, order=Order.REMOVE), "x")
    assert scene.clears
    assert "outsiders can be ruled out while" in scene.words.after
    own = scene.levels[scene.chosen]
    assert own.found == ceil(cached.power(CHOICE.mechanism, 1e-3, Order.REMOVE).upper * 10_000)


def test_the_worse_of_both_orders_is_spoken_of_as_one_that_finds_members() -> None:
    both, found = (people_scene.scene(replace(CHOICE, order=order), "x") for order in (Order.SYMMETRIC, Order.ADD))
    assert not both.clears
    assert both.words == found.words


def test_a_limit_below_guessing_is_said_to_be_one() -> None:
    scene = people_scene.scene(replace(CHOICE, limit=1e-4), "x")
    assert scene.advised is None
    assert "no noise meets it" in scene.words.no_advice
    assert people_scene.scene(replace(CHOICE, mechanism=Gaussian(50.0, 0.01, 10)), "x").words.no_advice == ""


@pytest.mark.usefixtures("all_noises")
def test_other_noises_come_after_the_answer_and_are_the_same_whatever_noise_is_in_force() -> None:
    choice = replace(CHOICE, mechanism=Gaussian(1.0, 0.01, 777))
    scene = people_scene.scene(choice, "x")
    assert {level.noise for level in scene.levels if level.found is not None} == {1.0, scene.advised}
    rest = people_scene.rest(choice, scene)
    assert len(rest.levels) > 20
    assert [level.noise for level in rest.levels] == [one.noise for one in scene.levels if one.noise != scene.advised]
    assert (rest.name, rest.subject) == (scene.name, scene.subject)
    moved = replace(choice, mechanism=Gaussian(1.2, 0.01, 777))
    assert people_scene.rest(moved, people_scene.scene(moved, "x")) == rest


@pytest.mark.usefixtures("all_noises")
def test_a_number_of_a_noise_that_is_not_in_force_is_no_smaller_than_the_one_that_is_stated_there() -> None:
    scene = people_scene.scene(CHOICE, "x")
    stated, drawn = scene.levels[scene.chosen], people_scene.rest(CHOICE, scene).levels
    (there,) = (level for level in drawn if level.noise == stated.noise)
    assert there.found is not None
    assert stated.found is not None
    assert there.found >= stated.found


def test_levels_of_another_question_have_another_subject() -> None:
    others = (
        replace(CHOICE, alpha=2e-3),
        replace(CHOICE, order=Order.REMOVE),
        replace(CHOICE, limit=1e-2),
        replace(CHOICE, mechanism=Gaussian(1.0, 0.01, 1001)),
    )
    subjects = {people_scene.scene(choice, "x").subject for choice in (CHOICE, *others)}
    assert len(subjects) == 5


def test_levels_of_phases_have_the_subject_of_their_ratio() -> None:
    def subject(*noises: float) -> str:
        phases = Composition(tuple(Gaussian(noise, 0.01, 10) for noise in noises))
        return people_scene.scene(replace(CHOICE, mechanism=phases), "x").subject

    assert subject(1.0, 2.0) == subject(1.1, 2.2) != subject(1.0, 2.1)


@pytest.mark.usefixtures("all_noises")
@pytest.mark.parametrize(
    "kind", [*MECHANISMS[:2], *(pytest.param(kind, marks=pytest.mark.nightly) for kind in MECHANISMS[2:])]
)
def test_a_scene_is_small_and_plain(kind: type[SampledMechanism]) -> None:
    choice = replace(CHOICE, mechanism=offered(kind, 1.0, 0.01, 1000, NEIGHBOURS[0]))
    scene = people_scene.scene(choice, "x")
    rest = people_scene.rest(choice, scene)
    assert {level.noise for level in scene.levels if level.found is None} <= {level.noise for level in rest.levels}
    assert len(json.dumps(scene.as_data(), allow_nan=False)) < SMALL
    assert len(json.dumps(rest.as_data(), allow_nan=False)) < LARGEST
    hills = [hill for level in rest.levels if level.hills for hill in (level.hills.outsiders, level.hills.members)]
    assert len(hills) == 2 * len(rest.levels)
    assert all(0 <= part <= HEIGHT for hill in hills for part in (*hill.heights, *hill.shares))
    assert all(0 <= place <= PLACES for hill in hills for place in (*hill.places, *hill.lines))
    assert all(hill.places or hill.lines for hill in hills)


def test_why_no_noise_is_advised_is_said_in_the_words_of_the_order_and_of_what_can_be_set() -> None:
    cleared = people_scene.scene(replace(CHOICE, order=Order.REMOVE, limit=5e-4), "x")
    assert cleared.words.no_advice == "Blind guessing rules out no fewer: no noise meets it."
    ratio = Composition((Gaussian(1000.0), Gaussian(1.0)))
    assert people_scene.scene(replace(CHOICE, mechanism=ratio), "x").words.no_advice == NoAdvice.BEYOND
