"""Visiting a page, or a part of one, without a browser, and giving it files."""

import re
from collections.abc import Mapping
from typing import Any

from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from pages.attackers import attacker_quiz
from pages.ui import chart, estimates, release_in_force
from tests import ROOT

# Names of controls that mean the same on every page. All others begin with where they are at home: ``audit.unit`` with
# its page, ``tour.leave`` with its file in pages/ui; what belongs to one page takes the beginning from its caller.
SHARED = release_in_force.NAMES | {
    *chart.DEFAULTS_OF_CURVE,
    *estimates.DEFAULTS,
    *("how", "compare", "tour", "example", "uploaded"),
    *("answer", "levels", "people_found", "hills", "said"),  # of the package people_view
}
_SECONDS = 60  # a page's first run imports Plotly and computes certified curves on a busy machine

# Folds with content while they are open only, by key.
_FOLDS = (
    *("how", "attackers.how_convert", "attackers.how_audit"),
    *("sidebar.more", "mechanism.choices_of_curve", "mechanism.numbers", "mechanism.more_figures"),
    *("sidebar.presets", "share.menu", "audit.files_fold"),
)


def script_of(page: str) -> str:
    """A script that draws the shared controls and the page in this file."""
    return (
        "import runpy\n"
        "from pages.ui import release_in_force, sidebar\n"
        "sidebar.draw()\n"
        f"runpy.run_path({str(ROOT / page)!r})\n"
    )


def app_at(address: str) -> AppTest:
    """The app at a page's address, not run yet: nothing of Home is drawn first."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=_SECONDS)
    app._page_hash = calc_hash(address)  # switch_page knows the pages that an earlier run offered
    return app


def addressed(page: str, query: Mapping[str, str | list[str]]) -> dict[str, str | list[str]]:
    """The query of an address of this page, by the names that its controls have there."""
    return {name if name in SHARED or "." in name else f"{page}.{name}": value for name, value in query.items()}


def visited(app: AppTest, query: Mapping[str, str | list[str]]) -> AppTest:
    """The app as a visitor of an address with this query gets it, with every fold open."""
    unfold(app)
    for name, value in query.items():
        app.query_params[name] = value
    return checked(app.run())


def unfold(app: AppTest) -> AppTest:
    """The app with every fold and every door open in its next run."""
    app.session_state[attacker_quiz.KEY] = attacker_quiz.ALL
    for key in _FOLDS:
        app.session_state[key] = True
    return app


def checked(app: AppTest) -> AppTest:
    """The app, whose last run raised nothing."""
    assert not app.exception, [raised.message for raised in app.exception]
    return app


def errors(app: AppTest) -> str:
    """Messages as they are read: without the escapes."""
    return " ".join(re.sub(r"\\(.)|\u2060", r"\1", str(error.value)) for error in app.error)


def give(app: AppTest, *files: tuple[str, bytes], place: int = 0) -> AppTest:
    """Drop files, together."""
    payload = [(name, data, "text/csv") for name, data in files]
    app.file_uploader[place].set_value(payload if len(payload) > 1 else payload[0])
    return checked(app.run())


def choose(app: AppTest, label: str, option: Any, place: int = 0) -> AppTest:
    """Choose otherwise how a file is read."""
    found = [found for found in app.selectbox if found.label == label][place]
    return checked(found.select(option).run())
