"""The audit part: nothing runs unasked, attacks lie on the theory or on its weak side, runs can be stopped and kept."""

import pytest
from streamlit.testing.v1 import AppTest

from numerics.trade_off import Order
from pages.attackers.audit import presets
from pages.attackers.audit.presets import PRESETS
from pages.attackers.audit.run import RUNNER
from pages.attackers.audit.subjects import Attack
from pages.ui import release_controls, task_runner
from plotting.curves import Axes
from tests.pages.visit import addressed, visited

SECONDS = 60  # the first run imports Plotly on a busy machine
EASY = {"knows_rate": "true", "rate": "1", "steps": "1", "accused": "100"}
PAGE = """
import streamlit as st
from pages.attackers import controls
from pages.attackers.audit import tab
from pages.ui import release_controls, rail
rail.draw()
tab.draw(controls.draw(release_controls.current()))
"""


def part(**query: str) -> AppTest:
    return visited(AppTest.from_string(PAGE, default_timeout=SECONDS), addressed("attackers", query))


def press(app: AppTest, label: str) -> AppTest:
    (button,) = (button for button in app.button if button.label == label)
    button.click().run()
    assert not app.exception
    return app


def said(app: AppTest) -> str:
    return " ".join(str(block.value) for block in (*app.markdown, *app.caption))


def test_nothing_runs_before_start() -> None:
    app = part(**EASY)
    assert RUNNER.running_key not in app.session_state
    assert "the attack found" not in said(app)


@pytest.mark.parametrize(
    ("attack", "query", "verdict"),
    [
        (Attack.FULL_KNOWLEDGE, {}, "the theory lies within these limits"),
        (Attack.RECORD_UNKNOWN, {}, "the theory lies within these limits"),
        (Attack.OFFLINE, {"attackers.audit_rounds": "1,000"}, "the theory lies within these limits"),
        (Attack.SIMULATED, {}, "the theory lies within these limits"),
        (Attack.REAL, {}, "That is expected"),
    ],
)
def test_every_attack_runs_to_its_verdict(attack: Attack, query: dict[str, str], verdict: str) -> None:
    app = part(**EASY, audit_attack=attack, **query)
    press(app, "Start")
    while RUNNER.running_key in app.session_state:
        app.run()
    assert not app.exception
    assert "the attack found" in said(app)
    assert "with 95 % confidence" in said(app)
    assert verdict in said(app)
    assert any(button.label == "Run again" for button in app.button)


def test_cancel_on_the_page_leaves_a_usable_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_runner, "SLICE", 1e-9)
    app = part(**EASY, audit_rounds="1,000,000")
    press(app, "Start")
    assert [button.disabled for button in app.button if button.label == "Start"] == [True]
    press(app, "Cancel")
    assert "stopped after" in said(app)
    assert "the attack found" in said(app)


def test_a_run_stopped_before_its_first_round_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_runner, "SLICE", 1e-9)
    app = part(**EASY, audit_attack=Attack.OFFLINE)
    press(app, "Start")
    press(app, "Cancel")
    assert "nothing was measured" in app.info[0].value


def test_results_are_shown_again_when_moving_back() -> None:
    app = press(part(**EASY), "Start")
    before = said(app)
    assert "the attack found" in before
    app.number_input(key="attackers.audit_seed").set_value(2.0).run()
    assert "the attack found" not in said(app)
    app.number_input(key="attackers.audit_seed").set_value(1.0).run()
    assert said(app) == before


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_presets_set_the_figure(preset: presets.AuditPreset) -> None:
    app = press(part(), preset.name)
    assert app.session_state["attackers.audit_attack"] == preset.attack
    assert RUNNER.running_key not in app.session_state
    assert preset.words in said(app)
    if preset.release is not None:
        assert app.session_state["order"] == Order.SYMMETRIC
        assert app.session_state["noise"] == pytest.approx(preset.release.noise_multiplier, rel=0.1)
        assert preset.release.sampling_rate == app.session_state["rate"]
    press(app, "Start")
    assert not app.warning


def test_defaults_of_the_url_are_pinned() -> None:
    state = part().session_state
    assert (state["attackers.audit_attack"], state["attackers.audit_rounds"], state["attackers.audit_seed"]) == (
        Attack.FULL_KNOWLEDGE,
        10_000,
        1.0,
    )
    assert list(Axes) == ["linear", "log-log"]
    assert [str(attack) for attack in Attack] == [
        "canary, full knowledge",
        "canary, record unknown",
        "offline logit attack",
        "GLiR, simulated gradients",
        "GLiR, real gradients",
    ]


def test_every_widget_starts_anew_with_an_example() -> None:
    drawn = set()
    for attack in Attack:
        app = press(part(**EASY, audit_attack=attack, audit_rounds="1,000"), "Start")
        drawn |= {str(element.key) for element in (*app.number_input, *app.button_group) if element.key}
    own = drawn - set(release_controls.STARTS) - {"attackers.susceptibility"}
    assert len(own) == 12
    assert all(key.startswith("attackers.audit_") for key in own)


def test_refusals_are_messages() -> None:
    assert "sampling must be Poisson" in part(sampling="fixed size").warning[0].value
    assert "phases must be 1" in part(phases="2").warning[0].value
    slow = part(knows_rate="true", steps="1000000", audit_rounds="1,000,000")
    assert "rounds must take at most 30 minutes" in slow.warning[0].value


def test_without_a_theory_nothing_is_run() -> None:
    query = {"mechanism": "Laplace", "dimension": "2", "attackers.audit_attack": Attack.RECORD_UNKNOWN}
    app = press(part(**EASY, **query), "Start")
    assert "dimension must be 1 for Laplace noise" in app.warning[0].value
    assert RUNNER.running_key not in app.session_state
