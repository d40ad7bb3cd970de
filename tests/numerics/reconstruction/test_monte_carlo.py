"""The published Monte Carlo estimate: against certified brackets, its standard error, its limits and its memory."""

import tracemalloc

import numpy as np
import pytest

from numerics.approximations.simulation import loss_chunks
from numerics.approximations.step_laws import cumulants
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Sampling
from numerics.reconstruction import FEWEST_DRAWS, affordable_samples, draws, hayes, hayes_estimate
from numerics.sampling.poisson import sampled_pairs

# One comparison in 15,000 exceeds 4 standard errors by chance; the seed is fixed, so a pass stays one.
STANDARD_ERRORS = 4.0
KAPPAS = np.array([1e-4, 1e-3, 0.01, 0.1, 0.3, 0.5, 0.9])

SIMULATED = [
    Gaussian(1.0, 0.3),
    Gaussian(1.0),
    Laplace(0.7),
    Laplace(1.0, 0.1, 20),
    Laplace(2.0, 1.0, 5),
    Gaussian(0.8, 0.05, 40),
    Gaussian(1.5, 0.1, 20, Adjacency.REPLACE_ONE),
    Composition((Gaussian(1.0, 0.1, 10), Gaussian(2.0, 0.2, 15))),
    Composition((Gaussian(1.0, 0.1, 10), Laplace(2.0, 0.2, 5))),
]


def drawn(mechanism, samples, seed=0):
    return np.concatenate([step.losses for step in hayes(mechanism, samples, seed)])


@pytest.mark.parametrize("mechanism", SIMULATED, ids=lambda mechanism: f"{mechanism.label}, {mechanism.adjacency}")
def test_hayes_agrees_with_the_certified_bracket(mechanism):
    estimate = hayes_estimate(drawn(mechanism, 100_000, 3), KAPPAS)
    gammas = [mechanism.reconstruction(kappa) for kappa in KAPPAS]
    lower, upper = np.array([gamma.lower for gamma in gammas]), np.array([gamma.upper for gamma in gammas])
    slack = STANDARD_ERRORS * estimate.standard_error
    inside = (lower - slack <= estimate.success) & (estimate.success <= upper + slack)
    assert estimate.usable[KAPPAS >= 0.01].all()
    assert inside[estimate.usable].all()


def test_hayes_standard_error_is_that_of_repetition():
    mechanism = Gaussian(1.0, 0.2, 5)
    kappas = np.array([0.01, 0.1, 0.3, 0.8])
    runs = [hayes_estimate(drawn(mechanism, 4_000, seed), kappas) for seed in range(60)]
    spread = np.std([run.success for run in runs], axis=0, ddof=1)
    stated = np.mean([run.standard_error for run in runs], axis=0)
    # A standard deviation of 60 runs is known to 9 %; three such errors.
    np.testing.assert_allclose(spread, stated, rtol=0.3)


def test_hayes_standard_error_falls_with_the_root_of_the_samples():
    mechanism = Gaussian(1.0, 0.2, 5)
    few, many = (hayes_estimate(drawn(mechanism, size), np.array([0.05, 0.3])) for size in (4_000, 64_000))
    # Errors themselves are known to some per cent.
    np.testing.assert_allclose(few.standard_error / many.standard_error, 4.0, rtol=0.2)


def test_hayes_keeps_the_largest_losses_as_published():
    # Of five draws, kappa = .4 keeps two and .41 three.
    losses = np.log(np.array([0.5, 2.0, 0.25, 1.0, 1.25]))
    success = hayes_estimate(losses, np.array([0.0, 0.2, 0.4, 0.41, 1.0])).success
    np.testing.assert_allclose(success, [0.0, 0.4, 0.65, 0.85, 1.0], rtol=1e-14)
    # Averages above 1 are cut.
    assert hayes_estimate(np.log(np.array([3.0, 2.0])), np.array([1.0])).success[0] == 1.0


def test_a_share_that_is_whole_but_for_rounding_keeps_no_draw_more():
    # 0.07 x 100 = 7.000000000000001 in binary.
    assert hayes_estimate(np.zeros(100), np.array([0.07])).success[0] == pytest.approx(0.07, rel=1e-14)


def test_hayes_is_not_usable_where_too_few_are_kept():
    kappas = np.array([0.0, 1e-9, 1e-4, 9e-4, 1e-3, 2e-3, 0.1])
    usable = hayes_estimate(np.zeros(10_000), kappas).usable
    assert usable.tolist() == [False, False, False, False, True, True, True]
    assert FEWEST_DRAWS == 10.0


def test_hayes_is_not_usable_where_a_handful_of_draws_carries_the_sum():
    # With noise of a tenth nearly every release tells; draws without the record hardly ever look like one with it.
    mechanism = Gaussian(0.1)
    estimate = hayes_estimate(drawn(mechanism, 100_000), np.array([0.01, 0.5]))
    assert mechanism.reconstruction(0.01).lower > 0.999
    assert np.all(estimate.success < 0.9)
    assert not estimate.usable.any()


def test_hayes_repeats_itself_with_the_same_seed_only():
    mechanism = Composition((Gaussian(1.0, 0.1, 3), Laplace(1.0, 0.5, 2)))
    first, again, other = (drawn(mechanism, 500, seed) for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_hayes_reports_its_progress():
    mechanism = Gaussian(1.0, 0.01, 100_000)
    steps = list(hayes(mechanism, 12))
    assert [step.done for step in steps] == [5, 10, 12]
    assert {step.total for step in steps} == {12}
    assert [len(step.losses) for step in steps] == [5, 5, 2]


def test_hayes_can_be_stopped():
    running = hayes(Gaussian(1.0, 0.01, 100_000), 50_000)
    assert next(running).done == 5
    running.close()
    assert next(running, None) is None


def test_hayes_memory_does_not_grow_with_samples_times_steps():
    mechanism = Gaussian(1.0, 0.001, 20_000)
    tracemalloc.start()
    total = sum(len(step.losses) for step in hayes(mechanism, 200))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert total == 200
    # All draws at once would take 32 MB for each array, of which there are several; a chunk takes 4 MB.
    assert peak < 30e6


def test_work_is_stated_before_it_is_done():
    phases = Composition((Gaussian(1.0, 0.1, 300), Gaussian(2.0, 0.1, 700)))
    assert draws(phases) == 1_000_000_000
    assert draws(phases, 50) == 50_000
    assert affordable_samples(phases, 5_999) == 5
    assert affordable_samples(Gaussian(1.0)) == 10_000_000


def test_hayes_refuses_before_it_draws():
    with pytest.raises(ValueError, match=r"samples must be at most 10,000 for this many steps .* got 10,001"):
        hayes(Gaussian(1.0, 0.01, 1_000_000), 10_001)
    with pytest.raises(ValueError, match="samples must be between 1"):
        hayes(Gaussian(1.0), 0)
    with pytest.raises(TypeError, match="samples must be a whole number"):
        hayes(Gaussian(1.0), 10.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="Poisson sampling only"):
        hayes(Gaussian(1.0, 0.1, 2, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE))
    with pytest.raises(ValueError, match="priors must be between 0 and 1"):
        hayes_estimate(np.zeros(10), np.array([1.5]))
    with pytest.raises(ValueError, match="number of losses must be between 1"):
        hayes_estimate(np.zeros(0), np.array([0.5]))


@pytest.mark.parametrize("kind", [Gaussian, Laplace])
@pytest.mark.parametrize("noise", [0.5, 2.0])
@pytest.mark.parametrize("rate", [0.01, 0.5, 1.0])
@pytest.mark.parametrize("adjacency", Adjacency)
@pytest.mark.parametrize("present", [False, True])
def test_draws_have_the_mean_and_variance_of_the_step(kind, noise, rate, adjacency, present):
    mechanism = kind(noise, rate, 1, adjacency)
    losses = np.concatenate(list(loss_chunks(mechanism, present, 40_000, np.random.default_rng(7))))
    law = cumulants(sampled_pairs(mechanism.pairs)[0][0])
    mean, variance, _, fourth = (law.alternative if present else law.null)[:4]
    assert abs(losses.mean() - mean) <= STANDARD_ERRORS * np.sqrt(variance / 40_000)
    assert abs(losses.var() - variance) <= STANDARD_ERRORS * np.sqrt((fourth + 2.0 * variance**2) / 40_000)


def test_draws_of_losses_far_beyond_the_range_of_exp():
    # One step in a hundred takes part, and its loss of 5,000 outweighs all floors; e^5000 overflows.
    losses = next(loss_chunks(Gaussian(0.01, 0.01, 100), True, 200, np.random.default_rng(0)))
    assert np.all((losses == 300.0) | (losses < 0.0))
    assert 0.4 < np.mean(losses == 300.0) < 0.85
