"""Plans and verdicts: power against simulated audits, violations that would show, and the three words."""

from functools import partial

import numpy as np
import pytest
from scipy.special import ndtr

from numerics import Gaussian
from numerics.audits import ApproximateClaim, GdpClaim, ReleaseClaim
from numerics.audits.one_run import (
    Canaries,
    Guesses,
    Note,
    Verdict,
    audit,
    canaries_needed,
    critical_counts,
    p_value,
    parameter_refuted,
    power,
    preset_counts,
    smallest_violation,
)
from numerics.audits.one_run.design import GuessTails
from numerics.deadline import DeadlineError
from tests.numerics.test_deadline import Looks

RUNS = 2000
MU_1 = GdpClaim(1.0)


@pytest.mark.parametrize("claim", [MU_1, ApproximateClaim(1.0, 1e-5), ApproximateClaim(1.0, 0.0), GdpClaim(0.0)])
@pytest.mark.parametrize(("canaries", "counts"), [(1000, (30, 100, 300)), (60, (20,)), (200, (7, 40))])
def test_one_right_guess_less_does_not_refute(claim, canaries, counts):
    """At each count by itself, as far as the others show nothing."""
    critical = critical_counts(claim, canaries, counts)
    for place, least in enumerate(critical):
        for correct, refuted in ((counts[place] if least is None else least - 1, False), (least, True)):
            if correct is not None:
                guesses = other_counts_show_nothing(canaries, counts, place, correct)
                assert (p_value(guesses, claim) < 0.05) is refuted


def other_counts_show_nothing(canaries: int, counts: tuple[int, ...], place: int, correct: int) -> Guesses:
    """So many right at one count; before it as few as can be, after it none."""
    before = [max(0, correct - (counts[place] - count)) for count in counts[:place]]
    return Guesses(canaries, counts, (*before, *[correct] * (len(counts) - place)))


@pytest.mark.parametrize(("truth", "canaries", "count"), [(1.4, 1000, 300), (1.4, 1000, 101), (1.6, 400, 40)])
def test_power_is_that_of_simulated_audits(truth, canaries, count):
    claim = GdpClaim(0.7)
    (least,) = critical_counts(claim, canaries, (count,))
    assert least is not None
    rng, refuted = np.random.default_rng(7), 0
    for _ in range(RUNS):
        included = rng.random(canaries) < 0.5
        score = rng.standard_normal(canaries) + truth * included
        order = np.argsort(score)
        out = count // 2
        right = included[order[canaries - (count - out) :]].sum() + (~included[order[:out]]).sum()
        refuted += right >= least
    expected = power(claim, GdpClaim(truth), canaries, (count,))
    assert 0.05 < expected < 0.99
    assert refuted / RUNS == pytest.approx(expected, abs=4.0 * np.sqrt(0.25 / RUNS))


@pytest.mark.parametrize(("count", "least"), [(9, 8), (10, 9), (25, 19)])
def test_few_canaries_show_which_order_statistic_is_meant(count, least):
    runs, canaries = 40_000, 30
    rng = np.random.default_rng(5)
    included = rng.random((runs, canaries)) < 0.5
    score = rng.standard_normal((runs, canaries)) + 1.5 * included
    falling = np.take_along_axis(included, np.argsort(-score, axis=1), axis=1)
    out = count // 2
    right = falling[:, : count - out].sum(axis=1) + (~falling[:, canaries - out :]).sum(axis=1)
    found = GuessTails.of(GdpClaim(1.5)).at_least(least, count, canaries)
    assert found == pytest.approx(np.mean(right >= least), abs=4.0 * np.sqrt(0.25 / runs))


def test_power_without_any_violation_is_below_the_level() -> None:
    for claim in (MU_1, GdpClaim(0.0), ApproximateClaim(1.0, 0.0), ReleaseClaim(Gaussian(1.0, 0.01, 1000))):
        assert power(claim, claim, 1000) <= 0.05


def test_a_larger_violation_is_found_more_often() -> None:
    found = [power(MU_1, GdpClaim(mu), 1000) for mu in (1.0, 1.3, 1.6, 2.0, 3.0)]
    assert found == sorted(found)
    assert found[0] < 0.01
    assert found[-1] > 0.999


def test_the_smallest_violation_is_found_with_the_power_asked_for() -> None:
    for claim, closer in ((MU_1, 0.97), (ReleaseClaim(Gaussian(1.0, 0.01, 1000)), 1.03)):
        found = smallest_violation(claim, 2000)
        assert found is not None
        assert power(claim, claim.with_parameter(found), 2000) >= 0.8
        assert power(claim, claim.with_parameter(found * closer), 2000) < 0.8
    assert smallest_violation(GdpClaim(3.0), 100) is None


def test_canaries_needed() -> None:
    truth = GdpClaim(2.0)
    found = canaries_needed(MU_1, truth)
    assert found is not None
    assert found.power >= 0.8
    assert found.power == power(MU_1, truth, found.canaries)
    assert found.counts == preset_counts(found.canaries)
    assert power(MU_1, truth, round(found.canaries / 1.2)) < 0.8
    assert canaries_needed(MU_1, GdpClaim(1.2)) is None  # a million would not do
    assert canaries_needed(MU_1, MU_1) is None


def audited(mu: float, canaries: int, claim=MU_1):
    rng = np.random.default_rng(3)
    included = rng.random(canaries) < 0.5
    return audit(Canaries(rng.standard_normal(canaries) + mu * included, included).guesses(), claim)


def test_three_verdicts() -> None:
    refuted = audited(3.0, 2000)
    assert refuted.verdict is Verdict.REFUTED
    assert refuted.p_value <= 0.05
    assert refuted.refuted is not None
    assert refuted.refuted > refuted.claim.parameter == 1.0
    assert refuted.detectable is None
    few = audited(1.0, 300)
    assert few.verdict is Verdict.TOO_FEW
    assert few.detectable is not None
    assert few.detectable > 2.0
    hopeless = audited(1.0, 60)
    assert hopeless.verdict is Verdict.TOO_FEW
    assert hopeless.critical == (None,) * len(hopeless.critical)
    assert hopeless.detectable is None
    enough = audited(1.0, 2_000)
    assert enough.verdict is Verdict.NOT_REFUTED
    assert enough.p_value > 0.05
    assert enough.detectable is not None
    assert 1.0 < enough.detectable <= 2.0
    assert enough.refuted is not None
    assert enough.refuted < 1.0


@pytest.mark.parametrize("claim", [MU_1, GdpClaim(1.3), GdpClaim(0.5)])
def test_the_factor_decides_what_is_too_few(claim) -> None:
    """It is a factor of the claim's parameter, whatever that is."""
    guesses = Guesses(2000, (60, 200, 600), (32, 104, 305))
    found = audit(guesses, claim)
    assert found.detectable is not None
    apart = found.detectable / claim.mu
    for factor, verdict in ((apart * 0.99, Verdict.TOO_FEW), (apart * (1.0 + 1e-12), Verdict.NOT_REFUTED)):
        assert audit(guesses, claim, factor=factor).verdict is verdict


def test_a_release_is_symmetric_where_its_formula_is_its_own_inverse() -> None:
    composed, sampled, plain = Gaussian(1.0, 0.5, 3), Gaussian(1.0, 0.5), Gaussian(1.0, steps=3)
    assert [ReleaseClaim(release).is_symmetric for release in (composed, sampled, plain)] == [False, False, True]


def test_two_sided_audits_are_judged_two_sided() -> None:
    either = audit(Guesses(2000, (60, 200), (31, 104)), MU_1, 0.95, two_sided=True)
    assert either.critical == critical_counts(MU_1, 2000, (60, 200), 0.975)
    assert either.critical != critical_counts(MU_1, 2000, (60, 200), 0.95)
    backwards = Guesses(2000, (60, 200), (0, 1))
    assert audit(backwards, MU_1).p_value == 1.0
    found = audit(backwards, MU_1, two_sided=True)
    assert found.verdict is Verdict.REFUTED
    assert Note.BACKWARDS in found.notes


def test_delta_that_dominates_is_noticed() -> None:
    guesses = Guesses(6000, (60,), (55,))
    assert Note.DELTA_DOMINATES in audit(guesses, ApproximateClaim(1.0, 1e-5)).notes
    assert Note.DELTA_DOMINATES not in audit(guesses, ApproximateClaim(1.0, 1e-6)).notes


def test_the_median_audit_of_the_truth_has_a_middling_p_value() -> None:
    """A million canaries whose right guesses are those expected: far from both ends for the claim that is true."""
    t = 1.6448536
    expected = ndtr(1.0 - t) / (ndtr(1.0 - t) + ndtr(-t))
    share = ndtr(1.0 - t) + ndtr(-t)
    guesses = Guesses(1_000_000, (round(share * 1e6),), (round(expected * share * 1e6),))
    assert p_value(guesses, MU_1) == 1.0
    assert p_value(guesses, GdpClaim(0.3)) < 1e-3


GUESSES = Guesses(1000, (30, 100), (29, 90))


@pytest.mark.parametrize(
    "asked",
    [
        partial(p_value, GUESSES, MU_1),
        partial(parameter_refuted, GUESSES, ApproximateClaim(1.0, 0.0)),
        partial(power, MU_1, GdpClaim(2.0), 1000),
        partial(smallest_violation, MU_1, 1000),
        partial(canaries_needed, MU_1, GdpClaim(2.0)),
        partial(audit, GUESSES, MU_1),
    ],
)
def test_what_is_long_stops(asked):
    with pytest.raises(DeadlineError):
        asked(deadline=Looks(1))
    asked(deadline=Looks(10**9))
