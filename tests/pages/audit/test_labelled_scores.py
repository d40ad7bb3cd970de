"""A file with a number and a two-valued label in every row, as views of the audit page ask for it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.audit.labelled_scores import LabelledScores
from tests.pages.audit.epsilon_star.sources import box, captions, names_of, page_of
from tests.pages.uploading import choose, give, leave_out
from tests.pages.visit import errors

SCRIPT = """
import streamlit as st
from pages.audit import labelled_scores
words = labelled_scores.ScoresWords(
    "A file with a score", "Scores", "Included", "Included are", ("included", "left out")
)
st.session_state["found"] = labelled_scores.draw("canary_scores", words)
"""
RNG = np.random.default_rng(5)
SCORES = RNG.normal(size=60)


def table(header: str = "score,included,guess", first: str = "") -> bytes:
    rows = (f"{score!r},{row % 2},{row % 3 - 1}" for row, score in enumerate(SCORES.tolist()))
    return "\n".join([header, *filter(None, [first]), *rows]).encode()


def drawn() -> AppTest:
    return page_of(SCRIPT)


def found(app: AppTest) -> Any:
    return app.session_state["found"]


def test_scores_come_with_their_label_and_other_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = give(drawn(), ("a.csv", table()))
    scores = found(app)
    assert isinstance(scores, LabelledScores)
    assert np.array_equal(scores.rows.values, SCORES)
    assert np.array_equal(scores.scores.alternative, SCORES[1::2])
    assert np.array_equal(scores.scores.null, SCORES[::2])
    assert set(scores.rows.columns) == {"guess"}
    assert scores.membership.member == "1"
    assert (scores.negated, scores.rows.dropped) == (False, 0)
    made = names_of(scores.python, {"a.csv": table()}, tmp_path, monkeypatch)
    assert np.array_equal(made["values"], scores.rows.values)
    assert np.array_equal(made["is_in"], scores.rows.is_in)


def test_losses_are_turned_and_it_can_be_said_otherwise() -> None:
    app = give(drawn(), ("a.csv", table("loss,included,guess")))
    assert np.array_equal(found(app).rows.values, -SCORES)
    assert found(app).negated
    choose(app, "They suspect", "large numbers")
    assert np.array_equal(found(app).rows.values, SCORES)


def test_a_label_that_does_not_say_it_is_asked_for() -> None:
    app = give(drawn(), ("a.csv", table("score,world,guess")))
    assert found(app) is None
    assert box(app, "Included").value == "world"
    choose(app, "Included are", "0")
    assert np.array_equal(found(app).rows.is_in, np.arange(60) % 2 == 0)


def test_a_bad_file_leaves_the_scores_marked_as_older() -> None:
    app = give(drawn(), ("a.csv", table()))
    give(app, ("b.csv", b"score\n1\n2\n"))
    assert "no column that tells members from outsiders" in errors(app)
    assert found(app).name == "a.csv (read before)"
    assert "Results are of a file read before" in captions(app)


def test_unusable_rows_are_refused_until_they_are_left_out() -> None:
    app = give(drawn(), ("a.csv", table(first="x,1,0")))
    assert found(app) is None
    assert "without a finite number" in errors(app)
    leave_out(app)
    assert found(app).rows.dropped == 1
    assert len(found(app).rows.columns["guess"].values) == 60
