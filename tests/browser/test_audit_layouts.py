"""Layouts of an uploaded table in a browser: measured with one click, corrected. All of them: tests/pages/audit."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.uploads import accept, change, measure, offer, payload
from tests.browser.visit import Visit
from tests.pages.audit.layouts import LOSSES, SCORES

Open = Callable[..., Visit]


def choose(visit: Visit, label: str, option: str) -> None:
    box = visit.page.get_by_test_id("stSelectbox").filter(has_text=label)
    visit.choose(box.get_by_role("combobox"), option)


def measured(visit: Visit, name: str, file: tuple[bytes, tuple[str, ...], str]) -> None:
    main = visit.page.get_by_test_id("stMain")
    data, said, answer = file
    offer(visit, payload(f"{name}.csv", data))
    for words in said:
        expect(main.get_by_text(words).first).to_be_visible()
    accept(visit)
    headings = visit.page.locator("h2, h3").filter(has_text=re.compile(answer))
    expect(headings.first).to_be_visible()
    expect(main.get_by_text(f"{name}.csv").first).to_be_visible()
    assert visit.cut_off() == []


def test_losses_of_folds_and_persons(open_page: Open) -> None:
    visit = open_page("audit?audit.source=one+file", width=1280, height=720)
    measured(visit, "folds", LOSSES["folds of persons"])
    visit.click(change(visit), measure(visit))
    choose(visit, "Rows of one person share", "no column: each row is another person")
    accept(visit)
    expect(visit.page.get_by_text("300 training data, 300 fresh data")).to_be_visible()
    offer(visit, payload("bad.csv", b"loss\n" + b"1.5\n" * 30))
    expect(visit.page.get_by_test_id("stAlert").first).to_contain_text("no column that tells members from outsiders")
    expect(visit.page.get_by_text("Results are of a file read before")).to_be_visible()
    expect(visit.page.locator("h2, h3").filter(has_text="2 folds: with 95 %")).to_be_visible()


def test_scores_of_models_with_members_of_their_own(open_page: Open) -> None:
    visit = open_page("audit?audit.evidence=attack+scores&audit.scores_from=a+file", width=1280, height=720)
    measured(visit, "models", SCORES["models with members of their own"])


def test_slices_stand_side_by_side(open_page: Open) -> None:
    """The slice's column is chosen before the answer; verdict and figure of models are seen without scrolling."""
    visit = open_page("audit?audit.source=one+file", width=1280, height=720)
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
