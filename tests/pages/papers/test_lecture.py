"""Pages of the papers' figures: each draws, says what to notice, and agrees with what the paper prints."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, reduce
from math import isfinite

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from data.make_thumbnails import made
from pages.about.corrections_data import BY_NUMBER
from pages.papers.figure import PICTURES, Drawing, PaperFigure
from pages.papers.papers import BY_ADDRESS, FIGURES, PAPERS, cited
from pages.ui.catalog import PAPERS as PAGE
from plotting.projector import LETTERS, projected
from tests.pages.visit import addressed, app_at, asked, checked

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
        *(f"004-fig-5-{name}" for name in ("known-law", "trained-model", "several-steps")),
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
    said = entry.said(drawing)
    assert len(re.findall(r"[.:;?!] |[.?!]$", said)) >= 2, "two sentences say what to notice"
    assert said.endswith(".")
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


# What a number is called by is none: Fig. 2a, CIFAR-10. Nor is the whole that a share is of.
NAMES = re.compile(
    r"(Figs?\.|Eq\.|Theorems?|Table|Cor\.|Corollary|Lemma|Def\.|Sec\.|Prop\.|App\.|CIFAR|Purchase)[ -]\d[\d.]*[a-f]?"
    r"( and \d)?| of 100\b"
)
IN_DIGITS = r"\d[\d,]*(?:\.\d+)?(?:e-?\d+|[⁻⁰¹²³⁴-⁹]+)?"
IN_WORDS = r"(?:four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|fifty|hundred|thousand|million)(?:th|s)?"
NUMBER = re.compile(rf"(?<![\w.]){IN_DIGITS}|\b{IN_WORDS}\b")
FACTORS = ((1.0, 0.0), (0.37, 0.0113), (0.61, 0.0031))


def said_numbers(text: str) -> Counter[str]:
    """Numbers of a text, as it spells them."""
    return Counter(one.rstrip(",") for one in NUMBER.findall(NAMES.sub("", text)))


def with_symbols(text: str) -> set[tuple[str, str]]:
    """Numbers with what they are values of, if the text says it: "ε = 3" is not "3"."""
    return set(re.findall(rf"(?:(\S+) = )?(?<![\w.])({IN_DIGITS})", NAMES.sub("", text)))


def ends_of(entry: PaperFigure) -> list[float]:
    values = entry.parameter.values if entry.parameter else (entry.start,)
    return sorted({values[0], entry.start, values[-1]})


def with_other_numbers(drawing: Drawing, factor: float, shift: float) -> Drawing:
    """The same figure of other data: all of its numbers are others."""
    columns = {
        name: column if isinstance(column[0], str) else factor * np.asarray(column, dtype=float) + shift
        for name, column in drawing.columns.items()
    }
    return replace(drawing, columns=columns)


def places(text: str, drawing: Drawing) -> Counter[str]:
    """Numbers that say where the figure is read, as in "at α = 0.1": by the symbol of an axis, within what is drawn."""
    found: Counter[str] = Counter()
    for symbol, number in re.findall(rf"(\S+) = ({IN_DIGITS})", text):
        for name, column in drawing.columns.items():
            is_axis = symbol in re.findall(r"[^\s,;]+", name) and not isinstance(column[0], str)
            if is_axis and np.min(column) <= float(number.replace(",", "")) <= np.max(column):
                found[number.rstrip(",")] += 1
                break
    return found


@each
def test_what_is_said_takes_its_numbers_from_what_is_drawn(entry: PaperFigure) -> None:
    """A number that stays where the data are others is a place on an axis, a part of a name, or fixed for the page."""
    for value in ends_of(entry):
        drawing = drawn(entry, value)
        texts = [entry.said(with_other_numbers(drawing, *numbers)) for numbers in FACTORS]
        said = texts[0]
        stays = reduce(Counter.__and__, map(said_numbers, texts))
        named = said_numbers(" ".join(name for name in drawing.names if name in said))
        settings = said_numbers(entry.settings)
        assert not set(stays - places(said, drawing) - named) - set(settings), f"at {value:g}: {said}"


@each
def test_what_is_said_names_only_what_is_drawn(entry: PaperFigure) -> None:
    at_ends = [drawn(entry, value) for value in ends_of(entry)]
    every = {name for drawing in at_ends for name in drawing.names}
    for drawing in at_ends:
        gone = {name for name in every if not any(name in other for other in drawing.names)}
        said = {name for name in gone if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", entry.said(drawing))}
        assert not said


@each
def test_fixed_texts_have_no_number_that_the_slider_moves(entry: PaperFigure) -> None:
    assert not said_numbers(f"{entry.words} {entry.case}"), "numbers that stay are settings"
    if entry.parameter:
        symbol = entry.parameter.words.rpartition(" ")[2]
        assert f"{symbol} = " not in f"{entry.settings} {entry.source}"
        start, first, last = (
            with_symbols(drawn(entry, value).alt)
            for value in (entry.start, entry.parameter.values[0], entry.parameter.values[-1])
        )
        assert not (start - first & last) & with_symbols(f"{entry.settings} {entry.source}")


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
        assert one.other or agrees != bool(one.why), f"{one.words}: {found} for {one.value}"


@pytest.mark.parametrize("slug", ["001-fig-1", "001-fig-2"])
def test_what_our_own_data_have_is_no_recomputation(slug: str) -> None:
    table = page_at({"figure": slug}).table[0].value
    for one, (_, row) in zip(BY_ADDRESS[slug].printed, table.iterrows(), strict=True):
        assert one.other
        assert row["recomputed"].endswith("(our data)")
        assert row["difference"] == f"not recomputed: {one.other}"


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
    return asked(app_at(PAGE.address), addressed(PAGE.folder, query))


@pytest.mark.parametrize("number", [paper.number for paper in PAPERS])
def test_page_shows_the_figure_the_ways_on_and_what_moves(number: str) -> None:
    for entry in [one for one in FIGURES if one.name.startswith(number)][:1]:
        app = page_at({"figure": entry.slug, "papers.whole": "1"})
        assert app.title[0].value == cited(entry)
        assert entry.name[4:] in cited(entry)
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


@pytest.mark.parametrize("value", ["0.1", "3"])
def test_the_page_says_what_is_true_where_the_slider_stands(value: str) -> None:
    entry = BY_ADDRESS["000-fig-1c"]
    app = page_at({"figure": entry.slug, entry.slug.replace("-", "_"): value})
    assert f"## {entry.said(drawn(entry, float(value)))}" in [one.value for one in app.markdown]


def test_every_slider_starts_where_the_next_figure_has_it() -> None:
    app = page_at({"figure": "000-fig-1a", "000_fig_1a": "1.5"})
    app.query_params.clear()
    app.query_params["papers.figure"] = "000-fig-1b"
    checked(app.run())
    assert app.select_slider[0].value == BY_ADDRESS["000-fig-1b"].start


def test_unknown_address_is_said_and_leads_to_the_gallery() -> None:
    app = page_at({"figure": "000-fig-99"})
    assert "no figure" in app.warning[0].value
    assert app.title[0].value == "Figures of the papers"


def test_gallery_finds_figures_by_their_words() -> None:
    app = page_at({"papers.figures_of": "000", "papers.find_figure": "sampled laplace"})
    assert [link.proto.label for link in app.get("page_link")] == [BY_ADDRESS["000-fig-5a"].label]
    app = page_at({"papers.find_figure": "no such thing"})
    assert "No figure" in app.info[0].value


def test_a_star_is_a_star() -> None:
    app = page_at({"figure": "001-fig-3"})
    assert app.caption[0].value.startswith("Epsilon\\*: privacy metric")
