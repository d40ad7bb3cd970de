"""What is exported sets every control again; what no control can show is refused before it is used."""

import pytest
from streamlit.testing.v1 import AppTest

from numerics.mechanisms import Gaussian, Laplace
from numerics.release_file import ReleaseFile
from pages.ui import exported_release
from pages.ui.accountant_state import read
from tests.pages.rail import SECONDS, choice_for

VIEWS: list[dict[str, str]] = [
    {},
    {"people": "5000", "batch": "77", "epochs": "3", "noise": "0.8", "delta": "1e-7"},
    {"knows_rate": "true", "rate": "0.02", "steps": "700", "dimension": "300", "clip": "1.5", "mechanism": "Laplace"},
    {"knows_rate": "true", "rate": "0.1", "steps": "9", "sampling": "fixed size", "adjacency": "replace-one"},
    {"phases": "3", "noise_2": "2", "rate_2": "0.5", "steps_2": "7", "noise_3": "3", "adjacency": "replace-one"},
]


@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_an_exported_release_sets_the_controls_that_made_it(view: dict[str, str]) -> None:
    choice = choice_for(**view)
    app = AppTest.from_string(
        "import streamlit as st\n"
        "from pages.ui import release_controls\n"
        "from pages.ui.accountant_state import read\n"
        "if 'given' in st.session_state:\n"
        "    release_controls.use_pasted(read(st.session_state.pop('given')))\n"
        "release_controls.draw()\n"
        "st.session_state['result'] = release_controls.current()\n",
        default_timeout=SECONDS,
    )
    app.session_state["given"] = exported_release.text(choice)
    app.run()
    assert not app.exception
    assert app.session_state["result"] == choice


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
