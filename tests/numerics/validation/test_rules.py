"""Each annotation lets through what its rule says, and a refusal names rule and value."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics import validation
from numerics.mechanisms import Adjacency, SampledMechanism
from numerics.trade_off import Order
from numerics.validation import Interval, checked

RULES: list[tuple[Any, Callable[[float], bool], str]] = [
    (float, lambda x: not np.isnan(x), "be a number"),
    (validation.Finite, np.isfinite, "be finite"),
    (validation.Positive, lambda x: 0 < x < np.inf, "positive and finite"),
    (validation.PositiveOrInfinite, lambda x: x > 0, "be positive"),
    (validation.Probability, lambda x: 0 <= x <= 1, "between 0 and 1"),
    (validation.OpenProbability, lambda x: 0 < x < 1, "strictly between 0 and 1"),
    (validation.PositiveProbability, lambda x: 0 < x <= 1, "above 0 and at most 1"),
    (validation.NonNegative, lambda x: x >= 0, "not be negative"),
    (validation.FiniteNonNegative, lambda x: 0 <= x < np.inf, "not be negative|be finite"),
    (Annotated[float, Interval(0.5, 1e3)], lambda x: 0.5 <= x <= 1e3, "between 0.5 and 1000"),
]
EDGES = [0.0, -0.0, 1.0, np.nan, np.inf, 5e-324, float(np.nextafter(1, 0)), float(np.nextafter(1, 2)), 0.5, 1e3, -1.0]
NUMBERS = st.one_of(st.floats(), st.floats(-0.1, 1.1), st.sampled_from(EDGES))


def taken(hint: Any, value: Any) -> Any:
    """What a parameter of this annotation is used as."""

    def rated(rate):
        return rate

    rated.__annotations__["rate"] = hint
    return checked(rated)(value)


@pytest.mark.parametrize(("hint", "rule", "words"), RULES)
@settings(max_examples=15)
@given(drawn=NUMBERS)
def test_each_annotation_lets_through_what_its_rule_says(hint, rule, words, drawn):
    for value in (drawn, *EDGES):
        if rule(value):
            assert taken(hint, value) == value
            continue
        with pytest.raises(ValueError, match=f"^rate must .*({words})") as refusal:
            taken(hint, value)
        assert str(refusal.value).endswith(f", got {value!r}.")


@settings(max_examples=15)
@given(st.lists(NUMBERS, max_size=5))
def test_all_rates_of_an_array_are_checked(values):
    if all(0 <= value <= 1 for value in values):
        assert taken(validation.Probabilities, values).tolist() == values
        return
    with pytest.raises(ValueError, match=r"^rate must be between 0 and 1, got"):
        taken(validation.Probabilities, np.array(values))


def test_counts_are_whole_numbers_in_their_interval():
    few = Annotated[int, Interval(1, 10)]
    assert [taken(few, value) for value in (1, 10)] == [1, 10]
    for value in (0, 11):
        with pytest.raises(ValueError, match=f"^rate must be between 1 and 10, got {value}.$"):
            taken(few, value)
    for wrong in (1.0, "1", None, True, np.nan, np.array(1)):
        with pytest.raises(TypeError, match=r"^rate must be a whole number, got .*\.$"):
            taken(int, wrong)


def test_numbers_of_numpy_names_and_one_of_two_kinds_are_taken_too():
    """Numbers as the double of the same value, with which all is computed."""
    for kind in (np.float16, np.float32, np.longdouble):
        found = taken(float, kind(0.1))
        assert (type(found), found) == (float, kind(0.1))
    assert (type(taken(int, np.uint8(200))), type(taken(float, 3))) == (int, float)

    @checked
    def given(*, rate: float, order: Order) -> tuple[float, Order]:
        return rate, order

    assert given(rate=np.float32(0.5), order="both") == (0.5, Order.SYMMETRIC)  # type: ignore[arg-type]
    either = Annotated[int, Interval(1, 9)] | Adjacency
    assert (taken(either, "add/remove"), taken(either, np.int64(3))) == (Adjacency.ADD_REMOVE, 3)
    with pytest.raises(TypeError, match=r"^rate must be a whole number, got 'x'\. rate must be one of 'add/remove'"):
        taken(either, "x")


def test_a_kind_of_mechanism_that_is_not_marked_is_checked_all_the_same():
    @dataclass(frozen=True)
    class Unmarked(SampledMechanism):
        tail: validation.Positive = 1.0

    assert Unmarked(np.float32(0.5), adjacency="replace-one").adjacency is Adjacency.REPLACE_ONE  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^tail must be positive and finite, got -1\.0\.$"):
        Unmarked(1.0, tail=-1.0)
