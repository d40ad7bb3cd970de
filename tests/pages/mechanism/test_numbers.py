"""Numbers and sentences of the explorer beside its curve: its table, and what has to be compared with a second way."""

import io
import re
from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from numerics.deadline import DeadlineError
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Mechanism
from numerics.trade_off import Bound, Order
from pages.mechanism import figures, numbers
from pages.server.budget import Budget, within
from pages.ui import cached, comparison, noise_levels, people_scene
from pages.ui.chart import CHART, CurveView, SecondFigure
from pages.ui.numbers_in_words import count_up
from pages.ui.release_in_force import ReleaseChoice
from tests.pages.answers import Answers
from tests.pages.driver import level
from tests.pages.visit import script_of, visited

ROUNDED = 1e-12  # the same number by two roads
COARSE = 0.05  # figures over other noise are computed coarsely
CHOICE = ReleaseChoice(Gaussian(1.0, 0.01, 1000), 1e-3, Order.ADD, 1e-5)
RELEASES: list[Mechanism] = [
    *(CHOICE.mechanism, Laplace(0.333333, 1e-7, 1_000_000, Adjacency.REPLACE_ONE)),
    *(Composition((Gaussian(1.25, 0.5, 3), Gaussian(2.0))), Gaussian(1.4146300123456789, 1 / 3, 7)),
]
PERSON = replace(CHOICE, mechanism=Gaussian(1.0, 0.01, 1000, records_per_person=4))
FEW = Gaussian(1.0, 0.01, 100)


@pytest.mark.parametrize("release", [RELEASES[0], Gaussian(2.0), RELEASES[2]], ids=lambda one: one.label)
def test_the_curve_moves_with_the_people(release: Mechanism) -> None:
    """At every noise its point and its number are those who are counted there, and the curve runs through the point."""
    choice = replace(CHOICE, mechanism=release)
    for place, state in figures.states(figures.Moving(choice, CurveView(), (0.7, 1.4), 1.69, (), ())).items():
        there, is_fine = noise_levels.at_noise(release, float(place.split(",")[0])), place.startswith("1.69")
        found = noise_levels.level(there, choice.alpha, choice.order, is_fine=is_fine).found
        assert found is not None
        moved: Any = state.figures[CHART]
        *_, (x, y), point = moved["traces"].values()
        assert (*point[0], *point[1]) == pytest.approx((choice.alpha, found), rel=1e-4)
        assert np.interp(np.log(choice.alpha), np.log(x), np.log(y)) == pytest.approx(np.log(found), abs=0.02)
        assert f"<b>{count_up(found, 10_000):,}</b>" in {one["text"] for one in moved["notes"].values()}


def crowd_of(release: Mechanism, alpha: float, prior: float = 0.1, order: Order = Order.ADD) -> int:
    """Of how many people everything is counted: more than 10,000 only where the count would be none of them, or all."""
    choice = replace(CHOICE, mechanism=release, alpha=alpha, order=order)
    text = numbers.sentences(choice, prior)
    (crowd,) = {int(one.replace(",", "")) for one in re.findall(r"(?:\bof|Of) (1[\d,]*0)\b", text)}
    assert crowd == people_scene.scene(choice, "one").crowd
    found = int(re.findall(r"(?:[Aa]t most|up to) \*\*([\d,]+)", text)[0].replace(",", ""))
    assert crowd == 10_000 or min(found, crowd - found) < crowd / 1000
    assert cached.power(release, alpha, order).upper * crowd <= found * (1 + ROUNDED)
    return crowd


test_table = Answers(__file__, globals()).test()


def test_second_figures_go_through_the_numbers_of_the_release() -> None:
    effect = cached.power_against_effect(Gaussian(2.0), 0.01, Order.ADD)
    at_release = int(np.argmin(np.abs(effect.effect_size - 0.5)))
    assert effect.bound is Bound.EXACT
    assert effect.power[at_release] == pytest.approx(Gaussian(2.0).power(0.01).estimate, rel=COARSE)
    assert np.all(np.diff([effect.effect_size, effect.power]) > 0.0)
    with within(Budget(0.0)), pytest.raises(DeadlineError):
        cached.power_against_effect(Gaussian(2.0), 0.0123, Order.ADD)
    profile = cached.profile(CHOICE.mechanism, 1e-5, cached.PRECISION)
    assert profile.delta[0] == pytest.approx(cached.advantage(CHOICE.mechanism).estimate, rel=ROUNDED)
    assert profile.upper[-1] == pytest.approx(1e-10, rel=COARSE)  # the end is sought with a bracket reaching further
    assert np.all(np.diff(profile.delta) <= 0.0)
    assert np.all((profile.lower <= profile.delta) & (profile.delta <= profile.upper))


def test_the_file_of_a_second_figure_has_what_is_drawn() -> None:
    curve, step = cached.statistic(FEW).alternative, Gaussian(2.0)
    powers = cached.power_against_effect(step, CHOICE.alpha, CHOICE.order).power
    for second, release, column, drawn in (
        (SecondFigure.EVIDENCE, FEW, "mass with", curve),
        (SecondFigure.POWER, step, "power", powers),
        (SecondFigure.PROFILE, FEW, "delta", cached.profile(FEW, 1e-5, cached.PRECISION).delta),
    ):
        text = figures.second_table(replace(CHOICE, mechanism=release), second, 1)
        np.testing.assert_array_equal(pd.read_csv(io.StringIO(text), comment="#")[column][: len(drawn)], drawn)
        assert release.label in text


def test_the_address_is_written_where_the_comparison_changes_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time it is written, the visitor's later changes would be put back."""
    times = []

    class Written(dict[str, str]):
        def __setitem__(self, name: str, value: str) -> None:
            times.append(value)
            super().__setitem__(name, value)

    monkeypatch.setattr(st, "query_params", Written(compare="Gaussian_1_0.01_1000_add"))
    monkeypatch.setattr(st, "session_state", {})
    assert comparison.second() == comparison.second() == CHOICE.mechanism
    st.session_state[comparison.KEY] = comparison.spelled(FEW)
    assert comparison.second() == comparison.second() == FEW
    assert times == ["Gaussian_1_0.01_100_add"]
    del st.session_state[comparison.KEY]  # a link to an example starts anew, from an address that was seen before
    assert comparison.second() == FEW


def test_a_refused_part_leaves_the_rest_and_the_slider_gives_every_phase_its_noise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    script = f"{script_of('pages/mechanism/page.py')}\nimport streamlit as st\nfrom pages.ui import people_scene\n"
    script += "st.button('let go', key='let go', on_click=people_scene.take_noise, args=(1.69,))\n"
    monkeypatch.setattr(cached, "statistic", Mock(side_effect=ValueError("too hard for this test.")))
    app = visited(AppTest.from_string(script, default_timeout=60), {"phases": "2", "noise_2": "2"})
    assert [warning.value for warning in app.warning] == ["**No second figure:** too hard for this test."]
    assert (len(app.metric), len(app.get("plotly_chart"))) == (6, 1)
    app.button("let go").click().run()
    assert (app.session_state["noise"], app.session_state["noise_2"]) == (1.69, 3.38)
    assert level(app)["noise"] == 1.69
