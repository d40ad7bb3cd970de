"""Several attackers on one release: a mark for every person each finds, and their curves, in one figure.

Labels stand on rows and lines instead of in a legend. The limit that somebody accepts is a line through the dots, and a
region of the curves.
"""

from collections.abc import Sequence
from math import ceil, floor, log10

import numpy as np
import plotly.graph_objects as go

from numerics.trade_off import Order
from plotting import theme
from plotting.assembly import LOG, Part, assemble, axis, note, rectangle, trace
from plotting.curves import Axes, Shown, area, in_force, labelled, line, targets
from plotting.labels import Frame, Named, beside_curves, labels
from plotting.limit import TOO_MANY
from plotting.people_rows import LEFT, AttackerRow, AttackersFrame, PeopleRows
from plotting.trade_off import error_axes, guessing, words

_ROW = 21  # pixels
_ABOVE, _BETWEEN, _BELOW = 26, 36, 50  # around the marks and the curves
_INNER, _LEAST = 265, 166  # of marks and curves together, as long as that leaves so much to the curves
_RIGHT = 22  # half of the last label


def attackers_figure(seen: Sequence[AttackerRow], scene: AttackersFrame) -> go.Figure:
    """Rows of marks above the curves; the first attacker is the one who knows most.

    A click on the first curve selects the point of the trace ``CLICKED``.
    """
    above = _ROW * len(seen) + _BETWEEN
    curves_height = max(_INNER - above, _LEAST)  # a door that opens moves nothing below the figure
    inner = above + curves_height
    rows, frame = PeopleRows.of(seen, scene), _frame(seen, scene)
    limit, names = _limit(seen, scene, frame)
    return assemble(
        [*rows.traces("2"), *_curves(seen, scene)],
        {
            **_axes(scene, frame, (0.0, curves_height / inner)),
            "xaxis2": rows.across(anchor="y2"),
            "yaxis2": rows.names(domain=[1.0 - _ROW * len(seen) / inner, 1.0], anchor="x2"),
            "shapes": [*limit, *rows.shapes("2")],
            "annotations": [*names, *rows.labels("2")],
            **_around(inner + _BELOW, _BELOW),
        },
    )


def people_figure(seen: Sequence[AttackerRow], scene: AttackersFrame) -> go.Figure:
    """The rows of marks alone."""
    rows = PeopleRows.of(seen, scene)
    axes: Part = {"xaxis": rows.across(), "yaxis": rows.names()}
    words: Part = {"shapes": rows.shapes(""), "annotations": rows.labels("")}
    return assemble(rows.traces(""), axes | words | _around(_ROW * len(seen) + _BETWEEN, _BETWEEN))


def _around(height: int, below: int) -> Part:
    margin = {"t": _ABOVE, "b": below, "l": LEFT, "r": _RIGHT}
    return {"height": _ABOVE + height, "margin": margin, "showlegend": False}


def _is_log(scene: AttackersFrame) -> bool:
    return scene.axes is Axes.LOG


def _shown(scene: AttackersFrame) -> Shown:
    said = words(scene.order).point
    return Shown(scene.axes, _is_log(scene), said, scene.largest_alpha, scene.crowd, scene.smallest)


def _curves(seen: Sequence[AttackerRow], scene: AttackersFrame) -> list[Part]:
    """The curves over guessing, each with the point that the marks are about."""
    view = _shown(scene)
    drawn = [(one, line(one.curve, view)) for one in seen if one.curve is not None]
    parts = [guessing(scene.axes, scene.smallest, scene.largest_alpha, "blind guessing")]
    for place, (one, own) in enumerate(drawn):
        parts += area(own, one.color, view)
        parts.append(in_force(own, one.color) if place == 0 else labelled(own, one.color, view))
    for one, _ in reversed(drawn) if scene.is_inside else ():
        marker = {"color": one.color, "size": 11, "line": {"color": theme.NEUTRAL, "width": 1.5}}
        found = one.found.upper if _is_log(scene) else 1.0 - one.found.upper
        parts.append(trace([scene.alpha], [found], mode="markers", name=one.name, marker=marker, hoverinfo="skip"))
    return [*parts, *(targets(own, view) for _, own in drawn[:1])]


def _frame(seen: Sequence[AttackerRow], scene: AttackersFrame) -> Frame:
    """Where the axes end, about so where the browser decides."""
    if _is_log(scene):
        least = min([scene.smallest, *(one.found.upper for one in seen)])
        return Frame((scene.smallest, scene.largest_alpha), (least, 1.0), log=True)
    lowest = 0.0 if scene.largest_alpha == 1.0 else min(1.0 - one.found.upper for one in seen)
    return Frame((0.0, scene.largest_alpha), (lowest, 1.0), log=False)


def _axes(scene: AttackersFrame, frame: Frame, domain: tuple[float, float]) -> Part:
    """Both axes; on logarithmic ones people are counted."""
    said = words(scene.order)
    if not _is_log(scene):
        titles = (said.across, said.missed, said.found)
        return error_axes(scene.axes, titles, scene.smallest, scene.largest_alpha, domain=domain, automargin=False)
    wrong = "members cleared" if scene.order is Order.REMOVE else "outsiders falsely accused"
    across = f"{wrong}, of {scene.crowd:,}" if scene.counts_people else f"share of {wrong}"
    people = scene.people if scene.counts_people else f"share of {scene.people}"
    ends = [log10(scene.smallest), log10(scene.largest_alpha)]
    up = {"domain": domain, "range": [log10(frame.up[0]), 0.05], "automargin": False}
    return {
        "xaxis": axis(across, range=ends, **_counted(scene, ends)),
        "yaxis": axis(people, **up, **_counted(scene, [ends[0], 0])),
    }


def _counted(scene: AttackersFrame, ends: Sequence[float]) -> Part:
    """Ticks at powers of ten, six at most: in people, less than one where the axis goes so far, or as rates."""
    first, last = floor(ends[0]), ceil(ends[1])
    powers = range(last, first - 1, -ceil((last - first + 1) / 6))
    people = [scene.crowd * 10.0**power for power in powers]
    said = [f"{count:,.0f}" if count > 0.99 else f"{count:g}" for count in people]
    if not scene.counts_people:
        said = ["1" if power == 0 else f"10<sup>{power}</sup>" for power in powers]
    return {**LOG, "tickvals": [10.0**power for power in powers], "ticktext": said}


def _limit(seen: Sequence[AttackerRow], scene: AttackersFrame, frame: Frame) -> tuple[list[Part], list[Part]]:
    """Where more people are found than the limit allows by an attacker who is as careful; and all names.

    The attackers stand on their lines, those who find most above; the region has its name on logarithmic axes.
    """
    view, most = _shown(scene), seen[0].found.upper
    free = beside_curves([one.curve for one in seen if one.curve], frame, view)
    curves = [Named(one.curve, one.name, one.color, one.found.upper == most) for one in seen if one.curve]
    if scene.limit is None or not scene.is_inside:
        return [], labels(curves, frame, view, free)
    across = (scene.smallest if _is_log(scene) else 0.0, scene.alpha)
    up = (scene.limit, 1.0) if _is_log(scene) else (0.0, 1.0 - scene.limit)
    region = [rectangle(across, up, theme.shade(theme.MEMBER, 0.1), line={"width": 2})]
    if not _is_log(scene):
        return region, labels(curves, frame, view, free)
    place = free.in_region(TOO_MANY, frame.spot(1.0, scene.limit).y, 2.0)
    edge = frame.shares(np.array([scene.alpha] * 2), np.array([scene.limit, 1.0]))
    named = labels(curves, frame, view, free.with_words(place, TOO_MANY).with_line(*edge))
    corner = log10(scene.smallest), (1.0 - place.y) * log10(frame.up[0])
    # As wide as the region is on a telephone.
    return region, [*named, note(f"<b>{TOO_MANY}</b>", *corner, "left top", font={"size": 12})]
