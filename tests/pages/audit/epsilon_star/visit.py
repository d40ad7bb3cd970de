"""The page that measures a trained model as tests visit it, and the losses of its samples."""

import numpy as np
from streamlit.testing.v1 import AppTest

from losses import SAMPLES
from tests import ROOT
from tests.pages.visit import addressed, visited

PAGE = "pages/audit/page.py"
SECONDS = 60  # the first run imports Plotly on a busy machine


def page(**query: str) -> AppTest:
    """The page as a visitor of ``/audit?query`` gets it."""
    script = f"import runpy\nrunpy.run_path({str(ROOT / PAGE)!r})\n"
    return checked(visited(AppTest.from_string(script, default_timeout=SECONDS), addressed("audit", query)))


def checked(app: AppTest) -> AppTest:
    """The app, whose last run neither raised nor warned of anything."""
    assert not app.exception
    assert not app.warning
    return app


def headline(app: AppTest) -> str:
    return " ".join(str(block.value) for block in app.markdown if block.value.startswith(("## ", "### ")))


def samples_losses(index: int) -> tuple[np.ndarray, np.ndarray]:
    groups = SAMPLES[index].groups()
    return groups.train, groups.population
