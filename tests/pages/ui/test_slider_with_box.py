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
from pages.ui.slider_with_box import SliderWithBox, round_values
from tests.pages.visit import checked

NOISE = SliderWithBox("noise", "accurate ← noise → private", round_values(-1, 100.0), 1.0, (1e-3, 1e3), "How much.")
SCALES = pytest.mark.parametrize("scale", [NOISE, ALPHA, EPSILON, KAPPA, PRIOR], ids=lambda scale: scale.key)
SCRIPT = """
import streamlit as st
from tests.pages.ui.test_slider_with_box import NOISE
NOISE.draw_box("Exact noise")
NOISE.draw_slider()
st.text(repr(NOISE.value()))
"""


def shown(app: AppTest) -> tuple[float, float | None, float]:
    """The slider, the box, and the value in force."""
    (slider,), (box,), (value,) = app.select_slider, app.number_input, checked(app.run()).text
    assert not slider.disabled
    return float(str(slider.value)), None if box.value is None else float(box.value), float(value.value)


def test_slider_and_box_say_the_value_in_force_whichever_was_set_last() -> None:
    app = AppTest.from_string(SCRIPT)
    app.query_params.update({"noise": "2.5", "noise_exact": "1.0000001"})
    app.run()
    assert shown(app) == (1.0000001, 1.0000001, 1.0000001)
    app.select_slider[0].set_value(2.0).run()
    assert shown(app) == (2.0, None, 2.0)
    assert 1.0000001 not in map(float, app.select_slider[0].options)
    assert "noise_exact" not in app.query_params
    for typed in (1.41463, 0.05):
        app.number_input[0].set_value(typed).run()
        assert shown(app) == (typed, typed, typed)
    app.number_input[0].set_value(None).run()
    assert shown(app) == (0.1, None, 0.1)  # the nearest round one that there is


@SCALES
@given(place=st.floats(-0.5, 1.5))
def test_a_value_is_put_within_the_box_with_the_slider_at_the_nearest_round_one(
    scale: SliderWithBox, place: float
) -> None:
    low, high = scale.limits
    value = low * (high / low) ** place
    state = scale.state_of(value)
    held, exact = state[scale.key], state[scale.exact_key]
    assert held is not None
    assert exact is None or low <= exact <= high
    assert (held if exact is None else exact) == min(max(value, low), high)
    within = min(max(value, low), high)
    assert all(abs(log(held / within)) <= abs(log(one / within)) * (1 + 1e-9) for one in scale.values)
    steps = [later / value for value, later in pairwise(scale.values)]
    assert min(steps) > 1.0, "round values ascend"
