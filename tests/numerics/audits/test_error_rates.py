"""How often audits are wrong, by simulation: coverage of limits, false alarms, and what memory they take."""

import tracemalloc
from collections import deque

import numpy as np
import pytest
from scipy import stats
from scipy.special import ndtr

from numerics import audits
from numerics.mechanisms import Gaussian
from tests.reference import each

pytestmark = pytest.mark.nightly

RISK = 0.05


def most(runs: int, risk: float = RISK, sure: float = 1e-3) -> int:
    """So many failures of ``runs`` a right procedure has, but for one test in a thousand."""
    return int(stats.binom.isf(sure, runs, risk))


def normal(rng: np.random.Generator, size: int, mu: float = 0.0) -> audits.Scores:
    return audits.Scores(rng.normal(size=size), rng.normal(mu, 1.0, size))


@pytest.mark.parametrize("coarse", [False, True])
def test_limits_areas_and_gains_hold_as_often_as_they_say(coarse):
    """Scores as drawn, or read off a coarse dial, whose curve has chords between its corners."""
    alpha, rng, runs, level = np.array([0.002, 0.05, 0.3, 0.5, 0.9]), np.random.default_rng(20230721), 400, 0.9
    marks = np.arange(40, -41, -1) / 3.0
    exact = Gaussian(1.0).trade_off(alpha).power
    truth = np.interp(alpha, stats.norm.sf(marks), stats.norm.sf(marks - 1.0)) if coarse else exact
    outside, gains, nearly = [], [], []
    for _ in range(runs):
        drawn = normal(rng, 300, 1.0)
        read = audits.Scores(*(np.floor(side * 3.0) / 3.0 for side in drawn)) if coarse else drawn
        kinds = [audits.measured_curve(read, alpha, audits.Confidence(level, together)) for together in (False, True)]
        limits = [(one.lower, one.upper) for one in (*kinds, audits.roc_region(read, alpha, level))]
        outside.append([(truth > low.power + 1e-12) | (truth < up.power - 1e-12) for low, up in limits if low and up])
        area, auc = audits.area_under_curve(drawn), ndtr(np.sqrt(0.5))
        nearly.append(area.estimate[0] <= auc <= area.estimate[1])
        wrong = audits.surely_gained(drawn) > 2.0 * ndtr(0.5) - 1.0, audits.surely_gained(normal(rng, 100)) > 0.0
        gains.append([*wrong, not area.lower <= auc <= area.upper])
    failed = np.array(outside)
    assert failed[:, 0].sum(axis=0).max() <= most(runs, 1.0 - level)
    assert failed[:, 1:].any(axis=2).sum(axis=0).max() <= most(runs, 1.0 - level)
    assert np.sum(np.array(gains), axis=0).max() <= most(runs)
    assert 0.91 < np.mean(nearly) < 0.99


def test_slices_falsely_exceed_or_differ_and_cuts_refute_as_promised():
    rng, runs, exceed, differ, refuted = np.random.default_rng(5), 40, 0, 0, 0
    promised = audits.power_reached(audits.GdpClaim(1.0), audits.GdpClaim(1.6), 200)
    for _ in range(runs):
        slices = [normal(rng, 80) for _ in range(3)]
        exceed += any(one.exceeds for one in audits.sliced(slices, 0.2, audits.ApproximateClaim(0.0, 0.0)))
        alike = audits.sliced([normal(rng, 200, 0.5) for _ in range(4)], 0.1, audits.GdpClaim(0.5))
        differ += bool(audits.surely_below(alike).any())
        refuted += audits.claim_test(normal(rng, 200, 1.6), audits.GdpClaim(1.0)).is_refuted
    assert max(exceed, differ) <= most(runs)
    assert promised > 0.3
    assert refuted >= stats.binom.ppf(1e-3, runs, promised)


def shows(scores: audits.Scores, level: float) -> float:
    """The lower bound on epsilon* at a delta of 1e-5."""
    return audits.largest_refuted(scores, audits.ApproximateClaim(1.0, 1e-5), level) or 0.0


def alike(rng: np.random.Generator, persons: int, rows: int) -> np.ndarray:
    """Scores of persons whose rows correlate by .9."""
    return np.ravel(np.sqrt(0.9) * rng.normal(size=(persons, 1)) + np.sqrt(0.1) * rng.normal(size=(persons, rows)))


@each("same, correlation .9", role="negative")
def test_rows_of_one_person_are_not_independent_and_one_of_each_is(row):
    """Counted as independent, rows show something in nine null audits of ten; one of each, and medians, in few."""
    rng, persons, runs, found = np.random.default_rng(6), np.repeat(np.arange(100), 10), 60, []
    for _ in range(runs):
        groups = audits.Scores(alike(rng, 100, 10), alike(rng, 100, 10))

        def bound(rows: np.ndarray, level: float, groups: audits.Scores = groups) -> float:
            return shows(audits.Scores(groups.null[rows], groups.alternative[rows]), level)

        found.append(
            [shows(groups, 0.95), bound(audits.one_row_each(persons), 0.95), audits.median_of_draws(bound, persons)]
        )
    naive, one, median = np.sum(np.array(found) > 0.0, axis=0)
    assert naive / runs == pytest.approx(row.expected, abs=0.13)
    assert max(one, median) <= most(runs)


@each("share of null audits above 0, best of 10 epochs", role="negative")
def test_the_best_of_ten_epochs_is_corrected(row):
    rng, runs, found = np.random.default_rng(7), 60, []
    for _ in range(runs):
        epochs = [normal(rng, 100) for _ in range(10)]
        bounds = [lambda level, epoch=epoch: shows(epoch, level) for epoch in epochs]
        found.append([max(bound(0.95) for bound in bounds) > 0.0, audits.at_least(1, bounds) > 0.0])
    naive, corrected = np.sum(found, axis=0)
    assert naive / runs == pytest.approx(row.expected, abs=0.2)
    assert naive / runs > 2 * RISK
    assert corrected <= most(runs)


def test_shuffled_persons_are_no_false_alarm_where_shuffled_rows_are():
    rng, persons, runs, alarms = np.random.default_rng(8), np.repeat(np.arange(30), 10), 60, []

    def area(scores: audits.Scores) -> float:
        return audits.area_under_curve(scores).value

    for _ in range(runs):
        groups = audits.Scores(alike(rng, 30, 10), alike(rng, 30, 10))
        rows = deque(audits.permuted(area, groups, 39), 1).pop()
        whole = deque(audits.permuted_persons(area, groups, persons, persons + 30, 39), 1).pop()
        alarms.append([rows.p_value <= RISK, whole.p_value <= RISK])
    of_rows, of_persons = np.sum(alarms, axis=0)
    assert of_rows > 0.15 * runs
    assert of_persons <= most(runs)


def test_memory_stays_that_of_the_scores_and_of_a_chunk():
    scores = audits.Scores(np.arange(3e6), np.arange(3e6) + 0.5)
    tracemalloc.start()
    audits.area_under_curve(scores)
    audits.true_positive_rate(scores, 0.01)
    peaks = [tracemalloc.get_traced_memory()[1]]
    for steps, rounds in ((1, 12_000), (3, 24_000)):
        tracemalloc.reset_peak()
        deque(audits.Canary(Gaussian(1.0, steps=steps), audits.Attacker.RELAXED, 50).rounds(rounds, 4), 0)
        peaks.append(tracemalloc.get_traced_memory()[1])
    tracemalloc.stop()
    assert peaks[0] < 2 * 24e6
    assert peaks[2] < min(1.2 * peaks[1], 20e6)
