"""Noise for the same attack success under three notions, and what trained models are measured to give away."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from numerics import relaxed
from numerics.calibration import AdvantageTarget, PowerTarget
from numerics.gaussian_membership import GradientRelease, level
from numerics.gaussian_membership.calibration import MuTarget
from numerics.mechanisms import Adjacency, Gaussian, Sampling
from numerics.privacy_loss import Precision
from numerics.relaxed import RelaxedTarget
from numerics.trade_off import Bound
from numerics.training import (
    NOTIONS,
    Protection,
    Softmax,
    Strategy,
    auroc,
    calibrated,
    data_set,
    outcomes,
    record_unknown,
)
from numerics.training.calibrated import guarantee
from tests.reference import Reference, rows

ALPHA, DELTA = 0.01, 1e-5
SMALL = GradientRelease(380, 190, 40, 31)  # the others' gradients hide a record up to mu = 1.08
LARGE = GradientRelease(1198, 300, 90, 650)
ONCE = GradientRelease(1000, 1000, 1, 10)
FINE = Precision(width=2e-8)  # finer than what guarantees are stated with, which must not be below it
SPARE = 2.1e-3  # of the gain over guessing, which the quick search may leave
PAPER = {
    "CIFAR": (GradientRelease.of_epochs(48000, 400, 10, 650), 500),
    "Purchase": (GradientRelease.of_epochs(54855, 795, 3, 2580), 2000),
    "Adult": (GradientRelease.of_epochs(43000, 1000, 20, 1026), 800),
}


@pytest.mark.parametrize("goal", [PowerTarget(0.03, ALPHA), AdvantageTarget(0.2)], ids=str)
@pytest.mark.parametrize("release", [SMALL, LARGE], ids=["small", "large"])
def test_full_knowledge_is_certified(goal, release: GradientRelease):
    found = calibrated(Strategy.FULL, goal, release, ALPHA, DELTA)
    assert (found.bound, found.sampling) == (Bound.CERTIFIED, Sampling.POISSON)
    assert found.promised <= goal.goal
    mechanism = Gaussian(found.noise_multiplier, release.batch_size / release.dataset_size, release.steps)
    reached = mechanism.power(ALPHA) if isinstance(goal, PowerTarget) else mechanism.advantage()
    assert reached.estimate <= goal.goal
    assert reached.lower >= goal.goal * (1 - 1e-3)
    assert found.guarantee.epsilon == pytest.approx(mechanism.epsilon(DELTA).upper, rel=1e-2)
    assert found.guarantee.epsilon >= mechanism.epsilon(DELTA, precision=FINE).lower
    assert found.guarantee.power == pytest.approx(mechanism.power(ALPHA).upper, rel=1e-2)
    assert found.guarantee.power >= mechanism.power(ALPHA, precision=FINE).lower


def test_record_unknown_keeps_the_goal_with_less_noise():
    goal = PowerTarget(0.03, ALPHA)
    found, full = (calibrated(notion, goal, LARGE, ALPHA, DELTA) for notion in (Strategy.RECORD, Strategy.FULL))
    assert (found.bound, found.sampling) == (Bound.ESTIMATE, Sampling.POISSON)
    assert found.noise_multiplier < found.private_noise == full.noise_multiplier
    reached = relaxed.power(Gaussian(found.noise_multiplier, 300 / 1198, 90), ALPHA)
    assert 1 - SPARE <= (reached.estimate - ALPHA) / (goal.power - ALPHA) <= 1.0
    assert found.guarantee.epsilon > full.guarantee.epsilon
    assert goal.power < found.guarantee.power


@pytest.mark.parametrize(
    "goal", [*(PowerTarget(power, ALPHA) for power in (0.0101, 0.1, 0.95)), AdvantageTarget(0.01), AdvantageTarget(0.5)]
)
def test_quick_search_never_misses_and_spares_little(goal):
    """One release of everybody, where the relaxed power has a closed form."""
    mechanism = Gaussian(1.0)
    found = record_unknown.noise_for(goal, mechanism)
    assert found.met
    guessing = ALPHA if isinstance(goal, PowerTarget) else 0.0
    assert found.reached.upper - guessing >= (1 - SPARE) * (goal.goal - guessing)
    assert found.target == RelaxedTarget(goal)


@pytest.mark.parametrize("goal", [PowerTarget(0.05, ALPHA), PowerTarget(0.4, ALPHA), AdvantageTarget(0.1)], ids=str)
@pytest.mark.parametrize("release", [SMALL, LARGE], ids=["small", "large"])
def test_other_records_unknown(goal, release: GradientRelease):
    found = calibrated(Strategy.OTHERS, goal, release, ALPHA, DELTA)
    assert (found.bound, found.sampling) == (Bound.ESTIMATE, Sampling.FIXED_SIZE)
    assert found.noise_multiplier <= found.private_noise
    assert found.promised <= goal.goal * (1 + 1e-9)
    assert found.guarantee.adjacency is Adjacency.REPLACE_ONE
    assert found.protection == Protection(found.noise_multiplier, Sampling.FIXED_SIZE)
    enough = level(release).trade_off(np.array([ALPHA])).power[0] <= goal.goal and isinstance(goal, PowerTarget)
    assert (found.noise_multiplier == 0.0) == enough
    if enough:
        assert (found.guarantee.epsilon, found.guarantee.power) == (np.inf, 1.0)


@pytest.mark.parametrize("row", rows("Table 5 tau_DP")[3::10], ids=lambda row: row.id)
def test_full_knowledge_of_a_level_mu_is_table_5(row: Reference):
    """Through the calibration that training uses; all rows are asked of the formula elsewhere."""
    release, clip = PAPER[row.id.split("_")[2]]
    goal = MuTarget(row.number("mu"))
    found = calibrated(Strategy.FULL, goal, release, ALPHA, DELTA)
    assert found.noise_multiplier * clip / release.batch_size == pytest.approx(row.expected, rel=1e-9)
    assert found.sampling is Sampling.FIXED_SIZE
    assert found.promised == pytest.approx(goal.mu, rel=1e-9)


def test_the_guarantee_of_small_noise_is_none():
    nothing = guarantee(0.0, Sampling.POISSON, LARGE, ALPHA, DELTA)
    assert (nothing.epsilon, nothing.power) == (np.inf, 1.0)
    little = guarantee(0.02, Sampling.FIXED_SIZE, SMALL, ALPHA, DELTA)
    assert little.power == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("notion", "goal", "message"),
    [
        (Strategy.RECORD, MuTarget(1.0), "goal must be a power or an advantage"),
        (Strategy.NON_PRIVATE, AdvantageTarget(0.1), "notion must be one of"),
    ],
)
def test_what_cannot_be_calibrated_is_refused(notion, goal, message):
    with pytest.raises(ValueError, match=message):
        calibrated(notion, goal, ONCE, ALPHA, DELTA)


@pytest.mark.parametrize("classes", [2, 5])
def test_auroc_is_scikit_learns(classes: int):
    """With ties: rows that are there twice, with other labels."""
    generator = np.random.default_rng(0)
    scores = np.repeat(generator.standard_normal((100, classes)), 2, axis=0)
    labels = np.arange(200) % classes
    probability = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    chosen = probability[:, 1] if classes == 2 else probability
    expected = roc_auc_score(labels, chosen, multi_class="ovr", average="macro")
    assert auroc(scores, labels) == pytest.approx(expected, rel=1e-12)


def test_outcomes_of_a_model_that_knows_its_members():
    """All members' labels are as the model says, and all others' are not: no loss of one kind among the other's."""
    found = data_set("breast cancer")
    members, others = (part[:, 0] > 0 for part in (found.features, found.fresh_features))
    split = replace(found, labels=members.astype(np.int64), fresh_labels=(~others).astype(np.int64))
    weights = np.zeros((1, 31))
    weights[0, 0] = 5.0
    (outcome,) = outcomes(Softmax(), weights, split, 0.1, DELTA)
    assert (outcome.accuracy, outcome.auroc, outcome.power_measured) == (0.0, 0.0, 1.0)
    assert 0.97 < outcome.power_at_least < 1.0
    assert 2.0 < outcome.epsilon_at_least < 10.0
    assert outcome.epsilon_star_estimate_as_printed > outcome.epsilon_at_least
    (rarely,) = outcomes(Softmax(), weights, split, ALPHA, DELTA)
    assert rarely.power_at_least == 0.0  # 190 outsiders cannot show that one in 100 is accused


def test_notions_are_three():
    assert [str(notion) for notion in NOTIONS] == ["full knowledge", "record unknown", "other records unknown"]
