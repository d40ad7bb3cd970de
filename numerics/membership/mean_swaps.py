"""How well one swap in a mean is seen, for every record of a long column at once: sorted or binned, not pair by pair.

With t(x, y) = |x - y| in units of the noise, the one-swap bound of record x is the mean of TV_noise(t(x, y)) over all
others y. For Laplace noise that is a mean of 1 - e^(-t/2), whose sum over all smaller values follows from that of the
value before: a running sum from below and one from above, of positive terms, so exact to rounding at any scale. For
other noise values are put into bins, and pairs are taken for as far apart as their bins allow: never for nearer.
"""

from collections.abc import Callable

import numpy as np

from numerics.membership.running_sums import running_sums
from numerics.trade_off import Floats

_BINS = 2**18  # what they cost is about the range of the data, in units of the noise, over 600,000
_SAFE = 1e-6  # of a bin: more than rounding moves a value across an edge
_TRANSFORM = 1e-11  # more than the transform errs by, in a mean of numbers up to 1


def laplace(data: Floats) -> Callable[[float], Floats]:
    """At a scale, the mean (n,) over the other records of 1 - exp(-|x - y| / 2 scale), for each of ``data`` (n,)."""
    order, rest = np.argsort(data), len(data) - 1
    gaps, before = np.diff(data[order]), np.arange(1.0, len(data))

    def seen(scale: float) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            steps = np.where(gaps > 0.0, gaps / (-2.0 * scale), 0.0)
        kept, lost = np.exp(steps), -np.expm1(steps)
        sums = np.append(0.0, running_sums(kept, before * lost))
        sums[:-1] += running_sums(kept[::-1], before * lost[::-1])[::-1]
        found = np.empty(len(data))
        found[order] = sums / rest
        return found

    return seen


def binned(data: Floats, advantage: Callable[[Floats], Floats]) -> Callable[[float], Floats]:
    """The same of ``advantage``(|x - y| / scale), which rises from 0 to 1: at most this."""
    low, width, rest = float(data.min()), float(np.ptp(data)) / _BINS, len(data) - 1
    alike, number = np.unique(data, return_inverse=True, return_counts=True)[1:]
    different = (len(data) - number[alike]) / rest  # all that is seen without noise
    if width == 0.0:
        return lambda scale: different
    place = np.minimum((data - low) / width, _BINS - 1).astype(np.int64)
    # On a circle of twice as many bins, so that both ends of the line do not meet.
    apart = (np.minimum(np.arange(2 * _BINS), 2 * _BINS - np.arange(2 * _BINS)) + (1.0 + _SAFE)) * width
    counts = np.fft.rfft(np.bincount(place, minlength=_BINS), 2 * _BINS)

    def seen(scale: float) -> Floats:
        if scale == 0.0:
            return different
        with np.errstate(over="ignore"):
            each = advantage(apart / scale)
        sums = np.fft.irfft(counts * np.fft.rfft(each), 2 * _BINS)
        return np.minimum((sums[place] - each[0]) / rest + _TRANSFORM, different)

    return seen
