"""Counts of people and rounded numbers: natural to read, and never rounded to the unsafe side."""

import unicodedata
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.ui.numbers_in_words import (
    Frequency,
    as_entered,
    at_least,
    at_most,
    ceiling_digits,
    counted,
    floor_digits,
    nearest,
    one_in,
    rounded_down,
    rounded_up,
)

RATES = st.floats(0.0, 1.0)
ROUNDING = Decimal("1e-12")  # relative; what at_most forgives so that 0.0043 is 43 of 10,000


@pytest.mark.parametrize(
    ("rate", "count", "of"),
    [
        (0.0, 0, 10_000),
        (1.0, 10_000, 10_000),
        (0.001, 10, 10_000),
        (0.002, 20, 10_000),
        (0.043, 430, 10_000),
        (0.0427, 427, 10_000),
        (0.5, 5000, 10_000),
        (0.99961, 99_961, 100_000),
        (0.00041, 41, 100_000),
        (3e-6, 3, 1_000_000),
        (3.2e-6, 32, 10_000_000),
        (0.0041, 41, 10_000),
        (0.9996, 9996, 10_000),
        (1 - 1e-7, 9_999_999, 10_000_000),
        (1 - 1e-12, 10_000, 10_000),
        (1e-300, 1, 10**10),
    ],
)
def test_counts_read_naturally(rate: float, count: int, of: int) -> None:
    assert at_most(rate) == Frequency(count, of)


@given(RATES, st.sampled_from([1000, 10_000, 1_000_000]))
def test_at_most_never_understates(rate: float, smallest_group: int) -> None:
    frequency = at_most(rate, smallest_group)
    assert frequency.of >= smallest_group
    assert Decimal(frequency.count) >= Decimal(rate) * frequency.of * (1 - ROUNDING)
    assert frequency.count <= frequency.of


@given(st.floats(1e-9, 1 - 1e-9))
def test_at_most_overstates_by_a_tenth_at_most(rate: float) -> None:
    frequency = at_most(rate)
    assert frequency.count <= 1.11 * rate * frequency.of
    assert (1 - rate) * frequency.of <= 1.11 * (frequency.of - frequency.count)


@given(RATES, st.sampled_from([1000, 1_000_000]))
def test_at_least_never_overstates(rate: float, of: int) -> None:
    assert Decimal(at_least(rate, of).count) <= Decimal(rate) * of * (1 + ROUNDING)


@pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan")])
def test_what_is_no_rate_is_refused(rate: float) -> None:
    with pytest.raises(ValueError, match="rate must be between 0 and 1"):
        at_most(rate)


@pytest.mark.parametrize(
    ("rate", "words"),
    [
        (0.001, "1 in 1,000"),
        (0.5, "5 in 10"),
        (0.37, "37 in 100"),
        (0.0123, "123 in 10,000"),
        (1e-9, "1 in 1,000,000,000"),
        (1e-12, "1 in 10¹²"),
        (0.0, "nobody"),
        (1.0, "everybody"),
    ],
)
def test_chosen_rates_in_words(rate: float, words: str) -> None:
    assert one_in(rate) == words


@pytest.mark.parametrize(
    ("rate", "of", "words"),
    [
        (0.001, 10_000, "10 of 10,000"),
        (0.1, 10_000, "1,000 of 10,000"),
        (0.00123, 10_000, "123 in 100,000"),
        (1e-6, 10_000, "1 in 1,000,000"),
        (1.0, 10_000, "10,000 of 10,000"),
        (0.0, 10_000, "nobody"),
    ],
)
def test_a_chosen_rate_is_counted_in_the_crowd_of_its_sentence(rate: float, of: int, words: str) -> None:
    assert counted(rate, of) == words


@given(st.floats(0.9, 1.0 - 1e-9, exclude_max=True), st.integers(1, 6))
def test_what_is_not_certain_is_not_shown_as_certain(rate: float, digits: int) -> None:
    assert rate <= float(rounded_up(rate, digits)) < 1.0


@given(st.floats(1e-12, 0.999))
def test_chosen_rates_are_true_to_three_digits(rate: float) -> None:
    count, of = (unicodedata.normalize("NFKC", part.replace(",", "")) for part in one_in(rate).split(" in "))
    crowd = 10.0 ** int(of[2:]) if len(of) <= 4 and int(of) > 1000 else float(of)  # 10¹², normalised, is 1012
    assert int(count) / crowd == pytest.approx(rate, rel=5.01e-3)


@pytest.mark.parametrize(
    ("value", "up", "down"),
    [
        (1.8282365, "1.83", "1.82"),
        (0.16101, "0.162", "0.161"),
        (0.5, "0.5", "0.5"),
        (123456.0, "124000", "123000"),
        (0.0, "0", "0"),
        (float("inf"), "∞", "∞"),
    ],
)
def test_numbers_are_rounded_to_the_side_asked_for(value: float, up: str, down: str) -> None:
    assert rounded_up(value) == up
    assert rounded_down(value) == down


def test_very_small_numbers_are_powers_of_ten() -> None:
    assert rounded_up(1.234e-9) == "1.24 × 10⁻⁹"
    assert rounded_up(1.234e9) == "1.24 × 10⁹"


@given(st.floats(0.0, 1e12), st.integers(1, 9))
def test_rounding_is_safe_at_any_number_of_digits(value: float, digits: int) -> None:
    up, down = (
        Decimal(unicodedata.normalize("NFKC", text.replace(" × 10", "e")).replace("−", "-"))
        for text in (rounded_up(value, digits), rounded_down(value, digits))
    )
    assert down <= Decimal(repr(value)) <= up
    assert float(down) <= value <= float(up)


@given(st.integers(1, 999), st.integers(-9, 3), st.integers(3, 9))
def test_a_number_of_few_digits_is_shown_as_it_is(number: int, power: int, digits: int) -> None:
    """A limit of 0.1 that is just met reads 0.1: that its float lies 6e-18 above does not make it 0.101."""
    value = float(f"{number}e{power}")
    shown = {rounded_up(value, digits), rounded_down(value, digits)}
    assert len(shown) == 1
    assert floor_digits(value, digits) == ceiling_digits(value, digits) == value


@given(st.floats(1e-12, 1e6), st.integers(3, 9))
def test_numbers_are_cut_to_digits_on_either_side(value: float, digits: int) -> None:
    low, high = floor_digits(value, digits), ceiling_digits(value, digits)
    assert low <= value <= high
    assert high - low <= 10.0 ** (1 - digits) * high
    assert (float(f"{low:.{digits}g}"), float(f"{high:.{digits}g}")) == (low, high)


@pytest.mark.parametrize(
    ("rate", "words"),
    [(1e-3, "1 in 1,000"), (0.37, "37 in 100"), (0.9, "9 in 10"), (0.9995, "9,995 in 10,000"), (1.0, "everybody")],
)
def test_chosen_rates_read_naturally(rate: float, words: str) -> None:
    assert one_in(rate) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (1e-3, "0.001"),
        (1e-5, "10⁻⁵"),
        (2.5e-7, "2.5 × 10⁻⁷"),
        (1 / 48_000, "2.0833333 × 10⁻⁵"),
        (0.25, "0.25"),
        (1e9, "10⁹"),
    ],
)
def test_chosen_numbers_are_not_rounded_to_a_side(value: float, words: str) -> None:
    assert as_entered(value) == words


def test_negative_numbers_have_a_minus_sign() -> None:
    """A hyphen may end a line, and is read out as none; exponents have theirs."""
    assert nearest(-4.67298) == "−4.673"
    assert nearest(-2.5e-7) == "−2.5 × 10⁻⁷"
    assert [nearest(value) for value in (float("inf"), float("-inf"), -0.0)] == ["∞", "−∞", "0"]
    assert (rounded_up(-0.25), rounded_down(-3e-6)) == ("−0.25", "−3 × 10⁻⁶")
