"""Epsilon* against delta: the sweep is the estimate at each delta, and the page says how far it moves."""

from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from losses import SAMPLES, Groups
from numerics.epsilon_star import EMPIRICAL_CLIP, LEVEL, LossScale, Method
from numerics.epsilon_star.verdict import Standing
from pages.audit.epsilon_star import audits, delta_sweep
from pages.audit.epsilon_star.audits import EpsilonStarAudit
from pages.audit.epsilon_star.options import Clip, Options
from pages.audit.epsilon_star.source import LossSource
from plotting import theme
from plotting.delta_sweep import DeltaSweep, delta_sweep_figure

SECONDS = 60  # the first run imports Plotly on a busy machine
DIGITS = 1e-9  # two searches for one maximum
DELTA = 1e-4
RNG = np.random.default_rng(5)
GROUPS = Groups(np.sort(RNG.normal(0.0, 1.0, 900)), np.sort(RNG.normal(0.4, 1.0, 900)))
SOURCE = LossSource(("sample", "digits"), "digits", lambda: GROUPS, "groups = None")


def audit_of(method: Method, clip: float | None = None) -> EpsilonStarAudit:
    options = Options(method, Clip.NONE if clip is None else Clip.PAPER, DELTA, scale=LossScale.LOG_ODDS)
    return audits.of_groups(GROUPS, options)


@pytest.mark.parametrize("method", [Method.PARAMETRIC, Method.EMPIRICAL])
def test_sweep_is_the_estimate_at_the_delta_in_force(method: Method) -> None:
    audit = audit_of(method, EMPIRICAL_CLIP if method is Method.EMPIRICAL else None)
    sweep = delta_sweep.computed(SOURCE, audit, LEVEL)
    at = int(np.searchsorted(sweep.deltas, DELTA))
    assert sweep.deltas[at] == DELTA
    assert np.all(np.diff(sweep.bound) <= DIGITS)
    assert sweep.bound[at] == audit.bound.value
    assert sweep.estimate is not None
    assert audit.estimated is not None
    assert sweep.estimate[at] == pytest.approx(audit.estimated.value, rel=DIGITS)
    assert np.all(sweep.estimate[1:] <= sweep.estimate[:-1] + DIGITS)


def test_an_estimate_that_says_nothing_is_not_swept() -> None:
    groups = SAMPLES[0].groups()
    audit = audits.of_groups(groups, Options(Method.PARAMETRIC, Clip.NONE, DELTA, scale=LossScale.LOG_ODDS))
    assert audit.verdict is not None
    assert audit.verdict.standing is Standing.GREY
    source = LossSource(("sample", "digits"), "digits", lambda: groups, "groups = None")
    assert delta_sweep.computed(source, audit, LEVEL).estimate is None


def sweep_of(*estimates: float) -> DeltaSweep:
    found = np.array(estimates) if estimates else None
    return DeltaSweep(np.array([1e-6, 1e-4, 1e-2]), found, np.array([2.0, 1.0, 0.5]), "empirical", 0.9, 1000)


def test_words_say_how_far_it_moves_and_where_it_is_infinite() -> None:
    moved = delta_sweep.sentence(sweep_of(8.0, 4.0, 1.0), 1e-4)
    assert "**8** at δ = 1e-06 through 4 at the δ in force to **1**" in moved
    assert "**2** to **0.5**" in moved
    assert "infinite up to δ = 1.0e-04" in delta_sweep.sentence(sweep_of(np.inf, np.inf, 1.0), 1e-4)
    assert "infinite at every δ" in delta_sweep.sentence(sweep_of(*[np.inf] * 3), 1e-4)
    assert delta_sweep.sentence(sweep_of(), 1e-4).startswith("The lower bound")


def test_figure_marks_the_delta_in_force_and_one_person() -> None:
    figure = delta_sweep_figure(sweep_of(np.inf, 4.0, 1.0), 1e-4)
    go.Figure(figure.to_dict())
    layout: Any = figure.layout
    assert [shape.x0 for shape in layout.shapes] == [1e-4, 1e-3]
    assert [note.x for note in layout.annotations] == pytest.approx([-4.0, -3.0])
    assert [note.xanchor for note in layout.annotations] == ["right", "left"]
    flipped: Any = delta_sweep_figure(sweep_of(), 5e-3).layout
    assert [note.xanchor for note in flipped.annotations] == ["left", "right"]


def test_infinite_values_are_gaps_and_lines_differ_by_more_than_colour() -> None:
    lines: Any = delta_sweep_figure(sweep_of(np.inf, 4.0, 1.0), 1e-4).data
    assert np.isnan(lines[0].y[0])
    assert [line.name for line in lines] == ["empirical (estimate)", "lower bound, 90 % (audit)"]
    assert lines[0].line.dash != lines[1].line.dash
    assert lines[0].marker.symbol != lines[1].marker.symbol
    assert lines[0].line.color == theme.color(1)


def test_table_has_every_number() -> None:
    text = delta_sweep.table(SOURCE, audit_of(Method.EMPIRICAL, EMPIRICAL_CLIP), sweep_of(8.0, 4.0, 1.0))
    body = [line for line in text.splitlines() if not line.startswith("#")]
    assert body[0] == 'delta,"estimate of epsilon* (empirical, not to be relied on alone)",epsilon* at least (90 %)'
    assert body[1:] == ["1e-06,8.0,2.0", "0.0001,4.0,1.0", "0.01,1.0,0.5"]
    assert "# losses: digits" in text


def part() -> None:
    from losses import SAMPLES  # noqa: PLC0415 - the script of the test's page
    from numerics.epsilon_star import Method  # noqa: PLC0415
    from pages.audit.epsilon_star import audits, delta_sweep  # noqa: PLC0415
    from pages.audit.epsilon_star.options import Clip, Options  # noqa: PLC0415
    from pages.audit.epsilon_star.source import LossSource  # noqa: PLC0415

    source = LossSource(("sample", "digits"), "digits", SAMPLES[0].groups, "groups = None")
    delta_sweep.draw(source, audits.of(source, Options(Method.EMPIRICAL, Clip.PAPER, 1e-4)))


def test_part_draws_and_keeps_what_it_computed() -> None:
    app = AppTest.from_function(part, default_timeout=SECONDS).run()
    assert not app.exception
    assert "The estimate goes from" in app.markdown[0].value
    (first,) = app.session_state["audit.delta_sweeps"].values()
    app.run()
    assert list(app.session_state["audit.delta_sweeps"].values()) == [first]


def test_bounds_are_never_rounded_up() -> None:
    sweep = replace(sweep_of(), bound=np.array([2.6789, 1.0, 0.56789]))
    assert "from **2.67** to **0.567**" in delta_sweep.sentence(sweep, 1e-4)


def test_each_number_of_components_has_a_sweep_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delta_sweep, "_POINTS_OF_MIXTURES", 2)  # for time
    monkeypatch.setattr(st, "session_state", {})
    for components in (1, 2):
        scale = LossScale.LOG_ODDS
        options = Options(Method.MIXTURE, Clip.PAPER, DELTA, components=components, scale=scale)
        audit = audits.of_groups(GROUPS, options)
        sweep = delta_sweep.of(SOURCE, audit, LEVEL)
        assert audit.estimated is not None
        assert audit.verdict is not None
        assert audit.verdict.standing is not Standing.GREY
        assert sweep.estimate is not None
        at = int(np.searchsorted(sweep.deltas, DELTA))
        assert sweep.estimate[at] == pytest.approx(audit.estimated.value, rel=DIGITS)


def test_clip_is_said() -> None:
    clipped = audit_of(Method.EMPIRICAL, 1e-3).result
    assert "0.001" in delta_sweep._clip(clipped)
    assert delta_sweep._clip(replace(clipped, clip=None)) == ""
