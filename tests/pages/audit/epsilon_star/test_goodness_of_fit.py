"""Goodness of fit: the map is that of the numerics, the run can be stopped, and no result holds an upload."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from losses import Groups
from numerics.epsilon_star import LossScale, Transform
from numerics.epsilon_star.mixtures import ACCEPTED, GoodnessOfFit, goodness_of_fit
from pages.audit.epsilon_star import goodness_of_fit as fit
from pages.audit.epsilon_star.goodness_of_fit import Fits, Loan
from pages.ui.task_runner import Run
from plotting.fit import REJECTED, cell, fit_figure

SECONDS = 60  # the first run imports Plotly on a busy machine
RNG = np.random.default_rng(5)
TRAIN, FRESH = np.sort(RNG.normal(0, 1, 500)), np.sort(RNG.choice([0.0, 4.0], 300) + RNG.normal(0, 0.2, 300))
GROUPS = Groups(TRAIN, FRESH)
TRANSFORM = Transform(LossScale.PRINTED, float(min(TRAIN[0], FRESH[0])), float(max(TRAIN[-1], FRESH[-1])))


def task_of(groups: Groups = GROUPS) -> Fits:
    return Fits(("one", "digest"), TRANSFORM, Loan(lambda: groups))


def finished(task: Fits, slices: int = 100) -> Any:
    run = Run(task, task.start())
    for _ in range(slices):
        if run.advance(0.0):
            break
    return run.result()


@pytest.fixture(scope="module")
def maps() -> tuple[GoodnessOfFit, ...]:
    found: tuple[GoodnessOfFit, ...] = finished(task_of())
    return found


def test_map_is_that_of_the_numerics(maps: tuple[GoodnessOfFit, ...]) -> None:
    for found, losses, sizes in zip(maps, (TRAIN, FRESH), ((100, 200), (100,)), strict=True):
        assert (found.components, found.sizes) == (tuple(range(1, 21)), sizes)
        expected = goodness_of_fit(TRANSFORM.scores(losses), (1, 2), (100, 200))
        np.testing.assert_array_equal(found.p_values[:2], expected.p_values)


def test_words_say_how_many_components_pass(maps: tuple[GoodnessOfFit, ...]) -> None:
    (train, fresh) = (fit.sentence(found, name) for found, name in zip(maps, fit.GROUPS, strict=True))
    assert "the normal law is one of them" in train
    assert "on 200 held-out losses" in train
    assert "the fewest components are 2" in fresh
    none = GoodnessOfFit((1, 2), (50,), np.array([[0.01], [0.02]]))
    assert "none of 2 passes" in fit.sentence(none, "fresh data")
    assert "too few" in fit.sentence(GoodnessOfFit((1,), (5,), np.array([[np.nan]])), "fresh data")


def test_a_cancelled_run_keeps_what_is_done() -> None:
    (only,) = finished(task_of(), slices=3)
    assert only.components == (1, 2, 3)


def test_few_different_losses_leave_gaps() -> None:
    (train, fresh) = finished(task_of(Groups(np.sort(RNG.choice([1.0, 2.0, 3.0], 60)), np.full(20, 2.0))))
    assert not np.any(np.isnan(train.p_values[:3]))
    assert np.all(np.isnan(train.p_values[3:]))
    assert np.all(np.isnan(fresh.p_values[1:]))  # one value leaves one component at most


def test_results_are_found_by_the_key_and_hold_no_losses() -> None:
    first, second = task_of(), task_of()
    assert first == second
    assert hash(first) == hash(second)
    assert first != Fits(("other",), TRANSFORM, Loan(lambda: GROUPS))
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


def test_figure_shows_every_p_value(maps: tuple[GoodnessOfFit, ...]) -> None:
    figure = fit_figure(maps[1])
    go.Figure(figure.to_dict())
    trace: Any = figure.data[0]
    assert np.shape(trace.z) == (20, 1)
    rejected = [REJECTED in row[0] for row in trace.text]
    assert rejected == list(maps[1].p_values[:, 0] < ACCEPTED)
    layout: Any = figure.layout
    assert layout.yaxis.autorange == "reversed"


def test_table_has_a_row_for_every_test(maps: tuple[GoodnessOfFit, ...]) -> None:
    lines = fit.table(maps, {"losses": "=a"}).splitlines()
    body = [line for line in lines if not line.startswith("#")]
    assert body[0] == "group,components,sample size,p-value"
    assert len(body) == 1 + 20 * 2 + 20
    assert body[-1] == f"fresh data,20.0,100.0,{float(maps[1].p_values[-1, 0])!r}"
    assert "# losses: '=a" in lines


def part() -> None:
    from losses import SAMPLES  # noqa: PLC0415 - the script of the test's page
    from numerics.epsilon_star import Method  # noqa: PLC0415
    from pages.audit.epsilon_star import audits  # noqa: PLC0415
    from pages.audit.epsilon_star import goodness_of_fit as fit  # noqa: PLC0415
    from pages.audit.epsilon_star.options import Clip, Options  # noqa: PLC0415
    from pages.audit.epsilon_star.source import LossSource  # noqa: PLC0415

    source = LossSource(("sample", "digits"), "digits", SAMPLES[0].groups, "groups = None")
    fit.draw(source, audits.of(source, Options(Method.PARAMETRIC, Clip.NONE, 1e-4)))


def test_part_runs_when_asked_and_shows_the_maps() -> None:
    app = AppTest.from_function(part, default_timeout=SECONDS).run()
    assert not any("numbers of components" in block.value for block in app.markdown)
    app.button(key="audit.fit_start").click().run()
    for _ in range(100):
        if "audit.fit_running" not in app.session_state:
            break
        app.run()
    assert not app.exception
    assert sum("held-out losses" in block.value for block in app.markdown) == 2
    ((task, _),) = app.session_state["audit.fit_results"].items()
    assert vars(task.loan) == {"_groups": None}
