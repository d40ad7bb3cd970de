"""Visiting a page, or a part of one, without a browser."""

from collections.abc import Mapping
from pathlib import Path

from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[1]


def script_of(page: str) -> str:
    """A script that draws the shared controls and the page in this file."""
    return (
        "import runpy\n"
        "from pages.shared import controls\n"
        "controls.draw(folded=False)\n"
        f"runpy.run_path({str(ROOT / page)!r})\n"
    )


def visited(app: AppTest, query: Mapping[str, str | list[str]]) -> AppTest:
    """The app as a visitor of an address with this query gets it."""
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app
