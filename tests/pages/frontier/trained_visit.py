"""Visits to the view on trained models, without a browser."""

from streamlit.testing.v1 import AppTest

from tests.pages.visit import addressed, script_of, visited

SECONDS = 60  # the first run imports Plotly on a busy machine


def page(**query: str) -> AppTest:
    return visited(
        AppTest.from_string(script_of("pages/frontier/page.py"), default_timeout=SECONDS), addressed("frontier", query)
    )
