"""The figure of batches over the noise, and how a guarantee and an attack are drawn that do not meet."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from numerics.mechanisms import Adjacency, Gaussian, Sampling
from numerics.trade_off import Bound, alpha_grid
from plotting import theme
from plotting.assembly import GAP
from plotting.batches import OverNoise, batches_figure
from plotting.curves import ATTACKED, Axes, OperatingPoint
from plotting.trade_off import trade_off_figure

NOISE = np.array([0.5, 1.0, 2.0])
SHUFFLED = OverNoise("shuffled", NOISE, np.array([9.0, 4.0, 0.0]), np.array([np.inf, 5.0, 3.0]), Bound.OPEN)
POISSON = OverNoise("Poisson", NOISE, np.array([1.0, 0.5, 0.2]), np.array([1.1, 0.6, 0.3]), Bound.CERTIFIED)
OTHER = OverNoise("other", NOISE, np.array([0.9, 0.4, 0.1]), np.array([1.0, 0.5, 0.2]), Bound.CERTIFIED)


def traces(figure: go.Figure) -> dict[str, Any]:
    """By name; Plotly checks every attribute."""
    return {str(one.name): one for one in go.Figure(figure).data if one.name}


def test_both_sides_and_the_gap_between_them_are_named() -> None:
    drawn = traces(batches_figure([POISSON, SHUFFLED, OTHER], 1.0, "10⁻⁵"))
    assert GAP in drawn
    guarantee, attack = drawn["shuffled (guarantee)"], drawn["shuffled: a known attack (demonstrated attack)"]
    assert guarantee["line"]["dash"] == theme.DASH[Bound.LOWER]
    assert attack["line"]["dash"] == theme.DASH[Bound.UPPER]
    np.testing.assert_array_equal(np.asarray(guarantee["y"]), [5.0, 3.0])  # no axis shows what is infinite
    np.testing.assert_array_equal(np.asarray(attack["y"]), [9.0, 4.0])
    closed = [drawn[f"{one.name} (certified)"] for one in (POISSON, OTHER)]
    assert len({one["line"]["color"] for one in closed} | {theme.MEMBER}) == 3


def test_an_open_curve_is_a_band_with_both_edges() -> None:
    release = Gaussian(1.0, 0.01, 100, Adjacency.ZERO_OUT, Sampling.SHUFFLED)
    curve, point = release.trade_off(alpha_grid(101)), OperatingPoint(0.001, release.power(0.001))
    assert curve.upper is not None
    for axes in Axes:
        figure = trade_off_figure(curve, point, axes)
        drawn = traces(figure)
        assert {GAP, ATTACKED, f"{curve.label} (open)"} <= set(drawn)
        edge = curve.upper.power if axes is Axes.LOG else curve.upper.beta
        height = np.asarray(drawn[ATTACKED]["y"], dtype=float)
        np.testing.assert_allclose(np.sort(height), np.sort(edge)[-len(height) :], rtol=1e-6)
        assert any("open" in str(one.text) for one in figure.data if one.mode == "text")
