"""Epsilon* of given laws: reference values through the same code, invariances, clips."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from numerics.epsilon_star import EMPIRICAL_CLIP, LossScale, Transform, from_laws
from numerics.epsilon_star.error_ratios import LogRates, NormalLaw, TailLaw, Term
from tests.reference import Reference, each

RELATIVE = 1e-9  # promised for reference values
DELTA = 1e-5
PLACE = 1e-6  # a maximum is flat: its place is known to half the digits of its value


def gammas(row: Reference) -> tuple[TailLaw, TailLaw]:
    shape = row.number("k1")
    return stats.gamma(shape), stats.gamma(shape + row.number("d"))


def clip_of(row: Reference) -> float:
    return row.number("delta" if row.text("clip") == "delta" else "clip")


@each("Epsilon* N(0,1) vs N(m,1)")
def test_normals_have_the_epsilon_of_the_gaussian_mechanism(row: Reference) -> None:
    found = from_laws(NormalLaw(0, 1), NormalLaw(row.number("m"), 1), row.number("delta"))
    assert found.value == pytest.approx(row.expected, rel=RELATIVE)
    assert {peak.term for peak in found.peaks[:2]} == {Term.MEMBERS_BELOW, Term.OUTSIDERS_ABOVE}


@each("optimal threshold", prefix="epsstar_norm")
def test_place_of_the_maximum(row: Reference) -> None:
    found = from_laws(NormalLaw(0, 1), NormalLaw(row.number("m"), 1), row.number("delta"))
    below = next(peak for peak in found.peaks if peak.term is Term.MEMBERS_BELOW)
    assert below.threshold == pytest.approx(row.expected, rel=PLACE)


@each("Epsilon* with FNR,FPR clipped to (delta,1-delta)")
def test_normals_with_the_papers_clip(row: Reference) -> None:
    delta = row.number("delta")
    found = from_laws(NormalLaw(0, 1), NormalLaw(row.number("m"), 1), delta, clip=delta)
    assert found.value == pytest.approx(row.expected, rel=RELATIVE)
    assert found.clip_active
    assert found.value <= found.cap == pytest.approx(math.log((1 - 2 * delta) / delta))


def test_three_sigmas_at_one_in_a_million() -> None:
    laws = NormalLaw(0, 1), NormalLaw(3, 1)
    assert from_laws(*laws, 1e-6).value == pytest.approx(18.163445759078, rel=RELATIVE)
    assert from_laws(*laws, 1e-6, clip=1e-6).value == pytest.approx(10.590707217726, rel=RELATIVE)


@each("Epsilon* Gamma(2) train vs Gamma(2+d) pop, exact sup")
def test_gammas(row: Reference) -> None:
    found = from_laws(*gammas(row), row.number("delta"))
    assert found.value == pytest.approx(row.expected, rel=RELATIVE)
    assert found.peaks[0].term is Term.MEMBERS_BELOW


@each("term 2 sup (upper tail)")
def test_second_term_of_gammas(row: Reference) -> None:
    found = from_laws(*gammas(row), row.number("delta"))
    above = next(peak for peak in found.peaks if peak.term is Term.OUTSIDERS_ABOVE)
    assert above.log_ratio == pytest.approx(row.expected, rel=RELATIVE)


@each("optimal threshold / theta")
def test_place_of_the_maximum_of_gammas(row: Reference) -> None:
    assert from_laws(*gammas(row), row.number("delta")).peaks[0].threshold == pytest.approx(row.expected, rel=PLACE)


@each("Epsilon* sup with FNR,FPR clipped to (c,1-c)")
def test_gammas_with_a_clip(row: Reference) -> None:
    found = from_laws(*gammas(row), row.number("delta"), clip_of(row))
    assert found.value == pytest.approx(row.expected, rel=RELATIVE)


@each("n->infinity limit")
def test_limit_of_the_parametric_estimate(row: Reference) -> None:
    shapes = row.number("k1"), row.number("k1") + row.number("d")
    train, population = (NormalLaw(shape, math.sqrt(shape)) for shape in shapes)
    clip = row.number("delta") if "clip" in row.id else None
    assert from_laws(train, population, row.number("delta"), clip).value == pytest.approx(row.expected, rel=RELATIVE)


@each("Epsilon* single point")
def test_one_pair_of_error_rates(row: Reference) -> None:
    t, eta = row.number("t"), row.number("eta")
    rates = LogRates(*(np.array([math.log(rate)]) for rate in (t, 1 - t, eta, 1 - eta)))
    ratios = rates.log_ratios(row.number("delta"))
    largest = max(0.0, *(float(ratio[0]) for ratio in ratios.values()))
    assert largest == pytest.approx(row.expected, rel=RELATIVE)


@each("logit transform")
def test_score_is_the_negative_of_the_papers_logit(row: Reference) -> None:
    (score,) = Transform(LossScale.PRINTED, 0.0, 1.0).scores(np.array([row.number("u")]))
    assert -score == pytest.approx(row.expected, rel=RELATIVE)


@pytest.mark.parametrize("law", [NormalLaw(0.3, 2.0), stats.gamma(2), stats.t(3)])
@pytest.mark.parametrize("clip", [None, DELTA, EMPIRICAL_CLIP])
def test_identical_laws_give_zero(law: TailLaw, clip: float | None) -> None:
    """By our copy of the display the fourth ratio would give 11.5 with the clip, infinity without (correction 19)."""
    assert from_laws(law, law, DELTA, clip).value == 0.0


@pytest.mark.parametrize(
    ("ratio", "expected"), [(1.01, 0.097), (1.05, 0.648), (1.1, 1.457), (1.25, 4.33), (1.5, 10.24), (2.0, 25.73)]
)
def test_unequal_spreads_alone_make_a_large_value(ratio: float, expected: float) -> None:
    """Correction 26; the values there are rounded."""
    assert from_laws(NormalLaw(0, 1), NormalLaw(0, ratio), DELTA).value == pytest.approx(expected, abs=0.006)


def test_laws_far_apart_stay_finite_in_logs() -> None:
    assert from_laws(NormalLaw(0, 1), NormalLaw(100, 1), 1e-6).value > 4000.0


def test_negated_laws_have_the_same_value() -> None:
    there = from_laws(NormalLaw(0, 1), NormalLaw(2, 1.3), DELTA)
    back = from_laws(NormalLaw(0, 1), NormalLaw(-2, 1.3), DELTA)
    assert there.value == pytest.approx(back.value, rel=RELATIVE)
    assert (there.peaks[0].term, back.peaks[0].term) == (Term.OUTSIDERS_ABOVE, Term.OUTSIDERS_BELOW)


@given(st.floats(0.0, 1.0), st.sampled_from([(0.0, 1.0), (-5.0, 1e6), (-1e308, 1e308)]))
def test_scores_are_undone_and_keep_the_order(u: float, ends: tuple[float, float]) -> None:
    low, high = ends
    loss = low * (1 - u) + high * u
    transform = Transform(LossScale.PRINTED, low, high)
    (score,) = transform.scores(np.array([loss]))
    assert math.isfinite(score)
    if high < 1e300:
        assert transform.loss_at(float(score)) == pytest.approx(loss, abs=1e-12 * (high - low))


@pytest.mark.parametrize("delta", [0.0, 1.0, -1e-5, 2.0, math.nan, math.inf])
def test_delta_must_be_a_probability(delta: float) -> None:
    with pytest.raises(ValueError, match="delta must be strictly between 0 and 1"):
        from_laws(NormalLaw(0, 1), NormalLaw(1, 1), delta)


@pytest.mark.parametrize("clip", [0.0, 0.5, -1.0, math.nan])
def test_clip_must_leave_something(clip: float) -> None:
    with pytest.raises(ValueError, match="clip must be above 0 and below 1/2"):
        from_laws(NormalLaw(0, 1), NormalLaw(1, 1), DELTA, clip)
