"""Where words fit into a figure: beside what they name, on no line, on no point, and on no other words.

Positions are shares of the axes, from 0 at the left and below to 1. Browsers lay figures out in any width, so a place
is judged in the narrowest and in a usual one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import log10

import numpy as np
from numpy.typing import NDArray

from numerics.trade_off import Bound, Floats, TradeOffCurve
from plotting.assembly import Part, note
from plotting.curves import Axes, Shown, line, name_place

PHONE, _DESKTOP = (230.0, 180.0), (680.0, 200.0)  # pixels that the axes take, in a figure of usual height
_SAMPLES = 400  # of a line, so that none slips through between two of them
_CHARACTER, _LINE = 7.0, 16.0  # pixels
_STEP = 0.1  # of the height, between two places in a region
_OUTSIDE = 1000  # counts more than whatever lies below

_OUTER, _INNER = (0.66, 0.8, 0.8, 0.74), (0.5, 0.5, 0.42, 0.34)  # along the axis, by the curve's number
_ELSEWHERE = (0.42, 0.34, 0.58, 0.26, 0.74, 0.18)  # where the first choice hides something
_AWAY, _FAR, _HALF_LINE = 24, 64, 8  # pixels
_FLAT = 0.9  # of all people: above such a curve there is no room
_GAP_NAME = {"middle center": (-16, -8), "top left": (-4, 4), "bottom left": (-4, -4)}  # pixels from its point
_LEAST = 1e-4  # on logarithmic axes: labels stand in the part that telephones show well


@dataclass(frozen=True)
class Spot:
    """Words at a point: ``x`` and ``y``, and by how many pixels they stand to its right and above it.

    ``right`` and ``up`` are the distance of their nearest corner, negative for words to the left or below.
    """

    x: float
    y: float
    right: float
    up: float


@dataclass(frozen=True)
class Frame:
    """Where both axes of a figure start and end, and whether they are logarithmic."""

    across: tuple[float, float]
    up: tuple[float, float]
    log: bool

    def shares(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Where points (n,) are seen, as shares of the axes; not finite where these cannot show them."""
        return self._shares(x, self.across), self._shares(y, self.up)

    def _shares(self, values: Floats, ends: tuple[float, float]) -> Floats:
        with np.errstate(divide="ignore"):
            seen, (low, high) = (np.log(one) if self.log else np.asarray(one) for one in (values, ends))
        return np.asarray((seen - low) / ((high - low) or 1.0))

    def spot(self, x: float, y: float, right: float = 0.0, up: float = 0.0) -> Spot:
        """Words beside a point, by so many pixels."""
        across, height = self.shares(np.array([x]), np.array([y]))
        return Spot(float(across[0]), float(height[0]), right, up)


@dataclass(frozen=True, eq=False)
class FreePlaces:
    """What is drawn already: points (n, 2), and words in their places; ``sizes`` are those of the axes, in pixels."""

    drawn: NDArray[np.float64]
    words: tuple[tuple[Spot, str], ...] = ()
    sizes: tuple[tuple[float, float], ...] = (PHONE, _DESKTOP)

    @classmethod
    def beside(
        cls, lines: Iterable[tuple[Floats, Floats]], points: Iterable[tuple[Floats, Floats]] = ()
    ) -> "FreePlaces":
        """Around ``lines`` and single ``points``: positions (n,) across and up of each, finite ones count."""
        parts = [*(np.column_stack(one) for one in points), *(_dense(*one) for one in lines), np.empty((0, 2))]
        found = np.concatenate(parts)
        return cls(found[np.isfinite(found).all(axis=1)])

    def with_line(self, x: Floats, y: Floats) -> "FreePlaces":
        """With another line."""
        return replace(self, drawn=np.concatenate([self.drawn, _dense(x, y)]))

    def with_words(self, spot: Spot, text: str) -> "FreePlaces":
        """With these words in their place."""
        return replace(self, words=(*self.words, (spot, text)))

    def best(self, text: str, choices: Sequence[Spot]) -> Spot:
        """The first of the ``choices`` at which ``text`` hides nothing, or else the one where it hides least."""
        least, best = np.inf, choices[0]
        for choice in choices:
            hidden = self.hidden(text, choice)
            if hidden < least:
                least, best = hidden, choice
            if not hidden:
                break
        return best

    def beside_point(self, text: str, at: Spot, away: float) -> Spot:
        """Right below a point of a line that rises, or on another side where that hides less; ``away`` in pixels."""
        return self.best(text, [Spot(at.x, at.y, side * away, up) for side, up in ((1, -2.0), (-1, 2.0), (1, 2.0))])

    def in_region(self, text: str, low: float, right: float) -> Spot:
        """The highest free place for the name of a region at the left edge, which reaches from ``low`` to the top."""
        heights = np.arange(1.0, low + _STEP, -_STEP)
        return self.best(text, [Spot(0.0, float(y), right, -2.0) for y in (heights if len(heights) else [1.0])])

    def hidden(self, text: str, spot: Spot) -> int:
        """How much lies below the words, in samples of lines, in both widths."""
        found = 0
        for size in np.array(self.sizes):
            (low, high), pixels = _box(text, spot, size), self.drawn * size
            others = [_box(words, other, size) for other, words in self.words]
            overlaps = sum(bool((low < above).all() and (below < high).all()) for below, above in others)
            is_outside = bool((low < -_LINE / 2).any() or (high > size + _LINE / 2).any())
            beneath = np.count_nonzero(((pixels > low) & (pixels < high)).all(axis=1))
            found += int(beneath) + _OUTSIDE * (overlaps + is_outside)
        return found


def _box(text: str, spot: Spot, size: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Lower left and upper right corner in pixels."""
    near = np.array([spot.x, spot.y]) * size + (spot.right, spot.up)
    rows = text.split("<br>")
    wide = np.array([_CHARACTER * max(map(len, rows)), _LINE * len(rows)])
    far = near + np.where(np.array([spot.right, spot.up]) < 0.0, -wide, wide)
    return np.minimum(near, far), np.maximum(near, far)


def _dense(x: Floats, y: Floats) -> NDArray[np.float64]:
    """Points (m, 2) along a line, close to each other."""
    kept = np.isfinite(x) & np.isfinite(y)
    across, up = np.asarray(x, dtype=float)[kept], np.asarray(y, dtype=float)[kept]
    if len(across) < 2:
        return np.column_stack([across, up])
    length = np.concatenate(([0.0], np.cumsum(np.hypot(np.diff(across), np.diff(up)))))
    even = np.linspace(0.0, length[-1], _SAMPLES)
    return np.column_stack([np.interp(even, length, across), np.interp(even, length, up)])


def pointer(text: str, place: tuple[float, float], spot: Spot, color: str) -> Part:
    """Words at a ``spot`` with a thin line to the ``place`` that they name, in coordinates of annotations."""
    half = _HALF_LINE * (1 + text.count("<br>"))
    up = spot.up + (half if spot.up > 0.0 else -half)
    arrow: Part = {"ax": spot.right, "ay": -up, "showarrow": True, "arrowhead": 0, "arrowwidth": 1, "arrowcolor": color}
    return note(text, *place, "left" if spot.right > 0.0 else "right", **arrow)


# The names of curves


@dataclass(frozen=True, eq=False)
class Named:
    """A curve with its name and colour; ``outer`` names stand away from guessing, as that of who finds most."""

    curve: TradeOffCurve
    name: str
    color: str
    outer: bool


def labels(named: Sequence[Named], frame: Frame, shown: Shown, free: FreePlaces) -> list[Part]:
    """The annotations that name the curves, with a thin line to each; ``free`` are the places beside them."""
    parts = []
    for place, one in enumerate(named):
        choices = _choices(one, place, frame, shown)
        best = free.best(one.name, list(choices))
        free = free.with_words(best, one.name)
        at = choices[best]
        there = (log10(at[0]), log10(at[1])) if frame.log else at
        parts.append(pointer(one.name, there, best, one.color) | {"font": {"color": one.color}})
    return parts


def beside_curves(curves: Sequence[TradeOffCurve], frame: Frame, shown: Shown) -> FreePlaces:
    """What is free beside the curves, guessing, and the names of gaps."""
    lines = [line(one, shown) for one in curves]
    edges = [(one.x, height) for one in lines for height in (one.y, *(one.band or ()))]
    across = np.array(frame.across)
    guessing = across, across if shown.found else 1.0 - across
    free = FreePlaces.beside(frame.shares(*one) for one in (guessing, *edges))
    for one in lines:
        if one.bound is Bound.OPEN and one.band is not None:
            x, y, side = name_place(one.x, one.band, shown.start, shown.largest_alpha, shown.found)
            free = free.with_words(frame.spot(x, y, *_GAP_NAME[side]), Bound.OPEN.value)
    return free


def _choices(one: Named, place: int, frame: Frame, shown: Shown) -> dict[Spot, tuple[float, float]]:
    """Where the name may stand, the best place first, with the point of the curve that it is beside."""
    drawn, outer, log = line(one.curve, shown), one.outer, shown.axes is Axes.LOG
    if drawn.bound is Bound.OPEN and drawn.band is not None:  # the gap has a name of its own: below it is room
        drawn, outer = replace(drawn, y=drawn.band[1]), False
    seen = np.log10(np.maximum(drawn.x, _LEAST)) if log else drawn.x
    along = ((_OUTER if outer else _INNER)[place % len(_OUTER)], *_ELSEWHERE)
    nearest = [int(np.argmin(np.abs(seen - (seen[0] + share * (seen[-1] - seen[0]))))) for share in along]
    found: dict[Spot, tuple[float, float]] = {}
    for away in (_AWAY, _FAR):  # beyond a line that is too near for the name to stand before it
        for left in (outer,) if drawn.bound is Bound.OPEN else (outer, not outer):
            for x, y in ((float(drawn.x[at]), float(drawn.y[at])) for at in nearest):
                # Away from guessing is to the upper left where people found are drawn, else to the lower left.
                up = (away - _HALF_LINE) * (1 if left is shown.found and not (log and y > _FLAT) else -1)
                found.setdefault(frame.spot(x, y, -_AWAY if left else _AWAY, up), (x, y))
    return found
