"""Sorting losses: NumPy's own sort takes its time on machines whose widest vector instructions are slow."""

import numpy as np
from numpy.typing import NDArray

from numerics.trade_off import Floats

_FEW = 1 << 15  # losses that are sorted at once
_PART = 1 << 17  # losses ordered together; for all of them at once, the order alone would take as much memory as they
_BUCKETS = 1 << 16
_SAMPLE = 1 << 10
_NARROW = 1e-290  # less would overflow when it is divided by
_SPREAD = 0.5  # share of a sample in buckets of its own


def sort(values: Floats) -> None:
    """Sort finite numbers (n,) in place: ordered first by equal intervals, counted, then within them.

    Where most of them fall into a few of the intervals, that gains nothing and NumPy sorts.
    """
    if len(values) < _FEW:
        values.sort()
        return
    low, high = float(values.min()), float(values.max())
    width = high - low
    sample = values[:: len(values) // _SAMPLE]
    if not _NARROW < width < np.inf or len(np.unique(_buckets(sample, low, width))) < _SPREAD * len(sample):
        values.sort()
        return
    for start in range(0, len(values), _PART):
        part = values[start : start + _PART]
        part[:] = part[np.argsort(_buckets(part, low, width), kind="stable")]  # radix sort, for 16 bits
        part.sort(kind="stable")  # runs that hardly overlap: insertion and merging, in all but linear time
    values.sort(kind="stable")  # merges the parts


def _buckets(values: Floats, low: float, width: float) -> NDArray[np.uint16]:
    """The interval of every value; some at a time, which stay in the processor's cache."""
    places = np.empty(len(values), dtype=np.uint16)
    for start in range(0, len(values), _FEW):
        part = values[start : start + _FEW] - low
        part *= (_BUCKETS - 1) / width
        places[start : start + _FEW] = part
    return places
