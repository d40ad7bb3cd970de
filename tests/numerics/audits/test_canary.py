"""Canary audits: the theory lies inside of the limits for every attacker, noise, sampling and adjacency."""

import tracemalloc

import numpy as np
import pytest
from scipy import stats

from numerics import Adjacency, Composition, Gaussian, Laplace
from numerics.audits import Attacker, Canary, Confidence, Position, collected, measured_curve, positions
from numerics.audits.rounds import LARGEST_ROUNDS
from numerics.trade_off import Bound, Order, TradeOffCurve
from tests.reference import Reference, each

ALPHA = np.array([0.001, 0.01, 0.05, 0.1, 0.3, 0.5, 0.9])
ROUNDS = 20_000
# All seven rates of one test together; some thirty tests, so that a right theory is outside once in 3,000 seeds.
SURE = Confidence(1.0 - 1e-5, simultaneous=True)
REPLACED = Adjacency.REPLACE_ONE

MECHANISMS = [
    Gaussian(1.0),
    Gaussian(2.0, steps=10),
    Gaussian(2.0, adjacency=REPLACED),
    Gaussian(0.8, sampling_rate=0.3),
    Gaussian(1.0, sampling_rate=0.2, steps=30),
    Gaussian(1.0, sampling_rate=0.3, steps=5, adjacency=REPLACED),
    Laplace(1.0),
    Laplace(2.0, steps=6),
    Laplace(1.0, sampling_rate=0.3),
    Laplace(0.7, sampling_rate=0.3, steps=4),
    Laplace(2.0, sampling_rate=0.5, steps=3, adjacency=REPLACED),
]


def measured(canary: Canary, order: Order = Order.ADD, seed: int = 1, rounds: int = ROUNDS) -> TradeOffCurve:
    return measured_curve(collected(canary.rounds(rounds, seed)), ALPHA, SURE, order)


def theory(beta: np.ndarray) -> TradeOffCurve:
    return TradeOffCurve(ALPHA, beta, 1.0 - beta, Bound.EXACT, "theory")


def all_inside(curve: TradeOffCurve, expected: TradeOffCurve) -> bool:
    return set(positions(curve, expected)) == {Position.INSIDE}


@pytest.mark.parametrize("order", [Order.ADD, Order.REMOVE])
@pytest.mark.parametrize("mechanism", MECHANISMS, ids=repr)
def test_full_knowledge_reaches_the_trade_off_function(mechanism, order):
    assert all_inside(measured(Canary(mechanism), order), mechanism.trade_off(ALPHA, order))


@pytest.mark.parametrize(
    "mechanism", [Gaussian(1.0), Laplace(1.0), Gaussian(1.0, sampling_rate=0.3, steps=5)], ids=repr
)
def test_limits_are_narrow_enough_to_refute_a_seventh_less_noise(mechanism):
    wrong = mechanism.with_noise(6 / 7 * mechanism.noise_multiplier).trade_off(ALPHA)
    assert Position.WEAKER in positions(measured(Canary(mechanism)), wrong)


def test_lots_keep_limits_narrow_where_half_lines_share_a_likelihood_ratio():
    """Below a rate of e^-mu / 2 every Laplace release has the ratio e^mu; without lots limits would span it all."""
    curve = measured(Canary(Laplace(1.0)))
    assert curve.lower is not None
    assert curve.upper is not None
    assert np.max(curve.upper.beta - curve.lower.beta) < 0.1


@pytest.mark.parametrize(("noise", "steps", "dimension"), [(1.0, 1, 1), (2.0, 10, 1), (0.5, 1, 50), (2.0, 7, 5)])
def test_magnitude_of_the_mean_is_chi_squared(noise, steps, dimension):
    """Paper 000 Eq. 4 with kappa = N mu^2 (Eq. 48), accusing long means, and short ones of absence."""
    curve = Canary(Gaussian(noise, steps=steps), Attacker.RELAXED, dimension)
    kappa = steps / noise**2
    there = stats.ncx2.cdf(stats.chi2.isf(ALPHA, dimension), dimension, kappa)
    back = stats.chi2.sf(stats.ncx2.ppf(ALPHA, dimension, kappa), dimension)
    assert all_inside(measured(curve), theory(there))
    assert all_inside(measured(curve, Order.REMOVE), theory(back))


def test_in_one_dimension_the_magnitude_is_two_sided():
    mu, quantile = 1.0, stats.norm.isf(ALPHA / 2)
    beta = stats.norm.cdf(quantile - mu) - stats.norm.cdf(-quantile - mu)
    assert all_inside(measured(Canary(Gaussian(1 / mu), Attacker.RELAXED)), theory(beta))


def test_sampled_magnitude_of_the_mean_is_a_binomial_mixture():
    mechanism = Gaussian(0.8, sampling_rate=0.3, steps=4)
    taken = np.arange(5)
    kappa = taken**2 / (4 * 0.8**2)
    each_count = [np.asarray(stats.ncx2.cdf(stats.chi2.isf(ALPHA, 3), 3, k)) for k in np.maximum(kappa, 1e-12)]
    beta = stats.binom.pmf(taken, 4, 0.3) @ np.array(each_count)
    assert all_inside(measured(Canary(mechanism, Attacker.RELAXED, 3)), theory(beta))


@each("SGM RTM j_p N=1 d=1")
def test_sampled_magnitude_against_references(row: Reference):
    mechanism = Gaussian(1.0 / row.number("mu"), sampling_rate=row.number("p"))
    scores = collected(Canary(mechanism, Attacker.RELAXED).rounds(ROUNDS, 2))
    curve = measured_curve(scores, np.array([row.number("alpha")]), SURE)
    assert curve.lower is not None
    assert curve.upper is not None
    assert curve.lower.beta[0] < row.expected < curve.upper.beta[0]


def test_laplace_magnitude_has_the_papers_two_branches():
    """Paper 000 j_Lap: -e^-mu sinh(log a) for a >= e^-mu, else 1 - a cosh mu."""
    mu = 1.0
    beta = np.where(np.exp(-mu) <= ALPHA, -np.exp(-mu) * np.sinh(np.log(ALPHA)), 1.0 - ALPHA * np.cosh(mu))
    assert all_inside(measured(Canary(Laplace(1 / mu), Attacker.RELAXED)), theory(beta))


def test_more_coordinates_hide_the_canary_from_one_who_does_not_know_it():
    mechanism = Gaussian(0.5)
    one, fifty = (measured(Canary(mechanism, Attacker.RELAXED, d), rounds=10_000) for d in (1, 50))
    assert one.upper is not None
    assert fifty.lower is not None
    assert np.all(fifty.lower.beta[2:5] > one.upper.beta[2:5])


def test_the_seed_decides():
    canary = Canary(Gaussian(1.0, sampling_rate=0.5, steps=2))
    first, again, other = (collected(canary.rounds(1000, seed)) for seed in (7, 7, 8))
    assert np.array_equal(first.null, again.null)
    assert np.array_equal(first.alternative, again.alternative)
    assert not np.array_equal(first.null, other.null)


def test_progress_adds_up_and_a_run_can_be_stopped():
    canary = Canary(Gaussian(1.0), Attacker.RELAXED, 1000)
    whole = list(canary.rounds(800, 3))
    assert len(whole) > 2
    assert [step.done for step in whole] == np.cumsum([len(step.null) for step in whole]).tolist()
    assert (whole[-1].done, whole[-1].total) == (800, 800)
    running = canary.rounds(LARGEST_ROUNDS, 3)
    begun = [next(running), next(running)]
    running.close()
    assert next(running, None) is None
    kept = collected(begun)
    assert np.array_equal(kept.null, collected(whole[:2]).null)
    assert np.isfinite(measured_curve(kept, ALPHA).beta).all()


def test_an_audit_stopped_at_once_has_no_scores():
    assert [len(side) for side in collected([])] == [0, 0]


def test_memory_does_not_grow_with_rounds_or_steps():
    peaks = []
    for steps, rounds in ((1, 12_000), (3, 24_000)):
        tracemalloc.start()
        for _ in Canary(Gaussian(1.0, steps=steps), Attacker.RELAXED, 50).rounds(rounds, 4):
            pass
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0]
    assert peaks[1] < 20e6


@pytest.mark.parametrize("noise", [1e-6, 1e-3, 1e6])
@pytest.mark.parametrize("rate", [1.0, 1e-12, 0.5])
def test_extreme_noise_gives_numbers(noise, rate):
    for make in (Gaussian, Laplace):
        scores = collected(Canary(make(noise, sampling_rate=rate, steps=2, adjacency=REPLACED)).rounds(500, 5))
        assert np.isfinite(scores).all()


def test_draws_count_random_numbers_of_both_worlds():
    assert Canary(Gaussian(1.0, steps=3), Attacker.RELAXED, 50).draws == 300
    assert Canary(Gaussian(1.0, steps=3), dimension=50).draws == 6


def test_refusals():
    with pytest.raises(ValueError, match="dimension must be between 1 and 1000000, got 0"):
        Canary(Gaussian(1.0), dimension=0)
    with pytest.raises(ValueError, match="adjacency must be add/remove for the relaxed attacker, got replace-one"):
        Canary(Gaussian(1.0, adjacency=REPLACED), Attacker.RELAXED)
    with pytest.raises(TypeError, match="mechanism must be of type SampledMechanism, got Composition"):
        Canary(Composition((Gaussian(1.0),)))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="rounds must be between 1 and 10000000, got 0"):
        Canary(Gaussian(1.0)).rounds(0, 1)
    with pytest.raises(TypeError, match=r"rounds must be a whole number, got 1.5"):
        Canary(Gaussian(1.0)).rounds(1.5, 1)  # type: ignore[arg-type]
