"""A slider and its box: what the slider shows is what is in force, and moving it leaves an exact value."""

from itertools import pairwise
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from pages.frontier.statistic.controls import ALPHA, EPSILON
from pages.reconstruct.prior import KAPPA
from pages.ui.figure_controls import PRIOR
from pages.ui.release_controls import ALPHAS
from pages.ui.slider_with_box import SliderWithBox, round_values
from tests.pages.visit import checked

NOISE = SliderWithBox("noise", "accurate ← noise → private", round_values(-1, 100.0), 1.0, (1e-3, 1e3), "How much.")
SCALES = (NOISE, ALPHA, EPSILON, KAPPA, PRIOR)
SCRIPT = """
import streamlit as st
from tests.pages.ui.test_slider_with_box import NOISE
NOISE.draw_box("Exact noise")
NOISE.draw_slider()
st.text(repr(NOISE.value()))
"""


def controls(**query: str) -> AppTest:
    app = AppTest.from_string(SCRIPT)
    for name, value in query.items():
        app.query_params[name] = value
    return checked(app.run())


def shown(app: AppTest) -> tuple[float, float | None, float]:
    """The slider, the box, and the value in force."""
    (slider,), (box,), (value,) = app.select_slider, app.number_input, app.text
    assert not slider.disabled
    assert not app.button
    return float(str(slider.value)), None if box.value is None else float(box.value), float(value.value)


@pytest.mark.parametrize(
    "query", [{"noise_exact": "1.5"}, {"noise_exact": "1.0000001"}, {"noise": "2.5", "noise_exact": "10.53"}]
)
def test_a_slider_stands_at_the_exact_value_in_force(query: dict[str, str]) -> None:
    exact = float(query["noise_exact"])
    app = controls(**query)
    assert shown(app) == (exact, exact, exact)
    assert shown(checked(app.run())) == (exact, exact, exact)


def test_a_slider_that_is_moved_empties_the_box() -> None:
    app = controls(noise_exact="1.41463")
    assert app.select_slider[0].label == NOISE.label
    app.select_slider[0].set_value(2.0)
    assert shown(checked(app.run())) == (2.0, None, 2.0)
    assert 1.41463 not in map(float, app.select_slider[0].options)
    assert "noise_exact" not in app.query_params


def test_a_typed_value_moves_the_slider() -> None:
    app = controls(noise="2.5")
    assert shown(app) == (2.5, None, 2.5)
    app.number_input[0].set_value(1.41463)
    assert shown(checked(app.run())) == (1.41463, 1.41463, 1.41463)
    app.number_input[0].set_value(0.05)
    assert shown(checked(app.run())) == (0.05, 0.05, 0.05)
    app.number_input[0].set_value(None)
    assert shown(checked(app.run())) == (0.1, None, 0.1)  # the nearest round one that there is


@pytest.mark.parametrize("scale", SCALES, ids=lambda scale: scale.key)
@given(place=st.floats(-0.5, 1.5))
def test_a_value_beyond_the_box_is_put_at_its_end(scale: SliderWithBox, place: float) -> None:
    low, high = scale.limits
    value = low * (high / low) ** place
    state = scale.state_of(value)
    held, exact = state[scale.key], state[scale.exact_key]
    assert held in scale.values
    assert exact is None or low <= exact <= high
    in_force = held if exact is None else exact
    assert in_force == min(max(value, low), high)


@pytest.mark.parametrize("values", [NOISE.values, ALPHAS], ids=["noise", "false alarms"])
def test_round_values_ascend_in_steps_that_are_alike(values: tuple[float, ...]) -> None:
    steps = [later / value for value, later in pairwise(values)]
    assert all(step > 1.0 for step in steps)
    assert max(steps) < min(steps) ** 3


@given(place=st.floats(0.0, 1.0))
def test_the_slider_of_a_value_is_the_nearest_round_one(place: float) -> None:
    value = NOISE.values[0] * (NOISE.values[-1] / NOISE.values[0]) ** place
    held = NOISE.state_of(value)[NOISE.key]
    assert held is not None
    assert all(abs(log(held / value)) <= abs(log(one / value)) for one in NOISE.values)
