"""Converters and the noise for a wanted eta: numbers, in which direction they hold, and values that are no use."""

import inspect

import numpy as np
import pytest

from numerics import membership
from numerics.conversions import replaced_advantage_limit
from numerics.mechanisms import Adjacency, Gaussian
from numerics.membership import Game, noise_scale, worst_case_data
from numerics.membership.halves import HalfReleases, halves
from numerics.trade_off import Order
from pages.attackers.converters import levels, rows, tab
from pages.attackers.converters.rows import (
    ADVANTAGE,
    BOUND,
    DELTA,
    EPSILON,
    ETA,
    EXACT,
    FOUND,
    MU,
    NOTHING,
    PURE,
    At,
    Given,
    GivenAttack,
    GivenEpsilon,
    GivenEta,
    GivenLimit,
    GivenMu,
)
from pages.attackers.noise_for_eta import cached, exact_eta, figure, small_release
from pages.attackers.noise_for_eta import tab as eta_tab
from pages.attackers.noise_for_eta.exact_eta import LEAST, PAPER_9, PAPER_14, PRIVATE, SWAP
from pages.attackers.noise_for_eta.small_release import SmallDataSet, ValuesError
from pages.ui.numbers_in_words import rounded_up
from tests.reference import Reference, each

AT = At(1e-3, 1e-5, Adjacency.ADD_REMOVE)
REPLACED = At(1e-3, 1e-5, Adjacency.REPLACE_ONE)
LAST_DIGIT = 1e-3  # a noise scale is rounded up to four digits, by so much at most
ROUNDING = 1e-9
WAYS = [LEAST, SWAP, PRIVATE, PAPER_14, PAPER_9]


def lines(given: Given, at: At = AT) -> dict[str, rows.ConvertedNumber]:
    return {line.quantity: line for line in given.lines(at)}


@pytest.mark.parametrize(
    ("given", "at", "kinds"),
    [
        (GivenEpsilon(1.0, 1e-5), AT, {ETA: EXACT, MU: NOTHING, FOUND: EXACT}),
        (GivenEpsilon(1.0, 0.0), AT, {ETA: EXACT, MU: EXACT, FOUND: EXACT}),
        (GivenEta(0.1), AT, {FOUND: EXACT, ADVANTAGE: EXACT, PURE: BOUND, MU: EXACT}),
        (GivenEta(0.1), REPLACED, {FOUND: EXACT, ADVANTAGE: EXACT, PURE: EXACT, MU: EXACT}),
        (GivenMu(1.0), AT, {EPSILON: EXACT, ETA: EXACT, FOUND: EXACT}),
        (GivenLimit(0.05), AT, {ADVANTAGE: EXACT, ETA: BOUND, EPSILON: NOTHING, MU: NOTHING}),
        (GivenLimit(0.05), REPLACED, {ADVANTAGE: EXACT, ETA: EXACT, EPSILON: NOTHING, MU: NOTHING}),
        (GivenAttack(0.05), AT, {EPSILON: EXACT, MU: EXACT, ADVANTAGE: EXACT, ETA: NOTHING}),
        (GivenAttack(0.9), REPLACED, {EPSILON: EXACT, MU: EXACT, ADVANTAGE: EXACT, ETA: EXACT}),
    ],
    ids=str,
)
def test_what_follows_from_a_number_and_how_well_it_is_known(given: Given, at: At, kinds: dict[str, str]) -> None:
    """And what an attack proves is rounded down, as is what is enough; all else is rounded up."""
    found = lines(given, at)
    assert {name: line.kind for name, line in found.items()} == kinds
    for name, line in found.items():
        assert (line.number is None) == (line.kind == NOTHING) == (line.value == "none")
        if line.number is not None:
            down = isinstance(given, GivenAttack) or (isinstance(given, GivenEta) and name in (PURE, MU))
            assert (float(line.value) <= line.number) if down else (float(line.value) >= line.number)


def test_converted_numbers_are_those_of_the_mathematics() -> None:
    epsilon = lines(GivenEpsilon(1.0, 1e-5))
    assert epsilon[ETA].number == 0.5 * replaced_advantage_limit(1.0, 1e-5)
    assert rounded_up(membership.eta_of_epsilon(1.0, 1e-5, Adjacency.ADD_REMOVE)) in epsilon[ETA].words
    assert lines(GivenEpsilon(1.0, 0.0))[ETA].value == rounded_up(0.5 * (1.0 - np.exp(-1.0)))
    assert lines(GivenEta(0.1))[FOUND].number == pytest.approx(0.201)
    assert lines(GivenEta(0.5))[FOUND].number == 1.0
    of_mu, release = lines(GivenMu(1.0)), Gaussian(1.0)
    assert of_mu[EPSILON].number == pytest.approx(release.epsilon(1e-5).upper)
    assert of_mu[ETA].number == pytest.approx(membership.eta(release, Game.HALVES).upper)
    attack = lines(GivenAttack(release.power(AT.alpha).estimate))
    assert float(attack[EPSILON].value) <= float(of_mu[EPSILON].value)
    assert attack[MU].number == pytest.approx(1.0)
    assert lines(GivenAttack(0.9), REPLACED)[ETA].number == pytest.approx(0.5 * (0.9 - 1e-3))


def test_the_releases_own_numbers_stand_beside_those_that_follow() -> None:
    release, replaced = Gaussian(1.0), Gaussian(1.0, adjacency=Adjacency.REPLACE_ONE)
    given = GivenEpsilon(1.0, 1e-5)
    own = rows.of_release(given, AT, release, replaced)
    assert set(own) == {EPSILON, ETA, MU, FOUND, DELTA}
    assert own[DELTA].upper == pytest.approx(release.delta(1.0).upper)
    assert own[FOUND].upper == pytest.approx(release.power(1e-3, Order.ADD).upper)
    assert own[ETA].upper == pytest.approx(membership.eta(release, Game.HALVES).upper)
    said = tab._sentence(given, given.lines(AT)[0], own, AT)
    assert f"η (exact halves) is at most {rounded_up(0.5 * replaced_advantage_limit(1.0, 1e-5))} (81.7 % of" in said
    assert f"this release's own curve says at most {rounded_up(own[ETA].upper, 4)}" in said
    assert "at least" in tab._sentence(GivenAttack(0.5), GivenAttack(0.5).lines(AT)[0], {}, AT)
    # Batches of fixed size have no neighbours with a record more; and what follows from eta is about replaced records.
    assert set(rows.of_release(given, AT, None, replaced)) == {ETA}
    of_eta = rows.of_release(GivenEta(0.1), AT, release, replaced)
    assert of_eta[FOUND].upper == pytest.approx(replaced.power(1e-3).upper)


@pytest.mark.parametrize(
    ("say", "level", "dimension", "words"),
    [
        (levels._relaxed_words, 0.5, 1, "below the Gaussian-DP level"),
        (levels._relaxed_words, 0.5, 1_000_000, "buys nothing here"),
        (levels._private_words, 5.0, 1, "no noise at all"),
        (levels._private_words, 0.5, 1_000_000, "the lesser noise"),
        (levels._private_words, 0.04, 1, "re-expresses"),
    ],
)
def test_levels_of_paper_004_say_which_case_they_are(say, level: float, dimension: int, words: str) -> None:
    assert words in say(level, 480, dimension)


@pytest.mark.parametrize("goal", [1e-3, 0.1, 0.45])
@pytest.mark.parametrize("data", [SmallDataSet.DIGITS, SmallDataSet.PROPOSITION_11])
def test_least_noise_keeps_eta_and_every_guarantee_asks_for_more(data: SmallDataSet, goal: float) -> None:
    release = small_release.bundled(data, 8)
    found = exact_eta.compare(release, goal, 2.0)
    assert [way.name for way in found.ways] == WAYS
    least = found.scale_of(LEAST)
    assert release.halves.eta(least * (1 - LAST_DIGIT)) > goal
    assert all(way.scale is not None and way.scale >= least for way in found.ways)
    assert all(way.eta is not None and way.eta <= goal for way in found.ways)
    assert found.swap <= found.scale_of(PRIVATE)
    assert 0.01 < found.found <= 0.01 + 2.0 * goal  # eta is half of the largest gap of the rates
    assert release.swap.etas(found.swap)[found.hidden_least - 1] <= goal
    assert found.mean_swap <= found.sensitivity
    assert all(way.scale is not None and float(f"{way.scale:.4g}") == way.scale for way in found.ways)


def test_values_of_two_kinds_need_no_noise_by_the_one_swap_bound() -> None:
    """Two swaps in five change nothing, so that at most 0.8 of halves are told apart: eta 0.3 without noise."""
    values = small_release.read("1 1 1 2 2 2")
    found = exact_eta.compare(small_release.mean_of(values, ""), 0.45, 2.0)
    assert found.swap == 0.0
    assert "The one-swap bound asks for none" in eta_tab._sentence(found, 0.45)


@pytest.mark.parametrize(
    ("moment", "scale"), [(2.0, noise_scale.corollary_14_scale), (1.5, noise_scale.theorem_9_scale)]
)
def test_promises_lie_above_the_exact_eta_and_the_papers_inverts_its_noise(moment: float, scale) -> None:
    release = small_release.bundled(SmallDataSet.DIGITS, 8)
    found = exact_eta.compare(release, 0.01, moment)
    curves = found.curves
    for promise in (curves.swap, curves.paper, curves.private):
        assert np.all(promise >= curves.exact * (1 - ROUNDING))
    assert np.all(curves.swap <= curves.private * (1 + ROUNDING))
    assert curves.paper[-1] < 0.5
    spread = release.halves.spread(moment)
    assert scale(float(curves.paper[-1]), spread, moment) == pytest.approx(curves.scale[-1], rel=ROUNDING)
    assert [way.scale is None for way in found.ways] == [way == PAPER_14 and moment < 2.0 for way in WAYS]


def test_no_noise_is_needed_where_halves_hardly_tell() -> None:
    """All the same; or one of the six halves of four records alone says who is in it: eta without noise is below ½."""
    same = HalfReleases.of(np.zeros(4), lambda members: np.asarray(np.sum(members, axis=1)))
    assert (same.spread(20.0), same.scale_for(0.01)) == (0.0, 0.0)
    releases = HalfReleases(np.repeat([0.0, 1.0], [5, 1]), halves(4))
    assert releases.eta(1e-9) < 0.4
    assert releases.scale_for(0.4) == 0.0
    assert releases.scale_for(0.1) > 0.0


def test_high_moments_of_small_spreads_do_not_vanish() -> None:
    small, usual = (small_release.mean_of(unit * np.arange(6.0), "").halves.spread(20.0) for unit in (1e-20, 1.0))
    assert small == pytest.approx(1e-20 * usual, rel=ROUNDING)


def test_sensitivity_of_a_mean_is_its_largest_change() -> None:
    release = small_release.mean_of(np.array([3.0, -1.0, 2.0, 7.0, 0.5, 4.0]), "")
    pairs = list(zip(release.halves.statistics, release.halves.inside, strict=True))
    changes = [abs(a - b) for a, first in pairs for b, second in pairs if np.sum(first & ~second) == 1]
    assert release.sensitivity == pytest.approx(max(changes), rel=ROUNDING)


@each(prefix="fig1_cross")
def test_crossings_of_the_figure(row: Reference) -> None:
    (crossing,) = (met for met in figure.crossings([row.count("n")]) if met.spread == "σ = 1")
    assert crossing.eta == pytest.approx(row.expected, rel=1e-6)


def test_figure_1_has_its_lines() -> None:
    line, other, *_ = figure.curves([30, 36])
    assert [line.label, other.label] == ["DP, n = 30", "DP, n = 36"]
    scale = noise_scale.private_scale(float(other.eta[0]), worst_case_data.sensitivity(36))
    assert other.scale[0] == pytest.approx(scale, rel=ROUNDING)
    assert figure.OF_PAPER["attackers.eta_sizes"] == [30, 32, 34, 36]


def test_nothing_that_pasted_values_pass_through_is_cached() -> None:
    for module in (small_release, exact_eta):
        assert "cache" not in inspect.getsource(module)
    with pytest.raises(ValueError, match="not cached"):
        cached.compare(SmallDataSet.OWN, 6, 0.01, 2.0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 2 x 4", "Value 3, “x”, is not a number"),
        ("1 2 nan 4", "Value 3 is nan"),
        ("1 2 3 1e999", "Value 4 is inf"),
        ("1 2 3 1e200", r"finite numbers up to 1e\+100"),
        ("1 2", "at least 4"),
        ("1 2 3 4 5", "Add or leave out one"),
        (" ".join(map(str, range(18))), "Leave out 2"),
        ("5 5 5 5", "all the same"),
        ("1_0 2 3 4", "Value 1"),
        ("1.5 2,5 3 4", "“2,5” may be one number or several"),
        ("9" * 2000, "The text has 2,000 characters"),
    ],
)
def test_refusals_say_what_where_and_what_to_do(text: str, words: str) -> None:
    with pytest.raises(ValuesError, match=words):
        small_release.read(text)


@pytest.mark.parametrize("text", ["1, 2;3\n4\t5 , 6", "1,2,3,4,5,6", "1 2 3 4 5 6"])
def test_separators_may_be_mixed(text: str) -> None:
    assert list(small_release.read(text)) == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
