"""What an audit's result says: counts between their limits, verdicts, the file and the snippet."""

import csv
import io
import re
from dataclasses import replace

import numpy as np
import pytest

from numerics.audits import Attacker, Canary, Position, SimulatedGradients, collected, measured_curve
from numerics.mechanisms import Gaussian
from numerics.trade_off import Order
from pages.attackers.audit import cached, tab
from pages.attackers.audit import result as audit_result
from pages.attackers.audit import run as audit_run
from pages.attackers.audit import subjects as audit_subjects
from pages.attackers.audit.run import CONFIDENCE, AuditTask, Result
from pages.attackers.audit.subjects import Attack
from pages.ui.task_runner import Run


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


def test_sentence_counts_what_was_found_between_its_limits() -> None:
    result = finished(canary(10_000))
    (pair,) = result.pairs.values()
    words = audit_result.sentence(pair, 0.01, Order.ADD, SUBJECT)
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
    assert "wrongly cleared" in audit_result.sentence(result.pairs[Order.REMOVE], 0.01, Order.REMOVE, SUBJECT)


def test_only_guarantees_are_said_to_be_the_most() -> None:
    """The power of one statistic, and Eq. 8 with a typical K, bound nobody else's attack."""
    unknown = audit_subjects.canary(Canary(Gaussian(2.0, 0.5, 3), Attacker.RELAXED), (Order.ADD,))
    for subject, words in (
        (unknown, r"says [\d,]+: "),
        (audit_subjects.real(20), r"says [\d,]+ for typical records: "),
    ):
        (pair,) = finished(AuditTask(subject, "", 1000, 1)).pairs.values()
        assert re.search(words, audit_result.sentence(pair, 0.01, Order.ADD, subject))


def test_verdicts_tell_weaker_from_stronger() -> None:
    """The same scores against too little and too much noise."""
    scores = collected(Canary(Gaussian(1.0)).rounds(10_000, 1))
    rates = cached.rates(10_000)
    measured, at = measured_curve(scores, rates, CONFIDENCE), int(np.argmin(np.abs(rates - 0.01)))
    for noise, expected in ((0.5, Position.WEAKER), (2.0, Position.STRONGER), (1.0, Position.INSIDE)):
        pair = audit_run.AuditComparison(measured, Gaussian(noise).trade_off(rates), frozenset())
        assert audit_result.place(pair, at) is expected
        assert audit_result.VERDICTS[expected] in audit_result.sentence(pair, 0.01, Order.ADD, SUBJECT)


def test_rates_are_stated_only_where_some_false_alarms_are_expected() -> None:
    def stated(rounds: int, done: int, alpha: float) -> float:
        return audit_result.stated_rate(Result(canary(rounds), done, {}, 0.0), alpha)

    assert stated(1000, 1000, 1e-9) == pytest.approx(0.01)
    assert stated(1_000_000, 1_000_000, 1e-3) == 1e-3
    assert stated(1_000_000, 500, 1e-3) == 0.02  # stopped early
    assert stated(1000, 3, 1e-3) == 0.5
    for rounds in tab.ROUNDS:
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
    assert f"stopped after {result.done:,} of 1,000,000" in audit_result.done(result)
    assert next(run.steps, None) is None


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


def test_verdicts_on_the_whole_curve_say_what_to_make_of_them() -> None:
    def verdict(subject: audit_subjects.AttackSubject, *together: Position) -> str:
        result = finished(AuditTask(subject, "", 1000, 1))
        pairs = {order: replace(pair, together=frozenset(together)) for order, pair in result.pairs.items()}
        return audit_result.overall(replace(result, pairs=pairs))

    real = audit_subjects.real(20)
    assert "the theory lies within these limits" in verdict(SUBJECT, Position.INSIDE)
    assert "not expected" in verdict(SUBJECT, Position.INSIDE, Position.WEAKER)
    assert "not possible but by chance" in verdict(SUBJECT, Position.WEAKER, Position.STRONGER)
    assert "That is expected" in verdict(real, Position.WEAKER)
    assert "others are found more easily" in verdict(real, Position.STRONGER)
    assert "More rounds may show" in verdict(real, Position.INSIDE)
