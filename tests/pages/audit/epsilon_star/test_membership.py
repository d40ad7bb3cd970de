"""Who is training data on the page: read from names and labels, asked where they do not tell, and said everywhere."""

import json

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from losses import read_table, split
from pages.audit.epsilon_star.report import report
from reports import html_file, json_file
from tests.loss_files import FRESH, TRAIN, both
from tests.pages.audit.epsilon_star.sources import box, captions, estimate, has_value, page, value
from tests.pages.uploading import change, choose, give

OUTSIDERS = both(header="loss,is_test", labels=("0", "1")).encode()
SILENT = both(header="loss,flag", labels=("0", "1")).encode()
RIGHT = estimate(np.sort(TRAIN), np.sort(FRESH)).value
SAID = "“0” in column “is_test” means training data: its name says who was not trained on."


def upload(data: bytes, **query: str) -> AppTest:
    return give(page(**query), ("losses.csv", data))


def test_a_column_for_outsiders_is_read_the_right_way_round() -> None:
    app = upload(OUTSIDERS, source="one file")
    assert value(app) == RIGHT
    assert box(change(app), "Members are").value == "0"
    assert app.session_state["test source"].membership.words == SAID


@pytest.mark.parametrize("source", ["one file", "several models"])
def test_a_column_that_does_not_tell_is_asked_for(source: str) -> None:
    app = upload(SILENT, source=source)
    assert not has_value(app)
    if source == "one file" or box(app, "Membership").value != "flag":
        choose(app, "Membership", "flag")
    assert not has_value(app)
    choose(app, "Members are", "0")
    assert value(app) == RIGHT
    assert "this was said, not guessed" in app.session_state["test source"].membership.words


def test_predictions_with_a_column_for_outsiders() -> None:
    rows = [f"{0.3 + 0.4 * (row % 7) / 7 + 0.1 * (row % 2):.4f},{row % 2},{int(row % 3 == 0)}" for row in range(90)]
    app = upload("\n".join(["p,y,holdout", *rows]).encode(), source="predictions")
    assert has_value(app)
    found = app.session_state["test source"]
    assert found.membership.member == "0"
    assert len(found.groups().train) == 60


def test_what_was_decided_is_in_the_report_and_in_the_json() -> None:
    app = upload(OUTSIDERS, source="one file")
    source, (audit,) = app.session_state["test source"], app.session_state["audit.audits"].values()
    assert SAID in html_file.page(report(source, audit, None))
    told = json.loads(json_file.text(report(source, audit, None)))["numbers"]["training_data"]
    assert told == {"column": "is_test", "member": "0", "why": "its name says who was not trained on"}
    assert captions(app)


def test_a_label_said_by_hand_reads_several_models() -> None:
    found = split(read_table(both(header="loss,split", labels=("0", "1")).encode()), "loss", "split", "0")
    assert np.array_equal(found.train, np.sort(TRAIN))
