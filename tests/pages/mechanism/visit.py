"""The explorer page as tests visit it, what they read on it, and releases they look at."""

from streamlit.testing.v1 import AppTest

from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Mechanism
from numerics.trade_off import Order
from pages.ui.release_choice import ReleaseChoice
from tests.pages.visit import addressed, script_of, visited

PAGE = "pages/mechanism/page.py"
SECONDS = 60  # the first run imports Plotly and computes certified curves on a busy machine
CHOICE = ReleaseChoice(Gaussian(1.0, 0.01, 1000), 1e-3, Order.ADD, 1e-5)
RELEASES: list[Mechanism] = [
    Gaussian(1.0, 0.01, 1000),
    Laplace(0.333333, 1e-7, 1_000_000, Adjacency.REPLACE_ONE),
    Composition((Gaussian(1.25, 0.5, 3), Gaussian(2.0))),
    Gaussian(1.4146300123456789, 1 / 3, 7),
]


def page(**query: str | list[str]) -> AppTest:
    """The explorer as a visitor of ``/mechanism?query`` gets it."""
    return visited(AppTest.from_string(script_of(PAGE), default_timeout=SECONDS), addressed("mechanism", query))


def metric(app: AppTest, start: str) -> str:
    (found,) = (metric.value for metric in app.metric if metric.label.startswith(start))
    return str(found)


def button(app: AppTest, label: str) -> object:
    (found,) = (button for button in app.button if button.label == label)
    return found
