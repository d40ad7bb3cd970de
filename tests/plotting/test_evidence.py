"""Figures of the evidence: hills that keep their mass, and single releases drawn from their law."""

import numpy as np
import pytest

from numerics.mechanisms import Gaussian, Laplace
from numerics.privacy_loss.certified_loss import StatisticLaw
from numerics.trade_off import Order
from plotting import theme
from plotting.densities import densities_figure, hill, run_releases
from tests.plotting.test_plotting import check_validity, traces

RUNS = 20_000

SUM_OF_BINS = 1e-12  # a density of two exact bins


def test_hill_keeps_its_mass_and_is_cut_at_the_threshold() -> None:
    loss = np.linspace(-2.0, 2.0, 9)
    cut = hill(loss, np.full(9, 1 / 9), 0.75)
    assert cut.density.sum() * 0.5 == pytest.approx(1.0, abs=SUM_OF_BINS)
    assert cut.judged_loss.tolist() == [0.75, 1.0, 1.5, 2.0]
    assert hill(loss, np.full(9, 1 / 9), 5.0).judged_density.tolist() == [0.0]


def test_a_test_that_clears_is_cut_on_the_other_side() -> None:
    loss = np.linspace(-2.0, 2.0, 9)
    cut = hill(loss, np.full(9, 1 / 9), -0.75, clears=True)
    assert cut.judged_loss.tolist() == [-2.0, -1.5, -1.0, -0.75]
    law = StatisticLaw(loss, np.full(9, 1 / 9), np.full(9, 1 / 9))
    figure = densities_figure(law, -0.75, ("0.2", "0.01"), clears=True)
    assert [trace.name for trace in figure.data[:2]] == [
        "without the record: 0.2 ruled out",
        "with the record: 0.01 ruled out",
    ]
    assert figure.layout.annotations[0].text == "← ruled out"


@pytest.mark.parametrize("threshold", [-30.0, 0.3, 30.0])
def test_densities_figure_shows_the_threshold_wherever_it_is(threshold: float) -> None:
    loss = np.linspace(-3.0, 3.0, 41)
    null = np.exp(-((loss + 0.5) ** 2))
    law = StatisticLaw(loss, null / null.sum(), null[::-1] / null.sum())
    figure = densities_figure(law, threshold, ("0.01", "0.2"))
    check_validity(figure)
    low, high = figure.layout.xaxis.range
    assert low < threshold < high
    assert figure.layout.shapes[0].x0 == threshold
    assert traces(figure)["with the record: 0.2 accused"].line.color == theme.MEMBER
    assert traces(figure)["without the record: 0.01 accused"].line.color == theme.OUTSIDER


def test_single_releases_follow_the_law_they_are_drawn_from() -> None:
    loss = np.array([-1.0, 0.0, 1.0])
    law = StatisticLaw(loss, np.array([0.7, 0.2, 0.1]), np.array([0.1, 0.2, 0.7]))
    runs = run_releases(law, (0.1, 0.7), 4000, np.random.default_rng(1))
    of_4000 = 4 * np.sqrt(0.25 / 4000)  # four standard errors at most
    assert np.mean(runs.outsider > 0.5) == pytest.approx(0.1, abs=of_4000)
    assert np.mean(runs.member > 0.5) == pytest.approx(0.7, abs=of_4000)
    figure = densities_figure(law, 0.5, ("0.1", "0.7"), runs)
    check_validity(figure)
    rows = {trace.marker.color: trace.marker.symbol for trace in figure.data if trace.mode == "markers"}
    assert len(rows) == len(set(rows.values())) == 2  # told apart without colour, too


@pytest.mark.parametrize("clears", [False, True], ids=["accuses", "rules out"])
@pytest.mark.parametrize("alpha", [0.01, 0.3, 0.9])
@pytest.mark.parametrize("release", [Laplace(1.0), Gaussian(1.0), Laplace(2.0, 0.3)], ids=lambda one: one.label)
def test_as_many_releases_are_judged_as_the_curve_says(release: Gaussian | Laplace, alpha: float, clears: bool) -> None:
    """Laplace noise puts a share 1/2 on the largest evidence; nobody lies beyond it: 0 of 100 were accused, and 0."""
    power = release.power(alpha, Order.REMOVE if clears else Order.ADD).estimate
    shares = (power, alpha) if clears else (alpha, power)
    runs = run_releases(release.statistic(), shares, RUNS, np.random.default_rng(1), clears)
    expected = np.array(shares)
    assert np.all(np.abs(np.array(runs.judged) / RUNS - expected) <= 4.0 * np.sqrt(expected * (1.0 - expected) / RUNS))
