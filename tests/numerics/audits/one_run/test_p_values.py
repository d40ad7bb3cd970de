"""Tests of one run: against reference values, enumeration, and linear programmes over all laws of the right guesses."""

import json
from itertools import product

import numpy as np
import pytest
import scipy
from scipy.special import expit, ndtr, ndtri

from numerics import Gaussian
from numerics.audits import ApproximateClaim, Claim, GdpClaim, ReleaseClaim
from numerics.audits.one_run import DeltaTerm, Guesses, attainable, odds, p_value, parameter_refuted, single_p_values
from numerics.audits.one_run.walk import Walk, equal_levels, tail
from numerics.sampling import Adjacency
from tests.reference import Reference, each, rows

CLOSE = 1e-9  # of p-values: their logarithms are halved to 1e-10
SEARCHED = 1e-6  # as the reference values say
CERTIFIED = 1e-3  # relative, as the reference values say of certified claims
STATED = Gaussian(1.0, 0.01, 1000)


def guesses_of(row: Reference) -> Guesses:
    several = "guess_counts" in row.params
    counts = json.loads(row.text("guess_counts" if several else "guesses"))
    correct = json.loads(row.text("correct"))
    return Guesses(
        row.count("canaries"), tuple(counts) if several else (counts,), tuple(correct) if several else (correct,)
    )


def claim_of(row: Reference) -> Claim:
    if "mu" in row.params:
        return GdpClaim(row.number("mu"))
    if "epsilon" in row.params:
        return ApproximateClaim(row.number("epsilon"), row.number("delta"))
    return ReleaseClaim(Gaussian(row.number("noise_multiplier"), row.number("sampling_rate"), row.count("steps")))


@each("one-run audit, p-value of an (eps, delta) claim")
def test_p_value_of_one_count(row: Reference) -> None:
    found = odds.p_value(guesses_of(row), row.number("epsilon"), row.number("delta"))
    assert found == pytest.approx(row.expected, rel=CLOSE)


@each("delta term left out", role="negative")
def test_delta_counts(row: Reference) -> None:
    found = odds.p_value(guesses_of(row), row.number("epsilon"), row.number("delta"))
    assert found > 10.0 * row.expected
    assert odds.p_value(guesses_of(row), row.number("epsilon")) == pytest.approx(row.expected, rel=CLOSE)


@each("one-run audit, lower bound on eps at 95 %")
def test_epsilon_by_one_count(row: Reference) -> None:
    found = odds.epsilon_at_least(guesses_of(row), row.number("delta"), row.number("level"))
    assert found == pytest.approx(row.expected, rel=SEARCHED)


@each("one-run audit, all guess counts of a preset list together")
def test_p_value_of_all_counts(row: Reference) -> None:
    found = odds.p_value(guesses_of(row), row.number("epsilon"), row.number("delta"))
    assert found == pytest.approx(row.expected, rel=CLOSE)


@pytest.mark.parametrize(("counts", "correct"), [((100,), (75,)), ((50, 100), (40, 75))])
@pytest.mark.parametrize("term", DeltaTerm)
def test_a_p_value_is_a_probability_however_large_delta_is(counts, correct, term) -> None:
    assert odds.p_value(Guesses(1000, counts, correct), 0.5, 0.5, term) == 1.0


def test_epsilon_by_all_counts_is_not_that_of_the_best_one() -> None:
    (row,) = rows("one-run audit, lower bound over all guess counts")
    (uncorrected,) = rows("best single bound without correction", role="negative")
    found = odds.epsilon_at_least(guesses_of(row), 0.0, row.number("level"))
    assert found == pytest.approx(row.expected, rel=SEARCHED)
    guesses = guesses_of(uncorrected)
    alone = [
        odds.epsilon_at_least(Guesses(guesses.canaries, (g,), (v,)))
        for g, v in zip(guesses.counts, guesses.correct, strict=True)
    ]
    assert max(alone) == pytest.approx(uncorrected.expected, rel=SEARCHED)
    assert found < uncorrected.expected - 0.1


@each(prefix="onerun_fdp_p_")
def test_p_value_of_a_curve(row: Reference) -> None:
    (found,) = single_p_values(guesses_of(row), claim_of(row))
    assert found == pytest.approx(row.expected, rel=CLOSE)


@each("one-run audit, p-value of the certified claim")
def test_p_value_of_a_release(row: Reference) -> None:
    (found,) = single_p_values(guesses_of(row), claim_of(row))
    assert found == pytest.approx(row.expected, rel=CERTIFIED)


@each("one-run audit, largest mu refuted at 5 %")
def test_largest_mu_refuted(row: Reference) -> None:
    found = parameter_refuted(guesses_of(row), GdpClaim(1.0), row.number("level"), tolerance=1e-8)
    assert found == pytest.approx(row.expected, rel=SEARCHED)


@each("largest refutable mu")
def test_the_largest_mu_stays_below_the_truth_however_many_canaries_there_are(row: Reference) -> None:
    mu, share = row.number("mu"), float(row.params.get("guess_share", 1.0))
    at = scipy.optimize.brentq(lambda t: ndtr(mu - t) + ndtr(-t) - share, 0.0, 20.0)
    canaries = 10_000_000
    count = round(share * canaries)
    correct = round(ndtr(mu - at) / share * count)
    found = parameter_refuted(Guesses(canaries, (count,), (correct,)), GdpClaim(mu), tolerance=1e-7)
    assert found == pytest.approx(row.expected, abs=2e-3)  # of the limit, at ten million
    assert found is not None
    assert found < mu


def programme(claim: Claim, canaries: int, count: int, correct: int, lines: list[tuple[float, float]]) -> float:
    """Largest P(T >= correct) over laws of T with r_{i+1} <= F(h_i), for F the least of ``lines`` a + b x."""
    right = np.arange(count + 1)
    above = [np.where(right >= i, right / canaries, 0.0) for i in range(count + 1)]
    wrong = [np.where(right >= i, (count - right) / canaries, 0.0) for i in range(count + 1)]
    pairs = [(above[i + 1] - b * wrong[i], a) for i in range(count) for a, b in lines]
    found = scipy.optimize.linprog(
        -(right >= correct).astype(float),
        A_ub=np.array([row for row, _ in pairs]),
        b_ub=np.array([limit for _, limit in pairs]),
        A_eq=np.ones((1, count + 1)),
        b_eq=[1.0],
    )
    assert found.status == 0
    return -float(found.fun or 0.0)


@pytest.mark.parametrize(("canaries", "count", "correct"), [(20, 20, 17), (30, 12, 11), (60, 40, 30), (20, 1, 1)])
@pytest.mark.parametrize(("epsilon", "delta"), [(0.0, 0.0), (0.5, 0.001), (1.0, 0.0), (2.0, 0.05)])
def test_the_recursion_solves_the_linear_programme(canaries, count, correct, epsilon, delta):
    lines = [(delta, np.exp(epsilon)), (1.0 - np.exp(-epsilon) * (1.0 - delta), np.exp(-epsilon))]
    claim = ApproximateClaim(epsilon, delta)
    (found,) = single_p_values(Guesses(canaries, (count,), (correct,)), claim)
    assert found == pytest.approx(programme(claim, canaries, count, correct, lines), abs=1e-8)


@pytest.mark.parametrize(("canaries", "count", "correct"), [(40, 30, 24), (30, 10, 9)])
def test_so_it_does_for_a_smooth_curve(canaries, count, correct):
    """Its tangents; between them the programme allows a little more."""
    mu, alpha = 0.5, ndtr(np.linspace(-8.0, 8.0, 400))
    slope = np.exp(-0.5 * mu**2 - mu * ndtri(alpha))
    claim = GdpClaim(mu)
    lines = list(zip((claim.power(alpha) - slope * alpha).tolist(), slope.tolist(), strict=True))
    expected = programme(claim, canaries, count, correct, lines)
    (found,) = single_p_values(Guesses(canaries, (count,), (correct,)), claim)
    assert expected * (1.0 - 1e-3) <= found <= expected * (1.0 + 1e-7)


@pytest.mark.parametrize("epsilon", [0.0, 0.3, 1.2])
@pytest.mark.parametrize(("counts", "correct"), [((3, 7, 12), (3, 6, 9)), ((2, 11), (2, 8)), ((4, 5, 6), (3, 4, 5))])
def test_all_counts_together_by_enumeration(counts, correct, epsilon):
    """Every sequence of right and wrong guesses, and delta's part by walks with so many right ones on top."""
    q = float(expit(epsilon))
    walks = np.array(list(product((0, 1), repeat=counts[-1])))
    chance = np.prod(np.where(walks == 1, q, 1.0 - q), axis=1)
    right = np.cumsum(walks, axis=1)[:, np.array(counts) - 1]
    tails = np.array(
        [[scipy.stats.binom.sf(v - 1, g, q) for v in range(g + 2)] + [0.0] * (counts[-1] - g) for g in counts]
    )
    least = min(tails[place][v] for place, v in enumerate(correct))
    levels = np.array([np.argmax(row <= least * (1.0 + 1e-9)) for row in tails])
    reached = levels <= np.array(counts)
    crossing = [float(chance[np.any((right >= levels - i)[:, reached], axis=1)].sum()) for i in range(counts[-1] + 1)]
    guesses, delta = Guesses(20, counts, correct), 1e-3
    assert odds.p_value(guesses, epsilon) == pytest.approx(crossing[0], rel=1e-12)
    step = max((crossing[i] - crossing[0]) / i for i in range(1, counts[-1] + 1))
    expected = min(1.0, crossing[0] + 2 * 20 * delta * step)
    assert odds.p_value(guesses, epsilon, delta) == pytest.approx(expected, rel=1e-12)
    union = odds.p_value(guesses, epsilon, delta, DeltaTerm.UNION)
    assert union == pytest.approx(min(1.0, crossing[0] + 20 * delta), rel=1e-12)


def test_long_walks_are_taken_in_strides_that_only_raise_the_p_value() -> None:
    guesses, epsilon, delta = Guesses(2000, (300, 2000), (240, 1350)), 0.05, 1e-6
    certain = odds.p_value(guesses, epsilon)
    least = tail(np.array(guesses.counts), np.array(guesses.correct), epsilon).min()
    levels = equal_levels(guesses.counts, float(least), epsilon)
    walk = Walk(levels.counts, epsilon)
    steps = [(walk.crosses([v - i for v in levels.correct]) - certain) / i for i in range(1, 300)]
    assert np.argmax(steps) + 1 > 64  # where one stands for several
    exact = 2 * guesses.canaries * delta * max(steps)
    found = odds.p_value(guesses, epsilon, delta) - certain
    assert exact * (1.0 - 1e-9) <= found <= 1.05 * exact


def test_the_least_noise_refuted() -> None:
    guesses, claim = Guesses(2000, (40, 100), (40, 80)), ReleaseClaim(STATED)
    found = parameter_refuted(guesses, claim, tolerance=0.01)
    assert found is not None
    assert p_value(guesses, claim.with_parameter(found)) <= 0.05 < p_value(guesses, claim.with_parameter(0.98 * found))


def test_nothing_is_shown_by_no_more_than_half() -> None:
    guesses = Guesses(100, (20, 50), (10, 25))
    for claim in (GdpClaim(0.0), ApproximateClaim(0.0, 0.0), ApproximateClaim(0.0, 1e-5)):
        assert p_value(guesses, claim) == 1.0
        assert parameter_refuted(guesses, claim) is None
    assert odds.epsilon_at_least(guesses) == 0.0


def test_the_other_direction_costs_a_factor_of_two() -> None:
    guesses, claim = Guesses(1000, (100,), (3,)), GdpClaim(0.5)
    assert p_value(guesses, claim) == 1.0
    assert p_value(guesses, claim, two_sided=True) == 2.0 * p_value(Guesses(1000, (100,), (97,)), claim)


def test_the_ceiling_of_a_hundred_guesses_all_right() -> None:
    expected = -np.log(0.05 ** (-1 / 100) - 1.0)
    assert attainable(ApproximateClaim(1.0, 0.0), 1000, (100,)) == pytest.approx(expected, rel=CLOSE)
    claim = GdpClaim(1.0)
    ceiling = attainable(claim, 1000, (100,))
    assert ceiling is not None
    assert ceiling >= (parameter_refuted(Guesses(1000, (100,), (99,)), claim) or 0.0)


def test_neighbours_must_be_those_of_the_coins() -> None:
    pairs = Guesses(100, (20,), (20,), Adjacency.REPLACE_ONE)
    with pytest.raises(
        ValueError, match="claim must be about replace-one neighbours, as the coins are, got add/remove"
    ):
        p_value(pairs, ReleaseClaim(STATED))
    with pytest.raises(ValueError, match="claim must be about add/remove neighbours"):
        parameter_refuted(Guesses(100, (20,), (20,)), ReleaseClaim(STATED.with_neighbours(Adjacency.REPLACE_ONE)))
    assert p_value(pairs, ReleaseClaim(STATED.with_neighbours(Adjacency.REPLACE_ONE))) < 1.0
