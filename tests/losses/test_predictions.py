"""Losses from predictions and labels in columns of a table: which columns are meant, and what they may hold."""

import io
import math

import numpy as np
import pandas as pd
import pytest

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
from numerics.epsilon_star.predictions import class_losses_from_logits

N = 60
RNG = np.random.default_rng(8)
LABEL = np.arange(N) % 3
WORDS = np.array(["cat", "dog", "eel"])[LABEL]
LOGITS = RNG.normal(0, 3, (N, 3))
PROBABILITIES = np.exp(LOGITS) / np.exp(LOGITS).sum(axis=1, keepdims=True)
EXPECTED = class_losses_from_logits(LOGITS, LABEL)
NAMES = ("p_cat", "p_dog", "p_eel")
ROLES = Roles(NAMES, "label")
PRECISION: dict[type, float] = {np.float32: 1e-5, np.float64: 1e-9}  # of losses from numbers stored so


def table(frame: pd.DataFrame, kind: str = "csv") -> LossTable:
    if kind == "csv":
        return read_predictions(frame.to_csv(index=False).encode())
    out = io.BytesIO()
    frame.to_parquet(out, index=False)
    return read_predictions(out.getvalue())


def frame(scores: np.ndarray = PROBABILITIES, label: object = WORDS, names: tuple[str, ...] = NAMES) -> pd.DataFrame:
    columns = dict(zip(names, scores.T, strict=True))
    return pd.DataFrame({**columns, "label": label, "member": np.where(np.arange(N) % 2, "in", "out")})


def losses(predicted: Predicted) -> np.ndarray:
    return predicted.table.number(LOSS).values


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("label", [WORDS, LABEL, LABEL + 1, LABEL * 10.0], ids=lambda one: str(one[1]))
def test_labels_name_columns_in_four_ways(kind: str, label: np.ndarray) -> None:
    found = with_losses(table(frame(label=label), kind), ROLES)
    assert losses(found) == pytest.approx(EXPECTED, abs=1e-9)
    assert found.clipped == 0
    assert [column.name for column in found.table.labels] == ["member"]
    groups = split(found.table, LOSS, "member", "in")
    assert groups.train == pytest.approx(np.sort(EXPECTED[1::2]), abs=1e-9)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("dtype", PRECISION)
def test_logits_and_one_column_of_probabilities(kind: str, dtype: type) -> None:
    """Zero and one are cut where the numbers end: half of an answer's spacing from them."""
    found = with_losses(table(frame(LOGITS.astype(dtype)), kind), Roles(NAMES, "label", PredictionScale.LOGITS))
    assert losses(found) == pytest.approx(EXPECTED, abs=PRECISION[dtype])
    logit = RNG.normal(0, 4, N)
    probability: np.ndarray = np.asarray(1 / (1 + np.exp(-logit)), dtype=dtype)
    probability[:2] = 0, 1
    columns = {"p": probability, "y": np.arange(N) % 2, "fold": np.arange(N) % 5, "age": np.arange(N) + 0.5}
    found = with_losses(table(pd.DataFrame(columns), kind), Roles(("p",), "y"))
    assert {column.name for column in found.table.labels} == {"fold", "age"}  # of few rows, each may be labels
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


def first_row(*cells: str) -> pd.DataFrame:
    """The table with other cells in its first row."""
    data = frame().astype(dict.fromkeys(NAMES, str))
    data.loc[0, list(NAMES)] = list(cells)
    return data


SHRUNK = PROBABILITIES.copy()
SHRUNK[4] *= 0.9
# Three probabilities with two digits miss 1 by .015 at most, and this row misses .03.
TWO_DIGITS = pd.DataFrame(
    [["0.34", "0.33", "0.33", "cat"]] * 40 + [["0.33", "0.32", "0.32", "dog"]], None, [*NAMES, "label"]
)


@pytest.mark.parametrize(
    ("data", "roles", "what", "where"),
    [
        (frame(label=WORDS == "x"), ROLES, "do not name the 3 columns", ""),
        (frame(LOGITS), ROLES, "between 0 and 1", "Row 1 has "),
        (frame(SHRUNK), ROLES, "do not sum to 1", "row 5 they sum to 0.9"),
        (TWO_DIGITS, ROLES, "do not sum to 1", "row 41 they sum to 0.97"),
        (first_row("0.999970", "1.00001e-05", "1e-08"), ROLES, "do not sum to 1", "row 1 they sum to 0.99998001"),
        (frame(), Roles(("p_cat",), "label"), "3 different labels; one column of predictions", ""),
    ],
    ids=["labels", "logits", "a row", "two digits", "nearly", "one column"],
)
def test_predictions_that_cannot_be(data: pd.DataFrame, roles: Roles, what: str, where: str) -> None:
    with pytest.raises(TableError) as caught:
        with_losses(table(data), roles)
    assert what in caught.value.what
    assert where in caught.value.where
    assert ("logits" in caught.value.remedy) == bool(where)


def test_rounded_probabilities_may_miss_one() -> None:
    """With the zeros at their ends or, as ``to_csv`` writes them after ``round``, without; with ``%g`` as well."""
    rounded = table(frame().round(3).map(lambda cell: f"{cell:.3f}" if isinstance(cell, float) else cell))
    assert np.median(np.abs(losses(with_losses(rounded, ROLES)) - EXPECTED)) < 0.01
    assert rounded.number("p_cat").unit == 1e-3
    for data in (frame().round(3), first_row("0.999980", "1.23456e-05", "3.6544e-06")):
        assert np.isfinite(losses(with_losses(table(data), ROLES))).all()


def test_rows_without_a_score_or_a_label_can_be_left_out() -> None:
    data = frame()
    data.loc[3, "p_dog"] = np.nan
    data.loc[5, "label"] = None
    found = with_losses(table(data), ROLES)
    with pytest.raises(TableError, match="2 cells") as caught:
        one_column(found.table, LOSS)
    assert "row 6: no label" in caught.value.where
    assert caught.value.where.startswith("Row 4: “p_dog” is blank")
    assert one_column(found.table, LOSS, drop=True).dropped == 2


def test_ways_of_naming() -> None:
    assert naming_of(("a", "b"), ("b", "a")) is Naming.NAMES
    assert places_of(("prob.x.a", "prob.x.b"), ("b", "a"), Naming.NAMES) == [1, 0]
    assert naming_of(("c0", "c1", "c2"), ("2", "0")) is Naming.NAMES
    assert naming_of(("u", "v", "w"), ("2", "0")) is Naming.FROM_ZERO
    assert places_of(("u", "v", "w"), ("3", "1"), Naming.FROM_ONE) == [2, 0]
    assert places_of(("u", "v", "w"), ("30", "4", "x"), Naming.ORDER) == [1, 0, 2]
    assert naming_of(("u", "v", "w"), ("3", "7")) is None


@pytest.mark.parametrize("names", [NAMES, ("cat", "dog", "eel"), ("u", "v", "w")])
def test_columns_are_guessed(names: tuple[str, ...]) -> None:
    """Other fractions are no scores where names tell."""
    data = frame(names=names)
    for more in ({}, {"age": np.linspace(20.0, 60.0, N)} if names[0] != "u" else {}):
        found = guess(table(data.assign(**more)))
        assert found is not None
        assert (found.scores, found.label) == (names, "label")


def test_a_thousand_classes() -> None:
    rows, classes = 300, 1000
    logits = np.random.default_rng(1).normal(size=(rows, classes)).astype(np.float32)
    data = pd.DataFrame(logits, columns=[f"logit_{place}" for place in range(classes)])
    read = table(data.assign(label=np.arange(rows) * 3), "parquet")
    found = guess(read)
    assert found is not None
    assert len(found.scores) == classes
    expected = class_losses_from_logits(logits.astype(float), np.arange(rows) * 3)
    predicted = with_losses(read, Roles(found.scores, "label", PredictionScale.LOGITS))
    assert losses(predicted) == pytest.approx(expected, abs=PRECISION[np.float32])
