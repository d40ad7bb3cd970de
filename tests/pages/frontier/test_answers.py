"""Noise and utility: the table of what is said of statistics, sweeps and trained models, and what a second way says."""

import contextlib
import io
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from losses import guess_roles, read_sweep
from numerics.frontier import AdvantageMeasure, Count, EpsilonMeasure, Histogram, Mean, Measure, Notion, PowerMeasure
from numerics.frontier import RegressionCoefficient as Regression
from numerics.frontier import Statistic as Released
from numerics.frontier.notions import FrontierQuestion
from numerics.mechanisms import Adjacency
from numerics.pareto import Better
from numerics.training import Checkpoint, Strategy
from pages.frontier import statistic_answer as answers
from pages.frontier import statistic_formulas as formulas
from pages.frontier import sweep, sweep_answer
from pages.frontier.statistic_answer import Extra, StatisticSetting, error
from pages.frontier.sweep_answer import FrontierKind, Limited, Weighed, weigh
from pages.frontier.sweep_source import SweepSource
from pages.frontier.trained_answer import Swept
from pages.server.shared_cache import PRIVATE
from pages.ui import csv_tables
from pages.ui.plain_text import literal
from pages.ui.threat_models import notions
from plotting.theme import Figure
from tests.pages.answers import Answers
from tests.pages.driver import visit
from tests.pages.frontier.test_trained import PLAN, SWEPT, looked_at
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
MEASURES = ((PowerMeasure(0.01), 0.04), (AdvantageMeasure(), 0.1), (EpsilonMeasure(1e-5), 1.0))
STATISTICS = (Mean(10_000), Count(10_000), Histogram(2000, 20), Regression(500, 3))
ADD_REMOVE, REPLACE_ONE = Adjacency.ADD_REMOVE, Adjacency.REPLACE_ONE


def made(table: str, privacy: Better | None = None, **roles: Any) -> SweepSource:
    found, name = read_sweep(table.encode()), "sweep.csv"
    guessed = guess_roles(found)
    read = replace(guessed, privacy_better=privacy or guessed.privacy_better)
    snippet = (f"read_sweep(open({name!r}, 'rb').read())", ())
    return replace(SweepSource("key", name, found, read, False, read.strategy, snippet, ""), **roles)


def within(found: Weighed, limit: float, on_privacy: bool = True) -> Limited:
    bound, free = (found.privacy, found.utility) if on_privacy else (found.utility, found.privacy)
    return Limited(bound, free, limit, on_privacy, found.best(bound, free, limit))


def asked(released: Released, measure: Measure, goal: float, neighbours: Adjacency = ADD_REMOVE) -> StatisticSetting:
    return StatisticSetting(FrontierQuestion(released, measure, neighbours), goal, tuple(Extra), True)


def way(strategy: Strategy, goal: float, accuracies: tuple[float, ...], powers: tuple[float, ...]) -> list[Checkpoint]:
    """Two runs, a point apart, after even shares of the steps; epsilon is about ten times the members found."""
    made: Any = partial(Checkpoint, strategy=strategy, goal=goal, auroc=(0.9, 0.9))
    steps = [PLAN.recipe.steps * number // len(accuracies) for number in range(1, 1 + len(accuracies))]
    return [
        made(step=step, guaranteed_epsilon=epsilon, guaranteed_power=power, accuracy=(middle - 0.005, middle + 0.005))
        for step, middle, power in zip(steps, accuracies, powers, strict=True)
        for epsilon in [np.inf if power == 1.0 else 10.0 * power - 0.0005]
    ]


FOLLOWED = replace(
    SWEPT,
    path=(
        *way(Strategy.FULL, 0.02, (0.6, 0.8, 0.82), (0.012, 0.0165, 0.02)),
        *way(Strategy.FULL, 0.1, (0.8, 0.9, 0.87), (0.03, 0.06, 0.1)),
        *way(Strategy.OTHERS, 0.02, (0.9, 0.95, 0.96), (1.0, 1.0, 1.0)),
        *way(Strategy.NON_PRIVATE, float("nan"), (0.9, 0.95, 0.96), (1.0, 1.0, 1.0)),
    ),
)


def drawn(draw: Any, swept: Swept = SWEPT, **chosen: Any) -> dict[str, Any]:
    figure = draw(swept, replace(looked_at(), **chosen))
    Figure(figure.to_dict())  # pages skip Plotly's own check of attributes; here it runs
    return {str(trace["name"]): trace for trace in figure.data}


SWEEP, MEAN = weigh(made(TABLE)), asked(Mean(10_000), PowerMeasure(0.01), 0.04)
ANSWERS = Answers(__file__, globals())


@pytest.mark.parametrize(("part", "row"), ANSWERS.rows())
def test_table(part: str, row: list[object]) -> None:
    ANSWERS.check(part, row)


@pytest.mark.parametrize(("measure", "goal"), MEASURES, ids=str)
@pytest.mark.parametrize("released", STATISTICS, ids=str)
def test_every_statistic_has_its_snippet_and_is_free_exactly_from_the_people_on(
    released: Released, measure: Measure, goal: float
) -> None:
    setting, printed = asked(released, measure, goal), io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(formulas.snippet(setting), {})
    for notion, found in answers.at_limit(setting)[0].items():
        needed = answers.people_needed(setting.asked, notion, goal)
        line = f"{notion}: noise {found.scale.item()!r}, error {found.error.item()!r}, "
        assert f"{line}people needed {needed}\n" in printed.getvalue()
    assert repr(released.sampling_error) in printed.getvalue()
    assert len(formulas.formulas(setting)) == 7
    people = answers.people_needed(setting.asked, Notion.FULL, goal, 0.1)
    assert people is not None
    for count, is_free in ((people, True), (people - 1, False)):
        fewer = asked(replace(released, people=count), measure, goal)
        costs = answers.at_limit(fewer)[0]
        assert (error(costs[Notion.FULL]) <= 0.1 * fewer.released.sampling_error) is is_free
        said = answers.verdict(fewer, costs)
        assert f"from **{people:,}** people on" in said
        assert ("as from" in said) is is_free


@pytest.mark.parametrize("neighbours", [ADD_REMOVE, REPLACE_ONE])  # those that the page offers
def test_what_stands_beside_full_knowledge_compares_the_same_neighbours(neighbours: Adjacency) -> None:
    """In the figures, the sentence, the metrics and the answer to the inverse question; and nobody costs more."""
    beside = {
        ADD_REMOVE: [Notion.FULL, Notion.FULL_LAPLACE, Notion.RECORD, Notion.SUBSET],
        REPLACE_ONE: [one for one in Notion if one is not Notion.RECORD],
    }[neighbours]
    setting = asked(Mean(10_000, 3), AdvantageMeasure(), 0.1, neighbours)
    found, refused = answers.at_limit(setting)
    shown = answers.drawn(setting, found)
    said = answers.said(setting, found).verdict
    assert [one.notion for one in shown] == beside
    assert ("Record unknown:" in said) == (Notion.RECORD not in refused) == (neighbours is ADD_REMOVE)
    assert ("Other records unknown:" in said) == (neighbours is REPLACE_ONE)
    assert [one.removesuffix(" (estimate)") for one in answers.reached(setting, 1e-4)["attacker"]] == beside
    own = (Notion.RECORD, Notion.SUBSET, Notion.OTHERS)
    assert all(error(one) <= error(shown[0]) for one in shown if one.notion in own)


def test_figures_of_a_statistic_cross_where_the_noise_costs_as_much_as_sampling_and_the_file_has_their_lines() -> None:
    strict = asked(Mean(10_000, 5), AdvantageMeasure(), 0.01)
    for notion in answers.at_limit(strict)[0]:
        for mark in answers.crossing(strict, notion):
            sampling = Mean(int(mark.across), 5).sampling_error
            assert mark.error <= sampling
            if notion is not Notion.OTHERS:  # whose noise may vanish before it costs as little
                assert mark.error == pytest.approx(sampling, rel=5 / mark.across)
    lines = answers.lines(MEAN, answers.drawn(MEAN, answers.at_limit(MEAN)[0]))
    full, record, sample = (model.short for model in (notions.FULL, notions.RELAXED, notions.SAMPLE))
    assert [line.label for line in lines] == [full, f"{full}, Laplace noise", record, sample]
    frame = pd.read_csv(io.StringIO(answers.lines_table(lines, {"limit": "0.04"})), comment="#")
    np.testing.assert_array_equal(frame.iloc[:, -1], np.concatenate([line.error for line in lines]))


def test_the_sweep_taken_away_reads_back_and_its_snippet_finds_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = made(TABLE.replace("DP,", "=DP(),"))
    found = weigh(source)
    text = csv_tables.table(sweep_answer.columns(found, found.on(HULL)), sweep_answer.parameters(source, found, HULL))
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
