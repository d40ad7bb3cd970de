"""What holds for every figure of the papers: it is complete, moves, agrees with print, and is said from its data."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from math import isfinite

import numpy as np
import pytest

from data.make_thumbnails import made
from pages.about.corrections_data import BY_NUMBER
from pages.papers.figure import PICTURES, Drawing, PaperFigure
from pages.papers.papers import FIGURES
from plotting.projector import LETTERS, projected
from tests.pages.papers.drawings import drawn

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
    "measured curves alone; test_readings holds them against the theory": [
        *(f"000-fig-{name}" for name in ("3a", "3b", "3c", "5b", "6")),
        *(f"004-fig-{name}" for name in ("2b", "2c-trained-model", "6")),
        *(f"004-fig-5-{name}" for name in ("known-law", "trained-model", "several-steps")),
        *(
            f"004-fig-4-{name}{log}"
            for name in ("batch-size", "uniform-law", "clipping", "dimension")
            for log in ("", "-logarithmic")
        ),
    ],
    "accuracies, drawn as printed beside models of other data (readings.toml)": ["000-fig-4c-imagenet"],
    "statements without a number": [
        *("000-def-3", "000-lemma-5", "001-theorem-4", "002-prop-6", "002-theorem-4", "002-theorem-5"),
        *("002-alg-1-claim-and-attack", "002-alg-1-finite-b", "002-sec-5-composition"),
    ],
}

# What a number is called by is none: Fig. 2a, CIFAR-10. Nor is the whole that a share is of.
NAMES = re.compile(
    r"(Figs?\.|Eq\.|Theorems?|Table|Cor\.|Corollary|Lemma|Def\.|Sec\.|Prop\.|App\.|CIFAR|Purchase)[ -]\d[\d.]*[a-f]?"
    r"( and \d)?| of 100\b"
)
IN_DIGITS = r"\d[\d,]*(?:\.\d+)?(?:e-?\d+|[⁻⁰¹²³⁴-⁹]+)?"
IN_WORDS = r"(?:four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|fifty|hundred|thousand|million)(?:th|s)?"
NUMBER = re.compile(rf"(?<![\w.]){IN_DIGITS}|\b{IN_WORDS}\b")
OTHER_NUMBERS = ((1.0, 0.0), (0.37, 0.0113), (0.61, 0.0031))  # factors and shifts; the first are its own
HALF_A_PIXEL = 0.5  # the rounding of another machine


def ends_of(entry: PaperFigure) -> list[Drawing]:
    """The figure at both ends of its slider, and at the paper's value."""
    values = entry.parameter.values if entry.parameter else (entry.start,)
    return [drawn(entry.slug, value) for value in sorted({values[0], entry.start, values[-1]})]


def numbers_of(drawing: Drawing) -> np.ndarray:
    """All numbers of its data."""
    numbers = [column for column in drawing.columns.values() if not isinstance(column[0], str)]
    return np.concatenate([np.asarray(column, dtype=float) for column in numbers])


def said_numbers(text: str) -> Counter[str]:
    """Numbers of a text, as it spells them."""
    return Counter(one.rstrip(",") for one in NUMBER.findall(NAMES.sub("", text)))


def with_symbols(text: str) -> set[tuple[str, str]]:
    """Numbers with what they are values of, if the text says it: "ε = 3" is not "3"."""
    return set(re.findall(rf"(?:(\S+) = )?(?<![\w.])({IN_DIGITS})", NAMES.sub("", text)))


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
def test_figure_is_complete_and_moves(entry: PaperFigure) -> None:
    for drawing in ends_of(entry):
        assert drawing.alt.endswith(".")
        said = entry.said(drawing)
        assert len(re.findall(r"[.:;?!] |[.?!]$", said)) >= 2, "two sentences say what to notice"
        assert said.endswith(".")
        lengths = {len(column) for column in drawing.columns.values()}
        assert len(lengths) == 1
        assert lengths.pop() > 1
        assert np.isfinite(numbers_of(drawing)).any()
    assert all(number in BY_NUMBER for number in entry.corrections)
    if entry.parameter:
        assert entry.parameter.printed in entry.parameter.values
        assert list(entry.parameter.values) == sorted(set(entry.parameter.values))
        first, last = (drawn(entry.slug, entry.parameter.values[end]) for end in (0, -1))
        assert first.alt != last.alt
        before, after = numbers_of(first), numbers_of(last)
        assert before.shape != after.shape or not np.allclose(before, after, rtol=1e-6, equal_nan=True)


@each
def test_what_is_said_takes_its_numbers_and_names_from_what_is_drawn(entry: PaperFigure) -> None:
    """A number that stays where the data are others is a place on an axis, a part of a name, or fixed for the page."""
    at_ends = ends_of(entry)
    every = {name for drawing in at_ends for name in drawing.names}
    for drawing in at_ends:
        texts = [entry.said(with_other_numbers(drawing, *numbers)) for numbers in OTHER_NUMBERS]
        said = texts[0]
        stays = reduce(Counter.__and__, map(said_numbers, texts))
        named = said_numbers(" ".join(name for name in drawing.names if name in said))
        assert not set(stays - places(said, drawing) - named) - set(said_numbers(entry.settings)), said
        gone = {name for name in every if not any(name in other for other in drawing.names)}
        assert not {name for name in gone if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", said)}


@each
def test_fixed_texts_have_no_number_that_the_slider_moves(entry: PaperFigure) -> None:
    assert not said_numbers(f"{entry.words} {entry.case}"), "numbers that stay are settings"
    if entry.parameter:
        symbol = entry.parameter.words.rpartition(" ")[2]
        assert f"{symbol} = " not in f"{entry.settings} {entry.source}"
        values = (entry.start, entry.parameter.values[0], entry.parameter.values[-1])
        start, first, last = (with_symbols(drawn(entry.slug, value).alt) for value in values)
        assert not (start - first & last) & with_symbols(f"{entry.settings} {entry.source}")


@each
def test_figure_says_what_the_paper_prints(entry: PaperFigure) -> None:
    for one in entry.printed:
        found = one.recomputed()
        assert isfinite(found)
        agrees = abs(found - one.value) <= one.within
        assert one.other or agrees != bool(one.why), f"{one.words}: {found} for {one.value}"


def test_every_figure_is_compared_with_print_or_the_paper_prints_no_number_of_it() -> None:
    without = {entry.slug for entry in FIGURES if not entry.printed}
    assert without == {slug for slugs in UNPRINTED.values() for slug in slugs}


def letters(entry: PaperFigure) -> Iterator[float]:
    """Sizes of all letters of a figure on a projector."""
    figure = projected(drawn(entry.slug).figure, 424)
    layout = figure.layout.to_plotly_json()
    assert layout["height"] == 424
    yield layout["legend"]["font"]["size"]
    for axis in (layout[name] for name in layout if name.startswith(("xaxis", "yaxis"))):
        yield axis["tickfont"]["size"]
        yield axis["title"]["font"]["size"] if "title" in axis else LETTERS
    yield from (note["font"]["size"] for note in layout.get("annotations", ()))
    parts = [trace.to_plotly_json() for trace in figure.data]
    yield from (part["textfont"]["size"] for part in parts if part.get("text") is not None)


@each
def test_a_figure_can_be_read_from_the_last_row_and_its_thumbnail_is_what_it_shows(entry: PaperFigure) -> None:
    assert min(letters(entry)) >= LETTERS
    numbers = re.compile(r"-?\d+\.\d+")
    shipped, now = (PICTURES / f"{entry.slug}.svg").read_text(encoding="utf-8"), made(entry)
    assert numbers.sub("", shipped) == numbers.sub("", now)
    pixels = [np.array(numbers.findall(svg), dtype=float) for svg in (shipped, now)]
    assert np.max(np.abs(pixels[0] - pixels[1])) < HALF_A_PIXEL


def test_no_thumbnail_is_shipped_that_no_figure_has() -> None:
    assert {path.stem for path in PICTURES.glob("*.svg")} == {entry.slug for entry in FIGURES}
