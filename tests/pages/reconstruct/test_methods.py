"""Methods compared: estimates beside the certified value, Monte Carlo as a task, and what each takes."""

import re
import signal
import subprocess
import sys
import tracemalloc
from typing import Any

import numpy as np
import pytest

from numerics.deadline import DeadlineError
from numerics.mechanisms import Adjacency, Composition, Gaussian, Sampling
from numerics.privacy_loss import Precision
from numerics.reconstruction import costs
from pages.reconstruct import methods
from pages.reconstruct.monte_carlo import MonteCarloTask, Sampled
from pages.ui import cached_reconstruction
from pages.ui.task_runner import Run
from tests.pages.reconstruct.visit import view

WITHIN = 4.0  # standard errors of a sampled number


def sampled(release: Gaussian, samples: int) -> Sampled:
    task = MonteCarloTask(release, samples)
    run = Run(task, task.start())
    while not run.advance(1.0):
        pass
    return task.result(run.chunks, run.seconds)


def test_methods_are_compared_with_the_certified_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cached_reconstruction, "costs", lambda _: {})  # measured in a process of their own
    release = Gaussian(0.6, 0.001, 10_000)
    rows = methods.rows(view(release, 1e-7))
    assert [row.method for row in rows] == ["this page", "CLT", *(f"Edgeworth, order {order}" for order in range(5))]
    assert rows[1].error == "77 % too low, so the risk looks smaller than it is"
    truth = cached_reconstruction.success(release, 1e-7)
    digits, power = re.findall(r"± (\d) × 10⁻(.+), certified", rows[0].error)[0]
    within = float(f"{digits}e-{power.translate(str.maketrans('⁰¹²³⁴⁵⁶⁷⁸⁹', '0123456789'))}")
    assert within >= max(truth.upper - truth.estimate, truth.estimate - truth.lower)
    fixed = Gaussian(1.0, 0.01, 10, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE)
    own, *others = methods.rows(view(fixed))
    assert {row.value for row in others} == {"none"}
    assert own.error == "at most; guarantee"  # nobody knows how far below it the truth is
    assert float(own.value) >= cached_reconstruction.success(fixed, 1e-3).upper


def test_monte_carlo_is_near_the_truth_and_not_usable_for_rare_guesses() -> None:
    release = Gaussian(1.0, 0.1, 100)
    found = sampled(release, 10_000)
    guess, error, usable = found.at(0.1)
    assert usable
    assert abs(guess - release.reconstruction(0.1).estimate) < WITHIN * error
    assert not found.at(1e-6)[2]
    assert np.isnan(found.overlay.curve.power[cached_reconstruction.PRIORS == 1e-6]).all()
    row = methods._sampled(found, 1e-6, 1e-5)
    assert row.value == "not usable here"
    assert "0.01 of the samples count" in row.error


@pytest.mark.nightly
@pytest.mark.parametrize(("samples", "steps"), [(10_000, 100), (1_000_000, 2)])
def test_memory_said_of_monte_carlo_is_what_it_allocates(samples: int, steps: int) -> None:
    task = MonteCarloTask(Gaussian(1.0, 0.1, steps), samples)
    tracemalloc.start()
    found = task.result(list(task.start()), 1.0)
    found.at(0.1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.memory == pytest.approx(peak, rel=0.1)


@pytest.mark.nightly
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


@pytest.mark.nightly
def test_the_process_that_measures_ends_when_nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    started, looks = list[subprocess.Popen[bytes]](), []

    def watched(*args: Any, **kwargs: Any) -> subprocess.Popen[bytes]:
        started.append(subprocess.Popen(*args, **kwargs))
        return started[-1]

    class Leaving:
        def check(self) -> None:
            looks.append(self)
            if len(looks) > 1:
                raise DeadlineError("the visitor has left.")

    monkeypatch.setattr(costs, "Popen", watched)
    monkeypatch.setattr(costs, "_LOOK", 0.05)
    monkeypatch.setattr(costs, "_COMMAND", (sys.executable, "-c", "import time; time.sleep(600)"))
    with pytest.raises(DeadlineError):
        costs.costs(Gaussian(1.0), np.array([0.5]), Precision(), deadline=Leaving())
    assert [process.returncode for process in started] == [-signal.SIGKILL]
