"""Counts of people and rounded numbers: natural to read, and never rounded to the unsafe side."""

import unicodedata
from collections.abc import Callable
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
INF = float("inf")
COUNTS = {  # at most so many of so many
    (0, 10_000): [0.0],
    (10, 10_000): [0.001],
    (41, 10_000): [0.0041],
    (427, 10_000): [0.0427],
    (430, 10_000): [0.043],
    (5000, 10_000): [0.5],
    (9996, 10_000): [0.9996],
    (10_000, 10_000): [1.0, 1 - 1e-12],
    (41, 100_000): [0.00041],
    (99_961, 100_000): [0.99961],
    (3, 1_000_000): [3e-6],
    (32, 10_000_000): [3.2e-6],
    (9_999_999, 10_000_000): [1 - 1e-7],
    (1, 10**10): [1e-300],
}
WORDS: list[tuple[Callable[..., str], dict[str, object]]] = [
    (one_in, {"1 in 1,000": 0.001, "5 in 10": 0.5, "37 in 100": 0.37, "123 in 10,000": 0.0123, "9 in 10": 0.9}),
    (one_in, {"1 in 1,000,000,000": 1e-9, "1 in 10¹²": 1e-12, "nobody": 0.0, "everybody": 1.0}),
    (one_in, {"9,995 in 10,000": 0.9995}),
    (rounded_up, {"1.83": 1.8282365, "0.162": 0.16101, "0.5": 0.5, "124000": 123456.0, "0": 0.0, "∞": INF}),
    (rounded_down, {"1.82": 1.8282365, "0.161": 0.16101, "0.5": 0.5, "123000": 123456.0, "0": 0.0, "∞": INF}),
    (rounded_up, {"1.24 × 10⁻⁹": 1.234e-9, "1.24 × 10⁹": 1.234e9, "−0.25": -0.25}),
    (rounded_down, {"−3 × 10⁻⁶": -3e-6}),
    (as_entered, {"0.001": 1e-3, "10⁻⁵": 1e-5, "2.5 × 10⁻⁷": 2.5e-7, "0.25": 0.25, "10⁹": 1e9}),
    (as_entered, {"2.0833333 × 10⁻⁵": 1 / 48_000}),
    # A hyphen may end a line, and is read out as none; exponents have theirs.
    (nearest, {"−4.673": -4.67298, "−2.5 × 10⁻⁷": -2.5e-7, "∞": INF, "−∞": -INF, "0": -0.0}),
    (lambda rate: counted(rate, 10_000), {"10 of 10,000": 0.001, "1,000 of 10,000": 0.1, "123 in 100,000": 0.00123}),
    (lambda rate: counted(rate, 10_000), {"1 in 1,000,000": 1e-6, "10,000 of 10,000": 1.0, "nobody": 0.0}),
]


@pytest.mark.parametrize(("count", "rates"), COUNTS.items(), ids=str)
def test_counts_read_naturally(count: tuple[int, int], rates: list[float]) -> None:
    assert [at_most(rate) for rate in rates] == [Frequency(*count)] * len(rates)


@pytest.mark.parametrize(("say", "expected"), WORDS)
def test_words_of_numbers(say: Callable[..., str], expected: dict[str, object]) -> None:
    assert {say(value): value for value in expected.values()} == expected


@given(RATES, st.sampled_from([1000, 10_000, 1_000_000]))
def test_at_most_never_understates_and_at_least_never_overstates(rate: float, group: int) -> None:
    frequency = at_most(rate, group)
    assert group <= frequency.of
    assert frequency.count <= frequency.of
    assert Decimal(frequency.count) >= Decimal(rate) * frequency.of * (1 - ROUNDING)
    assert Decimal(at_least(rate, group).count) <= Decimal(rate) * group * (1 + ROUNDING)


@given(st.floats(1e-9, 1 - 1e-9))
def test_at_most_overstates_by_a_tenth_at_most(rate: float) -> None:
    frequency = at_most(rate)
    assert frequency.count <= 1.11 * rate * frequency.of
    assert (1 - rate) * frequency.of <= 1.11 * (frequency.of - frequency.count)


@pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan")])
def test_what_is_no_rate_is_refused(rate: float) -> None:
    with pytest.raises(ValueError, match="rate must be between 0 and 1"):
        at_most(rate)


@given(st.floats(0.9, 1.0 - 1e-9, exclude_max=True), st.integers(1, 6))
def test_what_is_not_certain_is_not_shown_as_certain(rate: float, digits: int) -> None:
    assert rate <= float(rounded_up(rate, digits)) < 1.0


@given(st.floats(1e-12, 0.999))
def test_chosen_rates_are_true_to_three_digits(rate: float) -> None:
    count, of = (unicodedata.normalize("NFKC", part.replace(",", "")) for part in one_in(rate).split(" in "))
    crowd = 10.0 ** int(of[2:]) if len(of) <= 4 and int(of) > 1000 else float(of)  # 10¹², normalised, is 1012
    assert int(count) / crowd == pytest.approx(rate, rel=5.01e-3)


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
    assert len({rounded_up(value, digits), rounded_down(value, digits)}) == 1
    assert floor_digits(value, digits) == ceiling_digits(value, digits) == value


@given(st.floats(1e-12, 1e6), st.integers(3, 9))
def test_numbers_are_cut_to_digits_on_either_side(value: float, digits: int) -> None:
    low, high = floor_digits(value, digits), ceiling_digits(value, digits)
    assert low <= value <= high
    assert high - low <= 10.0 ** (1 - digits) * high
    assert (float(f"{low:.{digits}g}"), float(f"{high:.{digits}g}")) == (low, high)
