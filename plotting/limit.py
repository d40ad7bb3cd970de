"""A limit on how many may be found, as a figure of the trade-off curve shows it, and axes that count people."""

from dataclasses import dataclass

import numpy as np

from numerics.trade_off import Order, TradeOffCurve
from plotting import theme
from plotting.assembly import Part, axis, note
from plotting.curves import SMALLEST_SHOWN, Axes, OperatingPoint, Shown
from plotting.labels import Frame, beside_curves
from plotting.people import count_up

TOO_MANY, _BLIND = "too many", "blind guessing"
_MOST_TICKS = 6
_PLAIN = 10**5  # larger numbers of people are powers of ten
_LOWEST = 230  # pixels; the page makes it as high as what is beside it
_A_CURVE = 24  # pixels of the legend
_AWAY = 10  # pixels from the point to its number


@dataclass(frozen=True)
class LimitRegion:
    """How many may be found, drawn as the region of too many.

    Attributes:
        found: the share of people that may be found.
        crowd: logarithmic axes count people of so many, from one to all; None where they show rates down to 1e-9.
    """

    found: float
    crowd: int | None = None

    def region(self, at: OperatingPoint, axes: Axes) -> list[Part]:
        """Where the curve must not be: more than the limit are found while no more are accused than now."""
        least, most = (SMALLEST_SHOWN, 1.0) if axes is Axes.LOG else (0.0, 0.0)
        allowed = self.found if axes is Axes.LOG else 1.0 - self.found
        quiet: Part = {"type": "scatter", "mode": "lines", "hoverinfo": "skip", "showlegend": False}
        area = {"x": [least, at.alpha, at.alpha, least], "y": [allowed, allowed, most, most], "fill": "toself"}
        edge = {"x": [least, at.alpha, at.alpha], "y": [allowed, allowed, most], "name": "your limit"}
        return [
            {**quiet, **area, "fillcolor": theme.shade(theme.MEMBER, 0.1), "line": {"width": 0}, "name": TOO_MANY},
            {**quiet, **edge, "line": {"width": 2, "color": theme.NEUTRAL}},
        ]

    def layout(self, own: TradeOffCurve, at: OperatingPoint, view: Shown, others: int, order: Order) -> Part:
        """What is different of a figure beside a picture of people: its height, labels on lines, and its axes.

        ``own`` is the curve in force, which the labels leave free.
        """
        words = _CLEARING if order is Order.REMOVE else _ACCUSING
        legend = _A_CURVE * (others + 2) if others else 0
        beside: Part = {"height": _LOWEST + legend, "showlegend": others > 0}
        if view.axes is Axes.LINEAR:
            return beside
        crowd = self.crowd or round(1.0 / SMALLEST_SHOWN)
        beside["annotations"] = self._labels(own, at, view, crowd)
        if self.crowd is None:
            return beside
        across, up = (f"{one}, of {crowd:,}" for one in words)
        beside |= {"xaxis": _counted(across, crowd, view.largest_alpha), "yaxis": _counted(up, crowd, 1.0)}
        if not others:  # the title is where the legend would be
            room = {**_MARGIN, "l": _ROOM if crowd < _PLAIN else _MORE_ROOM}
            beside |= {"title": {"text": f"<b>{words[1]}</b>, of {crowd:,}", **_TOP_LEFT}, "margin": room}
            beside["yaxis"].pop("title")
            for side in ("xaxis", "yaxis"):  # to measure whether labels fit takes a browser a quarter of a redraw
                beside[side]["automargin"] = False
        return beside

    def _labels(self, own: TradeOffCurve, at: OperatingPoint, view: Shown, crowd: int) -> list[Part]:
        said = f"{count_up(min(at.power.upper, 1.0), crowd):,}"
        left = np.log10(1.0 / crowd)
        guess = 10.0 ** (0.3 * left)
        frame = Frame((1.0 / crowd, view.largest_alpha), (1.0 / crowd, 1.0), log=True)
        height = max(at.power.upper, 1e-12)
        point, corner = (frame.spot(at.alpha, one) for one in (height, self.found))
        free = beside_curves([own], frame, view)
        region = free.in_region(TOO_MANY, corner.y, 6.0)
        free = free.with_words(region, TOO_MANY).with_words(frame.spot(guess, guess, 2.0, -2.0), _BLIND)
        free = free.with_line(np.array([0.0, point.x, point.x]), np.array([corner.y, corner.y, 1.0]))
        number = free.beside_point(said, point, _AWAY)
        side = f"{'left' if number.right > 0.0 else 'right'} {'bottom' if number.up > 0.0 else 'top'}"
        place = float(np.log10(at.alpha)), float(np.log10(height))
        return [
            note(f"<b>{TOO_MANY}</b>", left, left * (1.0 - region.y), "left top", xshift=6),
            note(_BLIND, float(np.log10(guess)), float(np.log10(guess)), "left top"),
            note(f"<b>{said}</b>", *place, side, xshift=number.right),
        ]


_ACCUSING = ("Outsiders falsely accused", "Members found")
_CLEARING = ("Members wrongly cleared", "Outsiders ruled out")
_IN_THE_CORNER: Part = {"xref": "container", "x": 0.0, "y": 1.0, "yref": "container", "yanchor": "top"}
_TOP_LEFT = {"font": {"size": 14}, **_IN_THE_CORNER, "pad": {"t": 2}}
_MARGIN = {"r": 22, "t": 28, "b": 57}
_ROOM, _MORE_ROOM = 59, 66  # pixels, for 10,000 and for 100,000


def _counted(title: str, crowd: int, largest: float) -> Part:
    """A logarithmic axis from one of the crowd to the largest share, which counts people."""
    decades = round(np.log10(crowd))
    stride = -(-decades // _MOST_TICKS)
    ticks = range(0, decades + 1, stride)
    return axis(
        title,
        type="log",
        range=[-decades, float(np.log10(largest))],
        tickvals=[10.0 ** (tick - decades) for tick in ticks],
        ticktext=[f"{10**tick:,}" if 10**tick <= _PLAIN else f"10<sup>{tick}</sup>" for tick in ticks],
    )
