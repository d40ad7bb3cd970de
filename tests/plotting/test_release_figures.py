"""What particular figures promise: what hovers, clicks, areas and marks mean, and where words stand."""

from collections.abc import Callable
from dataclasses import replace
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.epsilon_star import LossScale, Method, estimate
from numerics.epsilon_star.rates import Term
from numerics.epsilon_star.summary import found_at, limit
from numerics.mechanisms import Gaussian, Laplace
from numerics.pareto import Better, oriented
from numerics.trade_off import Bound, Order, alpha_grid
from plotting import power
from plotting.assembly import literal
from plotting.curves import CLICKED, Axes, apart, line
from plotting.densities import densities_figure, run_releases
from plotting.landscape import MOST_KINDS, landscape_figure
from plotting.trade_off import shown
from tests.plotting import figures

SINGLE = 1e-6  # coordinates are sent in single precision
RUNS = 20_000
drawn: Callable[..., Any] = landscape_figure


def traces(figure: Any) -> dict[str, Any]:
    return {one.name: one for one in figure.data if one.name}


def test_a_point_of_a_curve_never_understates_and_the_spot_is_the_guarantee() -> None:
    own = figures.certified()
    of_curve = traces(figures.trade_off(own))
    kept = line(own, shown(Axes.LOG))
    count, crowd = np.asarray(of_curve[CLICKED].customdata).T
    assert np.all(count / crowd >= kept.found[apart(kept.x, Axes.LOG)] * (1 - SINGLE))
    assert of_curve["operating point"].y[0] == figures.POINT.power.upper
    effect = replace(figures.power_curve(Bound.CERTIFIED), upper=np.full(12, 0.13125))
    said = traces(power.power_figure(effect, 1.0, 0.2))["others (certified at the dots)"].customdata
    np.testing.assert_array_equal(said, [[1313, 10_000]] * 12)


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
    if term is found.maxima[0].term:
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


@pytest.mark.parametrize("kinds", [5, MOST_KINDS + 8])
def test_every_strategy_is_a_point_of_its_kind_with_a_look_of_its_own(kinds: int) -> None:
    shown = figures.landscape(80, kinds)
    groups = [one for one in drawn(shown).data if one.customdata is not None]
    assert sorted(np.concatenate([one.customdata for one in groups])) == list(range(80))
    assert len({(one.marker.color, one.marker.symbol) for one in groups}) == len(groups) == min(kinds, MOST_KINDS)
    for one in groups[: MOST_KINDS - 1]:
        members = [place for place, kind in enumerate(shown.kinds) if kind == one.name]
        assert one.x.tolist() == shown.privacy.runs.mean[members].tolist()
        assert one.y.tolist() == shown.utility.runs.mean[members].tolist()


@pytest.mark.parametrize("is_log", [False, True])
@pytest.mark.parametrize("better", list(Better))
def test_frontiers_claim_what_some_strategy_has(better: Better, is_log: bool) -> None:
    shown = figures.landscape(40, better=better, is_log=is_log)
    step, straight, ring = (traces(drawn(shown))[name] for name in ("not dominated", "convex hull", "elbow"))
    assert step.line.shape == ("hv" if better is Better.LOWER else "vh")
    privacy, utility = oriented(shown.privacy.runs.mean, better), shown.utility.runs.mean
    for level, height in zip(step.x, step.y, strict=True):
        assert height == utility[privacy >= oriented(np.array([level]), better)[0]].max()
    order = np.argsort(shown.privacy.runs.mean[shown.corners])  # a logarithmic axis bends the hull
    corners = shown.privacy.runs.mean[shown.corners][order], utility[shown.corners][order]
    along = np.argsort(straight.x)
    assert straight.y[along] == pytest.approx(np.interp(straight.x[along], *corners), rel=1e-12)
    assert shown.elbow is not None
    assert list(ring.x) == [shown.privacy.runs.mean[shown.elbow]]


def test_names_are_text() -> None:
    """Plotly reads markup, entities and templates; none of a stranger's may be left."""
    markup = "<b>n</b> %{x} &lt; $y$"
    figure = drawn(figures.landscape(6, 1, utility=markup, privacy=markup, kind=markup, name=markup))
    spelled = literal(markup)
    assert spelled == "&lt;b&gt;n&lt;/b&gt; %&#123;x} &amp;lt; $y$"
    (one,) = (one for one in figure.data if one.customdata is not None)
    assert one.name == literal(f"{markup} 0")
    assert one.text[0].startswith(spelled)
    assert one.hovertemplate.count(spelled) == 2
    assert figure.layout.xaxis.title.text == f"{spelled} — lower is better"
    assert all(spelled in note.text for note in figure.layout.annotations if note.name == "frontier")
