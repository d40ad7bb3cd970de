"""The gallery of the papers: everything that they number is listed, and link and button of each give the same state."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from xml.etree import ElementTree

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from numerics.epsilon_star.mixtures import GoodnessOfFit
from pages.attackers.audit import presets
from pages.attackers.noise_for_eta import figure as noise_figure
from pages.audit.epsilon_star import simulations
from pages.frontier.trained import presets as trained_presets
from pages.papers.other_results import OTHERS
from pages.papers.papers import BY_ADDRESS, PAPERS, Paper, cited
from pages.reconstruct import presets as rebuilding
from pages.reconstruct.prior import KAPPA
from pages.ui import address, example_links, figure_presets
from pages.ui.catalog import ATTACKERS, AUDIT, MECHANISM, RECONSTRUCT, Page
from pages.ui.figure_controls import PRIOR
from plotting import theme
from plotting.bars import Bars, bars_figure
from plotting.fit import fit_figure
from plotting.lines import LineAxis
from plotting.small_picture import small_picture
from tests import ROOT
from tests.pages.driver import visit
from tests.pages.papers.drawings import drawn
from tests.pages.visit import script_of, visited

ENTRIES = [entry for paper in PAPERS for entry in paper.entries]
# What has a page, in the paper's numbering; the gallery names everything else and where it is.
FIGURES = {
    "000": "Def. 3|1a|1b|1c|1d|1e|1f|2a|2b|2c|3a|3b|3c|4a|4b|4c|5a|5b|6|7|7|7|Lemma 5|Sec. 7.3",
    "001": "1|2|3|4|5|6|Theorem 4",
    "002": "Alg. 1|Alg. 1|1|Prop. 6|Sec. 5|Theorem 4|Theorem 5|Theorem 8",
    "003": "1a|1b|1c|1d|1e|1f|2|2|2|2|3|3|4|4",
    "004": "1|2a|2b|2c|2c|3|4|4|4|4|4|4|4|4|5|5|5|6|Table 3|Table 5|Table 5|Table 5",
}
# Everything that the papers number: definitions, statements, algorithms, remarks, tables and figures.
NUMBERED = {
    "000": "Def. 1-3, Lemma 1-9, Theorem 1-3, Cor. 1, Fig. 1-7",
    "001": "Def. 1-2, Theorem 1-4, Fig. 1-6",
    "002": "Def. 1, Prop. 2, Theorem 3-5, Prop. 6, Theorem 7-9, Cor. 10, Prop. 11, Lemma 12-13, Cor. 14, Alg. 1, "
    "Table 1, Fig. 1",
    "003": "Theorem 1, Cor. 1-3, Remark 1-2, Fig. 1-4",
    "004": "Def. 3.1-3.4, Def. 4.1-4.3, Def. D.1, Theorem 4.1-4.2, Theorem 5.1, Theorem D.1-D.2, Cor. 5.1, Cor. F.1, "
    "Lemma 5.1, Lemma D.1, Remark 4.1, Remark 5.1-5.2, Remark E.1, Alg. 1-2, Table 1-5, Fig. 1-6",
}
EXPLORED = [*figure_presets.OF_PAPER_000, *figure_presets.OF_PAPER_004]
BUTTONS: dict[str, tuple[Callable[[], None], address.Query, Mapping[str, object]]] = {
    **{one.name: (partial(figure_presets.use, one), one.query, one.state) for one in EXPLORED},
    **{one.name: (partial(rebuilding.use, one), one.query, one.state) for one in rebuilding.FIGURES},
    **{one.name: (partial(presets.use, one), one.query, one.state) for one in presets.PRESETS},
    **{one.name: (partial(simulations.use, one), one.query, one.values) for one in simulations.PRESETS},
    **{one.name: (partial(trained_presets.use, one), one.query, one.state) for one in trained_presets.PRESETS},
    "002 Fig. 1": (
        partial(address.put_all, noise_figure.OF_PAPER, noise_figure.STARTS),
        noise_figure.QUERY,
        {"attackers.eta_data": "Proposition 11"},
    ),
}
OPENS_A_PART = {"attackers.part", "audit.about"}


def numbered(text: str) -> list[str]:
    """Names written out: "Def. 1-2, Def. D.1" is three of them."""
    names = []
    for part in text.split(", "):
        kind, _, ends = part.rpartition(" ")
        first, _, last = ends.partition("-")
        stem, dot, start = first.rpartition(".")
        numbers = range(int(start), int(last.rpartition(".")[2] or start) + 1) if last else [int(start)]
        names += [f"{kind} {stem}{dot}{number}" for number in numbers]
    return names


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.number)
def test_everything_that_a_paper_numbers_has_a_page_in_its_order_or_is_said_to_be_elsewhere(paper: Paper) -> None:
    assert [entry.name for entry in paper.entries] == [
        f"{paper.number} {f'Fig. {figure}' if figure[0].isdigit() else figure}"
        for figure in FIGURES[paper.number].split("|")
    ]
    pages = {re.sub(r"(Fig\. \d+)[a-f]$", r"\1", entry.name[4:]) for entry in paper.entries}
    elsewhere = [item for one in OTHERS[paper.number] for item in one.items]
    assert len(set(elsewhere)) == len(elsewhere)
    assert not pages & set(elsewhere)
    assert not set(numbered(NUMBERED[paper.number])) - pages - set(elsewhere)
    assert set(elsewhere) - set(numbered(NUMBERED[paper.number])) <= {"Fig. S1"}
    for one in OTHERS[paper.number]:
        assert one.words.endswith(".")
        assert one.markdown in paper.elsewhere


@pytest.mark.parametrize("name", BUTTONS)
def test_a_link_says_what_the_button_sets(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    use, query, state = BUTTONS[name]
    held: dict[str, object] = {}
    monkeypatch.setattr(st, "session_state", held)
    monkeypatch.setattr(st, "query_params", {})
    use()
    assert {key: held[key] for key in state} == dict(state)
    said = {key: text for key, text in query.items() if key not in OPENS_A_PART}
    assert said == {key: address.spelled(held[key]) for key in said}


# One figure a page; what a link leaves out is then where the widgets themselves start.
@pytest.mark.parametrize(
    ("page", "query", "state"),
    [
        (MECHANISM, EXPLORED[0].query, EXPLORED[0].state),
        (ATTACKERS, figure_presets.OF_PAPER_004[0].query, figure_presets.OF_PAPER_004[0].state),
        (RECONSTRUCT, rebuilding.FIGURES[2].query, rebuilding.FIGURES[2].state),
        (AUDIT, BY_ADDRESS["001-fig-6"].query, {"audit.about": "goodness of fit"}),
    ],
    ids=["mechanism", "attackers", "reconstruct", "audit"],
)
def test_a_link_opens_the_page_with_the_state_of_the_figure(
    page: Page, query: address.Query, state: Mapping[str, object]
) -> None:
    assert query in [entry.query for entry in ENTRIES if entry.page == page]
    app = visited(AppTest.from_string(script_of(page.script), default_timeout=60), example_links.named("it", query))
    held = app.session_state
    # A slider stands at the exact value, where there is one.
    drawn_at = {key: state.get(f"{key}_exact") or value for key, value in state.items() if key in held}
    assert len(drawn_at) >= min(len(state), 12)
    assert {key: held[key] for key in drawn_at} == drawn_at


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


@pytest.mark.parametrize(("before", "seen"), [(None, (1.0, None, None, 3)), ("one", (2.5, 0.3, 3, 3))])
def test_on_arrival_an_example_starts_everything_anew(before: str | None, seen: tuple[float | None, ...]) -> None:
    app = visited(AppTest.from_string(ARRIVAL.format(before=before)), {"example": "one"})
    assert app.session_state["seen"] == seen


def test_addresses_spell_values_as_labels_do_keep_every_digit_and_have_no_plus() -> None:
    """An address reads a plus as a space; a screen reader would spell marks of labels."""
    for scale in (KAPPA, PRIOR):
        assert [address.spelled(value) for value in scale.values] == [address.labelled(value) for value in scale.values]
        assert "*" not in scale.label
        assert scale.label.index("←") < scale.label.index(f" {scale.name} ") < scale.label.index("→")
    every = [value for entry in ENTRIES if entry.parameter for value in entry.parameter.values]
    for value in (*every, 1e6, 2.5e6, 1e9, 1.5e300):
        text = address.labelled(value)
        assert "+" not in text
        assert float(text) == value
    for value in (1 / 0.6, 16_384 / 1_281_167, 1e-12, 999.0, 1e9):
        assert float(str(address.spelled(value))) == value


def test_every_picture_differs_is_sound_and_is_described() -> None:
    again = "003-fig-2-imagenet-small-batch"  # the paper's own words: identical to Fig. 1e
    made = [entry.picture for entry in ENTRIES if entry.slug != again]
    assert len({picture.svg for picture in made}) == len(made)
    for picture in made:
        ElementTree.fromstring(picture.svg)
        assert not re.search("nan|inf", picture.svg)
        assert picture.alt.endswith(".")
        assert not set("[]()") & set(picture.alt)  # they would end the words of a picture in Markdown


def test_every_entry_has_a_page_a_name_of_its_own_and_one_sentence() -> None:
    assert len({entry.label for entry in ENTRIES}) == len(ENTRIES)
    for entry in ENTRIES:
        assert (ROOT / entry.page.script).is_file()
        assert entry.words.endswith(".")
        assert len(entry.words) < 130
        assert not re.search(r"[.] [A-Z]", entry.words), entry.words


def test_bars_and_cells_stay_in_their_picture() -> None:
    bars = bars_figure(
        ["one", "two"], [Bars("only", np.array([0.2, 1.0]), np.zeros(2), theme.OTHERS_UNKNOWN)], LineAxis("height")
    )
    cells = fit_figure(GoodnessOfFit((1, 2), (100, 200), np.array([[0.0, 1.0], [0.04, 0.06]])))
    for figure, count in ((bars, 2), (cells, 4)):
        picture = ElementTree.fromstring(small_picture(figure))
        boxes = [dict(node.attrib) for node in picture.iter() if node.tag.endswith("rect")]
        assert len(boxes) == count
        corners = np.array([[float(box[key]) for key in ("x", "y", "width", "height")] for box in boxes])
        assert np.all(corners >= 0.0)
        assert np.all(corners[:, :2] + corners[:, 2:] <= [float(picture.attrib[side]) for side in ("width", "height")])


@pytest.mark.parametrize("number", [paper.number for paper in PAPERS])
def test_the_first_figure_of_a_paper_is_shown_with_the_ways_on_and_what_moves(number: str) -> None:
    entry = next(one for one in ENTRIES if one.name.startswith(number))
    app = visit(f"papers?papers.figure={entry.slug}&papers.whole=1")
    assert app.title[0].value == cited(entry)
    assert entry.name[4:] in cited(entry)
    assert len(app.get("plotly_chart")) == 1
    assert [link.proto.label for link in app.get("page_link")] == ["Previous", "Next", "Leave"]
    assert len(app.select_slider) == (entry.parameter is not None)


@pytest.mark.parametrize("value", [0.1, 3.0])
def test_the_page_says_what_is_true_where_the_slider_stands(value: float) -> None:
    entry = BY_ADDRESS["000-fig-1c"]
    app = visit(f"papers?papers.figure={entry.slug}&papers.000_fig_1c={value:g}")
    assert f"## {entry.said(drawn(entry.slug, value))}" in [one.value for one in app.markdown]
