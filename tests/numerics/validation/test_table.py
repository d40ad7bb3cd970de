"""What is refused by name, rule and value, what annotations let through, and what members may be spelled as."""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.mechanisms import MECHANISMS, Adjacency, Gaussian, SampledMechanism, Sampling
from numerics.trade_off import Order
from numerics.unsupported import UnsupportedError
from numerics.validation import Interval, Positive, Probabilities, checked
from tests.strategies import KINDS
from tests.tables import Table

TABLE = Table(__file__)
PARTS, NAMES = TABLE.parts, TABLE.names


def test_table():
    TABLE.check()


@pytest.mark.parametrize(("parameters", "message"), PARTS["mechanisms"])
def test_mechanisms_refuse_bad_parameters(parameters, message):
    for kind in MECHANISMS:
        with pytest.raises((ValueError, TypeError), match=f"^{message}$"):
            kind(*eval(f"({parameters})", NAMES))


@pytest.mark.parametrize(("question", "message"), PARTS["unknown_noise"])
def test_noise_that_does_not_say_enough_is_refused_by_name(question, message):
    for release in NAMES["UNKNOWN"]:
        with pytest.raises(UnsupportedError, match=message):
            eval(question, NAMES | {"release": release})


@pytest.mark.parametrize("question", PARTS["several_records"])
def test_what_is_about_one_record_refuses_people_with_several(question):
    with pytest.raises(UnsupportedError, match="people with several records"):
        eval(question, NAMES | {"release": NAMES["PERSON"]})


def test_several_records_are_refused_by_name_where_they_are_not_known():
    for kind in (kind for kind in KINDS if not kind.several_records):
        with pytest.raises(UnsupportedError, match=f"records_per_person must be 1 for {kind.name}, got 2"):
            kind(1.0, 1.0, 1, kind.adjacencies[0], records_per_person=2)
    for way in (way for way in Sampling if not way.batches.several_records):
        with pytest.raises(UnsupportedError, match=f"records_per_person must be 1 for .*{way.batches.words}"):
            Gaussian(1.0, 0.1, 1, way.batches.adjacencies[0], way, records_per_person=2)


# --- annotations

EDGES = [0.0, -0.0, 1.0, np.nan, np.inf, 5e-324, float(np.nextafter(1, 0)), float(np.nextafter(1, 2)), 0.5, 1e3, -1.0]
NUMBERS = st.one_of(st.floats(), st.floats(-0.1, 1.1), st.sampled_from(EDGES))


def taken(hint: Any, value: Any) -> Any:
    """What a parameter of this annotation is used as."""

    def rated(rate):
        return rate

    rated.__annotations__["rate"] = hint
    return checked(rated)(value)


@pytest.mark.parametrize(("hint", "rule", "words"), PARTS["rules"])
@settings(max_examples=15)
@given(drawn=NUMBERS)
def test_each_annotation_lets_through_what_its_rule_says(hint, rule, words, drawn):
    for value in (drawn, *EDGES):
        if eval(rule, NAMES | {"x": value}):
            assert taken(eval(hint, NAMES), value) == value
            continue
        with pytest.raises(ValueError, match=f"^rate must .*({words})") as refusal:
            taken(eval(hint, NAMES), value)
        assert str(refusal.value).endswith(f", got {value!r}.")


def test_counts_arrays_numbers_of_numpy_and_one_of_two_kinds():
    few = Annotated[int, Interval(1, 10)]
    assert [taken(few, value) for value in (1, np.uint8(10))] == [1, 10]
    for value in (0, 11):
        with pytest.raises(ValueError, match=f"^rate must be between 1 and 10, got {value}.$"):
            taken(few, value)
    with pytest.raises(ValueError, match=r"^rate must be between 0.25 and 1234, got 0.2.$"):
        taken(Annotated[float, Interval(0.25, 1234.0)], 0.2)
    wrong: Any
    for wrong in (1.0, "1", None, True, np.array(1)):
        with pytest.raises(TypeError, match=r"^rate must be a whole number, got .*\.$"):
            taken(few, wrong)
    assert taken(Probabilities, [0.0, 1.0]).tolist() == [0.0, 1.0]
    for wrong in ([0.5, np.nan], [-0.1, 0.5], np.array([0.5, 1.1])):
        with pytest.raises(ValueError, match=r"^rate must be between 0 and 1, got"):
            taken(Probabilities, wrong)
    for kind in (np.float16, np.float32, np.longdouble):  # as the double of the same value, with which all is computed
        assert (type(taken(float, kind(0.1))), taken(float, kind(0.1))) == (float, kind(0.1))
    assert (type(taken(few, np.uint8(9))), type(taken(float, 3))) == (int, float)
    assert taken(tuple[float, Order], [1, "both"]) == (1.0, Order.SYMMETRIC)
    with pytest.raises(TypeError, match=r"^rate must be a tuple of 2, got \[1\.0\]\.$"):
        taken(tuple[float, Order], [1.0])
    assert taken(bool, np.True_)
    either = few | Adjacency
    assert (taken(either, "add/remove"), taken(either, np.int64(3))) == (Adjacency.ADD_REMOVE, 3)
    with pytest.raises(TypeError, match=r"^rate must be a whole number, got 'x'\. rate must be one of 'add/remove'"):
        taken(either, "x")


def test_what_is_given_by_name_and_kinds_of_mechanisms_that_are_not_marked_are_checked_all_the_same():
    @checked
    def given(*, rate: float, order: Order) -> tuple[float, Order]:
        return rate, order

    assert given(rate=np.float32(0.5), order="both") == (0.5, Order.SYMMETRIC)  # type: ignore[arg-type]

    @dataclass(frozen=True)
    class Unmarked(SampledMechanism):
        tail: Positive = 1.0

    assert Unmarked(np.float32(0.5), adjacency="replace-one").adjacency is Adjacency.REPLACE_ONE  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^tail must be positive and finite, got -1\.0\.$"):
        Unmarked(1.0, tail=-1.0)
