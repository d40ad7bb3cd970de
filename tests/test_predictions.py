"""Losses from predictions and labels: the formulas against 50 digits, and columns taken from tables."""

import io
import math

import mpmath
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from losses import (
    LOSS,
    LossTable,
    Naming,
    Predicted,
    Roles,
    Scale,
    TableError,
    guess,
    one_column,
    read_predictions,
    split,
    with_losses,
)
from losses.classes import naming_of, places_of
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

N = 60
LABEL = np.arange(N) % 3
WORDS = np.array(["cat", "dog", "eel"])[LABEL]
LOGITS = RNG.normal(0, 3, (N, 3))
PROBABILITIES = np.exp(LOGITS) / np.exp(LOGITS).sum(axis=1, keepdims=True)
EXPECTED = class_losses_from_logits(LOGITS, LABEL)


def table(frame: pd.DataFrame, kind: str = "csv") -> LossTable:
    if kind == "csv":
        return read_predictions(frame.to_csv(index=False).encode())
    out = io.BytesIO()
    parquet.write_table(pa.Table.from_pandas(frame), out)
    return read_predictions(out.getvalue())


def frame(scores: np.ndarray, label: object, names: tuple[str, ...] = ("p_cat", "p_dog", "p_eel")) -> pd.DataFrame:
    columns = dict(zip(names, scores.T, strict=True))
    return pd.DataFrame({**columns, "label": label, "member": np.where(np.arange(N) % 2, "in", "out")})


def losses(predicted: Predicted) -> np.ndarray:
    return predicted.table.number(LOSS).values


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("label", [WORDS, LABEL, LABEL + 1, LABEL * 10.0, WORDS == "x"], ids=lambda one: str(one[1]))
def test_labels_name_columns_in_four_ways(kind: str, label: np.ndarray) -> None:
    read = table(frame(PROBABILITIES, label), kind)
    roles = Roles(("p_cat", "p_dog", "p_eel"), "label")
    if label.dtype == bool:
        with pytest.raises(TableError, match=r"do not name the 3 columns"):
            with_losses(read, roles)
        return
    found = with_losses(read, roles)
    assert losses(found) == pytest.approx(EXPECTED, abs=1e-9)
    assert found.clipped == 0
    groups = split(found.table, LOSS, "member", "in")
    assert groups.train == pytest.approx(np.sort(EXPECTED[1::2]), abs=1e-9)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_logits_and_number_types(kind: str, dtype: type) -> None:
    read = table(frame(LOGITS.astype(dtype), WORDS), kind)
    found = with_losses(read, Roles(("p_cat", "p_dog", "p_eel"), "label", Scale.LOGITS))
    assert losses(found) == pytest.approx(EXPECTED, abs=1e-5 if dtype is np.float32 else 1e-9)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_one_column_of_probabilities(kind: str, dtype: type) -> None:
    logit = RNG.normal(0, 4, N)
    probability: np.ndarray = np.asarray(1 / (1 + np.exp(-logit)), dtype=dtype)
    probability[:2] = 0, 1
    data = pd.DataFrame({"probability": probability, "y": np.arange(N) % 2})
    found = with_losses(table(data, kind), Roles(("probability",), "y"))
    assert found.clipped == 2
    edge = math.log(2.0**24 - 1) if dtype is np.float32 else math.log(2.0**53 - 1)
    assert losses(found)[:2] == pytest.approx([-edge, -edge], rel=1e-9)
    expected = np.where(np.arange(N) % 2, -logit, logit)[2:]
    assert losses(found)[2:] == pytest.approx(expected, abs=0.05 if dtype is np.float32 else 1e-9)


def test_the_positive_label_can_be_said() -> None:
    data = pd.DataFrame({"score": RNG.normal(size=N), "target": np.where(np.arange(N) % 2, "good", "bad")})
    read = table(data)
    with pytest.raises(TableError, match="is not clear"):
        with_losses(read, Roles(("score",), "target", Scale.LOGITS))
    good, bad = (losses(with_losses(read, Roles(("score",), "target", Scale.LOGITS, one))) for one in ("good", "bad"))
    assert good == pytest.approx(-bad)
    assert good[1] == -data["score"][1]


def test_logits_taken_for_probabilities() -> None:
    with pytest.raises(TableError, match="If the columns hold logits, say so") as caught:
        with_losses(table(frame(LOGITS, WORDS)), Roles(("p_cat", "p_dog", "p_eel"), "label"))
    assert caught.value.where.startswith("Row 1 has ")


def test_probabilities_that_do_not_sum_to_one() -> None:
    broken = PROBABILITIES.copy()
    broken[4] *= 0.9
    with pytest.raises(TableError, match="do not sum to 1") as caught:
        with_losses(table(frame(broken, WORDS)), Roles(("p_cat", "p_dog", "p_eel"), "label"))
    assert caught.value.where == "In row 5 they sum to 0.9."


def test_rounded_probabilities_may_miss_one() -> None:
    rounded = table(frame(PROBABILITIES, WORDS).round(3).map(lambda x: f"{x:.3f}" if isinstance(x, float) else x))
    found = with_losses(rounded, Roles(("p_cat", "p_dog", "p_eel"), "label"))
    assert np.median(np.abs(losses(found) - EXPECTED)) < 0.01
    assert rounded.number("p_cat").unit == 1e-3


def test_rounded_probabilities_miss_one_by_half_of_their_last_digits_at_most() -> None:
    """Three probabilities with two digits: .015 at most, and this row misses .03."""
    rows = [["0.34", "0.33", "0.33", "cat"]] * 40 + [["0.33", "0.32", "0.32", "dog"]]
    read = table(pd.DataFrame(rows, columns=["p_cat", "p_dog", "p_eel", "label"]))
    with pytest.raises(TableError, match="do not sum to 1") as caught:
        with_losses(read, Roles(("p_cat", "p_dog", "p_eel"), "label"))
    assert caught.value.where.startswith("In row 41 they sum to 0.97")


def test_probabilities_of_six_significant_digits_are_taken() -> None:
    """``%g`` writes them; 4e-6 of a sum of 1 are lost here, which was refused with "they sum to 1"."""
    data = frame(PROBABILITIES, WORDS).astype({"p_cat": str, "p_dog": str, "p_eel": str})
    data.loc[0, ["p_cat", "p_dog", "p_eel"]] = ["0.999980", "1.23456e-05", "3.6544e-06"]
    assert np.isfinite(losses(with_losses(table(data), Roles(("p_cat", "p_dog", "p_eel"), "label")))).all()


def test_a_sum_that_nearly_is_one_is_shown_with_what_it_lacks() -> None:
    data = frame(PROBABILITIES, WORDS).astype({"p_cat": str, "p_dog": str, "p_eel": str})
    data.loc[0, ["p_cat", "p_dog", "p_eel"]] = ["0.999970", "1.00001e-05", "1e-08"]
    with pytest.raises(TableError, match="do not sum to 1") as caught:
        with_losses(table(data), Roles(("p_cat", "p_dog", "p_eel"), "label"))
    assert caught.value.where == "In row 1 they sum to 0.99998001."


def test_rows_without_a_score_or_a_label_can_be_left_out() -> None:
    data = frame(PROBABILITIES, WORDS)
    data.loc[3, "p_dog"] = np.nan
    data.loc[5, "label"] = None
    found = with_losses(table(data), Roles(("p_cat", "p_dog", "p_eel"), "label"))
    with pytest.raises(TableError, match="2 cells") as caught:
        one_column(found.table, LOSS)
    assert "row 6: no label" in caught.value.where
    assert caught.value.where.startswith("Row 4: “p_dog” is blank")
    assert one_column(found.table, LOSS, drop=True).dropped == 2


def test_three_labels_for_one_column() -> None:
    with pytest.raises(TableError, match="has 3 different labels; one column of predictions"):
        with_losses(table(frame(PROBABILITIES, WORDS)), Roles(("p_cat",), "label"))


def test_ways_of_naming() -> None:
    assert naming_of(("a", "b"), ("b", "a")) is Naming.NAMES
    assert places_of(("prob.x.a", "prob.x.b"), ("b", "a"), Naming.NAMES) == [1, 0]
    assert naming_of(("c0", "c1", "c2"), ("2", "0")) is Naming.NAMES
    assert naming_of(("u", "v", "w"), ("2", "0")) is Naming.FROM_ZERO
    assert places_of(("u", "v", "w"), ("3", "1"), Naming.FROM_ONE) == [2, 0]
    assert places_of(("u", "v", "w"), ("30", "4", "x"), Naming.ORDER) == [1, 0, 2]
    assert naming_of(("u", "v", "w"), ("3", "7")) is None


@pytest.mark.parametrize("names", [("p_cat", "p_dog", "p_eel"), ("cat", "dog", "eel"), ("u", "v", "w")])
def test_columns_are_guessed(names: tuple[str, ...]) -> None:
    found = guess(table(frame(PROBABILITIES, WORDS, names)))
    assert found is not None
    assert (found.scores, found.label) == (names, "label")


@pytest.mark.parametrize("names", [("p_cat", "p_dog", "p_eel"), ("cat", "dog", "eel")])
def test_other_fractions_are_not_guessed_to_be_scores(names: tuple[str, ...]) -> None:
    data = frame(PROBABILITIES, WORDS, names)
    data["age"] = np.linspace(20.0, 60.0, len(data))
    found = guess(table(data))
    assert found is not None
    assert (found.scores, found.label) == (names, "label")


def test_a_thousand_classes() -> None:
    rows, classes = 300, 1000
    logits = np.random.default_rng(1).normal(size=(rows, classes)).astype(np.float32)
    data = pd.DataFrame(logits, columns=[f"logit_{place}" for place in range(classes)])
    data["label"] = np.arange(rows) * 3
    read = table(data)
    found = guess(read)
    assert found is not None
    assert len(found.scores) == classes
    expected = class_losses_from_logits(logits.astype(float), np.arange(rows) * 3)
    assert losses(with_losses(read, Roles(found.scores, "label", Scale.LOGITS))) == pytest.approx(expected, abs=1e-5)
