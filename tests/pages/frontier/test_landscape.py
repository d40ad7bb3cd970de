"""A sweep that is weighed: what is said of it and of its points, names as text, the axes, and what is taken away."""

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
from numerics.pareto import Better
from pages.frontier.landscape import controls, details, tables, words
from pages.frontier.landscape import view as landscape
from pages.frontier.landscape.controls import Limited
from pages.frontier.landscape.pareto import FrontierKind, Weighed, weigh
from pages.frontier.landscape.source import SweepSource
from pages.ui import csv_tables
from pages.ui.plain_text import literal
from tests.pages.uploading import change, confirm, give
from tests.pages.visit import app_at, checked, visited

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


def made(table: str, privacy: Better | None = None) -> SweepSource:
    found, name = read_sweep(table.encode()), "sweep.csv"
    guessed = guess_roles(found)
    read = replace(guessed, privacy_better=privacy or guessed.privacy_better)
    snippet = (f"read_sweep(open({name!r}, 'rb').read())", ())
    return SweepSource("key", name, found, read, False, read.strategy, snippet, "")


def plain(text: str) -> str:
    """As it is read: without escapes and stars."""
    return re.sub(r"\\(.)|\u2060", r"\1", text).replace("**", "")


def said(found: Weighed) -> str:
    return plain(" ".join(words.sentences(found, HULL)))


def limited(found: Weighed, limit: float, on_privacy: bool = True) -> Limited:
    bound, free = (found.privacy, found.utility) if on_privacy else (found.utility, found.privacy)
    return Limited(bound, free, limit, on_privacy, found.best(bound, free, limit))


def test_keys_are_the_views_own() -> None:
    assert all(key.startswith("frontier.land_") for key in landscape.KEYS)
    assert set(controls.AXES) < set(controls.KEYS)


@pytest.mark.parametrize(
    ("rows", "privacy", "sentence"),
    [
        (
            TABLE,
            None,
            "Of 2 strategies in 4 settings, 3 are on the frontier. Its elbow is “baseline, epochs 10”: accuracy 0.87 "
            "at epsilon_star 2.5. Better privacy than that costs 0.36 of accuracy: the next more private strategy has "
            "accuracy 0.51 at epsilon_star 0.5. Better utility costs 4.5 of epsilon_star: the next has accuracy 0.91",
        ),
        (
            TABLE,
            Better.HIGHER,
            "Of 2 strategies in 4 settings, 1 is on the frontier: “baseline, epochs 50”, accuracy 0.91 at epsilon_star",
        ),
        ("strategy,acc,eps\na,0.5,1\n", None, "There is one strategy, “a”: acc 0.5 at eps 1."),
        (
            "strategy,acc,eps\na,0.5,1\nb,0.6,2\n",
            None,
            "It has no elbow: it runs straight from “a”, acc 0.5 at eps 1, to “b”",
        ),
        ("strategy,acc,eps\na,0.5,1\nb,0.5,1\n", None, "Of 2 strategies, 2 are on the frontier. It has no elbow"),
        ("strategy,acc,eps\na,0.8,1\nb,0.6,2\n", None, "has acc 0.6 at eps 2: it gives up 0.2 of acc and 1 of eps."),
    ],
)
def test_a_sweep_is_weighed_in_words(rows: str, privacy: Better | None, sentence: str) -> None:
    assert sentence in said(weigh(made(rows, privacy)))


@pytest.mark.parametrize(
    ("limit", "on_privacy", "sentence", "verdict"),
    [
        (
            1.0,
            True,
            "For epsilon_star at most 1, choose “DP, epochs 10”: accuracy 0.51, 0.4 less than the best of all.",
            "Limit met, at 0.5: the best of 2.",
        ),
        (
            0.9,
            False,
            "For accuracy at least 0.9, choose “baseline, epochs 50”: epsilon_star 7, 6.5 more than the best of all.",
            "Limit met, at 0.91: the best of 1.",
        ),
        (
            0.1,
            True,
            "No strategy has epsilon_star at most 0.1. The closest is “DP, epochs 10”, with epsilon_star 0.5.",
            "Limit not met.",
        ),
        (
            9.0,
            True,
            "For epsilon_star at most 9, choose “baseline, epochs 50”: accuracy 0.91, the best of all.",
            "Limit met, at 7: the best of 4.",
        ),
    ],
)
def test_the_best_within_the_limit(limit: float, on_privacy: bool, sentence: str, verdict: str) -> None:
    found = weigh(made(TABLE))
    chosen = limited(found, limit, on_privacy)
    assert plain(words.sentence(found, chosen)) == sentence
    assert verdict in words.verdict(chosen)
    started = replace(chosen, start="at the elbow", chosen=0)
    assert "No limit is set; one at the elbow is taken: the best of " in words.verdict(started)


def test_forty_strategies_stay_forty_whatever_else_varies() -> None:
    found = weigh(made(FORTY))
    assert "Of 40 strategies in 107 settings" in said(found)
    assert found.strategies == len(set(found.kinds)) == 40
    assert len(found.sweep) == 107


@pytest.mark.parametrize(
    ("column", "kinds", "kind"),
    [("clip", 3, "2"), ("learning rate", 5, "2.1"), ("seed", 4, "seed ≤ "), ("epsilon_star", 4, "epsilon_star ")],
)
def test_any_column_is_the_colour(column: str, kinds: int, kind: str) -> None:
    """Few numbers each have a colour, many are put together by quarters."""
    found = weigh(replace(made(FORTY), colours=column))
    assert len(set(found.kinds)) == kinds
    assert found.kinds[next(at for at, name in enumerate(found.names) if name.startswith("s7,"))].startswith(kind)


def test_details_say_all_of_a_run_and_what_beats_it() -> None:
    found = weigh(made(TABLE))
    assert details.numbers(found, found.names.index("DP, epochs 50")) == {
        "epochs": "50",
        "accuracy": "0.4",
        "epsilon_star": "0.5",
        "runs": "1, first in row 6",
        "not dominated": "no: 1 beats it",
    }
    assert details.numbers(found, found.names.index("baseline, epochs 10"))["accuracy"] == "0.87 (0.86 to 0.88)"
    assert [details.beaten_by(found, one) == 0 for one in range(4)] == found.not_dominated.tolist()


def test_brushed_runs_have_ends_and_a_best_within_the_limit() -> None:
    found, every = weigh(made(TABLE)), np.arange(4)
    (text,) = details.in_common(found, limited(found, 1.0), every)
    assert "Brushed: 4 points of 2 strategies, accuracy 0.4 to 0.91, epsilon_star 0.5 to 7." in plain(text)
    assert "Best within my limit: “DP, epochs 10”, accuracy 0.51." in plain(text)
    (text,) = details.in_common(found, limited(found, 1.0), every[:2])
    assert "None keeps my limit." in text


def test_what_is_selected_is_looked_up_by_its_place_and_nonsense_is_passed_over() -> None:
    found = weigh(made(TABLE))
    points = [{"customdata": 2}, {"customdata": [0]}, {"customdata": 99}, {"customdata": None}, {}, {"customdata": 2}]
    event = SimpleNamespace(selection=SimpleNamespace(points=points))
    assert details.selected(event, found).tolist() == [0, 2]
    assert details.chart_key(made(TABLE)) != details.chart_key(replace(made(TABLE), colours="epochs"))


@pytest.mark.parametrize("is_log", [False, True])
def test_axes_are_held_where_they_fit(is_log: bool) -> None:
    """In the units of the goals; only that of privacy can be logarithmic."""
    linear, held = (controls._held(weigh(made(TABLE)), one) for one in (False, is_log))
    assert [held[key] for key in controls.AXES[2:]] == [linear[key] for key in controls.AXES[2:]]
    assert (held[controls.AXES[0]] != linear[controls.AXES[0]]) is is_log
    for keys, first, last in ((controls.AXES[:2], 0.5, 7.0), (controls.AXES[2:], 0.4, 0.91)):
        low, high = (held[key] for key in keys)
        assert low is not None
        assert high is not None
        assert low <= first
        assert last <= high


def test_the_table_taken_away_reads_back() -> None:
    source = made(TABLE.replace("DP,", "=DP(),"))
    found = weigh(source)
    text = csv_tables.table(tables.columns(found, found.on(HULL)), tables.parameters(source, found, HULL))
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


@pytest.mark.parametrize("name", ["<b>n</b> :smile: **n**", "[p](a://b) $x$ =1 a\u202eb"])
def test_names_are_text(name: str) -> None:
    """Every sign of a stranger's name is escaped where it is said."""
    found = weigh(made(f'strategy,"{name}",eps\n"{name}",0.5,1\nb,0.9,2\nc,0.95,9\n'))
    texts = [*words.sentences(found, HULL), words.sentence(found, limited(found, 1.0)), words.at(found.utility, 0)]
    assert all(literal(name) in text for text in texts)
    assert not any(name in text for text in texts)


def test_a_file_and_its_weighing_go_when_it_is_removed_and_so_does_pasted_text() -> None:
    query = {"frontier.weigh": "your own sweep", "frontier.land_from": "a file"}
    app = change(give(visited(app_at("frontier"), query), ("sweep.csv", TABLE.encode())))
    (remove,) = (button for button in app.button if button.label == "Remove")
    checked(remove.click().run())
    assert not app.session_state["frontier.land_file_place"].files
    assert "frontier.land_file_made_weighed" not in app.session_state
    app = visited(app_at("frontier"), query | {"frontier.land_from": "pasted text"})
    for text, there in ((TABLE, True), (" ", False)):
        confirm(checked(app.text_area("frontier.land_text").set_value(text).run()))
        assert ("frontier.land_pasted_made_weighed" in app.session_state) is there
