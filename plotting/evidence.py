"""What the attacker sees without and with the record, as two hills that keep their areas on any screen.

The axis reaches as far as the laws of the evidence do. Where a law is narrower than a pixel, a line stands for it, as
high as the share that lies there. The threshold is where the law itself has the rate that was chosen, so that what lies
beyond it is what the answer states; where a line stands at the threshold, a lot decides on a part of it.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from numerics.privacy_loss.bounds import StatisticLaw
from numerics.trade_off import Floats

PIXELS = 480
"""Places along the axis: about as many as a picture on a page is wide."""
_OUTSIDE = 1e-4  # share of a law that lies beyond either end, unless the threshold lies there
_MARGIN = 0.03  # of the axis, beyond either end
_SHARPER = 4.0  # times what lies on the pixels beside it: a line
_GAP = 12  # pixels between lines: those of a finer comb are drawn as a hill
_LEAST = 1e-7  # share of a law that is a line of its own
_NO_HILL = 1e-5  # share of a law that no outline is drawn of
_LOWEST = 0.35  # of the higher hill: the other one is drawn taller up to that
_FLAT = 5e-3  # of the hill's height, that straight pieces may miss
_TAIL, _NOTHING = 0.05, 5e-6  # the same of what is low: of the height there, and of the hill's again
_CORNERS = 64  # of an outline; of a comb that has more its mean over some pixels is drawn
_SPREADS = (0.0, 1.0, 2.0, 4.0, 8.0)  # pixels over which the mean is taken, as normal deviations


@dataclass(frozen=True, eq=False)
class DrawnHill:
    """One law as it is drawn: an outline of straight pieces, and lines.

    Attributes:
        places, heights: of the outline, (n,) each; places from 0 to 1 along the axis.
        taller: how many times the outline is drawn taller than the other hill's scale has it.
        lines, shares: places of the lines, (m,), and the share of the law at each.
        lot: share of the line at the threshold that is judged as what lies beyond it.
    """

    places: Floats
    heights: Floats
    taller: float
    lines: Floats
    shares: Floats
    lot: float = 0.0


@dataclass(frozen=True, eq=False)
class Evidence:
    """Both laws on one axis from 0 to 1, and the threshold there; ``ends`` are the evidence at the ends of the axis."""

    outsiders: DrawnHill
    members: DrawnHill
    threshold: float
    ends: tuple[float, float] = (0.0, 1.0)


def evidence(law: StatisticLaw, alpha: float, clears: bool) -> Evidence:
    """The hills of a ``law``, with the threshold beyond which ``alpha`` of those lie who are judged wrongly.

    These are outsiders above the threshold, or members below it if the test ``clears``.
    """
    width = float(law.loss[1] - law.loss[0]) if len(law.loss) > 1 else 1.0
    ends = np.append(law.loss, law.loss[-1] + width) - 0.5 * width
    if clears:  # beyond it those lie who are judged wrongly
        threshold = float(np.interp(alpha, _running(law.alternative), ends))
    else:
        threshold = float(np.interp(alpha, _running(law.null[::-1]), ends[::-1]))
    low, high = _axis(law, ends, threshold, min(0.25 * alpha, _OUTSIDE))
    edges = np.linspace(low, high, PIXELS + 1)
    place = (threshold - low) / (high - low)
    masses = [np.diff(np.interp(edges, ends, _running(mass))) for mass in (law.null, law.alternative)]
    starts = [_sharp(mass) for mass in masses]
    hit = [start for start in np.union1d(*starts) if start <= place * PIXELS <= start + 2]
    below = [float(np.interp(threshold, ends, _running(mass))) for mass in (law.null, law.alternative)]
    beyond = below if clears else [1.0 - share for share in below]  # on the verdict's side
    if hit:  # what is sharp has one place, and so has the threshold in it
        place = (float(hit[0]) + 1.0) / PIXELS
    hills = [
        _hill(mass, start, place, clears, share) for mass, start, share in zip(masses, starts, beyond, strict=True)
    ]
    peaks = [float(one.heights.max(initial=0.0)) for one in hills]
    highest = max(peaks) or 1.0
    taller = [max(1.0, _LOWEST * highest / peak) if peak else 1.0 for peak in peaks]
    drawn = [
        replace(one, heights=one.heights * times / highest, taller=times)
        for one, times in zip(hills, taller, strict=True)
    ]
    return Evidence(drawn[0], drawn[1], place, (low, high))


def apart(alpha: float, clears: bool) -> Evidence:
    """Laws that no lattice joins: each is a line, and a lot decides at the one of those who are judged wrongly."""
    nowhere, all_of_it = np.empty(0), np.ones(1)
    lots = (0.0, alpha) if clears else (alpha, 0.0)
    lines = [_MARGIN, 1.0 - _MARGIN]
    hills = [
        DrawnHill(nowhere, nowhere, 1.0, np.array([line]), all_of_it, lot)
        for line, lot in zip(lines, lots, strict=True)
    ]
    return Evidence(hills[0], hills[1], lines[1 if clears else 0])


def _running(mass: Floats) -> Floats:
    """Share of a law up to each end of its bins, (n + 1,)."""
    return np.append(0.0, np.cumsum(mass / mass.sum()))


def _axis(law: StatisticLaw, ends: Floats, threshold: float, outside: float) -> tuple[float, float]:
    """Ends of the axis: almost all of both laws, the threshold, and a margin."""
    running = [_running(mass) for mass in (law.null, law.alternative)]
    firsts = [max(int(np.searchsorted(one, outside, "right")) - 1, 0) for one in running]
    lasts = [min(int(np.searchsorted(one, 1.0 - outside)), len(one) - 1) for one in running]
    low, high = min(threshold, float(ends[min(firsts)])), max(threshold, float(ends[max(lasts)]))
    margin = _MARGIN / (1.0 - 2.0 * _MARGIN) * (high - low)
    return low - margin, high + margin


def _sharp(mass: Floats) -> NDArray[np.intp]:
    """Where two pixels beside each other hold a line, (m,): much more than lies around them, and no line is near."""
    around = np.append(np.append(0.0, mass), 0.0)
    pair, ring = mass[:-1] + mass[1:], around[:-3] + around[3:]
    found = np.flatnonzero((pair > _LEAST) & (pair > _SHARPER * ring))
    kept: list[int] = []
    for start in found[np.argsort(-pair[found], kind="stable")]:
        if all(abs(start - other) > 1 for other in kept):
            kept.append(int(start))
    lines = np.array(sorted(kept), dtype=np.intp)
    apart = np.diff(lines, prepend=-_GAP, append=PIXELS + _GAP) >= _GAP
    return lines[apart[:-1] & apart[1:]]


def _hill(mass: Floats, starts: NDArray[np.intp], threshold: float, clears: bool, beyond: float) -> DrawnHill:
    """The lines that begin at these pixels, and an outline of the rest; ``beyond`` the threshold lies that share."""
    lines, shares, rest = (starts + 1.0) / PIXELS, mass[starts] + mass[starts + 1], mass.copy()
    rest[starts] = rest[starts + 1] = 0.0
    here = np.abs(lines - threshold) < 1.5 / PIXELS
    lines = np.where(here, threshold, lines)
    judged = lines < threshold if clears else lines > threshold
    left = float(np.clip(beyond - shares[judged].sum(), 0.0, 1.0))  # for the line at the threshold, and the outline
    lot = min(left / float(shares[here].sum()), 1.0) if here.any() else 0.0
    if rest.sum() <= _NO_HILL:
        return DrawnHill(np.empty(0), np.empty(0), 1.0, lines, shares, lot)
    around = left if not here.any() else float(_share(rest, threshold, clears))
    lot = float(np.clip((left - around) / shares[here].sum(), 0.0, 1.0)) if here.any() else 0.0
    places, heights = _outline(rest, threshold, clears, min(around, float(rest.sum())))
    return DrawnHill(places, heights, 1.0, lines, shares, lot)


def _share(rest: Floats, threshold: float, clears: bool) -> float:
    """What lies on the verdict's side of the threshold, of masses on the pixels."""
    share = float(np.interp(threshold, np.linspace(0.0, 1.0, PIXELS + 1), np.append(0.0, np.cumsum(rest))))
    return share if clears else float(rest.sum()) - share


def _outline(rest: Floats, threshold: float, clears: bool, judged: float) -> tuple[Floats, Floats]:
    """Corners of straight pieces around these masses: the area on either side of the threshold stays what it is."""
    middles = (np.arange(PIXELS) + 0.5) / PIXELS
    means = ((mean, _corners(middles, mean, _CORNERS)) for mean in (_mean(rest, spread) for spread in _SPREADS))
    short = next((one for one in means if len(one[1]) <= _CORNERS), None)
    smooth, kept = short or (rest, _corners(middles, rest))  # teeth that are hills themselves stay
    edge = float(np.interp(threshold, middles, smooth))
    low, high = middles[kept] < threshold, middles[kept] > threshold
    places = [np.append(middles[kept][low], threshold), np.append(threshold, middles[kept][high])]
    heights = [np.append(smooth[kept][low], edge), np.append(edge, smooth[kept][high])]
    wanted = [judged, float(rest.sum()) - judged]
    for side, share in enumerate(wanted if clears else wanted[::-1]):
        area = PIXELS * float(np.trapezoid(heights[side], places[side]))
        heights[side] = heights[side] * (share / area) if area > 0.0 else heights[side]
    return np.concatenate(places), np.concatenate(heights)


def _mean(rest: Floats, spread: float) -> Floats:
    """The masses with those around them, in normal weights of this deviation; 0 leaves them as they are."""
    if not spread:
        return rest
    weights = np.exp(-0.5 * (np.arange(-4.0 * spread, 4.0 * spread + 1.0) / spread) ** 2)
    return np.convolve(rest, weights / weights.sum(), "same")


def _corners(places: Floats, heights: Floats, most: int = PIXELS) -> NDArray[np.intp]:
    """Indices (m,) of the corners of straight pieces that are as good as the outline; of more than ``most``, a part."""
    missed = heights.max() * np.clip(_TAIL * heights / heights.max(), _NOTHING, _FLAT)
    kept, todo = {0, len(places) - 1}, [(0, len(places) - 1)]
    while todo and len(kept) <= most:
        first, last = todo.pop()
        if last - first < 2:
            continue
        inside = slice(first + 1, last)
        slope = (heights[last] - heights[first]) / (places[last] - places[first])
        straight = heights[first] + slope * (places[inside] - places[first])
        excess = np.abs(heights[inside] - straight) / missed[inside]
        worst = int(excess.argmax())
        if excess[worst] > 1.0:
            kept.add(first + 1 + worst)
            todo += [(first, first + 1 + worst), (first + 1 + worst, last)]
    return np.array(sorted(kept), dtype=np.intp)
