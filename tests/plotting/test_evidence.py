"""Figures of the evidence: hills that keep their mass, and single releases drawn from their law."""

from statistics import NormalDist

import numpy as np
import pytest

from numerics.mechanisms import Gaussian, Laplace
from numerics.privacy_loss.certified_loss import StatisticLaw
from numerics.trade_off import Order
from plotting import theme
from plotting.densities import densities_figure, run_releases
from tests.plotting.test_plotting import check_validity, traces

RUNS = 20_000


def law_of(first: float, second: float) -> StatisticLaw:
    loss = np.linspace(-4.0, 4.0, 801)
    null, alternative = (np.exp(-0.5 * (loss - middle) ** 2) for middle in (first, second))
    return StatisticLaw(loss, null / null.sum(), alternative / alternative.sum())


@pytest.mark.parametrize("clears", [False, True], ids=["accuses", "rules out"])
@pytest.mark.parametrize("alpha", [1e-9, 0.01, 0.3, 0.999])
def test_the_threshold_has_the_chosen_rate_wherever_it_is(alpha: float, clears: bool) -> None:
    law = law_of(-0.5, 0.5)
    figure = densities_figure(law, alpha, ("0.01", "0.2"), clears=clears)
    check_validity(figure)
    low, high = figure.layout.xaxis.range
    threshold = figure.layout.shapes[0].x0
    assert low < threshold < high
    wrongly = law.alternative[law.loss < threshold] if clears else law.null[law.loss > threshold]
    assert wrongly.sum() == pytest.approx(alpha, abs=0.005)  # a bin's
    verdict = "ruled out" if clears else "accused"
    assert figure.layout.annotations[0].text == ("← ruled out" if clears else "accused →")
    assert traces(figure)[f"with the record: 0.2 {verdict}"].line.color == theme.MEMBER
    assert traces(figure)[f"without the record: 0.01 {verdict}"].line.color == theme.OUTSIDER


@pytest.mark.parametrize("clears", [False, True], ids=["accuses", "rules out"])
def test_the_shaded_areas_are_the_rates(clears: bool) -> None:
    alpha = 0.05
    figure = densities_figure(law_of(-0.5, 0.5), alpha, ("", ""), clears=clears)
    outlines, shaded = figure.data[:2], figure.data[2:4][::-1]
    found = [
        np.trapezoid(part.y, part.x) / np.trapezoid(one.y, one.x) for part, one in zip(shaded, outlines, strict=True)
    ]
    power = 1.0 - NormalDist(1.0).cdf(NormalDist().inv_cdf(1.0 - alpha))
    assert found == pytest.approx([power, alpha] if clears else [alpha, power], abs=0.005)


def test_an_atom_is_a_line_of_which_a_part_is_judged() -> None:
    figure = densities_figure(Laplace(1.0).statistic(), 0.01, ("", ""))
    pale, judged = figure.data[6:8]  # of outsiders
    assert [len(one.x) for one in (pale, judged)] == [6, 6]  # both ends of the evidence
    heights = np.array(judged.y).reshape(2, 3)[:, 1] / np.array(pale.y).reshape(2, 3)[:, 1]
    largest = 0.5 * np.exp(-1.0)
    assert heights == pytest.approx([0.0, 0.01 / largest], abs=0.005)


def test_single_releases_follow_the_law_they_are_drawn_from() -> None:
    loss = np.array([-1.0, 0.0, 1.0])
    law = StatisticLaw(loss, np.array([0.7, 0.2, 0.1]), np.array([0.1, 0.2, 0.7]))
    runs = run_releases(law, (0.1, 0.7), 4000, np.random.default_rng(1))
    of_4000 = 4 * np.sqrt(0.25 / 4000)  # four standard errors at most
    assert np.mean(runs.outsider > 0.5) == pytest.approx(0.1, abs=of_4000)
    assert np.mean(runs.member > 0.5) == pytest.approx(0.7, abs=of_4000)
    figure = densities_figure(law, 0.1, ("0.1", "0.7"), runs)
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
