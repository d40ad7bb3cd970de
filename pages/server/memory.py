"""How the process holds its memory: what the numerics work in is used again, what an upload took is given back."""

import ctypes
import sys

# malloc.h
_M_TRIM_THRESHOLD = -1
_M_MMAP_THRESHOLD = -3
_M_ARENA_MAX = -8
_LARGE_BLOCK = 1 << 22  # bytes: larger than what the numerics work in, smaller than an upload worth giving back
_KEPT = 1 << 23  # bytes, free at the end of a heap
_HEAPS = 4  # of threads; by default eight for every core, each of which keeps so much


def hold() -> None:
    """Give freed blocks of an upload's size back at once, and keep smaller ones for the next. Once per process, early.

    glibc gives a block back from a size on that it raises to that of the largest one freed so far: after one upload,
    the memory of the next ones would stay with the process. Where that size is fixed, it also gives back each heap's
    end from 128 kB on, and threads do so anyway: with every array that a computation drops and asks for again. That
    took half of the time of a fine curve. Other C libraries are left as they are.
    """
    if sys.platform == "linux":
        set_option = getattr(ctypes.CDLL(None), "mallopt", None)
        if set_option is not None:
            set_option(_M_MMAP_THRESHOLD, _LARGE_BLOCK)
            set_option(_M_TRIM_THRESHOLD, _KEPT)
            set_option(_M_ARENA_MAX, _HEAPS)
