"""Frontiers against the definitions tried out on every pair and triple of points; densities of runs.

Ties, straight lines, the ends of the range of floats and bars that are given are rows of ``table.toml``.
"""

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.kernel_density import kernel_density
from numerics.pareto import Better, elbow, hull, non_dominated, oriented
from numerics.trade_off import Floats

Row = tuple[float, float]
# Whole numbers: sums and products of their differences are exact, so that ties and straight lines are too.
COORDINATE = st.integers(-20, 20).map(float)
POINTS = st.lists(st.tuples(COORDINATE, COORDINATE), min_size=1, max_size=12).map(
    lambda rows: (np.array([row[0] for row in rows]), np.array([row[1] for row in rows]))
)


@settings(max_examples=40)
@given(POINTS, st.randoms(use_true_random=False), st.sampled_from([0.25, 4.0]), st.integers(-8, 8))
def test_frontiers_and_elbow_are_those_of_the_definitions(
    points: tuple[Floats, Floats], shuffle: Any, factor: float, shift: int
) -> None:
    """And order, scale, place and a flipped sign with a flipped direction do not matter."""
    rows: list[Row] = list(zip(*(values.tolist() for values in points), strict=True))
    everywhere = [not any(a >= u and b >= p and (a, b) != (u, p) for a, b in rows) for u, p in rows]

    def is_below(row: Row, left: Row, right: Row) -> bool:
        """On or below the line between two others that are on both sides of it."""
        share = (row[1] - left[1]) * (right[0] - left[0])
        return left[1] < row[1] < right[1] and (row[0] - left[0]) * (right[1] - left[1]) <= share

    corners = [
        kept and not any(is_below(row, *pair) for pair in permutations(set(rows), 2))
        for row, kept in zip(rows, everywhere, strict=True)
    ]
    assert non_dominated(*points).tolist() == everywhere
    assert hull(*points).tolist() == corners
    order = np.array(shuffle.sample(range(len(rows)), len(rows)))
    moved = factor * points[0][order] + shift, 2.0 * points[1][order] - shift
    flipped = oriented(-points[0], Better.LOWER), oriented(points[1], Better.HIGHER)
    for frontier in (non_dominated, hull):
        assert frontier(*moved).tolist() == frontier(*points)[order].tolist()
        assert frontier(*flipped).tolist() == frontier(*points).tolist()
    ends = sorted({row for row, kept in zip(rows, corners, strict=True) if kept})
    place, other = elbow(*points), elbow(*moved)
    if len(ends) < 3:
        assert place is other is None
        return
    assert isinstance(place, int)
    assert rows[place] == rows[order[other]]
    assert rows[place] in ends[1:-1]
    (low, private), (high, open_) = ends[0], ends[-1]

    def distance(row: Row) -> float:
        """From the line through (0, 1) and (1, 0)."""
        return (row[0] - low) / (high - low) + (row[1] - open_) / (private - open_)

    furthest = max(distance(row) for row, kept in zip(rows, everywhere, strict=True) if kept)
    assert distance(rows[place]) == pytest.approx(furthest, abs=1e-12)


def test_density_against_the_sum_of_kernels_and_of_few_or_equal_numbers() -> None:
    """Sharing values out between grid points moves each by less than a cell, which widens the kernel slightly."""
    values, grid = np.random.default_rng(1).normal(size=300), np.linspace(-6.0, 6.0, 512)
    low, high = np.quantile(values, (0.25, 0.75))
    width = 0.9 * min(values.std(), (high - low) / 1.34) * 300**-0.2
    direct = np.exp(-0.5 * ((grid[:, None] - values) / width) ** 2).mean(axis=1) / (width * np.sqrt(2 * np.pi))
    assert kernel_density(values, grid) == pytest.approx(direct, abs=2e-3)
    for few in ([0.0], [0.3] * 5, [0.0, 0.0, 0.0, 0.9]):
        density = kernel_density(np.array(few), grid)
        assert np.isfinite(density).all()
        assert float(density.sum() * (grid[1] - grid[0])) == pytest.approx(1.0, abs=1e-6)
