"""What is done once per server process."""

import gc
from functools import cache


@cache
def freeze() -> None:
    """Move everything imported so far out of the garbage collector's sight.

    Streamlit collects garbage after every run of a page. With the libraries' objects in its way that takes about 60 ms
    and holds up all sessions; frozen, a few. Call it after the imports; later calls do nothing.
    """
    gc.collect()
    gc.freeze()
