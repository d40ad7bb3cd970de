"""Pages of the papers' figures: each draws, says what to notice, and agrees with what the paper prints."""

import re
from collections.abc import Iterator
from functools import cache
from math import isfinite

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from data.make_thumbnails import made
from pages.about.corrections_data import BY_NUMBER
from pages.papers.figure import PICTURES, Drawing, PaperFigure
from pages.papers.papers import BY_ADDRESS, FIGURES, PAPERS
from pages.ui.catalog import PAPERS as PAGE
from plotting.projector import LETTERS, projected
from tests.pages.visit import app_at, asked, checked

each = pytest.mark.parametrize("entry", FIGURES, ids=lambda entry: entry.slug)


# Of these the papers print no number that a recomputation could be held against, and why.
UNPRINTED = {
    "settings and curves alone": [
        *(f"000-fig-{name}" for name in ("1a", "1b", "1c", "1d", "1e", "1f", "2a", "2b", "2c", "5a")),
        *(f"000-fig-7-{name}" for name in ("cifar-10", "snli", "imagenet")),
        *(f"003-fig-{name}" for name in ("1e", "1f", "2-cifar-10", "2-cifar-10-small-rate")),
        *("003-fig-2-imagenet", "003-fig-2-imagenet-small-batch"),
        *(f"003-fig-{figure}-{name}" for figure in (3, 4) for name in ("trade-off-curves", "privacy-profile")),
        *("001-fig-3", "001-fig-5", "001-fig-6", "004-fig-1"),
    ],
    "measured curves alone; test_paper_000 and 004 hold them against the theory": [
        *(f"000-fig-{name}" for name in ("3a", "3b", "3c", "5b", "6")),
        *(f"004-fig-{name}" for name in ("2b", "2c-trained-model", "6")),
        *(f"004-fig-5-{name}" for name in ("known-law", "trained-model", "five-steps")),
        *(
            f"004-fig-4-{name}{log}"
            for name in ("batch-size", "uniform-law", "clipping", "dimension")
            for log in ("", "-logarithmic")
        ),
    ],
    "accuracies, drawn as printed beside models of other data (test_paper_000)": ["000-fig-4c-imagenet"],
    "statements without a number": [
        *("000-def-3", "000-lemma-5", "001-theorem-4", "002-prop-6", "002-theorem-4", "002-theorem-5"),
        *("002-alg-1-claim-and-attack", "002-alg-1-finite-b", "002-sec-5-composition"),
    ],
}


@cache
def drawn(entry: PaperFigure, value: float | None = None) -> Drawing:
    return entry.draw(value) if value is not None else drawn(entry, entry.start)


@pytest.fixture(scope="module", autouse=True)
def drawings_are_forgotten() -> Iterator[None]:
    """What two hundred figures hold would be looked through, again and again, until the last test."""
    yield
    drawn.cache_clear()


@each
def test_figure_is_complete(entry: PaperFigure) -> None:
    drawing = drawn(entry)
    assert drawing.alt.endswith(".")
    assert len(re.findall(r"[.:;?!] |[.?!]$", entry.notice)) >= 2, "two sentences say what to notice"
    assert entry.notice.endswith(".")
    assert all(number in BY_NUMBER for number in entry.corrections)
    lengths = {len(column) for column in drawing.columns.values()}
    assert len(lengths) == 1
    assert lengths.pop() > 1
    if entry.parameter:
        assert entry.parameter.printed in entry.parameter.values
        assert list(entry.parameter.values) == sorted(set(entry.parameter.values))


@each
def test_what_moves_moves_the_figure(entry: PaperFigure) -> None:
    if entry.parameter is None:
        return
    ends = [drawn(entry, value) for value in (entry.parameter.values[0], entry.parameter.values[-1])]
    assert ends[0].alt != ends[1].alt
    for drawing in ends:
        assert np.isfinite(numbers_of(drawing)).any()
    before, after = map(numbers_of, ends)
    assert before.shape != after.shape or not np.allclose(before, after, rtol=1e-6, equal_nan=True)


def numbers_of(drawing: Drawing) -> np.ndarray:
    """All numbers of its data."""
    numbers = [column for column in drawing.columns.values() if not isinstance(column[0], str)]
    return np.concatenate([np.asarray(column, dtype=float) for column in numbers])


@each
def test_figure_says_what_the_paper_prints(entry: PaperFigure) -> None:
    for one in entry.printed:
        found = one.recomputed()
        assert isfinite(found)
        agrees = abs(found - one.value) <= one.within
        assert agrees != bool(one.why), f"{one.words}: {found} for {one.value}"


def test_every_figure_is_compared_with_print_or_the_paper_prints_no_number_of_it() -> None:
    without = {entry.slug for entry in FIGURES if not entry.printed}
    assert without == {slug for slugs in UNPRINTED.values() for slug in slugs}


@each
def test_letters_can_be_read_from_the_last_row(entry: PaperFigure) -> None:
    figure = projected(drawn(entry).figure, 424)
    layout = figure.layout.to_plotly_json()
    sizes = [layout["legend"]["font"]["size"]]
    for name in layout:
        if name.startswith(("xaxis", "yaxis")):
            sizes.append(layout[name]["tickfont"]["size"])
            sizes += [layout[name]["title"]["font"]["size"]] if "title" in layout[name] else []
    sizes += [note["font"]["size"] for note in layout.get("annotations", ())]
    parts = [trace.to_plotly_json() for trace in figure.data]
    sizes += [part["textfont"]["size"] for part in parts if part.get("text") is not None]
    assert min(sizes) >= LETTERS
    assert layout["height"] == 424


@each
def test_thumbnail_is_what_the_figure_shows(entry: PaperFigure) -> None:
    """But for the rounding of another machine: half a pixel."""
    numbers = re.compile(r"-?\d+\.\d+")
    shipped, now = (PICTURES / f"{entry.slug}.svg").read_text(encoding="utf-8"), made(entry)
    assert numbers.sub("", shipped) == numbers.sub("", now)
    pixels = [np.array(numbers.findall(svg), dtype=float) for svg in (shipped, now)]
    assert np.max(np.abs(pixels[0] - pixels[1])) < 0.5


def test_no_thumbnail_is_shipped_that_no_figure_has() -> None:
    assert {path.stem for path in PICTURES.glob("*.svg")} == {entry.slug for entry in FIGURES}


def page_at(query: dict[str, str | list[str]]) -> AppTest:
    return asked(app_at(PAGE.address), query)


@pytest.mark.parametrize("number", [paper.number for paper in PAPERS])
def test_page_shows_the_figure_the_ways_on_and_what_moves(number: str) -> None:
    for entry in [one for one in FIGURES if one.name.startswith(number)][:1]:
        app = page_at({"figure": entry.slug, "whole": "1"})
        assert app.title[0].value.startswith(entry.name)
        assert len(app.get("plotly_chart")) == 1
        links = [link.proto.label for link in app.get("page_link")]
        assert links == ["Previous", "Next", "Leave"]
        assert len(app.select_slider) == (entry.parameter is not None)


def test_value_in_the_address_is_drawn() -> None:
    entry = BY_ADDRESS["000-fig-1f"]
    app = page_at({"figure": entry.slug, entry.slug.replace("-", "_"): "100"})
    assert app.select_slider[0].value == 100
    checked(app.select_slider[0].set_value(1).run())
    assert app.select_slider[0].value == 1


def test_every_slider_starts_where_the_next_figure_has_it() -> None:
    app = page_at({"figure": "000-fig-1a", "000_fig_1a": "1.5"})
    app.query_params.clear()
    app.query_params["figure"] = "000-fig-1b"
    checked(app.run())
    assert app.select_slider[0].value == BY_ADDRESS["000-fig-1b"].start


def test_unknown_address_is_said_and_leads_to_the_gallery() -> None:
    app = page_at({"figure": "000-fig-99"})
    assert "no figure" in app.warning[0].value
    assert app.title[0].value == "Figures of the papers"


def test_gallery_finds_figures_by_their_words() -> None:
    app = page_at({"figures_of": "000", "find_figure": "sampled laplace"})
    assert [link.proto.label for link in app.get("page_link")] == [BY_ADDRESS["000-fig-5a"].label]
    app = page_at({"find_figure": "no such thing"})
    assert "No figure" in app.info[0].value


def test_a_star_is_a_star() -> None:
    app = page_at({"figure": "001-fig-3"})
    assert app.caption[0].value.startswith("Epsilon\\*: privacy metric")
