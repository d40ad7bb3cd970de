"""Figures of the papers: as printed, moving, said from their data, where theory has them, and found."""

import math
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, reduce
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from xml.etree import ElementTree

import numpy as np
import pytest

from data import make_one_feature_task, make_paper_004, make_reconstruction_over_effects, make_relaxed_reconstruction
from numerics import shipped
from pages.papers import gallery, show
from pages.papers.corrections import ENTRIES
from pages.papers.papers import BY_KEY, QUESTIONS
from pages.papers.question import Drawing, Panel, said, slug
from pages.papers.show import SHOWN
from pages.ui import address
from plotting.projector import LETTERS, projected
from plotting.small_picture import small_picture
from plotting.theme import Figure
from tests.kept import DRAWN, Kept, lines_drawn
from tests.pages.driver import NEVER, visit

TABLE = tomllib.loads(Path(__file__).with_name("readings.toml").read_text())
KEPT = Kept(Path(__file__).with_name("shown.json"))
DEVIATIONS = 5.0  # of a mean over audits: 38 points a figure
SHIPPED = 1e-5  # numbers are shipped with six digits
FIGURES = {f"{one.paper.number}-{slug(panel.place)}": panel for one, panel in SHOWN}

# What a number is called by is none: Fig. 2a, CIFAR-10. Nor is the whole that a share is of.
NAMES_WITH_NUMBERS = re.compile(
    r"(Figs?\.|Eq(?:s?\.|uations?)|Theorems?|Table|Cor\.|Corollary|Corrections?|Lemma|Def\.|Sec\.|Prop\.|App\.|Alg\.|CIFAR|"
    r"Purchase)[ -]\d[\d.]*[a-f]?(/\d[a-f]?)?( and \d)?| of 100\b"
)
IN_DIGITS = r"\d[\d,]*(?:\.\d+)?(?:e-?\d+|[⁻⁰¹²³⁴-⁹]+)?"
NUMBER = re.compile(rf"(?<![\w.]){IN_DIGITS}|\b(?:four|five|six|seven|eight|nine|ten|twenty|fifty|hundred)(?:th|s)?\b")
OTHER_NUMBERS = ((1.0, 0.0), (0.37, 0.0113), (0.61, 0.0031))  # factors and shifts; the first are its own


@cache
def drawn(name: str, value: float | None = None) -> Drawing:
    """The figure where its knob stands at ``value``, or else where the paper has it; each once."""
    panel = FIGURES[name]
    return panel.draw(value) if value is not None else drawn(name, panel.knob.start)


@pytest.fixture(scope="module", autouse=True)
def _drawings_are_forgotten() -> Iterator[None]:
    yield
    drawn.cache_clear()


def numbers_of(drawing: Drawing) -> np.ndarray:
    numbers = [column for column in drawing.columns.values() if not isinstance(column[0], str)]
    return np.concatenate([np.asarray(column, dtype=float) for column in numbers])


def said_numbers(text: str) -> Counter[str]:
    return Counter(one.rstrip(",") for one in NUMBER.findall(NAMES_WITH_NUMBERS.sub("", text)))


def places(text: str, drawing: Drawing) -> Counter[str]:
    """Numbers that say where the figure is read, as in "at α = 0.1": by the symbol of an axis, within what is drawn."""
    axes = [(name, np.asarray(axis)) for name, axis in drawing.columns.items() if not isinstance(axis[0], str)]
    return Counter(
        number.rstrip(",")
        for symbol, number in re.findall(rf"(\S+) = ({IN_DIGITS})", text)
        for name, axis in axes
        if symbol in re.findall(r"[^\s,;]+", name) and axis.min() <= float(number.replace(",", "")) <= axis.max()
    )


def numbered(panel: Panel, drawing: Drawing) -> list[str]:
    """All that has numbers: what is said, and what is drawn."""
    return [said(panel.says, drawing), f"{panel.settings} {panel.ours}", *lines_drawn(drawing.make().to_json(), *DRAWN)]


def check_what_is_said(panel: Panel, drawing: Drawing, gone: set[str]) -> None:
    """A number that stays where the data are others is a place on an axis, a part of a name, or fixed for the page."""
    texts = []
    for factor, shift in OTHER_NUMBERS:
        other = {
            name: column if isinstance(column[0], str) else factor * np.asarray(column, dtype=float) + shift
            for name, column in drawing.columns.items()
        }
        texts.append(said(panel.says, replace(drawing, columns=other)))
    text = texts[0]
    assert text.endswith(".")
    assert "{" not in text
    assert [one for one in NEVER if re.search(one, f"{text} {panel.caption} {panel.settings} {panel.ours}")] == []
    named = said_numbers(" ".join(name for name in drawing.names if name in text))
    stays = reduce(Counter.__and__, map(said_numbers, texts)) - places(text, drawing) - named
    assert not set(stays) - set(said_numbers(panel.settings)), text
    assert not [name for name in gone if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)]


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_as_the_paper_has_it(name: str) -> None:
    """It is complete and as printed, and it can be read small and from the last row."""
    panel, drawing = FIGURES[name], drawn(name)
    (length,) = {len(column) for column in drawing.columns.values()}
    assert length > 1
    assert np.isfinite(numbers_of(drawing)).any()
    touching = {int(number) for number, figures in TABLE["touching"].items() if name.startswith(tuple(figures))}
    assert set(panel.corrections) == touching | {int(one) for one in re.findall(r"correction-(\d+)", name)}
    assert {ENTRIES[number]["paper"] for number in panel.corrections} <= {name.partition("-")[0]}
    check_what_is_said(panel, drawing, set())
    assert not said_numbers(panel.caption), "numbers that stay are settings"
    for one in panel.printed:
        found = one.recomputed()
        assert math.isfinite(found)
        assert (abs(found - one.value) <= one.within) != bool(one.why), f"{one.words}: {found} for {one.value}"
    svg = small_picture(drawing.make())
    ElementTree.fromstring(svg)
    assert not re.search("nan|inf", svg)
    assert min(letters(projected(drawing.make(), 400).to_plotly_json())) >= LETTERS
    KEPT.check(name, numbered(panel, drawing))


@pytest.mark.parametrize("name", [name for name in FIGURES if "correction" in name])
def test_a_value_that_decides_lies_on_a_formula_that_holds_and_on_no_other(name: str) -> None:
    drawing = drawn(name)
    kinds = dict(zip(drawing.columns["drawn"], drawing.columns["kind"], strict=True))
    ((evidence, _),) = [one for one in kinds.items() if one[1] == "points"]
    (place,), (value,) = drawing.series(evidence)
    traces = [one.to_plotly_json() for one in drawing.make().data]
    error = {one["name"]: one["error_y"]["array"][0] / 2.0 for one in traces if "error_y" in one}
    within = max(3.0 * float(error.get(evidence, 0.0)), 5e-4 * abs(value))
    agree = {kind for one, kind in kinds.items() if kind != "points" and abs(drawing.at(one, place) - value) <= within}
    assert agree
    assert "reference" not in agree


def letters(part: Any) -> list[float]:
    """Sizes of all letters in a part of a figure."""
    if isinstance(part, list | tuple):
        return [size for one in part for size in letters(one)]
    if not isinstance(part, dict):
        return []
    own = [one["size"] for name, one in part.items() if name.endswith("font") and "size" in one]
    return own + [size for name, one in part.items() if name != "template" for size in letters(one)]


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=[pytest.mark.nightly] if one in TABLE["slow"] else []) for one in FIGURES]
)
def test_a_knob_moves_its_figure_and_what_is_said(name: str) -> None:
    panel = FIGURES[name]
    values = panel.knob.values
    assert panel.knob.start in values
    assert list(values) == sorted(set(values))
    first, last = ends = [drawn(name, value) for value in (values[0], values[-1])]
    before, after = map(numbers_of, ends)
    assert before.shape != after.shape or not np.allclose(before, after, rtol=1e-6, equal_nan=True)
    every = {name for drawing in ends for name in drawing.names}
    for drawing in (first, last):
        gone = {name for name in every if not any(name in other for other in drawing.names)}
        check_what_is_said(panel, drawing, gone)
    KEPT.check(f"{name}, moved", [line for drawing in ends for line in numbered(panel, drawing)])


# Names of the questions in readings.toml.


def off(slug: str, name: str, other: str, places: Sequence[float] | None = None, value: float | None = None) -> float:
    """How far two lines are apart: at these places, or else wherever the first has a point."""
    drawing = drawn(slug, value)
    own = drawing.series(name)[0] if places is None else places
    return float(max(abs(drawing.at(name, place) - drawing.at(other, place)) for place in own))


NAMES: dict[str, Any] = {
    **{name: one for path in TABLE["modules"] for name, one in vars(import_module(path)).items() if name[0] != "_"},
    **{one.__name__: one for one in (drawn, off)},
    "np": np,
}
NAMES |= {name: eval(meaning, NAMES) for name, meaning in TABLE["names"].items()}


@pytest.mark.parametrize("group", TABLE["near"], ids=lambda group: group["source"])
def test_what_is_read_lies_where_it_must(group: dict[str, Any]) -> None:
    """``over`` is the name of a number in the question, and its values or what gives them."""
    tolerance = {"rel": group.get("rel", 0.0), "abs": group.get("abs", 0.0)}
    for question, expected, *over in group["rows"]:
        name, values = over or ("_", [0])
        for value in eval(values, NAMES) if isinstance(values, str) else values:
            names = {**NAMES, name: value}
            must = eval(expected, names) if isinstance(expected, str) else expected
            found = np.asarray(eval(question, names), dtype=float)
            assert found == pytest.approx(np.broadcast_to(must, found.shape), **tolerance), question


@pytest.mark.parametrize("group", TABLE["true"], ids=lambda group: group["source"])
def test_what_a_paper_says_in_words_holds_of_what_is_drawn(group: dict[str, Any]) -> None:
    assert [question for question in group["rows"] if not eval(question, dict(NAMES))] == []


@pytest.mark.parametrize("slug", ["000-fig-3b", "000-fig-3c", "000-fig-5b", "000-fig-6"])
def test_measured_curves_lie_on_the_theory(slug: str) -> None:
    for measured, theory in (("measured", "j"), ("reversed", "j⁻¹")):
        alpha, beta = drawn(slug).series(measured)
        expected = np.interp(alpha, *drawn(slug).series(theory))
        # An audit of so few rounds is a little off: ranks are whole numbers.
        error = np.sqrt(beta * (1.0 - beta) / 102_400) + np.sqrt(alpha * (1.0 - alpha) / 102_400) * 2.0
        assert np.all(np.abs(beta - expected) < DEVIATIONS * error + 0.5 / 1024), measured


def test_every_question_and_figure_has_a_name_and_an_address_of_its_own() -> None:
    assert (len(QUESTIONS), len(FIGURES)) == (22, len(SHOWN))
    assert len({one.knob_key(panel) for one, panel in SHOWN}) == len(SHOWN)
    assert sum("correction" in name for name in FIGURES) == 10
    assert BY_KEY["unknown-record"].printed_in == "Fig. 1a-d, Def. 3"
    assert BY_KEY["gradient-in-average"].printed_in == "Fig. 1, 2a-c, 5a-c"
    for _, panel in SHOWN:
        for value in (*panel.knob.values, 1e6, 2.5e6, 1e9, 1.5e300):
            assert "+" not in address.labelled(value)  # which an address reads as a space
            assert float(address.labelled(value)) == value


@pytest.mark.parametrize(("words", "key"), TABLE["search"])
def test_search_finds_authors_words_and_numbers(words: str, key: str) -> None:
    assert key in [one.key for one in QUESTIONS if one.matches(words)]
    assert len([one for one in QUESTIONS if one.matches(words)]) < len(QUESTIONS) / 2


def test_a_link_opens_the_tool_page_in_exactly_its_state() -> None:
    """One of each set of controls that links set; what no tool page can show says why."""
    opened = {}
    for name, panel in FIGURES.items():
        for value in {panel.knob.start, panel.knob.start if name in TABLE["slow"] else panel.knob.values[-1]}:
            opens = drawn(name, value).opens
            if isinstance(opens, str):
                assert opens.endswith("."), name
            else:
                opened[str((opens[0].folder, sorted(opens[1])))] = opens
    for page, query in opened.values():
        app = visit(f"{page.folder}?{urlencode(query)}", folds_open=True)
        for key, text in query.items():
            shown = app.session_state[key]
            assert text == address.spelled(shown), key


def test_blanks_of_a_sentence_are_values_of_the_drawing() -> None:
    columns: dict[str, Any] = {"drawn": ["j"] * 2, "kind": ["exact"] * 2, "x": np.arange(2.0), "y": np.arange(2.0) / 2}
    text = said("{j @ 0.5}, {1 - j @ 0.5}, {j @ 0.5|2} or {j @ 0.5|.3f}", Drawing(Figure, columns, ""))
    assert text == "**25 of 100**, **75 of 100**, **0.25** or **0.250**"


def test_what_moves_under_the_finger_is_what_is_said_and_drawn_there() -> None:
    one = BY_KEY["less-noise"]
    panel = one.panels[0]
    states = show._states(one.key, panel.place)
    assert list(states) == list(map(address.labelled, panel.knob.values))
    for value in panel.knob.values:
        drawing, state = panel.draw(value), states[address.labelled(value)]
        assert state.texts == {"papers-answer": [show.plain(said(panel.says, drawing))]}
        moved: Any = state.figures[one.figure_key]
        for trace, (_, columns) in zip(drawing.make().data, sorted(moved["traces"].items()), strict=False):
            assert columns[1] == pytest.approx(list(trace.to_plotly_json()["y"]), rel=1e-4)


def test_a_gallery_waits_for_no_picture_and_has_all_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gallery, "_PICTURES", {})
    monkeypatch.setattr(gallery, "_PATIENCE", -1.0)
    for pictures in (0, len(QUESTIONS)):
        app = visit("papers")
        assert len(app.get("page_link")) == len(QUESTIONS)
        assert sum(one.value.startswith("![](data:image/svg+xml;base64,") for one in app.markdown) == pictures
        shown = [one.value for one in (*app.markdown, *app.caption)]
        for one in QUESTIONS:  # a paper that all of a group have is beside its heading, others on the tile
            assert any(one.paper.short in text and (one.group in text or one.printed_in in text) for text in shown)
        gallery.draw_pictures()


def test_a_lecture_shows_the_figure_alone_and_goes_on() -> None:
    one = BY_KEY["planted-record"]
    app = visit(f"papers?papers.question={one.key}&{one.named}=Fig.+5b&papers.lecture=1")
    assert len(app.get("plotly_chart")) == 1
    assert [button.label for button in app.button] == ["Previous", "Next", "Leave"]
    for clicked, key, place in ((1, one.key, "Fig. 6"), (1, "skewed-noise", "Lemma 5"), (0, one.key, "Fig. 6")):
        app.button[clicked].click().run()
        assert (app.title[0].value, app.session_state[BY_KEY[key].named]) == (BY_KEY[key].title, place)
    app.button[2].click().run()
    assert "All questions" in [link.proto.label for link in app.get("page_link")]


@pytest.mark.nightly
def test_what_is_shipped_is_what_its_script_makes() -> None:
    """The first rows of each; the rest is computed the same way."""
    run, effect = make_relaxed_reconstruction.RUNS[0], make_reconstruction_over_effects.EFFECTS[9]
    relaxed = [row[1:] for row in make_relaxed_reconstruction.rows(*run, 1.0)]
    made: dict[str, Any] = {
        "relaxed_reconstruction": (relaxed, lambda row: (row["run"], row["epsilon"]) == (run[0], "1")),
        "reconstruction_over_effects": (
            make_reconstruction_over_effects.rows(effect),
            lambda row: float(row["effect"]) == effect,
        ),
        "paper_004_fig_2c": (make_paper_004.gradient_rows(steps=(1,)), lambda _: True),
        "paper_004_fig_6": (make_paper_004.loss_rows(steps=(5,)), lambda _: True),
    }
    for name, (rows, is_among) in made.items():
        found = np.array([list(row) for row in rows], dtype=float)
        kept = [[float(row[key]) for key in row if key != "run"] for row in shipped.rows(name) if is_among(row)]
        assert found == pytest.approx(np.array(kept[: len(found)]), rel=SHIPPED)
    assert make_one_feature_task.table() == (shipped.DATA / "one_feature_task.csv").read_text(encoding="utf-8")
