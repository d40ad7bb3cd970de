"""Says on the page that a run has drawn all of it, so that a browser test waits for a fact and never for some time.

The mark is the last element of every whole run, also of one that broke off. A run that is stopped, or that begins anew
(``st.rerun``), leaves none: the next one does. A part of a page that runs by the clock does not count.
"""

from itertools import count

import streamlit as st

# Of the process, for whoever compares what the session holds: a visitor's marks rise, and tell nothing else.
_RUNS = count(1)
# Else it has a row of its own, with the gap above it.
_NO_ROOM = "<style>[data-testid=stElementContainer]:has([data-settled]) { display: none }</style>"


def mark() -> None:
    """Write the number of the run that has come to its end, as ``data-settled``; nothing is seen."""
    st.html(f'<span data-settled="{next(_RUNS)}"></span>{_NO_ROOM}')
