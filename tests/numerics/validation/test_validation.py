"""Bad parameters are refused in one form of message: name, rule, value received."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2, ncx2

from numerics import membership, relaxed, validation
from numerics.frontier import Histogram, StatisticNoise
from numerics.mechanisms import (
    LARGEST_PHASES,
    LARGEST_STEPS,
    MECHANISMS,
    Adjacency,
    Composition,
    Gaussian,
    Laplace,
    SampledMechanism,
    Sampling,
)
from numerics.relaxed import Direction
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
NUMBERS = st.one_of(
    st.floats(),
    st.floats(-0.1, 1.1),
    st.sampled_from([0.0, -0.0, 1.0, np.nan, np.inf, 5e-324, float(np.nextafter(1, 0)), float(np.nextafter(1, 2))]),
)


def taken(hint: Any, value: Any) -> Any:
    """What a parameter of this annotation is used as."""

    def rated(rate):
        return rate

    rated.__annotations__["rate"] = hint
    return checked(rated)(value)


@pytest.mark.parametrize(("hint", "rule", "words"), RULES)
@given(value=NUMBERS)
def test_each_annotation_lets_through_what_its_rule_says(hint, rule, words, value):
    if rule(value):
        assert taken(hint, value) == value
        return
    with pytest.raises(ValueError, match=f"^rate must .*({words})") as refusal:
        taken(hint, value)
    assert str(refusal.value).endswith(f", got {value!r}.")


@given(values=st.lists(NUMBERS, max_size=5))
def test_all_rates_of_an_array_are_checked(values):
    if all(0 <= value <= 1 for value in values):
        assert taken(validation.Probabilities, values).tolist() == values
        return
    with pytest.raises(ValueError, match=r"^rate must be between 0 and 1, got"):
        taken(validation.Probabilities, np.array(values))


@given(value=st.integers(-5, 15))
def test_counts(value):
    if 1 <= value <= 10:
        assert taken(Annotated[int, Interval(1, 10)], value) == value
        return
    with pytest.raises(ValueError, match=f"^rate must be between 1 and 10, got {value}.$"):
        taken(Annotated[int, Interval(1, 10)], value)


@pytest.mark.parametrize("value", [1.0, "1", None, True, np.nan, np.array(1)])
def test_counts_are_whole_numbers(value):
    with pytest.raises(TypeError, match=r"^rate must be a whole number, got .*\.$"):
        taken(int, value)


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, np.longdouble])
def test_numbers_of_numpy_are_taken_exactly(kind):
    """As the double of the same value, with which all is computed."""
    found = taken(float, kind(0.1))
    assert type(found) is float
    assert found == kind(0.1)
    assert type(taken(int, np.uint8(200))) is int
    assert type(taken(float, 3)) is float
    noise = kind(1.7)
    assert Gaussian(noise) == Gaussian(float(noise))
    assert Gaussian(noise).power(kind(0.1)) == Gaussian(float(noise)).power(float(kind(0.1)))


def test_what_is_given_by_name_is_taken_too():
    @checked
    def given(*, rate: float, order: Order) -> tuple[float, Order]:
        return rate, order

    rate, order = given(rate=np.float32(0.5), order="both")  # type: ignore[arg-type]
    assert type(rate) is float
    assert order is Order.SYMMETRIC


def test_what_another_array_holds_is_computed_in_double_precision():
    alpha = np.array([0.1, 0.2], dtype=np.float32)
    found = Gaussian(1.0).trade_off(alpha)  # type: ignore[arg-type]
    assert np.array_equal(found.power, Gaussian(1.0).trade_off(alpha.astype(float)).power)
    assert np.array_equal(Gaussian(1.0).trade_off([0.1, 0.2]).alpha, [0.1, 0.2])  # type: ignore[arg-type]


def epsilon(adjacency: str, sampling: str = "Poisson") -> float:
    return Gaussian(1.0, 0.01, 1000, adjacency, sampling).epsilon(1e-5).estimate  # type: ignore[arg-type]


def beta(direction: str) -> float:
    return float(relaxed.trade_off(Gaussian(1.0, 1.0, 5), [0.1], direction=direction).beta[0])  # type: ignore[arg-type]


SPELLED: list[tuple[Callable[..., float], list[Any], float]] = [
    (epsilon, [Adjacency.REPLACE_ONE], 2.8434),
    (epsilon, [Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE], 14.8207),
    (lambda how: membership.eta_of_epsilon(1.0, 0.0, how), [Adjacency.ADD_REMOVE], 0.5 * np.tanh(1.0)),
    (lambda order: Gaussian(1.0, 0.01, 1000).power(0.01, order).estimate, [Order.REMOVE], 0.026027),
    (beta, [Direction.INDEPENDENT], ncx2.cdf(chi2.isf(0.1, 5), 5, 5.0)),
    (lambda noise: Histogram(10, 3).unit_error(noise), [StatisticNoise.LAPLACE], 11.0 / 6.0),
]
"""A number, the members that it depends on, and what it is; the certified ones as dp-accounting has them too."""


@pytest.mark.parametrize(("number", "members", "expected"), SPELLED)
def test_the_value_of_a_member_stands_for_it(number, members, expected):
    """As plain text it was ignored, and another member's number came back."""
    found = number(*(member.value for member in members))
    assert found == number(*members)
    assert found == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("value", ["nonsense", "", None, 1, True, Order.ADD, "Replace-one"])
def test_nothing_else_stands_for_a_member(value):
    with pytest.raises((TypeError, ValueError)) as refusal:
        Gaussian(1.0, 0.01, 1000, value)
    assert str(refusal.value) == f"adjacency must be one of 'add/remove', 'replace-one', 'zero-out', got {value!r}."


def test_phases_may_be_a_list_and_hold_phases_only():
    listed = Composition([Gaussian(1.0), Laplace(2.0)])  # type: ignore[arg-type]
    assert listed == Composition((Gaussian(1.0), Laplace(2.0)))
    assert hash(listed) == hash(Composition((Gaussian(1.0), Laplace(2.0))))
    with pytest.raises(TypeError, match=r"^phases\[1\] must be of type SampledMechanism, got 'Laplace'\.$"):
        Composition((Gaussian(1.0), "Laplace"))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^phases must be a tuple, got Gaussian"):
        Composition(Gaussian(1.0))  # type: ignore[arg-type]


def test_a_kind_of_mechanism_that_is_not_marked_is_checked_all_the_same():
    @dataclass(frozen=True)
    class Unmarked(SampledMechanism):
        tail: validation.Positive = 1.0

    assert Unmarked(np.float32(0.5), adjacency="replace-one").adjacency is Adjacency.REPLACE_ONE  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^tail must be positive and finite, got -1\.0\.$"):
        Unmarked(1.0, tail=-1.0)


def test_either_of_two_kinds_is_taken_and_a_third_refused_for_both_reasons():
    hint = Annotated[int, Interval(1, 9)] | Adjacency
    assert taken(hint, "add/remove") is Adjacency.ADD_REMOVE
    assert taken(hint, np.int64(3)) == 3
    with pytest.raises(TypeError, match=r"^rate must be a whole number, got 'x'\. rate must be one of 'add/remove'"):
        taken(hint, "x")


def test_a_long_value_is_shortened_in_the_message():
    with pytest.raises(TypeError) as refusal:
        Gaussian("1" * 100_000)  # type: ignore[arg-type]
    assert len(str(refusal.value)) < 300


@pytest.mark.parametrize("kind", MECHANISMS)
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ((0.0,), r"noise_multiplier must be positive and finite, got 0\.0\."),
        ((-1.0,), r"noise_multiplier must be positive and finite, got -1\.0\."),
        ((np.nan,), r"noise_multiplier must be positive and finite, got nan\."),
        ((np.inf,), r"noise_multiplier must be positive and finite, got inf\."),
        ((1e-6 - 1e-20,), r"noise_multiplier must be between 1e-06 and 1e\+06, got 9\.999\d+e-07\."),
        ((1e6 + 1e-9,), r"noise_multiplier must be between 1e-06 and 1e\+06, got 1000000\.000\d+\."),
        ((1.0, 0.0), r"sampling_rate must be above 0 and at most 1, got 0\.0\."),
        ((1.0, 1.5), r"sampling_rate must be above 0 and at most 1, got 1\.5\."),
        ((1.0, np.nan), r"sampling_rate must be above 0 and at most 1, got nan\."),
        ((1.0, 0.5, 0), r"steps must be between 1 and 1000000, got 0\."),
        ((1.0, 0.5, LARGEST_STEPS + 1), r"steps must be between 1 and 1000000, got 1000001\."),
    ],
)
def test_mechanisms_refuse_bad_parameters(kind, parameters, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        kind(*parameters)


@pytest.mark.parametrize("kind", MECHANISMS)
def test_steps_are_a_whole_number(kind):
    with pytest.raises(TypeError, match=r"^steps must be a whole number, got 2\.0\.$"):
        kind(1.0, 0.5, 2.0)
    with pytest.raises(ValueError, match="noise_multiplier must be positive"):
        kind(1.0).with_noise(-2.0)


def test_phases_are_few_and_of_one_adjacency():
    with pytest.raises(ValueError, match="number of phases must be between 1 and 16, got 0"):
        Composition(())
    with pytest.raises(ValueError, match="number of phases must be between 1 and 16, got 17"):
        Composition((Gaussian(1.0),) * (LARGEST_PHASES + 1))
    with pytest.raises(ValueError, match="phases must share one adjacency, got add/remove and replace-one"):
        Composition((Gaussian(1.0), Laplace(1.0, adjacency=Adjacency.REPLACE_ONE)))


@pytest.mark.parametrize("mechanism", [Gaussian(1.0), Laplace(1.0, 0.5, 3)], ids=str)
def test_questions_refuse_bad_arguments(mechanism):
    asked = [
        (lambda: mechanism.power(1.5), "alpha must be between 0 and 1, got 1.5"),
        (lambda: mechanism.power(np.nan), "alpha must be between 0 and 1, got nan"),
        (lambda: mechanism.epsilon(0.0), "delta must be strictly between 0 and 1, got 0.0"),
        (lambda: mechanism.epsilon(1.0), "delta must be strictly between 0 and 1, got 1.0"),
        (lambda: mechanism.delta(-0.1), "epsilon must not be negative, got -0.1"),
        (lambda: mechanism.delta(np.nan), "epsilon must not be negative, got nan"),
        (lambda: mechanism.posterior(0.0, 0.5), "alpha must be strictly between 0 and 1, got 0.0"),
        (lambda: mechanism.posterior(0.1, 1.5), "prior must be between 0 and 1, got 1.5"),
        (lambda: mechanism.gaussian_mu(0.0), "smallest_alpha must be strictly between 0 and 1, got 0.0"),
        (lambda: mechanism.threshold(-1.0), "alpha must be between 0 and 1, got -1.0"),
    ]
    for ask, message in asked:
        with pytest.raises(ValueError, match=message):
            ask()
