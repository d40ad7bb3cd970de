"""What an audit says: counts between their limits, verdicts, the file and the snippet; what a stopped one keeps."""

import io
import re
from itertools import islice

import numpy as np
import pandas as pd
import pytest

from numerics.audits import Attacker, AuditProgress, Canary, Position, SimulatedGradients, collected, measured_curve
from numerics.mechanisms import Gaussian
from numerics.trade_off import Order
from pages.attackers import audit as result
from pages.attackers import audit_attacks as subjects
from pages.attackers.audit import CONFIDENCE, AuditTask, Result
from pages.attackers.audit_attacks import Attack, AttackSubject

SUBJECT = subjects.canary(Canary(Gaussian(1.0)), (Order.ADD,))


def finished(audit: AuditTask) -> Result:
    *_, found = audit.steps()
    assert isinstance(found, Result)
    return found


def canary(rounds: int, orders: tuple[Order, ...] = (Order.ADD,)) -> AuditTask:
    return AuditTask(subjects.canary(Canary(Gaussian(1.0)), orders), "canary", rounds, 1)


def test_sentence_counts_what_was_found_between_its_limits() -> None:
    (pair,) = finished(canary(10_000)).pairs.values()
    words, measured = result.sentence(pair, 0.01, Order.ADD, SUBJECT), pair.measured
    assert measured.upper is not None
    assert measured.lower is not None
    least, found, most = (
        curve.power[np.argmin(np.abs(curve.alpha - 0.01))] * 10_000
        for curve in (measured.upper, measured, measured.lower)
    )
    assert f"At a false alarm rate of 100 of 10,000 the attack found **{found:,.0f}** of 10,000" in words
    assert "theory says at most 924: **within these limits**" in words  # Phi(1 - 2.3263) = 0.0924
    low, high = (int(word.replace(",", "")) for word in re.findall(r"between ([\d,]+) and ([\d,]+) with", words)[0])
    assert low <= least <= low + 1 <= found <= high - 1 <= most <= high


def test_verdicts_tell_weaker_from_stronger() -> None:
    """The same scores against too little and too much noise."""
    scores, rates = collected(Canary(Gaussian(1.0)).run(10_000, 1)), subjects.rates(10_000)
    measured, at = measured_curve(scores, rates, CONFIDENCE), int(np.argmin(np.abs(rates - 0.01)))
    for noise, expected in ((0.5, Position.WEAKER), (2.0, Position.STRONGER), (1.0, Position.INSIDE)):
        pair = result.AuditComparison(measured, Gaussian(noise).trade_off(rates), frozenset())
        assert result.place(pair, at) is expected
        assert result.VERDICTS[expected] in result.sentence(pair, 0.01, Order.ADD, SUBJECT)


def test_a_stopped_audit_keeps_its_rounds() -> None:
    audit = canary(1_000_000)
    (begun, *_) = islice(audit.steps(), 1)
    assert isinstance(begun, AuditProgress)
    found = audit.result([begun], 0.0)
    assert 0 < found.done < audit.rounds
    assert f"stopped after {found.done:,} of 1,000,000" in result.done(found)


def test_file_carries_parameters_seed_and_confidence() -> None:
    found = finished(canary(1000, (Order.ADD, Order.REMOVE)))
    text = result.table(found)
    assert all(word in text for word in ("# seed: 1", "0.95 confidence", "# release: ", "1000 each, of 1000"))
    power = pd.read_csv(io.StringIO(text), comment="#")["power"]
    np.testing.assert_array_equal(power, np.concatenate([pair.measured.power for pair in found.pairs.values()]))


@pytest.mark.parametrize(
    "subject",
    [
        SUBJECT,
        subjects.canary(Canary(Gaussian(2.0, 0.5), Attacker.RELAXED, 2), (Order.ADD,)),
        subjects.offline(1.0, 1, 1.0),
        subjects.simulated(SimulatedGradients(5, 9, 4.0)),
        subjects.real(10),
    ],
    ids=list(Attack),
)
def test_snippets_measure_the_same_curve(subject: AttackSubject, capsys: pytest.CaptureFixture[str]) -> None:
    audit = AuditTask(subject, "", 1000, 3)
    exec(result.python(audit), {})
    assert str(finished(audit).pairs[Order.ADD].measured.power) in capsys.readouterr().out
