"""Slices of records, each with its own rate: which exceed a claim, which are surely below another."""

from types import SimpleNamespace

import numpy as np
import pytest

from numerics.audits import ApproximateClaim, GdpClaim, Scores, slices
from numerics.audits.attack_scores import true_positive_rate
from numerics.audits.slices import divided, rate_for, sliced, surely_below


def test_slices() -> None:
    rng = np.random.default_rng(4)
    null, members = rng.normal(size=3000), rng.normal(size=2000)
    codes, own = rng.integers(0, 3, 3000), rng.integers(0, 3, 2000)
    members[own == 1] += 3.0
    own[np.flatnonzero(own == 2)[29:]] = 0
    parts = divided(Scores(null, members), codes, own, 3)
    np.testing.assert_array_equal(parts[1].alternative, members[own == 1])
    found = sliced(parts, 0.05, GdpClaim(0.0))
    assert [one.is_too_small for one in found] == [False, False, True]
    assert [one.exceeds for one in found] == [False, True, False]
    assert (found[2].rate, found[2].p_value, found[2].members) == (None, 1.0, 29)
    assert found[0].rate == true_positive_rate(parts[0], 0.05, 1.0 - 0.05 / 3)
    assert found[0].null == np.sum(codes == 0)


def test_slices_exceed_by_holm(monkeypatch: pytest.MonkeyPatch) -> None:
    p_values = iter([0.03, 0.016, 0.2, 0.04, 0.012, 0.02])
    monkeypatch.setattr(slices, "claim_test", lambda *_: SimpleNamespace(p_value=next(p_values)))
    alike = [Scores(np.arange(300.0), np.arange(300.0))] * 3
    assert [one.exceeds for one in sliced(alike, 0.05, GdpClaim(0.0))] == [False, True, False]
    assert [one.exceeds for one in sliced(alike, 0.05, GdpClaim(0.0))] == [True, True, True]


def test_slices_falsely_exceed_in_few_audits() -> None:
    rng = np.random.default_rng(5)
    wrong = []
    for _ in range(15):
        parts = [Scores(rng.normal(size=80), rng.normal(size=80)) for _ in range(3)]
        wrong.append(any(one.exceeds for one in sliced(parts, 0.2, ApproximateClaim(0.0, 0.0))))
    assert np.mean(wrong) <= 0.05 + 3.0 * np.sqrt(0.05 * 0.95 / 15)


def test_the_rate_of_slices_depends_on_their_sizes_alone() -> None:
    """At 95 %, a lower limit at 1 % for one of three slices takes 546 outsiders, at 10 % 52."""
    needed = [next(n for n in range(10, 2000) if alpha_is_possible(n, alpha)) for alpha in (0.01, 0.1)]
    sizes = {needed[0]: 0.01, needed[0] - 1: 0.1, needed[1]: 0.1, 10: 0.1}
    for size, alpha in sizes.items():
        slices = [
            Scores(np.zeros(size), np.zeros(30)),
            Scores(np.zeros(size), np.ones(30)),
            Scores(np.zeros(10), np.zeros(3)),
        ]
        assert rate_for(slices, (0.01, 0.1)) == alpha


def alpha_is_possible(null: int, alpha: float) -> bool:
    scores = Scores(np.arange(float(null)), np.arange(float(null)))
    return sliced([scores] * 3, alpha, GdpClaim(0.0))[0].rate is not None


def test_a_slice_is_surely_below_another_only_where_limits_are_apart() -> None:
    null = np.arange(2000.0)
    much, little = Scores(null, null + 1990.0), Scores(null, null)
    found = sliced([much, little, Scores(null[:5], null[:5])], 0.01, GdpClaim(0.0))
    assert surely_below(found).tolist() == [False, True, False]
    assert surely_below(sliced([much, much], 0.01, GdpClaim(0.0))).tolist() == [False, False]
    assert surely_below([]).tolist() == []


def test_slices_that_are_alike_are_seldom_found_to_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "claim_test", lambda *_: SimpleNamespace(p_value=1.0))  # rates differ by limits alone
    rng = np.random.default_rng(12)
    wrong = 0
    for _ in range(200):
        parts = [Scores(rng.normal(size=200), rng.normal(0.5, size=200)) for _ in range(4)]
        wrong += bool(surely_below(sliced(parts, 0.1, GdpClaim(0.0))).any())
    assert wrong <= 10  # 5 % of 200; limits are conservative
