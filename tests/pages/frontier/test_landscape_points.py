"""Points of the view “your own sweep”: their colours, details of one and of several, and what is taken away."""

import contextlib
import io
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from losses import guess_roles, read_sweep
from pages.frontier.landscape import details, tables, words
from pages.frontier.landscape.controls import Limited
from pages.frontier.landscape.pareto import FrontierKind, weigh
from pages.frontier.landscape.source import SweepSource
from pages.ui import csv_tables
from tests.pages.frontier.test_landscape import TABLE, pasted, said

FORTY = "strategy,seed,clip,learning rate,accuracy,epsilon_star\n" + "".join(
    f"s{row % 40},{row},{1 + row % 3},{0.1 + row % 5},{0.5 + 0.004 * row:.4f},{1 + row * 37 % 41:.2f}\n"
    for row in range(107)
)


def test_forty_strategies_stay_forty_whatever_else_varies() -> None:
    app = pasted(FORTY)
    assert "Of 40 strategies in 107 settings" in said(app)
    found = weigh(made(FORTY))
    assert found.strategies == len(set(found.kinds)) == 40
    assert len(found.sweep) == 107


@pytest.mark.parametrize(("column", "kinds"), [("clip", 3), ("learning rate", 5), ("seed", 4), ("epsilon_star", 4)])
def test_any_column_is_the_colour(column: str, kinds: int) -> None:
    """Few numbers each have a colour, many are put together by quarters."""
    found = weigh(replace(made(FORTY), colours=column))
    assert len(set(found.kinds)) == kinds
    place = found.names.index(next(name for name in found.names if name.startswith("s7,")))
    assert found.kinds[place] == {"clip": "2", "learning rate": "2.1"}.get(column, found.kinds[place])


def test_details_say_all_of_a_run_and_what_beats_it() -> None:
    found = weigh(made(TABLE))
    place = found.names.index("DP, epochs 50")
    assert details.numbers(found, place) == {
        "epochs": "50",
        "accuracy": "0.4",
        "epsilon_star": "0.5",
        "runs": "1, first in row 6",
        "not dominated": "no: 1 beats it",
    }
    assert details.numbers(found, found.names.index("baseline, epochs 10"))["accuracy"] == "0.87 (0.86 to 0.88)"
    assert [details.beaten_by(found, one) == 0 for one in range(4)] == found.not_dominated.tolist()


def test_brushed_runs_have_ends_and_a_best_within_the_limit() -> None:
    found = weigh(made(TABLE))
    limited = Limited(found.privacy, found.utility, 1.0, True, None)
    every = np.arange(4)
    (words,) = details.in_common(found, limited, every)
    text = re.sub(r"\\(.)|\u2060", r"\1", words).replace("**", "")
    assert "Brushed: 4 points of 2 strategies, accuracy 0.4 to 0.91, epsilon_star 0.5 to 7." in text
    assert "Best within my limit: “DP, epochs 10”, accuracy 0.51." in text
    (words,) = details.in_common(found, limited, every[:2])
    assert "None keeps my limit." in words


def test_what_is_selected_is_looked_up_by_its_place_and_nonsense_is_passed_over() -> None:
    found = weigh(made(TABLE))
    points = [{"customdata": 2}, {"customdata": [0]}, {"customdata": 99}, {"customdata": None}, {}, {"customdata": 2}]
    event = SimpleNamespace(selection=SimpleNamespace(points=points))
    assert details.selected(event, found).tolist() == [0, 2]
    assert details.chart_key(made(TABLE)) != details.chart_key(replace(made(TABLE), colours="epochs"))


def made(table: str, name: str = "sweep.csv") -> SweepSource:
    data = table.encode()
    found = read_sweep(data)
    roles = guess_roles(found)
    return SweepSource(
        "key", name, found, roles, False, roles.strategy, (f"read_sweep(open({name!r}, 'rb').read())", ()), ""
    )


def test_the_table_taken_away_reads_back() -> None:
    source = made(TABLE.replace("DP,", "=DP(),"))
    found = weigh(source)
    columns = tables.columns(found, found.on(FrontierKind.HULL))
    text = csv_tables.table(columns, tables.parameters(source, found, FrontierKind.HULL))
    frame = pd.read_csv(io.StringIO(text), comment="#")
    assert frame["strategy"].tolist() == ["'=DP(), epochs 10", "baseline, epochs 10", "baseline, epochs 50"]
    assert frame["accuracy, mean"].tolist() == pytest.approx([0.51, 0.87, 0.91])
    assert frame["epsilon_star, highest"].tolist() == [0.6, 2.6, 7.0]
    assert frame["elbow"].tolist() == ["no", "yes", "no"]
    assert "# privacy: epsilon_star, lower is better" in text


def test_the_snippet_finds_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sweep.csv").write_text(TABLE)
    monkeypatch.chdir(tmp_path)
    out = io.StringIO()
    with contextlib.redirect_stdout(out), pytest.warns(ResourceWarning):
        exec(words.snippet(made(TABLE)), {})
    assert out.getvalue().splitlines() == [
        "non_dominated ['baseline, epochs 10', 'baseline, epochs 50', 'DP, epochs 10']",
        "hull ['baseline, epochs 10', 'baseline, epochs 50', 'DP, epochs 10']",
        "elbow baseline, epochs 10",
    ]
