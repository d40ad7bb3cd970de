"""The page on reconstruction as tests visit it, what they read on it, and the release they look at."""

from streamlit.testing.v1 import AppTest

from numerics.mechanisms import Composition, Gaussian, SampledMechanism
from numerics.trade_off import Order
from pages.reconstruct.controls import FigureChoice, ReconstructionSetting
from pages.reconstruct.limit import GuessLimit
from pages.ui.prior_guess import Guessed, Known
from pages.ui.release_choice import ReleaseChoice
from tests.pages.visit import addressed, script_of, visited

SECONDS = 60  # the first run imports Plotly and computes certified curves on a busy machine
RELEASE = Gaussian(1.0, 0.01, 1000)


def page(**query: str | list[str]) -> AppTest:
    """The page as a visitor of ``/reconstruct?query`` gets it."""
    return visited(
        AppTest.from_string(script_of("pages/reconstruct/page.py"), default_timeout=SECONDS),
        addressed("reconstruct", query),
    )


def view(
    release: SampledMechanism | Composition = RELEASE, prior: float = 1e-3, guessed: Guessed = Guessed.RECORD
) -> ReconstructionSetting:
    choice, known = ReleaseChoice(release, 1e-3, Order.ADD, 1e-5), Known(prior, "", guessed)
    return ReconstructionSetting(choice, known, GuessLimit.starting(prior), FigureChoice())
