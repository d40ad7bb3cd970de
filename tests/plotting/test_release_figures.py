"""What particular figures promise: what hovers, clicks, areas and marks mean, and where words stand."""

from dataclasses import replace
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.epsilon_star import LossScale, Method, estimate
from numerics.epsilon_star.error_ratios import Term
from numerics.epsilon_star.loss_summary import found_at, limit
from numerics.mechanisms import Gaussian, Laplace
from numerics.trade_off import Bound, Order, TradeOffCurve, alpha_grid
from plotting import power
from plotting.attackers import attackers_figure, people_figure
from plotting.curves import CLICKED, Axes, apart, line
from plotting.densities import densities_figure, run_releases
from plotting.epsilon_star import Best
from plotting.epsilon_star import densities_figure as losses_figure
from plotting.people_rows import AttackersFrame
from plotting.trade_off import shown, trade_off_figure
from tests.plotting import figures

SINGLE = 1e-6  # coordinates are sent in single precision
RUNS = 20_000


def traces(figure: Any) -> dict[str, Any]:
    return {one.name: one for one in figure.data if one.name}


def curve(noise: float) -> TradeOffCurve:
    return Gaussian(noise).trade_off(alpha_grid(60))


def test_a_point_of_a_curve_never_understates_and_the_spot_is_the_guarantee() -> None:
    own = figures.certified()
    drawn = traces(figures.trade_off(own))
    kept = line(own, shown(Axes.LOG))
    count, crowd = np.asarray(drawn[CLICKED].customdata).T
    assert np.all(count / crowd >= kept.found[apart(kept.x, Axes.LOG)] * (1 - SINGLE))
    assert drawn["operating point"].y[0] == figures.POINT.power.upper
    effect = replace(figures.power_curve(Bound.CERTIFIED), upper=np.full(12, 0.13125))
    said = traces(power.power_figure(effect, 1.0, 0.2))["others (certified at the dots)"].customdata
    np.testing.assert_array_equal(said, [[1313, 10_000]] * 12)


@pytest.mark.parametrize("axes", Axes)
def test_clicks_are_taken_by_many_markers_that_cannot_be_seen_and_do_not_pile_up(axes: Axes) -> None:
    target = traces(trade_off_figure(Gaussian(1.0).trade_off(alpha_grid()), figures.POINT, axes))[CLICKED]
    assert (target.mode, target.marker.opacity, target.marker.maxdisplayed) == ("markers", 0.01, 1)
    assert len(target.x) > 80
    alpha = np.sort(np.concatenate([alpha_grid(2001)[1:], np.full(500, 0.5)]))
    kept = alpha[apart(alpha, axes)]
    assert len(kept) <= 122
    assert np.median(np.diff(np.log10(kept)) / 9.0 if axes is Axes.LOG else np.diff(kept)) > 1 / 200


@pytest.mark.parametrize("clears", [False, True], ids=["accuses", "rules out"])
@pytest.mark.parametrize("alpha", [1e-9, 0.01, 0.3, 0.999])
def test_the_threshold_and_the_shaded_areas_of_the_evidence_are_the_rates(alpha: float, clears: bool) -> None:
    law = figures.law()
    figure: Any = densities_figure(law, alpha, ("", ""), clears=clears)
    threshold = figure.layout.shapes[0].x0
    assert figure.layout.xaxis.range[0] < threshold < figure.layout.xaxis.range[1]
    wrongly = law.alternative[law.loss < threshold] if clears else law.null[law.loss > threshold]
    assert wrongly.sum() == pytest.approx(alpha, abs=0.005)  # a bin's
    outlines, shaded = figure.data[:2], figure.data[2:4][::-1]
    found = [
        np.trapezoid(part.y, part.x) / np.trapezoid(one.y, one.x) for part, one in zip(shaded, outlines, strict=True)
    ]
    power_there = 1.0 - NormalDist(1.0).cdf(NormalDist().inv_cdf(1.0 - alpha))
    assert found == pytest.approx([power_there, alpha] if clears else [alpha, power_there], abs=0.01)


@pytest.mark.parametrize("clears", [False, True], ids=["accuses", "rules out"])
@pytest.mark.parametrize("release", [Laplace(1.0), Gaussian(1.0), Laplace(2.0, 0.3)], ids=lambda one: one.label)
def test_as_many_releases_are_judged_as_the_curve_says(release: Gaussian | Laplace, clears: bool) -> None:
    """Laplace noise puts a share 1/2 on the largest evidence; nobody lies beyond it: 0 of 100 were accused, and 0."""
    law = release.statistic()
    for alpha in (0.01, 0.3, 0.9):
        power_there = release.power(alpha, Order.REMOVE if clears else Order.ADD).estimate
        expected = np.array((power_there, alpha) if clears else (alpha, power_there))
        runs = run_releases(law, (expected[0], expected[1]), RUNS, np.random.default_rng(1), clears)
        error = 4.0 * np.sqrt(expected * (1.0 - expected) / RUNS)
        assert np.all(np.abs(np.array(runs.judged) / RUNS - expected) <= error)


@pytest.mark.parametrize("term", Term)
def test_no_threshold_crosses_the_limit_at_epsilon_star(term: Term) -> None:
    """That is what epsilon* means; the largest ratio touches the line."""
    rng = np.random.default_rng(1)
    train, fresh = rng.gamma(2.0, 1.0, 900), rng.gamma(3.0, 1.0, 700)  # those of figures.losses
    found = estimate(train, fresh, figures.DELTA, Method.PARAMETRIC, scale=LossScale.PRINTED)
    fits, counted = figures.losses().of_fits, figures.losses().counted.curve(term, Bound.AUDIT, "")
    assert fits is not None
    of_fits = fits.curve(term, Bound.ESTIMATE, "")
    line_there = limit(found.value, figures.DELTA, of_fits.alpha)
    assert np.all(of_fits.power <= line_there.power * (1.0 + 1e-9))
    if term is found.peaks[0].term:
        assert np.max(of_fits.power / line_there.power) > 0.98
    assert (counted.alpha[0], counted.alpha[-1], counted.power[-1]) == (0.0, 1.0, 1.0)
    assert np.all(np.diff(counted.power) >= 0.0)
    assert limit(1.5, 0.02, alpha_grid(20)).beta[0] == pytest.approx(0.98)
    assert np.all(limit(900.0, 0.02, alpha_grid(20)).power[1:] == 1.0)


@settings(max_examples=15)
@given(st.lists(st.integers(0, 8), min_size=10, max_size=30), st.lists(st.integers(0, 8), min_size=10, max_size=30))
def test_share_found_is_the_best_of_all_thresholds(members: list[int], outsiders: list[int]) -> None:
    train, fresh = (np.sort(np.array(losses, dtype=float)) for losses in (members, outsiders))
    for alpha in (0.0, 0.1, 0.25, 1.0):
        for term, of, others in (
            (Term.MEMBERS_BELOW, train, fresh),
            (Term.MEMBERS_ABOVE, -train, -fresh),
            (Term.OUTSIDERS_BELOW, fresh, train),
            (Term.OUTSIDERS_ABOVE, -fresh, -train),
        ):
            options = [tau for tau in np.arange(-10.0, 10.0) if np.mean(others <= tau) <= alpha]
            best = max(float(np.mean(of <= tau)) for tau in options)
            assert found_at(train, fresh, alpha, term) == pytest.approx(best, abs=1e-12)


@pytest.mark.parametrize(
    ("term", "score", "words"),
    [
        (Term.MEMBERS_BELOW, 1.0, "← accused, loss {}"),
        (Term.MEMBERS_ABOVE, 1.0, "accused, loss {} →"),
        (Term.OUTSIDERS_BELOW, 1.0, "← cleared, loss {}"),
        (Term.OUTSIDERS_ABOVE, 99.0, "cleared, loss {} (beyond the data) →"),
    ],
)
def test_a_threshold_says_who_is_named_and_the_axis_is_marked_with_losses(term: Term, score: float, words: str) -> None:
    """As which a sentence gives the threshold, whatever scale laws are fitted on."""
    summary = figures.losses()
    layout: Any = losses_figure(summary, Best(term, score, 0.01, 0.3)).layout
    loss = f"{summary.transform.loss_at(score):.4g}".replace("-", "−")
    assert layout.annotations[0].text == words.format(loss)
    places = summary.transform.scores(np.array([float(one.replace("−", "-")) for one in layout.xaxis.ticktext[1:]]))
    span = float(summary.edges[-1] - summary.edges[0])
    np.testing.assert_allclose(places, layout.xaxis.tickvals[1:], atol=0.01 * span)  # labels have three digits


@pytest.mark.parametrize(("count", "unit"), [(50, 1), (51, 2), (268, 10), (1_520, 50), (10_000, 200)])
def test_a_mark_is_a_person_or_several_where_there_are_many_and_grey_ones_are_guessing(count: int, unit: int) -> None:
    figure: Any = people_figure(figures.people(count), AttackersFrame(1e-3, None, 10_000))
    rows = {one.line.color: len(one.x) // 3 for one in figure.data if one.name.startswith("all known: ")}
    assert sum(rows.values()) == -(-count // unit) <= 50
    assert f"a mark: {unit:,} of 10,000; grey: guessing, 10" in [note.text for note in figure.layout.annotations]
    if unit == 1:
        limited: Any = attackers_figure(figures.people(count), AttackersFrame(1e-3, 0.002, 10_000))
        (mark,) = (shape for shape in limited.layout.shapes if shape.type == "line")
        assert (mark.x0, mark.x1, min(rows.values())) == (20.5, 20.5, 10)  # between the last within it and the next
