"""Epsilon*: whom a threshold names, how the losses of both groups lie, and the errors of every threshold."""

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import plotly.graph_objects as go

from numerics.epsilon_star.confidence import BestCut
from numerics.epsilon_star.rates import Term
from numerics.epsilon_star.scores import LossScale
from numerics.epsilon_star.summary import LossSummary
from numerics.trade_off import Bound, Floats, TradeOffCurve
from plotting import theme
from plotting.assembly import LEGEND, MARGIN, Part, assemble, axis, note, spot, steps, trace, upright
from plotting.curves import Axes
from plotting.people import people_a_mark
from plotting.trade_off import FALSE_ACCUSED, MISSED, error_axes, guessing

SCORES = MappingProxyType(
    {
        LossScale.PRINTED: "Loss",
        LossScale.LOG_ODDS: "Loss: log odds against the right answer",
        LossScale.NATS: "Loss: cross-entropy in nats, spaced as log odds",
        LossScale.BITS: "Loss: cross-entropy in bits, spaced as log odds",
    }
)
_TICKS = 6
HOW_OFTEN = "How often"
_HEIGHT = 290  # pixels
_A_ROW, _MOST_DOTS = 50, 1000  # dots of a group
_NAME = 4.0  # rows that the name of a group takes
_ROWS = 40.0  # for which the figure has room: small groups leave some of it free
FOUND = "Members found — share of members"  # as high as half a screen
WRONGLY_CLEARED = "Members wrongly cleared — share of members"
CLEARED = "Outsiders cleared — share of outsiders"
NOT_CLEARED = "Outsiders not cleared — share of outsiders"


@dataclass(frozen=True)
class Best:
    """The optimum: which ratio, its threshold as a score, and its two error rates as that ratio sees them."""

    term: Term
    score: float
    alpha: float
    power: float


@dataclass(frozen=True)
class JudgedGroup:
    """Members or outsiders: how many there are, and of how many the threshold says what ``verdict`` says."""

    name: str
    size: int
    count: int
    verdict: str
    color: str

    @property
    def said(self) -> str:
        """In words."""
        return f"{self.count:,} of {self.size:,} {self.name} {self.verdict}"


def judged_groups(place: BestCut) -> tuple[JudgedGroup, JudgedGroup]:
    """Those who are named rightly by the best threshold, and those who are so by mistake."""
    named, mistaken = ("members", theme.MEMBER), ("outsiders", theme.OUTSIDER)
    verdicts = "found", "falsely accused"
    if not place.term.names_members:
        named, mistaken, verdicts = mistaken, named, ("ruled out", "wrongly cleared")
    return (
        JudgedGroup(named[0], place.positives, place.true_positives, verdicts[0], named[1]),
        JudgedGroup(mistaken[0], place.negatives, place.false_positives, verdicts[1], mistaken[1]),
    )


def judged_figure(groups: Sequence[JudgedGroup]) -> go.Figure:
    """A dot for a person of either group, or for as many as there must be: first those whom the threshold names."""
    largest = max(group.size for group in groups)
    unit = people_a_mark(largest, _MOST_DOTS)
    traces, names, top = list[Part](), list[Part](), 0.0
    for group in groups:
        place, named = np.arange(-(-group.size // unit), dtype=float), -(-group.count // unit)
        across, up = place % _A_ROW, -(top + _NAME + place // _A_ROW)
        names.append(note(f"<b>{group.said}</b>", -0.5, -top, "left top"))
        traces += [
            _dots(across[named:], up[named:], {"color": theme.shade(theme.NEUTRAL, 0.5), "size": 3}),
            _dots(across[:named], up[:named], {"color": group.color, "size": 6}),
        ]
        top += _NAME + 1.0 + (len(place) - 1) // _A_ROW
    if unit > 1:
        names.append(note(f"a dot: {unit:,} people", -0.5, -top, "left bottom"))
    quiet = {"visible": False, "fixedrange": True}
    layout: Part = {
        "xaxis": {**quiet, "range": [-0.7, _A_ROW - 0.3]},
        "yaxis": {**quiet, "range": [-max(top + (unit > 1), _ROWS), 0.0]},
        "height": _HEIGHT,
        "margin": {"l": 0, "r": 8, "t": 4, "b": 12},
        "showlegend": False,
        "annotations": names,
    }
    return assemble(traces, layout)


def _dots(x: Floats, y: Floats, marker: Part) -> Part:
    return trace(x, y, mode="markers", marker=marker, hoverinfo="skip")


def densities_figure(summary: LossSummary, best: Best) -> go.Figure:
    """Histograms of both groups' scores with the fitted laws, outsiders up and members down, and the best threshold."""
    groups = (
        (summary.population, theme.OUTSIDER, "fresh data", 1.0),
        (summary.train, theme.MEMBER, "training data", -1.0),
    )
    traces = [steps(summary.edges, sign * group.density, color, name) for group, color, name, sign in groups]
    for group, color, name, sign in groups:
        if group.fit is not None:
            look = {"color": color, "width": 2.5, "dash": theme.DASH[Bound.ESTIMATE]}
            fit = sign * group.fit_density
            traces.append(trace(summary.fit_points, fit, name=f"{name}, fit", line=look, hoverinfo="skip"))
    return assemble(traces, _density_layout(summary, best))


def _density_layout(summary: LossSummary, best: Best) -> Part:
    low, high = float(summary.fit_points[0]), float(summary.fit_points[-1])
    place = min(max(best.score, low), high)
    beyond = "" if low <= best.score <= high else " (beyond the data)"
    who = "accused" if best.term.names_members else "ruled out"
    who = f"{who}, loss {_loss(summary, best.score, 4)}{beyond}"
    text = f"{who} →" if best.term.is_above else f"← {who}"
    left = place > 0.5 * (low + high)
    ticks = np.linspace(summary.edges[0], summary.edges[-1], _TICKS).tolist()
    said = {"tickvals": ticks, "ticktext": [_loss(summary, tick, 3) for tick in ticks]}
    return {
        # Drawn over scores and marked with losses, as which the sentence gives the threshold.
        "xaxis": axis(SCORES[summary.transform.scale], range=[low, high], **said),
        "yaxis": axis(HOW_OFTEN, showticklabels=False, ticks=""),
        "height": _HEIGHT,
        "margin": {**MARGIN, "l": 30},
        "showlegend": False,
        "shapes": [upright(place)],
        "annotations": [
            note(text, place, 1.0, f"{'right' if left else 'left'} bottom", yref="paper"),  # above the bars
            note("<b>fresh data</b>", low, 1.0, "left top", yref="paper", font={"color": theme.OUTSIDER}),
            note("<b>training data</b>", low, 0.0, "left bottom", yref="paper", font={"color": theme.MEMBER}),
        ],
    }


def _loss(summary: LossSummary, score: float, digits: int) -> str:
    return f"{summary.transform.loss_at(score):.{digits}g}".replace("-", "−")


def errors_figure(curves: Sequence[TradeOffCurve], best: Best, axes: Axes, smallest: float) -> go.Figure:
    """Trade-off of the two errors by counting and by fits, the limit at epsilon*, and the optimum on it.

    Args:
        curves: as the ratio of the optimum sees the errors; the first is the counted one, the last the limit.
        best: the optimum.
        axes: linear shows who is missed, log-log who is found.
        smallest: left end of the log axes.
    """
    traces = [guessing(axes, smallest)]
    traces += [_curve(curve, axes, smallest, index) for index, curve in enumerate(curves)]
    traces.append(_optimum(best, axes, smallest))
    clears = (WRONGLY_CLEARED, NOT_CLEARED, CLEARED)
    titles = (FALSE_ACCUSED, MISSED, FOUND) if best.term.names_members else clears
    room = {"height": _HEIGHT, "legend": LEGEND, "margin": {**MARGIN, "t": 44}}
    return assemble(traces, error_axes(axes, titles, smallest) | room)


def _curve(curve: TradeOffCurve, axes: Axes, smallest: float, index: int) -> Part:
    log, is_limit = axes is Axes.LOG, curve.label.startswith("limit")
    shown = (curve.alpha >= smallest) & (curve.power > 0.0) if log else slice(None)
    color = theme.NEUTRAL if is_limit else theme.color(2 * index)
    dash = "dashdot" if is_limit else theme.DASH[curve.bound]
    return trace(
        curve.alpha[shown],
        (curve.power if log else curve.beta)[shown],
        mode="lines+markers" if curve.bound is Bound.AUDIT and not is_limit else "lines",
        marker={"color": color, "size": 4},
        name=curve.label if is_limit else theme.legend_name(curve.label, curve.bound),
        line={"color": color, "width": 2 if is_limit else 3, "dash": dash},
        hovertemplate="%{x:.3~g}, %{y:.3~g}<extra></extra>",
    )


def _optimum(best: Best, axes: Axes, smallest: float) -> Part:
    """The best threshold; one that wrongs nobody has no place on a logarithmic axis and points out of it."""
    is_beyond = axes is Axes.LOG and best.alpha == 0.0
    x, y = smallest if is_beyond else best.alpha, best.power if axes is Axes.LOG else 1.0 - best.power
    drawn = spot(x, y, "where the ratio is largest, at 0" if is_beyond else "where the ratio is largest")
    drawn["marker"]["symbol"] = "triangle-left" if is_beyond else "circle"
    del drawn["hoverinfo"]
    return drawn | {"hovertemplate": f"{best.alpha:.3g}, %{{y:.3~g}}<extra></extra>"}
