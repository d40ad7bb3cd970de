"""Every figure that a test of a page draws can be taken away as a file too."""

import pytest

from pages.ui import chart
from plotting import static, theme

_DRAWN: set[frozenset[str]] = set()
"""Looks of the figures of which a file has been made: one of each is enough."""


@pytest.fixture(autouse=True)
def every_figure_has_files(monkeypatch: pytest.MonkeyPatch) -> None:
    own = chart.draw

    def draw(figure: theme.Figure, *args: object, **settings: object) -> object:
        check(figure)
        return own(figure, *args, **settings)  # type: ignore[arg-type]

    monkeypatch.setattr(chart, "draw", draw)


def check(figure: theme.Figure) -> None:
    """Nothing in the figure is left out of its files; of every new look one is made."""
    assert static.refusal(figure) == ""
    look = frozenset(attributes(figure.layout.to_plotly_json(), "layout"))
    look |= {name for trace in figure.data for name in attributes(trace.to_plotly_json(), str(trace["type"]))}
    if look not in _DRAWN:
        _DRAWN.add(look)
        assert static.svg(figure).startswith(b"<?xml")


def attributes(part: object, name: str) -> set[str]:
    """What is set in a part, by dotted names."""
    if isinstance(part, dict):
        return {
            found for key, value in part.items() if key != "template" for found in attributes(value, f"{name}.{key}")
        }
    return {name}
