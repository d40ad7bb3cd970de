"""Names of a sweep's points: those on the frontier in force, and the chosen one, where they hide nothing.

They come from a stranger's file: they are shown as text, never as Plotly's markup.
"""

from itertools import product

import numpy as np

from plotting import theme
from plotting.assembly import Part
from plotting.free_places import FreePlaces, Spot
from plotting.landscape_axes import share
from plotting.strategies import Landscape, literal

_MOST_NAMES, _LONGEST_NAME = 6, 24
_AWAY = ((24, 24), (24, 44), (48, 64), (24, 84))  # pixels from a point, to the side and up or down
_HALF_LINE = 8  # pixels
_SEEN = 500  # points that lie closer along either axis are one


def names(shown: Landscape) -> list[Part]:
    """Annotations with the name of the chosen strategy, and those on the frontier in force that find a free place."""
    chosen = np.arange(len(shown.names)) == (-1 if shown.chosen is None else shown.chosen)
    places = np.flatnonzero(shown.frontier | chosen).tolist()
    free, parts, said = _beside_points(shown), list[Part](), set[str]()
    for place in sorted(places, key=lambda at: (at != shown.chosen, at != shown.elbow, at)):
        name = _name(shown, place)
        if len(parts) == _MOST_NAMES or shown.labels[place] in said:
            continue
        spot = free.best(name, _spots(shown, place))
        if place != shown.chosen and free.hidden(name, spot):
            continue
        free = free.with_words(spot, name)
        said.add(shown.labels[place])
        parts.append(_annotation(shown, place, spot))
    return parts


def _beside_points(shown: Landscape) -> FreePlaces:
    """What is free beside all points, both frontiers and the limit."""
    x, y = share(shown.privacy, shown.privacy.runs.mean), share(shown.utility, shown.utility.runs.mean)
    points = np.unique(np.round(_SEEN * np.column_stack([x, y])), axis=0) / _SEEN
    lines = []
    for mask in (shown.not_dominated, shown.corners):
        order = np.argsort(x[mask])
        lines.append((x[mask][order], y[mask][order]))
    if shown.limit is not None:
        goal = shown.privacy if shown.limit.is_on_privacy else shown.utility
        with np.errstate(divide="ignore", invalid="ignore"):  # a limit of 0 is at no place of a logarithmic axis
            at, whole = share(goal, np.full(2, shown.limit.value)), np.array([0.0, 1.0])
        lines.append((at, whole) if shown.limit.is_on_privacy else (whole, at))
    return FreePlaces.beside(lines, [(points[:, 0], points[:, 1])])


def _spots(shown: Landscape, place: int) -> list[Spot]:
    """Where a point's name may stand, the nearest first."""
    here = slice(place, place + 1)
    x, y = share(shown.privacy, shown.privacy.runs.mean[here]), share(shown.utility, shown.utility.runs.mean[here])
    return [
        Spot(float(x[0]), float(y[0]), side * right, way * (up - _HALF_LINE))
        for (right, up), way, side in product(_AWAY, (-1, 1), (1, -1))
    ]


def _annotation(shown: Landscape, place: int, spot: Spot) -> Part:
    """The name with a thin line to its point; an annotation has the exponent of a value on a logarithmic axis."""
    here = slice(place, place + 1)
    up = spot.up + (_HALF_LINE if spot.up > 0.0 else -_HALF_LINE)
    return {
        "text": f"<b>{literal(_short(shown, place))}</b>{_of_elbow(shown, place)}",
        "x": float(shown.privacy.placed(shown.privacy.runs.mean[here])[0]),
        "y": float(shown.utility.placed(shown.utility.runs.mean[here])[0]),
        "ax": spot.right,
        "ay": -up,
        "xanchor": "left" if spot.right > 0.0 else "right",
        "showarrow": True,
        "arrowhead": 0,
        "arrowwidth": 1,
        "arrowcolor": theme.NEUTRAL,
        "font": {"size": 12},
        "name": "frontier",
    }


def _name(shown: Landscape, place: int) -> str:
    return f"{_short(shown, place)}{_of_elbow(shown, place)}"


def _short(shown: Landscape, place: int) -> str:
    """A name short enough to stand beside its point."""
    name = shown.labels[place]
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def _of_elbow(shown: Landscape, place: int) -> str:
    return " (elbow)" if place == shown.elbow else ""
