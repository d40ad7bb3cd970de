"""How the process holds its memory: what is used again, given back, or overwritten once it is free."""

import ctypes
import sys

import pyarrow as pa

# malloc.h
_M_TRIM_THRESHOLD = -1
_M_PERTURB = -6
_M_MMAP_THRESHOLD = -3
_M_ARENA_MAX = -8
_LARGE_BLOCK = 1 << 22  # bytes: larger than what the numerics work in, smaller than an upload worth giving back
_OVER = 0x55  # the byte that freed memory is filled with; any but 0, which means not to
_KEPT = 1 << 23  # bytes, free at the end of a heap
_HEAPS = 4  # of threads; by default eight for every core, each of which keeps so much


def hold() -> None:
    """Give freed blocks of an upload's size back at once, and keep smaller ones for the next. Once per process, early.

    glibc gives a block back from a size on that it raises to that of the largest one freed so far: after one upload,
    the memory of the next ones would stay with the process. Where that size is fixed, it also gives back each heap's
    end from 128 kB on, and threads do so anyway: with every array that a computation drops and asks for again. That
    took half of the time of a fine curve. Other C libraries are left as they are.
    """
    _set_option(_M_MMAP_THRESHOLD, _LARGE_BLOCK)
    _set_option(_M_TRIM_THRESHOLD, _KEPT)
    _set_option(_M_ARENA_MAX, _HEAPS)
    pa.set_memory_pool(pa.system_memory_pool())  # Arrow's own keeps to none of this


def overwrite_freed(wanted: bool) -> None:
    """Overwrite every block of more than a kilobyte the moment it is freed, whoever frees it; or stop doing so.

    What a visitor uploaded passes through many hands: the web server's, the parser's, Streamlit's and the numerics'.
    Freed memory that nobody has asked for since can be read by whoever reads the process's memory. It takes up to a
    fifth more time to work in many large arrays, so it is done only while somebody may upload something.
    """
    _set_option(_M_PERTURB, _OVER * wanted)


def _set_option(option: int, value: int) -> None:
    if sys.platform == "linux":
        set_option = getattr(ctypes.CDLL(None), "mallopt", None)
        if set_option is not None:
            set_option(option, value)
