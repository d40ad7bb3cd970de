"""The parts of the page on reconstruction: solving, methods and Monte Carlo, other rates, ε and δ alone."""

import re
import signal
import subprocess
import sys
import tracemalloc
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from numerics.deadline import DeadlineError
from numerics.mechanisms import Adjacency, Composition, Gaussian, Sampling
from numerics.privacy_loss import Precision
from numerics.reconstruction import costs
from numerics.trade_off import Bound, Bracket, TradeOffCurve
from pages.reconstruct import answer, epsilon_delta_only, limit, methods, same_epsilon
from pages.reconstruct.monte_carlo import RUNNER, SAMPLES
from pages.reconstruct.monte_carlo import MonteCarloTask as Draws
from pages.ui import cached_reconstruction, task_runner
from pages.ui.prior_guess import Known, odds, success_sentence
from tests.pages.reconstruct.visit import RELEASE, page, press, said, view

WITHIN = 4.0  # standard errors of a sampled number
PARTS = [
    "other noise",
    "what the limit allows",
    "what else it bounds",
    "methods compared",
    "same ε, other rate",
    "only ε and δ known",
]


def _keys(app: AppTest) -> set[str]:
    return {str(widget.key) for kind in (app.number_input, app.slider, app.selectbox) for widget in kind} | {
        str(group.key) for group in app.button_group
    }


@pytest.mark.parametrize("part", PARTS)
def test_parts_run_for_a_release_without_closed_form(part: str) -> None:
    app = page(more=part)
    assert not [warning for warning in app.warning if warning.value.startswith("**No ")]


def test_noise_and_guess_that_keep_a_limit() -> None:
    app = page(more="what the limit allows", guess_limit="200")
    (noise, guess) = (str(box.value) for box in app.success)
    found = cached_reconstruction.noise_for(0.02, 1e-3, RELEASE)
    assert f"Noise {found.noise_multiplier:.6g}" in noise
    assert found.mechanism.reconstruction(1e-3, Precision(width=1e-6)).upper <= 0.02
    largest = float(re.findall(r"κ = ([\d.]+)\*\*", guess)[0])
    assert RELEASE.reconstruction(largest).upper <= 0.02 * (1 + 1e-3)
    assert RELEASE.reconstruction(1.05 * largest).upper > 0.02
    assert set(limit.KEYS) <= set(_keys(app))


def test_an_epsilon_said_to_be_kept_is_never_rounded_down() -> None:
    release = Gaussian(0.88, 0.01, 1000)
    assert f"{view(release).epsilon:.4g}" == "2.447"  # of 2.44717: the nearest is too small
    assert cached_reconstruction.from_epsilon_delta(view(release).epsilon, 1e-5).label.startswith("ε = 2.448,")
    assert "ε = 2.448 " in answer.numbers(view(release))[4].help
    assert "keeps ε = 2.448 " in said(page(noise="0.88", more="only ε and δ known"))


def test_tight_and_printed_bounds_are_told_apart() -> None:
    app = page(more="only ε and δ known", known_epsilon="1", known_delta="0", knows="k candidates", candidates="2")
    (table,) = app.table
    assert list(table.value["γ at most"]) == ["0.816061", "1"]
    assert set(epsilon_delta_only.KEYS) <= set(_keys(app))


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
    own, *others = methods.rows(view(fixed))
    assert {row.value for row in others} == {"none"}
    assert own.error == "at most; guarantee"  # nobody knows how far below it the truth is
    assert float(own.value) >= cached_reconstruction.success(fixed, 1e-3).upper


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


def test_the_process_that_measures_ends_when_nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    started, looks = list[subprocess.Popen[bytes]](), iter([None])

    class Watched(subprocess.Popen[bytes]):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            started.append(self)

    class Leaving:
        def check(self) -> None:
            if next(looks, self) is self:
                raise DeadlineError("the visitor has left.")

    monkeypatch.setattr(costs, "Popen", Watched)
    monkeypatch.setattr(costs, "_LOOK", 0.05)
    monkeypatch.setattr(costs, "_COMMAND", (sys.executable, "-c", "import time; time.sleep(600)"))
    with pytest.raises(DeadlineError):
        costs.costs(Gaussian(1.0), np.array([0.5]), Precision(), deadline=Leaving())
    assert [process.returncode for process in started] == [-signal.SIGKILL]


def test_monte_carlo_runs_to_its_estimate() -> None:
    app = page(more="methods compared", hayes_samples="10,000", knows_rate="true", steps="100", rate="0.1", kappa="0.1")
    press(app, "Start")
    while RUNNER.running_key in app.session_state:
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
    run = task_runner.Run(task, task.start())
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
    monkeypatch.setattr(task_runner, "SLICE", 1e-9)
    app = page(more="methods compared", kappa="0.1")
    press(app, "Start")
    press(app, "Cancel")
    table = app.table[0].value
    (name,) = (method for method in table["method"] if method.startswith("Monte Carlo"))
    assert 0 < int(re.sub(r"\D", "", name)) < 1_000_000


def test_cancelled_repetition_keeps_the_finished_run(monkeypatch: pytest.MonkeyPatch) -> None:
    app = page(more="methods compared", hayes_samples="100,000", knows_rate="true", steps="10", kappa="0.1")
    press(app, "Start")
    while RUNNER.running_key in app.session_state:
        app.run()
    monkeypatch.setattr(task_runner, "SLICE", 1e-9)
    press(app, "Run again")
    press(app, "Cancel")
    assert "Monte Carlo, 100,000 samples" in list(app.table[0].value["method"])


def test_how_far_a_guess_is_from_certain_keeps_eight_digits_on_either_side() -> None:
    words = answer._how_far(Bracket(0.12345678915, 0.1234567891, 0.1234567892))
    assert "more often than 0.12345679." in words
    assert "between 0.12345678 and that" in words


def test_what_never_happens_is_nobody() -> None:
    assert odds(0.0) == "0 of 10,000"


def test_where_a_guess_comes_from_is_said_if_it_is_known() -> None:
    success = Bracket(0.2, 0.2, 0.2)
    assert " times (of 50 ages) gets it right" in success_sentence(success, Known(0.02, "of 50 ages"))
    assert "()" not in success_sentence(success, Known(0.02, ""))
