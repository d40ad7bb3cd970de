"""The controls of the release as tests visit them, alone and beside the home page."""

from streamlit.testing.v1 import AppTest

from pages.ui.release_choice import ReleaseChoice
from tests import ROOT
from tests.pages.visit import visited

SECONDS = 60  # a page's first run imports Plotly and computes certified curves on a busy machine


def app_with_url(**query: str) -> AppTest:
    """The app as a visitor of ``/?query`` gets it; the home page is drawn, with the controls."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=SECONDS)
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def alone() -> AppTest:
    """The rail beside a page that hands out what the controls say, not run yet."""
    return AppTest.from_string(
        "import streamlit as st\n"
        "from pages.ui import release_controls, rail\n"
        "refusal = rail.draw()\n"
        "st.session_state['result'] = refusal or release_controls.current()\n",
        default_timeout=SECONDS,
    )


def rail(**query: str) -> AppTest:
    """The rail for a URL."""
    return visited(alone(), query)


def choice_for(**query: str) -> ReleaseChoice:
    """What the controls say for a URL."""
    choice = rail(**query).session_state["result"]
    assert isinstance(choice, ReleaseChoice)
    return choice
