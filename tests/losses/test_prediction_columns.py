"""Losses from predictions and labels in columns of a table: which columns are meant, and what they may hold."""

import io
import math

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from losses import (
    LOSS,
    LossTable,
    Naming,
    Predicted,
    PredictionScale,
    Roles,
    TableError,
    guess,
    one_column,
    read_predictions,
    split,
    with_losses,
)
from losses.classes import naming_of, places_of
from numerics.epsilon_star.predictions import (
    class_losses_from_logits,
)

RNG = np.random.default_rng(8)
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
    found = with_losses(read, Roles(("p_cat", "p_dog", "p_eel"), "label", PredictionScale.LOGITS))
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
        with_losses(read, Roles(("score",), "target", PredictionScale.LOGITS))
    good, bad = (
        losses(with_losses(read, Roles(("score",), "target", PredictionScale.LOGITS, one))) for one in ("good", "bad")
    )
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


def test_rounded_probabilities_may_miss_one_without_the_zeros_at_their_ends() -> None:
    """``to_csv`` after ``round`` writes .1 for .100."""
    data = frame(PROBABILITIES, WORDS).round(3)
    assert np.isfinite(losses(with_losses(table(data), Roles(("p_cat", "p_dog", "p_eel"), "label")))).all()


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
    assert losses(with_losses(read, Roles(found.scores, "label", PredictionScale.LOGITS))) == pytest.approx(
        expected, abs=1e-5
    )
