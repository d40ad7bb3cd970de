"""Figures of paper 002: what the paper says of them in words, by numbers that are found in other ways."""

from math import comb, exp, sqrt

import numpy as np
import pytest
from scipy import stats

from numerics.membership import noise_scale, worst_case_data
from pages.papers.papers import BY_ADDRESS
from tests.pages.papers.test_lecture import drawn

INTERPOLATED = 3e-3  # between two points of a line that bends


@pytest.mark.parametrize("records", [36, 40, 48])
def test_from_36_records_and_an_eta_of_a_hundredth_on_the_paper_takes_less_noise(records: int) -> None:
    """Section 4: "for even small datasets (n >= 36) and for eta >= 0.01 ... a large advantage"; nearly up to 1/2."""
    drawing = drawn(BY_ADDRESS["002-fig-1"], records)
    for eta in (0.0101, 0.03, 0.1, 0.3):
        assert drawing.at("DP", eta) > 3.0 * drawing.at("paper, σ = 1", eta)


def test_noise_of_differential_privacy_follows_its_sensitivity() -> None:
    drawing = drawn(BY_ADDRESS["002-fig-1"], 36)
    for eta in (1e-5, 0.45):
        epsilon = 4.0 * eta if eta < 1e-3 else 2.9444390  # log 19; in the limit of small eta, eta is epsilon / 4
        assert drawing.at("DP", eta) == pytest.approx(sqrt(comb(36, 18)) / epsilon, rel=1e-6)


def test_a_pool_of_twenty_needs_less_noise_by_differential_privacy_throughout() -> None:
    drawing = drawn(BY_ADDRESS["002-fig-1"], 20)
    assert "nowhere" in drawing.alt
    for eta in (1e-4, 1e-2, 0.45):
        assert drawing.at("DP", eta) < drawing.at("paper, σ = 1", eta)


def test_noise_for_36_records_at_a_hundredth_is_what_the_correction_says() -> None:
    """Corrections 32 and 36: 2.3813e6 by differential privacy, 3.795e5 by the paper; 1 / -log(.98) by one swap."""
    assert noise_scale.private_scale(0.01, worst_case_data.sensitivity(36)) == pytest.approx(2.3813e6, rel=1e-3)
    assert noise_scale.corollary_14_scale(0.01, 1.0) == pytest.approx(3.795e5, rel=1e-3)
    drawing = drawn(BY_ADDRESS["002-fig-1"])
    assert "for 0.01, DP 2.38e+06, paper, σ = 1 3.79e+05" in drawing.alt
    assert drawing.at("one-swap bound, σ = 1", 0.01) == pytest.approx(49.498, rel=INTERPOLATED)


def test_estimated_noise_gives_a_far_record_away_however_many_halves_there_are() -> None:
    """Two known Laplace scales 40 apart are told apart with 0.444, by the crossing of their densities."""
    drawing = drawn(BY_ADDRESS["002-alg-1-claim-and-attack"], 100)
    cross = np.log(40.0) * 40.0 / 39.0
    told = 0.5 * (stats.laplace.cdf(cross) - stats.laplace.cdf(cross / 40.0)) * 2.0
    for budget in (20.0, 50.0, 100.0, 200.0):
        assert drawing.at("attack", budget) == pytest.approx(told, abs=0.03)
    assert drawing.at("asked for", 100.0) == 0.1
    assert drawing.at("spread known", 100.0) == pytest.approx(0.00013, abs=5e-6)
    assert 0.00012 < drawing.at("spread known", 100.0) <= drawing.at("spread known, one-swap bound", 100.0) < 0.0002


def test_estimated_noise_keeps_the_claim_where_no_record_is_far() -> None:
    drawing = drawn(BY_ADDRESS["002-alg-1-claim-and-attack"], 3)
    for budget in (2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0):
        assert drawing.at("attack", budget) < 0.1


def test_too_small_an_estimate_is_as_frequent_as_in_simulated_runs() -> None:
    drawing = drawn(BY_ADDRESS["002-alg-1-finite-b"])
    spreads = np.random.default_rng(1).standard_normal((50_000, 10)).std(axis=1)
    assert drawing.at("halves of all", 10.0) == pytest.approx(np.mean(spreads < 1.0), abs=0.01)
    assert drawing.at("halves of the half", 10.0) == pytest.approx(np.mean(sqrt(2.0) * spreads < 1.0), abs=0.01)


@pytest.mark.parametrize("lie", [0.0, 0.2, 0.5])
def test_two_releases_that_tell_nothing_tell_the_members_where_both_are_told(lie: float) -> None:
    """Only where both are told anything is learned, and then as much as the second's bit is worth."""
    drawing = drawn(BY_ADDRESS["002-sec-5-composition"], lie)
    for chance in (0.0, 0.5, 1.0):
        for name in ("first alone", "second alone"):
            assert drawing.at(name, chance) == pytest.approx(0.0, abs=1e-12)
        assert drawing.at("both together", chance) == pytest.approx(chance**2 * (0.5 - lie), abs=1e-12)


@pytest.mark.parametrize("share", [0.01, 0.5])
def test_limits_after_every_output_move_the_odds_by_no_more_than_epsilon(share: float) -> None:
    drawing = drawn(BY_ADDRESS["002-prop-6"], share)
    for name, sign in (("most", 1.0), ("least", -1.0)):
        posterior = drawing.at(name, 2.0)
        odds = share / (1.0 - share) * exp(sign * 2.0)
        assert posterior / (1.0 - posterior) == pytest.approx(odds, rel=1e-9)
        if share == 0.5:
            assert any(value == pytest.approx(posterior) for value in drawing.columns["P(in | output)"][-8:])


def test_gain_over_the_constant_answer_begins_where_epsilon_overcomes_the_odds() -> None:
    drawing = drawn(BY_ADDRESS["002-theorem-4"], 0.1)
    assert drawing.at("0.1 drawn", 2.1) == 0.0  # log 9 = 2.197
    assert drawing.at("0.1 drawn", 4.0) == pytest.approx(0.1 - 1.0 / (1.0 + exp(4.0)), abs=1e-9)
    assert drawing.at("half drawn", 1.0) == pytest.approx(1.0 / (1.0 + exp(-1.0)) - 0.5, abs=1e-12)


def test_a_release_of_one_subset_has_a_small_eta_and_exposes_in_the_end() -> None:
    drawing = drawn(BY_ADDRESS["002-theorem-5"], 100_000)
    assert drawing.at("η", 20.0) == pytest.approx(1.0 / comb(20, 10), rel=1e-9)
    assert drawing.at("exposed", 20.0) == pytest.approx(0.42, abs=0.005)
    assert drawing.at("exposed", 20.0) == pytest.approx(1.0 - exp(-1e5 / comb(20, 10)), rel=1e-4)
    for size in (2, 6, 12):
        assert drawing.at("η, counted", size) == pytest.approx(drawing.at("η", size), abs=1e-12)
        assert drawing.at("P(in), accused", size) == 1.0


@pytest.mark.parametrize("epsilon", [0.25, 1.0, 4.0])
def test_rates_differ_by_twice_eta_on_the_tight_example(epsilon: float) -> None:
    """Theorem 8 with correction 28: the example's likelihood ratio is e^epsilon or e^-epsilon, so its gap is tanh."""
    drawing = drawn(BY_ADDRESS["002-theorem-8"], epsilon)
    false = 1.0 / (1.0 + exp(epsilon))
    assert drawing.at("best attack", false) == pytest.approx(1.0 - false, abs=1e-12)
    assert drawing.at("FPR + 2η", false) == pytest.approx(1.0 - false, abs=1e-12)
    assert drawing.at("FPR + η, as stated", false) == pytest.approx(0.5, abs=1e-12)
    assert drawing.at("best attack", 0.5 * false) < drawing.at("FPR + 2η", 0.5 * false)
