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
from numerics.trade_off import Floats
from pages.audit.epsilon_star import audits, delta_sweep, simulations
from pages.audit.epsilon_star import goodness_of_fit as fit
from pages.audit.epsilon_star.audits import EpsilonStarAudit
from pages.audit.epsilon_star.goodness_of_fit import Fits, Loan
from pages.audit.epsilon_star.options import Clip, Options
from pages.audit.epsilon_star.source import LossSource
from pages.ui.task_runner import Run
from plotting import theme
from plotting.delta_sweep import DeltaSweep, delta_sweep_figure
from plotting.fit import REJECTED, cell, fit_figure
from plotting.simulations import CUT, CUT_AT_DELTA, EXACT, ratios_figure, simulations_figure
from tests.pages.driver import check, drive
from tests.reference import Reference, each

DIGITS = 1e-9  # maxima over a grid, refined
STANDARD_ERRORS = 4.0  # of the mean of ten runs: one in 16,000 by chance
PAIRS: tuple[TwoLaws, ...] = (NormalLosses(3.0), NormalLosses(1.0, 1.5), GammaLosses(1.0), MixtureLosses(3.0, 0.2))
DELTA = 1e-4


@each("Epsilon* N(0,1) vs N(m,1)")
def test_truth_of_normal_laws(row: Reference) -> None:
    found = truth(NormalLosses(row.number("m")), row.number("delta"))
    assert found.exact == pytest.approx(row.expected, rel=DIGITS)


@each("Epsilon* Gamma(2) train vs Gamma(2+d) pop, exact sup")
def test_truth_of_gamma_laws(row: Reference) -> None:
    found = truth(GammaLosses(row.number("d")), row.number("delta"))
    assert found.exact == pytest.approx(row.expected, rel=DIGITS)


@pytest.mark.parametrize("pair", PAIRS)
def test_samples_are_of_the_laws_and_a_cut_lowers_their_truth(pair: TwoLaws) -> None:
    found = truth(pair, 1e-5)
    assert found.exact > found.clipped_at_delta > found.clipped > 0.0
    size = 20_000
    for losses, law in zip(pair.draw(size, np.random.default_rng(0)), pair.laws, strict=True):
        assert np.all(np.diff(losses) >= 0.0)
        gap = np.max(np.abs(np.exp(law.logcdf(losses)) - (np.arange(size) + 0.5) / size))
        assert gap < 2.3 / np.sqrt(size)  # Kolmogorov: 5e-5 by chance


def test_estimates_of_nothing_are_as_biased_as_correction_25_says() -> None:
    """Means 0.627 and 1.284 at 1,000 losses; the bound is 0 but for its risk."""
    assert truth(GammaLosses(0.0), 1e-5) == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)
    found = simulate(GammaLosses(0.0), 1_000, 1e-5)
    for kind, mean in ((SampleEstimate.EXACT_TAILS, 0.627), (SampleEstimate.EMPIRICAL, 1.284)):
        error = found[kind].std(ddof=1) / np.sqrt(RUNS)
        assert abs(found[kind].mean() - mean) < STANDARD_ERRORS * error
    assert np.sum(found[SampleEstimate.BOUND] > 0.0) <= 3  # each with probability 0.05 at most


def test_bound_is_below_the_truth_where_normal_fits_are_above_and_runs_can_be_repeated() -> None:
    found, exact = simulate(GammaLosses(1.0), 1_000, 1e-5), truth(GammaLosses(1.0), 1e-5)
    assert np.all(found[SampleEstimate.BOUND] < exact.exact)
    assert found[SampleEstimate.PARAMETRIC].mean() > exact.clipped_at_delta
    first, second = (simulate(NormalLosses(1.0), 200, 1e-4, runs=3) for _ in range(2))
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


def test_ratios_of_the_laws_peak_at_the_truth_and_counted_ones_are_noisiest_at_the_ends() -> None:
    pair, delta = NormalLosses(1.0), 1e-5
    members, outsiders = ratio_curves(pair, delta)
    exact = truth(pair, delta).exact
    assert exact * 0.999 < max(members.log_ratio.max(), outsiders.log_ratio.max()) <= exact * (1.0 + DIGITS)
    # The laws are mirror images of each other, and so are the ratios.
    assert members.log_ratio == pytest.approx(outsiders.log_ratio[::-1], abs=1e-9)
    counted, _ = ratio_curves(pair, delta, 10_000)
    error = np.abs(counted.log_ratio - np.interp(counted.log_odds, members.log_odds, members.log_ratio))
    assert np.max(error[np.abs(counted.log_odds) < 2.0]) < 0.2 < np.max(error)
    axis: Any = ratios_figure(ratio_curves(NormalLosses(3.0), delta), ()).layout.xaxis
    for value, share in zip(axis.tickvals, axis.ticktext, strict=True):
        assert value == pytest.approx(np.log(float(share) / (1.0 - float(share))), abs=DIGITS)


def simulated(truth_value: float = 2.0) -> tuple[dict[int, dict[SampleEstimate, Floats]], Truth]:
    values = {kind: np.array([1.0 + index, 2.0 + index]) for index, kind in enumerate(SampleEstimate)}
    return dict.fromkeys((100, 1_000), values), Truth(truth_value, 1.5, 1.0)


def test_simulations_are_drawn_said_and_taken_away() -> None:
    found, exact = simulated()
    drawn: Any = simulations_figure(found, exact).data
    traces = {trace.name: trace for trace in drawn if trace.name}
    assert len({traces[name].line.dash for name in (EXACT, CUT_AT_DELTA, CUT)}) == 3
    marked = [traces[name] for name in traces if name.endswith(("(estimate)", "(audit)"))]
    assert [trace.marker.symbol for trace in marked] == list(theme.MARKERS)
    assert (list(marked[0].y), list(marked[0].error_y.array)) == ([1.5, 1.5], [0.5, 0.5])
    said = simulations.sentences(exact, found)
    for words in (
        "ε\\* = 2;",
        "With 1,000 losses",
        "counting gives **1.5** ± 0.5",
        f"**0 of {RUNS}** runs",
        "1.5 (at δ) and 1 (at 0.001)",
    ):
        assert words in said
    assert "nothing to find" in simulations.sentences(simulated(0.0)[1], found)
    lines = simulations.table(NormalLosses(3.0), 1e-5, exact, found).splitlines()
    assert "# true epsilon* (clipped at delta): 1.5" in lines
    body = [line for line in lines if not line.startswith("#")]
    assert len(body) == 1 + 2 * 2 * len(SampleEstimate)
    assert body[-1] == '"lower bound, 95 %",1000.0,2.0,5.0'


@pytest.mark.parametrize(
    ("query", "button", "exact"),
    [
        ("", None, truth(NormalLosses(3.0), 1e-5).exact),
        ("&audit.simulated=Gamma&audit.simulated_distance=1.5", None, truth(GammaLosses(1.5), 1e-5).exact),
        ("&audit.simulated_delta=nan&audit.simulated_shift=nan", None, truth(NormalLosses(3.0), 1e-5).exact),
        ("", "001 Fig. 4", 0.0),
        ("", "001 Fig. 5", truth(GammaLosses(1.0), 1e-5).exact),
    ],
)
def test_laws_of_addresses_and_of_the_papers_figures_are_simulated(
    query: str, button: str | None, exact: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With small samples, which take less than what is computed unasked on any machine."""
    monkeypatch.setattr(simulations, "SIZES", (100, 1_000))
    monkeypatch.setattr(simulations, "_COUNTED", 1_000)
    case = {"open": f"audit?audit.about=how+it+errs{query}", "steps": [["click", button]] if button else []}
    app = drive(case)
    check(app, {"says": [re.escape(f"**The truth is ε* = {exact:.4g}") + "[:;]"]})


RNG = np.random.default_rng(5)
NEAR = Groups(np.sort(RNG.normal(0.0, 1.0, 900)), np.sort(RNG.normal(0.4, 1.0, 900)))
SOURCE = LossSource(("sample", "digits"), "digits", lambda: NEAR, "groups = None")


def audit_of(method: Method, groups: Groups = NEAR, components: int = 2) -> EpsilonStarAudit:
    clip = Clip.NONE if method is Method.PARAMETRIC else Clip.PAPER
    chosen = Options(method, clip, DELTA, components=components, scale=LossScale.LOG_ODDS)
    return audits.of_groups(groups, chosen)


@pytest.mark.parametrize(
    ("method", "components"),
    [(Method.PARAMETRIC, 2), (Method.EMPIRICAL, 2), (Method.MIXTURE, 1), (Method.MIXTURE, 2)],
)
def test_a_sweep_is_the_estimate_at_the_delta_in_force(
    method: Method, components: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delta_sweep, "_POINTS_OF_MIXTURES", 2)  # for time
    monkeypatch.setattr(st, "session_state", {})
    audit = audit_of(method, components=components)
    sweep = delta_sweep.of(SOURCE, audit, LEVEL)
    at = int(np.searchsorted(sweep.deltas, DELTA))
    assert sweep.deltas[at] == DELTA
    assert np.all(np.diff(sweep.bound) <= DIGITS)
    assert sweep.bound[at] == audit.bound.value
    assert sweep.estimate is not None
    assert audit.estimated is not None
    assert sweep.estimate[at] == pytest.approx(audit.estimated.value, rel=DIGITS)
    assert np.all(np.diff(sweep.estimate) <= DIGITS)
    assert delta_sweep.of(SOURCE, audit, LEVEL) is sweep, "computed twice"


def test_an_estimate_that_says_nothing_is_not_swept() -> None:
    groups = SAMPLES[0].groups()
    source = LossSource(("sample", "digits"), "digits", lambda: groups, "groups = None")
    assert delta_sweep.computed(source, audit_of(Method.PARAMETRIC, groups), LEVEL).estimate is None


def sweep_of(*estimates: float) -> DeltaSweep:
    found = np.array(estimates) if estimates else None
    return DeltaSweep(np.array([1e-6, 1e-4, 1e-2]), found, np.array([2.0, 1.0, 0.5]), "empirical", 0.9, 1000)


def test_words_say_how_far_a_sweep_moves_and_where_it_is_infinite() -> None:
    moved = delta_sweep.sentence(sweep_of(8.0, 4.0, 1.0), DELTA)
    assert "**8** at δ = 1e-06 through 4 at the δ in force to **1**" in moved
    assert "**2** to **0.5**" in moved
    assert "infinite up to δ = 1.0e-04" in delta_sweep.sentence(sweep_of(np.inf, np.inf, 1.0), DELTA)
    assert "infinite at every δ" in delta_sweep.sentence(sweep_of(*[np.inf] * 3), DELTA)
    assert delta_sweep.sentence(sweep_of(), DELTA).startswith("The lower bound")
    rounded = replace(sweep_of(), bound=np.array([2.6789, 1.0, 0.56789]))
    assert "from **2.67** to **0.567**" in delta_sweep.sentence(rounded, DELTA), "rounded up"
    text = delta_sweep.table(SOURCE, audit_of(Method.EMPIRICAL), sweep_of(8.0, 4.0, 1.0))
    body = [line for line in text.splitlines() if not line.startswith("#")]
    assert body[1:] == ["1e-06,8.0,2.0", "0.0001,4.0,1.0", "0.01,1.0,0.5"]


def test_the_figure_marks_the_delta_in_force_and_one_person_and_infinite_values_are_gaps() -> None:
    figure: Any = delta_sweep_figure(sweep_of(np.inf, 4.0, 1.0), DELTA)
    assert [shape.x0 for shape in figure.layout.shapes] == [1e-4, 1e-3]
    assert [note.x for note in figure.layout.annotations] == pytest.approx([-4.0, -3.0])
    lines = figure.data
    assert np.isnan(lines[0].y[0])
    assert [line.name for line in lines] == ["empirical (estimate)", "lower bound, 90 % (audit)"]
    assert lines[0].line.dash != lines[1].line.dash
    assert lines[0].marker.symbol != lines[1].marker.symbol


FIT_RNG = np.random.default_rng(5)
TRAIN = np.sort(FIT_RNG.normal(0, 1, 500))
FRESH = np.sort(FIT_RNG.choice([0.0, 4.0], 300) + FIT_RNG.normal(0, 0.2, 300))
TRANSFORM = Transform(LossScale.PRINTED, float(min(TRAIN[0], FRESH[0])), float(max(TRAIN[-1], FRESH[-1])))


def task_of(train: Floats = TRAIN, fresh: Floats = FRESH) -> Fits:
    return Fits(("one", "digest"), TRANSFORM, Loan(lambda: Groups(train, fresh)))


def finished(task: Fits, slices: int = 100) -> Any:
    run = Run(task, task.start())
    for _ in range(slices):
        if run.advance(0.0):
            break
    return run.result()


def test_fits_are_those_of_the_numerics_and_said_drawn_and_taken_away() -> None:
    maps: tuple[GoodnessOfFit, ...] = finished(task_of())
    for found, losses, sizes in zip(maps, (TRAIN, FRESH), ((100, 200), (100,)), strict=True):
        assert (found.components, found.sizes) == (tuple(range(1, 21)), sizes)
        expected = goodness_of_fit(TRANSFORM.scores(losses), (1, 2), (100, 200))
        np.testing.assert_array_equal(found.p_values[:2], expected.p_values)
    train, fresh = (fit.sentence(found, name) for found, name in zip(maps, fit.GROUPS, strict=True))
    assert "the normal law is one of them" in train
    assert "on 200 held-out losses" in train
    assert "the fewest components are 2" in fresh
    drawn: Any = fit_figure(maps[1])
    assert [REJECTED in row[0] for row in drawn.data[0].text] == list(maps[1].p_values[:, 0] < ACCEPTED)
    assert drawn.layout.yaxis.autorange == "reversed"
    lines = [line for line in fit.table(maps, {"losses": "=a"}).splitlines() if not line.startswith("#")]
    assert len(lines) == 1 + 20 * 2 + 20
    assert lines[-1] == f"fresh data,20.0,100.0,{float(maps[1].p_values[-1, 0])!r}"
    none = GoodnessOfFit((1, 2), (50,), np.array([[0.01], [0.02]]))
    assert "none of 2 passes" in fit.sentence(none, "fresh data")
    assert "too few" in fit.sentence(GoodnessOfFit((1,), (5,), np.array([[np.nan]])), "fresh data")


def test_a_cancelled_fit_keeps_what_is_done_few_losses_leave_gaps_and_no_result_holds_losses() -> None:
    (only,) = finished(task_of(), slices=3)
    assert only.components == (1, 2, 3)
    train, fresh = finished(task_of(np.sort(RNG.choice([1.0, 2.0, 3.0], 60)), np.full(20, 2.0)))
    assert not np.any(np.isnan(train.p_values[:3]))
    assert np.all(np.isnan(train.p_values[3:]))
    assert np.all(np.isnan(fresh.p_values[1:]))  # one value leaves one component at most
    first, second = task_of(), task_of()
    assert (first, hash(first)) == (second, hash(second))
    first.start()
    with pytest.raises(ValueError, match="read anew"):
        first.start()
    assert vars(first.loan) == {"_groups": None}


@pytest.mark.parametrize(
    ("p_value", "words"),
    [(0.0, "✗.00"), (0.0499, "✗.04"), (0.05, ".05"), (0.374, ".37"), (0.999, "1.0"), (np.nan, "–")],
)
def test_cells_say_what_is_rejected_without_colour(p_value: float, words: str) -> None:
    assert cell(p_value) == words
