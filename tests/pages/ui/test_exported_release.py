"""What is exported sets every control again; what no control can show is refused before it is used."""

import re
from collections.abc import Mapping

import pytest
from streamlit.testing.v1 import AppTest

from numerics.mechanisms import Gaussian, Laplace
from numerics.release_file import ReleaseFile
from pages.ui.accountant_state import read
from pages.ui.release_controls import STARTS
from tests.pages.rail import alone, choice_for
from tests.pages.visit import checked

KNOWN = {"knows_rate": "true", "rate": "0.02", "steps": "150"}
VIEWS: list[dict[str, str]] = [
    {"people": "5000", "batch": "77", "epochs": "3", "noise": "0.8", "delta": "1e-07"},
    {"phases": "3", "noise_2": "2", "rate_2": "0.5", "steps_2": "7", "noise_3": "3", "adjacency": "replace-one"},
    KNOWN | {"dimension": "300", "clip": "1.5", "mechanism": "Laplace", "records_per_person": "4"},
    KNOWN | {"sampling": "shuffled", "adjacency": "zero-out", "mechanism": "Discrete Gaussian", "sensitivity": "3"},
    KNOWN | {"mechanism": "Truncated Laplace", "rate": "1", "truncation_delta": "1e-05"},
]


def pasted(app: AppTest, text: str) -> AppTest:
    """The app after somebody has pasted this and used it."""
    app.session_state["pasted_state.open"] = True
    checked(app.run()).text_area(key="pasted_state.text").set_value(text)
    return checked(checked(app.run()).button(key="pasted_state.use").click().run())


def address(query: Mapping[str, str | list[str]]) -> dict[str, str | float]:
    """The rail's part of an address; numbers as numbers, for a browser alone writes 2.0 as 2."""
    found: dict[str, str | float] = {}
    for key, value in query.items():
        if key in STARTS:
            text = "".join(value)
            found[key] = float(text) if re.fullmatch(r"[\d.e-]+", text) else text
    return found


@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_an_exported_release_sets_the_controls_that_made_it(view: dict[str, str]) -> None:
    choice = choice_for(**view)
    app = pasted(alone(), choice.exported())
    assert app.session_state["result"] == choice
    if "knows_rate" in view:
        assert address(app.query_params) == address(view)


@pytest.mark.parametrize(
    ("file", "why"),
    [
        (ReleaseFile((Gaussian(1e-5),)), "noise of phase 1, 1e-05 cannot be entered: the controls have 0.001 to 1000"),
        (ReleaseFile((Gaussian(1.0), Gaussian(1.0, 1e-9))), "sampling rate of phase 2, 1e-09 cannot be entered"),
        (ReleaseFile((Gaussian(1.0),), 0.5), "delta 0.5 cannot be entered: the controls have 1e-12 to 0.1"),
        (ReleaseFile((Gaussian(1.0),), clip=1e9), "clip 1e.09 cannot be entered"),
        (ReleaseFile((Gaussian(1.0), Laplace(1.0))), "different noise"),
    ],
)
def test_what_no_control_can_show_is_refused(file: ReleaseFile, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read(file.text)
