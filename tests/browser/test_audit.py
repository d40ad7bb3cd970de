"""The upload page in a real browser: good and bad files, page changes, names as text, narrow and dark."""

import gzip
import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.uploads import change, upload
from tests.browser.visit import Visit

Open = Callable[..., Visit]
AUDIT = "Audit"
RNG = np.random.default_rng(1)
LOSSES = RNG.normal(size=2000)


def table(names: str = "loss,member") -> bytes:
    """Losses of 1,000 members and 1,000 outsiders; the first column again for every further name."""
    copies = names.count(",")
    losses = (f"{loss + (row % 2 == 0):.6f}" for row, loss in enumerate(LOSSES))
    rows = (",".join([loss] * copies + [str(row % 2)]) for row, loss in enumerate(losses))
    return "\n".join([names, *rows, ""]).encode()


def epsilon(visit: Visit) -> str:
    found = re.search(r"ε\* is at least ([\d.]+\d)", visit.page.locator("h2").first.inner_text())
    assert found is not None
    return found[1]


def query(visit: Visit) -> dict[str, str]:
    return {name: values[-1] for name, values in parse_qs(urlsplit(visit.page.url).query).items()}


def test_a_sample_is_measured_on_a_deep_link_and_nothing_is_cut_off(open_page: Open) -> None:
    visit = open_page("audit")
    expect(visit.page.locator("h2").first).to_contain_text("with 95 % confidence ε* is at least 2.68")
    expect(visit.page.get_by_text("Samples of these sizes can show at most 4.96").first).to_be_visible()
    expect(visit.page.locator(".js-plotly-plot")).to_have_count(3)  # the strip of estimates, densities, errors
    for width, dark in ((1440, True), (390, False)):
        visit.look(width, 900, dark)
        assert visit.cut_off() == []
    visit.look(1440, 900)
    visit.click(visit.page.get_by_text("What these numbers are worth"), visit.page.get_by_text("no lower bound"))
    expect(visit.page.get_by_text("not shown as a number").or_(visit.page.locator("del, s")).first).to_be_visible()


# Of all that can be wrong with a file, test_files and test_unpacking: one before it is unpacked, and one while it is.
EXCEL = b"PK\x03\x04" + bytes(200)
BAD = {"Excel workbook": EXCEL, "gzip": gzip.compress(table())[:-400]}


def test_bad_files_say_what_is_wrong_and_leave_the_answer_of_a_good_one(open_page: Open) -> None:
    visit = open_page("audit?audit.source=one+file&audit.method=empirical")
    alert = visit.page.get_by_test_id("stAlert")
    for words, data in BAD.items():
        upload(visit, data, "bad.csv")
        expect(alert.filter(has_text=words)).to_have_count(1)
        said = {key: value for key, value in query(visit).items() if key != "uploaded"}
        assert said == {"audit.source": "one file", "audit.method": "empirical"}
    upload(visit, table(), "good.csv")
    expect(alert).to_have_count(0)
    answer = epsilon(visit)
    assert float(answer) > 1.0
    upload(visit, EXCEL, "bad.csv")
    expect(alert).to_contain_text("Excel workbook")
    assert epsilon(visit) == answer


def test_result_and_choices_stay_while_the_visitor_is_on_another_page(open_page: Open) -> None:
    """An upload brings more controls above them; the browser forgets the address of controls that move."""
    visit = open_page("audit?audit.source=one+file")
    upload(visit, table())
    expect(visit.page.get_by_text("losses.csv · 1,000 training data, 1,000 fresh data")).to_be_visible()
    expect(visit.page.get_by_test_id("stFileUploaderFile")).to_have_count(0)
    assert float(epsilon(visit)) > 1.0
    visit.click(
        visit.page.get_by_text("How estimates are made", exact=True), visit.page.get_by_text("empirical", exact=True)
    )
    for choice, wanted in (("empirical", "method=empirical"), ("exact", "clip_empirical=exact")):
        visit.click(visit.page.get_by_text(choice, exact=True), wanted)
    answer, asked = epsilon(visit), query(visit)
    for title in ("Home", AUDIT):
        visit.go_to(title)
    expect(visit.page.get_by_text("losses.csv · 1,000 training data")).to_be_visible()
    assert epsilon(visit) == answer
    assert query(visit) == asked


def test_names_are_shown_as_text(open_page: Open) -> None:
    name = "<img src=x onerror=alert(1)> *x* :smile: :red[y] $z$ [a](http://other.example).csv"
    column = "loss <b>b</b> :smile: **l** www.other.example"
    visit = open_page("audit?audit.source=one+file")
    upload(visit, table(f"{column},another,member"), name)
    main = visit.page.get_by_test_id("stMain")
    losses = main.get_by_role("combobox", name="Losses")
    visit.click(change(visit), losses)
    expect(losses).to_have_value(column)
    shown = main.inner_text().replace("\u2060", "")
    assert name[:30] in shown
    for tag in ("a[href*=other]", "img[src=x]", "em:text-is('x')", "strong:text-is('l')", ".katex:text-is('z')"):
        expect(main.locator(tag)).to_have_count(0)


@pytest.mark.parametrize("evidence", ["attack scores", "one run with canaries", "many runs"])
def test_verdict_and_figure_are_on_the_first_screen(open_page: Open, evidence: str) -> None:
    visit = open_page(f"audit?audit.evidence={evidence.replace(' ', '+')}")
    chart = visit.page.locator(".js-plotly-plot").first
    expect(chart).to_be_visible()
    for width, height in ((1280, 720), (390, 844)):
        visit.look(width, height)
        for part in (visit.answer, chart):
            box = part.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= height
