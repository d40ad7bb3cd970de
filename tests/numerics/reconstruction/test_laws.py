"""Reconstruction: enumerated attacks, laws over all mechanisms, inverses, priors by brute force, Monte Carlo."""

import tracemalloc
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from data import make_paper_003
from numerics.approximations import clt_mu
from numerics.approximations.simulation import loss_chunks
from numerics.approximations.step_laws import cumulants
from numerics.calibration import PowerTarget, noise_for
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Sampling
from numerics.privacy_loss import Precision
from numerics.reconstruction import (
    AttributeTarget,
    Bits,
    Distance,
    Normal,
    NormalVector,
    ReconstructionTarget,
    UniformVector,
    Zipf,
    attribute_inference,
    from_epsilon_delta,
    hayes,
    hayes_estimate,
    largest_ball,
    largest_ball_of_vectors,
    largest_gain,
    largest_prior,
    singling_out,
)
from numerics.reconstruction.published import PANELS, shipped_estimates
from numerics.sampling.poisson import sampled_pairs
from numerics.trade_off import Order, alpha_grid
from tests.sides import ANY, CHEAP
from tests.strategies import log_uniform

ROUNDING = 1e-12
RELATIVE = 1e-11  # closed forms: a few hundred roundings
NARROW = Precision(width=1e-7)
SETTLED = Precision(width=1e-6, relative=1e-5)  # what calibrated noise is settled on
STANDARD_ERRORS = 4.5  # one comparison in 150,000 exceeds them by chance; the seeds are fixed
PRIORS = st.floats(1e-3, 1.0 - 1e-3)
PANEL = {panel.name: panel for panel in PANELS}


# --- what the curve says


@settings(max_examples=25)
@given(ANY, st.floats(1e-9, 1.0), st.floats(0.1, 1.0))
def test_gamma_exceeds_guessing_rises_and_is_concave(mechanism, kappa, factor):
    less, more = (mechanism.reconstruction(each, CHEAP) for each in (factor * kappa, kappa))
    assert less.lower <= less.estimate <= less.upper
    assert more.estimate >= kappa * (1.0 - ROUNDING)
    assert less.upper <= more.upper * (1.0 + ROUNDING)
    assert less.lower <= more.lower * (1.0 + ROUNDING)
    # A line from (0, 0) to a point of the curve lies below the curve.
    assert less.upper >= factor * more.lower * (1.0 - ROUNDING)


@settings(max_examples=25)
@given(ANY, st.floats(1e-3, 0.999))
def test_largest_prior_inverts_reconstruction(mechanism, limit):
    prior = largest_prior(mechanism, limit, CHEAP)
    assert 0.0 <= prior.lower <= prior.estimate <= prior.upper <= limit * (1.0 + ROUNDING)
    if prior.lower > 0.0:  # 0 says that no prior is small enough
        assert mechanism.reconstruction(prior.lower, CHEAP).upper <= limit * (1.0 + ROUNDING)
    assume(prior.upper > 0.0 and mechanism.is_reached)  # else no attack is known for any prior
    # The curve is steep where a prior of 1e-300 is enough: its inverse is known to rounding, and so is the limit.
    assert mechanism.reconstruction(min(prior.upper * (1.0 + ROUNDING), 1.0), CHEAP).lower >= limit * (1.0 - 1e-9)


@settings(max_examples=25)
@given(ANY, PRIORS)
def test_an_attribute_of_two_values_is_what_the_curve_says_at_its_worst(mechanism, prior):
    """Between guessing and the bound for any number of values; where the curve is a formula, a fine grid has it."""
    likelier, found = max(prior, 1.0 - prior), attribute_inference(mechanism, prior, CHEAP)
    assert likelier * (1.0 - ROUNDING) <= found.lower <= found.estimate <= found.upper <= 1.0 + ROUNDING
    assert found.lower <= mechanism.reconstruction(likelier, CHEAP).upper * (1.0 + ROUNDING)
    both = mechanism.with_neighbours(Adjacency.REPLACE_ONE)
    assert found == attribute_inference(both, prior, CHEAP)
    alpha = alpha_grid(201 if both.closed_form is None else 20_001)
    curve = both.trade_off(alpha, precision=CHEAP)
    reached = float(np.max(prior * (curve.upper or curve).power + (1.0 - prior) * (1.0 - alpha)))
    assert reached <= found.upper * (1.0 + 1e-9)
    assert both.closed_form is None or reached >= found.lower - 1e-5


@settings(max_examples=20)
@given(ANY, st.floats(1e-9, 0.5), st.integers(1, 10**6))
def test_singling_out_and_who_gains_most(mechanism, weight, records):
    guessed, success = singling_out(mechanism, weight, records, CHEAP)
    assert 0.0 <= guessed <= min(success.upper * (1.0 + 1e-9), 1.0 + ROUNDING)
    assert success.lower <= success.estimate <= success.upper <= 1.0
    prior, gain = largest_gain(mechanism, CHEAP)
    assert 0.0 < prior < 1.0
    rates = np.linspace(0.0, 1.0, 101)
    curve = mechanism.trade_off(rates, precision=CHEAP)
    if mechanism.is_reached:
        assert np.max((curve.upper or curve).power - rates) <= gain.upper + 1e-9
    assert mechanism.reconstruction(prior, CHEAP).upper - prior >= gain.lower - 1e-3


@pytest.mark.parametrize("rate", [1.0, 0.3])
@pytest.mark.parametrize("prior", [0.02, 0.5, 0.8])
def test_an_attribute_by_enumeration_of_what_is_released(rate, prior):
    """Two opposite records in one step: every released value speaks for the likelier of both, and for no other."""
    x, width = np.linspace(-12.0, 12.0, 400_001, retstep=True)
    first, second = ((1.0 - rate) * norm.pdf(x) + rate * norm.pdf(x, at) for at in (1.0, -1.0))
    right = float(np.sum(np.maximum(prior * first, (1.0 - prior) * second)) * width)
    found = attribute_inference(Gaussian(1.0, rate), prior, NARROW)
    assert found.lower - 1e-9 <= right <= found.upper + 1e-9


@pytest.mark.parametrize("values", [2, 3, 10])
@pytest.mark.parametrize("noise", [0.5, 2.0])
def test_no_guess_among_several_values_beats_reconstruction(values, noise):
    """Records in orthogonal directions; the best guess names the largest coordinate. Add/remove neighbours are enough.

    Opposite records and two equal values reach the bound: it says no more than it must.
    """
    x, width = np.linspace(-9.0, 9.0, 20_001, retstep=True)
    right = float(np.sum(norm.pdf(x) * norm.cdf(x + 1.0 / noise) ** (values - 1)) * width)
    assert right <= Gaussian(noise).reconstruction(1.0 / values).lower
    opposite = attribute_inference(Gaussian(noise), 0.5).lower
    assert opposite == pytest.approx(Gaussian(noise).reconstruction(0.5).upper, rel=RELATIVE)


@given(st.one_of(st.floats(0.0, 50.0), st.floats(0.0, 1e308)), st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_bounds_from_epsilon_and_delta(epsilon, delta, prior):
    tight, printed = from_epsilon_delta(epsilon, delta, prior)
    assert prior * (1.0 - ROUNDING) <= tight <= printed <= 1.0


def test_bounds_from_epsilon_and_delta_hold_for_a_mechanism():
    mechanism, kappa = Gaussian(1.0, 0.1, 50), alpha_grid(50)
    gamma = mechanism.certified().trade_off(kappa, Order.ADD)[2].power
    for delta in (1e-6, 1e-3):
        epsilon = mechanism.epsilon(delta).upper
        assert all(from_epsilon_delta(epsilon, delta, k).tight >= g for k, g in zip(kappa, gamma, strict=True))


RELEASES = [
    Gaussian(1.0, 0.01, 1000),
    Laplace(2.0, 0.1, 50, Adjacency.REPLACE_ONE),
    Gaussian(1.0, 0.01, 100, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE),
    Composition((Gaussian(1.0, 0.1, 20), Gaussian(3.0))),
]


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.label)
def test_noise_for_an_attribute_and_for_reconstruction(release):
    for target in (AttributeTarget(0.55, 0.5), ReconstructionTarget(0.05, 1e-3)):
        found = noise_for(target, release)
        assert target.measure(found.mechanism, SETTLED).upper <= target.goal
        less = found.mechanism.with_noise(found.noise_multiplier * (1.0 - 1e-3))
        assert target.measure(less, SETTLED).upper > target.goal
        assert found.mechanism.adjacency is release.adjacency
    assert found.noise_multiplier == noise_for(PowerTarget(0.05, 1e-3), release).noise_multiplier
    assert target.measure(release, NARROW) == pytest.approx(release.reconstruction(1e-3, NARROW), rel=1e-4)
    assert "0.05" in target.label
    assert "0.001" in target.label


# --- priors

QUARTERS = st.integers(-40, 40).map(lambda whole: whole / 4.0)  # they add up without rounding
ROWS = st.lists(st.tuples(st.floats(0.0, 10.0), QUARTERS), min_size=1, max_size=12).filter(
    lambda rows: sum(weight for weight, _ in rows) > 1e-6
)
RADII = st.integers(0, 60).map(lambda whole: whole / 8.0)


@settings(max_examples=60)
@given(ROWS, RADII, RADII, st.floats(1e-6, 1e6), st.randoms(use_true_random=False), st.sampled_from(Distance))
def test_largest_ball(rows, radius, further, factor, random, distance):
    """That of brute force, of any order and unit; larger errors make larger balls; the two balls of vectors hold it."""
    weights, values = (np.array(each) for each in zip(*rows, strict=True))
    # The best ball can be moved until its lower end is a candidate.
    masses = [weights[(values >= low) & (values <= low + 2.0 * radius)].sum() for low in values]
    kappa = largest_ball(weights, values, radius)
    assert kappa == pytest.approx(max(masses) / weights.sum(), rel=ROUNDING)
    random.shuffle(rows)
    again = largest_ball(
        [factor * weight for weight, _ in rows], [4.0 * value + 8.0 for _, value in rows], 4.0 * radius
    )
    assert again == pytest.approx(kappa, rel=ROUNDING)
    assert largest_ball(weights, values, 20.0) == pytest.approx(1.0, rel=ROUNDING)
    assert largest_ball(weights) <= largest_ball(weights, values) * (1.0 + ROUNDING)
    assert kappa <= largest_ball(weights, values, radius + further) * (1.0 + ROUNDING)
    found = largest_ball_of_vectors(weights, values[:, None], radius, distance)
    assert found.lower - 1e-9 <= kappa <= found.upper + 1e-9
    centred = [weights[np.abs(values - centre) <= radius].sum() for centre in values]
    assert (found.lower, found.estimate) == pytest.approx((max(centred) / weights.sum(),) * 2, rel=1e-9)


def test_many_candidates_are_added_up_to_rounding():
    generator = np.random.default_rng(1)
    weights, values = generator.random(200_000), generator.integers(0, 200_000, 200_000) / 8.0
    assert largest_ball(weights, values, 1e6) == 1.0
    exact = np.bincount((8.0 * values).astype(int), weights).max() / weights.sum()
    assert largest_ball(weights, values) == pytest.approx(exact, rel=1e-10)


def test_laws_say_what_they_are():
    priors = [Zipf(1.2, 5000), Normal(12.0, 3.0), NormalVector(7, 12.0, 3.0), UniformVector(7, 0.3), Bits(70, 12)]
    for prior in priors:
        assert all(f"{value:,g}" in prior.label for value in vars(prior).values())


@pytest.mark.parametrize(("dimension", "tolerance"), [(2, 0.5), (5, 0.8), (30, 0.9), (100, 1.0)])
def test_normal_and_uniform_vectors_by_simulation(dimension, tolerance):
    """The best guess of normal numbers is their mean: any other does worse."""
    generator, draws = np.random.default_rng(dimension), 20_000
    records = 1.5 * generator.standard_normal((draws, dimension))
    kappa, room = NormalVector(dimension, 1.5, 1.5 * tolerance).kappa, STANDARD_ERRORS * np.sqrt(0.25 / draws)
    reached = [np.mean(np.mean((records - away) ** 2, axis=1) <= (1.5 * tolerance) ** 2) for away in (0.0, 0.8)]
    assert reached[0] == pytest.approx(kappa, abs=room)
    assert reached[1] < kappa
    within = np.all(np.abs(generator.random((draws, dimension)) - 0.5) <= 0.49, axis=1)
    assert UniformVector(dimension, 0.49).kappa == pytest.approx(np.mean(within), abs=room)
    assert NormalVector(1, 3.0, tolerance).kappa == pytest.approx(Normal(3.0, tolerance).kappa, rel=1e-9)


@pytest.mark.parametrize("dimension", [1, 3, 8])
def test_bits_by_counting_all_of_them(dimension):
    every = np.array(list(product((0.0, 1.0), repeat=dimension)))
    for wrong in range(dimension + 1):
        counted = np.mean(every.sum(axis=1) <= wrong)
        ball = largest_ball_of_vectors(np.ones(len(every)), every, float(wrong), Distance.SUM)
        assert (Bits(dimension, wrong).kappa, ball.lower) == pytest.approx((counted, counted), rel=ROUNDING)


# --- Monte Carlo, as it was done first

KAPPAS = np.array([1e-4, 1e-3, 0.01, 0.1, 0.3, 0.5, 0.9])
SIMULATED = [
    Gaussian(1.0, 0.3),
    Laplace(1.0, 0.1, 20),
    Gaussian(0.8, 0.05, 40),
    Gaussian(1.5, 0.1, 20, Adjacency.REPLACE_ONE),
    Composition((Gaussian(1.0, 0.1, 10), Laplace(2.0, 0.2, 5))),
]


def drawn(mechanism, samples, seed=0):
    return np.concatenate([step.losses for step in hayes(mechanism, samples, seed)])


@pytest.mark.parametrize("mechanism", SIMULATED, ids=lambda mechanism: f"{mechanism.label}, {mechanism.adjacency}")
def test_hayes_agrees_with_the_certified_bracket(mechanism):
    estimate = hayes_estimate(drawn(mechanism, 50_000, 3), KAPPAS)
    gammas = np.array([mechanism.reconstruction(kappa) for kappa in KAPPAS])
    slack = STANDARD_ERRORS * estimate.standard_error
    inside = (gammas[:, 0] - slack <= estimate.success) & (estimate.success <= gammas[:, 2] + slack)
    assert estimate.usable[KAPPAS >= 0.01].all()
    assert inside[estimate.usable].all()


def test_hayes_standard_error_is_that_of_repetition():
    mechanism, kappas = Gaussian(1.0, 0.2, 5), np.array([0.01, 0.1, 0.3, 0.8])
    runs = [hayes_estimate(drawn(mechanism, 4_000, seed), kappas) for seed in range(60)]
    spread = np.std([run.success for run in runs], axis=0, ddof=1)
    stated = np.mean([run.standard_error for run in runs], axis=0)
    # A standard deviation of 60 runs is known to 9 %; three such errors.
    np.testing.assert_allclose(spread, stated, rtol=0.3)


def test_hayes_draws_in_chunks_that_its_seed_repeats():
    mixed = Composition((Gaussian(1.0, 0.1, 3), Laplace(1.0, 0.5, 2)))
    first, again, other = (drawn(mixed, 500, seed) for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    running = hayes(Gaussian(1.0, 0.01, 100_000), 12)
    first_chunk = next(running)
    assert (first_chunk.done, first_chunk.total, len(first_chunk.losses)) == (5, 12, 5)
    assert [step.done for step in running] == [10, 12]


@pytest.mark.nightly
def test_hayes_memory_does_not_grow_with_samples_times_steps():
    tracemalloc.start()
    total = sum(len(step.losses) for step in hayes(Gaussian(1.0, 0.001, 20_000), 200))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert total == 200
    # All draws at once would take 32 MB for each array, of which there are several; a chunk takes 4 MB.
    assert peak < 30e6


@pytest.mark.parametrize("kind", [Gaussian, Laplace])
@pytest.mark.parametrize(("noise", "rate"), [(0.5, 0.01), (2.0, 0.5), (0.5, 1.0)])
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
    """One step in a hundred takes part, and its loss of 5,000 outweighs all floors; e^5000 overflows."""
    losses = next(loss_chunks(Gaussian(0.01, 0.01, 100), True, 200, np.random.default_rng(0)))
    assert np.all((losses == 300.0) | (losses < 0.0))
    assert 0.4 < np.mean(losses == 300.0) < 0.85


# --- paper 003 Fig. 1 and its limit


def test_panel_d_is_known_up_to_its_right_end():
    """Who never takes part cannot be found: gamma approaches 1 - (1 - p)^N (1 - kappa), by 2e-10 at effect 12."""
    panel, before = PANEL["d"], 0.0
    limit = 1.0 - 0.999**10_000 * (1.0 - panel.prior)
    for effect in (1.0, 12.0, 3000.0):
        gamma = panel.at(effect).reconstruction(panel.prior)
        assert before <= gamma.estimate + 1e-8
        assert gamma.lower <= limit + 1e-9
        assert gamma.width < 1e-6
        before = gamma.estimate
    assert before == pytest.approx(limit, abs=1e-9)


def test_shipped_points_are_where_the_certified_curve_is_and_one_is_made_anew():
    """The text calls the estimate useless in panel d alone: at the right ends of b and c it falls to nothing, too."""
    points = shipped_estimates()
    for panel in PANELS:
        own = [point for point in points if point.panel == panel.name]
        assert [point.effect for point in own] == pytest.approx(make_paper_003.effects(panel), rel=1e-6)
        if panel.name in "bc":
            assert not own[-1].usable
            assert own[-1].estimate < 1e-3
            assert own[-1].better > 0.999
        else:
            assert all(point.usable == (panel.name == "a") for point in own)
        for point in own[::6]:
            gamma = panel.at(point.effect).reconstruction(panel.prior)
            if point.usable:
                assert abs(point.estimate - gamma.estimate) < 5.0 * point.standard_error + gamma.width + 1e-6
            assert abs(point.better - gamma.estimate) < 5.0 * point.better_error + gamma.width + 1e-6
    made = make_paper_003.point(PANEL["a"], make_paper_003.effects(PANEL["a"])[0])
    assert made[2:4] == pytest.approx((points[0].estimate, points[0].standard_error), rel=1e-5)
    assert made[5:] == pytest.approx((points[0].better, points[0].better_error), rel=1e-5)


@given(log_uniform(1e-2, 10.0), log_uniform(1e-3, 0.999), st.integers(1, 100_000))
def test_noise_of_the_limit_is_its_inverse(mu, rate, steps):
    """Paper 003 footnote 3, which the text contradicts (correction 39): rates at which the limit is the same."""
    noise = 1.0 / np.sqrt(np.log1p((mu / rate) ** 2 / steps))
    assume(1e-6 < noise < 1e6)
    assert clt_mu(Gaussian(noise, rate, steps)) == pytest.approx(mu, rel=1e-9)
