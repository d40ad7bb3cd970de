"""What a figure lacks because there was no time for it: said below it, and in what is taken away of it."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from numerics.deadline import DeadlineError
from pages.server.budget import current


@contextmanager
def if_no_time(name: str) -> Iterator[None]:
    """Go on without the curve ``name`` of the figure that is drawn next, where there is no time for it."""
    try:
        yield
    except DeadlineError:
        current().left_out.append(name)


def say() -> None:
    """Say below a figure what it lacks: what was left out since the last one."""
    budget = current()
    missing = budget.left_out[budget.said :]
    budget.said = len(budget.left_out)
    if missing:
        st.caption(f":material/hourglass_empty: **Not computed yet, and not drawn:** {_listed(missing)}.")


def header() -> dict[str, str]:
    """What a file of the page's data has to say of it, too."""
    missing = current().left_out
    return {"not computed, and missing here": _listed(missing)} if missing else {}


def _listed(names: list[str]) -> str:
    return "; ".join(dict.fromkeys(names))
