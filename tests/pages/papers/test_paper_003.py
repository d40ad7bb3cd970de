"""Figures of paper 003: what is shipped is what its script makes, and what the paper says of them in words holds."""

import numpy as np
import pytest

from data import make_reconstruction_over_effects
from numerics import shipped
from numerics.reconstruction.published import shipped_estimates
from pages.papers.papers import BY_ADDRESS
from tests.pages.papers.test_lecture import drawn

OFF = 0.01  # of estimates, where the paper sees none


def test_shipped_ground_truth_is_what_its_script_makes() -> None:
    effect = make_reconstruction_over_effects.EFFECTS[9]
    made = make_reconstruction_over_effects.rows(effect)
    kept = [row for row in shipped.rows("reconstruction_over_effects") if float(row["effect"]) == effect]
    for own, row in zip(made, kept, strict=True):
        assert [float(cell) for cell in row.values()] == pytest.approx(list(own), rel=1e-5)


@pytest.mark.parametrize(("slug", "places"), [("003-fig-1a", (0.65, 1.3, 1.95)), ("003-fig-1b", (0.2, 0.4))])
def test_edgeworth_as_the_paper_has_it_matches_the_ground_truth(slug: str, places: tuple[float, ...]) -> None:
    drawing = drawn(BY_ADDRESS[slug])
    for place in places:
        assert drawing.at("Edgeworth, N^(-3/2)", place) == pytest.approx(drawing.at("ground truth", place), abs=OFF)


def test_closed_form_of_gaussian_noise_has_the_root_of_the_steps_alone() -> None:
    drawing = drawn(BY_ADDRESS["003-fig-1c"])
    # 100 steps of effect 0.25: power at 0.1 of normals 2.5 apart, from a table of the normal law (correction 38)
    assert drawing.at("ground truth", 0.25) == pytest.approx(0.8885, abs=5e-4)


def test_the_clt_is_no_bound_where_the_rate_is_low() -> None:
    drawing = drawn(BY_ADDRESS["003-fig-1d"])
    assert drawing.at("CLT", 4.0) > drawing.at("ground truth", 4.0) + 0.2
    assert drawing.at("CLT", 2.0) < drawing.at("ground truth", 2.0)


def test_at_one_epsilon_the_smallest_rate_gives_away_least_at_a_tenth() -> None:
    """Fig. 1f: "for kappa = 0.1, gamma is lower at p = 0.1 compared to 0.9"."""
    few, many = (drawn(BY_ADDRESS["003-fig-1f"], steps) for steps in (100.0, 10_000.0))
    assert few.at("p = 0.1", 0.1) < few.at("p = 0.5", 0.1) < few.at("p = 0.9", 0.1)
    assert many.at("p = 0.1", 0.1) == pytest.approx(many.at("p = 0.9", 0.1), abs=1e-3)


def test_profiles_meet_at_the_shared_epsilon_and_are_nearly_one_after_many_steps() -> None:
    one, many = (drawn(BY_ADDRESS["003-fig-3-privacy-profile"], steps) for steps in (1.0, 10_000.0))
    for drawing in (one, many):
        for rate in (0.1, 0.5, 0.9):
            assert drawing.at(f"p = {rate:g}", 4.0) == pytest.approx(1e-5, rel=0.02)
    assert one.at("p = 0.1", 1.0) < 0.1 * one.at("p = 0.9", 1.0)
    # Correction 43: equal to 0.4 %, not identical.
    assert [many.at(f"p = {rate:g}", 1.0) for rate in (0.1, 0.5, 0.9)] == pytest.approx(
        [0.10091, 0.10128, 0.10132], abs=2e-5
    )


@pytest.mark.parametrize("letter", ["b", "c", "d"])
def test_monte_carlo_falls_to_nothing_where_everything_is_reconstructed(letter: str) -> None:
    drawing = drawn(BY_ADDRESS[f"003-fig-1{letter}"])
    names, _, effect, found = drawing.columns.values()
    few = np.array(names) == "too few draws"
    last = np.asarray(effect, dtype=float)[few][-1]
    assert np.asarray(found, dtype=float)[few][-1] < 1e-3
    assert drawing.at("ground truth", last) > 0.9999
    assert BY_ADDRESS[f"003-fig-1{letter}"].printed[0].value in (100.0, 1e8)


@pytest.mark.parametrize("letter", ["a", "b", "c"])
def test_monte_carlo_lies_on_the_drawn_truth_where_enough_draws_count(letter: str) -> None:
    drawing = drawn(BY_ADDRESS[f"003-fig-1{letter}"])
    points = [point for point in shipped_estimates() if point.panel == letter and point.usable]
    assert len(points) >= 5
    for point in points:
        assert drawing.at("Monte Carlo", point.effect) == pytest.approx(point.estimate)
        off = abs(point.estimate - drawing.at("ground truth", point.effect))
        assert off < 5.0 * point.standard_error + 1e-3  # of chords between the drawn points


def test_who_is_never_sampled_is_safe_whatever_the_effect() -> None:
    drawing = drawn(BY_ADDRESS["003-fig-1d"])
    assert 1.0 - drawing.at("ground truth", 3000.0) == pytest.approx(0.999**10_000, rel=2e-3)


def test_a_rare_guess_at_imagenet_is_right_hundreds_of_times_as_often() -> None:
    drawing = drawn(BY_ADDRESS["003-fig-2-imagenet"])
    assert drawing.at("ground truth", 1e-6) / 1e-6 == pytest.approx(440, rel=0.02)
