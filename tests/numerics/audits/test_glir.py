"""GLiR: references, its p-value's law, Eq. 8 for simulated gradients, the weak side for a real model's."""

import numpy as np
import pytest
from scipy import stats

from numerics.audits import (
    Background,
    Confidence,
    Position,
    RealGradients,
    SimulatedGradients,
    Training,
    clip_factors,
    collected,
    gradients,
    log_p_value,
    measured_curve,
    positions,
    statistic,
)
from numerics.trade_off import Bound, TradeOffCurve
from tests import ROOT
from tests.reference import Reference, each

IMAGES = ROOT / "data" / "digits_images.npz"
ALPHA = np.array([0.001, 0.01, 0.05, 0.1, 0.3, 0.5, 0.9])
SURE = Confidence(1.0 - 1e-5, simultaneous=True)
ROUNDING = 1e-10  # SciPy's non-central chi-squared law


def eq_8(n: float, d: int, k: float, alpha: np.ndarray = ALPHA) -> TradeOffCurve:
    """Paper 004 Eq. 8 for effective batch size n (correction 44)."""
    critical = n / (n - 1) * stats.ncx2.ppf(alpha, d, n * k)
    beta, power = stats.ncx2.sf(critical, d, (n - 1) * k), stats.ncx2.cdf(critical, d, (n - 1) * k)
    return TradeOffCurve(alpha, beta, power, Bound.EXACT, "Eq. 8")


def simulated(attack: SimulatedGradients, alpha: np.ndarray = ALPHA, rounds: int = 20_000) -> TradeOffCurve:
    return measured_curve(collected(attack.rounds(rounds, 1)), alpha, SURE)


@each("GLiR log p-value")
def test_log_p_value_against_references(row: Reference):
    non_centrality = row.count("n") * row.number("K")
    value = log_p_value(np.array([row.number("stat_n")]), row.count("d"), non_centrality)[0]
    assert value == pytest.approx(row.expected, rel=ROUNDING)


def test_p_values_are_uniform_without_the_query():
    """With the factor n (correction 47); n - 1 would reject 20 % at 5 % here."""
    generator = np.random.default_rng(2)
    n, d, rounds = 20, 50, 4000
    known = Background(np.full(d, 3.0), np.eye(d) / 2.0)
    query = 3.0 + 2.0 * generator.standard_normal(d)
    averages = 3.0 + 2.0 * generator.standard_normal((rounds, n, d)).mean(axis=1)
    looked_for = known.whitened(query)

    def log_p_values(averages):
        found = statistic(known.whitened(averages), looked_for, n)
        return log_p_value(found, known.dimension, n * float(looked_for @ looked_for))

    assert stats.kstest(np.exp(log_p_values(averages)), "uniform").pvalue > 1e-4
    members = averages + (query - (3.0 + 2.0 * generator.standard_normal((rounds, d)))) / n
    assert float(np.mean(log_p_values(members) < np.log(0.05))) > 0.1


SIMULATED = [(20, 50, 18.0, 0.0), (2, 5, 0.2, 0.0), (10, 20, 10.0, 0.0), (100, 30, 100.0, 0.0), (20, 50, 18.0, 4.0)]


@pytest.mark.parametrize(("d", "n", "k", "noise"), SIMULATED)
def test_simulated_gradients_reach_eq_8(d, n, k, noise):
    attack = SimulatedGradients(d, n, k, noise)
    assert attack.effective_batch == n + noise**2
    assert set(positions(simulated(attack), eq_8(n + noise**2, d, k))) == {Position.INSIDE}


def test_limits_are_narrow_enough_to_refute_two_records_less():
    assert Position.WEAKER in positions(simulated(SimulatedGradients(20, 10, 18.0)), eq_8(8, 20, 18.0))


@each("GMIP Eq 8")
def test_simulated_gradients_against_references(row: Reference):
    n, d, noise = row.count("n"), row.count("d"), row.count("n") * np.sqrt(row.number("tau2")) / row.number("C")
    curve = simulated(SimulatedGradients(d, n, row.number("K"), noise), np.array([row.number("alpha")]), 8000)
    assert curve.lower is not None
    assert curve.upper is not None
    assert curve.lower.beta[0] < row.expected < curve.upper.beta[0]


def test_more_steps_tell_more():
    one, five = (simulated(SimulatedGradients(20, 20, 18.0, steps=steps), rounds=10_000) for steps in (1, 5))
    assert one.lower is not None
    assert five.upper is not None
    assert np.all(five.upper.beta[1:5] < one.lower.beta[1:5])


def per_example_gradients() -> np.ndarray:
    """Of a softmax regression on the digits, halved in resolution, after 100 steps; rows in random order."""
    with np.load(IMAGES) as file:
        images, labels = file["images"] / 16.0, file["labels"].astype(np.int64)
    order = np.random.default_rng(0).permutation(len(labels))
    coarse = images.reshape(-1, 4, 2, 4, 2).mean(axis=(2, 4)).reshape(-1, 16)
    features, labels = np.column_stack((coarse, np.ones(len(coarse))))[order], labels[order]
    start, everybody = np.zeros((17, 10)), np.ones((1, len(labels)))
    weights = Training(0.0, 100, 5.0).run(features, labels, everybody, start, np.random.default_rng(0))[0]
    assert np.mean(np.argmax(features @ weights, axis=1) == labels) > 0.8
    return gradients(features, labels, weights, 1.0)


@pytest.mark.parametrize("n", [10, 30])
def test_real_gradients_lie_on_the_weak_side(n):
    """Paper 004 Fig. 2b: with estimated mean and covariance the attack does not reach Eq. 8 with K = d."""
    table = per_example_gradients()
    attack = RealGradients((table[900:],), (Background.estimated(table[:900]),), n)
    curve = measured_curve(collected(attack.rounds(2000, 3)), ALPHA, SURE)
    d = attack.backgrounds[0].dimension
    assert d < 160
    places = positions(curve, eq_8(n, d, d))
    assert Position.STRONGER not in places
    assert Position.WEAKER in places
    assert curve.upper is not None
    assert curve.upper.power[4] > ALPHA[4]  # yet it is an attack


def test_gaussian_gradients_given_as_real_ones_reach_the_theory():
    """Whole path, estimated covariance and all, with background enough to estimate well; K is drawn with the query."""
    generator = np.random.default_rng(4)
    d, n = 4, 10
    table = generator.standard_normal((24_000, d)) @ generator.standard_normal((d, d)) + 5.0
    attack = RealGradients((table[20_000:],), (Background.estimated(table[:20_000]),), n)
    assert attack.backgrounds[0].dimension == d
    susceptibilities = np.sum(attack.backgrounds[0].whitened(attack.populations[0]) ** 2, axis=1)
    assert np.mean(susceptibilities) == pytest.approx(d, rel=0.05)
    curve = measured_curve(collected(attack.rounds(4000, 5)), ALPHA, SURE)
    k = generator.chisquare(d, 4000)[:, None]
    critical = n / (n - 1) * stats.ncx2.ppf(ALPHA, d, n * k)
    beta = np.mean(stats.ncx2.sf(critical, d, (n - 1) * k), axis=0)
    assert set(positions(curve, TradeOffCurve(ALPHA, beta, 1 - beta, Bound.ESTIMATE, "mixed"))) == {Position.INSIDE}


def test_whitening_gives_unit_variance_and_drops_constant_directions():
    generator = np.random.default_rng(6)
    table = np.column_stack((generator.standard_normal((500, 3)) * (1.0, 10.0, 3.0), np.full(500, 2.0)))
    background = Background.estimated(table)
    assert background.dimension == 3
    np.testing.assert_allclose(np.cov(background.whitened(table).T), np.eye(3), atol=1e-9)
    inverse = np.linalg.inv(np.cov(table[:, :3].T))
    centred = (table - table.mean(axis=0))[:, :3]
    expected = np.einsum("ni,ij,nj->n", centred, inverse, centred)
    np.testing.assert_allclose(np.sum(background.whitened(table) ** 2, axis=1), expected, rtol=1e-9)


def test_clipping_shortens_long_gradients_only():
    """Correction 49: a norm of 10 becomes 1, a norm of 0.2 stays."""
    np.testing.assert_allclose(clip_factors(np.array([10.0, 0.2, 0.0]), 1.0) * [10.0, 0.2, 0.0], [1.0, 0.2, 0.0])


def test_per_example_gradients_are_derivatives():
    generator = np.random.default_rng(7)
    features, labels = generator.standard_normal((6, 3)), np.array([0, 1, 2, 2, 1, 0])
    weights = generator.standard_normal((3, 3))

    def losses(at: np.ndarray) -> np.ndarray:
        scores = features @ at
        return np.asarray(np.log(np.exp(scores).sum(axis=1)) - scores[np.arange(6), labels])

    steps = np.eye(9).reshape(9, 3, 3) * 1e-6
    numeric = np.array([(losses(weights + step) - losses(weights - step)) / 2e-6 for step in steps]).T
    np.testing.assert_allclose(gradients(features, labels, weights), numeric, atol=1e-8)
    lengths = np.linalg.norm(gradients(features, labels, weights, 0.5), axis=1)
    np.testing.assert_allclose(lengths, np.minimum(0.5, np.linalg.norm(numeric, axis=1)), rtol=1e-6)


def test_worlds_are_independent():
    """Limits of measured curves need it: the two worlds must not share queries or batches."""
    table = np.random.default_rng(10).standard_normal((400, 3)) * np.random.default_rng(11).exponential(1, (400, 1))
    scores = collected(RealGradients((table[200:],), (Background.estimated(table[:200]),), 20).rounds(2000, 2))
    above = [side > np.median(side) for side in scores]
    assert abs(np.mean(above[0] == above[1]) - 0.5) < 0.05  # four standard errors of a fair coin


def test_real_rounds_follow_the_seed_and_can_be_stopped():
    table = np.random.default_rng(8).standard_normal((3000, 5))
    attack = RealGradients((table[1000:],), (Background.estimated(table[:1000]),), 50)
    first, again = (collected(attack.rounds(600, 1)) for _ in range(2))
    assert np.array_equal(first.alternative, again.alternative)
    running = attack.rounds(10_000, 1)
    half = next(running)
    running.close()
    assert 0 < half.done < half.total == 10_000


def test_refusals():
    with pytest.raises(ValueError, match="batch must be between 1 and 1000000, got 0"):
        SimulatedGradients(2, 0, 1.0)
    with pytest.raises(ValueError, match=r"susceptibility must be between 1e-12 and 1e\+12, got -1.0"):
        SimulatedGradients(2, 5, -1.0)
    with pytest.raises(ValueError, match="gradients must be a table of at least two rows"):
        Background.estimated(np.ones((1, 3)))
    with pytest.raises(ValueError, match="gradients must vary"):
        Background.estimated(np.ones((5, 3)))
    good = Background.estimated(np.random.default_rng(9).standard_normal((50, 3)))
    with pytest.raises(ValueError, match="populations must have the background's columns"):
        RealGradients((np.ones((10, 4)),), (good,), 5)
    with pytest.raises(ValueError, match="batch must be between 1 and 9, got 10"):
        RealGradients((np.ones((10, 3)),), (good,), 10)
