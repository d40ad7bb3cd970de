"""Where words fit into a figure: beside what they name, on no line, on no point, and on no other words.

Positions are shares of the axes, from 0 at the left and below to 1. Browsers lay figures out in any width, so a place
is judged in the narrowest and in a usual one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from numerics.trade_off import Floats

_PHONE, _DESKTOP = (230.0, 180.0), (680.0, 200.0)  # pixels that the axes take, in a figure of usual height
_SAMPLES = 400  # of a line, so that none slips through between two of them
_CHARACTER, _LINE = 7.0, 16.0  # pixels
_STEP = 0.1  # of the height, between two places in a region
_OUTSIDE = 1000  # counts more than whatever lies below


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

    def spot(self, x: float, y: float, right: float, up: float) -> "Spot":
        """Words beside a point, by so many pixels."""
        across, height = self.shares(np.array([x]), np.array([y]))
        return Spot(float(across[0]), float(height[0]), right, up)


@dataclass(frozen=True)
class Spot:
    """Words at a point: ``x`` and ``y``, and by how many pixels they stand to its right and above it.

    ``right`` and ``up`` are the distance of their nearest corner, negative for words to the left or below.
    """

    x: float
    y: float
    right: float
    up: float


@dataclass(frozen=True, eq=False)
class FreePlaces:
    """What is drawn already: points (n, 2), and boxes in pixels of each of the two widths, in ``_boxes``."""

    drawn: NDArray[np.float64]
    words: tuple[tuple[Spot, str], ...] = ()

    @classmethod
    def beside(
        cls, lines: Iterable[tuple[Floats, Floats]], points: Iterable[tuple[Floats, Floats]] = ()
    ) -> "FreePlaces":
        """Around ``lines`` and single ``points``: positions (n,) across and up of each, finite ones count."""
        parts = [np.column_stack(one) for one in points]
        parts += [_dense(*one) for one in lines]
        found = np.concatenate(parts) if parts else np.empty((0, 2))
        return cls(found[np.isfinite(found).all(axis=1)])

    def with_line(self, x: Floats, y: Floats) -> "FreePlaces":
        """With another line."""
        return FreePlaces(np.concatenate([self.drawn, _dense(x, y)]), self.words)

    def with_words(self, spot: Spot, text: str) -> "FreePlaces":
        """With these words in their place."""
        return FreePlaces(self.drawn, (*self.words, (spot, text)))

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

    def beside_point(self, text: str, x: float, y: float, away: float) -> Spot:
        """Right below a point of a line that rises, or on another side where that hides less; ``away`` in pixels."""
        return self.best(text, [Spot(x, y, side * away, up) for side, up in ((1, -2.0), (-1, 2.0), (1, 2.0))])

    def in_region(self, text: str, low: float, right: float) -> Spot:
        """The highest free place for the name of a region at the left edge, which reaches from ``low`` to the top."""
        heights = np.arange(1.0, low + _STEP, -_STEP)
        return self.best(text, [Spot(0.0, float(y), right, -2.0) for y in (heights if len(heights) else [1.0])])

    def hidden(self, text: str, spot: Spot) -> int:
        """How much lies below the words, in samples of lines."""
        return sum(self._hidden(text, spot, np.array(size)) for size in (_PHONE, _DESKTOP))

    def _hidden(self, text: str, spot: Spot, size: NDArray[np.float64]) -> int:
        low, high = _box(text, spot, size)
        pixels = self.drawn * size
        found = int(np.count_nonzero(((pixels > low) & (pixels < high)).all(axis=1)))
        for other, words in self.words:
            other_low, other_high = _box(words, other, size)
            found += _OUTSIDE * bool((low < other_high).all() and (other_low < high).all())
        return found + _OUTSIDE * bool((low < -_LINE / 2).any() or (high > size + _LINE / 2).any())


def _box(text: str, spot: Spot, size: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Lower left and upper right corner in pixels."""
    near = np.array([spot.x, spot.y]) * size + (spot.right, spot.up)
    wide = np.array([_CHARACTER * len(text), _LINE])
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
