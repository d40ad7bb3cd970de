"""What accountants print is read as the release it is; anything else is refused in words, and nothing is run."""

import re
import tomllib
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numerics.mechanisms import Adjacency, Gaussian, Laplace, Sampling
from pages.ui.accountant_state import LONGEST, read
from pages.ui.training_run import TrainingRun
from tests.pages.driver import text
from tests.pages.rail import rail
from tests.pages.visit import checked

TEXTS = tomllib.loads(Path(__file__).with_name("pasted_texts.toml").read_text())
NAMES = {"Gaussian": Gaussian, "Laplace": Laplace, "Adjacency": Adjacency, "Sampling": Sampling}
# Nested, long or large beyond all that is printed, though within the length that is read.
DEEP, AS_PRINTED = "nested more than 100 deep", "Paste it as it was printed"
HOSTILE = [
    ("(" * 500, AS_PRINTED),
    ("x" * 30_000, "20,000 characters"),
    (f"[(1.0,0.1,0x{'f' * 300})]", "lies beyond 1e+30"),
    (f"[(1.0,0.1,-0x{'f' * 19_000})]", "lies beyond 1e+30"),
    (f"[(1.0,0.1,{'9' * 6000})]", AS_PRINTED),
    ("1 if 1 else " * 1600 + "1", DEEP),
    ("lambda: " * 2000 + "1", DEEP),
    ("1/" * 900 + "1", DEEP),
    ("not " * 900 + "1", DEEP),
    ("f" + "(1)" * 900, DEEP),
    ("a" + ".b" * 900, DEEP),
    ("[" * 120 + "]" * 120, DEEP),
    ("-" * 19_000 + "1", AS_PRINTED),
    ("[" * 9000 + "]" * 9000, AS_PRINTED),
    ("'\ud800'", AS_PRINTED),
    ("\x00", AS_PRINTED),
]


def beginning(value: str) -> str:
    """Of a text, as the name of its test."""
    return ascii(value[:40])


@pytest.mark.parametrize(("text", "phases"), TEXTS["phases"], ids=beginning)
def test_events_histories_and_arguments_are_the_releases_they_are(text: str, phases: str) -> None:
    assert read(text).phases == eval(f"({phases},)", NAMES)


@pytest.mark.parametrize("text", TEXTS["run"], ids=beginning)
def test_arguments_are_the_run_that_they_say(text: str) -> None:
    state = read(text)
    assert state.run == TrainingRun(60_000, 256.0, 60.0)
    assert state.phases == (Gaussian(1.12, 256 / 60_000, 14_063),)
    assert (state.people, state.delta) == (60_000, 1e-5)


@pytest.mark.parametrize(("text", "said", "never"), TEXTS["words"], ids=beginning)
def test_what_was_read_is_said(text: str, said: str, never: str) -> None:
    assert re.search(said, read(text).words)
    assert not re.search(never, read(text).words)


@pytest.mark.parametrize(("text", "why"), [*map(tuple, TEXTS["refused"]), *HOSTILE], ids=beginning)
def test_what_is_not_understood_is_refused_in_words(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=r"[a-z]") as refusal:
        read(text)
    assert why in str(refusal.value)
    assert len(str(refusal.value)) < 300
    assert len(text) <= LONGEST or "20,000" in why


@given(st.text(max_size=200) | st.text(alphabet="[](){},.=-1e5 'nGausianDpEvt_:\"", max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(ValueError):
        assert read(text).phases


def test_it_is_shown_before_it_is_used_and_a_refusal_changes_nothing() -> None:
    app = rail(noise="3", clip="2")
    before = app.session_state["result"]
    app.session_state["pasted_state.open"] = True
    checked(app.run().text_area(key="pasted_state.text").set_value("[(1.1, 0.01, 50), (3.0, 1.0, 1)]").run())
    assert "Gaussian noise 1.1, rate 0.01 (Poisson), 50 steps; then Gaussian noise 3, no sampling, 1 step;" in text(app)
    assert app.session_state["result"] == before
    checked(app.button(key="pasted_state.use").click().run())
    used = app.session_state["result"]
    assert used.mechanism.phases == (Gaussian(1.1, 0.01, 50), Gaussian(3.0))
    assert (used.records, used.clip) == (None, None)
    assert not app.session_state["pasted_state.open"], "the box would lie over the answer"
    app.session_state["pasted_state.open"] = True
    checked(app.run().text_area(key="pasted_state.text").set_value("[(1,2)]").run())
    assert "entry 1 of the history" in app.warning[0].value
    assert app.session_state["result"] == used
