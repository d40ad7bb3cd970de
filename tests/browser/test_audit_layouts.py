"""Every layout of an uploaded table, in one visit: recognised with its reason, measured with one click, corrected."""

import re
from collections.abc import Callable, Iterable

import numpy as np
from playwright.sync_api import expect

from tests.browser.uploads import accept, change, measure, offer, payload
from tests.browser.visit import Visit

Open = Callable[..., Visit]
RNG = np.random.default_rng(2)
ROWS = 600


def table(header: str, rows: Iterable[str]) -> bytes:
    return "\n".join([header, *rows, ""]).encode()


def loss(is_in: object = False, by: float = 1.5) -> str:
    return f"{RNG.gamma(2.0) + by * (not is_in):.6f}"


# By its name: the file, what is said of its layout, and what the answer is about.
LOSSES: dict[str, tuple[bytes, tuple[str, ...], str]] = {
    "long": (
        table("loss,member,class", (f"{loss(row % 2)},{row % 2},{'ab'[row // 2 % 2]}" for row in range(ROWS))),
        ("its name says who was trained on",),
        r"ε\* is at least",
    ),
    "groups": (
        table("train_loss,test_loss", (f"{loss(True)},{loss()}" for _ in range(ROWS))),
        ("columns are named so, and none tells groups", "Columns of training data"),
        r"ε\* is at least",
    ),
    "models": (
        table("loss_1,loss_2,member", (f"{loss(row % 2)},{loss(row % 2)},{row % 2}" for row in range(ROWS))),
        ("2 columns are named alike", "Columns of models"),
        "^2 models: with 95 %",
    ),
    "pairs": (
        table(
            "train_loss_5,test_loss_5,train_loss_9,test_loss_9",
            (",".join([loss(True), loss()] * 2) for _ in range(ROWS)),
        ),
        ("columns are named so, and none tells groups", "Columns of fresh data"),
        "^2 models: with 95 %",
    ),
    "epochs": (
        table("loss,member,epoch", (f"{loss(row % 2)},{row % 2},{row // 300}" for row in range(ROWS))),
        ("Rows of one model share", "named so"),
        "^2 epochs: with 95 %",
    ),
    "folds of persons": (
        table(
            "loss,split,fold,user",
            (
                f"{loss(row % 2)},{('test', 'train')[row % 2]},{row // 300},u{row // 4 * 2 + row % 2}"
                for row in range(ROWS)
            ),
        ),
        ("its labels say so", "Rows of one person share"),
        "^2 folds: with 95 %",
    ),
}


def score(is_in: object = True) -> str:
    return f"{RNG.normal(1.5 * bool(is_in)):.6f}"


SCORES: dict[str, tuple[bytes, tuple[str, ...], str]] = {
    "long": (
        table("lira_score,member", (f"{score(row % 2)},{row % 2}" for row in range(ROWS))),
        ("as of scores",),
        "While falsely accusing",
    ),
    "groups": (
        table("score_members,score_outsiders", (f"{score()},{score(False)}" for _ in range(ROWS))),
        ("columns are named so, and none tells groups",),
        "While falsely accusing",
    ),
    "models with members of their own": (
        table(
            "score_1,score_2,member_1,member_2",
            (f"{score(row % 2)},{score(row // 2 % 2)},{row % 2},{row // 2 % 2}" for row in range(ROWS)),
        ),
        ("2 columns are named alike", "Rows of one record share"),
        "^All 2 models surely give members away",
    ),
    "models and epochs": (
        table(
            "score,member,model,epoch",
            (f"{score(row % 2)},{row % 2},{row // 300},{row // 150 % 2}" for row in range(ROWS)),
        ),
        ("Rows of one model share", "named so"),
        "^All 4 models surely give members away",
    ),
    "persons": (
        table("score,member,user", (f"{score(row % 2)},{row % 2},u{row // 4 * 2 + row % 2}" for row in range(ROWS))),
        ("Rows of one person share", "names 300 persons in 600 rows"),
        "While falsely accusing",
    ),
}


def choose(visit: Visit, label: str, option: str) -> None:
    box = visit.page.get_by_test_id("stSelectbox").filter(has_text=label)
    visit.choose(box.get_by_role("combobox"), option)


def read_all(visit: Visit, files: dict[str, tuple[bytes, tuple[str, ...], str]]) -> None:
    main = visit.page.get_by_test_id("stMain")
    for name, (data, said, answer) in files.items():
        offer(visit, payload(f"{name}.csv", data))
        for words in said:
            expect(main.get_by_text(words).first).to_be_visible()
        accept(visit)
        headings = visit.page.locator("h2, h3").filter(has_text=re.compile(answer))
        expect(headings.first).to_be_visible()
        expect(main.get_by_text(f"{name}.csv").first).to_be_visible()
        assert visit.cut_off() == []


def test_every_layout_of_losses(open_page: Open) -> None:
    visit = open_page("audit?source=one+file", width=1280, height=720)
    read_all(visit, LOSSES)
    visit.click(change(visit), measure(visit))
    choose(visit, "Rows of one person share", "no column: each row is another person")
    accept(visit)
    expect(visit.page.get_by_text("300 training data, 300 fresh data")).to_be_visible()
    offer(visit, payload("bad.csv", b"loss\n" + b"1.5\n" * 30))
    expect(visit.page.get_by_test_id("stAlert").first).to_contain_text("no column that tells members from outsiders")
    expect(visit.page.get_by_text("Results are of a file read before")).to_be_visible()
    expect(visit.page.locator("h2, h3").filter(has_text="2 folds: with 95 %")).to_be_visible()


def test_every_layout_of_scores(open_page: Open) -> None:
    visit = open_page("audit?evidence=attack+scores&scores_from=a+file", width=1280, height=720)
    read_all(visit, SCORES)


def test_slices_stand_side_by_side(open_page: Open) -> None:
    """The slice's column is chosen before the answer; verdict and figure of models are seen without scrolling."""
    visit = open_page("audit?source=one+file", width=1280, height=720)
    offer(visit, payload("long.csv", LOSSES["long"][0]))
    choose(visit, "Slices", "class")
    accept(visit)
    expect(visit.page.get_by_text("2 slices").first).to_be_visible()
    offer(visit, payload("models.csv", LOSSES["models"][0]))
    accept(visit)
    for width, height in ((1280, 720), (1440, 900)):
        visit.look(width, height)
        box = visit.page.locator(".js-plotly-plot").first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= height
