"""Frontiers by their laws, and against the definitions tried out on every pair and triple of points."""

import math
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.kernel_density import kernel_density
from numerics.pareto import Better, averages, best_within, elbow, hull, non_dominated, oriented
from numerics.trade_off import Floats

ROUNDING = 1e-12  # of a sum of a few hundred numbers
FEW = 12  # points, so that all triples can be tried
EXAMPLES = settings(max_examples=40)

Points = tuple[Floats, Floats]

# Whole numbers: sums and products of their differences are exact, so that ties and straight lines are too.
COORDINATE = st.integers(-20, 20).map(float)
POINTS = st.lists(st.tuples(COORDINATE, COORDINATE), min_size=1, max_size=FEW).map(
    lambda rows: (np.array([row[0] for row in rows]), np.array([row[1] for row in rows]))
)


def beats(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one[0] >= other[0] and one[1] >= other[1] and one != other


def listed(points: Points) -> list[tuple[float, float]]:
    return list(zip(points[0].tolist(), points[1].tolist(), strict=True))


def is_undominated(points: Points) -> list[bool]:
    rows = listed(points)
    return [not any(beats(other, row) for other in rows) for row in rows]


def is_corner(points: Points) -> list[bool]:
    """Not dominated, and not on or below the line between two others that are on both sides of it."""
    rows = listed(points)

    def is_below(row: tuple[float, float], left: tuple[float, float], right: tuple[float, float]) -> bool:
        share = (row[1] - left[1]) * (right[0] - left[0])
        return left[1] < row[1] < right[1] and (row[0] - left[0]) * (right[1] - left[1]) <= share

    return [
        undominated and not any(is_below(row, *pair) for pair in permutations(set(rows), 2))
        for row, undominated in zip(rows, is_undominated(points), strict=True)
    ]


@EXAMPLES
@given(POINTS)
def test_against_the_definitions(points: Points) -> None:
    assert non_dominated(*points).tolist() == is_undominated(points)
    assert hull(*points).tolist() == is_corner(points)


@EXAMPLES
@given(POINTS, st.integers(1, 15))
def test_no_mixture_of_two_beats_a_corner(points: Points, sixteenths: int) -> None:
    mask, rows = hull(*points), listed(points)
    share = sixteenths / 16.0
    for (u, p), (v, q) in combinations(rows, 2):
        mixed = share * u + (1 - share) * v, share * p + (1 - share) * q
        assert not any(beats(mixed, row) for row, is_kept in zip(rows, mask, strict=True) if is_kept)


@EXAMPLES
@given(POINTS)
def test_frontiers_are_monotone_and_one_holds_the_other(points: Points) -> None:
    everywhere, corners = non_dominated(*points), hull(*points)
    assert not (corners & ~everywhere).any()
    for mask in (everywhere, corners):
        order = np.argsort(points[1][mask], kind="stable")
        assert (np.diff(points[0][mask][order]) <= 0.0).all()
    best = [points[0] == points[0].max(), points[1] == points[1].max()]
    assert all((corners & one).any() for one in best)


@EXAMPLES
@given(POINTS, st.randoms(use_true_random=False), st.sampled_from([0.25, 4.0]), st.integers(-8, 8))
def test_order_scale_and_place_do_not_matter(points: Points, shuffle: object, factor: float, shift: int) -> None:
    order = np.array(shuffle.sample(range(len(points[0])), len(points[0])))  # type: ignore[attr-defined]
    moved = factor * points[0][order] + shift, 2.0 * points[1][order] - shift
    for frontier in (non_dominated, hull):
        assert frontier(*moved).tolist() == frontier(*points)[order].tolist()
    place, other = elbow(*points), elbow(*moved)
    assert (place is None) == (other is None)
    if place is not None and other is not None:
        assert listed(points)[place] == listed((points[0][order], points[1][order]))[other]


@EXAMPLES
@given(POINTS)
def test_a_flipped_sign_is_a_flipped_direction(points: Points) -> None:
    flipped = oriented(-points[0], Better.LOWER), oriented(points[1], Better.HIGHER)
    assert non_dominated(*flipped).tolist() == non_dominated(*points).tolist()
    assert hull(*flipped).tolist() == hull(*points).tolist()


@EXAMPLES
@given(POINTS)
def test_the_elbow_is_the_corner_farthest_from_the_chord(points: Points) -> None:
    corners = sorted({row for row, is_kept in zip(listed(points), hull(*points), strict=True) if is_kept})
    place = elbow(*points)
    if len(corners) < 3:
        assert place is None
        return
    assert place is not None
    (low, private), (high, open_) = corners[0], corners[-1]

    def distance(row: tuple[float, float]) -> float:
        """From the line through (0, 1) and (1, 0)."""
        return ((row[0] - low) / (high - low) + (row[1] - open_) / (private - open_) - 1.0) / math.sqrt(2.0)

    every = [row for row, is_kept in zip(listed(points), non_dominated(*points), strict=True) if is_kept]
    assert listed(points)[place] in corners[1:-1]
    assert distance(listed(points)[place]) == pytest.approx(max(map(distance, every)), abs=ROUNDING)


@pytest.mark.parametrize(
    ("rows", "undominated", "corners", "place"),
    [
        ([], [], [], None),
        ([(1, 1)], [True], [True], None),
        ([(1, 1), (1, 1)], [True, True], [True, True], None),
        ([(1, 1), (2, 1)], [False, True], [False, True], None),
        ([(0, 2), (2, 0)], [True, True], [True, True], None),
        ([(0, 2), (1, 1), (2, 0)], [True] * 3, [True, False, True], None),
        ([(0.1, 0.3), (0.2, 0.2), (0.3, 0.1)], [True] * 3, [True, False, True], None),  # straight but for rounding
        ([(0, 2), (1.5, 1.5), (1.5, 1.5), (2, 0)], [True] * 4, [True] * 4, 1),
        ([(0, 2), (0.5, 0.5), (2, 0)], [True] * 3, [True, False, True], None),
        ([(0, 3), (2.5, 1.5), (1.5, 2.5), (3, 0)], [True] * 4, [True] * 4, 2),  # two as far, the most private wins
        ([(1e300, -1e300), (-1e300, 1e300), (5e299, 5e299)], [True] * 3, [True] * 3, 2),
        ([(1e-300, -1e-300), (-1e-300, 1e-300), (5e-301, 5e-301)], [True] * 3, [True] * 3, 2),
    ],
)
def test_cases(
    rows: list[tuple[float, float]], undominated: list[bool], corners: list[bool], place: int | None
) -> None:
    points = np.array([row[0] for row in rows], dtype=float), np.array([row[1] for row in rows], dtype=float)
    assert non_dominated(*points).tolist() == undominated
    assert hull(*points).tolist() == corners
    assert elbow(*points) == place


def test_the_printed_baselines_of_paper_001() -> None:
    """Purchase-100, Section 4.2: 50 epochs lie farthest from the line between 10 and 100 epochs."""
    accuracy, epsilon = np.array([0.86, 0.904, 0.906]), np.array([2.48, 7.06, 7.79])
    assert hull(accuracy, -epsilon).all()
    assert elbow(accuracy, -epsilon) == 1
    assert best_within(accuracy, -epsilon, -7.5) == 1
    assert best_within(-epsilon, accuracy, 0.87) == 1
    assert best_within(accuracy, -epsilon, -7.06) == 1  # the limit itself is allowed
    assert best_within(accuracy, -epsilon, -2.0) is None


@EXAMPLES
@given(st.lists(st.tuples(st.integers(0, 3), st.floats(-1e9, 1e9)), min_size=1, max_size=30))
def test_averages_lie_between_the_runs(rows: list[tuple[int, float]]) -> None:
    different = sorted({code for code, _ in rows})
    codes = np.array([different.index(code) for code, _ in rows])
    values = np.array([value for _, value in rows])
    found = averages(codes, values)
    for code in range(len(different)):
        own = values[codes == code]
        assert (found.low[code], found.high[code]) == (own.min(), own.max())
        assert own.min() <= found.mean[code] <= own.max()
        assert found.mean[code] == pytest.approx(math.fsum(own) / len(own), rel=ROUNDING, abs=1e-6)


def test_bars_that_are_given() -> None:
    found = averages(np.array([0, 1, 0]), np.ones(3), np.array([0.5, 0.9, 0.4]), np.array([1.1, 1.2, 1.3]))
    assert [ends.tolist() for ends in found] == [[1.0, 1.0], [0.4, 0.9], [1.3, 1.2]]
    with pytest.raises(ValueError, match="none of 0"):
        averages(np.array([1, 1]), np.ones(2))
    with pytest.raises(ValueError, match="values must be finite"):
        averages(np.array([0]), np.array([np.nan]))


def test_density_against_the_sum_of_kernels() -> None:
    """Sharing values out between grid points moves each by less than a cell, which widens the kernel slightly."""
    values = np.random.default_rng(1).normal(size=300)
    grid = np.linspace(-6.0, 6.0, 512)
    quarters = np.quantile(values, (0.25, 0.75))
    width = 0.9 * min(values.std(), (quarters[1] - quarters[0]) / 1.34) * 300**-0.2
    direct = np.exp(-0.5 * ((grid[:, None] - values) / width) ** 2).mean(axis=1) / (width * np.sqrt(2 * np.pi))
    assert kernel_density(values, grid) == pytest.approx(direct, abs=2e-3)


@pytest.mark.parametrize("values", [np.zeros(1), np.full(5, 0.3), np.array([0.0, 0.0, 0.0, 0.9])])
def test_density_of_few_or_equal_numbers_has_area_1(values: Floats) -> None:
    grid = np.linspace(-2.0, 2.0, 256)
    density = kernel_density(values, grid)
    assert np.isfinite(density).all()
    assert float(density.sum() * (grid[1] - grid[0])) == pytest.approx(1.0, abs=1e-6)
