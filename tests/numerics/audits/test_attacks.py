"""Simulated and real attacks: the theory lies inside of the limits, for every attacker, noise, sampling and law."""

import tomllib
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from numerics import audits, mechanisms
from numerics.gaussian_membership import StepTest
from numerics.mechanisms import Gaussian
from numerics.trade_off import Bound, Order, TradeOffCurve
from tests import ROOT
from tests.reference import each

ALPHA = np.array([0.01, 0.05, 0.1, 0.3, 0.5, 0.9])
# All six rates of one test together; some forty tests, so that a right theory is outside once in 2,500 seeds.
SURE = audits.Confidence(1.0 - 1e-5, simultaneous=True)


def measured(attack, rounds=8000, order=Order.ADD, alpha=ALPHA, seed=1) -> TradeOffCurve:
    return audits.measured_curve(audits.collected(attack.run(rounds, seed)), alpha, SURE, order)


def places(attack, beta, rounds=8000, order=Order.ADD, alpha=ALPHA) -> set[audits.Position]:
    """Of the measured curve against a theory's false negative rates."""
    theory = TradeOffCurve(alpha, np.asarray(beta), 1.0 - beta, Bound.EXACT, "theory")
    return set(audits.positions(measured(attack, rounds, order, alpha), theory))


def chi_squared(dimension: int, kappa: float) -> np.ndarray:
    """Paper 000 Eq. 4 with kappa = N mu^2 (Eq. 48): long means are accused."""
    return np.asarray(stats.ncx2.cdf(stats.chi2.isf(ALPHA, dimension), dimension, kappa))


def eq_8(n: float, d: int, k, alpha: np.ndarray = ALPHA) -> np.ndarray:
    """Paper 004 Eq. 8 for effective batch size n (correction 44)."""
    critical = n / (n - 1) * stats.ncx2.ppf(alpha, d, n * k)
    return np.asarray(stats.ncx2.sf(critical, d, (n - 1) * k))


def two_classes(records: int = 60, canary: tuple[float, float] = (3.0, 1.0)) -> tuple[np.ndarray, np.ndarray]:
    """One feature and a constant; row 0 is a canary: far out and labelled wrongly (paper 000's experiments)."""
    features = np.column_stack((np.random.default_rng(11).standard_normal(records), np.ones(records)))
    labels = (features[:, 0] > 0).astype(np.int64)
    features[0], labels[0] = canary, 0
    return features, labels


MAGNITUDE = partial(audits.Canary, attacker=audits.Attacker.RELAXED)
TARGET, INSIDE, WEAKER = two_classes(), audits.Position.INSIDE, audits.Position.WEAKER
TABLE = tomllib.loads(Path(__file__).with_name("attacks.toml").read_text(encoding="utf-8"))
NAMES = {**vars(audits), **vars(mechanisms), **globals()}
for name, meaning in TABLE["names"].items():
    NAMES[name] = eval(meaning, NAMES)


@pytest.mark.parametrize(("question", "theory", "direction", "place"), TABLE["places"])
def test_every_attack_reaches_its_theory_and_not_that_of_less_noise(question, theory, direction, place):
    attack, beta, expected = eval(question, NAMES), eval(theory, NAMES), audits.Position[place]
    found = places(attack, beta, 1200 if isinstance(attack, audits.OfflineAttack) else 6000, Order[direction])
    assert found == {expected} if expected is INSIDE else expected in found
    assert audits.Position.STRONGER not in found


@each("SGM RTM j_p N=1 d=1")
def test_sampled_magnitude_against_references(row):
    attack = MAGNITUDE(Gaussian(1.0 / row.number("mu"), sampling_rate=row.number("p")))
    assert places(attack, np.array([row.expected]), alpha=np.array([row.number("alpha")])) == {INSIDE}


@each("GMIP Eq 8")
def test_simulated_gradients_against_references(row):
    n, d, noise = row.count("n"), row.count("d"), row.count("n") * np.sqrt(row.number("tau2")) / row.number("C")
    attack = audits.SimulatedGradients(d, n, row.number("K"), noise)
    assert places(attack, np.array([row.expected]), 8000, alpha=np.array([row.number("alpha")])) == {INSIDE}


@pytest.mark.parametrize(
    ("attack", "total", "shadows"),
    [
        (MAGNITUDE(Gaussian(1.0), dimension=5000), 500, 0),
        (audits.OfflineAttack(*two_classes(500), (0, 1), audits.Training(1.0), shadows=300), 1600, 600),
    ],
)
def test_the_seed_decides_and_a_run_counts_up_and_can_be_stopped(attack, total, shadows):
    """Shadow models are counted first, before any score."""
    whole, again, other = (list(attack.run(500, seed)) for seed in (3, 3, 4))
    assert np.array_equal(audits.collected(whole).null, audits.collected(again).null)
    assert not np.array_equal(audits.collected(whole).null, audits.collected(other).null)
    assert [len(side) for side in audits.collected(whole)] == [500, 500]
    assert whole[-1].done == whole[-1].total == total
    assert np.all(np.diff([step.done for step in whole]) > 0)
    assert all((len(step.null) == 0) == (step.done <= shadows) for step in whole)
    running = attack.run(500, 3)
    kept = audits.collected([next(running), next(running)])
    running.close()
    assert np.array_equal(kept.null, audits.collected(whole[:2]).null)


def test_several_steps_reach_the_theory_by_pooled_statistics_and_not_by_pooled_p_values():
    """Paper 004 Fig. 2c at a tenth of its gradients and weights: the same level, of a step 1.14, of five 2.548."""
    one, large = StepTest(50.0, 65, 65.0), StepTest(500.0, 650, 650.0)
    assert (large.mu, large.repeated(5).mu) == pytest.approx((1.14, 2.548), abs=5e-3)
    by_p_values, by_statistics = (
        measured(audits.SimulatedGradients(65, 50, 65.0, steps=5, pooling=pooling), 8000) for pooling in audits.Pooling
    )
    theory = one.repeated(5).trade_off(ALPHA)
    assert set(audits.positions(by_statistics, theory)) == {INSIDE}
    assert audits.positions(by_p_values, theory)[1:3] == (audits.Position.WEAKER,) * 2
    assert np.all(by_p_values.power[:4] > one.power(ALPHA)[:4] + 0.1)


@pytest.mark.parametrize(
    ("law", "clip"), [*zip(audits.GradientLaw, (1.0, 0.2), strict=True), (audits.GradientLaw.NORMAL, np.inf)]
)
def test_neither_law_nor_clipping_matters(law, clip):
    """Paper 004 Fig. 4 at d = 20, n = 50: clipped gradients keep length and variance, and reach Eq. 8 with K = d."""
    attack = audits.DrawnGradients(20, 50, law, clip)
    drawn = attack.gradients(np.random.default_rng(2), 20_000)
    assert np.all(np.linalg.norm(drawn, axis=1) <= clip * np.sqrt(20) * (1.0 + 1e-12))
    assert np.mean(drawn**2) == pytest.approx(attack.variance, rel=0.015)
    assert np.abs(np.corrcoef(drawn.T) - np.eye(20)).max() < 0.04
    scores = audits.collected(attack.run(3000, 5))
    assert stats.kstest(np.exp(-scores.null), "uniform").pvalue > 1e-4
    reached = audits.measured_curve(scores, ALPHA, SURE).power
    assert np.all(np.abs(reached - StepTest(50.0, 20, 20.0).power(ALPHA)) < 0.05)


def test_gaussian_gradients_given_as_real_ones_reach_the_theory():
    """Whole path, estimated covariance and all, with background enough to estimate well; K is drawn with the query."""
    generator, d, n = np.random.default_rng(4), 4, 10
    table = generator.standard_normal((14_000, d)) @ generator.standard_normal((d, d)) + 5.0
    background = audits.Background.estimated(table[:10_000])
    np.testing.assert_allclose(np.cov(background.whitened(table[:10_000]).T), np.eye(d), atol=1e-9)
    attack = audits.RealGradients((table[10_000:],), (background,), n)
    k = generator.chisquare(d, 1000)[:, None]
    assert places(attack, np.mean(eq_8(n, d, k), axis=0), 1500) == {INSIDE}


def test_real_gradients_lie_on_the_weak_side():
    """Paper 004 Fig. 2b: softmax regression on the digits in half the resolution, after 100 steps; two worlds apart."""
    with np.load(ROOT / "data" / "digits_images.npz") as file:
        images, labels = file["images"] / 16.0, file["labels"].astype(np.int64)
    order = np.random.default_rng(0).permutation(len(labels))
    coarse = images.reshape(-1, 4, 2, 4, 2).mean(axis=(2, 4)).reshape(-1, 16)
    features, labels, everybody = (
        np.column_stack((coarse, np.ones(len(coarse)))),
        labels[order],
        np.ones((1, len(labels))),
    )
    features, training = features[order], audits.Training(0.0, 100, 5.0)
    weights = training.run(features, labels, everybody, np.zeros((17, 10)), np.random.default_rng(0))[0]
    table = audits.gradients(features, labels, weights, 1.0)
    background = audits.Background.estimated(table[:900])
    attack, d = audits.RealGradients((table[900:],), (background,), 10), background.dimension
    found = places(attack, eq_8(10, d, d), 2000)
    assert WEAKER in found
    assert audits.Position.STRONGER not in found
    scores = audits.collected(attack.run(2000, 1))
    assert audits.area_under_curve(scores).lower > 0.52  # yet it is an attack
    above = [side > np.median(side) for side in scores]
    assert abs(np.mean(above[0] == above[1]) - 0.5) < 0.05  # four standard errors of a fair coin
