"""A slider and its box: what the slider shows is what is in force. How they are moved is among the cases."""

from itertools import pairwise
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.frontier.statistic.controls import ALPHA, EPSILON
from pages.reconstruct.prior import KAPPA
from pages.ui.figure_controls import PRIOR
from pages.ui.slider_with_box import SliderWithBox, round_values

NOISE = SliderWithBox("noise", "accurate ← noise → private", round_values(-1, 100.0), 1.0, (1e-3, 1e3), "How much.")


@pytest.mark.parametrize("scale", [NOISE, ALPHA, EPSILON, KAPPA, PRIOR], ids=lambda scale: scale.key)
@given(place=st.floats(-0.5, 1.5))
def test_a_value_is_put_within_the_box_with_the_slider_at_the_nearest_round_one(
    scale: SliderWithBox, place: float
) -> None:
    assert all(less < more for less, more in pairwise(scale.values))
    low, high = scale.limits
    value = low * (high / low) ** place
    state = scale.state_of(value)
    held, exact = state[scale.key], state[scale.exact_key]
    assert held in scale.values
    assert exact is None or low <= exact <= high
    within = min(max(value, low), high)
    assert (held if exact is None else exact) == within
    assert all(abs(log(held / within)) <= abs(log(one / within)) * (1 + 1e-9) for one in scale.values)
