"""Roots of many functions at once, found to the digits of small probabilities."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from numerics.deadline import in_time
from numerics.trade_off import Floats

_SMALLEST_LOG = -745.0  # of the smallest positive number in double precision
_SMALLEST_NORMAL = float(np.finfo(np.float64).tiny)
_ROUNDOFF = float(np.finfo(np.float64).eps)
_ROUNDS = 200  # bisection alone takes sixty
_ROUNDED = 1e-9  # relative, by which limits that hold may be off


def root(
    difference: Callable[[Floats, Floats], Floats],
    goal: Floats,
    ends: Floats,
    between: tuple[Floats, Floats] | None = None,
) -> Floats:
    """Root x in (0, 1) of ``difference``, which grows with x, at each ``goal`` inside (0, 1); ``ends`` elsewhere.

    Searched in log x, so that a small root keeps its digits; 0 where the root is too small for double precision.
    ``between`` are limits (n,) that hold for the roots, where they are known: the search is shorter.
    """
    inside = (goal > 0.0) & (goal < 1.0)
    goal = np.where(inside, goal, 0.5)

    def of_log(log_x: Floats, chosen: NDArray[np.intp]) -> Floats:
        # Scaled, for differences of goals as small as 1e-308 would lose their digits.
        target = goal[chosen]
        return difference(np.exp(log_x), target) / np.maximum(np.minimum(target, 1.0 - target), _SMALLEST_NORMAL)

    low, high = np.full(goal.shape, _SMALLEST_LOG), np.zeros(goal.shape)
    if between is not None:
        with np.errstate(divide="ignore"):
            limits = np.log(between[0]) - _ROUNDED, np.log(between[1]) + _ROUNDED
        low, high = (
            np.where(inside, np.clip(limit, _SMALLEST_LOG, 0.0), end)
            for limit, end in zip(limits, (low, high), strict=True)
        )
    found = crossing(of_log, low, high)
    return np.where(inside, np.where(found <= _SMALLEST_LOG, 0.0, np.exp(found)), ends)


def halved(
    below: Callable[[Floats], NDArray[np.bool_]], low: Floats, high: Floats, times: int
) -> tuple[Floats, Floats]:
    """Ends (n,) between which ``below``, true up to some place, turns false, halved so many ``times``.

    By bisection: to the last digit, of whatever turns; ``crossing`` asks less often of what is smooth.
    """
    for _ in in_time(range(times)):
        middle = 0.5 * (low + high)
        is_below = below(middle)
        low, high = np.where(is_below, middle, low), np.where(is_below, high, middle)
    return low, high


def crossing(rising: Callable[[Floats, NDArray[np.intp]], Floats], low: Floats, high: Floats) -> Floats:
    """Where each of many ``rising`` functions, told by its place, crosses 0 between ``low`` and ``high`` (n,).

    ``low`` where it is nowhere below 0, ``high`` where it is nowhere above. Chandrupatla's method: inverse quadratic
    interpolation where that is sure to converge, else bisection (Scherer 2013, section 6.1.7.3).
    """
    place = np.arange(len(low))
    b, a = low, high
    fb, fa = rising(b, place), rising(a, place)
    found = np.where(fb >= 0.0, low, high)
    open_ = (fb < 0.0) & (fa > 0.0)
    place, a, b, fa, fb = place[open_], a[open_], b[open_], fa[open_], fb[open_]
    t = np.full(len(place), 0.5)
    for _ in in_time(range(_ROUNDS)):
        if not len(place):
            break
        x = a + t * (b - a)
        fx = rising(x, place)
        same = (fx > 0.0) == (fa > 0.0)
        c, fc = np.where(same, a, b), np.where(same, fa, fb)
        b, fb = np.where(same, b, a), np.where(same, fb, fa)
        a, fa = x, fx
        nearest = np.where(np.abs(fa) < np.abs(fb), a, b)
        least = 2.0 * _ROUNDOFF * np.abs(nearest) / np.abs(b - a)
        done = (least > 0.5) | (fa == 0.0)
        found[place] = np.where(done, nearest, found[place])
        rest = ~done
        place, a, b, c, fa, fb, fc, least = (one[rest] for one in (place, a, b, c, fa, fb, fc, least))
        t = _interpolated(a, b, c, fa, fb, fc)
        t = np.clip(t, least, 1.0 - least)
    else:
        found[place] = a
    return found


def _interpolated(a: Floats, b: Floats, c: Floats, fa: Floats, fb: Floats, fc: Floats) -> Floats:
    """The share of the way from ``a`` to ``b`` at which to look next."""
    with np.errstate(all="ignore"):
        xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
        quadratic = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
    is_safe = (phi**2 < xi) & ((1.0 - phi) ** 2 < 1.0 - xi) & np.isfinite(quadratic)
    return np.where(is_safe, quadratic, 0.5)
