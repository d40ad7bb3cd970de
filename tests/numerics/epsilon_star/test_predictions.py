"""Losses from predictions and labels: the formulas against 50 digits."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numerics.epsilon_star.predictions import (
    binary_losses,
    binary_losses_from_logits,
    class_losses,
    class_losses_from_logits,
    smallest_told,
)

DOUBLE, SINGLE = 2.0**-52, 2.0**-23
ROUNDING = 1e-13  # a few operations in float64, on losses of up to a thousand
RNG = np.random.default_rng(7)


def exact_odds(right: float, rest: float) -> float:
    """-(log f - log(1 - f)) with 50 digits."""
    with mpmath.workdps(50):
        return float(mpmath.log(mpmath.mpf(rest)) - mpmath.log(mpmath.mpf(right)))


@given(st.floats(1e-15, 1.0 - 1e-15), st.booleans())
def test_binary_losses_against_50_digits(probability: float, label: bool) -> None:
    with mpmath.workdps(50):
        f = mpmath.mpf(probability)
        expected = float((1 - 2 * int(label)) * (mpmath.log(f) - mpmath.log(1 - f)))
    found = binary_losses(np.array([probability]), np.array([label]), DOUBLE)
    assert found.losses[0] == pytest.approx(expected, rel=1e-9 * ROUNDING, abs=ROUNDING)
    assert found.rows == 0


@pytest.mark.parametrize(("kind", "unit"), [(np.float64, DOUBLE), (np.float32, SINGLE), (np.float16, 2.0**-10)])
def test_binary_cuts_what_the_number_type_cannot_tell(kind: type, unit: float) -> None:
    """The largest probability below 1 is kept; 0 and 1 are cut, alike at both ends."""
    below = float(np.nextafter(kind(1), kind(0)))
    found = binary_losses(np.array([0.0, 1.0, below, 0.5]), np.array([True, True, True, True]), unit)
    assert found.rows == 2
    assert found.losses[0] == -found.losses[1]
    assert found.losses[1] == found.losses[2] == pytest.approx(exact_odds(below, 1.0 - below), abs=ROUNDING)


@given(st.floats(-1e300, 1e300), st.booleans())
def test_binary_logits_are_the_losses(logit: float, label: bool) -> None:
    assert binary_losses_from_logits(np.array([logit]), np.array([label]))[0] == (-logit if label else logit)


@given(st.lists(st.floats(-700, 700), min_size=2, max_size=6), st.integers(0, 5), st.floats(-1e3, 1e3))
def test_class_logits_against_50_digits(logits: list[float], label: int, shift: float) -> None:
    label %= len(logits)
    with mpmath.workdps(400):
        others = mpmath.fsum(mpmath.exp(mpmath.mpf(z)) for place, z in enumerate(logits) if place != label)
        expected = float(mpmath.log(others) - mpmath.mpf(logits[label]))
    row = np.array([logits])
    assert class_losses_from_logits(row, np.array([label]))[0] == pytest.approx(expected, rel=ROUNDING, abs=1e-12)
    shifted = class_losses_from_logits(row + shift, np.array([label]))[0]
    assert shifted == pytest.approx(expected, abs=2e-12)  # logits of 1,700 have 2e-13 between them


def test_two_classes_are_the_binary_case() -> None:
    logits, label = RNG.normal(0, 20, 500), RNG.integers(0, 2, 500)
    both = class_losses_from_logits(np.column_stack([np.zeros(500), logits]), label)
    assert both == pytest.approx(binary_losses_from_logits(logits, label == 1), rel=ROUNDING)


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_class_probabilities_agree_with_their_logits_far_beyond_one_minus_rounding(kind: type) -> None:
    """The others' probabilities tell how sure a right answer is whose own has rounded to 1."""
    logits = RNG.normal(0, 15, (2000, 5))
    exponentials = np.exp(logits - logits.max(axis=1, keepdims=True))
    probabilities = (exponentials / exponentials.sum(axis=1, keepdims=True)).astype(kind)
    label = RNG.integers(0, 5, 2000)
    found = class_losses(probabilities, label, smallest_told(float(np.finfo(kind).eps)))
    expected = class_losses_from_logits(logits, label)
    assert found.rows == 0
    # 1 - f is at least half a spacing of f off where f is close to 1; others are exact to their own spacing.
    assert np.max(np.abs(found.losses - expected)) < 1.0
    assert np.median(np.abs(found.losses - expected)) < 10 * np.finfo(kind).eps
    assert (probabilities.max(axis=1) == 1).sum() > (0 if kind is np.float64 else 50)


@given(st.lists(st.integers(1, 1000), min_size=2, max_size=5), st.integers(0, 4))
def test_class_losses_against_50_digits(weights: list[int], label: int) -> None:
    label %= len(weights)
    row = np.array(weights) / sum(weights)
    found = class_losses(row[None, :], np.array([label]), smallest_told(DOUBLE)).losses[0]
    expected = exact_odds(weights[label] / sum(weights), (sum(weights) - weights[label]) / sum(weights))
    assert found == pytest.approx(expected, abs=1e-12)


def test_certain_classes_are_cut_and_counted_and_keep_their_order() -> None:
    rows = np.array([[1.0, 0.0], [1.0, 1e-30], [0.5, 0.5], [1e-30, 1.0], [0.0, 1.0]])
    found = class_losses(rows, np.zeros(5, dtype=int), smallest_told(DOUBLE))
    assert found.rows == 2
    assert np.all(np.diff(found.losses) > 0)
    assert np.all(np.isfinite(found.losses))


def test_decimals_are_cut_at_half_of_the_last() -> None:
    found = class_losses(np.array([[1.0, 0.0], [0.9999, 0.0001]]), np.zeros(2, dtype=int), smallest_told(1e-4))
    assert found.rows == 1
    assert found.losses == pytest.approx([math.log(0.5e-4), math.log(1e-4 / 0.9999)], abs=1e-9)


@pytest.mark.parametrize("unit", [0.0, 1.0, math.nan, -1.0])
def test_units_outside_their_range(unit: float) -> None:
    with pytest.raises(ValueError, match="unit must be strictly between 0 and 1"):
        binary_losses(np.array([0.5]), np.array([True]), unit)


@pytest.mark.parametrize(("shape", "label"), [((3, 1), 0), ((3, 2), 2), ((3, 2), -1)])
def test_labels_outside_the_columns(shape: tuple[int, int], label: int) -> None:
    with pytest.raises(ValueError, match="must h"):
        class_losses_from_logits(np.zeros(shape), np.full(3, label))


# Columns of tables.
