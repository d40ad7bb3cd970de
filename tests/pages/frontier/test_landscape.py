"""The view “your own sweep”: presets, files and pasted text; what it says, and what it takes away."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from losses.sweeps.samples import SWEEPS, SweepSample
from pages.frontier.landscape import controls
from pages.frontier.landscape import view as landscape
from pages.ui.plain_text import literal
from tests.pages.uploading import change, choose, confirm, give, leave_out
from tests.pages.visit import addressed, checked, visited

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
from pages.frontier.landscape import view as landscape
landscape.draw(st.container())
"""


def page(**query: str) -> AppTest:
    return visited(AppTest.from_string(SCRIPT, default_timeout=SECONDS), addressed("frontier", query))


def paste(app: AppTest, text: str) -> AppTest:
    return confirm(checked(app.text_area("frontier.land_text").set_value(text).run()))


def pasted(text: str, **query: str) -> AppTest:
    return paste(page(land_from="pasted text", **query), text)


def a_file(data: bytes, name: str = "sweep.csv") -> AppTest:
    app = page(land_from="a file")
    return give(app, (name, data))


def said(app: AppTest) -> str:
    """What is read: without the escapes."""
    blocks = [*app.markdown, *app.caption, *app.error, *app.warning, *app.info]
    return " ".join(re.sub(r"\\(.)|\u2060", r"\1", str(block.value)) for block in blocks).replace("**", "")


def pick(app: AppTest, label: str, value: str) -> AppTest:
    return choose(app, label, value)


def test_keys_are_the_views_own() -> None:
    assert all(key.startswith("frontier.land_") for key in landscape.KEYS)


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
    assert (
        "Of 2 strategies in 4 settings, 3 are on the frontier. Its elbow is “baseline, epochs 10”: accuracy 0.87 at"
        in words
    )
    assert "Better privacy than that costs 0.36 of accuracy" in words
    assert "Better utility costs 4.5 of epsilon_star" in words


def test_a_file_is_weighed_and_goes_when_removed() -> None:
    app = a_file(TABLE.encode())
    assert "Of 2 strategies in 4 settings" in said(app)
    assert "sweep.csv: 6 rows, comma-separated" in said(change(app))
    (remove,) = (button for button in app.button if button.label == "Remove")
    checked(remove.click().run())
    assert "Upload a sweep" in said(app)
    assert not app.session_state["frontier.land_file_place"].files
    assert "frontier.land_file_made_weighed" not in app.session_state


def test_pasted_text_stays_when_it_is_no_table_and_its_table_goes() -> None:
    app = pasted(TABLE)
    paste(app, "strategy,accuracy\na,b\n")
    assert "No column holds numbers" in said(app)
    assert app.text_area("frontier.land_text").value == "strategy,accuracy\na,b\n"
    assert "on the frontier" not in said(app)
    paste(app, " ")
    assert "Upload a sweep" in said(app)
    assert "pasted_land_pasted" not in app.session_state


def test_directions_are_chosen() -> None:
    app = pick(pasted(TABLE), "Privacy:", "higher is better")
    assert (
        "Of 2 strategies in 4 settings, 1 is on the frontier: “baseline, epochs 50”, accuracy 0.91 at epsilon_star 7."
        in said(app)
    )


def test_columns_are_chosen() -> None:
    app = pick(pasted(TABLE), "Strategy", "– every row –")
    assert "Of 6 strategies, " in said(app)
    pick(app, "Privacy", "accuracy")
    assert "The column “accuracy” is chosen twice" in said(app)
    pick(app, "Utility", "epochs")
    assert "on the frontier" in said(app)


def test_some_of_the_rows() -> None:
    app = pick(pasted(TABLE), "Only rows with", "strategy")
    assert "Of 1 strategy in 2 settings" in said(app)
    assert "Of 1 strategy in 2 settings" in said(pick(app, "equal to", "DP"))


def test_unusable_rows_stop_or_are_left_out() -> None:
    app = pasted(TABLE + "DP,2,oops,0.5,50\n")
    assert "“accuracy” has 1 cell without a finite number. Row 7: “oops”" in said(app)
    leave_out(app)
    assert "Of 2 strategies in 4 settings" in said(app)
    assert "1 unusable row left out." in said(app)


def headline(app: AppTest) -> str:
    found = next(str(block.value) for block in app.markdown if str(block.value).startswith("## "))
    return re.sub(r"\\(.)|\u2060", r"\1", found).replace("**", "")


def figure_texts(app: AppTest) -> str:
    return " ".join(chart.proto.spec for chart in app.get("plotly_chart"))


def test_the_best_within_the_limit_leads() -> None:
    """Also by addresses of earlier versions, which opened a panel for it."""
    app = pasted(TABLE, land_solve="true", land_limit="1")
    assert headline(app) == (
        "## For epsilon_star at most 1, choose “DP, epochs 10”: accuracy 0.51, 0.4 less than the best of all."
    )
    assert "Limit met, at 0.5: the best of 2." in said(app)
    app = pasted(TABLE, land_solve="true", land_limit_on="utility", land_limit="0.9")
    assert "For accuracy at least 0.9, choose “baseline, epochs 50”: epsilon_star 7" in headline(app)
    app = pasted(TABLE)
    assert "No limit is set; one at the elbow is taken: the best of " in said(app)
    assert "my limit" not in figure_texts(app)
    app = pasted(TABLE, land_limit="0.1")
    assert "my limit, 0.1" in figure_texts(app)
    assert "No strategy has epsilon_star at most 0.1. The closest is “DP, epochs 10”" in headline(app)
    assert "Limit not met." in said(app)


def test_without_a_limit_it_is_what_the_elbow_has() -> None:
    assert "For epsilon_star at most 2.5, choose “baseline, epochs 10”: accuracy 0.87" in headline(pasted(TABLE))


def test_a_choice_of_colours_is_in_the_address_of_a_shipped_sweep() -> None:
    app = page(land_colours="clip")
    assert next(box.value for box in app.selectbox if box.label == "Colours") == "clip"


def test_axes_are_held_and_let_go() -> None:
    app = pasted(TABLE)
    (hold,) = (button for button in app.button if button.label == "Hold these axes")
    checked(hold.click().run())
    held = [app.number_input(key=key).value for key in controls.AXES]
    assert all(isinstance(end, float) for end in held)
    assert app.query_params["frontier.land_utility_to"] in (f"{held[3]:g}", [f"{held[3]:g}"])
    (fit,) = (button for button in app.button if button.label == "Let them fit")
    checked(fit.click().run())
    assert [app.number_input(key=key).value for key in controls.AXES] == [None] * 4


@pytest.mark.parametrize(
    "query",
    [
        {
            "frontier.land_from": "nowhere",
            "frontier.land_frontier": "<b>",
            "frontier.land_scale": "cubic",
            "land_solve": "perhaps",
        },
        {"land_solve": "true", "frontier.land_limit": "nan", "frontier.land_limit_on": "7"},
        {"land_solve": "true", "frontier.land_limit": "1e400"},
        {
            "frontier.land_privacy_from": "inf",
            "frontier.land_privacy_to": "nan",
            "frontier.land_utility_from": "9",
            "frontier.land_utility_to": "1",
        },
        {"frontier.land_colours": "nowhere", "frontier.land_densities": "many", "frontier.land_scale": "log"},
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
    assert any(literal(name) in one.label for one in app.number_input)


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ({"land_privacy_from": "5"}, ""),
        ({"land_privacy_from": "1e6"}, "from 1e+06 to its end"),
        ({"land_privacy_from": "-1e308", "land_privacy_to": "1e308"}, "from -1e+308 to 1e+308"),
        ({"land_utility_from": "3", "land_utility_to": "2"}, "from 3 to 2"),
        ({"land_utility_from": "3", "land_utility_to": "3"}, "from 3 to 3"),
        ({"land_privacy_from": "0", "land_scale": "log"}, "from 0 to its end"),
        ({"land_privacy_from": "-1e300", "land_privacy_to": "1e300"}, ""),
        ({"land_privacy_from": "1e-320", "land_scale": "log"}, ""),
        ({"land_privacy_to": "0.5"}, ""),
        ({"land_limit": "1e308"}, ""),
        ({"land_limit": "-1e308", "land_limit_on": "utility"}, ""),
        ({"land_limit": "0", "land_scale": "log"}, ""),
    ],
    ids=str,
)
def test_axes_end_anywhere_or_it_is_said_that_they_cannot(ends: dict[str, str], said: str) -> None:
    app = page(land_densities="shown", **ends)
    warnings = [str(one.value).replace("\\", "") for one in app.warning]
    assert [one for one in warnings if "no axis" in one] == [one for one in warnings if said and said in one]
    assert bool(said) == bool(warnings)
    assert headline(app)
