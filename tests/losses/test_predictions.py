"""Losses from predictions and labels in columns of a table: which columns are meant, and what they may hold."""

import math

import numpy as np
import pandas as pd
import pytest

from losses import (
    LOSS,
    LossTable,
    PredictionScale,
    Roles,
    TableError,
    guess,
    read_predictions,
    seen_scale,
    split,
    with_losses,
)
from numerics.epsilon_star.scores import class_losses_from_logits
from numerics.trade_off import Floats

N = 60
RNG = np.random.default_rng(8)
LABEL = np.arange(N) % 3
WORDS = np.array(["cat", "dog", "eel"])[LABEL]
LOGITS = RNG.normal(0, 3, (N, 3))
PROBABILITIES = np.exp(LOGITS) / np.exp(LOGITS).sum(axis=1, keepdims=True)
EXPECTED = class_losses_from_logits(LOGITS, LABEL)
NAMES = ("p_cat", "p_dog", "p_eel")
ROLES, OF_LOGITS, PROBABILITY = Roles(NAMES, "label"), PredictionScale.LOGITS, PredictionScale.PROBABILITIES
EXACT = 1e-9  # of losses from numbers in double precision


def table(frame: pd.DataFrame, kind: str = "csv") -> LossTable:
    data = frame.to_csv(index=False).encode() if kind == "csv" else frame.to_parquet(index=False)
    assert data is not None
    return read_predictions(data)


def frame(scores: np.ndarray = PROBABILITIES, label: object = WORDS, names: tuple[str, ...] = NAMES) -> pd.DataFrame:
    columns = dict(zip(names, scores.T, strict=True))
    return pd.DataFrame({**columns, "label": label, "member": np.where(np.arange(N) % 2, "in", "out")})


def losses(data: pd.DataFrame, roles: Roles = ROLES, kind: str = "csv") -> Floats:
    return with_losses(table(data, kind), roles).table.number(LOSS).values


@pytest.mark.parametrize("label", [WORDS, LABEL, LABEL + 1, LABEL * 10.0], ids=lambda one: str(one[1]))
def test_labels_name_columns_in_four_ways(label: np.ndarray) -> None:
    """By name, counted from 0 or from 1, or in their order."""
    for kind, names in (("csv", NAMES), ("parquet", ("u", "v", "w") if label is not WORDS else NAMES)):
        found = with_losses(table(frame(label=label, names=names), kind), Roles(names, "label"))
        groups = split(found.table, LOSS, "member", "in")
        assert groups.train == pytest.approx(np.sort(EXPECTED[1::2]), abs=EXACT)
        assert groups.population == pytest.approx(np.sort(EXPECTED[::2]), abs=EXACT)
        assert found.clipped == 0


@pytest.mark.parametrize(("dtype", "digits"), [(np.float32, 24), (np.float64, 53)])
def test_logits_and_one_column_of_probabilities(dtype: type, digits: int) -> None:
    """Zero and one are cut where the numbers end: half of an answer's spacing from them."""
    near = 1e-5 if digits == 24 else EXACT
    roles = Roles(NAMES, "label", OF_LOGITS)
    for scores, scale in ((LOGITS, OF_LOGITS), (100.0 * PROBABILITIES, PROBABILITY), (PROBABILITIES, PROBABILITY)):
        assert seen_scale(table(frame(scores)), NAMES) is scale, "percentages are no logits"
    assert losses(frame(LOGITS.astype(dtype)), roles, "parquet") == pytest.approx(EXPECTED, abs=near)
    logit = RNG.normal(0, 4, N)
    probability: np.ndarray = np.asarray(1 / (1 + np.exp(-logit)), dtype=dtype)
    probability[:2] = 0, 1
    columns = {"p": probability, "y": np.arange(N) % 2, "age": np.arange(N) + 0.5}
    found = with_losses(table(pd.DataFrame(columns), "parquet"), Roles(("p",), "y"))
    values = found.table.number(LOSS).values
    assert found.clipped == 2
    assert values[:2] == pytest.approx([-math.log(2.0**digits - 1)] * 2, rel=EXACT)
    assert values[2:] == pytest.approx(np.where(np.arange(N) % 2, -logit, logit)[2:], abs=5_000 * near)


def test_rounded_probabilities_may_miss_one_and_rows_without_a_score_or_a_label_may_be_left_out() -> None:
    """As ``to_csv`` writes them after ``round``, or ``%g``."""
    assert np.median(np.abs(losses(frame().round(3)) - EXPECTED)) < 0.01
    data = frame().astype(dict.fromkeys(NAMES, str))
    data.loc[0, list(NAMES)] = ["0.999980", "1.23456e-05", "3.6544e-06"]
    assert np.isfinite(losses(data)).all()
    data = frame()
    data.loc[3, "p_dog"] = np.nan
    data.loc[5, "label"] = None
    found = with_losses(table(data), ROLES).table
    with pytest.raises(TableError, match="2 cells") as caught:
        split(found, LOSS, "member", "in")
    assert "row 6: no label" in caught.value.where
    assert caught.value.where.startswith("Row 4: “p_dog” is blank")
    assert split(found, LOSS, "member", "in", drop=True).dropped == 2


def test_columns_are_guessed_by_name_or_as_all_fractions_and_hundreds_of_them() -> None:
    for names in (NAMES, ("cat", "dog", "eel"), ("u", "v", "w")):
        more = {"age": np.linspace(20.0, 60.0, N)} if names[0] != "u" else {}  # other fractions are no scores
        found = guess(table(frame(names=names).assign(**more)))
        assert found is not None
        assert (found.scores, found.label) == (names, "label")
    logits, labels = RNG.normal(size=(20, 300)), np.arange(20) * 15
    data = pd.DataFrame(logits, columns=[f"logit_{place}" for place in range(300)]).assign(label=labels)
    found = guess(table(data, "parquet"))
    assert found is not None
    expected = class_losses_from_logits(logits, labels)
    roles = Roles(found.scores, found.label, OF_LOGITS)
    assert losses(data, roles, "parquet") == pytest.approx(expected, abs=EXACT)
