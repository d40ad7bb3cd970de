"""The audit figure: measured curves with limits, the theory, the stated rate, on both kinds of axes."""

import numpy as np
import plotly.graph_objects as go
import pytest

from numerics.audits import Scores, measured_curve
from numerics.mechanisms import Gaussian
from numerics.trade_off import Order
from plotting import theme
from plotting.audit import Audited, audit_figure
from plotting.curves import Axes
from plotting.trade_off import FALSE_ACCUSED, FOUND, MISSED

ALPHA = np.array([0.001, 0.01, 0.1, 0.5, 0.9])
SINGLE = 1e-6  # coordinates are sent in single precision


def audited(order: Order = Order.ADD, name: str = "") -> Audited:
    """Fifty rounds: the lower limit of the power is 0 at small rates."""
    generator = np.random.default_rng(1)
    scores = Scores(generator.standard_normal(50), 1.0 + generator.standard_normal(50))
    return Audited(
        measured_curve(scores, ALPHA, order=order), Gaussian(1.0).trade_off(ALPHA, order), theme.KNOWS_ALL, name
    )


def traces(figure: go.Figure) -> dict[str, go.Scatter]:
    return {str(trace.name): trace for trace in figure.data if isinstance(trace, go.Scatter) and trace.name}


@pytest.mark.parametrize("axes", Axes)
def test_figure_is_valid_and_shows_both_curves_and_the_stated_rate(axes: Axes) -> None:
    pair = audited()
    figure = audit_figure([pair], 0.1, axes)
    go.Figure(figure.to_dict())
    drawn = traces(figure)
    assert {"theory (exact)", "measured (audit)", "guessing", "the rate in the sentence"} <= set(drawn)
    side = (lambda curve: curve.power) if axes is Axes.LOG else (lambda curve: curve.beta)
    assert np.asarray(drawn["theory (exact)"].y) == pytest.approx(side(pair.theory), rel=SINGLE)
    assert drawn["the rate in the sentence"].x[0] == 0.1
    assert drawn["the rate in the sentence"].y[0] == pytest.approx(side(pair.measured)[2])


def test_axes_say_what_they_show() -> None:
    log, linear = (audit_figure([audited()], 0.1, axes) for axes in (Axes.LOG, Axes.LINEAR))
    assert (log.layout.xaxis.title.text, log.layout.yaxis.title.text) == (FALSE_ACCUSED, FOUND)
    assert linear.layout.yaxis.title.text == MISSED
    assert log.layout.xaxis.type == "log"
    back = audit_figure([audited(Order.REMOVE)], 0.1, add_one=False)
    assert "accused" not in back.layout.xaxis.title.text


def test_limits_of_zero_stay_in_view_on_log_axes() -> None:
    pair = audited()
    assert pair.measured.upper is not None
    assert pair.measured.upper.power[0] == 0.0
    figure = audit_figure([pair], 0.1, Axes.LOG)
    drawn = [trace for trace in figure.data if isinstance(trace, go.Scatter)]
    lowest = min(float(np.min(np.asarray(trace.y, dtype=float))) for trace in drawn)
    assert 10 ** figure.layout.yaxis.range[0] <= lowest * (1 + SINGLE)
    assert lowest > 0.0


def test_two_orders_are_told_apart() -> None:
    figure = audit_figure([audited(name=", add-one"), audited(Order.REMOVE, ", remove-one")], 0.1)
    lines = {name: trace for name, trace in traces(figure).items() if name.startswith(("theory", "measured"))}
    assert len(lines) == len({(trace.line.color, trace.line.width) for trace in lines.values()}) == 4
    assert {name[:6]: trace.line.color for name, trace in lines.items()} == {
        "theory": theme.KNOWS_ALL,
        "measur": theme.MEASURED,
    }
    assert len({trace.marker.symbol for name, trace in lines.items() if name.startswith("measured")}) == 2
