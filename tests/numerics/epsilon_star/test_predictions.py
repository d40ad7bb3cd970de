"""Losses from predictions and labels, against 50 digits and more."""

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.numerics.epsilon_star import inside

DOUBLE = 2.0**-52
ROUNDING = 1e-13  # a few operations in float64, on losses of up to a thousand


@settings(max_examples=15)
@given(st.floats(1e-15, 1.0 - 1e-15), st.booleans(), st.floats(-1e300, 1e300))
def test_two_classes(probability, label, logit):
    with mpmath.workdps(50):
        f = mpmath.mpf(probability)
        expected = float((1 - 2 * int(label)) * (mpmath.log(f) - mpmath.log(1 - f)))
    found = inside.binary_losses(np.array([probability]), np.array([label]), DOUBLE)
    assert (found.losses[0], found.rows) == (pytest.approx(expected, rel=1e-9 * ROUNDING, abs=ROUNDING), 0)
    assert inside.binary_losses_from_logits(np.array([logit]), np.array([label]))[0] == (-logit if label else logit)


@pytest.mark.parametrize(("kind", "unit"), [(np.float64, DOUBLE), (np.float32, 2.0**-23), (np.float16, 2.0**-10)])
def test_what_the_number_type_cannot_tell_is_cut(kind, unit):
    """The largest probability below 1 is kept; 0 and 1 are cut, alike at both ends."""
    below = float(np.nextafter(kind(1), kind(0)))
    found = inside.binary_losses(np.array([0.0, 1.0, below, 0.5]), np.array([True, True, True, True]), unit)
    assert found.rows == 2
    assert found.losses[0] == -found.losses[1]
    assert found.losses[1] == found.losses[2] == pytest.approx(np.log((1.0 - below) / below), abs=ROUNDING)


@settings(max_examples=15)
@given(st.lists(st.floats(-700, 700), min_size=2, max_size=6), st.integers(0, 5), st.floats(-1e3, 1e3))
def test_logits_of_several_classes(logits, label, shift):
    label %= len(logits)
    with mpmath.workdps(400):
        others = mpmath.fsum(mpmath.exp(mpmath.mpf(z)) for place, z in enumerate(logits) if place != label)
        expected = float(mpmath.log(others) - mpmath.mpf(logits[label]))
    row = np.array([logits])
    assert inside.class_losses_from_logits(row, np.array([label]))[0] == pytest.approx(
        expected, rel=ROUNDING, abs=1e-12
    )
    shifted = inside.class_losses_from_logits(row + shift, np.array([label]))[0]
    assert shifted == pytest.approx(expected, abs=2e-12)  # logits of 1,700 have 2e-13 between them


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_class_probabilities_agree_with_their_logits_far_beyond_one_minus_rounding(kind):
    """The others' probabilities tell how sure a right answer is whose own has rounded to 1; order is kept where cut."""
    rng = np.random.default_rng(7)
    logits, label = rng.normal(0, 15, (2000, 5)), rng.integers(0, 5, 2000)
    exponentials = np.exp(logits - logits.max(axis=1, keepdims=True))
    probabilities = (exponentials / exponentials.sum(axis=1, keepdims=True)).astype(kind)
    found = inside.class_losses(probabilities, label, inside.smallest_told(float(np.finfo(kind).eps)))
    apart = np.abs(found.losses - inside.class_losses_from_logits(logits, label))
    assert found.rows == 0
    # 1 - f is at least half a spacing of f off where f is close to 1; others are exact to their own spacing.
    assert np.max(apart) < 1.0
    assert np.median(apart) < 10 * np.finfo(kind).eps
    rows = np.array([[1.0, 0.0], [1.0, 1e-30], [0.5, 0.5], [1e-30, 1.0], [0.0, 1.0]])
    cut = inside.class_losses(rows, np.zeros(5, dtype=int), inside.smallest_told(DOUBLE)).losses
    assert np.all(np.diff(cut) > 0)
    assert np.all(np.isfinite(cut))
