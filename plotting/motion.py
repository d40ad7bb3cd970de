"""What of a figure moves with a slider: where its traces, shapes, names and axes lie at each of the slider's places.

The browser draws a figure once and moves it while the finger drags: only numbers are sent, those that the figures have.
"""

from collections.abc import Mapping
from types import NoneType
from typing import Any

import numpy as np

from plotting.assembly import Part
from plotting.theme import Figure

_DIGITS = 5  # of a coordinate: finer than any screen
_UNSEEN = 0.1  # opacity of points that are there to be clicked: they stay
_NAME = ("text", "x", "y", "xshift", "yshift", "ax", "ay", "xanchor", "yanchor")
_SHAPE = ("x0", "x1", "y0", "y1")
_AXIS = ("range", "tickvals", "ticktext")


def motions(figures: Mapping[str, Figure]) -> dict[str, Part]:
    """For each figure what it does not share with all others, by index: columns of traces, places of the rest.

    The figures are one and the same at several places of a slider: the same traces in the same order. A shape, a name
    or one of the last traces that one of them lacks is None there.
    """
    seen = {place: _parts(figure) for place, figure in figures.items()}
    found: dict[str, Part] = {place: {} for place in seen}
    for kind in ("traces", "names", "shapes", "notes", "axes"):
        for key in dict.fromkeys(key for parts in seen.values() for key in parts[kind]):
            there = {place: parts[kind].get(key) for place, parts in seen.items()}
            first = next(iter(there.values()))
            if not all(_is_same(first, one) for one in there.values()):
                for place, one in there.items():
                    found[place].setdefault(kind, {})[key] = _sent(one)
    return found


def _parts(figure: Figure) -> dict[str, Part]:
    layout = figure.layout.to_plotly_json()
    traces = {str(k): one.to_plotly_json() for k, one in enumerate(figure.data)}
    seen = {k: one for k, one in traces.items() if one.get("marker", {}).get("opacity", 1.0) > _UNSEEN}
    return {
        "traces": {k: [one["x"], one["y"], *_errors(one)] for k, one in seen.items()},
        "names": {k: one["name"] for k, one in seen.items() if "name" in one},
        "shapes": {str(k): _only(one, _SHAPE) for k, one in enumerate(layout.get("shapes", ()))},
        "notes": {str(k): _only(one, _NAME) for k, one in enumerate(layout.get("annotations", ()))},
        "axes": {name: _axis(one) for name, one in layout.items() if "axis" in name and "range" in one},
    }


def _errors(one: Part) -> list[Any]:
    """How far upright bars of errors reach, up and down."""
    bars = one.get("error_y") or {}
    return [bars[name] for name in ("array", "arrayminus") if bars.get(name) is not None]


def _axis(one: Part) -> Part:
    return {**_only(one, _AXIS), "title": one.get("title", {}).get("text", "")}


def _only(one: Part, names: tuple[str, ...]) -> Part:
    return {name: one[name] for name in names if name in one}


def _is_same(first: Any, other: Any) -> bool:
    if isinstance(first, list) and isinstance(other, list):  # columns
        pairs = zip(first, other, strict=False)
        return len(first) == len(other) and all(one is two or np.array_equal(one, two) for one, two in pairs)
    return bool(first == other)


def _sent(value: Any) -> Any:
    """Numbers in few digits, those that are not finite as gaps; texts as they are."""
    if isinstance(value, dict):
        return {name: _sent(one) for name, one in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_sent(one) for one in value]
    if isinstance(value, (str, NoneType)):
        return value
    return float(f"{float(value):.{_DIGITS}g}") if np.isfinite(value) else None
