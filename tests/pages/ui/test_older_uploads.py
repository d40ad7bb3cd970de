"""A bad file leaves what was there, marked as older; what was said about a file holds for that file alone."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.loss_files import both, one
from tests.pages.audit.epsilon_star.sources import EXCEL, box, captions, has_value, losses, page, value
from tests.pages.uploading import change, choose, give, leave_out
from tests.pages.visit import checked, errors

GOOD = ("good.csv", losses(1))
ONE_GROUP = losses(2).replace(b",0\n", b",1\n").replace(b",0", b",1")


def source_name(app: AppTest) -> str:
    return str(app.session_state["test source"].name)


def ticked(app: AppTest) -> bool:
    return bool((app if app.checkbox else change(app)).checkbox[0].value)


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (EXCEL, "Excel"),
        (one().encode(), "has no column that tells members from outsiders"),
        (ONE_GROUP, "One group is missing"),
        (b"\n".join(losses(1).splitlines()[:12]), "One group has 5 rows; at least 10 are needed"),
        (both().replace(",1\n", ",c\n", 1).encode(), "3 different labels"),
    ],
    ids=["no table", "no membership", "one group", "too small", "three labels"],
)
def test_a_bad_file_leaves_the_answer_marked_as_older(bad: bytes, words: str) -> None:
    app = give(page(source="one file"), GOOD)
    before = value(app)
    assert source_name(app) == "good.csv"
    give(app, ("bad.csv", bad))
    assert words in errors(app).replace("*", "")
    assert value(app) == before
    assert source_name(app) == "good.csv (read before)"
    assert "Results are of a file read before, **good.csv**: 60 rows" in captions(app)
    give(app, ("next.csv", losses(3)))
    assert not app.error
    assert source_name(app) == "next.csv"
    assert "read before" not in captions(app)


def test_either_of_two_files_is_marked() -> None:
    app = page(source="two files")
    give(app, ("train.csv", one().encode()), place=0)
    give(app, ("fresh.csv", one().encode()), place=1)
    give(app, ("bad.csv", EXCEL), place=1)
    assert source_name(app) == "train.csv and fresh.csv (read before)"


@pytest.mark.parametrize("source", ["one file", "several models"])
def test_rows_are_left_out_of_the_file_it_was_said_of(source: str) -> None:
    app = give(page(source=source), ("a.csv", losses(1) + b"\nx,1"))
    leave_out(app)
    assert has_value(app)
    give(app, ("b.csv", losses(2) + b"\nx,1"))
    assert not ticked(app)
    assert not has_value(app)
    give(app, ("a.csv", losses(1) + b"\nx,1"))
    assert source == "several models" or (ticked(app) and has_value(app))


def test_a_label_said_for_some_models_is_asked_for_others() -> None:
    flagged = losses(1, header="loss,flag")
    app = give(page(source="several models"), ("a.csv", flagged))
    if box(app, "Membership").value != "flag":
        choose(app, "Membership", "flag")
    choose(app, "Members are", "0")
    assert has_value(app)
    give(app, ("b.csv", losses(2, header="loss,flag")))
    assert not has_value(app)


def test_a_correction_holds_for_its_own_file() -> None:
    without_names = b"\n".join(losses(1).splitlines()[1:])
    app = give(page(source="one file"), ("a.csv", without_names))
    checked(box(app, "Names in the first row").select("yes").run())
    give(app, ("b.csv", b"\n".join(losses(2).splitlines()[1:])))
    assert "60 rows" in captions(app)
    assert box(app, "Names in the first row").value == "as found"
    give(app, ("a.csv", without_names))
    assert "59 rows" in captions(app)
    assert box(app, "Names in the first row").value == "yes"


def test_a_correction_of_a_refused_file_holds_for_it() -> None:
    text = losses(1).decode().replace("loss,", "loss;").replace("\n", ";x\n").encode()
    app = give(page(source="one file"), GOOD)
    give(app, ("bad.csv", text.replace(b",", b"|,|")))
    assert errors(app)
    checked(box(app, "Encoding").select("latin-1").run())
    change(give(app, ("good.csv", GOOD[1])))
    assert box(app, "Encoding").value == "as found"
    assert "Latin-1" not in captions(app)
