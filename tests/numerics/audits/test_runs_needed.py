"""How many runs a claim needs, what they can show, and verdicts."""

import numpy as np
import pytest

from numerics import Gaussian
from numerics.audits import ApproximateClaim, Claim, GdpClaim, ReleaseClaim, Scores
from numerics.audits.audit_design import can_refute, detectable, fewest_runs, power_reached, runs_needed
from numerics.audits.many_runs import claim_test
from numerics.audits.verdict import Answer, claim_verdict
from numerics.deadline import DeadlineError
from numerics.epsilon_star.confidence import end_ranks
from tests.numerics.audits.test_many_runs import ONE, normal, p_value
from tests.reference import Reference, each


@each("smallest true mu that refutes")
def test_detectable(row: Reference) -> None:
    claim, sizes = GdpClaim(row.number("mu")), (row.count("null_scores"), row.count("alternative_scores"))
    found = detectable(claim, *sizes, row.number("level"), row.number("power"))
    assert found == pytest.approx(row.expected, abs=1e-6)


@each("fewest scores per world")
def test_too_few(row: Reference) -> None:
    assert fewest_runs(GdpClaim(row.number("mu")), row.number("level")) == row.expected


@pytest.mark.parametrize(
    "claim",
    [*map(GdpClaim, (0.0, 0.7, 1.0, 2.0, 2.5)), ApproximateClaim(2.9, 0.0)],
    ids=lambda claim: claim.label,
)
def test_the_fewest_runs_by_enumeration(claim: Claim) -> None:
    """Of (2.9, 0) 55 runs suffice and 56 do not: they have one rank more."""
    by_hand = next(runs for runs in range(1, 200) if any_outcome(claim, runs))
    assert fewest_runs(claim) == by_hand
    assert claim_test(Scores(np.arange(float(by_hand)), np.arange(float(by_hand)) + 1e3), claim).is_refuted
    fewer = by_hand - 1
    assert not claim_test(Scores(np.arange(float(fewer)), np.arange(float(fewer)) + 1e3), claim).is_refuted


def any_outcome(claim: Claim, runs: int) -> bool:
    ranks = end_ranks(runs)
    return min(4 * len(ranks) * p_value(claim, rank, runs, runs, runs) for rank in ranks) <= 0.05


def test_power_is_that_of_simulated_cuts() -> None:
    """The share of audits that one cut refutes, of 40 with 200 runs each; the whole test refutes more."""
    truth = GdpClaim(1.6)
    promised = power_reached(ONE, truth, 200)
    refuted = np.mean([claim_test(normal(200, 1.6, seed), ONE).is_refuted for seed in range(40)])
    assert 0.3 < promised < refuted + 2.0 * np.sqrt(promised * (1 - promised) / 40)


def test_the_runs_needed_are_the_fewest_within_a_hundredth() -> None:
    truth = GdpClaim(2.0)
    runs = runs_needed(ONE, truth)
    assert runs is not None
    assert power_reached(ONE, truth, runs) >= 0.8
    assert power_reached(ONE, truth, int(runs * 0.95)) < 0.8
    assert runs_needed(ApproximateClaim(0.0, 1.0), truth) is None


class Stop:
    def check(self) -> None:
        raise DeadlineError("enough")


def test_the_deadline_is_kept() -> None:
    for asked in (
        lambda: runs_needed(ONE, GdpClaim(1.1), deadline=Stop()),
        lambda: detectable(ONE, 50, 50, deadline=Stop()),
    ):
        with pytest.raises(DeadlineError):
            asked()


def test_verdicts() -> None:
    refuted = claim_verdict(normal(200, 2.0), ONE)
    assert refuted.answer is Answer.REFUTED
    assert refuted.largest_refuted is not None
    assert 1.0 < refuted.largest_refuted < 2.0
    alike = claim_verdict(normal(1000, 1.0), ONE)
    assert alike.answer is Answer.NOT_REFUTED
    assert alike.factor == pytest.approx(1.2321756830076092, abs=1e-6)
    few = claim_verdict(normal(100, 1.0), ONE)
    assert few.answer is Answer.TOO_FEW  # what 100 runs find is 1.72 times as large
    assert few.can_refute
    assert claim_verdict(normal(100, 1.0), ONE, largest_factor=2.0).answer is Answer.NOT_REFUTED
    none = claim_verdict(normal(9, 1.0), ONE)
    assert (none.answer, none.can_refute, none.detectable) == (Answer.TOO_FEW, False, None)
    assert can_refute(ONE, 10, 10)


def test_a_violation_of_a_release_is_less_noise() -> None:
    claim = ReleaseClaim(Gaussian(1.0, 0.1, 20))
    verdict = claim_verdict(normal(500, 0.1), claim)
    assert verdict.detectable is not None
    assert verdict.detectable < 1.0
    assert verdict.factor == pytest.approx(1.0 / verdict.detectable)
    assert power_reached(claim, claim.with_parameter(verdict.detectable), 500) == pytest.approx(0.8, abs=1e-3)
