"""Counts of people and rounded numbers: natural to read, and never rounded to the unsafe side."""

import unicodedata
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.shared.frequencies import Frequency, at_least, at_most, chosen, one_in, rounded_down, rounded_up

RATES = st.floats(0.0, 1.0)
ROUNDING = Decimal("1e-12")  # relative; what at_most forgives so that 0.043 is 43 of 1,000


@pytest.mark.parametrize(
    ("rate", "count", "of"),
    [
        (0.0, 0, 1000),
        (1.0, 1000, 1000),
        (0.001, 1, 1000),
        (0.043, 43, 1000),
        (0.0427, 43, 1000),
        (0.5, 500, 1000),
        (3e-6, 3, 1_000_000),
        (3.2e-6, 32, 10_000_000),
        (0.0041, 41, 10_000),
        (0.9996, 9996, 10_000),
        (1 - 1e-7, 9_999_999, 10_000_000),
        (1e-300, 1, 10**12),
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
        (0.0, "nobody"),
        (1.0, "everybody"),
    ],
)
def test_chosen_rates_in_words(rate: float, words: str) -> None:
    assert one_in(rate) == words


@given(st.floats(1e-12, 0.999))
def test_chosen_rates_are_true_to_three_digits(rate: float) -> None:
    count, of = (int(part.replace(",", "")) for part in one_in(rate).split(" in "))
    assert count / of == pytest.approx(rate, rel=5.01e-3)


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
    assert down <= Decimal(value) <= up


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
    assert chosen(value) == words
