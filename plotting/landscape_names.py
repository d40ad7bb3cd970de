"""Names beside the points of a sweep: those on the frontier in force, and the chosen one, where they have room.

They come from a stranger's file: they are shown as text, never as Plotly's markup.
"""

import numpy as np

from numerics.pareto import Better
from plotting.assembly import Part
from plotting.landscape_axes import share
from plotting.strategies import Landscape, literal

_MOST_NAMES, _LONGEST_NAME = 6, 24
_FOR_A_NAME = 0.35  # of the axis
_APART = 0.075  # of the axis: a line of text


def names(shown: Landscape) -> list[Part]:
    """Names of the chosen strategy and of those on the frontier in force, as far as they do not lie on each other."""
    chosen = np.arange(len(shown.names)) == (-1 if shown.chosen is None else shown.chosen)
    places = np.flatnonzero(shown.frontier | chosen)
    x, y = (share(goal, goal.runs.mean[places]) for goal in (shown.privacy, shown.utility))
    kept: list[int] = []
    for one in sorted(range(len(places)), key=lambda at: (places[at] != shown.chosen, places[at] != shown.elbow, at)):
        said = {shown.labels[places[other]] for other in kept}
        is_free = all(abs(y[one] - y[other]) > _APART for other in kept)
        if len(kept) < _MOST_NAMES and is_free and shown.labels[places[one]] not in said:
            kept.append(one)
    return [_name(shown, int(places[one]), _side(shown, float(x[one]))) for one in kept]


def _name(shown: Landscape, place: int, side: str) -> Part:
    return {
        "type": "scatter",
        "x": [shown.privacy.runs.mean[place]],
        "y": [shown.utility.runs.mean[place]],
        "mode": "text",
        "name": "frontier",
        "text": [f"&nbsp;&nbsp;{_label(shown, place)}&nbsp;&nbsp;"],
        "textposition": side,
        "textfont": {"size": 12},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _label(shown: Landscape, place: int) -> str:
    """A name short enough to stand beside its point."""
    name = shown.labels[place]
    short = name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
    return f"<b>{literal(short)}</b>{' (elbow)' if place == shown.elbow else ''}"


def _side(shown: Landscape, x: float) -> str:
    """Where a name has room: beyond the frontier, where nobody is, but not beyond the figure's edge."""
    is_left, is_up = shown.privacy.better is Better.LOWER, shown.utility.better is Better.HIGHER
    has_room = (x if is_left else 1.0 - x) > _FOR_A_NAME
    vertical = "top" if is_up is has_room else "bottom"
    return f"{vertical} {'left' if is_left is has_room else 'right'}"
