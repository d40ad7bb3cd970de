"""Simulated losses: the truth is the references', estimates lie where the corrections say, and the page shows both."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from numerics.epsilon_star.error_ratios import NormalLaw, Term
from numerics.epsilon_star.simulations import (
    RUNS,
    GammaLosses,
    MixtureLosses,
    NormalLosses,
    SampleEstimate,
    Truth,
    TwoLaws,
    ratio_curves,
    simulate,
    truth,
)
from numerics.trade_off import Floats
from pages.audit.epsilon_star import cached, simulations
from plotting import theme
from plotting.simulations import CUT, CUT_AT_DELTA, EXACT, ratios_figure, simulations_figure
from tests.reference import Reference, each

SECONDS = 60  # the first run imports Plotly on a busy machine
DIGITS = 1e-9  # maxima over a grid, refined
STANDARD_ERRORS = 4.0  # of the mean of ten runs: one in 16,000 by chance
PAIRS: tuple[TwoLaws, ...] = (NormalLosses(3.0), NormalLosses(1.0, 1.5), GammaLosses(1.0), MixtureLosses(3.0, 0.2))
SMALL = (100, 1_000)


@each("Epsilon* N(0,1) vs N(m,1)")
def test_truth_of_normal_laws(row: Reference) -> None:
    found = truth(NormalLosses(row.number("m")), row.number("delta"))
    assert found.exact == pytest.approx(row.expected, rel=DIGITS)


@each("Epsilon* Gamma(2) train vs Gamma(2+d) pop, exact sup")
def test_truth_of_gamma_laws(row: Reference) -> None:
    found = truth(GammaLosses(row.number("d")), row.number("delta"))
    assert found.exact == pytest.approx(row.expected, rel=DIGITS)


def test_a_cut_lowers_the_truth() -> None:
    for pair in PAIRS:
        found = truth(pair, 1e-5)
        assert found.exact > found.clipped_at_delta > found.clipped > 0.0
    assert truth(GammaLosses(0.0), 1e-5) == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)


@pytest.mark.parametrize("pair", PAIRS)
def test_samples_are_of_the_laws(pair: TwoLaws) -> None:
    size = 20_000
    for losses, law in zip(pair.draw(size, np.random.default_rng(0)), pair.laws, strict=True):
        assert np.all(np.diff(losses) >= 0.0)
        gap = np.max(np.abs(np.exp(law.logcdf(losses)) - (np.arange(size) + 0.5) / size))
        assert gap < 2.3 / np.sqrt(size)  # Kolmogorov: 5e-5 by chance


def test_estimates_of_nothing_are_as_biased_as_correction_25_says() -> None:
    """Means 0.627 and 1.284 at 1,000 losses; the bound is 0 but for its risk."""
    found = simulate(GammaLosses(0.0), 1_000, 1e-5)
    for kind, mean in ((SampleEstimate.EXACT_TAILS, 0.627), (SampleEstimate.EMPIRICAL, 1.284)):
        error = found[kind].std(ddof=1) / np.sqrt(RUNS)
        assert abs(found[kind].mean() - mean) < STANDARD_ERRORS * error
    assert np.sum(found[SampleEstimate.BOUND] > 0.0) <= 3  # each with probability 0.05 at most


def test_bound_is_below_the_truth_where_normal_fits_are_above() -> None:
    found, exact = simulate(GammaLosses(1.0), 1_000, 1e-5), truth(GammaLosses(1.0), 1e-5).exact
    assert np.all(found[SampleEstimate.BOUND] < exact)
    assert found[SampleEstimate.PARAMETRIC].mean() > truth(GammaLosses(1.0), 1e-5).clipped_at_delta


def test_runs_differ_and_can_be_repeated() -> None:
    first, second = (simulate(NormalLosses(1.0), 200, 1e-4, runs=3) for _ in range(2))
    assert all(len(values) == 3 and np.all(np.isfinite(values)) for values in first.values())
    assert len(set(first[SampleEstimate.EMPIRICAL])) > 1
    for kind in SampleEstimate:
        np.testing.assert_array_equal(first[kind], second[kind])


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda: NormalLosses(np.nan), "shift"),
        (lambda: NormalLosses(1.0, 0.0), "sd_ratio"),
        (lambda: GammaLosses(-1.0), "distance"),
        (lambda: MixtureLosses(1.0, 1.0), "learned"),
        (lambda: truth(NormalLosses(1.0), 0.5), "clip"),
        (lambda: truth(NormalLosses(1.0), 0.0), "delta"),
        (lambda: simulate(NormalLosses(1.0), 10**7, 1e-5), "size"),
        (lambda: simulate(NormalLosses(1.0), 100, 1e-5, 0), "runs"),
    ],
)
def test_what_cannot_be_simulated_is_named(make: Any, name: str) -> None:
    with pytest.raises(ValueError, match=f"^{name} must"):
        make()


def test_ratios_of_the_laws_peak_at_the_truth() -> None:
    pair, delta = NormalLosses(1.0), 1e-3
    members, outsiders = ratio_curves(pair, delta)
    assert (members.term, outsiders.term) == (Term.MEMBERS_BELOW, Term.OUTSIDERS_ABOVE)
    exact = truth(pair, delta).exact
    assert exact * 0.999 < max(members.log_ratio.max(), outsiders.log_ratio.max()) <= exact * (1.0 + DIGITS)
    # The laws are mirror images of each other, and so are the ratios.
    assert members.log_ratio == pytest.approx(outsiders.log_ratio[::-1], abs=1e-9)
    assert members.log_odds == pytest.approx(-outsiders.log_odds[::-1], abs=1e-9)


def test_counted_ratios_are_noisiest_at_the_ends() -> None:
    pair = NormalLosses(1.0)
    train, fresh = pair.laws
    assert isinstance(train, NormalLaw)
    assert isinstance(fresh, NormalLaw)
    (members, _), (counted, _) = ratio_curves(pair, 1e-5), ratio_curves(pair, 1e-5, 10_000)
    exact = np.interp(counted.log_odds, members.log_odds, members.log_ratio)
    error = np.abs(counted.log_ratio - exact)
    assert np.max(error[np.abs(counted.log_odds) < 2.0]) < 0.2 < np.max(error)


def found_of(truth_value: float = 2.0) -> tuple[dict[int, dict[SampleEstimate, Floats]], Truth]:
    values = {kind: np.array([1.0 + index, 2.0 + index]) for index, kind in enumerate(SampleEstimate)}
    return dict.fromkeys(SMALL, values), Truth(truth_value, 1.5, 1.0)


def test_figure_tells_estimates_and_truths_apart_without_colour() -> None:
    figure = simulations_figure(*found_of())
    go.Figure(figure.to_dict())
    drawn: Any = figure.data
    traces = {trace.name: trace for trace in drawn if trace.name}
    assert len({traces[name].line.dash for name in (EXACT, CUT_AT_DELTA, CUT)}) == 3
    marked = [traces[name] for name in traces if name.endswith(("(estimate)", "(audit)"))]
    assert [trace.marker.symbol for trace in marked] == list(theme.MARKERS)
    assert list(marked[0].y) == [1.5, 1.5]
    assert list(marked[0].error_y.array) == [0.5, 0.5]
    assert len({float(trace.x[0]) for trace in marked}) == len(SampleEstimate)


def test_ratios_are_drawn_over_both_tails() -> None:
    pair = NormalLosses(3.0)
    figure = ratios_figure(ratio_curves(pair, 1e-5), ratio_curves(pair, 1e-5, 1_000))
    go.Figure(figure.to_dict())
    layout: Any = figure.layout
    assert layout.xaxis.ticktext == ("0.1", "0.01", "0.001", "0.5", "0.9", "0.99", "0.999")
    for value, share in zip(layout.xaxis.tickvals, layout.xaxis.ticktext, strict=True):
        assert value == pytest.approx(np.log(float(share) / (1.0 - float(share))), abs=DIGITS)
    low, high = layout.xaxis.range
    assert low < min(layout.xaxis.tickvals) < max(layout.xaxis.tickvals) < high
    far: Any = ratios_figure(ratio_curves(NormalLosses(0.0), 1e-5), ()).layout
    assert len(far.xaxis.tickvals) <= 7


def test_words_compare_with_the_truth() -> None:
    found, exact = found_of()
    words = simulations.sentences(exact, found)
    assert "ε\\* = 2;" in words
    assert "With 1,000 losses" in words
    assert "counting gives **1.5** ± 0.5" in words
    assert f"**0 of {RUNS}** runs" in words
    assert "nothing to find" in simulations.sentences(found_of(0.0)[1], found)


def test_table_has_every_run() -> None:
    found, exact = found_of()
    lines = simulations.table(NormalLosses(3.0), 1e-5, exact, found).splitlines()
    assert "# true epsilon* (clipped at delta): 1.5" in lines
    body = [line for line in lines if not line.startswith("#")]
    assert len(body) == 1 + 2 * len(SMALL) * len(SampleEstimate)
    assert body[-1] == '"lower bound, 95 %",1000.0,2.0,5.0'


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small samples: the page, not the numbers, is tested."""
    monkeypatch.setattr(simulations, "SIZES", SMALL)
    monkeypatch.setattr(simulations, "_COUNTED", 1_000)


def part() -> None:
    from pages.audit.epsilon_star import simulations  # noqa: PLC0415 - the script of the test's page

    simulations.draw()


def page(**query: str) -> AppTest:
    app = AppTest.from_function(part, default_timeout=SECONDS)
    for name, value in query.items():
        app.query_params[f"audit.{name}"] = value
    app.run()
    assert not app.exception
    return app


def said(app: AppTest) -> str:
    return " ".join(block.value for block in app.markdown)


@pytest.mark.usefixtures("quick")
def test_page_opens_with_figure_3_and_pins_its_keys() -> None:
    app = page()
    assert f"ε\\* = {truth(NormalLosses(3.0), 1e-5).exact:.4g}" in said(app)
    assert [list(simulations.SimulatedLaw), simulations.KEYS] == [
        ["normal", "Gamma", "partly learned"],
        (
            "audit.simulated",
            "audit.simulated_shift",
            "audit.simulated_spread",
            "audit.simulated_distance",
            "audit.simulated_share",
            "audit.simulated_delta",
        ),
    ]
    shown = page(simulated="Gamma", simulated_distance="1.5")
    assert f"ε\\* = {truth(GammaLosses(1.5), 1e-5).exact:.4g}" in said(shown)


@pytest.mark.usefixtures("quick")
def test_presets_set_the_laws() -> None:
    app = page()
    app.button(key="audit.preset_001_Fig._4").click().run()
    assert "nothing to find" in said(app)
    app.button(key="audit.preset_001_Fig._5").click().run()
    assert f"ε\\* = {truth(GammaLosses(1.0), 1e-5).exact:.4g}" in said(app)
    app.button(key="audit.preset_001_Fig._3").click().run()
    assert f"ε\\* = {truth(NormalLosses(3.0), 1e-5).exact:.4g}" in said(app)
    assert not app.exception


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("key", simulations.KEYS)
def test_nonsense_in_the_url_is_harmless(key: str) -> None:
    assert "The truth is" in said(page(**{key: "nan"}))


def test_simulations_are_computed_once() -> None:
    assert cached.truth(NormalLosses(1.0), 1e-4) is cached.truth(NormalLosses(1.0), 1e-4)
