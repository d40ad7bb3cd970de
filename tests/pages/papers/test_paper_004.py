"""Figures of paper 004: all of Table 5 as printed, and attacks where their theory has them."""

import numpy as np
import pytest

from data import make_paper_004
from numerics import shipped
from pages.attackers.paper_tables import LEVELS, TRAINED
from pages.papers.papers import BY_ADDRESS
from tests.pages.papers.test_lecture import drawn

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
        assert drawing.at("measured", rate) == pytest.approx(drawing.at("Eq. 8, K = d", rate), abs=0.02)


def test_attack_on_a_trained_model_stays_behind_its_theory() -> None:
    drawing = drawn(BY_ADDRESS["004-fig-2b"])
    for rate in (0.1, 0.3, 0.5):
        assert drawing.at("measured", rate) > drawing.at("Eq. 8, K = d", rate) + 0.02


def test_pooled_statistics_find_more_than_pooled_p_values() -> None:
    drawing = drawn(BY_ADDRESS["004-fig-2c-simulated"])
    assert drawing.at("statistics pooled", 0.1) == pytest.approx(drawing.at("Eq. 8, K = d", 0.1), abs=0.04)
    assert drawing.at("p-values pooled", 0.1) > drawing.at("Eq. 8, K = d", 0.1) + 0.02


def test_normal_curve_is_far_off_for_two_gradients_and_eq_8_is_not() -> None:
    drawing = drawn(BY_ADDRESS["004-fig-4-batch-size"], 2.0)
    assert drawing.at("Cor. 5.1", 0.1) > drawing.at("measured", 0.1) + 0.1
    assert drawing.at("Eq. 8, K = d", 0.1) == pytest.approx(drawing.at("measured", 0.1), abs=0.05)


def test_five_steps_of_a_trained_model_find_hardly_more_than_one() -> None:
    """Sec. 6.1: "a small gain" on one data set at a rate of 0.25, "largely unaffected" on the others."""
    drawing = drawn(BY_ADDRESS["004-fig-2c-trained-model"])
    for rate in (0.1, 0.25, 0.5):
        assert drawing.at("5 steps", rate) == pytest.approx(drawing.at("one step", rate), abs=0.02)
    assert drawing.at("5 steps", 0.1) == pytest.approx(0.758, abs=5e-4)
    assert drawing.at("Eq. 8, K = d", 0.1) == pytest.approx(0.308, abs=1e-3)
    assert drawn(BY_ADDRESS["004-fig-2c-trained-model"], 10.0).at("Eq. 8, K = d", 0.1) < 0.12


def test_losses_tell_less_than_gradients_until_the_model_has_learned_its_records() -> None:
    """C.4: at a rate of 0.01 they "work substantially less reliably", later they "slowly start working"."""
    entry, found = BY_ADDRESS["004-fig-6"], []
    for steps in (5.0, 50.0, 500.0):
        drawing = drawn(entry, steps)
        found.append(drawing.at(f"losses, {steps:g} steps", 0.01))
    gradients = drawn(entry).at("gradients, 5 steps", 0.01)
    assert found == pytest.approx([0.02, 0.027, 0.058], abs=1.5e-3)
    assert gradients == pytest.approx(0.04, abs=1.5e-3)
    assert found[0] < gradients < found[2]


def test_shipped_measurements_are_what_their_script_makes() -> None:
    for name, made in (
        ("paper_004_fig_2c", make_paper_004.gradient_rows(steps=(1,))),
        ("paper_004_fig_6", make_paper_004.loss_rows(steps=(5,))),
    ):
        for row, held in zip(made, shipped.rows(name), strict=False):
            assert list(row) == pytest.approx([float(cell) for cell in held.values()], rel=1e-5)


def test_likelihood_ratios_of_normal_values_reach_the_curve_of_normal_laws() -> None:
    """Members are shifted by one standard deviation: at a rate of 0.1 a share Phi(Phi^-1(0.1) + 1) = 0.389 is found."""
    draw = np.random.default_rng(0)
    members = draw.random((400, 300)) < 0.5
    ratio = make_paper_004.log_ratios(draw.standard_normal(members.shape) + members, members)
    assert np.mean(ratio[members] > np.quantile(ratio[~members], 0.9)) == pytest.approx(0.389, abs=0.01)
    nothing = make_paper_004.log_ratios(draw.standard_normal(members.shape), members)
    assert np.mean(nothing[members] > np.quantile(nothing[~members], 0.9)) == pytest.approx(0.1, abs=0.01)


@pytest.mark.parametrize(("case", "values"), [("batch-size", (5.0, 20.0, 50.0)), ("uniform-law", (2.0, 5.0, 50.0))])
def test_ablations_lie_on_eq_8_on_both_kinds_of_axes(case: str, values: tuple[float, ...]) -> None:
    for value in values:
        linear, log = (drawn(BY_ADDRESS[f"004-fig-4-{case}{end}"], value) for end in ("", "-logarithmic"))
        for rate in (0.1, 0.3, 0.6):
            assert linear.at("measured", rate) == pytest.approx(linear.at("Eq. 8, K = d", rate), abs=0.025)
        assert log.at("measured", 0.1) == pytest.approx(1.0 - linear.at("measured", 0.1), abs=0.02)


def test_membership_privacy_asks_for_the_noise_of_differential_privacy_and_then_for_none() -> None:
    entry = BY_ADDRESS["004-fig-3"]
    assert "GDP, noise 3.04" in drawn(entry).alt
    assert "GMIP, noise 3.04" in drawn(entry).alt
    assert "GMIP, noise 2.54" in drawn(entry, 1.11).alt
    assert "GMIP, noise 0:" in drawn(entry, 1.43).alt
