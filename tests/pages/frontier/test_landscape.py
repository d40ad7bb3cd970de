"""The view “your own sweep”: presets, files and pasted text; what it says, and what it takes away."""

import contextlib
import io
import re
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from losses import guess_roles, read_sweep
from losses.sweeps.samples import SWEEPS, SweepSample
from pages.frontier.landscape import tables, words
from pages.frontier.landscape import view as landscape
from pages.frontier.landscape.pareto import Frontier, weigh
from pages.frontier.landscape.source import Source
from pages.ui import csv_tables
from pages.ui.uploads import literal
from tests.pages.visit import checked, visited

SECONDS = 60  # the first run imports Plotly on a busy machine
TABLE = """strategy,run,accuracy,epsilon_star,epochs
baseline,1,0.86,2.4,10
baseline,2,0.88,2.6,10
baseline,1,0.91,7.0,50
DP,1,0.50,0.4,10
DP,2,0.52,0.6,10
DP,1,0.40,0.5,50
"""
SCRIPT = """
import streamlit as st
from pages.ui import page_state
from pages.frontier.landscape import view as landscape
page_state.restore(landscape.KEYS)
landscape.draw(st.container())
page_state.note(landscape.KEYS)
"""


def page(**query: str) -> AppTest:
    return visited(AppTest.from_string(SCRIPT, default_timeout=SECONDS), query)


def paste(app: AppTest, text: str) -> AppTest:
    return checked(app.text_area("land_text").set_value(text).run())


def pasted(text: str, **query: str) -> AppTest:
    return paste(page(land_from="pasted text", **query), text)


def a_file(data: bytes, name: str = "sweep.csv") -> AppTest:
    app = page(land_from="a file")
    app.file_uploader[0].set_value((name, data, "text/csv"))
    return checked(app.run())


def said(app: AppTest) -> str:
    """What is read: without the escapes."""
    blocks = [*app.markdown, *app.caption, *app.error, *app.warning, *app.info]
    return " ".join(re.sub(r"\\(.)|\u2060", r"\1", str(block.value)) for block in blocks).replace("**", "")


def pick(app: AppTest, label: str, value: str) -> AppTest:
    (box,) = (box for box in app.selectbox if box.label == label)
    return checked(box.select(value).run())


def metric(app: AppTest, label: str) -> str:
    (found,) = (one for one in app.metric if one.label == label)
    return str(found.value)


def test_keys_are_the_views_own() -> None:
    assert all(key.startswith("land_") for key in landscape.KEYS)


@pytest.mark.parametrize("sample", SWEEPS, ids=lambda sample: sample.name)
def test_a_shipped_sweep_from_its_address(sample: SweepSample) -> None:
    app = page(land_from=sample.name)
    assert "on the frontier" in said(app)
    assert not app.error


def test_published_points() -> None:
    words = said(page(land_from="000 Fig. 4a, CIFAR-10"))
    assert (
        "Of 2 strategies, 1 is on the frontier: “noise for a record unknown (RTM)”, accuracy 0.81 at epsilon 1."
        in words
    )
    assert "“noise for full knowledge (DP)”, has accuracy 0.67 at epsilon 1: it gives up 0.14 of accuracy." in words
    words = said(page(land_from="001 Fig. 1, printed"))
    assert "Its elbow is “not private, epochs 50”: accuracy 0.904 at epsilon star as printed (estimate) 7.06." in words


def test_pasted_text_is_weighed() -> None:
    app = pasted(TABLE)
    words = said(app)
    assert "Of 4 strategies, 3 are on the frontier. Its elbow is “baseline, epochs 10”: accuracy 0.87 at" in words
    assert "Better privacy than that costs 0.36 of accuracy" in words
    assert "Better utility costs 4.5 of epsilon_star" in words
    assert (metric(app, r"On the frontier"), metric(app, r"Best accuracy")) == ("3 of 4", "0.91")


def test_a_file_is_weighed_and_goes_when_removed() -> None:
    app = a_file(TABLE.encode())
    assert "sweep.csv: 6 rows, comma-separated" in said(app)
    assert "Of 4 strategies" in said(app)
    (remove,) = (button for button in app.button if button.label == "Remove")
    checked(remove.click().run())
    assert "Upload a sweep" in said(app)
    assert "upload_land_file" not in app.session_state
    assert "upload_land_file_made_weighed" not in app.session_state


def test_pasted_text_stays_when_it_is_no_table_and_its_table_goes() -> None:
    app = pasted(TABLE)
    paste(app, "strategy,accuracy\na,b\n")
    assert "No column holds numbers" in said(app)
    assert app.text_area("land_text").value == "strategy,accuracy\na,b\n"
    assert "on the frontier" not in said(app)
    paste(app, " ")
    assert "Upload a sweep" in said(app)
    assert "pasted_land_pasted" not in app.session_state


def test_directions_are_chosen() -> None:
    app = pick(pasted(TABLE), "Privacy:", "higher is better")
    assert "Of 4 strategies, 1 is on the frontier: “baseline, epochs 50”, accuracy 0.91 at epsilon_star 7." in said(app)


def test_columns_are_chosen() -> None:
    app = pick(pasted(TABLE), "Strategy", "– every row –")
    assert "Of 6 strategies" in said(app)
    pick(app, "Privacy", "accuracy")
    assert "The column “accuracy” is chosen twice" in said(app)
    pick(app, "Utility", "epochs")
    assert "on the frontier" in said(app)


def test_some_of_the_rows() -> None:
    app = pick(pasted(TABLE), "Only rows with", "strategy")
    assert "Of 2 strategies" in said(app)
    assert "Of 2 strategies" in said(pick(app, "equal to", "DP"))


def test_unusable_rows_stop_or_are_left_out() -> None:
    app = pasted(TABLE + "DP,2,oops,0.5,50\n")
    assert "“accuracy” has 1 cell without a finite number. Row 7: “oops”" in said(app)
    (box,) = (box for box in app.checkbox if box.label == "Leave out unusable rows")
    checked(box.check().run())
    assert "Of 4 strategies" in said(app)
    assert "1 unusable row left out." in said(app)


def test_a_limit_on_either_goal() -> None:
    app = pasted(TABLE, land_solve="true", land_limit="1")
    assert "accuracy 0.51, with “DP, epochs 10” (epsilon_star 0.5): the best of 2 strategies" in said(app)
    app = pasted(TABLE, land_solve="true", land_limit_on="utility", land_limit="0.9")
    assert "epsilon_star 7, with “baseline, epochs 50” (accuracy 0.91): the only strategy" in said(app)
    app = pasted(TABLE, land_solve="true", land_limit="0.1")
    assert "No strategy has epsilon_star at most 0.1. The closest is “DP, epochs 10”" in said(app)


@pytest.mark.parametrize(
    "query",
    [
        {"land_from": "nowhere", "land_frontier": "<b>", "land_scale": "cubic", "land_solve": "perhaps"},
        {"land_solve": "true", "land_limit": "nan", "land_limit_on": "7"},
        {"land_solve": "true", "land_limit": "1e400"},
    ],
)
def test_nonsense_in_the_address_is_harmless(query: dict[str, str]) -> None:
    assert "on the frontier" in said(page(**query))


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("a,0.5,1\n", "There is one strategy, “a”: acc 0.5 at eps 1."),
        ("a,0.5,1\nb,0.6,2\n", "It has no elbow: it runs straight from “a”, acc 0.5 at eps 1, to “b”"),
        ("a,0.5,1\nb,0.5,1\n", "Of 2 strategies, 2 are on the frontier. It has no elbow"),
        ("a,0.5,0\nb,0.6,2\nc,0.7,9\n", "Privacy is 0 or negative somewhere, so its axis stays linear."),
    ],
)
def test_few_strategies(rows: str, words: str) -> None:
    assert words in said(pasted(f"strategy,acc,eps\n{rows}", land_scale="log"))


@pytest.mark.parametrize("name", ["<b>n</b> :smile: **n**", "[p](a://b) $x$ =1 a\u202eb"])
def test_names_are_text(name: str) -> None:
    """Every sign of a stranger's name is escaped where it is said."""
    app = pasted(f'strategy,"{name}",eps\n"{name}",0.5,1\nb,0.9,2\nc,0.95,9\n')
    texts = [str(block.value) for block in [*app.markdown, *app.caption]]
    assert sum(literal(name) in text for text in texts) >= 2
    assert name not in " ".join(texts)
    assert any(literal(name) in one.label for one in app.metric)


def made(table: str, name: str = "sweep.csv") -> Source:
    data = table.encode()
    found = read_sweep(data)
    roles = guess_roles(found)
    return Source(
        "key", name, found, roles, False, roles.strategy, (f"read_sweep(open({name!r}, 'rb').read())", ()), ""
    )


def test_the_table_taken_away_reads_back() -> None:
    source = made(TABLE.replace("DP,", "=DP(),"))
    found = weigh(source)
    columns = tables.columns(found, found.on(Frontier.HULL))
    text = csv_tables.table(columns, tables.parameters(source, found, Frontier.HULL))
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
