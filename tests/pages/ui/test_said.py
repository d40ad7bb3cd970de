"""What pages say of single values: rows of ``said.toml``, and laws of every count, rounded number and slider."""

import unicodedata
from decimal import Decimal
from math import log
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.mechanism.numbers import PRIOR
from pages.reconstruct.prior import KAPPA
from pages.ui.controls import SliderWithBox
from pages.ui.numbers_in_words import at_least, at_most, ceiling_digits, floor_digits, one_in, rounded_down, rounded_up
from tests import ROOT
from tests.pages.answers import Answers
from tests.secant import Secant

test_what_is_said = Answers(__file__, {"Path": Path, "ROOT": ROOT, "Secant": Secant}, "said.toml").test()
ROUNDING = Decimal("1e-12")  # relative; what at_most forgives so that 0.0043 is 43 of 10,000


@given(st.floats(0.0, 1.0), st.sampled_from([1000, 10_000, 1_000_000]))
def test_at_most_never_understates_and_at_least_never_overstates(rate: float, group: int) -> None:
    for wrong in (-0.1 - rate, 1.1 + rate, float("nan")):
        with pytest.raises(ValueError, match="rate must be between 0 and 1"):
            at_most(wrong)
    most = at_most(rate, group)
    assert max(group, most.count) <= most.of
    assert Decimal(most.count) >= Decimal(rate) * most.of * (1 - ROUNDING)
    assert Decimal(at_least(rate, group).count) <= Decimal(rate) * group * (1 + ROUNDING)
    if 1e-9 <= rate <= 1.0 - 1e-9:  # nor does it overstate by more than a tenth, of either side
        least = at_most(rate)
        assert least.count <= 1.11 * rate * least.of
        assert (1 - rate) * least.of <= 1.11 * (least.of - least.count)
    if 1e-12 <= rate <= 0.999:
        count, of = (unicodedata.normalize("NFKC", part.replace(",", "")) for part in one_in(rate).split(" in "))
        crowd = 10.0 ** int(of[2:]) if len(of) <= 4 and int(of) > 1000 else float(of)  # 10¹², normalised, is 1012
        assert int(count) / crowd == pytest.approx(rate, rel=5.01e-3)


def number(text: str) -> Decimal:
    """The number that a text shows."""
    return Decimal(unicodedata.normalize("NFKC", text.replace(" × 10", "e")).replace("−", "-"))


@given(st.one_of(st.floats(0.0, 1e12), st.floats(0.9, 1.0, exclude_max=True)), st.integers(1, 9))
def test_rounding_is_safe_at_any_number_of_digits(value: float, digits: int) -> None:
    up, down = number(rounded_up(value, digits)), number(rounded_down(value, digits))
    assert down <= Decimal(repr(value)) <= up
    assert value > 1.0 - 1e-9 or up < 1 or value > 1.0, "what is not certain is not shown as certain"
    if value >= 1e-12 and digits >= 3:
        low, high = floor_digits(value, digits), ceiling_digits(value, digits)
        assert low <= value <= high
        assert high - low <= 10.0 ** (1 - digits) * high
        assert (float(f"{low:.{digits}g}"), float(f"{high:.{digits}g}")) == (low, high)


@given(st.integers(1, 999), st.integers(-9, 3), st.integers(3, 9))
def test_a_number_of_few_digits_is_shown_as_it_is(whole: int, power: int, digits: int) -> None:
    """A limit of 0.1 that is just met reads 0.1: that its float lies 6e-18 above does not make it 0.101."""
    value = float(f"{whole}e{power}")
    assert rounded_up(value, digits) == rounded_down(value, digits)
    assert floor_digits(value, digits) == ceiling_digits(value, digits) == value


@pytest.mark.parametrize("scale", [KAPPA, PRIOR], ids=lambda scale: scale.key)
@given(place=st.floats(-0.5, 1.5))
def test_what_a_slider_and_its_box_show_is_what_is_in_force(scale: SliderWithBox, place: float) -> None:
    """A value is put within the box, and the slider at the nearest of its round values."""
    low, high = scale.limits
    value = low * (high / low) ** place
    state, within = scale.state_of(value), min(max(value, low), high)
    held, exact = state[scale.key], state[scale.exact_key]
    assert (held if exact is None else exact) == within
    assert held in scale.values
    assert all(abs(log(held / within)) <= abs(log(one / within)) * (1 + 1e-9) for one in scale.values)
