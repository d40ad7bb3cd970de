"""Figures of paper 004: all of Table 5 as printed, and attacks where their theory has them."""

import numpy as np
import pytest

from pages.attackers.paper_tables import LEVELS, TRAINED
from pages.papers.papers import BY_ADDRESS
from tests.pages.papers.test_lecture import drawn
from tests.pages.papers.test_paper_003 import at

HALF_A_UNIT = 0.005 + 1e-9


@pytest.mark.parametrize("data", TRAINED)
def test_every_cell_of_table_5_is_as_printed(data: str) -> None:
    columns = drawn(BY_ADDRESS[f"004-table-5-{data.lower()}"]).columns
    names, _, mu, noise = columns.values()
    of = {name: np.asarray(noise, dtype=float)[np.array(names) == name] for name in dict.fromkeys(names)}
    assert np.asarray(mu, dtype=float)[np.array(names) == "DP"] == pytest.approx(LEVELS)
    for notion in ("DP", "MIP"):
        assert len(of[notion]) == 20
        assert np.max(np.abs(of[notion] - of[f"{notion}, printed"])) <= HALF_A_UNIT


def test_attack_on_known_gradients_reaches_eq_8() -> None:
    drawing = drawn(BY_ADDRESS["004-fig-2a"])
    for rate in (0.1, 0.3, 0.5, 0.9):
        assert at(drawing, "measured", rate) == pytest.approx(at(drawing, "Eq. 8, K = d", rate), abs=0.02)


def test_attack_on_a_trained_model_stays_behind_its_theory() -> None:
    drawing = drawn(BY_ADDRESS["004-fig-2b"])
    for rate in (0.1, 0.3, 0.5):
        assert at(drawing, "measured", rate) > at(drawing, "Eq. 8, K = d", rate) + 0.02


def test_pooled_statistics_find_more_than_pooled_p_values() -> None:
    drawing = drawn(BY_ADDRESS["004-fig-2c"])
    assert at(drawing, "statistics pooled", 0.1) == pytest.approx(at(drawing, "Eq. 8, K = d", 0.1), abs=0.04)
    assert at(drawing, "p-values pooled", 0.1) > at(drawing, "Eq. 8, K = d", 0.1) + 0.02


def test_normal_curve_is_far_off_for_two_gradients_and_eq_8_is_not() -> None:
    drawing = drawn(BY_ADDRESS["004-fig-4-batch-size"], 2.0)
    assert at(drawing, "Cor. 5.1", 0.1) > at(drawing, "measured", 0.1) + 0.1
    assert at(drawing, "Eq. 8, K = d", 0.1) == pytest.approx(at(drawing, "measured", 0.1), abs=0.05)
