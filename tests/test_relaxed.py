"""The relaxed threat model against 50-digit references, its laws, and Monte Carlo."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from numerics import relaxed
from numerics.calibration import noise_for
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace
from numerics.privacy_loss import Precision
from numerics.relaxed import Direction, Reading, asymptotics
from numerics.relaxed.folded import FoldedLaplace, FoldedNormal
from numerics.relaxed.squared_distance import FoldedDistance
from numerics.trade_off import Bound, Order, alpha_grid
from tests.reference import Reference, each, rows
from tests.strategies import log_uniform

# Closed forms, through a quantile and back.
ROUNDING = 1e-11
# A misprint counts as returned when the answer is this near to it; all are further away than 1e-3.
MISPRINT = 1e-4
# The references of the product of folded steps come from an integral of nine digits; ours is certified to 1e-5.
CERTIFIED = 1e-5
# Laws between numerical curves hold up to their stated errors and this much.
SLACK = 1e-8

GRID = alpha_grid(101)
SAMPLED = [Gaussian(1.0, 0.3, 2), Gaussian(5.0, 0.4, 30), Gaussian(1.0, 0.1, 100), Gaussian(1.0, 1 / 120, 1200)]


def beta(mechanism, alpha: float, **options) -> float:
    return float(relaxed.trade_off(mechanism, np.array([alpha]), **options).beta[0])


def once(row: Reference) -> Gaussian | Laplace:
    """The mechanism of a row: one step, or N of them."""
    laplace = "mu1" in row.params
    mu = row.number(next(name for name in ("mu1", "mu2", "mu") if name in row.params))
    rate = row.number("p") if "p" in row.params else 1.0
    steps = row.count("N") if "N" in row.params else 1
    return (Laplace if laplace else Gaussian)(1.0 / mu, rate, steps)


def dimension(row: Reference) -> int:
    return row.count("d") if "d" in row.params else 1


def approximate(form, row: Reference) -> float:
    """Beta of one of the two normal approximations."""
    noncentrality = once(row).steps * once(row).effect_size ** 2
    return float(form(np.array([row.number("alpha")]), noncentrality, dimension(row)).beta[0])


CLOSED = {
    "j_Lap (RTM": Order.ADD,
    "j_Lap^{-1} with": Order.REMOVE,
    "j_Lap^{-1} in": Order.REMOVE,
    "J_Lap": Order.SYMMETRIC,
    "j_GM d=1": Order.ADD,
    "j_GM^{-1} d=1": Order.REMOVE,
    "J_GM": Order.SYMMETRIC,
    "j_GM d>1": Order.ADD,
    "j_GM^{-1} d>1": Order.REMOVE,
    "SGM RTM j_p N=1": Order.ADD,
    "SGM RTM j_p^{-1}": Order.REMOVE,
    "SLM RTM": Order.ADD,
}
CASES = [(row, order) for family, order in CLOSED.items() for row in rows(family)]


@pytest.mark.parametrize(("row", "order"), CASES, ids=[row.id for row, _ in CASES])
def test_closed_forms(row, order):
    found = beta(once(row), row.number("alpha"), dimension=dimension(row), order=order)
    assert found == pytest.approx(row.expected, rel=ROUNDING)


@each("j_Lap^{-1} threshold")
def test_threshold_of_the_laplace_inverse(row):
    assert FoldedLaplace(row.number("mu1")).inverse_threshold == pytest.approx(row.expected, rel=ROUNDING)


@each("misprint", prefix="NEG_lap_jinv", role="negative")
def test_printed_threshold_is_not_used(row):
    assert beta(once(row), row.number("alpha"), order=Order.REMOVE) != pytest.approx(row.expected, abs=MISPRINT)


@each("Theorem 3 CLT")
def test_asymptotic_forms(row):
    form = asymptotics.scaled if "LHS" in row.family else asymptotics.shifted
    assert approximate(form, row) == pytest.approx(row.expected, rel=ROUNDING)


@each("misprint", prefix="NEG_thm3", role="negative")
def test_printed_asymptotic_forms_are_not_used(row):
    for form in (asymptotics.scaled, asymptotics.shifted):
        assert approximate(form, row) != pytest.approx(row.expected, abs=MISPRINT)


@each("Lemma 8 noncentrality")
def test_average_of_unequal_releases_is_not_what_is_composed(row):
    """The best statistic weighs by inverse variance: its kappa is never below that of Lemma 8, nor its misprint's."""
    effects = [row.number("Da") / row.number("sa"), row.number("Db") / row.number("sb")]
    both = Composition(tuple(Gaussian(1.0 / effect) for effect in effects))
    kappa = sum(effect**2 for effect in effects)
    assert kappa >= row.expected
    for alpha in (0.01, 0.3):
        assert beta(both, alpha) == pytest.approx(beta(Gaussian(kappa**-0.5), alpha), rel=ROUNDING)


@each("j_GMC average")
def test_lemma_8_is_the_power_of_a_weaker_statistic(row):
    kappa = (row.number("Da") + row.number("Db")) ** 2 / (row.number("sa") ** 2 + row.number("sb") ** 2)
    assert beta(Gaussian(kappa**-0.5), row.number("alpha")) == pytest.approx(row.expected, rel=ROUNDING)
    both = Composition((Gaussian(row.number("sa") / row.number("Da")), Gaussian(row.number("sb") / row.number("Db"))))
    assert beta(both, row.number("alpha")) <= row.expected


@each("RTM SGM N-fold option A")
def test_magnitude_of_the_mean(row):
    found = beta(once(row), row.number("alpha"), reading=Reading.MAGNITUDE)
    assert found == pytest.approx(row.expected, abs=1e-7)  # interpolated between 250 thresholds


@pytest.mark.parametrize("row", rows("RTM option B"), ids=lambda row: row.id)
def test_product_of_folded_steps(row):
    found = beta(once(row), row.number("alpha"), reading=Reading.FOLDED_STEPS)
    assert found == pytest.approx(row.expected, abs=CERTIFIED)


@each("RTM option D")
def test_guarantee_of_two_steps_within_its_stated_error(row):
    curve = relaxed.trade_off(once(row), np.array([row.number("alpha")]))
    assert curve.error < 2e-4
    assert curve.beta[0] == pytest.approx(row.expected, abs=curve.error)
    assert curve.bound is Bound.ESTIMATE


@pytest.mark.parametrize("mechanism", SAMPLED, ids=lambda mechanism: mechanism.label)
def test_guarantee_against_simulation(mechanism):
    """The Bayes test itself, by simulated log-likelihood ratios of both sides; within five standard errors."""
    alpha, samples, rng = np.array([0.01, 0.1, 0.5]), 60_000, np.random.default_rng(7)
    curve = relaxed.trade_off(mechanism, alpha)
    ratio = [_log_ratio(mechanism, present, samples, rng) for present in (False, True)]
    critical = np.quantile(ratio[0], 1.0 - alpha)
    power = np.mean(ratio[1][:, None] > critical, axis=0)
    # A quantile's own error, carried over by a slope of at most power / alpha, adds to that of the count.
    error = np.sqrt((power * (1 - power) + (power / alpha) ** 2 * alpha * (1 - alpha)) / samples)
    assert np.all(np.abs(curve.power - power) < 5.0 * error + curve.error)


def _log_ratio(mechanism, present: bool, samples: int, rng) -> np.ndarray:
    mu, total = mechanism.effect_size, np.zeros((2, samples))
    for _ in range(mechanism.steps):
        x = rng.standard_normal(samples)
        x += mu * (rng.random(samples) < mechanism.sampling_rate) * present
        for row, side in enumerate((x, -x)):
            total[row] += np.log1p(mechanism.sampling_rate * np.expm1(mu * side - 0.5 * mu**2))
    return np.asarray(np.logaddexp(*total) - np.log(2.0))


@pytest.mark.parametrize("mechanism", [*SAMPLED, Laplace(1.0, 0.3, 2), Laplace(2.0, 0.1, 60)], ids=lambda m: m.label)
@pytest.mark.parametrize("order", Order)
def test_guarantee_lies_between_full_knowledge_and_single_statistics(mechanism, order):
    curve = relaxed.trade_off(mechanism, GRID, order=order)
    full = mechanism.trade_off(GRID, order)
    assert np.all((full.lower or full).beta <= curve.beta + curve.error + SLACK)
    readings = [Reading.FOLDED_STEPS] + [Reading.MAGNITUDE] * isinstance(mechanism, Gaussian)
    for reading in readings:
        single = relaxed.trade_off(mechanism, GRID, order=order, reading=reading)
        assert single.bound is Bound.UPPER
        assert np.all(curve.beta <= single.beta + curve.error + CERTIFIED)


def test_readings_agree_for_one_step():
    mechanism = Gaussian(0.8, 0.3)
    curves = [relaxed.trade_off(mechanism, GRID, reading=reading).beta for reading in Reading]
    np.testing.assert_array_equal(curves[0], curves[1])
    np.testing.assert_array_equal(curves[0], curves[2])


@pytest.mark.parametrize("kind", [Gaussian, Laplace])
def test_numerical_guarantee_tends_to_the_closed_form(kind):
    """Two steps of which the second says next to nothing are one step."""
    both = Composition((kind(0.8, 0.5), kind(1e4, 0.5)))
    curve, one = relaxed.trade_off(both, GRID), relaxed.trade_off(kind(0.8, 0.5), GRID)
    np.testing.assert_allclose(curve.beta, one.beta, atol=curve.error + 1e-4)


effects, dimensions = log_uniform(0.02, 12.0), st.sampled_from([1, 2, 3, 10, 300, 40_001, 10**6, 10**9])
folded = st.builds(
    lambda laplace, mu, rate, d: (Laplace if laplace else Gaussian, mu, rate, 1 if laplace else d),
    st.booleans(),
    effects,
    st.one_of(st.just(1.0), log_uniform(0.01, 1.0)),
    dimensions,
)


@given(folded)
@settings(max_examples=40)
def test_laws_of_the_closed_forms(case):
    kind, mu, rate, d = case
    mechanism = kind(1.0 / mu, rate)
    j, inverse, both = (relaxed.trade_off(mechanism, GRID, dimension=d, order=order) for order in Order)
    assert j.bound is Bound.EXACT
    full = [mechanism.trade_off(GRID, order).beta for order in Order]
    for curve, below in zip((j, inverse, both), full, strict=True):
        assert np.all(curve.beta >= below - ROUNDING)
        assert np.all(curve.beta <= 1.0 - GRID + ROUNDING)
        np.testing.assert_allclose(curve.beta + curve.power, 1.0, rtol=1e-14)
        slopes = np.diff(curve.beta) / np.diff(GRID)
        # A slope loses digits to the difference of the betas, and of their rounding, over that of the alphas.
        assert np.all(np.diff(slopes) >= -4.0 * ROUNDING / np.minimum(np.diff(GRID)[1:], np.diff(GRID)[:-1]))
    assert np.all(both.beta <= np.minimum(j.beta, inverse.beta) + ROUNDING)


@given(folded)
@settings(max_examples=40)
def test_the_inverse_is_the_mirror_image(case):
    kind, mu, rate, d = case
    mechanism = kind(1.0 / mu, rate)
    inverse = relaxed.trade_off(mechanism, GRID[1:-1], dimension=d, order=Order.REMOVE)
    keep = (inverse.beta > 1e-9) & (inverse.beta < 1 - 1e-9)
    alpha = inverse.beta[keep][::-1]
    back = relaxed.trade_off(mechanism, alpha, dimension=d).beta[::-1]
    np.testing.assert_allclose(back, GRID[1:-1][keep], rtol=1e-6, atol=1e-10)


@given(effects)
@settings(max_examples=30)
def test_power_falls_with_the_dimension(mu):
    power = [relaxed.trade_off(Gaussian(1.0 / mu), GRID, dimension=d).power for d in (1, 2, 10, 300, 10**6)]
    for fewer, more in pairwise(power):
        assert np.all(more <= fewer + ROUNDING)


@pytest.mark.parametrize(("mu", "d"), [(1.0, 2), (1.5, 300), (30.0, 10**6), (0.5, 1)])
def test_tails_against_boost(mu, d):
    """Down to alpha = 1e-9 in either error, by another method: SciPy's noncentral chi-squared."""
    alpha = np.array([1e-9, 1e-4, 0.3, 1 - 1e-6])
    critical = stats.chi2.isf(alpha, d)
    curve = relaxed.trade_off(Gaussian(1.0 / mu), alpha, dimension=d)
    np.testing.assert_allclose(curve.power, stats.ncx2.sf(critical, d, mu**2), rtol=1e-9)
    np.testing.assert_allclose(curve.beta, stats.ncx2.cdf(critical, d, mu**2), rtol=1e-7)


def test_interpolation_between_nodes_keeps_the_digits():
    for mu, d in ((0.1, 1.0), (1.0, 2.0), (3.0, 300.0), (20.0, 1e6)):
        law, alpha = FoldedDistance(mu, d), alpha_grid(1000)[1:-1]
        many, few = law.errors(alpha, 1 - alpha), law.errors(alpha[::40], 1 - alpha[::40])
        np.testing.assert_allclose(many.power[::40], few.power, rtol=1e-9)
        np.testing.assert_allclose(many.beta[::40], few.beta, rtol=1e-9)


def test_symmetric_curve_is_the_envelope_by_brute_force():
    """Largest convex function below both: the largest supporting line over a fine set of slopes."""
    fine, at = alpha_grid(20_001), np.linspace(0.02, 0.98, 25)
    for mechanism in (Gaussian(1.0), Laplace(1.0), Laplace(0.7, 0.4), Gaussian(0.5, 0.3)):
        lowest = np.minimum(*(relaxed.trade_off(mechanism, fine, order=o).beta for o in (Order.ADD, Order.REMOVE)))
        slopes = -np.geomspace(1e-3, 1e3, 4001)
        intercepts = np.array([np.min(lowest - slope * fine) for slope in slopes])
        envelope = np.max(intercepts[:, None] + slopes[:, None] * at, axis=0)
        np.testing.assert_allclose(relaxed.trade_off(mechanism, at, order=Order.SYMMETRIC).beta, envelope, atol=1e-5)


def test_independent_directions_add_dimensions():
    ten = Gaussian(1 / 0.7, 1.0, 10)
    found = relaxed.trade_off(ten, GRID, dimension=20, direction=Direction.INDEPENDENT)
    assert found.bound is Bound.UPPER
    np.testing.assert_allclose(found.beta, FoldedDistance(0.7 * 10**0.5, 200.0).errors(GRID, 1 - GRID).beta)
    assert beta(ten, 0.1, dimension=20) == pytest.approx(0.7037, abs=5e-5)  # correction 11
    assert beta(ten, 0.1, dimension=20, direction=Direction.INDEPENDENT) == pytest.approx(0.8495, abs=2e-3)


def test_detection_resilience_names_the_tightest_point():
    # The curve of an attacker with full knowledge always fits; one with much less noise never does.
    same = relaxed.detection_resilience(Gaussian(1.0), Gaussian(1.0).trade_off(GRID))
    assert same.resilient
    assert same.margin >= 0.0
    harder = relaxed.detection_resilience(Gaussian(1.0), Gaussian(5.0).trade_off(GRID))
    assert not harder.resilient
    curve = relaxed.trade_off(Gaussian(1.0), np.array([harder.alpha]), order=Order.SYMMETRIC)
    missing = curve.beta[0] - Gaussian(5.0).trade_off(np.array([harder.alpha])).beta[0]
    assert harder.margin == pytest.approx(missing, abs=ROUNDING)
    own = relaxed.trade_off(Gaussian(1.0), GRID, order=Order.SYMMETRIC)
    assert relaxed.detection_resilience(Gaussian(1.0), own).margin == pytest.approx(0.0, abs=ROUNDING)


@pytest.mark.parametrize(
    ("target", "start"),
    [
        (relaxed.RelaxedPowerTarget(0.1, 0.01, dimension=300), Gaussian(1.0)),
        (relaxed.RelaxedPowerTarget(0.05, 0.01), Gaussian(1.0, 0.1, 100)),
        (relaxed.RelaxedPowerTarget(0.05, 0.01, reading=Reading.MAGNITUDE), Gaussian(1.0, 0.1, 100)),
        (relaxed.RelaxedAdvantageTarget(0.2), Laplace(1.0)),
        (relaxed.ResilienceTarget(Gaussian(2.0).trade_off(alpha_grid(41))), Gaussian(1.0)),
    ],
    ids=lambda value: value.label,
)
def test_calibration_is_met_and_tight(target, start):
    found = noise_for(target, start)
    assert found.met
    less = start.with_noise(found.noise_multiplier * 0.99)
    assert target.measure(less, None).estimate > target.goal


def test_less_noise_suffices_when_the_record_is_unknown():
    relaxed_noise = noise_for(relaxed.RelaxedPowerTarget(0.1, 0.01, dimension=1000), Gaussian(1.0)).noise_multiplier
    assert relaxed_noise < noise_for(relaxed.RelaxedPowerTarget(0.1, 0.01), Gaussian(1.0)).noise_multiplier


@pytest.mark.parametrize(
    ("mechanism", "options", "message"),
    [
        (Gaussian(1.0, adjacency=Adjacency.REPLACE_ONE), {}, "adjacency must be add/remove"),
        (Laplace(1.0), {"dimension": 2}, "dimension must be 1 for Laplace noise, got 2."),
        (Gaussian(1.0, 0.1, 10), {"dimension": 2}, "dimension must be 1 for the guarantee"),
        (Gaussian(1.0, 0.1, 10), {"direction": Direction.INDEPENDENT}, "direction must be common"),
        (Laplace(1.0, 0.1, 10), {"reading": Reading.MAGNITUDE}, "mechanism must be one phase of Gaussian noise"),
        (Gaussian(1.0), {"dimension": 10**9 + 1}, "dimension must be between 1 and 1000000000"),
    ],
)
def test_what_is_refused(mechanism, options, message):
    with pytest.raises(ValueError, match=message):
        relaxed.trade_off(mechanism, GRID, **options)


def test_steps_too_informative_for_the_lattice_are_enclosed():
    """Every participation is certain exposure: the power is 1 - 0.9^100."""
    curve = relaxed.trade_off(Gaussian(0.05, 0.1, 100), np.array([1e-6]))
    assert curve.error < 1e-4
    assert curve.power[0] == pytest.approx(1 - 0.9**100, abs=curve.error + 1e-6)


@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize(
    "mechanism",
    [
        Gaussian(0.2, 1e-4, 50),
        Gaussian(0.15, 1e-3, 10),
        Gaussian(0.2, 1e-3, 10),
        Gaussian(0.7, 0.01, 30),
        Composition((Gaussian(0.5, 0.01, 100), Laplace(1.0, 0.1, 10))),
    ],
    ids=lambda mechanism: mechanism.label,
)
def test_guarantee_of_little_noise_at_low_rates_stays_between_its_bounds(mechanism, order):
    """Few steps that say much, seldom: there the lattice alone errs by more than it says."""
    alpha = alpha_grid(61)
    page = Precision(width=1e-4, relative=5e-3, strict=False)
    found, full = relaxed.trade_off(mechanism, alpha, order=order), mechanism.trade_off(alpha, order, page)
    reached = relaxed.trade_off(mechanism, alpha, order=order, reading=Reading.FOLDED_STEPS)
    assert np.all(found.power <= full.lower.power * (1.0 + 1e-9) + 1e-12)
    # Both brackets of the steps' product: that of the enclosure is wider.
    assert np.all(found.power >= reached.power * (1.0 - 0.02) - 1e-4)
    assert np.all((found.power >= reached.power * (1.0 - 0.02))[alpha <= 1e-3])


@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize("noise", [0.02, 0.03])
@pytest.mark.parametrize("rate", [1e-3, 0.5])
def test_one_sampled_step_of_little_noise_in_many_dimensions(noise, rate, order):
    curve = relaxed.trade_off(Gaussian(noise, rate), GRID, dimension=2, order=order)
    assert np.all((curve.power >= GRID * (1.0 - 1e-9)) & (curve.power <= 1.0))
    assert np.all(np.diff(curve.power) >= -1e-12)


def unequal(row: Reference) -> Composition:
    """Two releases of different influence and noise."""
    effects = [(row.number(f"D{which}"), row.number(f"s{which}")) for which in "ab"]
    return Composition(tuple(Gaussian(noise / influence) for influence, noise in effects))


@each("j for optimal weighted statistic")
def test_unequal_releases_are_weighted_by_their_variances(row):
    assert beta(unequal(row), row.number("alpha")) == pytest.approx(row.expected, rel=1e-9)


def noncentrality(mechanism: Composition) -> float:
    form = relaxed.closed_form(mechanism, 1, Direction.COMMON)
    assert form is not None
    assert isinstance(form.folded, FoldedNormal)
    return form.folded.mu**2


@each("optimal noncentrality")
def test_effect_sizes_add_up_in_squares(row):
    assert noncentrality(unequal(row)) == pytest.approx(row.expected, rel=ROUNDING)


@each("misprint", role="negative", prefix="NEG_lem8")
def test_unequal_releases_are_not_averaged_as_printed(row):
    assert abs(noncentrality(unequal(row)) / row.expected - 1.0) > MISPRINT
