"""Bad parameters are refused in one form of message: name, rule, value received."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numerics import validation
from numerics.mechanisms import LARGEST_PHASES, LARGEST_STEPS, MECHANISMS, Adjacency, Composition, Gaussian, Laplace
from numerics.privacy_loss import Precision, PrecisionError

RULES: list[tuple[Callable[[str, float], None], Callable[[float], bool], str]] = [
    (validation.positive, lambda x: 0 < x < np.inf, "positive and finite"),
    (validation.probability, lambda x: 0 <= x <= 1, "between 0 and 1"),
    (validation.open_probability, lambda x: 0 < x < 1, "strictly between 0 and 1"),
    (validation.positive_probability, lambda x: 0 < x <= 1, "above 0 and at most 1"),
    (validation.non_negative, lambda x: x >= 0, "not be negative"),
    (lambda name, x: validation.between(name, x, 0.5, 1e3), lambda x: 0.5 <= x <= 1e3, "between 0.5 and 1000"),
]
NUMBERS = st.one_of(st.floats(), st.floats(-0.1, 1.1), st.sampled_from([0.0, -0.0, 1.0, np.nan, np.inf, 5e-324]))


@pytest.mark.parametrize(("check", "rule", "words"), RULES)
@given(value=NUMBERS)
def test_each_check_lets_through_what_its_rule_says(check, rule, words, value):
    if rule(value):
        check("rate", value)
        return
    with pytest.raises(ValueError, match=f"^rate must .*{words}") as refusal:
        check("rate", value)
    assert str(refusal.value).endswith(f", got {value!r}.")


@given(values=st.lists(NUMBERS, max_size=5))
def test_all_rates_of_an_array_are_checked(values):
    if all(0 <= value <= 1 for value in values):
        validation.probabilities("alpha", np.array(values))
        return
    with pytest.raises(ValueError, match=r"^alpha must be between 0 and 1, got"):
        validation.probabilities("alpha", np.array(values))


@given(value=st.integers(-5, 15))
def test_counts(value):
    if 1 <= value <= 10:
        validation.count("steps", value, 10)
        return
    with pytest.raises(ValueError, match=f"^steps must be between 1 and 10, got {value}.$"):
        validation.count("steps", value, 10)


def test_counts_from_another_smallest():
    validation.count("shadows", 2, 10, smallest=2)
    with pytest.raises(ValueError, match=r"^shadows must be between 2 and 10, got 1\.$"):
        validation.count("shadows", 1, 10, smallest=2)


@pytest.mark.parametrize("value", [1.0, "1", None, True, np.nan])
def test_counts_are_whole_numbers(value):
    with pytest.raises(TypeError, match=r"^steps must be a whole number, got .*\.$"):
        validation.count("steps", value, 10)


@pytest.mark.parametrize("kind", MECHANISMS)
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ((0.0,), r"noise_multiplier must be positive and finite, got 0\.0\."),
        ((-1.0,), r"noise_multiplier must be positive and finite, got -1\.0\."),
        ((np.nan,), r"noise_multiplier must be positive and finite, got nan\."),
        ((np.inf,), r"noise_multiplier must be positive and finite, got inf\."),
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
    with pytest.raises(ValueError, match="number of phases must be between 1 and 4, got 0"):
        Composition(())
    with pytest.raises(ValueError, match="number of phases must be between 1 and 4, got 5"):
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


def test_refusals_of_a_bracket_say_what_to_do():
    with pytest.raises(PrecisionError) as refusal:
        Gaussian(1.0, 1e-7, 1_000_000).power(0.1, precision=Precision(width=1e-12))
    assert "1,000,000 steps" in str(refusal.value)
    assert "A wider bracket, a larger smallest rate or fewer steps will do." in str(refusal.value)
