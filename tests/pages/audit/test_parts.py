"""Parts below an audit of losses: simulated losses whose truth is known, a sweep over delta, and goodness of fit."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import streamlit as st

from losses import SAMPLES, Groups
from numerics.epsilon_star import LEVEL, LossScale, Method, Transform
from numerics.epsilon_star.mixtures import ACCEPTED, GoodnessOfFit, goodness_of_fit
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
from pages.audit.epsilon_star import audits, delta_sweep, simulations
from pages.audit.epsilon_star import goodness_of_fit as fit
from pages.audit.epsilon_star.goodness_of_fit import Fits, Loan
from pages.audit.epsilon_star.options import Clip, Options
from pages.audit.epsilon_star.source import LossSource
from pages.ui.task_runner import Run
from plotting.delta_sweep import DeltaSweep, delta_sweep_figure
from plotting.fit import REJECTED, cell, fit_figure
from plotting.simulations import simulations_figure
from tests.pages.driver import check, drive
from tests.reference import Reference, each

DIGITS = 1e-9  # maxima over a grid, refined
STANDARD_ERRORS = 4.0  # of the mean of ten runs: one in 16,000 by chance
DELTA = 1e-4
RNG = np.random.default_rng(5)
NEAR = Groups(np.sort(RNG.normal(0.0, 1.0, 900)), np.sort(RNG.normal(0.4, 1.0, 900)))


@each("Epsilon* N(0,1) vs N(m,1)")
def test_truth_of_normal_laws(row: Reference) -> None:
    assert truth(NormalLosses(row.number("m")), row.number("delta")).exact == pytest.approx(row.expected, rel=DIGITS)


@each("Epsilon* Gamma(2) train vs Gamma(2+d) pop, exact sup")
def test_truth_of_gamma_laws(row: Reference) -> None:
    assert truth(GammaLosses(row.number("d")), row.number("delta")).exact == pytest.approx(row.expected, rel=DIGITS)


@pytest.mark.parametrize("pair", [NormalLosses(1.0, 1.5), GammaLosses(1.0), MixtureLosses(3.0, 0.2)], ids=str)
def test_samples_are_of_the_laws_and_a_cut_lowers_their_truth(pair: TwoLaws) -> None:
    found = truth(pair, 1e-5)
    assert found.exact > found.clipped_at_delta > found.clipped > 0.0
    size = 20_000
    for losses, law in zip(pair.draw(size, np.random.default_rng(0)), pair.laws, strict=True):
        gap = np.max(np.abs(np.exp(law.logcdf(losses)) - (np.arange(size) + 0.5) / size))
        assert gap < 2.3 / np.sqrt(size)  # Kolmogorov: 5e-5 by chance


def test_estimates_of_nothing_are_as_biased_as_correction_25_says_and_a_bound_is_below_the_truth() -> None:
    """Means 0.627 and 1.284 at 1,000 losses; the bound is 0 but for its risk."""
    assert truth(GammaLosses(0.0), 1e-5) == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)
    found = simulate(GammaLosses(0.0), 1_000, 1e-5)
    for kind, mean in ((SampleEstimate.EXACT_TAILS, 0.627), (SampleEstimate.EMPIRICAL, 1.284)):
        error = found[kind].std(ddof=1) / np.sqrt(RUNS)
        assert abs(found[kind].mean() - mean) < STANDARD_ERRORS * error
    assert np.sum(found[SampleEstimate.BOUND] > 0.0) <= 3  # each with probability 0.05 at most
    found = simulate(GammaLosses(1.0), 1_000, 1e-5)
    assert np.all(found[SampleEstimate.BOUND] < truth(GammaLosses(1.0), 1e-5).exact)
    assert found[SampleEstimate.PARAMETRIC].mean() > truth(GammaLosses(1.0), 1e-5).clipped_at_delta


def test_what_cannot_be_simulated_is_named() -> None:
    refused: dict[str, Any] = {
        "sd_ratio": lambda: NormalLosses(1.0, 0.0),
        "distance": lambda: GammaLosses(-1.0),
        "learned": lambda: MixtureLosses(1.0, 1.0),
        "clip": lambda: truth(NormalLosses(1.0), 0.5),
        "delta": lambda: truth(NormalLosses(1.0), 0.0),
        "size": lambda: simulate(NormalLosses(1.0), 10**7, 1e-5),
        "runs": lambda: simulate(NormalLosses(1.0), 100, 1e-5, 0),
    }
    for name, make in refused.items():
        with pytest.raises(ValueError, match=f"^{name} must"):
            make()


def test_simulations_peak_at_the_truth_and_are_said_and_taken_away() -> None:
    pair = NormalLosses(1.0)
    members, outsiders = ratio_curves(pair, 1e-5)
    exact = truth(pair, 1e-5).exact
    assert exact * 0.999 < max(members.log_ratio.max(), outsiders.log_ratio.max()) <= exact * (1.0 + DIGITS)
    assert members.log_ratio == pytest.approx(outsiders.log_ratio[::-1], abs=1e-9)  # mirror images
    values = {kind: np.array([1.0 + index, 2.0 + index]) for index, kind in enumerate(SampleEstimate)}
    found, known = dict.fromkeys((100, 1_000), values), Truth(2.0, 1.5, 1.0)
    traces: Any = simulations_figure(found, known).data
    marked = [trace for trace in traces if str(trace.name).endswith(("(estimate)", "(audit)"))]
    assert (list(marked[0].y), list(marked[0].error_y.array)) == ([1.5, 1.5], [0.5, 0.5])
    said = simulations.sentences(known, found)
    for words in ("ε\\* = 2;", "counting gives **1.5** ± 0.5", f"**0 of {RUNS}** runs", "1.5 (at δ) and 1 (at 0.001)"):
        assert words in said
    assert "nothing to find" in simulations.sentences(Truth(0.0, 1.5, 1.0), found)
    lines = simulations.table(NormalLosses(3.0), 1e-5, known, found).splitlines()
    assert "# true epsilon* (clipped at delta): 1.5" in lines
    assert lines[-1] == '"lower bound, 95 %",1000.0,2.0,5.0'


def test_laws_of_an_address_are_simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    """With small samples, which take less than what is computed unasked on any machine."""
    monkeypatch.setattr(simulations, "SIZES", (100, 1_000))
    monkeypatch.setattr(simulations, "_COUNTED", 1_000)
    query = "audit.simulated=Gamma&audit.simulated_distance=1.5&audit.simulated_delta=nan"
    app = drive({"open": f"audit?audit.about=how+it+errs&{query}"})
    exact = truth(GammaLosses(1.5), 1e-5).exact
    check(app, {"says": [re.escape(f"**The truth is ε* = {exact:.4g}") + "[:;]"]})


@pytest.mark.parametrize("method", [Method.PARAMETRIC, Method.EMPIRICAL, Method.MIXTURE])
def test_a_sweep_is_the_estimate_at_the_delta_in_force(method: Method, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delta_sweep, "_POINTS_OF_MIXTURES", 2)  # for time
    monkeypatch.setattr(st, "session_state", {})
    source = LossSource(("sample", "digits"), "digits", lambda: NEAR, "groups = None")
    clip = Clip.NONE if method is Method.PARAMETRIC else Clip.PAPER
    audit = audits.of_groups(NEAR, Options(method, clip, DELTA, components=1, scale=LossScale.LOG_ODDS))
    sweep = delta_sweep.of(source, audit, LEVEL)
    at = int(np.searchsorted(sweep.deltas, DELTA))
    assert sweep.deltas[at] == DELTA
    assert sweep.bound[at] == audit.bound.value
    assert sweep.estimate is not None
    assert audit.estimated is not None
    assert sweep.estimate[at] == pytest.approx(audit.estimated.value, rel=DIGITS)
    assert np.all(np.diff([sweep.estimate, sweep.bound]) <= DIGITS)


def test_an_estimate_that_says_nothing_is_not_swept() -> None:
    groups = SAMPLES[0].groups()
    source = LossSource(("sample", "digits"), "digits", lambda: groups, "groups = None")
    audit = audits.of_groups(groups, Options(Method.PARAMETRIC, Clip.NONE, DELTA, scale=LossScale.LOG_ODDS))
    assert delta_sweep.computed(source, audit, LEVEL).estimate is None


def test_words_and_figure_say_how_far_a_sweep_moves_and_where_it_is_infinite() -> None:
    def sweep_of(*estimates: float) -> DeltaSweep:
        found = np.array(estimates) if estimates else None
        return DeltaSweep(np.array([1e-6, 1e-4, 1e-2]), found, np.array([2.6789, 1.0, 0.56789]), "empirical", 0.9, 1000)

    moved = delta_sweep.sentence(sweep_of(8.0, 4.0, 1.0), DELTA)
    assert "**8** at δ = 1e-06 through 4 at the δ in force to **1**" in moved
    assert "**2.67** to **0.567**" in moved, "rounded up"
    assert "infinite up to δ = 1.0e-04" in delta_sweep.sentence(sweep_of(np.inf, np.inf, 1.0), DELTA)
    assert "infinite at every δ" in delta_sweep.sentence(sweep_of(*[np.inf] * 3), DELTA)
    assert delta_sweep.sentence(sweep_of(), DELTA).startswith("The lower bound")
    figure: Any = delta_sweep_figure(sweep_of(np.inf, 4.0, 1.0), DELTA)
    assert [shape.x0 for shape in figure.layout.shapes] == [1e-4, 1e-3]  # the delta in force, and one person
    assert np.isnan(figure.data[0].y[0])
    assert [line.name for line in figure.data] == ["empirical (estimate)", "lower bound, 90 % (audit)"]


def test_fits_are_those_of_the_numerics_and_said_drawn_and_taken_away() -> None:
    rng = np.random.default_rng(5)
    train = np.sort(rng.normal(0, 1, 500))
    fresh = np.sort(rng.choice([0.0, 4.0], 300) + rng.normal(0, 0.2, 300))
    transform = Transform(LossScale.PRINTED, min(train[0], fresh[0]), max(train[-1], fresh[-1]))

    def fits(slices: int, *groups: Any) -> Any:
        task = Fits(("one", "digest"), transform, Loan(lambda: Groups(*groups)))
        run = Run(task, task.start())
        with pytest.raises(ValueError, match="read anew"):
            task.start()
        assert vars(task.loan) == {"_groups": None}, "no result holds losses"
        for _ in range(slices):
            if run.advance(0.0):
                break
        return run.result()

    maps: tuple[GoodnessOfFit, ...] = fits(100, train, fresh)
    for found, losses, sizes in zip(maps, (train, fresh), ((100, 200), (100,)), strict=True):
        assert (found.components, found.sizes) == (tuple(range(1, 21)), sizes)
        expected = goodness_of_fit(transform.scores(losses), (1, 2), (100, 200))
        np.testing.assert_array_equal(found.p_values[:2], expected.p_values)
    said = [fit.sentence(found, name) for found, name in zip(maps, fit.GROUPS, strict=True)]
    assert "the normal law is one of them" in said[0]
    assert "the fewest components are 2" in said[1]
    drawn: Any = fit_figure(maps[1])
    assert [REJECTED in row[0] for row in drawn.data[0].text] == list(maps[1].p_values[:, 0] < ACCEPTED)
    lines = fit.table(maps, {"losses": "=a"}).splitlines()
    assert lines[-1] == f"fresh data,20.0,100.0,{float(maps[1].p_values[-1, 0])!r}"
    none = GoodnessOfFit((1, 2), (50,), np.array([[0.01], [0.02]]))
    assert "none of 2 passes" in fit.sentence(none, "fresh data")
    assert "too few" in fit.sentence(replace(none, p_values=np.full((2, 1), np.nan)), "fresh data")
    (only,) = fits(3, train, fresh)
    assert only.components == (1, 2, 3), "what is done is kept"
    few, one = fits(100, np.sort(rng.choice([1.0, 2.0, 3.0], 60)), np.full(20, 2.0))
    assert np.isnan(few.p_values[:, 0]).tolist() == [False] * 3 + [True] * 17
    assert np.all(np.isnan(one.p_values[1:]))  # one value leaves one component at most
    cells = {0.0: "✗.00", 0.0499: "✗.04", 0.05: ".05", 0.374: ".37", 0.999: "1.0", np.nan: "–"}
    assert [cell(p_value) for p_value in cells] == list(cells.values())
