"""Laws of every mechanism there is, and of one that tests alone have, over drawn parameters and beside an oracle."""

from dataclasses import replace
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri

from numerics.calibration import AdvantageTarget, EpsilonTarget, PowerTarget, noise_for
from numerics.mechanisms import MECHANISMS, Adjacency, Composition, Gaussian, Laplace, Sampling
from numerics.mechanisms.discrete_gaussian import DiscreteGaussian
from numerics.mechanisms.exponential_mechanism import ExponentialMechanism
from numerics.mechanisms.gaussian import GaussianShift
from numerics.mechanisms.laplace import LaplaceShift
from numerics.mechanisms.sampled_once import SampledOnce
from numerics.privacy_loss import Precision, certify
from numerics.trade_off import Bound, Bracket, Order, alpha_grid
from tests.numerics import oracle
from tests.sides import ALPHA, ANY, CHEAP, ROUNDING, sides
from tests.strategies import KINDS, log_uniform, single

REPLACE, ADD = Adjacency.REPLACE_ONE, Adjacency.ADD_REMOVE
EXAMPLES = settings(max_examples=15)
RATES = alpha_grid(101, 1e-9)


def releases(steps: int, noises: tuple[float, ...], rates: tuple[float, ...]) -> list[Any]:
    """Of every kind that the oracle knows, for all its neighbours."""
    known: list[Any] = [
        kind
        for kind in KINDS
        if kind.name in (*oracle.CUMULATIVE, *oracle.WEIGHT, "Randomised response", "Truncated Laplace")
    ]
    return [
        kind(noise, rate, steps, adjacency, **({"truncation_delta": 1e-3} if "Trunc" in kind.name else {}))
        for kind, noise, rate, adjacency in product(known, noises, rates, (ADD, REPLACE))
        if adjacency in kind.adjacencies and (rate == 1.0 or kind.is_sampled)
    ]


def name(release) -> str:
    return f"{release.label}, {release.adjacency}"


def agrees(release, steps, slack: float) -> None:
    """Guarantee, closed form and attack beside the oracle's test, in both orders; delta and area too."""
    p, q = oracle.composed(steps)
    for order, (one, other) in {Order.ADD: (p, q), Order.REMOVE: (q, p)}.items():
        found = oracle.power(one, other, RATES)
        safe, _, reached = release.certified().trade_off(RATES, order)
        assert np.all(found <= safe.power * (1 + 1e-11) + 1e-15)
        assert np.all(reached.power <= found + slack)
        assert np.max(safe.power - reached.power) < 2e-5
        exact = release.trade_off(RATES, order)
        if exact.bound is Bound.EXACT:
            assert np.all(found <= exact.power * (1 + 1e-11) + 1e-15)
            assert np.all(exact.power <= found + slack)
            np.testing.assert_allclose(exact.power + exact.beta, 1.0, rtol=1e-13)
    for epsilon in (0.0, 0.3):
        worst = max(oracle.delta(p, q, epsilon), oracle.delta(q, p, epsilon))
        for bracket in (release.delta(epsilon), release.certified().delta(epsilon)):
            assert bracket.lower - slack <= worst <= bracket.upper + 1e-12
    grid = alpha_grid(2001, 1e-9)
    area = np.trapezoid(oracle.power(p, q, grid), grid)
    assert release.auc().lower - 2e-4 <= area <= release.auc().upper + 2e-4


@pytest.mark.parametrize("release", releases(1, (0.5, 2.0), (1.0, 0.2)), ids=name)
def test_one_step_beside_the_oracle(release):
    agrees(release, [oracle.step(release)], 5e-5)


@pytest.mark.parametrize("release", releases(2, (0.9,), (1.0, 0.3)), ids=name)
def test_two_steps_beside_the_oracle(release):
    agrees(release, [oracle.merged(*oracle.step(release), 900)] * 2, 2e-3)


def test_phases_beside_the_oracle():
    phases = (Laplace(1.0, 0.5), Gaussian(1.0, 0.5))
    agrees(Composition(phases), [oracle.merged(*oracle.step(each), 900) for each in phases], 2e-3)


@EXAMPLES
@given(mechanism=ANY)
def test_every_curve_keeps_the_laws(mechanism):
    """Rates are rates, sides in order, the guarantee convex, orders inverse, the joined one its own mirror."""
    drawn = {order: sides(mechanism, order=order) for order in Order}
    for curves in drawn.values():
        for curve in curves:
            assert np.all((curve.beta >= 0.0) & (curve.power <= 1.0) & (curve.power >= ALPHA * (1.0 - ROUNDING)))
            assert np.all(np.abs(curve.beta + curve.power - 1.0) <= ROUNDING)
            assert np.all(np.diff(curve.beta) <= 0.0)
        for low, high in pairwise(curves):
            assert np.all(low.beta <= high.beta * (1.0 + 1e-14) + (high.beta > 0.1) * 2e-16)
            assert np.all(high.power <= low.power * (1.0 + 1e-14) + (low.power > 0.1) * 2e-16)
        share = np.diff(ALPHA)[:-1] / (ALPHA[2:] - ALPHA[:-2])
        for values in (curves[0].beta, -curves[0].power):
            assert np.all(values[1:-1] <= values[:-2] + share * (values[2:] - values[:-2]) + 0.01 * CHEAP.width)
    for alone, side in product((Order.ADD, Order.REMOVE), (0, 2)):
        kept = drawn[alone][side].beta > ROUNDING
        joined = drawn[Order.SYMMETRIC][side].power
        assert np.all((joined >= drawn[alone][side].power * (1.0 - ROUNDING) - 1e-12)[kept])
    for side in (0, 2):
        curve = drawn[Order.SYMMETRIC][side]
        inside = (curve.beta > 1e-11) & (curve.beta < 0.9) & (ALPHA > 1e-11)
        again = sides(mechanism, np.sort(curve.beta[inside]), Order.SYMMETRIC)[side]
        np.testing.assert_allclose(again.beta[::-1], ALPHA[inside], rtol=1e-4, atol=1e-11)
        curve, sign = drawn[Order.ADD][side], 1.0 if side else -1.0
        inside = (curve.beta > 0.0) & (curve.beta < 1.0 - 1e-9) & (ALPHA > 0.0)
        back = sides(mechanism, curve.beta[inside][::-1], Order.REMOVE)[2 - side]
        assert np.all(sign * (back.beta[::-1] - ALPHA[inside]) <= 1e-9 * ALPHA[inside] + 1e-13)


@EXAMPLES
@given(mechanism=ANY, factor=log_uniform(1.001, 3.0), what=st.sampled_from(["noise", "rate", "steps"]))
def test_more_noise_a_lower_rate_and_fewer_steps_are_safer(mechanism, factor, what):
    assume(what != "noise" or all(phase.is_ordered_by_noise for phase in mechanism.phases))
    *others, last = mechanism.phases
    eased = {
        "steps": {"steps": max(1, int(last.steps / factor))},
        "noise": {"noise_multiplier": last.noise_multiplier * factor},
    }
    eased["rate"] = {"sampling_rate": last.sampling_rate / factor} if last.is_sampled else {}
    safer = Composition((*others, replace(last, **eased[what])))
    for order in Order:
        safe, reached = sides(mechanism, order=order)[0], sides(safer, order=order)[2]
        assert np.all(reached.power <= safe.power * (1.0 + ROUNDING) + 1e-15)
    assert safer.auc(CHEAP).lower <= mechanism.auc(CHEAP).upper + ROUNDING
    small, large = (each.epsilon(1e-5, np.inf, CHEAP) for each in (safer, mechanism))
    assert small.lower <= large.upper * (1.0 + ROUNDING)


@EXAMPLES
@given(mechanism=single(noise=(0.2, 300.0)), share=st.floats(0.05, 0.95))
def test_one_phase_is_itself_and_split_steps_are_the_whole(mechanism, share):
    one = Composition((mechanism,))
    assert mechanism.advantage(CHEAP) == one.advantage(CHEAP)
    assert all(np.array_equal(a.power, b.power) for a, b in zip(sides(mechanism), sides(one), strict=True))
    if mechanism.steps > 1 and mechanism.sampling is not Sampling.SHUFFLED:
        first = min(max(1, int(share * mechanism.steps)), mechanism.steps - 1)
        split = Composition(tuple(replace(mechanism, steps=n) for n in (first, mechanism.steps - first)))
        for order in Order:
            whole, halves = sides(mechanism, order=order), sides(split, order=order)
            for a, b in ((whole, halves), (halves, whole)):
                assert np.all(a[2].power <= b[0].power * (1.0 + ROUNDING) + 1e-15)


@EXAMPLES
@given(mechanism=ANY, epsilon=st.one_of(st.just(0.0), log_uniform(1e-3, 30.0)), delta=log_uniform(1e-9, 0.5))
def test_numbers_are_those_of_the_curves(mechanism, epsilon, delta):
    attacked = mechanism.bound is not Bound.LOWER
    found = mechanism.delta(epsilon, CHEAP) if attacked else mechanism.certified(CHEAP).delta(epsilon)
    grid = np.unique(np.concatenate((np.geomspace(1e-30, 1.0, 4000), 1.0 - np.geomspace(1e-12, 1.0, 1000))))[1:]
    orders = [sides(mechanism, grid, order) for order in (Order.ADD, Order.REMOVE)]
    for side, own in ((0, found.upper), (2, found.lower)):
        best = max(float(np.max(curve[side].power - np.exp(epsilon) * grid)) for curve in orders)
        assert best <= own + 0.01 * CHEAP.width or epsilon >= mechanism.pure_epsilon
        assert best >= own * 0.95 - 1e-5
    bracket, deep = mechanism.epsilon(delta, np.inf, CHEAP), CHEAP.down_to(0.01 * delta)
    assert bracket.lower <= bracket.estimate <= bracket.upper <= mechanism.pure_epsilon
    if np.isfinite(bracket.upper):
        assert mechanism.delta(bracket.upper, deep).lower <= delta * (1.0 + 1e-6) + ROUNDING
    if 1e-6 < bracket.lower < np.inf:
        assert mechanism.delta(bracket.lower * (1.0 - 1e-6), deep).upper >= delta * (1.0 - 1e-6) - ROUNDING
    advantage, area, prior = mechanism.advantage(CHEAP), mechanism.auc(CHEAP), 0.3
    power, posterior = mechanism.power(delta, precision=CHEAP), mechanism.posterior(delta, prior, precision=CHEAP)
    for each in (advantage, area, power, posterior):
        assert 0.0 <= each.lower <= each.estimate <= each.upper <= 1.0 + ROUNDING
    assert posterior.lower >= prior * (1.0 - 1e-9)
    assert 0.5 - ROUNDING <= area.lower <= area.upper <= 0.5 + advantage.upper * (1.0 + ROUNDING) + ROUNDING
    assert power.upper - delta <= advantage.upper + ROUNDING


@EXAMPLES
@given(mechanism=ANY, smallest=log_uniform(1e-9, 1e-2))
def test_gaussian_mu_and_the_statistic(mechanism, smallest):
    mu, alpha = mechanism.gaussian_mu(smallest, CHEAP), alpha_grid(1002, smallest)[1:-1]
    assert 0.0 <= mu.lower <= mu.estimate <= mu.upper
    safe, _, reached = sides(mechanism, alpha, Order.SYMMETRIC)
    level = ndtr(-ndtri(alpha) - mu.upper)
    kept = level > smallest
    assert np.all(level[kept] <= safe.beta[kept] * (1.0 + 1e-9) + ROUNDING)
    kept = (reached.beta > smallest) & (alpha >= smallest) & (alpha < 0.5)
    if np.any(kept):
        assert 0.95 * mu.lower - 1e-3 <= np.max((-ndtri(reached.beta) - ndtri(alpha))[kept]) <= mu.upper + 1e-8
    if mechanism.certified(CHEAP).statistic is not None:
        law = mechanism.statistic(CHEAP)
        infinite = [(sum(a.p for a in pair.atoms if np.isinf(a.loss)), count) for pair, count in mechanism.pairs]
        certain = -np.expm1(sum(count * np.log1p(-share) for share, count in infinite))
        for mass in (law.null, law.alternative):
            assert np.all(mass >= 0.0)
            assert 1.0 - 1e-4 - certain <= np.sum(mass) <= 1.0 + 1e-9
        assert np.all(np.diff(law.loss) > 0.0)


@EXAMPLES
@given(
    mechanism=single(noise=(0.4, 100.0), largest_steps=300), alpha=log_uniform(1e-9, 1.0), order=st.sampled_from(Order)
)
def test_brackets_are_as_narrow_as_promised_and_agree_with_numbers_alone(mechanism, alpha, order):
    wanted = Precision(width=1e-4, relative=0.01)
    reached = mechanism.is_reached
    bracket = mechanism.power(alpha, order, wanted) if reached else mechanism.certified(wanted).power(alpha, order)
    assert bracket.width <= 1.2 * min(wanted.width, wanted.relative * bracket.upper)
    if reached:
        alone = mechanism.narrow_power(alpha, order, wanted)
        assert max(alone.lower, bracket.lower) <= min(alone.upper, bracket.upper) * (1.0 + 1e-12)
        alone, whole = mechanism.narrow_advantage(wanted), mechanism.advantage(wanted)
        assert max(alone.lower, whole.lower) <= min(alone.upper, whole.upper) * (1.0 + 1e-12)


CORNERS = [(1e-3, 1e-7, 1), (1e-3, 1.0, 1_000_000), (1e3, 1e-7, 1_000_000), (1e-2, 0.5, 2)]
EXTREMES = [
    kind(noise, rate if kind.is_sampled else 1.0, steps, kind.adjacencies[-1 if kind.name == "Laplace" else 0])
    for kind, (noise, rate, steps) in product(MECHANISMS, CORNERS)
    if kind.name in ("Gaussian", "Laplace") or (noise == 1e-3 and steps > 1)
]


@pytest.mark.parametrize("mechanism", EXTREMES, ids=name)
def test_extreme_parameters_have_an_answer(mechanism):
    coarse = Precision(width=1e-2, relative=0.5)
    for order in Order:
        for curve in sides(mechanism, order=order, precision=coarse):
            assert np.all((curve.beta >= 0.0) & (curve.power >= ALPHA * (1.0 - ROUNDING)))
    numbers = [mechanism.delta(e, coarse) for e in (0.0, 1.0, 800.0)]
    numbers += [mechanism.epsilon(1e-5, np.inf, coarse), mechanism.auc(coarse), mechanism.gaussian_mu(1e-6, coarse)]
    assert not np.any(np.isnan(numbers))
    exposed = -np.expm1(mechanism.steps * np.log1p(-getattr(mechanism, "truncation_delta", 0.0)))
    assert mechanism.delta(np.inf).upper == pytest.approx(exposed, rel=1e-12)


SHIFTS = [kind(mu) for kind in (GaussianShift, LaplaceShift) for mu in (0.01, 1.0, 9.0, 800.0)]
TINY = np.array([1e-300, 1e-200, 1e-100, 1e-50, 1e-17, 1e-12, 1e-6])


@pytest.mark.parametrize("rate", [1.0, 0.7, 1e-3])
@pytest.mark.parametrize("shift", SHIFTS, ids=repr)
def test_closed_forms_keep_their_digits(shift, rate):
    """Ends, tiny rates, the mirror image, inverses, the area and the chord that joins the orders."""
    alpha, form = np.unique(np.concatenate((TINY, alpha_grid(101)))), SampledOnce(shift, rate)
    for order in Order:
        curve = form.trade_off(alpha, order)
        assert (curve.beta[0], curve.power[0], curve.beta[-1], curve.power[-1]) == (1.0, 0.0, 0.0, 1.0)
        np.testing.assert_allclose(curve.beta + curve.power, 1.0, rtol=1e-15)
        assert np.all(curve.power >= alpha * (1.0 - 2e-12))
        assert np.all(np.diff(curve.power) >= 0.0)
    add, remove, joined = (form.trade_off(alpha, order) for order in (Order.ADD, Order.REMOVE, Order.SYMMETRIC))
    assert np.all(joined.beta <= np.minimum(add.beta, remove.beta) * (1 + 1e-9))
    power = shift.power(alpha)
    small = (power > 1e-300) & (power < 0.5)
    np.testing.assert_allclose(shift.alpha_for(power[small]), alpha[small], rtol=2e-12 * max(1.0, shift.mu))
    kept = (remove.beta > 1e-290) & (remove.beta < 0.5) & (alpha > 0)
    np.testing.assert_allclose(
        form.trade_off(remove.beta[kept][::-1], Order.ADD).beta[::-1], alpha[kept], rtol=1e-8 * max(1.0, shift.mu)
    )
    if shift.mu < 100:
        fine = alpha_grid(100_001, 1e-15)
        assert form.area() == pytest.approx(np.trapezoid(form.trade_off(fine, Order.ADD).power, fine), abs=1e-7)
        for delta in (0.3, 1e-5):
            epsilon = form.epsilon(delta)
            assert form.delta(epsilon) <= delta * (1.0 + 1e-6) + 2e-14 * max(1.0, epsilon)
            assert epsilon == 0.0 or form.delta(epsilon * (1.0 - 1e-9)) >= delta * (1.0 - 1e-6) - 2e-14 * epsilon


@pytest.mark.parametrize("mechanism", [Gaussian(1e-3), Gaussian(1e-2, 0.5), Gaussian(0.02, 0.3)], ids=name)
def test_epsilon_beyond_the_range_of_exp_is_the_inverse_of_delta(mechanism):
    assert mechanism.delta(mechanism.epsilon(1e-5).upper).upper == pytest.approx(1e-5, rel=1e-6)
    assert mechanism.delta(600.0).upper == pytest.approx(mechanism.delta(600.0 - 1e-9).upper, rel=1e-6)


@pytest.mark.parametrize("rate", [1e-6, 0.4, 1.0 - 1e-9])
@pytest.mark.parametrize("adjacency", [ADD, REPLACE])
def test_choices_of_two_reach_the_curve_and_none_pass_it(rate, adjacency):
    """By the definition, over random scores of sensitivity 1; several choices have the attack of two candidates."""
    release, generator = ExponentialMechanism(0.5, rate, 1, adjacency), np.random.default_rng(7)

    def laws(scores: np.ndarray, change: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        absent, present, other = (np.exp(s) / np.exp(s).sum() for s in (scores, scores + change, scores - change))
        p, q = (1 - rate) * absent + rate * present, (1 - rate) * absent + rate * other
        return p, q if adjacency is REPLACE else absent

    for gap in (-8.0, -1.0, 0.0, 4.0):
        p, q = laws(np.array([gap, 0.0]), np.array([1.0, -1.0]))
        assert release.power(q[0]) == pytest.approx((p[0],) * 3, rel=1e-11)
    alpha = np.array([1e-4, 0.01, 0.1, 0.5, 0.9])
    power = np.array([release.power(each).upper for each in alpha])
    for _ in range(100):
        best = oracle.power(*laws(generator.uniform(-3, 3, 4), generator.uniform(-1, 1, 4).round(1)), alpha)
        assert np.all(best <= power * (1.0 + 1e-9))
    many = replace(release, steps=3)
    p, q = laws(np.array([0.0 if adjacency is REPLACE else -1.0, 0.0]), np.array([1.0, -1.0]))
    for each, reached in zip(alpha, oracle.power(*oracle.composed([(p, q)] * 3), alpha), strict=True):
        assert many.power(float(each)).lower <= reached * (1 + 1e-9) + 1e-12
        assert many.power(float(each)).upper >= reached * (1 - 1e-9)


def test_adaptive_choices_promise_more_than_a_search_finds_and_less_than_the_product():
    release, alpha = ExponentialMechanism(2.0 / 3.0, steps=3), np.array([1e-3, 0.02, 0.2, 0.6])
    generator, most = np.random.default_rng(11), np.array([release.power(float(each)).upper for each in alpha])
    for _ in range(40):
        p, q = np.ones(1), np.ones(1)
        for _ in range(3):
            scores = generator.uniform(-4.0, 4.0, (len(p), 3))
            moved = scores + generator.choice([-1.0, 1.0], scores.shape)
            one, other = (np.exp(0.75 * each) for each in (moved, scores))
            p, q = ((m[:, None] * w / w.sum(axis=1, keepdims=True)).ravel() for m, w in ((p, one), (q, other)))
        assert np.all(oracle.power(p, q, alpha) <= most)
    for release, at in ((ExponentialMechanism(10.0, steps=1000), 1e-4), (ExponentialMechanism(1.0, 0.1, 1000), 0.01)):
        product_of_one = certify(release.pairs, Precision()).power(at, Order.ADD).lower
        assert release.power(at).lower < release.power(at).upper < product_of_one
    upper = [ExponentialMechanism(2.0, steps=steps).power(0.01).upper for steps in (31, 32, 33, 64, 65)]
    assert upper == sorted(upper)
    five, ten = ExponentialMechanism(2.0, steps=5), ExponentialMechanism(2.0, steps=10)
    assert Composition((five, five)).power(0.01) == ten.power(0.01)
    assert Composition((five, Gaussian(1.0), five)).power(0.01).upper > ten.power(0.01).upper


def test_little_discrete_noise_is_not_ordered():
    less, more = (DiscreteGaussian(noise).power(6.07e-4).upper for noise in (0.5, 0.53))
    assert more > less + 0.01


TARGETS = [
    (EpsilonTarget(1.0, 1e-2), Gaussian(1.0, 1e-6, 1000), False),
    (AdvantageTarget(0.5), Gaussian(1.0, 1e-3, 100), False),
    (PowerTarget(0.2, 0.1), Gaussian(1.0, 1e-3, 100), False),
    (PowerTarget(1e-11, 1e-12), Gaussian(1.0, 0.01, 1000), True),
    (PowerTarget(0.72, 0.5, Order.REMOVE), Gaussian(1.0, 0.4), True),
    (PowerTarget(0.05, 0.01), Gaussian(1.0, 0.0402, 1, REPLACE), True),
    (PowerTarget(5.8e-4, 2.65e-5), Gaussian(1.0, 1.055e-4, 11), True),
]


@pytest.mark.parametrize(("target", "release", "needed"), TARGETS, ids=str)
def test_rare_records_are_calibrated(target, release, needed):
    found = noise_for(target, release)
    assert found.met
    assert found.noise_needed is needed


def test_own_parameters_are_bounded_and_in_every_label():
    kinds: list[Any] = list(MECHANISMS)
    for kind in kinds:
        for own in kind.parameters:
            assert own.low <= getattr(kind, own.name) <= own.high
            assert own.name.replace("_", " ") in kind(1.0).label
            with pytest.raises(ValueError, match=f"{own.name} must be"):
                replace(kind(1.0), **{own.name: int(own.high) + 1 if own.is_whole else 2.0 * own.high})


def test_the_narrower_estimate_is_kept():
    assert Bracket(1.0, 2.0, 3.0).met(Bracket(1.5, 1.6, 1.7)) == Bracket(1.5, 1.6, 1.7)
    assert Bracket(1.5, 1.6, 1.7).met(Bracket(1.65, 2.0, 3.0)) == Bracket(1.65, 1.65, 1.7)
