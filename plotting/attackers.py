"""Several attackers on one release: a mark for every person each finds, and their curves, in one figure.

Labels stand on rows and lines instead of in a legend. The limit that somebody accepts is a line through the dots, and a
region of the curves.
"""

from collections.abc import Sequence
from dataclasses import dataclass
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
    rows, curves = PeopleRows.of(seen, scene), _Curves(scene)
    return assemble(
        [*rows.traces("2"), *curves.traces(seen)],
        {
            **curves.layout((0.0, curves_height / inner), seen),
            "xaxis2": rows.across(anchor="y2"),
            "yaxis2": rows.names(domain=[1.0 - _ROW * len(seen) / inner, 1.0], anchor="x2"),
            "shapes": [*curves.shapes(), *rows.shapes("2")],
            "annotations": [*curves.labels(seen), *rows.labels("2")],
            "height": _ABOVE + inner + _BELOW,
            "margin": {"t": _ABOVE, "b": _BELOW, "l": LEFT, "r": _RIGHT},
            "showlegend": False,
        },
    )


def people_figure(seen: Sequence[AttackerRow], scene: AttackersFrame) -> go.Figure:
    """The rows of marks alone."""
    rows = PeopleRows.of(seen, scene)
    return assemble(
        rows.traces(""),
        {
            "xaxis": rows.across(),
            "yaxis": rows.names(),
            "shapes": rows.shapes(""),
            "annotations": rows.labels(""),
            "height": _ABOVE + _ROW * len(seen) + _BETWEEN,
            "margin": {"t": _ABOVE, "b": _BETWEEN, "l": LEFT, "r": _RIGHT},
            "showlegend": False,
        },
    )


@dataclass(frozen=True)
class _Curves:
    """The curves, with the point that the marks are about on each."""

    scene: AttackersFrame

    @property
    def _log(self) -> bool:
        return self.scene.axes is Axes.LOG

    @property
    def _shown(self) -> Shown:
        scene = self.scene
        return Shown(scene.axes, self._log, words(scene.order).point, scene.largest_alpha, scene.crowd, scene.smallest)

    def _height(self, found: float) -> float:
        return found if self._log else 1.0 - found

    def traces(self, seen: Sequence[AttackerRow]) -> list[Part]:
        """The curves over guessing, each with its point."""
        view = self._shown
        drawn = [(one, line(one.curve, view)) for one in seen if one.curve is not None]
        scene = self.scene
        parts = [guessing(scene.axes, scene.smallest, scene.largest_alpha, "blind guessing")]
        for place, (one, own) in enumerate(drawn):
            parts += area(own, one.color, view)
            parts.append(in_force(own, one.color) if place == 0 else labelled(own, one.color, view))
        parts += [self._point(one) for one, _ in reversed(drawn)] if self._is_inside else []
        return [*parts, *(targets(own, view) for _, own in drawn[:1])]

    @property
    def _is_inside(self) -> bool:
        return self.scene.alpha <= self.scene.largest_alpha

    def _point(self, one: AttackerRow) -> Part:
        marker = {"color": one.color, "size": 11, "line": {"color": theme.NEUTRAL, "width": 1.5}}
        place = [self.scene.alpha], [self._height(one.found.upper)]
        return trace(*place, mode="markers", name=one.name, marker=marker, hoverinfo="skip")

    def layout(self, domain: tuple[float, float], seen: Sequence[AttackerRow]) -> Part:
        """Both axes; on logarithmic ones people are counted."""
        said, scene = words(self.scene.order), self.scene
        if not self._log:
            place = {"domain": domain, "automargin": False}
            titles = (said.across, said.missed, said.found)
            return error_axes(scene.axes, titles, scene.smallest, scene.largest_alpha, **place)
        ends = [log10(scene.smallest), log10(scene.largest_alpha)]
        wrong = "members cleared" if scene.order is Order.REMOVE else "outsiders falsely accused"
        across = f"{wrong}, of {scene.crowd:,}" if scene.counts_people else f"share of {wrong}"
        return {
            "xaxis": axis(across, range=ends, **self._counted(ends)),
            "yaxis": axis(
                scene.people if scene.counts_people else f"share of {scene.people}",
                domain=domain,
                range=[log10(self._least(seen)), 0.05],
                automargin=False,
                **self._counted([ends[0], 0]),
            ),
        }

    def _frame(self, seen: Sequence[AttackerRow]) -> Frame:
        """Where the axes end, about so where the browser decides."""
        scene = self.scene
        if self._log:
            return Frame((scene.smallest, scene.largest_alpha), (self._least(seen), 1.0), log=True)
        lowest = 0.0 if scene.largest_alpha == 1.0 else min(1.0 - one.found.upper for one in seen)
        return Frame((0.0, scene.largest_alpha), (lowest, 1.0), log=False)

    def _least(self, seen: Sequence[AttackerRow]) -> float:
        return min([self.scene.smallest, *(one.found.upper for one in seen)])

    def _counted(self, ends: Sequence[float]) -> Part:
        """Ticks at powers of ten, in people of the crowd, six at most."""
        first, last = floor(ends[0]), ceil(ends[1])
        stride = ceil((last - first + 1) / 6)
        powers = range(last, first - 1, -stride)
        return {
            **LOG,
            "tickvals": [10.0**power for power in powers],
            "ticktext": [self._tick(power) for power in powers],
        }

    def _tick(self, power: int) -> str:
        """A number of people, less than one where the axis goes so far; or a rate."""
        people = self.scene.crowd * 10.0**power
        if not self.scene.counts_people:
            return "1" if power == 0 else f"10<sup>{power}</sup>"
        return f"{people:,.0f}" if people > 0.99 else f"{people:g}"

    def shapes(self) -> list[Part]:
        """Where more people are found than the limit allows, by an attacker who is as careful."""
        limit, scene = self.scene.limit, self.scene
        if limit is None or not self._is_inside:
            return []
        up = (limit, 1.0) if self._log else (0.0, 1.0 - limit)
        across = (scene.smallest if self._log else 0.0, scene.alpha)
        return [rectangle(across, up, theme.shade(theme.MEMBER, 0.1), line={"width": 2})]

    def labels(self, seen: Sequence[AttackerRow]) -> list[Part]:
        """The attackers on their lines, those who find most above, and what the region is."""
        most = seen[0].found.upper
        frame = self._frame(seen)
        free = beside_curves([one.curve for one in seen if one.curve], frame, self._shown)
        curves = [Named(one.curve, one.name, one.color, one.found.upper == most) for one in seen if one.curve]
        if self.scene.limit is None or not self._is_inside or not self._log:
            return labels(curves, frame, self._shown, free)
        place = free.in_region(TOO_MANY, frame.spot(1.0, self.scene.limit).y, 2.0)
        edge = frame.shares(np.array([self.scene.alpha] * 2), np.array([self.scene.limit, 1.0]))
        named = labels(curves, frame, self._shown, free.with_words(place, TOO_MANY).with_line(*edge))
        corner = log10(self.scene.smallest), (1.0 - place.y) * log10(frame.up[0])
        # As wide as the region is on a telephone.
        return [*named, note(f"<b>{TOO_MANY}</b>", *corner, "left top", font={"size": 12})]
