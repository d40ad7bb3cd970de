"""How often audits are wrong, by simulation: coverage of limits, and false alarms."""

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


def area(scores: audits.Scores) -> float:
    return audits.area_under_curve(scores).value


def shows(scores: audits.Scores, level: float) -> float:
    """The lower bound on epsilon* at a delta of 1e-5."""
    return audits.largest_refuted(scores, audits.ApproximateClaim(1.0, 1e-5), level) or 0.0


def test_limits_areas_and_gains_hold_as_often_as_they_say():
    alpha, rng, runs, level = np.array([0.002, 0.05, 0.3, 0.5, 0.9]), np.random.default_rng(20230721), 400, 0.9
    truth, auc, outside, gains = Gaussian(1.0).trade_off(alpha).power, ndtr(np.sqrt(0.5)), [], []
    for _ in range(runs):
        drawn = normal(rng, 300, 1.0)
        kinds = [audits.measured_curve(drawn, alpha, audits.Confidence(level, together)) for together in (False, True)]
        limits = [(one.lower, one.upper) for one in (*kinds, audits.roc_region(drawn, alpha, level))]
        outside.append([(truth > low.power + 1e-12) | (truth < up.power - 1e-12) for low, up in limits if low and up])
        found = audits.area_under_curve(drawn)
        wrong = audits.surely_gained(drawn) > 2.0 * ndtr(0.5) - 1.0, audits.surely_gained(normal(rng, 100)) > 0.0
        gains.append([*wrong, not found.lower <= auc <= found.upper])
    failed = np.array(outside)
    assert failed[:, 0].sum(axis=0).max() <= most(runs, 1.0 - level)
    assert failed[:, 1:].any(axis=2).sum(axis=0).max() <= most(runs, 1.0 - level)
    assert np.sum(np.array(gains), axis=0).max() <= most(runs)


@each("same, correlation .9", role="negative")
def test_rows_of_one_person_are_not_independent(row):
    """Counted as independent, rows often show something in null audits; one of each seldom."""
    rng, persons, runs, found = np.random.default_rng(6), np.repeat(np.arange(100), 10), 60, []
    for _ in range(runs):
        own, each_row = rng.normal(size=(2, 100, 1)), rng.normal(size=(2, 100, 10))
        groups = audits.Scores(*(np.sqrt(0.9) * own + np.sqrt(0.1) * each_row).reshape(2, -1))
        rows = audits.one_row_each(persons)
        careful = audits.Scores(groups.null[rows], groups.alternative[rows])
        found.append([shows(one, 0.95) > 0.0 for one in (groups, careful)])
    naive, right = np.sum(found, axis=0)
    assert naive / runs == pytest.approx(row.expected, abs=0.13)
    assert right <= most(runs)


@each("share of null audits above 0, best of 10 epochs", role="negative")
def test_the_best_of_ten_epochs_and_slices_are_corrected(row):
    rng, runs, found = np.random.default_rng(7), 60, []
    for _ in range(runs):
        epochs = [normal(rng, 100) for _ in range(10)]
        bounds = [lambda level, epoch=epoch: shows(epoch, level) for epoch in epochs]
        slices = audits.sliced(epochs[:3], 0.2, audits.ApproximateClaim(0.0, 0.0))
        alike = audits.sliced([normal(rng, 200, 0.5) for _ in range(4)], 0.1, audits.GdpClaim(0.5))
        wrong = any(one.exceeds for one in slices), bool(audits.surely_below(alike).any())
        found.append([max(bound(0.95) for bound in bounds) > 0.0, audits.at_least(1, bounds) > 0.0, *wrong])
    naive, *corrected = np.sum(found, axis=0)
    assert naive / runs == pytest.approx(row.expected, abs=0.2)
    assert naive / runs > 2 * RISK
    assert max(corrected) <= most(runs)
