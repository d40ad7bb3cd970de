"""Files of losses on the page that measures a trained model: how they are read, refused, kept, and shown as text."""

import re
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from losses import read_table, split
from numerics.epsilon_star import LossScale, Method, estimate
from pages.audit.epsilon_star import audits, figures
from pages.ui.numbers_in_words import rounded_down
from pages.ui.plain_text import literal
from tests.pages import uploading
from tests.pages.audit.epsilon_star.visit import checked, headline, page
from tests.pages.visit import errors

RNG = np.random.default_rng(1)
ROWS = [*((loss, "train") for loss in RNG.gamma(2, 1, 60)), *((loss, "test") for loss in RNG.gamma(3, 1, 50))]


def table(header: str = "loss,split", delimiter: str = ",") -> bytes:
    lines = [header, *(f"{loss:.6f},{label}" for loss, label in ROWS)]
    return "\n".join(lines).replace(",", delimiter).encode()


def give(app: AppTest, data: bytes, name: str = "losses.csv", place: int = 0) -> AppTest:
    """Upload a file to the page's ``place``-th uploader."""
    return checked(uploading.give(app, (name, data), place=place))


def choice(app: AppTest, label: str) -> object:
    (found,) = (box for box in app.selectbox if box.label == label)
    return found


def test_one_file() -> None:
    app = give(page(source="one file"), table())
    groups = split(read_table(table()), "loss", "split", "train")
    assert f"at least **{rounded_down(estimate(groups.train, groups.population).value)}**" in headline(app)
    assert "of 50 outsiders" in headline(app)
    assert "of 60 members" in headline(app)


def test_what_the_losses_are_is_asked_and_until_then_no_fit_is_shown() -> None:
    app = give(page(source="one file"), table())
    (line,) = (block.value for block in app.markdown if "Estimate (parametric)" in block.value)
    assert "not shown as a number" in line
    app = checked(choice(app, "The losses are").select("cross-entropy, nats").run())  # type: ignore[attr-defined]
    groups = split(read_table(table()), "loss", "split", "train")
    fit = estimate(groups.train, groups.population, method=Method.PARAMETRIC, scale=LossScale.NATS)
    (line,) = (block.value for block in app.markdown if "Estimate (parametric)" in block.value)
    assert f"{fit.value:.4g}" in line
    assert "The losses are" not in [box.label for box in page().selectbox]  # the samples' are known


def test_two_files() -> None:
    app = page(source="two files")
    train, fresh = ([f"{loss:.6f}" for loss, label in ROWS if label == group] for group in ("train", "test"))
    app = give(app, "\n".join(["loss", *train]).encode())
    assert not headline(app)
    app = give(app, "\n".join(["loss", *fresh]).encode(), place=1)
    assert headline(app) == headline(give(page(source="one file"), table()))


def test_columns_are_corrected_by_hand() -> None:
    rows = [f"{loss:.5f},{2 * loss + (label == 'test'):.5f},{label}" for loss, label in ROWS]
    app = give(page(source="one file"), "\n".join(["loss,other,split", *rows]).encode())
    first = headline(app)
    other = headline(uploading.choose(app, "Losses", "other"))
    assert other != first
    assert headline(uploading.choose(app, "Losses", "loss")) == first


def test_a_membership_that_is_not_clear_is_asked_for() -> None:
    app = give(page(source="one file"), table("loss,label"))
    assert not headline(app)
    assert "which column and which label mark the members" in app.info[0].value
    assert headline(uploading.choose(app, "Membership", "label"))


def test_label_of_members_is_asked_for_where_words_do_not_tell() -> None:
    app = give(page(source="one file"), table().replace(b"train", b"a").replace(b"test", b"b"))
    assert not headline(app)
    assert headline(uploading.choose(app, "Members are", "a")) == headline(give(page(source="one file"), table()))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "The file is empty. Choose a file with a row for every record."),
        (b"loss,split\n", "The file has a header and no rows below it."),
        (b"PK\x03\x04 not a table", "an Excel workbook"),
        (b"loss\n" + b"0.5\n1.5\n" * 20, "The file has no column that tells members from outsiders."),
        (table().replace(b"test", b"train"), "One group is missing"),
        (table() + b"\nx,train", "Row 111: “x”. Mend them, or leave out the rows that cannot be used."),
        (b"loss,split\n" + b"0.5,train\n0.5,test\n" * 20, "No answer: losses must differ, but all of them are 0.5."),
    ],
)
def test_bad_files_say_what_is_wrong_and_what_to_do(data: bytes, message: str) -> None:
    app = give(page(source="one file"), data)
    assert message in errors(app).replace("*", "")
    assert not headline(app)


def test_unusable_rows_are_left_out_on_request() -> None:
    app = give(page(source="one file"), table() + b"\nx,train")
    uploading.leave_out(app)
    assert headline(app) == headline(give(page(source="one file"), table()))
    assert any("1 row that cannot be used was left out" in caption.value for caption in app.caption)


def test_results_are_kept_by_file_and_options() -> None:
    app = give(page(source="one file"), table())
    kept = app.session_state["audit.audits"]
    at_once = list(kept.values())
    assert len(at_once) == 3  # every estimate
    app.run()
    assert list(app.session_state["audit.audits"].values()) == at_once
    app.segmented_control(key="audit.method").set_value("empirical").run()
    app.segmented_control(key="audit.method").set_value("parametric").run()
    assert list(app.session_state["audit.audits"].values()) == at_once
    assert {source[0] for source, *_ in kept} == {"one"}


def test_every_page_without_its_files_says_what_it_needs() -> None:
    for source in ("one file", "two files"):
        app = page(source=source)
        assert any("Upload the model's losses" in block.value for block in app.markdown)


HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "**bold** _it_ `code`",
    ":red[x] :smile: :material/home:",
    "$x^2$",
    "[a](b)",
    "a\u202eb",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_strangers_text_stays_text(text: str) -> None:
    shown = literal(text)
    assert "\u202e" not in shown
    assert not re.search(r"(?<!\\)[*_`<>$\[\]]", shown)
    assert not re.search(r":(?!\u2060)", shown)
    assert re.sub(r"\\(.)|\u2060", r"\1", shown) == text.replace("\u202e", "")


def test_hostile_names_of_files_and_columns_are_shown_as_text() -> None:
    app = give(page(source="one file"), table("loss <b>,**split**"), name="<script>$x$.csv")
    assert headline(app)
    captions = " ".join(caption.value for caption in app.caption)
    assert "\\<script\\>\\$x\\$\\.csv" in captions


def test_uploads_of_the_page_never_meet_a_shared_cache() -> None:
    for module in (audits, figures):
        assert "lru_cache" not in Path(str(module.__file__)).read_text()


def test_the_answer_says_which_rows_were_taken_for_training_data() -> None:
    data = table("loss,is_test").replace(b",train", b",0").replace(b",test", b",1")
    app = give(page(source="one file"), data)
    assert headline(app) == headline(give(page(source="one file"), table()))
    said = literal("“0” in column “is_test” means training data: its name says who was not trained on.")
    assert said in [caption.value for caption in app.caption]
