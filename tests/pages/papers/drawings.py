"""Figures of the papers as they are drawn, each once, and what can be read from them."""

from functools import cache
from typing import Any

import numpy as np

from pages.papers.figure import Drawing
from pages.papers.papers import BY_ADDRESS


@cache
def drawn(slug: str, value: float | None = None) -> Drawing:
    """The figure of this address where its slider stands at ``value``, or else where the paper has it."""
    entry = BY_ADDRESS[slug]
    return entry.draw(value) if value is not None else drawn(slug, entry.start)


def at(slug: str, name: str, place: float, value: float | None = None) -> float:
    """What is drawn under this name there."""
    return drawn(slug, value).at(name, place)


def series(slug: str, name: str, value: float | None = None) -> tuple[Any, Any]:
    """Positions and values (n,) under this name."""
    return drawn(slug, value).series(name)


def heights(slug: str, name: str, value: float | None = None) -> Any:
    """Values (n,) under this name, in the order in which they are drawn; positions may be words."""
    names, _, _, drawn_heights = drawn(slug, value).columns.values()
    return np.array([height for one, height in zip(names, drawn_heights, strict=True) if one == name], dtype=float)


def means(slug: str, kind: str, goal: str, value: float | None = None) -> Any:
    """Means (n,) of epsilon* or of the accuracy, of models of one kind."""
    columns = drawn(slug, value).columns
    return np.asarray(columns[f"{goal}, mean"], dtype=float)[np.array(columns["kind"]) == kind]


def alt(slug: str, value: float | None = None) -> str:
    """The figure in words."""
    return drawn(slug, value).alt
