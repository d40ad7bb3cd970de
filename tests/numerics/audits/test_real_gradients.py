"""GLiR on several steps of a real model (paper 004 Fig. 2c): what more steps tell, and what they do not."""

import numpy as np
import pytest

from numerics.audits import (
    Background,
    Confidence,
    RealGradients,
    Training,
    collected,
    gradients,
    measured_curve,
)
from numerics.gaussian_membership import StepTest
from tests.numerics.audits.test_glir import IMAGES

ALPHA = np.array([0.01, 0.05, 0.1, 0.25, 0.5])
SURE = Confidence(1.0 - 1e-5, simultaneous=True)


def known(dimension):
    return Background(np.zeros(dimension), np.eye(dimension))


def power(attack, rounds=3000, seed=2):
    return measured_curve(collected(attack.rounds(rounds, seed)), ALPHA, SURE).power


def test_one_step_seen_twice_is_the_same_attack():
    table = np.random.default_rng(1).standard_normal((400, 12))
    one = collected(RealGradients((table,), (known(12),), 30).rounds(1500, 4))
    twice = collected(RealGradients((table,) * 2, (known(12),) * 2, 30).rounds(1500, 4))
    for log_odds, log_p_values in zip(one, twice, strict=True):
        assert np.array_equal(np.argsort(log_odds), np.argsort(log_p_values))


def test_the_same_step_again_tells_nothing_new_and_independent_ones_reach_the_theory():
    rng, n, d = np.random.default_rng(3), 40, 20
    tables = tuple(rng.standard_normal((1000, d)) for _ in range(5))
    once = power(RealGradients(tables[:1], (known(d),), n))
    again = power(RealGradients(tables[:1] * 5, (known(d),) * 5, n))
    apart = power(RealGradients(tables, (known(d),) * 5, n))
    assert again == pytest.approx(once, abs=0.01)
    theory = StepTest(float(n), d, float(d)).repeated(5).power(ALPHA)
    assert np.all(apart > once + 0.05)
    assert np.all(apart < theory + 0.03)
    assert np.all(apart > theory - 0.12)  # the p-values' loss, and K that varies


def test_five_steps_of_a_real_model_tell_less_than_the_theory_of_five():
    """Printed: a small gain at most. Softmax regression on the digits, full batches, gradients clipped at 1."""
    with np.load(IMAGES) as file:
        images, labels = file["images"] / 16.0, file["labels"].astype(np.int64)
    order = np.random.default_rng(0).permutation(len(labels))
    coarse = images.reshape(-1, 4, 2, 4, 2).mean(axis=(2, 4)).reshape(-1, 16)
    features, labels = np.column_stack((coarse, np.ones(len(coarse))))[order], labels[order]
    everybody, tables = np.ones((1, len(labels))), []
    for steps in range(100, 105):
        weights = Training(0.0, steps, 5.0).run(
            features, labels, everybody, np.zeros((17, 10)), np.random.default_rng(0)
        )
        tables.append(gradients(features, labels, weights[0], 1.0))
    backgrounds = tuple(Background.estimated(table[:900]) for table in tables)
    populations = tuple(table[900:] for table in tables)
    one, five = (power(RealGradients(populations[:k], backgrounds[:k], 60), 1500) for k in (1, 5))
    d = backgrounds[0].dimension
    theory = StepTest(60.0, d, float(d)).repeated(5).power(ALPHA)
    assert np.all(np.abs(five - one) < 0.05)
    assert np.all(five[:3] < theory[:3] - 0.1)


def test_tables_that_do_not_match_are_refused():
    table = np.ones((10, 3))
    with pytest.raises(ValueError, match="backgrounds"):
        RealGradients((table, table), (known(3),), 4)
    with pytest.raises(ValueError, match="populations"):
        RealGradients((table, np.ones((9, 3))), (known(3),) * 2, 4)
    with pytest.raises(ValueError, match="batch"):
        RealGradients((table,), (known(3),), 10)
