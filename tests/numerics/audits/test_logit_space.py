"""Offline attack: on the theory where the logit carries all there is to know, on its weak side otherwise."""

import numpy as np
import pytest
from scipy import stats

from numerics import Gaussian
from numerics.audits import Confidence, OfflineAttack, Position, Training, collected, measured_curve, positions
from numerics.audits.softmax import logits
from numerics.trade_off import TradeOffCurve

ALPHA = np.array([0.01, 0.05, 0.1, 0.3, 0.5, 0.9])
SURE = Confidence(1.0 - 1e-5, simultaneous=True)


def two_classes(records: int = 60, canary: float = 3.0) -> tuple[np.ndarray, np.ndarray]:
    """One feature and a constant; row 0 is a canary: far out and labelled wrongly (paper 000's experiments)."""
    generator = np.random.default_rng(11)
    features = np.column_stack((generator.standard_normal(records), np.ones(records)))
    features[0, 0] = canary
    labels = (features[:, 0] > 0).astype(np.int64)
    labels[0] = 0
    return features, labels


def measured(attack: OfflineAttack, rounds: int = 3000, seed: int = 1) -> TradeOffCurve:
    return measured_curve(collected(attack.rounds(rounds, seed)), ALPHA, SURE)


def test_one_noisy_step_reaches_the_gaussian_trade_off_function():
    """With two classes the canary's clipped gradient points along its logit: one step hides nothing (Fig. 3a)."""
    attack = OfflineAttack(*two_classes(), targets=(0,), training=Training(1.0))
    assert set(positions(measured(attack), Gaussian(1.0).trade_off(ALPHA))) == {Position.INSIDE}
    assert Position.WEAKER in positions(measured(attack), Gaussian(0.7).trade_off(ALPHA))


def test_a_record_with_a_short_gradient_hides_better():
    """Features of length 0.3 make a gradient of 0.3 / sqrt(2): the effect size is that over the noise."""
    features, labels = two_classes()
    features[0] = 0.3, 0.0
    attack = OfflineAttack(features, labels, (0,), Training(0.25))
    curve = measured(attack)
    effect = 0.3 * np.sqrt(0.5) / 0.25
    assert set(positions(curve, Gaussian(1 / effect).trade_off(ALPHA))) == {Position.INSIDE}
    assert Position.WEAKER in positions(curve, Gaussian(0.25).trade_off(ALPHA))


@pytest.mark.parametrize("share", [1.0, 0.5])
def test_several_steps_and_hidden_records_stay_on_the_weak_side(share):
    attack = OfflineAttack(*two_classes(), targets=(0,), training=Training(2.0, 20, 100.0), share=share)
    places = positions(measured(attack), Gaussian(2.0, steps=20).trade_off(ALPHA))
    assert Position.STRONGER not in places
    assert Position.WEAKER in places


def test_without_noise_hidden_records_alone_hide_the_target():
    attack = OfflineAttack(*two_classes(40), targets=(0, 3), training=Training(0.0, 30, 10.0), shadows=200, share=0.5)
    curve = measured(attack)
    assert curve.upper is not None
    assert curve.upper.power[2] > ALPHA[2]


def test_scores_are_p_values_of_the_normal_fit():
    """Models without the target have uniform p-values, up to what 2,000 shadow models leave uncertain."""
    attack = OfflineAttack(*two_classes(), targets=(0, 1), training=Training(2.0), shadows=2000)
    scores = collected(attack.rounds(2000, 3))
    assert stats.kstest(np.exp(-scores.null), "uniform").pvalue > 1e-4
    assert np.median(np.exp(-scores.alternative)) < 0.45


def test_progress_counts_models_shadows_first_and_can_be_stopped():
    features, labels = two_classes(2000)
    attack = OfflineAttack(features, labels, (0, 1), Training(1.0), shadows=300)
    steps = list(attack.rounds(500, 1))
    assert steps[-1].done == steps[-1].total == 2 * 300 + 2 * 500
    assert np.all(np.diff([step.done for step in steps]) > 0)
    assert [len(step.null) for step in steps if step.done <= 600] == [0] * sum(step.done <= 600 for step in steps)
    assert sum(len(step.null) for step in steps) == sum(len(step.alternative) for step in steps) == 500
    running = attack.rounds(500, 1)
    begun = [next(running), next(running)]
    running.close()
    assert [step.done for step in begun] == [step.done for step in steps[:2]]


def test_the_seed_decides():
    attack = OfflineAttack(*two_classes(), targets=(0,), training=Training(1.0), shadows=20)
    first, again, other = (collected(attack.rounds(50, seed)).null for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_logits_keep_digits_at_both_ends():
    features, labels = np.array([[1.0], [1.0]]), np.array([0, 1])
    found = logits(features, labels, np.array([[800.0, 0.0, -5.0]]))
    np.testing.assert_allclose(found, [800.0 - np.log1p(np.exp(-5.0)), -800.0], rtol=1e-14)


def test_models_of_one_chunk_do_not_mix():
    """A model trained among others is the model trained alone."""
    features, labels = two_classes()
    masks = np.random.default_rng(5).integers(2, size=(3, len(labels))).astype(np.float64)
    training = Training(0.0, 5, 3.0)
    start = np.zeros((2, 2))
    together = training.run(features, labels, masks, start, np.random.default_rng(0))
    for mask, weights in zip(masks, together, strict=True):
        kept = mask > 0
        alone = Training(0.0, 5, 3.0 * kept.sum() / len(labels))
        single = alone.run(features[kept], labels[kept], np.ones((1, kept.sum())), start, np.random.default_rng(0))
        np.testing.assert_allclose(weights, single[0], rtol=1e-12)


def test_refusals():
    features, labels = two_classes()
    with pytest.raises(ValueError, match=r"share must be below 1 when noise_multiplier is 0, got 1\.0"):
        OfflineAttack(features, labels, (0,), Training(0.0))
    with pytest.raises(ValueError, match="targets must be rows from 0 to 59, got"):
        OfflineAttack(features, labels, (60,), Training(1.0))
    with pytest.raises(ValueError, match="number of targets must be between 1 and 60, got 0"):
        OfflineAttack(features, labels, (), Training(1.0))
    with pytest.raises(ValueError, match="shadows must be between 2 and 100000, got 1"):
        OfflineAttack(features, labels, (0,), Training(1.0), shadows=1)
    with pytest.raises(ValueError, match="labels must be one per row of features"):
        OfflineAttack(features, labels[:-1], (0,), Training(1.0))
    with pytest.raises(ValueError, match="labels must be whole numbers from 0"):
        OfflineAttack(features, labels - 1, (0,), Training(1.0))
    with pytest.raises(ValueError, match="features must be finite"):
        OfflineAttack(np.full_like(features, np.nan), labels, (0,), Training(1.0))
    with pytest.raises(ValueError, match="start must be a table of 2 features by 2 classes, got shape"):
        OfflineAttack(features, labels, (0,), Training(1.0), start=np.zeros((3, 2)))
    with pytest.raises(ValueError, match=r"noise_multiplier must be between 0 and 1e\+06, got -1\.0"):
        Training(-1.0)
    with pytest.raises(ValueError, match=r"noise_multiplier must be between 0 and 1e\+06, got 1000000\.0"):
        Training(Training(1e6).noise_multiplier + 1e-9)
    with pytest.raises(ValueError, match=r"clip must be between 1e-06 and 1e\+06, got inf"):
        Training(1.0, clip=np.inf)
