"""DP-SGD: how batches are drawn, how much noise is added, and that without protection it is gradient descent."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from numerics.audits import Training
from numerics.mechanisms import Sampling
from numerics.training import OneHiddenLayer, Protection, Recipe, Softmax, data_set, train
from numerics.training.models import with_constant
from numerics.training.private_sgd import batches

DIGITS = data_set("digits")
ONE_STEP = Recipe("digits", Softmax(), 0.5, DIGITS.records, 1, 3.0)
SHORT = Recipe("digits", Softmax(), 0.5, 100, 1, 1.0)
UNLIKELY = 1e-6  # two-sided; seeds are fixed, so a test that passes stays so
ROUNDING = 1e-10  # batches are padded to the longest, which changes the order of additions


def generators(*seeds: int):
    return [np.random.default_rng(seed) for seed in seeds]


def test_poisson_batches_have_their_law():
    """Records taking part in all steps, and every record by itself, are binomial; nobody is drawn twice in a step."""
    batch, steps, models = 100, 300, 2
    drawn = np.zeros(DIGITS.records, int)
    source = generators(0, 1)
    for _ in range(steps):
        index, taking_part = batches(DIGITS, batch, Sampling.POISSON, source)
        for row, part in zip(index, taking_part, strict=True):
            chosen = row[part == 1.0]
            assert len(np.unique(chosen)) == len(chosen) == part.sum()
            drawn[chosen] += 1
    rate, trials = batch / DIGITS.records, steps * models
    assert stats.binomtest(int(drawn.sum()), trials * DIGITS.records, rate).pvalue > UNLIKELY
    tail = UNLIKELY / (2 * DIGITS.records)
    assert stats.binom.ppf(tail, trials, rate) <= drawn.min()
    assert drawn.max() <= stats.binom.isf(tail, trials, rate)
    spread = drawn.var(ddof=1) * (DIGITS.records - 1) / (trials * rate * (1 - rate))
    assert UNLIKELY < stats.chi2.cdf(spread, DIGITS.records - 1) < 1 - UNLIKELY


def test_poisson_batches_differ_in_size():
    _, taking_part = batches(DIGITS, 100, Sampling.POISSON, generators(*range(20)))
    assert len(set(taking_part.sum(axis=1))) > 5


def test_batches_of_fixed_size():
    index, taking_part = batches(DIGITS, 100, Sampling.FIXED_SIZE, generators(*range(50)))
    assert taking_part.shape == index.shape == (50, 100)
    assert taking_part.all()
    assert all(len(np.unique(row)) == 100 for row in index)
    often = np.bincount(index.ravel(), minlength=DIGITS.records)
    assert often.max() <= stats.binom.isf(UNLIKELY / DIGITS.records, 50, 100 / DIGITS.records)


@pytest.mark.parametrize("sampling", [Sampling.SHUFFLED, Sampling.RANDOM_ALLOCATION])
def test_batches_that_training_does_not_draw_are_refused_by_name(sampling: Sampling):
    with pytest.raises(ValueError, match=f"training is not offered for {sampling.batches.words}"):
        train(ONE_STEP, Protection(1.0, sampling), generators(0))


@pytest.mark.parametrize("sampling", [Sampling.POISSON, Sampling.FIXED_SIZE])
@pytest.mark.parametrize("model", [Softmax(), OneHiddenLayer(4)], ids=str)
def test_the_noise_added_is_the_noise_asked_for(sampling: Sampling, model):
    """One step on everybody, with and without noise, from the same seeds; sum of squares by its chi-square law."""
    recipe, noise = replace(ONE_STEP, model=model), 2.5
    noisy, plain = (train(recipe, Protection(s, sampling), generators(0, 1, 2)) for s in (noise, 0.0))
    added = (noisy - plain) * recipe.batch / recipe.learning_rate
    square = np.sum((added / (noise * recipe.clip)) ** 2)
    assert UNLIKELY < stats.chi2.cdf(square, added.size) < 1 - UNLIKELY
    assert stats.kstest(added.ravel() / (noise * recipe.clip), "norm").pvalue > UNLIKELY


def test_every_step_has_its_own_noise():
    """Three steps of a flat loss would add three variances; the clip makes gradients negligible beside the noise."""
    recipe = replace(ONE_STEP, clip=1e-6, epochs=3)
    weights = train(recipe, Protection(1e5), generators(0, 1, 2)) * recipe.batch / recipe.learning_rate
    square = np.sum((weights / (1e5 * 1e-6)) ** 2) / 3
    assert UNLIKELY < stats.chi2.cdf(square, weights.size) < 1 - UNLIKELY


@pytest.mark.parametrize("clip", [0.5, 1e6])
def test_without_noise_it_is_gradient_descent(clip: float):
    """Against the audits' full-batch training."""
    recipe = replace(ONE_STEP, clip=clip, epochs=3)
    inputs, start = with_constant(DIGITS.features), np.zeros((65, 10))
    expected = Training(0.0, 3, recipe.learning_rate, clip).run(
        inputs, DIGITS.labels, np.ones((1, DIGITS.records)), start, *generators(0)
    )
    found = train(recipe, Protection(), generators(0))
    assert found.reshape(65, 10) == pytest.approx(expected[0], abs=ROUNDING)
    unclipped = train(recipe, Protection(clipped=False), generators(0))
    assert np.allclose(unclipped, found, atol=ROUNDING) == (clip > 1.0)


def test_a_run_depends_on_its_seed_alone():
    protection = Protection(1.0)
    together, again = (train(SHORT, protection, generators(0, 1)) for _ in range(2))
    assert np.array_equal(together, again)
    assert train(SHORT, protection, generators(1))[0] == pytest.approx(together[1], abs=ROUNDING)
    assert not np.allclose(together[0], together[1])


def test_an_empty_batch_is_no_error():
    recipe = replace(SHORT, batch=2, data="breast cancer")
    assert np.isfinite(train(recipe, Protection(), generators(0))).all()


def test_what_a_recipe_says_about_itself():
    assert (SHORT.records, SHORT.steps, SHORT.dimension) == (1198, 11, 650)
    assert SHORT.sampling_rate == 100 / 1198
    assert (SHORT.release.steps, SHORT.release.batch_size, SHORT.release.noise_multiplier) == (11, 100, 0.0)
    assert replace(SHORT, data="breast cancer").dimension == 31


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"data": "adult"}, "data must be"),
        ({"clip": 0.0}, "clip must be"),
        ({"batch": 1}, "batch must be"),
        ({"batch": 1199}, "batch must be"),
        ({"epochs": 0}, "epochs must be"),
        ({"learning_rate": np.nan}, "learning_rate must be"),
    ],
)
def test_recipes_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        replace(SHORT, **change)


@pytest.mark.parametrize("noise", [-1.0, np.inf, np.nan])
def test_noise_is_refused(noise):
    with pytest.raises(ValueError, match="noise_multiplier must"):
        Protection(noise)


def test_noise_without_clipping_is_refused():
    with pytest.raises(ValueError, match="without clipping"):
        Protection(1.0, clipped=False)
