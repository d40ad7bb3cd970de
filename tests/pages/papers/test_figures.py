"""Figures of the papers: complete, as printed, moving, said from their data, and where theory has them."""

import math
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, reduce
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from data import make_one_feature_task, make_paper_004, make_reconstruction_over_effects, make_relaxed_reconstruction
from data.make_paper_001 import STEPS
from numerics import shipped
from numerics.calibration import EpsilonTarget, noise_for
from numerics.mechanisms import Gaussian
from numerics.membership import noise_scale, worst_case_data
from numerics.reconstruction.published import shipped_estimates
from numerics.relaxed.generalised_ratio import GeneralisedRatioTest, LogGammaNoise, RatioStatistic
from pages.about.corrections_data import BY_NUMBER
from pages.attackers.paper_tables import LEVELS, TRAINED
from pages.papers.figure import PICTURES, Drawing, PaperFigure
from pages.papers.paper_001.mechanism_level import PROMISES
from pages.papers.papers import BY_ADDRESS, FIGURES
from plotting.projector import LETTERS, projected
from plotting.small_picture import small_picture
from tests.pages.driver import visit

TABLE = tomllib.loads(Path(__file__).with_name("readings.toml").read_text())
SLOW = (
    *("000-fig-1e", "000-fig-3a", "000-lemma-5", "001-fig-5", "002-alg-1-claim-and-attack", "003-fig-1a", "003-fig-1b"),
    *("003-fig-1c", "003-fig-1d", "003-fig-1f", "004-fig-2a", "004-fig-2b", "004-fig-2c-simulated"),
    *(
        f"004-fig-4-{name}{log}"
        for name in ("batch-size", "uniform-law", "clipping", "dimension")
        for log in ("", "-logarithmic")
    ),
    *("004-fig-5-known-law", "004-fig-5-trained-model", "000-fig-2c"),
)
DEVIATIONS = 5.0  # of a mean over audits: 38 points a figure
SHIPPED = 1e-5  # numbers are shipped with six digits
HALF_A_UNIT = 0.005 + 1e-9  # of what is printed
HALF_A_PIXEL = 0.5  # the rounding of another machine

# What a number is called by is none: Fig. 2a, CIFAR-10. Nor is the whole that a share is of.
NAMES_WITH_NUMBERS = re.compile(
    r"(Figs?\.|Eq\.|Theorems?|Table|Cor\.|Corollary|Lemma|Def\.|Sec\.|Prop\.|App\.|CIFAR|Purchase)[ -]\d[\d.]*[a-f]?"
    r"( and \d)?| of 100\b"
)
IN_DIGITS = r"\d[\d,]*(?:\.\d+)?(?:e-?\d+|[⁻⁰¹²³⁴-⁹]+)?"
NUMBER = re.compile(rf"(?<![\w.]){IN_DIGITS}|\b(?:four|five|six|seven|eight|nine|ten|twenty|fifty|hundred)(?:th|s)?\b")
OTHER_NUMBERS = ((1.0, 0.0), (0.37, 0.0113), (0.61, 0.0031))  # factors and shifts; the first are its own


@cache
def drawn(slug: str, value: float | None = None) -> Drawing:
    """The figure where its slider stands at ``value``, or else where the paper has it; each once."""
    entry = BY_ADDRESS[slug]
    return entry.draw(value) if value is not None else drawn(slug, entry.start)


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
    axes = {name: column for name, column in drawing.columns.items() if not isinstance(column[0], str)}
    return Counter(
        number.rstrip(",")
        for symbol, number in re.findall(rf"(\S+) = ({IN_DIGITS})", text)
        if any(
            symbol in re.findall(r"[^\s,;]+", name)
            and np.min(column) <= float(number.replace(",", "")) <= np.max(column)
            for name, column in axes.items()
        )
    )


def check_what_is_said(entry: PaperFigure, drawing: Drawing, gone: set[str]) -> None:
    """A number that stays where the data are others is a place on an axis, a part of a name, or fixed for the page."""
    texts = []
    for factor, shift in OTHER_NUMBERS:
        other = {
            name: column if isinstance(column[0], str) else factor * np.asarray(column, dtype=float) + shift
            for name, column in drawing.columns.items()
        }
        texts.append(entry.said(replace(drawing, columns=other)))
    said = texts[0]
    assert len(re.findall(r"[.:;?!] |[.?!]$", said)) >= 2, "two sentences say what to notice"
    named = said_numbers(" ".join(name for name in drawing.names if name in said))
    stays = reduce(Counter.__and__, map(said_numbers, texts)) - places(said, drawing) - named
    assert not set(stays) - set(said_numbers(entry.settings)), said
    assert not [name for name in gone if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", said)]


@pytest.mark.parametrize("entry", FIGURES, ids=lambda entry: entry.slug)
def test_a_figure_as_the_paper_has_it(entry: PaperFigure) -> None:
    """It is complete and as printed, its picture is what it shows, and it can be read from the last row."""
    drawing = drawn(entry.slug)
    (length,) = {len(column) for column in drawing.columns.values()}
    assert length > 1
    assert np.isfinite(numbers_of(drawing)).any()
    assert all(number in BY_NUMBER for number in entry.corrections)
    check_what_is_said(entry, drawing, set())
    assert not said_numbers(f"{entry.words} {entry.case}"), "numbers that stay are settings"
    for one in entry.printed:
        found = one.recomputed()
        agrees = abs(found - one.value) <= one.within
        assert math.isfinite(found)
        assert one.other or agrees != bool(one.why), f"{one.words}: {found} for {one.value}"
    numbers = re.compile(r"-?\d+\.\d+")
    pictures = (PICTURES / f"{entry.slug}.svg").read_text(encoding="utf-8"), small_picture(drawing.figure)
    assert numbers.sub("", pictures[0]) == numbers.sub("", pictures[1])
    pixels = [np.array(numbers.findall(svg), dtype=float) for svg in pictures]
    assert np.max(np.abs(pixels[0] - pixels[1])) < HALF_A_PIXEL
    figure = projected(drawing.figure, 424)
    layout = figure.layout.to_plotly_json()
    axes = [layout[name] for name in layout if name.startswith(("xaxis", "yaxis"))]
    fonts = [
        layout["legend"]["font"],
        *(axis["tickfont"] for axis in axes),
        *(one["title"]["font"] for one in axes if "title" in one),
    ]
    fonts += [note["font"] for note in layout.get("annotations", ())]
    fonts += [
        one["textfont"] for one in (trace.to_plotly_json() for trace in figure.data) if one.get("text") is not None
    ]
    assert min(font["size"] for font in fonts) >= LETTERS


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(entry, marks=[pytest.mark.nightly] if entry.slug in SLOW else [], id=entry.slug)
        for entry in FIGURES
        if entry.parameter
    ],
)
def test_a_slider_moves_its_figure_and_what_is_said(entry: PaperFigure) -> None:
    assert entry.parameter
    values = entry.parameter.values
    assert entry.parameter.printed in values
    assert list(values) == sorted(set(values))
    first, last = ends = [drawn(entry.slug, value) for value in (values[0], values[-1])]
    assert first.alt != last.alt
    before, after = map(numbers_of, ends)
    assert before.shape != after.shape or not np.allclose(before, after, rtol=1e-6, equal_nan=True)
    every = {name for drawing in ends for name in drawing.names}
    for drawing in ends:
        gone = {name for name in every if not any(name in other for other in drawing.names)}
        check_what_is_said(entry, drawing, gone)


@pytest.mark.parametrize("value", [0.1, 3.0])
def test_the_page_says_what_is_true_where_the_slider_stands(value: float) -> None:
    entry = BY_ADDRESS["000-fig-1c"]
    app = visit(f"papers?papers.figure={entry.slug}&papers.000_fig_1c={value:g}")
    assert f"## {entry.said(drawn(entry.slug, value))}" in [one.value for one in app.markdown]


# Names of the questions in readings.toml.


def at(slug: str, name: str, place: float, value: float | None = None) -> float:
    return drawn(slug, value).at(name, place)


def series(slug: str, name: str, value: float | None = None) -> tuple[Any, Any]:
    return drawn(slug, value).series(name)


def heights(slug: str, name: str, value: float | None = None) -> Any:
    """Values (n,) under this name, in the order in which they are drawn; positions may be words."""
    names, _, _, values = drawn(slug, value).columns.values()
    return np.array([height for one, height in zip(names, values, strict=True) if one == name], dtype=float)


def means(slug: str, kind: str, goal: str, value: float | None = None) -> Any:
    """Means (n,) of epsilon* or of the accuracy, of models of one kind."""
    columns = drawn(slug, value).columns
    return np.asarray(columns[f"{goal}, mean"], dtype=float)[np.array(columns["kind"]) == kind]


def counted(slug: str, of: str, value: float) -> float:
    columns = drawn(slug, value).columns
    ratios: Any = columns["log of the ratio"]
    return max(float(ratio) for ratio, one in zip(ratios, columns["of"], strict=True) if one == of)


def off(slug: str, name: str, other: str, places: Sequence[float] | None = None, value: float | None = None) -> float:
    """How far two lines are apart: at these places, or else wherever the first has a point."""
    own = series(slug, name, value)[0] if places is None else places
    return float(max(abs(at(slug, name, place, value) - at(slug, other, place, value)) for place in own))


NAMES: dict[str, Any] = {
    **{name: getattr(math, name) for name in ("comb", "exp", "sqrt", "isclose")},
    "at": at,
    "counted": counted,
    "heights": heights,
    "means": means,
    "off": off,
    "np": np,
    "noise_scale": noise_scale,
    "worst_case_data": worst_case_data,
    "alt": lambda slug, value=None: drawn(slug, value).alt,
    "column": lambda slug, name, value=None: drawn(slug, value).columns[name],
    "odds": lambda share: share / (1.0 - share),
    "rises": lambda numbers: bool(np.all(np.diff(numbers) > 0.0)),
    "spreads": lambda: np.random.default_rng(1).standard_normal((50_000, 10)).std(axis=1),
}


@pytest.mark.parametrize("group", TABLE["near"], ids=lambda group: group["source"])
def test_what_is_read_lies_where_it_must(group: dict[str, Any]) -> None:
    """``over`` is the name of a number in the question, and its values."""
    tolerance = {"rel": group.get("rel", 0.0), "abs": group.get("abs", 0.0)}
    for question, expected, *over in group["rows"]:
        name, values = over or ("_", [0])
        for value in values:
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
        alpha, beta = series(slug, measured)
        expected = np.interp(alpha, *series(slug, theory))
        # An audit of so few rounds is a little off: ranks are whole numbers.
        error = np.sqrt(beta * (1.0 - beta) / 102_400) + np.sqrt(alpha * (1.0 - alpha) / 102_400) * 2.0
        assert np.all(np.abs(beta - expected) < DEVIATIONS * error + 0.5 / 1024), measured


@pytest.mark.parametrize("shape", [20.0, 1000.0])
def test_lemma_5_is_drawn_with_either_estimate(shape: float) -> None:
    """The restricted estimate is both one-sided tests by definition; that of Eq. 26 departs where noise is skewed."""
    rates = np.linspace(0.01, 0.5, 50)
    restricted = GeneralisedRatioTest(LogGammaNoise(shape), 1.5, RatioStatistic.RESTRICTED)
    for words, side in (("up", 1.5), ("down", -1.5)):
        shown = [at("000-lemma-5", f"restricted: two tests, {words}", rate, shape) for rate in rates]
        assert shown == pytest.approx(restricted.errors(rates, side).beta, abs=1e-3)
    apart = off("000-lemma-5", "unrestricted, Eq. 26, up", "restricted: two tests, up", rates.tolist(), shape)
    assert apart < 0.15
    assert (apart > 0.03) == (shape <= 20.0)


def test_the_frontier_is_the_hull_of_our_own_alone() -> None:
    traces = [trace.to_plotly_json() for trace in drawn("001-fig-1").figure.data]
    x, y = next((trace["x"], trace["y"]) for trace in traces if trace.get("name") == "convex hull")
    assert np.all(np.diff(np.diff(y) / np.diff(x)) <= 0.0)
    assert not set(np.round(x, 6)) & {2.48, 7.06, 7.79}


def test_models_together_show_no_more_than_theorem_2_allows_and_than_is_promised() -> None:
    for noise, promise in PROMISES.items():
        together, limit = (heights("001-theorem-4", name, noise)[0] for name in ("ε-bar", "Theorem 2's limit"))
        assert together <= limit
        assert limit == pytest.approx(np.log(np.mean(np.exp(heights("001-theorem-4", "ε* of a model", noise)))), 1e-5)
        if promise:
            found = noise_for(EpsilonTarget(float(promise), 1e-3), Gaussian(1.0, 1.0, STEPS)).noise_multiplier
            assert found == pytest.approx(noise, rel=4e-3)
            assert together < float(promise)
    assert np.sum(heights("001-theorem-4", "ε* of a model", 18.2) > 1.0) == 23


@pytest.mark.parametrize("letter", ["a", "b", "c", "d"])
def test_monte_carlo_lies_on_the_drawn_truth_where_enough_draws_count_and_falls_to_nothing(letter: str) -> None:
    slug = f"003-fig-1{letter}"
    points = [point for point in shipped_estimates() if point.panel == letter and point.usable]
    assert letter == "d" or len(points) >= 5
    for point in points if letter != "d" else ():
        assert at(slug, "Monte Carlo", point.effect) == pytest.approx(point.estimate)
        chord = 1e-3  # between the drawn points
        assert abs(point.estimate - at(slug, "ground truth", point.effect)) < 5.0 * point.standard_error + chord
    if letter != "a":
        effect, found = series(slug, "too few draws")
        assert found[-1] < 1e-3
        assert at(slug, "ground truth", effect[-1]) > 0.9999


@pytest.mark.parametrize("data", TRAINED)
def test_every_cell_of_table_5_is_as_printed(data: str) -> None:
    slug = f"004-table-5-{data.lower()}"
    assert series(slug, "DP")[0] == pytest.approx(LEVELS)
    for notion in ("DP", "MIP"):
        assert len(heights(slug, notion)) == 20
        assert np.max(np.abs(heights(slug, notion) - heights(slug, f"{notion}, printed"))) <= HALF_A_UNIT


@pytest.mark.nightly
def test_what_is_shipped_is_what_its_script_makes() -> None:
    """The first rows of each; the rest is computed the same way."""

    def held(name: str, **of: str) -> list[list[float]]:
        rows = [row for row in shipped.rows(name) if of.items() <= row.items()]
        return [[float(cell) for key, cell in row.items() if key != "run"] for row in rows]

    run, effect = make_relaxed_reconstruction.RUNS[0], make_reconstruction_over_effects.EFFECTS[9]
    place = list(shipped.rows("reconstruction_over_effects")[0]).index("effect")
    over_effects = [row for row in held("reconstruction_over_effects") if row[place] == effect]
    relaxed = [row[1:] for row in make_relaxed_reconstruction.rows(*run, 1.0)]
    pairs: list[tuple[Any, list[list[float]]]] = [
        (relaxed, held("relaxed_reconstruction", run=run[0], epsilon="1")),
        (make_reconstruction_over_effects.rows(effect), over_effects),
        (make_paper_004.gradient_rows(steps=(1,)), held("paper_004_fig_2c")),
        (make_paper_004.loss_rows(steps=(5,)), held("paper_004_fig_6")),
    ]
    for made, kept in pairs:
        rows = [list(row) for row in made]
        assert rows
        assert np.array(rows, dtype=float) == pytest.approx(np.array(kept[: len(rows)]), rel=SHIPPED)
    assert make_one_feature_task.table() == (shipped.DATA / "one_feature_task.csv").read_text(encoding="utf-8")
