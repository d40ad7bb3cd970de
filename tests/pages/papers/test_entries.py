"""The gallery of the papers: everything that they number is listed, and link and button of each give the same state."""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.papers.other_results import OTHERS
from pages.papers.papers import PAPERS, cited
from pages.ui import address, example_links, figure_presets
from tests import ROOT
from tests.pages.driver import visit
from tests.pages.visit import visited

TABLE = tomllib.loads(Path(__file__).with_name("entries.toml").read_text())
ENTRIES = [entry for paper in PAPERS for entry in paper.entries]
EXAMPLES: list[tuple[Callable[[Any], None], Any]] = [
    *((figure_presets.use, one) for one in (*figure_presets.OF_PAPER_000, *figure_presets.OF_PAPER_004)),
]


@pytest.mark.parametrize("row", TABLE["paper"], ids=lambda row: row["number"])
def test_everything_that_a_paper_numbers_has_a_page_in_its_order_or_is_said_to_be_elsewhere(row: Any) -> None:
    (paper,) = (one for one in PAPERS if one.number == row["number"])
    named = [f"{paper.number} {f'Fig. {one}' if one[0].isdigit() else one}" for one in row["pages"]]
    assert [entry.name for entry in paper.entries] == named
    pages = {re.sub(r"(Fig\. \d+)[a-f]$", r"\1", name[4:]) for name in named}
    elsewhere = [item for one in OTHERS[paper.number] for item in one.items]
    assert len({*elsewhere} - pages) == len(elsewhere)
    assert {*row["numbered"]} <= pages | {*elsewhere} <= pages | {*row["numbered"], "Fig. S1"}
    assert all(one.markdown in paper.elsewhere for one in OTHERS[paper.number])
    entry = paper.entries[len(paper.entries) // 2]
    app = visit(f"papers?papers.figure={entry.slug}&papers.whole=1")
    assert app.title[0].value == cited(entry)
    assert len(app.get("plotly_chart")) == 1
    assert [link.proto.label for link in app.get("page_link")] == ["Previous", "Next", "Leave"]
    assert len(app.select_slider) == (entry.parameter is not None)


@pytest.mark.parametrize(("use", "example"), EXAMPLES, ids=[one.name for _, one in EXAMPLES])
def test_a_link_says_what_the_button_sets(
    use: Callable[[Any], None], example: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: dict[str, object] = {}
    monkeypatch.setattr(st, "session_state", held)
    monkeypatch.setattr(st, "query_params", {})
    use(example)
    state = example.state
    assert {key: held[key] for key in state} == dict(state)
    said = {key: text for key, text in example.query.items() if key not in ("attackers.part", "audit.about")}
    assert said == {key: address.spelled(held[key]) for key in said}


# A session that has 2.5, 0.3 and seeds follows a link to an example that says nothing of them.
ARRIVAL = """
import streamlit as st
from pages.ui import example_links, rail
st.session_state["example_links.last"] = {before!r}
st.session_state["mechanism.prior"] = 0.3
st.session_state["frontier.train_seeds"] = st.session_state["training"] = 3
st.session_state["noise"] = 2.5
rail.draw()
example_links.start_anew(["mechanism.prior", "frontier.train_"])
keys = "noise", "mechanism.prior", "frontier.train_seeds", "training"
st.session_state["seen"] = tuple(map(st.session_state.get, keys))
"""


def test_a_link_opens_the_page_with_the_state_of_the_figure_and_starts_everything_else_anew() -> None:
    figure = figure_presets.OF_PAPER_000[0]
    (page,) = {entry.page for entry in ENTRIES if entry.query == figure.query}
    app = visit(
        f"{page.folder}?" + "&".join(f"{key}={text}" for key, text in example_links.named("it", figure.query).items())
    )
    # A slider stands at the exact value, where there is one.
    state = {key: figure.state.get(f"{key}_exact") or value for key, value in figure.state.items()}
    there = {key: app.session_state[key] for key in state if key in app.session_state}
    assert len(there) >= min(len(state), 12)
    assert there == {key: state[key] for key in there}
    for before, seen in ((None, (1.0, None, None, 3)), ("one", (2.5, 0.3, 3, 3))):
        app = visited(AppTest.from_string(ARRIVAL.format(before=before)), {"example": "one"})
        assert app.session_state["seen"] == seen


def test_addresses_keep_every_digit_and_have_no_plus() -> None:
    """An address reads a plus as a space."""
    every = [value for entry in ENTRIES if entry.parameter for value in entry.parameter.values]
    for value in (*every, 1e6, 2.5e6, 1e9, 1.5e300):
        assert "+" not in address.labelled(value)
        assert float(address.labelled(value)) == value
    for value in (1 / 0.6, 16_384 / 1_281_167, 1e-12, 999.0, 1e9):
        assert float(str(address.spelled(value))) == value


def test_every_entry_has_a_picture_and_a_name_of_its_own_and_says_which_number_is_compared() -> None:
    again = "003-fig-2-imagenet-small-batch"  # the paper's own words: identical to Fig. 1e
    assert len({entry.picture.svg for entry in ENTRIES if entry.slug != again}) == len(ENTRIES) - 1
    assert len({entry.label for entry in ENTRIES}) == len(ENTRIES)
    for entry in ENTRIES:
        ElementTree.fromstring(entry.picture.svg)
        assert not re.search("nan|inf", entry.picture.svg)
        assert entry.picture.alt.endswith(".")
        assert not set("[]()") & set(entry.picture.alt)  # they would end the words of a picture in Markdown
        assert (ROOT / entry.page.script).is_file()
    without = {slug for group in TABLE["unprinted"] for slug in group["figures"]}
    assert {entry.slug for entry in ENTRIES if not entry.printed} == without
