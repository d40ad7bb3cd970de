"""Figures of paper 001: what they say in words holds of what is drawn."""

import pytest

from pages.papers.papers import BY_ADDRESS
from tests.pages.papers.test_lecture import drawn
from tests.pages.papers.test_paper_003 import at


def test_printed_baselines_are_drawn() -> None:
    columns = drawn(BY_ADDRESS["001-fig-1-printed"]).columns
    assert list(columns["ε*, as printed (estimate)"]) == [2.48, 7.06, 7.79]
    assert list(columns["Accuracy"]) == [0.86, 0.904, 0.906]


def test_cut_truth_of_gamma_laws_is_far_below_the_true_one() -> None:
    """Correction 23: 5.5518 and, cut at 0.001, 2.7721 at distance 1; 18.6367 and 5.1334 at distance 3."""
    drawing = drawn(BY_ADDRESS["001-fig-5"])
    for distance, exact, cut in ((1.0, 5.5518, 2.7721), (2.0, 11.9150, 4.2393), (3.0, 18.6367, 5.1334)):
        assert at(drawing, "truth", distance) == pytest.approx(exact, abs=1e-3)
        assert at(drawing, "“truth”, cut at 0.001", distance) == pytest.approx(cut, abs=1e-3)
        assert at(drawing, "counted", distance) == pytest.approx(cut, abs=0.2)


def test_every_estimate_of_nothing_is_above_it_and_the_bound_is_not() -> None:
    drawing = drawn(BY_ADDRESS["001-fig-4"])
    assert at(drawing, "truth", 1000.0) == 0.0
    assert at(drawing, "counted", 1000.0) > 1.0
    assert at(drawing, "normal fits", 1000.0) > 0.3
    assert at(drawing, "lower bound", 1000.0) == 0.0
