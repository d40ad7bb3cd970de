"""Sorting losses: NumPy's own sort takes its time on machines whose widest vector instructions are slow."""

import numpy as np
from numpy.typing import NDArray

from numerics.trade_off import Floats

_FEW = 1 << 15  # losses that are sorted at once
_BUCKETS = 1 << 16
_SAMPLE = 1 << 10
_SPREAD = 0.5  # share of a sample in buckets of its own


def sort(values: Floats) -> None:
    """Sort finite numbers (n,) in place: first by equal intervals, counted, then within them.

    Where most of them fall into a few of the intervals, that gains nothing and NumPy sorts.
    """
    if len(values) < _FEW:
        values.sort()
        return
    low, high = float(values.min()), float(values.max())
    width = high - low
    sample = values[:: len(values) // _SAMPLE]
    if not 0.0 < width < np.inf or len(np.unique(_buckets(sample, low, width))) < _SPREAD * len(sample):
        values.sort()
        return
    values[:] = values[np.argsort(_buckets(values, low, width), kind="stable")]  # radix sort, for 16 bits
    values.sort(kind="stable")  # runs that hardly overlap: insertion and merging, in all but linear time


def _buckets(values: Floats, low: float, width: float) -> NDArray[np.uint16]:
    places = values - low
    places *= (_BUCKETS - 1) / width
    return places.astype(np.uint16)
