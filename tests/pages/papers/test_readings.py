"""What the papers' figures show: as printed, as their text says, as their scripts make it, and where theory has it."""

import math
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from data import make_one_feature_task, make_paper_004, make_reconstruction_over_effects, make_relaxed_reconstruction
from data.make_paper_001 import STEPS
from numerics import shipped
from numerics.audits import Scores, repeated
from numerics.calibration import EpsilonTarget, noise_for
from numerics.mechanisms import Gaussian
from numerics.membership import noise_scale, worst_case_data
from numerics.reconstruction.published import shipped_estimates
from numerics.relaxed.generalised_ratio import GeneralisedRatioTest, LogGammaNoise, RatioStatistic
from numerics.trade_off import Order
from pages.attackers.paper_tables import LEVELS, TRAINED
from pages.papers.paper_001.mechanism_level import PROMISES
from pages.papers.papers import BY_ADDRESS
from plotting.landscape import NOT_DOMINATED
from tests.pages.papers.drawings import alt, at, drawn, heights, means, series

TABLE = tomllib.loads(Path(__file__).with_name("readings.toml").read_text())
DEVIATIONS = 5.0  # of a mean over audits: 38 points a figure
SHIPPED = 1e-5  # numbers are shipped with six digits
HALF_A_UNIT = 0.005 + 1e-9  # of what is printed


def off(slug: str, name: str, other: str, places: Sequence[float] | None = None, value: float | None = None) -> float:
    """How far two lines are apart: at these places, or else wherever the first has a point."""
    own = series(slug, name, value)[0] if places is None else places
    return float(max(abs(at(slug, name, place, value) - at(slug, other, place, value)) for place in own))


def rises(numbers: Any) -> bool:
    return bool(np.all(np.diff(numbers) > 0.0))


NAMES: dict[str, Any] = {
    **{name: getattr(math, name) for name in ("comb", "exp", "sqrt", "isclose")},
    "alt": alt,
    "at": at,
    "heights": heights,
    "means": means,
    "off": off,
    "rises": rises,
    "np": np,
    "noise_scale": noise_scale,
    "worst_case_data": worst_case_data,
    "column": lambda slug, name, value=None: drawn(slug, value).columns[name],
    "counted": lambda slug, of, value: max(
        ratio
        for ratio, one in zip(
            drawn(slug, value).columns["log of the ratio"], drawn(slug, value).columns["of"], strict=True
        )
        if one == of
    ),
    "odds": lambda share: share / (1.0 - share),
    "spreads": lambda: np.random.default_rng(1).standard_normal((50_000, 10)).std(axis=1),
}


def near() -> Iterator[Any]:
    for group in TABLE["near"]:
        for question, expected, *over in group["rows"]:
            yield pytest.param(question, expected, over, group, id=question)


@pytest.mark.parametrize(("question", "expected", "over", "group"), list(near()))
def test_what_is_read_lies_where_it_must(question: str, expected: Any, over: list[Any], group: dict[str, Any]) -> None:
    """``over`` is the name of a number in the question, and its values."""
    name, values = over or ("_", [0])
    for value in values:
        names = {**NAMES, name: value}
        must = eval(expected, names) if isinstance(expected, str) else expected
        found = np.asarray(eval(question, names), dtype=float)
        tolerance = {"rel": group.get("rel", 0.0), "abs": group.get("abs", 0.0)}
        assert found == pytest.approx(np.broadcast_to(must, found.shape), **tolerance), group["source"]


@pytest.mark.parametrize("question", [question for group in TABLE["true"] for question in group["rows"]], ids=str)
def test_what_a_paper_says_in_words_holds_of_what_is_drawn(question: str) -> None:
    assert eval(question, dict(NAMES))


def held(name: str, **of: str) -> list[list[float]]:
    """Shipped rows with these cells, their numbers alone."""
    rows = [row for row in shipped.rows(name) if of.items() <= row.items()]
    return [[float(cell) for key, cell in row.items() if key != "run"] for row in rows]


@pytest.mark.nightly
def test_what_is_shipped_is_what_its_script_makes() -> None:
    """The first rows of each; the rest is computed the same way."""
    run = make_relaxed_reconstruction.RUNS[0]
    effect = make_reconstruction_over_effects.EFFECTS[9]
    every_effect = held("reconstruction_over_effects")
    place = list(shipped.rows("reconstruction_over_effects")[0]).index("effect")
    pairs: list[tuple[Any, list[list[float]]]] = [
        (
            [row[1:] for row in make_relaxed_reconstruction.rows(*run, 1.0)],
            held("relaxed_reconstruction", run=run[0], epsilon="1"),
        ),
        (make_reconstruction_over_effects.rows(effect), [row for row in every_effect if row[place] == effect]),
        (make_paper_004.gradient_rows(steps=(1,)), held("paper_004_fig_2c")),
        (make_paper_004.loss_rows(steps=(5,)), held("paper_004_fig_6")),
    ]
    for made, kept in pairs:
        rows = [list(row) for row in made]
        assert rows
        assert np.array(rows, dtype=float) == pytest.approx(np.array(kept[: len(rows)]), rel=SHIPPED)
    assert make_one_feature_task.table() == (shipped.DATA / "one_feature_task.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize("slug", ["000-fig-3b", "000-fig-3c", "000-fig-5b", "000-fig-6"])
def test_measured_curves_lie_on_the_theory(slug: str) -> None:
    for measured, theory in (("measured", "j"), ("reversed", "j⁻¹")):
        alpha, beta = series(slug, measured)
        expected = np.interp(alpha, *series(slug, theory))
        # An audit of so few rounds is a little off: ranks are whole numbers.
        error = np.sqrt(beta * (1.0 - beta) / 102_400) + np.sqrt(alpha * (1.0 - alpha) / 102_400) * 2.0
        assert np.all(np.abs(beta - expected) < DEVIATIONS * error + 0.5 / 1024), measured


@pytest.mark.parametrize("shape", [0.5, 20.0, 1000.0])
def test_lemma_5_is_drawn_with_either_estimate_and_said_of_the_restricted_one(shape: float) -> None:
    """The restricted estimate is both one-sided tests by definition; that of Eq. 26 departs where noise is skewed."""
    rates = np.linspace(0.01, 0.5, 50)
    restricted = GeneralisedRatioTest(LogGammaNoise(shape), 1.5, RatioStatistic.RESTRICTED)
    for words, side in (("up", 1.5), ("down", -1.5)):
        shown = [at("000-lemma-5", f"restricted: two tests, {words}", rate, shape) for rate in rates]
        assert shown == pytest.approx(restricted.errors(rates, side).beta, abs=1e-3)
    assert "unrestricted, Eq. 26, down" in drawn("000-lemma-5", shape).names
    apart = off("000-lemma-5", "unrestricted, Eq. 26, up", "restricted: two tests, up", rates.tolist(), shape)
    assert (apart > 0.03) == (shape <= 20.0)
    assert apart < 0.15
    assert words_said("000-lemma-5", shape) >= {"restricted", "definition"}


def words_said(slug: str, value: float) -> set[str]:
    """Words of what is said."""
    said = BY_ADDRESS[slug].said(drawn(slug, value))
    return {word.strip(".,:;") for word in said.split()}


def test_repeated_audits_have_the_mean_and_the_scatter_of_their_curves() -> None:
    draw = np.random.default_rng(0)
    scores = Scores(draw.standard_normal(200_000), draw.standard_normal(200_000) + 1.0)
    rates = np.array([0.1, 0.5])
    found = repeated(scores, 200, rates)
    assert found.mean == pytest.approx([0.6109, 0.1587], abs=4e-3)
    assert found.deviation == pytest.approx([0.0265, 0.0142], rel=0.2)  # by the delta method, of 1,000 rounds
    backwards = repeated(Scores(-scores.alternative, -scores.null), 200, rates)
    assert repeated(scores, 200, rates, Order.REMOVE).mean == pytest.approx(backwards.mean)
    with pytest.raises(ValueError, match="rounds of an audit"):
        repeated(Scores(np.zeros(100), np.zeros(100)), 60, np.array([0.1]))


def test_frontier_is_the_hull_of_our_own_alone() -> None:
    traces = [trace.to_plotly_json() for trace in drawn("001-fig-1").figure.data]
    assert NOT_DOMINATED not in [trace["name"] for trace in traces if "name" in trace]
    x, y = next((trace["x"], trace["y"]) for trace in traces if trace.get("name") == "convex hull")
    assert np.all(np.diff(np.diff(y) / np.diff(x)) <= 0.0)
    assert not set(np.round(x, 6)) & {2.48, 7.06, 7.79}


def test_models_together_show_no_more_than_theorem_2_allows_and_than_is_promised() -> None:
    for noise, promise in PROMISES.items():
        together, limit = (heights("001-theorem-4", name, noise)[0] for name in ("ε-bar", "Theorem 2's limit"))
        assert together <= limit
        assert limit == pytest.approx(np.log(np.mean(np.exp(heights("001-theorem-4", "ε* of a model", noise)))), 1e-5)
        if promise:
            release = Gaussian(1.0, 1.0, STEPS)
            found = noise_for(EpsilonTarget(float(promise), 1e-3), release).noise_multiplier
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
        assert BY_ADDRESS[slug].printed[0].value in (100.0, 1e8)


@pytest.mark.parametrize("data", TRAINED)
def test_every_cell_of_table_5_is_as_printed(data: str) -> None:
    slug = f"004-table-5-{data.lower()}"
    assert series(slug, "DP")[0] == pytest.approx(LEVELS)
    for notion in ("DP", "MIP"):
        assert len(heights(slug, notion)) == 20
        assert np.max(np.abs(heights(slug, notion) - heights(slug, f"{notion}, printed"))) <= HALF_A_UNIT


def test_likelihood_ratios_of_normal_values_reach_the_curve_of_normal_laws() -> None:
    """Members are shifted by one standard deviation: at a rate of 0.1 a share Phi(Phi^-1(0.1) + 1) = 0.389 is found."""
    draw = np.random.default_rng(0)
    members = draw.random((400, 300)) < 0.5
    noise = draw.standard_normal(members.shape)
    for values, power in ((noise + members, 0.389), (draw.standard_normal(members.shape), 0.1)):
        ratio = make_paper_004.log_ratios(values, members)
        assert np.mean(ratio[members] > np.quantile(ratio[~members], 0.9)) == pytest.approx(power, abs=0.01)
