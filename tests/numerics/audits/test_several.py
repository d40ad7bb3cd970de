"""What bounds of several models, and of several draws, say together; and the null of any statistic."""

from collections.abc import Iterator
from functools import partial
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.audits import (
    Scores,
    area_under_curve,
    at_least,
    level_each,
    median_of_draws,
    one_row_each,
    permuted,
    permuted_persons,
)
from numerics.deadline import DeadlineError
from numerics.epsilon_star import lower_bound
from numerics.epsilon_star.confidence import Ascending
from tests.reference import Reference, each

RISK = 0.05


@each("level of each bound when the largest")
def test_the_level_of_the_largest(row: Reference) -> None:
    assert level_each(row.count("models"), 1, row.number("level")) == pytest.approx(row.expected)


@each("level of each draw's bound")
def test_the_level_of_each_draw(row: Reference) -> None:
    asked = []

    def bound(_, level: float) -> float:
        asked.append(level)
        return 0.0

    median_of_draws(bound, np.arange(4), draws=3, level=row.number("level"))
    assert asked == [pytest.approx(row.expected)] * 3


def test_levels_between_the_largest_and_all() -> None:
    assert level_each(10, 10) == pytest.approx(0.95)
    assert [level_each(4, count) for count in range(1, 5)] == pytest.approx([1 - 0.05 / left for left in (4, 3, 2, 1)])
    with pytest.raises(ValueError, match="count must be between 1 and 3, got 4"):
        level_each(3, 4)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(0.0, 5.0), min_size=1, max_size=12), st.data())
def test_at_least_falls_with_the_count(values, data) -> None:
    bounds = [lambda level, value=value: value - level for value in values]
    found = [at_least(count, bounds) for count in range(1, len(values) + 1)]
    assert found[0] == max(values) - level_each(len(values))
    assert found[-1] == pytest.approx(min(values) - 0.95)
    count = data.draw(st.integers(1, len(values)))
    assert found[count - 1] == sorted(values, reverse=True)[count - 1] - level_each(len(values), count)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_statement_fails_at_most_as_often_as_it_says(count: int) -> None:
    """Three models with the true numbers 0, 1 and 1, in the worst dependence: their bounds fail in turn."""
    failures, runs = 0, 20_000
    truth = np.array([0.0, 1.0, 1.0])
    level = level_each(3, count, 1.0 - RISK)
    for run in range(runs):
        place = (run + 0.5) / runs  # in disjoint parts of the chances each bound fails with 1 - level
        fails = [each_ * (1.0 - level) <= place < (each_ + 1) * (1.0 - level) for each_ in range(3)]
        bounds = [partial(said, value + 1.0 if fail else value) for value, fail in zip(truth, fails, strict=True)]
        failures += at_least(count, bounds, 1.0 - RISK) > np.sort(truth)[::-1][count - 1]
    assert failures <= RISK * runs + 1


def said(value: float, _: float) -> float:
    return value


def test_one_row_each() -> None:
    persons = np.array([3, 1, 3, 3, 7, 1])
    for seed in range(20):
        rows = one_row_each(persons, seed)
        assert sorted(persons[rows]) == [1, 3, 7]
        assert np.all(np.diff(rows) > 0)
    chosen = [one_row_each(persons, seed) for seed in range(600)]
    share = np.mean([2 in rows for rows in chosen])
    assert share == pytest.approx(1 / 3, abs=0.08)


def test_the_median_of_draws_is_a_bound_that_most_draws_have() -> None:
    values = {9: [1.0, 5.0, 2.0, 9.0, 3.0, 4.0, 8.0, 7.0, 6.0], 4: [4.0, 1.0, 3.0, 2.0]}
    for draws, found in values.items():
        left = iter(found)

        def bound(_: np.ndarray, __: float, left: Iterator[float] = left) -> float:
            return next(left)

        assert median_of_draws(bound, np.arange(3), draws) == (5.0 if draws == 9 else 2.0)


class Stop:
    def check(self) -> None:
        raise DeadlineError("enough")


def test_the_deadline_is_kept() -> None:
    with pytest.raises(DeadlineError):
        median_of_draws(lambda *_: 0.0, np.arange(3), deadline=Stop())


def shows(scores: Scores, level: float) -> float:
    train, population = (Ascending(np.sort(-side)) for side in scores[::-1])
    return lower_bound(train, population, 1e-5, level).value


def alike(rng: np.random.Generator, persons: int, rows: int) -> np.ndarray:
    """Scores of persons whose rows correlate by .9."""
    return np.ravel(np.sqrt(0.9) * rng.normal(size=(persons, 1)) + np.sqrt(0.1) * rng.normal(size=(persons, rows)))


@each("same, correlation .9", role="negative")
def test_rows_of_one_person_are_not_independent_and_one_of_each_is(row: Reference) -> None:
    """Counted as independent, rows show something in nine null audits of ten; one of each, and medians, in few."""
    rng, persons = np.random.default_rng(6), np.repeat(np.arange(100), 10)
    delta, level, found = row.number("delta"), row.number("level"), []
    for _ in range(60):
        groups = Scores(alike(rng, 100, 10), alike(rng, 100, 10))

        def bound(rows: np.ndarray, each_level: float, groups: Scores = groups) -> float:
            return shows(Scores(groups.null[rows], groups.alternative[rows]), each_level)

        rows = one_row_each(persons)
        found.append([shows(groups, level), bound(rows, level), median_of_draws(bound, persons)])
    assert delta == 1e-5
    naive, one, median = np.mean(np.array(found) > 0.0, axis=0)
    assert naive == pytest.approx(row.expected, abs=0.13)
    assert one <= RISK + 3.0 * np.sqrt(RISK * (1 - RISK) / 60)
    assert median <= RISK


@each("share of null audits above 0, best of 10 epochs", role="negative")
def test_the_best_of_ten_epochs_is_corrected(row: Reference) -> None:
    rng, found = np.random.default_rng(7), []
    for _ in range(60):
        epochs = [Scores(rng.normal(size=100), rng.normal(size=100)) for _ in range(10)]
        bounds = [lambda level, epoch=epoch: shows(epoch, level) for epoch in epochs]
        found.append([max(bound(0.95) for bound in bounds) > 0.0, at_least(1, bounds) > 0.0])
    naive, corrected = np.mean(found, axis=0)
    assert naive > 2 * RISK
    assert naive == pytest.approx(row.expected, abs=0.2)
    assert corrected <= RISK + 3.0 * np.sqrt(RISK * (1 - RISK) / 60)


@each("0 for none as large", role="negative")
def test_a_permutation_p_value_is_never_0(row: Reference) -> None:
    *_, null = permuted(area, Scores(np.arange(20.0), np.arange(20.0) + 50.0), row.count("permutations"))
    assert np.count_nonzero(null.values >= null.observed) == row.count("at_least_as_large")
    assert null.p_value == 1 / (1 + row.count("permutations")) != row.expected


def area(scores: Scores) -> float:
    return area_under_curve(scores).value


def test_shuffles_give_every_assignment_equally_often() -> None:
    """Three and two scores: the null of the area is that of all 10 assignments."""
    scores = Scores(np.array([1.0, 2.0, 4.0]), np.array([3.0, 5.0]))
    *_, null = permuted(area, scores, 3000)
    exact = sorted(area(Scores(np.array(p[:3], float), np.array(p[3:], float))) for p in permutations([1, 2, 3, 4, 5]))
    assert null.observed == area(scores)
    assert null.sizes == (2, 3)
    for value in set(exact):
        share = np.mean(np.array(exact) == value)
        assert np.mean(np.isclose(null.values, value)) == pytest.approx(share, abs=0.03)


def test_shuffles_of_persons_keep_their_rows() -> None:
    scores = Scores(np.array([1.0, 1.1, 9.0]), np.array([5.0, 5.2]))
    seen = set()

    def look(found: Scores) -> float:
        seen.add(tuple(found.alternative))
        return float(found.alternative.mean())

    *_, null = permuted_persons(look, scores, np.array([0, 0, 1]), np.array([2, 2]), 100)
    assert seen == {(5.0, 5.2), (1.0, 1.1), (9.0,)}
    assert null.observed == pytest.approx(5.1)
    assert null.total == len(null.values) == 100


def test_shuffled_persons_are_no_false_alarm_where_shuffled_rows_are() -> None:
    rng, persons, alarms = np.random.default_rng(8), np.repeat(np.arange(30), 10), []
    for _ in range(40):
        groups = Scores(alike(rng, 30, 10), alike(rng, 30, 10))
        *_, rows = permuted(area, groups, 39)
        *_, whole = permuted_persons(area, groups, persons, persons + 30, 39)
        alarms.append([rows.p_value <= 0.05, whole.p_value <= 0.05])
    of_rows, of_persons = np.mean(alarms, axis=0)
    assert of_rows > 0.15
    assert of_persons <= RISK + 3.0 * np.sqrt(RISK * (1 - RISK) / 40)


def test_large_groups_are_shuffled_in_part() -> None:
    scores = Scores(np.arange(50_001.0), np.arange(10.0))
    null = next(iter(permuted(area, scores, 3)))
    assert null.is_subset
    assert null.sizes == (10, 50_000)
    assert not next(iter(permuted(area, Scores(np.arange(9.0), np.arange(4.0)), 1))).is_subset


def test_refusals() -> None:
    scores = Scores(np.arange(3.0), np.arange(2.0))
    with pytest.raises(ValueError, match="persons must be in one group, got 1 in both"):
        permuted_persons(area, scores, np.array([0, 1, 2]), np.array([2, 3]))
    with pytest.raises(ValueError, match="null scores must have a person each"):
        permuted_persons(area, scores, np.array([0, 1]), np.array([2, 3]))
    with pytest.raises(ValueError, match="alternative scores must be numbers, got NaN"):
        permuted(area, Scores(np.zeros(2), np.array([np.nan])))
