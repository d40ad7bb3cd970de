"""The page on reconstruction: what it says, that its parts and presets run, and that addresses keep their format."""

import io
import re
import tracemalloc
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from numerics import reconstruction
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Sampling
from numerics.privacy_loss import Precision
from numerics.reconstruction import ReconstructionTarget, costs
from numerics.trade_off import Bound, Order, TradeOffCurve
from pages.rebuilding import alone, answer, figures, formulas, methods, presets, same_epsilon, solve, taking
from pages.rebuilding.known import Known
from pages.rebuilding.prior import KAPPA
from pages.rebuilding.sampling import BENCH, SAMPLES
from pages.rebuilding.sampling import Sampling as Draws
from pages.rebuilding.setting import Across, Also, Setting
from pages.shared import cached, cached_reconstruction, estimates, slices
from pages.shared.controls import Choice
from pages.shared.estimates import Chosen, Estimate
from pages.shared.view import nearest
from plotting.curves import Axes, Estimated
from tests.page_visit import script_of, visited

SECONDS = 60  # the first run imports Plotly and computes certified curves on a busy machine
PRINTED = 1e-12  # both roads end in the same number
WITHIN = 4.0  # standard errors of a sampled number
RELEASE = Gaussian(1.0, 0.01, 1000)

# Public formats: names in the URL, and values that are left out of it because they are the defaults.
DEFAULTS: dict[str, object] = {"axes": "log-log", "guess_window": "all", "also": [], "across": "effect size"}
PARTS = ["solve for", "methods compared", "same ε, other rate", "only ε and δ known"]


def page(**query: str | list[str]) -> AppTest:
    """The page as a visitor of ``/reconstruct?query`` gets it."""
    return visited(AppTest.from_string(script_of("pages/reconstruction.py"), default_timeout=SECONDS), query)


def checked(app: AppTest) -> AppTest:
    assert not app.exception
    return app


def press(app: AppTest, label: str) -> AppTest:
    (button,) = (button for button in app.button if button.label == label)
    return checked(button.click().run())


def headline(app: AppTest) -> str:
    return next(str(block.value) for block in app.markdown if str(block.value).startswith("## "))


def said(app: AppTest) -> str:
    return " ".join(str(block.value) for block in (*app.markdown, *app.caption, *app.success))


def _keys(app: AppTest) -> set[str]:
    return {str(widget.key) for kind in (app.number_input, app.slider, app.selectbox) for widget in kind} | {
        str(group.key) for group in app.button_group
    }


def view(release: Gaussian | Laplace | Composition = RELEASE, prior: float = 1e-3) -> Setting:
    choice = Choice(release, 1e-3, Order.ADD, 1e-5)
    return Setting(choice, Known(prior, ""), Axes.LOG, 1.0, (), Across.EFFECT)


def test_headline_says_what_a_guess_becomes() -> None:
    app = page()
    assert "guesses a record right 1 in 1,000 times gets it right at most **1 in 245** times" in headline(app)
    assert [metric.label for metric in app.metric][:2] == ["Reconstructed, γ", "Times the guess"]
    assert len(app.get("plotly_chart")) == 2
    assert not app.warning


@pytest.mark.parametrize("rate", [1e-9, 3.7e-5, 0.0431, 0.0999, 0.1, 0.34, 0.9996])
def test_odds_never_understate_and_overstate_by_a_tenth_at_most(rate: float) -> None:
    count, of = (int(number.replace(",", "")) for number in re.split(" in | of ", answer.odds(rate)))
    assert rate <= count / of * (1 + PRINTED)
    assert count / of <= 1.1 * rate


def test_headline_is_the_guarantee() -> None:
    for release in (RELEASE, Laplace(1.0), Gaussian(1.0, 1.0, 4)):
        success = cached_reconstruction.success(release, 1e-3)
        assert f"**{answer.odds(success.upper)}**" in answer.sentence(view(release))
        assert cached_reconstruction.success(release, 1e-3).upper <= release.reconstruction(1e-3).upper * (1 + 1e-3)


def test_no_protection_and_likely_reconstruction_are_said() -> None:
    assert "No protection here" in answer.sentence(view(Gaussian(0.01)))
    assert "likelier than not" in answer.weakness(view(Gaussian(0.1)))
    assert answer.weakness(view()) == ""


def test_weak_releases_are_not_said_to_be_weaker_or_stronger_than_is_known() -> None:
    """A test of presence exists; that an attack on k exact candidates does as well is not known, nor true for k = 10.

    A bracket's lower end is therefore no statement about reconstruction, least of all for batches of fixed size.
    """
    fixed = Gaussian(0.5, 0.2, 20, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE)
    for release in (Laplace(2.0, 1.0, 100), fixed):
        words = answer.weakness(view(release, 0.1))
        assert "attack" not in words
        assert f"at most {answer.odds(cached_reconstruction.success(release, 0.1).upper)} times" in words
    app = page(more="solve for")
    assert "no longer promised" in app.success[-1].value
    assert "attack" not in app.success[-1].value


def test_defaults_of_the_url_are_pinned() -> None:
    state = page().session_state
    assert {key: state[key] for key in DEFAULTS} == DEFAULTS
    assert list(Also) == ["record unknown (RTM)", "from ε and δ alone"]
    assert list(Across) == ["effect size", "ε"]


def test_url_restores_the_view() -> None:
    app = page(
        axes="linear",
        guess_window="up to 1 %",
        also=["from ε and δ alone", "record unknown (RTM)"],
        across="ε",
        estimates=["CLT", "Edgeworth"],
        edgeworth_order="3",
        knows="k candidates",
        candidates="100",
        pins="Laplace_2_1_1_add",
        more="only ε and δ known",
    )
    assert "(one of 100 candidates)" in headline(app)
    assert app.session_state["pinned"] == [Laplace(2.0)]
    assert "Edgeworth estimate, order 3" in said(app)
    assert "CLT estimate" in said(app)
    assert any("γ at κ = 0.01" in str(table.value.to_numpy()) for table in app.table)


@pytest.mark.parametrize(
    "query",
    [
        {"more": "x"},
        {"also": ["x"], "across": "x", "guess_window": "x"},
        {"axes": "", "also": "", "across": "", "guess_window": "", "knows": "", "candidates_from": ""},
        {"more": "same ε, other rate", "same_order": ""},
    ],
)
def test_nonsense_in_the_address_is_harmless(query: dict[str, str]) -> None:
    app = page(**query)
    assert "**1 in 245**" in headline(app)
    assert not app.warning


@pytest.mark.parametrize(
    "query",
    [
        {"noise_exact": "0.001"},
        {"noise_exact": "1000", "rate_exact": "1e-7", "steps": "1000000"},
        {"rate_exact": "1e-7", "kappa_exact": "1e-12"},
        {"mechanism": "Laplace", "steps": "1000000", "rate_exact": "1e-7"},
        {"kappa_exact": "0.999"},
        {"sampling": "fixed size"},
    ],
)
def test_extremes_get_an_answer_or_a_message(query: dict[str, str]) -> None:
    app = page(**query)
    assert "gets it right" in said(app) or "may always get it right" in said(app) or app.warning


@pytest.mark.parametrize("figure", presets.FIGURES, ids=lambda figure: str(figure.name))
def test_every_figure_of_the_papers_has_its_settings(figure: presets.Figure) -> None:
    """Those that share a part of their settings are drawn below; here is what the paper says of each."""
    assert cached_reconstruction.success(figure.mechanism, figure.prior).upper > figure.prior
    if figure.same:
        rates = [figure.same[f"same_rate_{number}"] for number in (1, 2, 3)]
        assert rates == [0.1, 0.5, 0.9]
        assert figure.mechanism.epsilon(1e-5).upper == pytest.approx(4.0, abs=1e-4)
    if "no more of its settings" in figure.words:
        most = int(re.findall(r"ε up to (\d+)", figure.words)[0])
        right = figure.mechanism.with_noise(figure.mechanism.noise_multiplier / 2.0)
        pure = right.steps * np.log1p(right.sampling_rate * np.expm1(1.0 / right.noise_multiplier))
        epsilon = pure if isinstance(right, Laplace) else right.epsilon(figure.delta).upper
        assert epsilon == pytest.approx(most, rel=0.002)


@pytest.mark.parametrize("name", ["003 Fig. 1a", "003 Fig. 3", "000 Fig. 7, SNLI"])
def test_a_preset_sets_the_whole_page(name: str) -> None:
    app = press(page(noise="2", kappa="0.5", window="up to 1 %"), name)
    (figure,) = (figure for figure in presets.FIGURES if figure.name == name)
    success = cached_reconstruction.success(figure.mechanism, figure.prior)
    assert answer.odds(success.upper) in headline(app)
    assert app.session_state["more"] == figure.part
    assert len(app.get("plotly_chart")) == (4 if figure.part else 2)
    assert not app.info


@pytest.mark.parametrize("part", PARTS)
def test_parts_run_for_a_release_without_closed_form(part: str) -> None:
    app = page(more=part)
    assert not [warning for warning in app.warning if warning.value.startswith("**No ")]


def test_noise_and_guess_that_keep_a_limit() -> None:
    app = page(more="solve for", goal_reconstruction="0.02")
    (noise, guess) = (str(box.value) for box in app.success)
    found = cached.noise_for(ReconstructionTarget(0.02, 1e-3), RELEASE)
    assert f"Noise multiplier {found.noise_multiplier:.6g}" in noise
    assert found.mechanism.reconstruction(1e-3, Precision(width=1e-6)).upper <= 0.02
    largest = float(re.findall(r"κ = ([\d.]+)\*\*", guess)[0])
    assert RELEASE.reconstruction(largest).upper <= 0.02 * (1 + 1e-3)
    assert RELEASE.reconstruction(1.05 * largest).upper > 0.02
    assert set(solve.KEYS) <= set(_keys(app))


def test_an_epsilon_said_to_be_kept_is_never_rounded_down() -> None:
    release = Gaussian(0.8, 0.01, 1000)
    assert f"{view(release).epsilon:.4g}" == "3.141"  # of 3.14145: the nearest is too small
    assert cached_reconstruction.from_epsilon_delta(view(release).epsilon, 1e-5).label.startswith("ε = 3.142,")
    assert "ε = 3.142 " in answer.numbers(view(release))[2].help
    assert "keeps ε = 3.142 " in said(page(noise="0.8", more="only ε and δ known"))


def test_tight_and_printed_bounds_are_told_apart() -> None:
    app = page(more="only ε and δ known", known_epsilon="1", known_delta="0", knows="k candidates", candidates="2")
    (table,) = app.table
    assert list(table.value["γ at most"]) == ["0.816061", "1"]
    assert set(alone.KEYS) <= set(_keys(app))


def test_equal_epsilon_is_not_equal_risk() -> None:
    app = page(more="same ε, other rate", same_steps="10000", kappa="0.1")
    (table,) = app.table
    assert list(table.value["δ at ε = 1"]) == ["0.10091", "0.10128", "0.10132"]  # correction 43
    assert "never identical" in said(app)
    assert set(same_epsilon.KEYS) <= set(_keys(app))


def test_the_verdict_finds_the_largest_difference() -> None:
    prior = np.array([0.0, 0.1, 0.5, 1.0])
    powers = [np.array([0.0, 0.2, 0.6, 1.0]), np.array([0.0, 0.3, 0.62, 1.0])]
    curves = [TradeOffCurve(prior, 1.0 - power, power, Bound.EXACT, "") for power in powers]
    words = same_epsilon.verdict(curves)
    assert "up to **0.1** (at κ = 0.1)" in words
    assert "factor of up to **1.5**" in words


def test_an_estimate_elsewhere_says_where() -> None:
    assert "puts γ at " in said(page(estimates="CLT", kappa="1e-06"))
    assert "puts γ at κ = 1e-09, where estimates start, at" in said(page(estimates="CLT", kappa_exact="1e-12"))


def test_methods_are_compared_with_the_certified_value() -> None:
    rows = methods.rows(view(Gaussian(0.6, 0.001, 10_000), 1e-7))
    names = [row.method for row in rows]
    assert names == ["this page", "CLT", *(f"Edgeworth, order {order}" for order in range(5))]
    assert rows[1].error == "77 % too low, so the risk looks smaller than it is"
    truth = cached_reconstruction.success(Gaussian(0.6, 0.001, 10_000), 1e-7)
    digits, power = re.findall(r"± (\d) × 10⁻(.+), certified", rows[0].error)[0]
    within = float(f"{digits}e-{power.translate(str.maketrans('⁰¹²³⁴⁵⁶⁷⁸⁹', '0123456789'))}")
    assert within >= max(truth.upper - truth.estimate, truth.estimate - truth.lower)
    assert all(row.cost is not None and row.cost.seconds > 0.0 and row.cost.memory > 0 for row in rows)
    fixed = Gaussian(1.0, 0.01, 10, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE)
    assert {row.value for row in methods.rows(view(fixed))[1:]} == {"none"}


def test_costs_are_measured_in_a_process_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tracing memory in the server crashed it: the tracing may only be switched in a process with one thread."""
    monkeypatch.setattr(tracemalloc, "start", None)
    release = Composition((Gaussian(1.0, 0.1, 10), Gaussian(2.0, 0.1, 20)))
    found = costs.costs(release, np.array([1e-3, 0.5]), Precision(width=1e-3))
    assert set(found) == {"certified", "CLT", *(f"Edgeworth, order {order}" for order in range(5))}
    assert all(cost.seconds > 0.0 and cost.memory > 0 for cost in found.values())
    assert costs._read(costs._written(release, np.array([0.5]), Precision()))[0] == release
    monkeypatch.setattr(costs, "_PATIENCE", 1e-9)
    with pytest.raises(ValueError, match=r"time and memory must be measurable, got TimeoutExpired\."):
        costs.costs(release, np.array([0.5]), Precision())


def test_ratios_are_taken_at_equal_priors() -> None:
    curve = cached_reconstruction.curve(RELEASE)
    guesses = estimates.overlays(RELEASE, estimates.Chosen((estimates.Estimate.CLT,), 2))
    (ratio,) = figures.ratios(curve, guesses)
    at = int(np.argmin(np.abs(ratio.prior - 1e-7)))
    truth = RELEASE.reconstruction(float(ratio.prior[at])).estimate
    guess = guesses[0].curve.power[int(np.flatnonzero(guesses[0].curve.alpha == ratio.prior[at])[0])]
    assert ratio.ratio[at] == pytest.approx(guess / truth, rel=1e-3)
    (itself,) = figures.ratios(curve, [Estimated(curve)])
    np.testing.assert_allclose(itself.ratio, 1.0)


def test_monte_carlo_runs_to_its_estimate() -> None:
    app = page(more="methods compared", hayes_samples="10,000", steps="100", rate="0.1", kappa="0.1")
    press(app, "Start")
    while BENCH.running_key in app.session_state:
        app.run()
    table = app.table[0].value
    (cell,) = (value for value in table["γ"] if "±" in value)
    guess, error = (float(number) for number in cell.split(" ± "))
    truth = Gaussian(1.0, 0.1, 100).reconstruction(0.1).estimate
    assert abs(guess - truth) < WITHIN * error
    assert "Monte Carlo (Algorithm 1), 10,000 samples" in said(app)


@pytest.mark.parametrize(("samples", "steps"), [(10_000, 100), (1_000_000, 2)])
def test_memory_said_of_monte_carlo_is_what_it_allocates(samples: int, steps: int) -> None:
    task = Draws(Gaussian(1.0, 0.1, steps), samples)
    tracemalloc.start()
    found = task.result(list(task.start()), 1.0)
    found.at(0.1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.memory == pytest.approx(peak, rel=0.1)


def test_monte_carlo_is_not_usable_for_rare_guesses() -> None:
    task = Draws(Gaussian(1.0, 0.1, 10), SAMPLES[0])
    run = slices.Run(task, task.start())
    while not run.advance(1.0):
        pass
    found = task.result(run.chunks, run.seconds)
    assert not found.at(1e-6)[2]
    assert found.at(0.1)[2]
    assert found.overlay is found.overlay  # every rerun draws it
    power = found.overlay.curve.power
    assert np.isnan(power[cached_reconstruction.PRIORS == 1e-6]).all()
    row = methods._sampled(found, 1e-6, 1e-5)
    assert row.value == "not usable here"
    assert "0.01 of the samples count" in row.error


def test_cancelled_monte_carlo_keeps_its_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "SLICE", 1e-9)
    app = page(more="methods compared", kappa="0.1")
    press(app, "Start")
    press(app, "Cancel")
    table = app.table[0].value
    (name,) = (method for method in table["method"] if method.startswith("Monte Carlo"))
    assert 0 < int(re.sub(r"\D", "", name)) < 1_000_000


def test_cancelled_repetition_keeps_the_finished_run(monkeypatch: pytest.MonkeyPatch) -> None:
    app = page(more="methods compared", hayes_samples="100,000", steps="10", kappa="0.1")
    press(app, "Start")
    while BENCH.running_key in app.session_state:
        app.run()
    monkeypatch.setattr(slices, "SLICE", 1e-9)
    press(app, "Run again")
    press(app, "Cancel")
    assert "Monte Carlo, 100,000 samples" in list(app.table[0].value["method"])


def test_downloads_hold_what_was_drawn() -> None:
    curve = cached_reconstruction.curve(RELEASE)
    text = taking.table([curve], {"prior in force": "kappa = 0.001"})
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert lines[0] == "curve,kind,prior,reconstruction,at most,at least"
    *_, prior, gamma, most, least = lines[100].rsplit(",", 4)
    assert (float(prior), float(gamma)) == (curve.alpha[99], curve.power[99])
    assert float(least) <= float(gamma) <= float(most)


@pytest.mark.parametrize("across", Across)
def test_second_figure_has_its_data(across: Across) -> None:
    shown = replace(view(RELEASE), across=across)
    frame = pd.read_csv(io.StringIO(figures.sweep_table(shown, Chosen((Estimate.CLT,), 2))), comment="#")
    assert list(frame["curve"].unique())[1:] == ["CLT"]
    assert (frame["at least"] <= frame["at most"]).all()
    assert across.value in frame


@pytest.mark.parametrize(
    "release", [RELEASE, Laplace(0.5, 0.1, 10, Adjacency.REPLACE_ONE), Composition((RELEASE, Gaussian(2.0)))]
)
def test_snippet_prints_the_pages_numbers(
    release: Gaussian | Laplace | Composition, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = view(release)
    exec(formulas.snippet(shown), {})
    printed = capsys.readouterr().out
    assert str(cached_reconstruction.success(release, 1e-3).upper) in printed
    assert f"epsilon: {shown.epsilon!r}\n" in printed
    assert str(reconstruction.from_epsilon_delta(shown.epsilon, 1e-5, 1e-3)) in printed


def test_a_click_puts_the_nearest_round_prior_in_force() -> None:
    assert nearest(1.1e-6, KAPPA.values) == 1e-6
