"""What an estimate is worth: each rule by itself, and the scales of scores."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from losses import SAMPLES
from numerics.epsilon_star import EMPIRICAL_CLIP, EpsilonStar, LossScale, LowerBound, Method, Transform, estimate
from numerics.epsilon_star.confidence import attainable
from numerics.epsilon_star.error_ratios import NormalLaw
from numerics.epsilon_star.estimators import from_laws
from numerics.epsilon_star.verdict import (
    Reason,
    ScoreShape,
    Standing,
    critical_distance,
    distance,
    shape_of,
    tied_at_ends,
    verdict_of,
)
from numerics.trade_off import Floats
from tests.reference import Reference, each, rows

RELATIVE = 1e-6  # promised for these reference values
DELTA = 1e-5
NORMAL = ScoreShape(True, 0.0, 0.0)
QUANTILES = stats.norm.ppf((np.arange(1, 1001) - 0.5) / 1000)
LOG_ODDS = 3.0 + 2.0 * QUANTILES, 2.0 + 2.0 * QUANTILES


def worth(found: EpsilonStar, value: float) -> EpsilonStar:
    """The same with another value, that of the largest ratio."""
    first, *others = found.peaks
    return replace(found, peaks=(first._replace(log_ratio=value), *others))


def cross_entropy(log_odds: Floats) -> Floats:
    return np.asarray(np.logaddexp(0.0, -log_odds))


def fit(train: Floats, population: Floats, scale: LossScale, delta: float = DELTA) -> EpsilonStar:
    return estimate(train, population, delta, Method.PARAMETRIC, scale=scale)


def expected(row: str) -> float:
    (found,) = rows(prefix=row)
    return found.expected


@pytest.mark.parametrize(("scale", "unit"), [(LossScale.NATS, 1.0), (LossScale.BITS, np.log(2.0))])
def test_a_fit_on_the_log_odds_finds_what_a_fit_to_cross_entropy_misses_by_a_factor_of_seven(
    scale: LossScale, unit: float
) -> None:
    losses = [cross_entropy(group) / unit for group in LOG_ODDS]
    assert fit(losses[0], losses[1], scale).value == pytest.approx(expected("grey_natural_logit_fit"), rel=RELATIVE)
    assert fit(-LOG_ODDS[0], -LOG_ODDS[1], LossScale.LOG_ODDS).value == pytest.approx(
        expected("grey_natural_logit_fit"), rel=RELATIVE
    )
    truth = from_laws(NormalLaw(-3.0, 2.0), NormalLaw(-2.0, 2.0), DELTA).value
    assert truth == pytest.approx(expected("grey_truth_of_the_laws"), rel=RELATIVE)
    printed = fit(losses[0], losses[1], LossScale.PRINTED).value
    assert printed == pytest.approx(expected("grey_parametric_cross_entropy"), rel=RELATIVE)
    assert abs(fit(losses[0], losses[1], scale).value - truth) < 0.002
    assert printed - truth > 10.0


def test_as_printed_the_number_hangs_on_the_scale_and_the_bound_does_not() -> None:
    """Bound and counts know the order of the losses only."""
    maps = [lambda z: -z, cross_entropy, lambda z: 1.0 / (1.0 + np.exp(z))]
    groups = [(change(LOG_ODDS[0]), change(LOG_ODDS[1])) for change in maps]
    assert fit(*groups[0], LossScale.PRINTED).value == pytest.approx(expected("grey_parametric_logit"), rel=RELATIVE)
    assert len({round(fit(*pair, LossScale.PRINTED).value, 3) for pair in groups}) == 3
    bounds = [estimate(*pair, DELTA).value for pair in groups]
    assert bounds == pytest.approx([expected("grey_bound_all_three")] * 3, rel=RELATIVE)
    counts = {estimate(*pair, DELTA, Method.EMPIRICAL, EMPIRICAL_CLIP).value for pair in groups}
    assert len(counts) == 1


@each(prefix="null_ceiling")
def test_the_most_that_samples_of_a_size_can_show(row: Reference) -> None:
    sizes = row.count("train"), row.count("population")
    assert attainable(*sizes, row.number("delta"), row.number("level")) == pytest.approx(row.expected, rel=RELATIVE)


@each(prefix="grey_lilliefors")
def test_the_distance_at_which_normal_laws_are_rejected(row: Reference) -> None:
    assert critical_distance(row.count("n")) == pytest.approx(row.expected, rel=RELATIVE)


def test_normal_scores_are_rejected_once_in_a_hundred_samples() -> None:
    rng = np.random.default_rng(1)
    found = [distance(np.sort(rng.normal(size=200))) > critical_distance(200) for _ in range(2000)]
    assert 0.003 < np.mean(found) < 0.022  # 1 %, and four standard errors of .0022; the formula is a bit liberal
    assert distance(np.sort(rng.gamma(2.0, size=1000))) > critical_distance(1000)


@pytest.mark.parametrize("clip", ["1e-15", "0.005"])
def test_of_saturated_probabilities_the_clip_decides_the_fit(clip: str) -> None:
    (row,) = [one for one in rows(prefix="grey_forest_like") if one.text("clip") == clip]
    cut = row.number("clip")
    losses = []
    for group in LOG_ODDS:
        p = np.round(1.0 / (1.0 + np.exp(-group)), 2)
        losses.append(np.sort(np.log(np.maximum(1.0 - p, cut)) - np.log(np.maximum(p, cut))))
    found = fit(losses[0], losses[1], LossScale.PRINTED)
    assert found.value == pytest.approx(row.expected, rel=RELATIVE)
    on_log_odds = fit(losses[0], losses[1], LossScale.LOG_ODDS)
    assert on_log_odds.transform is not None
    shape = shape_of(losses[0], losses[1], on_log_odds.transform)
    assert shape.tied > 0.01
    assert Reason.SATURATED in verdict_of(on_log_odds, bound_of(losses), shape, 0.005).reasons


def bound_of(groups: list[Floats] | tuple[Floats, Floats], delta: float = DELTA) -> LowerBound:
    found = estimate(groups[0], groups[1], delta).confidence
    assert found is not None
    return found


def plain() -> tuple[EpsilonStar, LowerBound]:
    """Normal log odds of equal spread at a delta so large that the optimum has data: an estimate without a flaw."""
    losses = np.sort(-LOG_ODDS[0]), np.sort(-LOG_ODDS[1])
    found = fit(*losses, LossScale.LOG_ODDS, 0.05)
    assert not found.is_beyond
    return found, bound_of(losses, 0.05)


def test_an_estimate_without_a_flaw_is_plain() -> None:
    found, bound = plain()
    verdict = verdict_of(found, bound, NORMAL, 0.005)
    assert (verdict.standing, verdict.reasons, verdict.words) == (Standing.PLAIN, (), "")


def beyond(found: EpsilonStar) -> EpsilonStar:
    """The same with its optimum where there is no data."""
    peak = found.peaks[0]._replace(false_positive_rate=1e-9)
    return replace(found, peaks=(peak, *found.peaks[1:]))


def with_spreads(found: EpsilonStar, ratio: float) -> EpsilonStar:
    return replace(found, laws=(NormalLaw(-3.0, 2.0 * ratio), NormalLaw(-2.0, 2.0)))


@pytest.mark.parametrize(
    ("reason", "grey"),
    [
        (Reason.ABOVE_CEILING, True),
        (Reason.NOT_NORMAL, True),
        (Reason.UNEQUAL_SPREADS, True),
        (Reason.SATURATED, True),
        (Reason.CHANCE, True),
        (Reason.EXTRAPOLATED, False),
        (Reason.PRINTED, False),
        (Reason.BELOW_BOUND, False),
        (Reason.UNCHECKED, False),
    ],
)
def test_each_rule_by_itself(reason: Reason, grey: bool) -> None:
    found, bound = plain()
    transform = found.transform
    assert transform is not None
    odd = ScoreShape(False, 0.0, 0.0)
    cases = {
        Reason.ABOVE_CEILING: (worth(found, bound.attainable + 1e-6), NORMAL, 0.005),
        Reason.NOT_NORMAL: (beyond(found), odd, 0.005),
        Reason.UNEQUAL_SPREADS: (with_spreads(found, 1.106), NORMAL, 0.005),
        Reason.SATURATED: (found, ScoreShape(True, 0.0011, 0.0), 0.005),
        Reason.CHANCE: (found, NORMAL, 0.055),
        Reason.EXTRAPOLATED: (beyond(found), NORMAL, 0.005),
        Reason.PRINTED: (replace(found, transform=replace(transform, scale=LossScale.PRINTED)), NORMAL, 0.005),
        Reason.BELOW_BOUND: (worth(found, bound.value - 1e-6), NORMAL, 0.005),
        Reason.UNCHECKED: (found, NORMAL, None),
    }
    verdict = verdict_of(cases[reason][0], bound, *cases[reason][1:])
    assert verdict.reasons == (reason,)
    assert verdict.standing is (Standing.GREY if grey else Standing.AMBER)
    assert verdict.words == reason


def test_what_is_within_the_rules_is_not_held_against_an_estimate() -> None:
    found, bound = plain()
    cases = [
        (worth(found, bound.attainable), NORMAL, 0.005),
        (found, ScoreShape(False, 0.0, 0.0), 0.005),  # not normal, but there are data
        (with_spreads(found, 1.105), NORMAL, 0.005),
        (found, ScoreShape(True, 0.001, 0.01), 0.005),
        (found, NORMAL, 0.05),
    ]
    assert [verdict_of(one, bound, shape, p).standing for one, shape, p in cases] == [Standing.PLAIN] * 5


def test_counted_rates_are_never_plain_and_never_grey() -> None:
    groups = np.sort(-LOG_ODDS[0]), np.sort(-LOG_ODDS[1])
    found = estimate(*groups, DELTA, Method.EMPIRICAL, EMPIRICAL_CLIP)
    for p_value in (0.005, 0.9, None):
        assert verdict_of(found, bound_of(groups), None, p_value).standing is Standing.AMBER


def test_ties_at_an_end_are_seen_and_single_losses_are_none() -> None:
    assert tied_at_ends(np.arange(20.0)) == 0.0
    assert tied_at_ends(np.append(np.zeros(3), np.arange(1.0, 98.0))) == 0.03
    assert tied_at_ends(np.append(np.arange(98.0), [99.0, 99.0])) == 0.02


def test_losses_of_a_probability_that_rounded_to_1_are_cut_and_counted() -> None:
    losses = np.array([0.0, 1e-17, 1e-10, 1.0])
    transform = Transform(LossScale.NATS, 0.0, 1.0)
    assert transform.cut(losses) == 2
    found = transform.scores(losses)
    assert found[0] == found[1] == pytest.approx(-53.0 * np.log(2.0))
    assert np.all(np.diff(found[1:]) > 0.0)
    with pytest.raises(ValueError, match=r"losses must not be negative for cross-entropy in nats, got -0\.1"):
        Transform(LossScale.NATS, -0.1, 1.0)


@pytest.mark.parametrize("scale", LossScale)
def test_scores_of_every_scale_are_undone(scale: LossScale) -> None:
    losses = np.array([1e-12, 1e-3, 0.7, 5.0, 300.0])
    transform = Transform(scale, 0.0, 300.0)
    back = [transform.loss_at(float(score)) for score in transform.scores(losses)]
    assert back == pytest.approx(losses, rel=1e-9, abs=1e-10 if scale is LossScale.PRINTED else 0.0)


def test_a_fit_without_a_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="scale must be given for a fit"):
        estimate(-LOG_ODDS[0], -LOG_ODDS[1], DELTA, Method.PARAMETRIC)


def test_the_overfitted_sample_is_grey_on_every_scale() -> None:
    groups = SAMPLES[0].groups()
    for scale in (LossScale.LOG_ODDS, LossScale.PRINTED):
        found = estimate(groups.train, groups.population, None, Method.PARAMETRIC, scale=scale)
        assert found.transform is not None
        shape = shape_of(groups.train, groups.population, found.transform)
        verdict = verdict_of(found, bound_of((groups.train, groups.population), found.delta), shape, 0.005)
        assert verdict.standing is Standing.GREY
        assert Reason.ABOVE_CEILING in verdict.reasons
        assert not shape.is_normal
