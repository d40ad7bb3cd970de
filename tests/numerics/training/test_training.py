"""Models, DP-SGD and its noise: gradients, batches, calibration under three notions, and what models give away."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats
from scipy.special import logsumexp, softmax
from sklearn.metrics import roc_auc_score

from numerics import calibration, gaussian_membership, mechanisms, relaxed, training
from numerics.audits import Training, gradients
from numerics.calibration import AdvantageTarget, PowerTarget
from numerics.gaussian_membership import GradientRelease
from numerics.mechanisms import Gaussian, Sampling
from numerics.privacy_loss import Precision
from numerics.trade_off import Bound, Floats
from numerics.training import OneHiddenLayer, Protection, Recipe, Softmax, Strategy, calibrated, data_set, train
from numerics.training.calibrated import guarantee
from numerics.training.models import with_constant
from numerics.training.private_sgd import batches
from tests.tables import Table

FEATURES, RECORDS, MODELS = 3, 7, 2
ROUNDING = 1e-10  # batches are padded to the longest, which changes the order of additions
UNLIKELY = 1e-6  # two-sided; seeds are fixed, so a test that passes stays so
DIGITS = data_set("digits")
ONE_STEP = Recipe("digits", Softmax(), 0.5, DIGITS.records, 1, 3.0)
SHORT = Recipe("digits", Softmax(), 0.5, 100, 1, 1.0)
ALPHA, DELTA = 0.01, 1e-5
SMALL = GradientRelease(380, 190, 40, 31)  # the others' gradients hide a record up to mu = 1.08
LARGE = GradientRelease(1198, 300, 90, 650)
FINE = Precision(width=2e-8)  # finer than what guarantees are stated with, which must not be below it
GOALS = [PowerTarget(0.05, ALPHA), PowerTarget(0.4, ALPHA), AdvantageTarget(0.1)]
SPARE = 2.1e-3  # of the gain over guessing, which the quick search may leave
PLAN = training.Plan(replace(training.default_recipe("breast cancer"), epochs=7), (PowerTarget(0.05, 0.01),))


def by_scikit_learn(scores: Floats, labels: NDArray[np.int64]) -> float:
    """The area under the curve, or the mean of one a class."""
    chosen = softmax(scores, axis=1)[:, 1] if scores.shape[1] == 2 else softmax(scores, axis=1)
    return float(roc_auc_score(labels, chosen, multi_class="ovr", average="macro"))


def spared(goal: PowerTarget | AdvantageTarget) -> bool:
    """Whether the noise found for an unknown record misses the goal never, and by a thousandth of the gain at most."""
    found = training.record_unknown.noise_for(goal, Gaussian(1.0))
    guessing = goal.alpha if isinstance(goal, PowerTarget) else 0.0
    return found.met and found.reached.upper - guessing >= 0.9979 * (goal.goal - guessing)


MODULES = (mechanisms, gaussian_membership, gaussian_membership.calibration, calibration, training)
NAMES = {name: value for module in MODULES for name, value in vars(module).items()}
NAMES |= {"guarantee": guarantee, **globals()}


def test_table() -> None:
    Table(__file__, NAMES).check()


def generators(*seeds: int):
    return [np.random.default_rng(seed) for seed in seeds]


@pytest.mark.parametrize(
    ("model", "classes"), [(Softmax(), 2), (Softmax(), 4), (OneHiddenLayer(5), 2), (OneHiddenLayer(5), 3)], ids=str
)
def test_gradients_are_those_of_the_loss_and_clipped_one_by_one(model, classes):
    """By central differences of 1e-6, whose own error is 1e-8; of some models with other records for each."""
    generator = np.random.default_rng(1)
    weights = generator.standard_normal((MODELS, model.dimension(FEATURES, classes)))
    inputs = np.stack([with_constant(generator.standard_normal((RECORDS, FEATURES))) for _ in range(MODELS)])
    labels = np.stack([np.arange(RECORDS) % classes] * MODELS)

    def loss(at):
        scores = model.scores(at, inputs)
        right = np.take_along_axis(scores, labels[..., None], -1)[..., 0]
        return (logsumexp(scores, axis=-1) - right).sum(axis=-1)

    found = model.clipped_sum(weights, inputs, labels, np.ones(labels.shape), np.inf)
    for place, step in enumerate(1e-6 * np.eye(weights.shape[1])):
        slope = (loss(weights + step) - loss(weights - step)) / 2e-6
        assert found[:, place] == pytest.approx(slope, abs=1e-8 * RECORDS, rel=1e-8)
    start = model.start(FEATURES, classes, np.random.default_rng(0))
    assert start.shape == weights.shape[1:]
    free = FEATURES * 5 + 5 * (1 if classes == 2 else classes)  # intercepts start at 0, as do all weights of a softmax
    assert np.count_nonzero(start) == (free if isinstance(model, OneHiddenLayer) else 0)

    taking_part = (np.arange(MODELS * RECORDS).reshape(MODELS, RECORDS) % 3 > 0).astype(float)
    alone = [(weights, inputs[:, [i]], labels[:, [i]], np.ones((MODELS, 1))) for i in range(RECORDS)]
    each = np.stack([model.clipped_sum(*one, np.inf) for one in alone], axis=1)
    norms = np.linalg.norm(each, axis=-1, keepdims=True)
    for clip in (0.1, 1e6):
        expected = (each * np.minimum(1.0, clip / norms) * taking_part[..., None]).sum(axis=1)
        assert model.clipped_sum(weights, inputs, labels, taking_part, clip) == pytest.approx(expected, abs=1e-12)
        cut = [np.linalg.norm(model.clipped_sum(*one, clip), axis=-1) for one in alone]
        assert pytest.approx(np.minimum(norms[..., 0], clip), rel=1e-12) == np.array(cut).T
        if isinstance(model, Softmax) and classes > 2:
            table = gradients(inputs[0], labels[0], weights[0].reshape(FEATURES + 1, classes), clip)
            assert expected[0] == pytest.approx((table * taking_part[0][:, None]).sum(axis=0), abs=1e-12)


# DP-SGD.


def test_batches_have_their_law():
    """Records of Poisson batches in all steps, and each by itself, are binomial; nobody is drawn twice in a step."""
    batch, steps, source, sizes = 100, 200, generators(0, 1), set()
    drawn = np.zeros(DIGITS.records, int)
    for _ in range(steps):
        for row, part in zip(*batches(DIGITS, batch, Sampling.POISSON, source), strict=True):
            chosen = row[part == 1.0]
            assert len(np.unique(chosen)) == len(chosen) == part.sum()
            drawn[chosen] += 1
            sizes.add(len(chosen))
    rate, trials = batch / DIGITS.records, 2 * steps
    assert len(sizes) > 5
    assert stats.binomtest(int(drawn.sum()), trials * DIGITS.records, rate).pvalue > UNLIKELY
    tail = UNLIKELY / (2 * DIGITS.records)
    assert stats.binom.ppf(tail, trials, rate) <= drawn.min()
    assert drawn.max() <= stats.binom.isf(tail, trials, rate)
    spread = drawn.var(ddof=1) * (DIGITS.records - 1) / (trials * rate * (1 - rate))
    assert UNLIKELY < stats.chi2.cdf(spread, DIGITS.records - 1) < 1 - UNLIKELY
    index, taking_part = batches(DIGITS, batch, Sampling.FIXED_SIZE, generators(*range(50)))
    assert index.shape == taking_part.shape == (50, batch)
    assert taking_part.all()
    assert all(len(np.unique(row)) == batch for row in index)
    assert np.bincount(index.ravel()).max() <= stats.binom.isf(UNLIKELY / DIGITS.records, 50, rate)


@pytest.mark.parametrize("sampling", [Sampling.POISSON, Sampling.FIXED_SIZE])
@pytest.mark.parametrize("model", [Softmax(), OneHiddenLayer(4)], ids=str)
def test_the_noise_added_is_the_noise_asked_for_anew_in_every_step(sampling, model):
    """One step on everybody, with and without noise, from the same seeds; sum of squares by its chi-square law."""
    recipe, noise = replace(ONE_STEP, model=model), 2.5
    noisy, plain = (train(recipe, Protection(s, sampling), generators(0, 1, 2)) for s in (noise, 0.0))
    added = (noisy - plain) * recipe.batch / recipe.learning_rate / (noise * recipe.clip)
    assert UNLIKELY < stats.chi2.cdf(np.sum(added**2), added.size) < 1 - UNLIKELY
    assert stats.kstest(added.ravel(), "norm").pvalue > UNLIKELY
    flat = replace(ONE_STEP, clip=1e-6, epochs=3)  # gradients are negligible beside the noise
    weights = train(flat, Protection(1e5), generators(0, 1)) * flat.batch / flat.learning_rate / 0.1
    assert UNLIKELY < stats.chi2.cdf(np.sum(weights**2) / 3, weights.size) < 1 - UNLIKELY


@pytest.mark.parametrize("clip", [0.5, 1e6])
def test_without_noise_it_is_gradient_descent(clip):
    """Against the audits' full-batch training."""
    recipe = replace(ONE_STEP, clip=clip, epochs=3)
    inputs, start, everybody = with_constant(DIGITS.features), np.zeros((65, 10)), np.ones((1, DIGITS.records))
    expected = Training(0.0, 3, recipe.learning_rate, clip).run(inputs, DIGITS.labels, everybody, start, *generators(0))
    found = train(recipe, Protection(), generators(0))
    assert found.reshape(65, 10) == pytest.approx(expected[0], abs=ROUNDING)
    unclipped = train(recipe, Protection(clipped=False), generators(0))
    assert np.allclose(unclipped, found, atol=ROUNDING) == (clip > 1.0)


def test_a_run_depends_on_its_seed_alone_and_an_empty_batch_is_no_error():
    together, again = (train(SHORT, Protection(1.0), generators(0, 1)) for _ in range(2))
    assert np.array_equal(together, again)
    assert train(SHORT, Protection(1.0), generators(1))[0] == pytest.approx(together[1], abs=ROUNDING)
    assert not np.allclose(together[0], together[1])
    assert np.isfinite(train(replace(SHORT, batch=2, data="breast cancer"), Protection(), generators(0))).all()


# Noise for the same attack success.


@cache
def full_knowledge(goal, release):
    return calibrated(Strategy.FULL, goal, release, ALPHA, DELTA)


@pytest.mark.parametrize(("goal", "release"), [(PowerTarget(0.03, ALPHA), LARGE), (AdvantageTarget(0.2), SMALL)])
def test_full_knowledge_is_certified(goal, release):
    found = full_knowledge(goal, release)
    assert (found.bound, found.sampling) == (Bound.CERTIFIED, Sampling.POISSON)
    mechanism = Gaussian(found.noise_multiplier, release.batch_size / release.dataset_size, release.steps)
    reached = mechanism.power(ALPHA) if isinstance(goal, PowerTarget) else mechanism.advantage()
    assert found.promised <= goal.goal
    assert goal.goal * (1 - 1e-3) <= reached.lower <= reached.estimate <= goal.goal
    epsilon, power = mechanism.epsilon(DELTA, precision=FINE), mechanism.power(ALPHA, precision=FINE)
    assert epsilon.lower <= found.guarantee.epsilon == pytest.approx(epsilon.upper, rel=1e-2)
    assert power.lower <= found.guarantee.power == pytest.approx(power.upper, rel=1e-2)


def test_record_unknown_keeps_the_goal_with_less_noise():
    goal = PowerTarget(0.03, ALPHA)
    found, full = calibrated(Strategy.RECORD, goal, LARGE, ALPHA, DELTA), full_knowledge(goal, LARGE)
    assert (found.bound, found.sampling) == (Bound.ESTIMATE, Sampling.POISSON)
    assert found.noise_multiplier < found.private_noise == full.noise_multiplier
    reached = relaxed.power(Gaussian(found.noise_multiplier, 300 / 1198, 90), ALPHA)
    assert 1 - SPARE <= (reached.estimate - ALPHA) / (goal.power - ALPHA) <= 1.0
    assert found.guarantee.epsilon > full.guarantee.epsilon
    assert goal.power < found.guarantee.power


# What models give away.


def test_outcomes_of_a_model_that_knows_its_members():
    """All members' labels are as the model says, and all others' are not: no loss of one kind among the other's."""
    found = data_set("breast cancer")
    members, others = (part[:, 0] > 0 for part in (found.features, found.fresh_features))
    split = replace(found, labels=members.astype(np.int64), fresh_labels=(~others).astype(np.int64))
    weights = np.append(5.0, np.zeros(30))[None]
    (outcome,) = training.outcomes(Softmax(), weights, split, 0.1, DELTA)
    assert (outcome.accuracy, outcome.auroc, outcome.power_measured) == (0.0, 0.0, 1.0)
    assert 0.97 < outcome.power_at_least < 1.0
    assert 2.0 < outcome.epsilon_at_least < min(10.0, outcome.epsilon_star_estimate_as_printed)
    (rarely,) = training.outcomes(Softmax(), weights, split, ALPHA, DELTA)
    assert rarely.power_at_least == 0.0  # 190 outsiders cannot show that one in 100 is accused
