"""The audit part: nothing runs unasked, attacks lie on the theory or on its weak side, runs can be stopped and kept."""

import csv
import io
import re
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from numerics.audits import Attacker, Canary, Position, SimulatedGradients, collected, measured_curve
from numerics.mechanisms import Gaussian
from numerics.trade_off import Order
from pages.attackers.audit import cached, controls, presets
from pages.attackers.audit import result as audit_result
from pages.attackers.audit import run as audit_run
from pages.attackers.audit import subjects as audit_subjects
from pages.attackers.audit import words as audit_words
from pages.attackers.audit.presets import PRESETS
from pages.attackers.audit.run import CONFIDENCE, RUNNER, AuditTask, Result
from pages.attackers.audit.subjects import Attack
from pages.ui import task_runner
from pages.ui.task_runner import Run
from plotting.curves import Axes
from tests.pages.visit import visited

SECONDS = 60  # the first run imports Plotly on a busy machine
EASY = {"rate": "1", "steps": "1", "alpha": "0.01"}
PAGE = """
import streamlit as st
from pages.attackers import controls
from pages.attackers.audit import tab
from pages.ui import old_addresses, release_controls
old_addresses.translate()
release_controls.draw()
tab.draw(controls.draw(release_controls.current()))
"""


def part(**query: str) -> AppTest:
    return visited(AppTest.from_string(PAGE, default_timeout=SECONDS), query)


def press(app: AppTest, label: str) -> AppTest:
    (button,) = (button for button in app.button if button.label == label)
    button.click().run()
    assert not app.exception
    return app


def said(app: AppTest) -> str:
    return " ".join(str(block.value) for block in (*app.markdown, *app.caption))


def finished(audit: AuditTask) -> Result:
    run = Run(audit, audit.start())
    while not run.advance(1.0):
        pass
    result = run.result()
    assert isinstance(result, Result)
    return result


SUBJECT = audit_subjects.canary(Canary(Gaussian(1.0)), (Order.ADD,))


def canary(rounds: int, orders: tuple[Order, ...] = (Order.ADD,)) -> AuditTask:
    return AuditTask(audit_subjects.canary(Canary(Gaussian(1.0)), orders), "canary", rounds, 1)


def test_nothing_runs_before_start() -> None:
    app = part(**EASY)
    assert RUNNER.running_key not in app.session_state
    assert "the attack found" not in said(app)


@pytest.mark.parametrize(
    ("attack", "query", "verdict"),
    [
        (Attack.FULL_KNOWLEDGE, {}, "the theory lies within these limits"),
        (Attack.RECORD_UNKNOWN, {}, "the theory lies within these limits"),
        (Attack.OFFLINE, {"audit_rounds": "1,000"}, "the theory lies within these limits"),
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
    assert "with 95% confidence" in said(app)
    assert verdict in said(app)
    assert any(button.label == "Run again" for button in app.button)


def test_sentence_counts_what_was_found_between_its_limits() -> None:
    result = finished(canary(10_000))
    (pair,) = result.pairs.values()
    words = audit_words.sentence(pair, 0.01, Order.ADD, SUBJECT)
    at = int(np.argmin(np.abs(pair.measured.alpha - 0.01)))
    found = f"{pair.measured.power[at] * 10_000:,.0f}"
    assert f"At a false alarm rate of 100 of 10,000 the attack found **{found}** of 10,000" in words
    assert "theory says at most 924: **within these limits**" in words  # Phi(1 - 2.3263) = 0.0924
    limits = words.split("between ")[1].split(" with")[0].split(" and ")
    low, high = (int(word.replace(",", "")) for word in limits)
    assert low <= pair.measured.power[at] * 10_000 <= high


def test_sentence_turns_round_with_the_order() -> None:
    result = finished(canary(1000, (Order.ADD, Order.REMOVE)))
    assert list(result.pairs) == [Order.ADD, Order.REMOVE]
    assert "wrongly cleared" in audit_words.sentence(result.pairs[Order.REMOVE], 0.01, Order.REMOVE, SUBJECT)


def test_only_guarantees_are_said_to_be_the_most() -> None:
    """The power of one statistic, and Eq. 8 with a typical K, bound nobody else's attack."""
    unknown = audit_subjects.canary(Canary(Gaussian(2.0, 0.5, 3), Attacker.RELAXED), (Order.ADD,))
    for subject, words in (
        (unknown, r"says [\d,]+: "),
        (audit_subjects.real(20), r"says [\d,]+ for typical records: "),
    ):
        (pair,) = finished(AuditTask(subject, "", 1000, 1)).pairs.values()
        assert re.search(words, audit_words.sentence(pair, 0.01, Order.ADD, subject))


def test_verdicts_tell_weaker_from_stronger() -> None:
    """The same scores against too little and too much noise."""
    scores = collected(Canary(Gaussian(1.0)).rounds(10_000, 1))
    rates = cached.rates(10_000)
    measured, at = measured_curve(scores, rates, CONFIDENCE), int(np.argmin(np.abs(rates - 0.01)))
    for noise, expected in ((0.5, Position.WEAKER), (2.0, Position.STRONGER), (1.0, Position.INSIDE)):
        pair = audit_run.Pair(measured, Gaussian(noise).trade_off(rates), frozenset())
        assert audit_words.place(pair, at) is expected
        assert audit_words.VERDICTS[expected] in audit_words.sentence(pair, 0.01, Order.ADD, SUBJECT)


def test_rates_are_stated_only_where_some_false_alarms_are_expected() -> None:
    def stated(rounds: int, done: int, alpha: float) -> float:
        return audit_words.stated_rate(Result(canary(rounds), done, {}, 0.0), alpha)

    assert stated(1000, 1000, 1e-9) == pytest.approx(0.01)
    assert stated(1_000_000, 1_000_000, 1e-3) == 1e-3
    assert stated(1_000_000, 500, 1e-3) == 0.02  # stopped early
    assert stated(1000, 3, 1e-3) == 0.5
    for rounds in controls.ROUNDS:
        rates = cached.rates(rounds)
        assert rates[0] * rounds == pytest.approx(1.0)
        assert np.all(np.diff(rates) > 0.0)


def test_a_stopped_audit_keeps_its_rounds() -> None:
    audit = canary(1_000_000)
    run = Run(audit, audit.start())
    assert not run.advance(0.0)
    result = run.result()
    assert isinstance(result, Result)
    assert 0 < result.done < audit.rounds
    assert f"stopped after {result.done:,} of 1,000,000" in audit_words.done(result)
    assert next(run.steps, None) is None


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
    app.number_input(key="audit_seed").set_value(2.0).run()
    assert "the attack found" not in said(app)
    app.number_input(key="audit_seed").set_value(1.0).run()
    assert said(app) == before


def test_subjects_are_equal_only_with_every_digit() -> None:
    one, same, other = (audit_subjects.canary(Canary(Gaussian(noise)), (Order.ADD,)) for noise in (1, 1, 1 + 1e-12))
    assert one == same != other
    assert hash(one) == hash(same)


def test_file_carries_parameters_seed_and_confidence() -> None:
    result = finished(canary(1000, (Order.ADD, Order.REMOVE)))
    lines = audit_result.table(result).splitlines()
    top = "\n".join(line for line in lines if line.startswith("#"))
    assert all(word in top for word in ("# seed: 1", "0.95 confidence", "# release: ", "1000 each, of 1000"))
    rows = list(csv.DictReader(io.StringIO("\n".join(line for line in lines if not line.startswith("#")))))
    assert len(rows) == 2 * len(cached.rates(1000))
    power = np.array([float(row["power"]) for row in rows[: len(rows) // 2]])
    assert np.array_equal(power, result.pairs[Order.ADD].measured.power)


@pytest.mark.parametrize("attack", Attack)
def test_snippets_measure_the_same_curve(attack: Attack, capsys: pytest.CaptureFixture[str]) -> None:
    subjects = {
        Attack.FULL_KNOWLEDGE: canary(1000).subject,
        Attack.RECORD_UNKNOWN: audit_subjects.canary(Canary(Gaussian(2.0, 0.5), Attacker.RELAXED, 2), (Order.ADD,)),
        Attack.OFFLINE: audit_subjects.offline(1.0, 1, 1.0),
        Attack.SIMULATED: audit_subjects.simulated(SimulatedGradients(5, 9, 4.0)),
        Attack.REAL: audit_subjects.real(10),
    }
    audit = AuditTask(subjects[attack], attack, 1000, 3)
    result = finished(audit)
    exec(audit_result.python(audit), {})
    measured = result.pairs[Order.ADD].measured
    assert str(measured.power) in capsys.readouterr().out


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_presets_set_the_figure(preset: presets.AuditPreset) -> None:
    app = press(part(), preset.name)
    assert app.session_state["audit_attack"] == preset.attack
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
    assert (state["audit_attack"], state["audit_rounds"], state["audit_seed"]) == (Attack.FULL_KNOWLEDGE, 10_000, 1.0)
    assert list(Axes) == ["linear", "log-log"]
    assert [str(attack) for attack in Attack] == [
        "canary, full knowledge",
        "canary, record unknown",
        "offline logit attack",
        "GLiR, simulated gradients",
        "GLiR, real gradients",
    ]


def test_verdicts_on_the_whole_curve_say_what_to_make_of_them() -> None:
    def verdict(subject: audit_subjects.Subject, *together: Position) -> str:
        result = finished(AuditTask(subject, "", 1000, 1))
        pairs = {order: replace(pair, together=frozenset(together)) for order, pair in result.pairs.items()}
        return audit_words.overall(replace(result, pairs=pairs))

    real = audit_subjects.real(20)
    assert "the theory lies within these limits" in verdict(SUBJECT, Position.INSIDE)
    assert "not expected" in verdict(SUBJECT, Position.INSIDE, Position.WEAKER)
    assert "not possible but by chance" in verdict(SUBJECT, Position.WEAKER, Position.STRONGER)
    assert "That is expected" in verdict(real, Position.WEAKER)
    assert "others are found more easily" in verdict(real, Position.STRONGER)
    assert "More rounds may show" in verdict(real, Position.INSIDE)


def test_every_widget_is_kept_over_page_changes() -> None:
    drawn = set()
    for attack in Attack:
        app = press(part(**EASY, audit_attack=attack, audit_rounds="1,000"), "Start")
        drawn |= {element.key for element in (*app.number_input, *app.button_group) if element.key}
    assert {key for key in drawn if key.startswith("audit_")} == set(controls.KEYS)


def test_refusals_are_messages() -> None:
    assert "sampling must be Poisson" in part(sampling="fixed size").warning[0].value
    assert "phases must be 1" in part(phases="2").warning[0].value
    slow = part(steps="1000000", audit_rounds="1,000,000")
    assert "rounds must take at most 30 minutes" in slow.warning[0].value


def test_without_a_theory_nothing_is_run() -> None:
    query = {"mechanism": "Laplace", "dimension": "2", "audit_attack": Attack.RECORD_UNKNOWN}
    app = press(part(**EASY, **query), "Start")
    assert "dimension must be 1 for Laplace noise" in app.warning[0].value
    assert RUNNER.running_key not in app.session_state
