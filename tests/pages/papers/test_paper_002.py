"""Figures of paper 002: what the paper says of them in words, by numbers that are found in other ways."""

from math import comb, sqrt

import pytest

from numerics.membership import noise_scale, worst_case_data
from pages.papers.papers import BY_ADDRESS
from tests.pages.papers.test_lecture import drawn
from tests.pages.papers.test_paper_003 import at


@pytest.mark.parametrize("records", [36, 40, 48])
def test_from_36_records_and_an_eta_of_a_hundredth_on_the_paper_takes_less_noise(records: int) -> None:
    """Section 4: "for even small datasets (n >= 36) and for eta >= 0.01 ... a large advantage"; nearly up to 1/2."""
    drawing = drawn(BY_ADDRESS["002-fig-1"], records)
    for eta in (0.0101, 0.03, 0.1, 0.3):
        assert at(drawing, "DP", eta) > 3.0 * at(drawing, "paper, σ = 1", eta)


def test_noise_of_differential_privacy_follows_its_sensitivity() -> None:
    drawing = drawn(BY_ADDRESS["002-fig-1"], 36)
    for eta in (1e-5, 0.45):
        epsilon = 4.0 * eta if eta < 1e-3 else 2.9444390  # log 19; in the limit of small eta, eta is epsilon / 4
        assert at(drawing, "DP", eta) == pytest.approx(sqrt(comb(36, 18)) / epsilon, rel=1e-6)


def test_a_pool_of_twenty_needs_less_noise_by_differential_privacy_throughout() -> None:
    drawing = drawn(BY_ADDRESS["002-fig-1"], 20)
    assert "nowhere" in drawing.alt
    for eta in (1e-4, 1e-2, 0.45):
        assert at(drawing, "DP", eta) < at(drawing, "paper, σ = 1", eta)


def test_noise_for_36_records_at_a_hundredth_is_what_the_correction_says() -> None:
    """Corrections 32 and 36: 2.3813e6 by differential privacy, 3.795e5 by the paper, 49.99 by the sharp bound."""
    assert noise_scale.private_scale(0.01, worst_case_data.sensitivity(36)) == pytest.approx(2.3813e6, rel=1e-3)
    assert noise_scale.corollary_14_scale(0.01, 1.0) == pytest.approx(3.795e5, rel=1e-3)
    assert "for 0.01, DP 2.38e+06, paper, σ = 1 3.79e+05" in drawn(BY_ADDRESS["002-fig-1"]).alt
