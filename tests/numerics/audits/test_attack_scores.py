"""Scores of an attack on one model: reference values, exact cases, and the laws that the numbers keep."""

import tracemalloc
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import roc_auc_score

from numerics.audits import GdpClaim, Scores
from numerics.audits.attack_scores import area_limits, area_under_curve, true_positive_rate
from numerics.audits.binomial_limits import at_least, at_most, fewest_for, strict_count
from numerics.audits.multiplicity import Procedure, discoveries, holm, models_needed
from numerics.audits.record_tests import conformal_p_values, rank_test_p_values
from numerics.audits.slices import divided, sliced
from numerics.deadline import DeadlineError
from tests.reference import Reference, each, rows


@each("most null scores above")
def test_strict_counts(row: Reference) -> None:
    found = strict_count(row.count("null_scores"), np.array([row.number("alpha")]), row.number("risk"))
    assert found == [row.expected]


def test_a_count_of_exactly_the_risk_is_strict_enough() -> None:
    assert strict_count(1, np.array([0.5, 0.4]), 0.5).tolist() == [0, -1]


@each("fewest null scores")
def test_fewest_null_scores(row: Reference) -> None:
    fewest = fewest_for(row.number("alpha"), row.number("risk"))
    assert fewest == row.expected
    rate = true_positive_rate(Scores(np.zeros(10), np.ones(10)), row.number("alpha"))
    assert (rate.needed, rate.null, rate.lower) == (row.expected, 10, None)
    assert strict_count(fewest, np.array([row.number("alpha")]), row.number("risk")) == [0]
    assert strict_count(fewest - 1, np.array([row.number("alpha")]), row.number("risk")) == [-1]


@pytest.mark.parametrize("row", rows("lower limit of TPR") + rows("upper limit of TPR"), ids=lambda row: row.id)
def test_limits_of_a_rate(row: Reference) -> None:
    limit = at_least if row.family.startswith("lower") else at_most
    hits = np.array([row.count("accused")])
    complement, value = limit(hits, row.count("members") - hits, row.number("risk"))
    assert value[0] == pytest.approx(row.expected, rel=1e-9)
    assert complement[0] == pytest.approx(1.0 - row.expected, rel=1e-9)


def test_the_true_positive_rate_has_a_lower_limit_with_enough_non_members() -> None:
    scores = Scores(np.arange(4380.0), np.full(1000, 4379.5))
    rate = true_positive_rate(scores, 0.001)
    assert rate.lower == pytest.approx(0.0125 ** (1 / 1000))
    assert rate.value == rate.upper == 1.0
    assert true_positive_rate(Scores(scores.null[1:], scores.alternative), 0.001).lower is None


@each("AUC, exact")
def test_area_limits(row: Reference) -> None:
    limits = area_limits(row.number("auc"), row.count("smaller_group"), row.number("level"))
    assert limits["upper" in row.id] == pytest.approx(row.expected, rel=1e-9)


@pytest.mark.parametrize("row", rows("AUC with a tie") + rows("AUC standard error"), ids=lambda row: row.id)
def test_area(row: Reference) -> None:
    scores = Scores(np.array(eval_list(row, "null")), np.array(eval_list(row, "members")))
    area = area_under_curve(scores)
    assert (area.standard_error if "standard" in row.family else area.value) == pytest.approx(row.expected, rel=1e-12)


def eval_list(row: Reference, name: str) -> list[float]:
    return [float(number) for number in row.text(name).strip("[]").split(",")]


numbers = st.lists(st.integers(-9, 9) | st.sampled_from([-np.inf, np.inf]), min_size=1, max_size=40)


@settings(max_examples=100, deadline=None)
@given(numbers, numbers)
def test_area_and_difference_by_pairs_and_of_the_order_alone(null, alternative) -> None:
    plain = Scores(np.array(null, float), np.array(alternative, float))
    area = area_under_curve(plain)
    pairs = plain.alternative[:, None], plain.null[None, :]
    assert area.value == pytest.approx(np.mean((pairs[0] > pairs[1]) + 0.5 * (pairs[0] == pairs[1])))
    assert area.lower <= area.value <= area.upper
    assert area_under_curve(Scores(*(np.arctan(side) for side in plain))) == area or np.isnan(area.standard_error)
    mirrored = area_under_curve(Scores(plain.alternative, plain.null))
    assert mirrored.value == pytest.approx(1.0 - area.value)
    assert (mirrored.lower, mirrored.upper) == pytest.approx((1.0 - area.upper, 1.0 - area.lower), abs=1e-9)


def test_area_against_another_implementation_over_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    null, alternative = np.round(rng.normal(size=500), 1), np.round(rng.normal(0.5, 1.0, 700), 1)
    whole = area_under_curve(Scores(null, alternative))
    expected = roc_auc_score(np.repeat([0, 1], [500, 700]), np.concatenate((null, alternative)))
    assert whole.value == pytest.approx(expected, rel=1e-12)
    monkeypatch.setattr("numerics.audits.attack_scores._CHUNK", 37)
    parts = area_under_curve(Scores(null, alternative))
    assert parts.standard_error == pytest.approx(whole.standard_error, rel=1e-9)


def test_the_proven_interval_covers_and_delong_nearly() -> None:
    rng, proven, estimated = np.random.default_rng(1), [], []
    truth = stats.norm.cdf(1.0 / np.sqrt(2.0))
    for _ in range(300):
        area = area_under_curve(Scores(rng.normal(size=60), rng.normal(1.0, 1.0, 80)))
        proven.append(area.lower <= truth <= area.upper)
        estimated.append(area.estimate[0] <= truth <= area.estimate[1])
    assert np.mean(proven) >= 0.95
    assert 0.88 < np.mean(estimated) < 0.99


def test_no_estimated_area_lies_beyond_none_or_all() -> None:
    rng = np.random.default_rng(3)
    area = area_under_curve(Scores(rng.normal(size=30), rng.normal(-3.0, 1.0, 30)))
    assert area.value - area.standard_error < area.estimate[1]
    assert area.estimate[0] == 0.0


def test_a_limit_next_to_an_end() -> None:
    """The root may lie below every number next to 0: then it is 0."""
    assert area_limits(1e-4, 10)[0] == 0.0
    assert area_limits(1.0 - 1e-4, 10)[1] == 1.0
    lower, upper = area_limits(0.0, 100)
    assert lower == 0.0
    assert upper == pytest.approx(1.0 - np.exp(-np.log(40.0) / 100))


def test_single_scores_have_no_standard_error() -> None:
    area = area_under_curve(Scores(np.zeros(1), np.ones(5)))
    assert np.isnan(area.standard_error)
    assert area.value == area.upper == 1.0
    assert area.lower < 0.2


def test_memory_stays_that_of_the_scores() -> None:
    scores = Scores(np.arange(3e6), np.arange(3e6) + 0.5)
    tracemalloc.start()
    area_under_curve(scores)
    true_positive_rate(scores, 0.01)
    assert tracemalloc.get_traced_memory()[1] < 2 * 24e6
    tracemalloc.stop()


def test_conformal_p_values_by_hand_and_exactly_valid() -> None:
    null = np.array([3.0, 1.0, 2.0, 2.0])
    assert conformal_p_values(null, np.array([5.0, 2.0, 0.0])).tolist() == [0.2, 0.8, 1.0]
    ranks = np.arange(6.0)  # each of 6 exchangeable scores is the record's equally often
    found = [conformal_p_values(np.delete(ranks, place), ranks[[place]])[0] for place in range(6)]
    np.testing.assert_allclose(sorted(found), np.arange(1, 7) / 6)


@pytest.mark.parametrize(("with_it", "without"), [(1, 1), (2, 3), (4, 4), (5, 2)])
def test_rank_tests_enumerated(with_it: int, without: int) -> None:
    models = with_it + without
    score = np.arange(float(models))
    members = np.zeros((0, models), bool)
    for chosen in combinations(range(models), with_it):
        members = np.vstack((members, np.isin(np.arange(models), chosen)))
    found = rank_test_p_values(np.tile(score, (len(members), 1)), members)
    larger = [np.sum(score[member][:, None] > score[~member]) for member in members]
    expected = [np.mean(np.array(larger) >= each_) for each_ in larger]
    np.testing.assert_allclose(found, expected)
    by_scipy = [stats.mannwhitneyu(score[m], score[~m], alternative="greater", method="exact").pvalue for m in members]
    np.testing.assert_allclose(found, by_scipy)


def test_rank_tests_of_many_records(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    scores, member = rng.normal(size=(400, 9)), rng.random((400, 9)) < 0.5
    member[0], member[1] = True, False
    found = rank_test_p_values(scores, member)
    assert found[:2].tolist() == [1.0, 1.0]
    monkeypatch.setattr("numerics.audits.record_tests._CELLS", 50)
    np.testing.assert_array_equal(rank_test_p_values(scores, member), found)
    for risk in (0.05, 0.2, 0.5):
        assert np.mean(found <= risk) <= risk + 3.0 * np.sqrt(risk / 400)
    tied = rank_test_p_values(np.zeros((1, 4)), np.array([[True, True, False, False]]))
    assert tied == [1.0]  # equal scores count against the record
    assert rank_test_p_values(np.array([[np.inf, np.inf, -np.inf, 0.0]]), np.array([[True, True, False, False]])) == [
        1 / 6
    ]


@each("fewest models per side")
def test_models_needed(row: Reference) -> None:
    name = Procedure.BENJAMINI_HOCHBERG if row.text("procedure") == "BH" else Procedure.BENJAMINI_YEKUTIELI
    models = models_needed(row.count("records"), row.number("fdr"), name)
    assert models == row.expected
    best = rank_test_p_values(np.arange(2.0 * models)[None, :], (np.arange(2 * models) >= models)[None, :])
    p_values = np.append(best, np.ones(row.count("records") - 1))
    assert discoveries(p_values, row.number("fdr"), name).sum() == 1


def test_too_many_records_for_any_models() -> None:
    with pytest.raises(ValueError, match="records must be few enough"):
        models_needed(10**6, 1e-300)


@each("records named")
def test_discoveries(row: Reference) -> None:
    name = Procedure.BENJAMINI_HOCHBERG if "Hochberg" in row.formula else Procedure.BENJAMINI_YEKUTIELI
    assert discoveries(np.array(eval_list(row, "p_values")), 0.05, name).sum() == row.expected


def test_holm_by_hand_and_no_hypotheses() -> None:
    assert holm(np.array([0.04, 0.01, 0.03])).tolist() == [False, True, False]
    assert holm(np.array([0.024, 0.01, 0.03])).tolist() == [True, True, True]
    assert holm(np.array([0.03, 0.02, 0.03])).tolist() == [False, False, False]
    assert not len(holm(np.empty(0)))
    assert not len(discoveries(np.empty(0)))


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=30))
def test_procedures_in_order_of_strictness(p_values) -> None:
    found = np.array(p_values)
    lax, strict, family = discoveries(found), discoveries(found, procedure=Procedure.BENJAMINI_YEKUTIELI), holm(found)
    assert np.all(lax >= strict)
    assert np.all(lax >= family)
    assert np.all(family >= (found <= 0.05 / len(found)))


class Stop:
    def check(self) -> None:
        raise DeadlineError("enough")


def test_refusals() -> None:
    with pytest.raises(ValueError, match="null scores must have a slice each"):
        divided(Scores(np.zeros(3), np.zeros(3)), np.zeros(2, int), np.zeros(3, int), 1)
    with pytest.raises(ValueError, match="slices must be between 0 and 0, got 0 to 1"):
        divided(Scores(np.zeros(2), np.zeros(1)), np.array([0, 1]), np.zeros(1, int), 1)
    with pytest.raises(ValueError, match="members must be numbers, got NaN"):
        conformal_p_values(np.zeros(2), np.array([np.nan]))
    with pytest.raises(ValueError, match="null must be a vector with at least one score"):
        conformal_p_values(np.empty(0), np.zeros(1))
    with pytest.raises(ValueError, match="member must have the shape of scores"):
        rank_test_p_values(np.zeros((2, 2)), np.zeros((2, 3), bool))
    with pytest.raises(ValueError, match="scores must be numbers, got NaN"):
        rank_test_p_values(np.full((1, 2), np.nan), np.zeros((1, 2), bool))
    with pytest.raises(DeadlineError):
        rank_test_p_values(np.zeros((1, 2)), np.zeros((1, 2), bool), Stop())
    with pytest.raises(DeadlineError):
        sliced([Scores(np.zeros(300), np.zeros(300))], 0.05, GdpClaim(1.0), deadline=Stop())
