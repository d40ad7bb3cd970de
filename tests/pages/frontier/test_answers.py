"""Noise and utility: the table of what is said of statistics, sweeps and trained models, and what a second way says."""

import contextlib
import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from losses import guess_roles, read_sweep
from numerics.frontier import Count, Histogram, Mean, Notion, PowerMeasure
from numerics.frontier import RegressionCoefficient as Regression
from numerics.frontier import Statistic as Released
from numerics.frontier.notions import FrontierQuestion
from numerics.mechanisms import Adjacency
from numerics.membership.halves import HalfReleases
from numerics.membership.one_swap import SwapNoise
from numerics.pareto import Better
from numerics.trade_off import Order
from numerics.training.data_sets import REAL_TABLES, real_table
from pages.frontier import own_table_answer as own
from pages.frontier import statistic_answer as answers
from pages.frontier import statistic_formulas as formulas
from pages.frontier import sweep, sweep_answer, trained_answer
from pages.frontier.limit import Limit
from pages.frontier.statistic_answer import StatisticAnswer, error
from pages.frontier.sweep_answer import FrontierKind, Limited, Weighed, weigh
from pages.frontier.sweep_source import SweepSource
from pages.frontier.trained_answer import TrainingChoice
from pages.server.shared_cache import PRIVATE
from pages.ui import downloads, threat_models
from pages.ui.limit import people
from pages.ui.plain_text import literal
from plotting.printed import drawing
from plotting.theme import Figure
from tests.pages.answers import Answers
from tests.pages.driver import visit
from tests.pages.frontier.test_trained import SWEPT
from tests.pages.visit import checked, give

TABLE = """strategy,run,accuracy,epsilon_star,epochs
baseline,1,0.86,2.4,10
baseline,2,0.88,2.6,10
baseline,1,0.91,7.0,50
DP,1,0.50,0.4,10
DP,2,0.52,0.6,10
DP,1,0.40,0.5,50
"""
FORTY = "strategy,seed,clip,learning rate,accuracy,epsilon_star\n" + "".join(
    f"s{row % 40},{row},{1 + row % 3},{0.1 + row % 5},{0.5 + 0.004 * row:.4f},{1 + row * 37 % 41:.2f}\n"
    for row in range(107)
)
HULL = FrontierKind.HULL
LAST_DIGIT = 1e-3  # a noise scale is rounded up to four digits, by so much at most
LIMITS = (Limit(0.04, 0.01), Limit(0.002, 0.001), Limit(0.6, 0.1))
STATISTICS = (Mean(10_000), Count(10_000), Histogram(2000, 20), Regression(500, 3))
ADD_REMOVE, REPLACE_ONE = Adjacency.ADD_REMOVE, Adjacency.REPLACE_ONE


def made(table: str, privacy: Better | None = None, **roles: Any) -> SweepSource:
    found, name = read_sweep(table.encode()), "sweep.csv"
    guessed = guess_roles(found)
    read = replace(guessed, privacy_better=privacy or guessed.privacy_better)
    snippet = (f"read_sweep(open({name!r}, 'rb').read())", ())
    return replace(SweepSource("key", name, found, read, False, snippet, ""), **roles)


def within(found: Weighed, limit: float, on_privacy: bool = True) -> Limited:
    bound, free = (found.privacy, found.utility) if on_privacy else (found.utility, found.privacy)
    return Limited(bound, free, limit, on_privacy, found.best(bound, free, limit))


def asked(released: Released, found: float, alpha: float = 0.01, neighbours: Adjacency = ADD_REMOVE) -> StatisticAnswer:
    return StatisticAnswer(FrontierQuestion(released, PowerMeasure(alpha), neighbours), Limit(found, alpha))


def drawn(draw: Any, **chosen: Any) -> dict[str, Any]:
    figure = draw(replace(TrainingChoice(SWEPT, Limit(0.02, 0.01)), **chosen))
    Figure(figure.to_dict())  # pages skip Plotly's own check of attributes; here it runs
    return {str(trace["name"]): trace for trace in figure.data}


SWEEP, MEAN = weigh(made(TABLE)), asked(Mean(10_000), 0.04)
test_table = Answers(__file__, globals()).test()


@pytest.mark.parametrize("limit", LIMITS, ids=str)
@pytest.mark.parametrize("released", STATISTICS, ids=str)
def test_every_statistic_has_its_snippet_and_is_free_exactly_from_the_people_on(
    released: Released, limit: Limit
) -> None:
    setting, printed = asked(released, limit.found, limit.alpha), io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(formulas.snippet(setting), {})
    for notion, found in setting.costs.items():
        needed = setting.people_needed(notion)
        line = f"{notion}: noise {found.scale.item()!r}, error {found.error.item()!r}, "
        assert f"{line}people needed {needed}\n" in printed.getvalue()
    assert repr(released.sampling_error) in printed.getvalue()
    assert len(formulas.formulas(setting)) == 7
    people = setting.people_needed(Notion.FULL, 0.1)
    assert people is not None
    for count, is_free in ((people, True), (people - 1, False)):
        fewer = asked(replace(released, people=count), limit.found, limit.alpha)
        assert (error(fewer.full) <= 0.1 * fewer.released.sampling_error) is is_free
        said = answers.verdict(fewer)
        assert f"from **{people:,}** people on" in said
        assert ("as from" in said) is is_free


@pytest.mark.parametrize("neighbours", [ADD_REMOVE, REPLACE_ONE])  # those that the page offers
def test_what_stands_beside_full_knowledge_compares_the_same_neighbours(neighbours: Adjacency) -> None:
    """In the figures, the sentence, the metrics and the answer to the inverse question; and nobody costs more."""
    beside = {
        ADD_REMOVE: [Notion.FULL, Notion.RECORD, Notion.SUBSET],
        REPLACE_ONE: [Notion.FULL, Notion.SUBSET, Notion.OTHERS],
    }[neighbours]
    setting = asked(Mean(10_000, 3), 0.05, 0.01, neighbours)
    shown, refused, said = setting.beside, setting.refused, answers.said(setting).verdict
    assert [one.notion for one in shown] == beside
    assert ("Record unknown:" in said) == (Notion.RECORD not in refused) == (neighbours is ADD_REMOVE)
    assert ("Other records unknown:" in said) == (neighbours is REPLACE_ONE)
    sheet = answers.promises(setting)
    assert [row[0] for row in sheet[0].rows] == beside
    assert all(error(one) <= error(shown[0]) for one in shown)


@pytest.mark.parametrize("neighbours", [ADD_REMOVE, REPLACE_ONE])
@pytest.mark.parametrize("released", STATISTICS, ids=str)
def test_the_release_on_the_sheet_finds_what_the_limit_permits(released: Released, neighbours: Adjacency) -> None:
    setting = asked(released, 0.04, 0.01, neighbours)
    release = answers.release(setting)
    assert release.mechanism.power(0.01, Order.ADD).upper == pytest.approx(0.04, rel=1e-9)


@pytest.mark.parametrize("goal", [1e-3, 0.1, 0.45])
def test_least_noise_keeps_eta_and_every_guarantee_asks_for_more(goal: float) -> None:
    values = real_table(REAL_TABLES[0])["mean brightness"][:8]
    found = own.answered(own.TableQuestion(values, None, (own.MEAN,), 0.1, 10, SwapNoise.LAPLACE, LIMITS[0], goal))
    scales = {way: factor * found.units[own.MEAN] for way, factor in found.factors.items()}
    assert min(scales.values()) == scales[own.LEAST]
    assert scales[own.SWAP] <= scales[own.PRIVATE] * (1.0 + LAST_DIGIT)
    assert scales.keys() == found.etas.keys()
    assert max(found.etas.values()) <= goal
    halves = HalfReleases.of(values, lambda members: np.asarray(np.mean(members, axis=1)))
    assert halves.eta(scales[own.LEAST] * (1 - LAST_DIGIT)) > goal
    pairs = list(zip(halves.statistics, halves.inside, strict=True))
    changes = [abs(a - b) for a, first in pairs for b, second in pairs if np.sum(first & ~second) == 1]
    assert scales[own.PRIVATE] == pytest.approx(max(changes) / SwapNoise.LAPLACE.shift_of(2.0 * goal))


def test_what_moves_under_the_finger_is_what_the_page_says_and_draws_there() -> None:
    asked_of = replace(MEAN.asked, measure=PowerMeasure(0.001))
    for states in (answers.states(asked_of), trained_answer.states("digits", 0.001)):
        assert list(states)[:3] == ["12", "15", "20"]
        for place in ("20", "600"):
            limit = Limit(float(place) / 10_000, 0.001)
            statistic, models = StatisticAnswer(asked_of, limit), TrainingChoice(trained_answer.swept("digits"), limit)
            state = states[place]
            said, most = trained_answer.said(models), people(models.most)
            if "frontier.by_success" in state.figures:
                said, most = answers.said(statistic), float(place)
            assert list(state.texts["frontier.answer"]) == [said.sentence, f"{said.verdict} {said.reason}".strip()]
            moved: Any = next(iter(state.figures.values()))
            assert moved["shapes"]["0"]["x0"] == most


def test_figures_of_a_statistic_cross_where_the_noise_costs_as_much_as_sampling_and_the_file_has_their_lines() -> None:
    strict = asked(Mean(10_000, 5), 0.0115)
    for notion in answers.DRAWN:
        for mark in answers.crossing(strict, notion):
            sampling = Mean(int(mark.across), 5).sampling_error
            assert mark.error <= sampling
            if notion is not Notion.OTHERS:  # whose noise may vanish before it costs as little
                assert mark.error == pytest.approx(sampling, rel=5 / mark.across)
    lines = answers.lines(MEAN)
    full, record, sample = (model.short for model in (threat_models.FULL, threat_models.RELAXED, threat_models.SAMPLE))
    assert [line.label for line in lines] == [full, record, sample]
    frame = pd.read_csv(io.StringIO(answers.lines_table(lines, {"limit": "0.04"})), comment="#")
    np.testing.assert_array_equal(frame.iloc[:, -1], np.concatenate([line.error for line in lines]))
    shown: Any = answers.panels(MEAN)[0].figure  # names stand beside their lines on the sheet, too
    beside = [f"l{note.ax:g} {note.ay:g}" for note in shown.layout.annotations if note.showarrow]
    assert len(beside) == 2
    assert all(place in str(drawing(shown, "")) for place in beside)


def test_the_sweep_taken_away_reads_back_and_its_snippet_finds_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = made(TABLE.replace("DP,", "=DP(),"))
    found = weigh(source)
    text = downloads.table(sweep_answer.columns(found, found.on(HULL)), sweep_answer.parameters(source, found, HULL))
    frame = pd.read_csv(io.StringIO(text), comment="#")
    assert frame["strategy"].tolist() == ["'=DP(), epochs 10", "baseline, epochs 10", "baseline, epochs 50"]
    assert frame["accuracy, mean"].tolist() == pytest.approx([0.51, 0.87, 0.91])
    assert frame["epsilon_star, highest"].tolist() == [0.6, 2.6, 7.0]
    assert frame["elbow"].tolist() == ["no", "yes", "no"]
    assert "# privacy: epsilon_star, lower is better" in text
    (tmp_path / "sweep.csv").write_text(TABLE)
    monkeypatch.chdir(tmp_path)
    out = io.StringIO()
    with contextlib.redirect_stdout(out), pytest.warns(ResourceWarning):
        exec(sweep.snippet(made(TABLE)), {})
    on_both = "['baseline, epochs 10', 'baseline, epochs 50', 'DP, epochs 10']"
    assert out.getvalue().splitlines() == [f"non_dominated {on_both}", f"hull {on_both}", "elbow baseline, epochs 10"]


def test_every_sign_of_a_strangers_name_is_escaped_where_it_is_said() -> None:
    name = "<b>n</b> :smile: **n** [p](a://b) $x$ =1 a\u202eb"
    found = weigh(made(f'strategy,"{name}",eps\n"{name}",0.5,1\nb,0.9,2\nc,0.95,9\n'))
    texts = [
        *sweep_answer.sentences(found, HULL),
        sweep_answer.sentence(found, within(found, 1.0)),
        sweep_answer.at(found.utility, 0),
    ]
    assert all(literal(name) in text for text in texts)
    assert not any(name in text for text in texts)


def test_a_file_and_its_weighing_go_when_it_is_removed() -> None:
    query = "frontier?frontier.weigh=your+own+sweep&frontier.land_from=a+file"
    app = give(visit(query), ("sweep.csv", TABLE.encode()))
    assert f"{PRIVATE}frontier.land_file_made_weighed" in app.session_state
    (remove,) = (button for button in app.button if button.label == "Remove")
    checked(remove.click().run())
    assert not app.session_state["frontier.land_file_place"].files
    assert f"{PRIVATE}frontier.land_file_made_weighed" not in app.session_state
