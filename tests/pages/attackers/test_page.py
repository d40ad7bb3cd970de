"""The page that compares attackers: presets, parts, paper tables; and what it does with nonsense."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from numerics.mechanisms import SampledMechanism
from numerics.relaxed import Reading
from pages.attackers import paper_tables
from pages.ui import figure_presets
from tests.pages.visit import addressed, app_at, visited
from tests.reference import Reference, each


def page(**query: str) -> AppTest:
    return visited(app_at("attackers"), addressed("attackers", query))


def headline(app: AppTest) -> str:
    return next(markdown.value for markdown in app.markdown if markdown.value.startswith("## "))


def test_the_noise_of_several_phases_is_said_of_the_first_alone() -> None:
    said = " ".join(
        str(block.value)
        for block in page(phases="2", noise_2="3", knows_rate="true", records="48000", clip="1").caption
    )
    assert "Noise on a mean gradient of the first phase: 0.00208 in each coordinate." in said


def test_the_rail_says_the_size_of_a_batch_once() -> None:
    said = [str(block.value) for block in page(knows_rate="true", records="48000").caption]
    assert any("batches of 480." in words for words in said)
    assert not any("batch holds" in words for words in said)
    assert not any("mean gradient" in words for words in said)  # no clipping norm: nothing follows


@each("Table 3 mu_step")
def test_table_3_of_the_page(row: Reference) -> None:
    names = {"CIFAR-10": "CIFAR"}
    table = paper_tables.table_3()
    column = [names.get(name, name) for name in table["Data"]].index(row.id.split("_")[1])
    assert float(table["μ of a step"][column]) == pytest.approx(row.expected, abs=1e-6)


def test_table_5_of_the_page_says_none_needed() -> None:
    table = paper_tables.table_5()
    assert len(table["μ"]) == 20
    assert table["CIFAR-10 (DP)"][:3] == [2.84, 2.44, 2.13]
    assert table["CIFAR-10 (MIP)"][:4] == [2.84, 2.44, 2.13, 0.0]


@pytest.mark.parametrize("preset", [*figure_presets.OF_PAPER_000, *figure_presets.OF_PAPER_004], ids=lambda p: p.name)
def test_presets_of_figures_set_every_control(preset: figure_presets.PaperFigurePreset) -> None:
    app = page(
        noise="7", reading="magnitude of the mean", susceptibility="spread", clip="3", window="up to 1 %", delta="0.001"
    )
    next(button for button in app.button if button.label == preset.name).click().run()
    assert not app.exception
    assert not app.error
    assert not refusals(app)
    state = app.session_state
    made: SampledMechanism = preset.mechanism
    assert (state["mechanism"], state["steps"], state["dimension"]) == (made.name, made.steps, preset.dimension)
    assert (state["order"], state["axes"], state["records"]) == (preset.order, preset.axes, preset.records)
    assert (state["attackers.reading"], state["attackers.susceptibility"], state["clip"]) == (
        Reading.MINIMAX,
        "K = d",
        None,
    )
    assert (state["window"], state["delta"], state["accused"]) == ("in people", 1e-5, 10.0)


def refusals(app: AppTest) -> list[str]:
    return [warning.value for warning in app.warning if warning.value.startswith("**No ")]


@pytest.mark.parametrize("part", ["same success", "converters", "noise for η", "audit", "paper 004 tables"])
def test_parts_of_the_page_run(part: str) -> None:
    app = page(part=part)
    assert not app.error
    assert not refusals(app)


@pytest.mark.parametrize(
    "query",
    [
        {
            "knows_rate": "true",
            "dimension": "1e300",
            "records": "-4",
            "clip": "nan",
            "attackers.reading": "nonsense",
            "attackers.susceptibility": "",
        },
        {"knows_rate": "true", "noise": "0.001", "steps": "1000000", "rate": "1e-7", "dimension": "1000000000"},
        {"knows_rate": "true", "noise": "0.001", "steps": "1000000", "rate": "1e-7", "records": "1000000000"},
        {"knows_rate": "true", "noise": "0.02", "rate": "0.001", "steps": "1", "dimension": "2", "order": "remove-one"},
        {"knows_rate": "true", "noise": "1000", "rate": "1", "mechanism": "Laplace", "steps": "3"},
        {"phases": "3", "mechanism": "Laplace", "sampling": "fixed size", "order": "both", "axes": "linear"},
        {
            "attackers.part": "nonsense",
            "attackers.same_limit": "members found",
            "attackers.same_found": "0.0001",
            "accused": "5000",
        },
    ],
    ids=str,
)
def test_nonsense_and_extremes_are_harmless(query: dict[str, str]) -> None:
    app = page(**query)
    assert re.search(r"can be (found|ruled out) while|None of the attackers", headline(app))


def test_every_attackers_assumptions_and_kind_are_named() -> None:
    text = " ".join(block.value for block in page(how="true").markdown)
    for start in ("**DP: ", "**RTM: ", "**MIP: ", "**Certified.**", "**Guarantee.**", "**Estimate.**"):
        assert start in text, start
