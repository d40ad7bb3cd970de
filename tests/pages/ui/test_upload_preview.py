"""An upload is looked at before anything follows from it: first rows, roles with reasons, counts; then it folds."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.upload_look import look_at
from plotting import group_histograms, theme
from tests.pages.audit.epsilon_star.sources import box, captions, has_value, losses, page, value
from tests.pages.uploading import change, choose, confirm, give, leave_out, offer
from tests.pages.visit import checked, errors

CLEAR = ("losses.csv", losses(1))
FLAGGED = ("flagged.csv", losses(2, header="loss,flag"))


def button(app: AppTest) -> bool:
    """Whether the preview can be accepted; it must be open."""
    (found,) = (one for one in app.button if one.label == "Measure")
    return not found.disabled


def bold(app: AppTest) -> str:
    return " ".join(str(block.value) for block in app.markdown)


def test_nothing_follows_from_a_file_until_it_is_confirmed() -> None:
    app = offer(page(source="one file"), CLEAR)
    assert not app.checkbox  # nothing is to be left out
    assert not has_value(app)
    assert button(app)
    assert "30 training data, 30 fresh data; no row left out" in bold(app)
    assert [box(app, label).value for label in ("Losses", "Membership", "Members are")] == ["loss", "member", "1"]
    assert "its name says who was trained on" in captions(app)
    confirm(app)
    assert has_value(app)
    assert "losses.csv · 30 training data, 30 fresh data" in captions(app).replace("*", "")
    assert not app.file_uploader
    assert not [found for found in app.selectbox if found.label == "Losses"]


def test_the_first_rows_say_what_each_column_was_taken_for() -> None:
    rows = losses(1).split(b"\n", 1)[1].replace(b",", b",=x,")
    app = offer(page(source="one file"), ("a.csv", b"loss,note,member\n=1+1,n,1\n" + rows))
    (table,) = (found.value for found in app.dataframe)
    assert list(table) == ["loss (Losses)", "member (Membership)", "note"]
    assert len(table) == 5
    assert table["loss (Losses)"][0] == "not usable"
    assert table["note"][1] == "'=x"  # a formula is none where the cells are saved


def test_names_of_persons_are_not_shown_but_numbered() -> None:
    lines = losses(1).decode().splitlines()[1:]
    rows = "\n".join(f"{line},Anna{row // 2}" for row, line in enumerate(lines))
    app = offer(page(source="one file"), ("a.csv", f"loss,member,patient_id\n{rows}".encode()))
    (table,) = (found.value for found in app.dataframe)
    assert list(table["patient_id"]) == ["no. 1", "no. 1", "no. 2", "no. 2", "no. 3"]
    assert "Anna" not in str(table)


def test_what_is_only_looked_at_again_stays_in_force() -> None:
    app = give(page(source="one file"), CLEAR)
    before = value(app)
    change(app)
    assert app.file_uploader
    assert value(app) == before
    checked(box(app, "Members are").select("0").run())
    assert not has_value(app)
    confirm(app)
    assert app.session_state["test source"].membership.member == "0"
    assert not has_value(offer(app, ("next.csv", losses(5))))
    assert button(app)


def test_an_open_question_closes_the_way() -> None:
    app = offer(page(source="one file"), FLAGGED)
    assert not button(app)
    assert "Say which column and which label mark the members" in app.info[0].value
    assert "please say it" in captions(app)
    checked(box(app, "Membership").select("flag").run())
    assert not button(app)
    choose(app, "Members are", "1")
    assert has_value(app)
    assert "as you said" in captions(change(app))


def test_unusable_rows_close_the_way_until_they_are_left_out() -> None:
    app = offer(page(source="one file"), ("a.csv", losses(1) + b"\nx,1\n,0"))
    assert "2 cells without a finite number" in errors(app)
    assert not button(app)
    assert app.checkbox[0].label == "Leave out 2 unusable rows"
    leave_out(app)
    assert has_value(app)
    assert "2 rows left out" in captions(app)


def test_two_files_fold_together() -> None:
    app = page(source="two files")
    rows = [line.split(b",")[0] for line in losses(1).splitlines()]
    offer(app, ("train.csv", b"\n".join(rows)))
    assert not [found for found in app.button if found.label == "Measure"]
    offer(app, ("fresh.csv", b"\n".join([*rows[:1], *(row + b"1" for row in rows[1:])])), place=1)
    assert button(app)
    confirm(app)
    assert not app.file_uploader
    assert "train.csv and fresh.csv · 60 training data, 60 fresh data" in captions(app).replace("*", "")


def test_a_glance_counts_each_group_and_what_lies_outside() -> None:
    many = np.append(np.random.default_rng(0).normal(size=1000), [1e300, -np.finfo(float).max])
    found = look_at({"in": many, "out": many[:500]}, 1, "Score")
    assert found.words == "1,002 in, 500 out; 1 row left out"
    histogram = found.histogram
    assert histogram is not None
    inside = [float(shares.sum() * size) for shares, size in zip(histogram.shares.values(), (1002, 500), strict=True)]
    assert round(sum(inside)) + histogram.beyond == 1502
    assert histogram.beyond >= 2
    assert "numbers lie outside" in group_histograms.described(histogram)
    drawn = group_histograms.figure(histogram).to_plotly_json()["data"]
    assert {trace["name"]: trace["line"]["color"] for trace in drawn} == {"in": theme.MEMBER, "out": theme.OUTSIDER}
    assert np.isfinite(histogram.edges.astype(np.float32)).all()  # as they are sent to the browser


@pytest.mark.parametrize("values", [np.zeros(5), np.full(5, 1e300), np.array([5e-324, 1e-323]), np.empty(0)])
def test_a_glance_at_odd_numbers(values: np.ndarray) -> None:
    found = look_at({"all": values}, 0, "x").histogram
    assert (found is None) == (len(values) == 0)
    if found is not None:
        assert (np.diff(found.edges) > 0).all()
        group_histograms.figure(found)
