"""Laws of every mechanism there is, and of one that is in the tests alone, over drawn parameters, units and phases."""

from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri

from numerics.mechanisms import Composition, Gaussian, Laplace, Mechanism, SampledMechanism, Sampling
from numerics.privacy_loss import Precision
from numerics.trade_off import Bound, Order
from numerics.unit_of_privacy import group_power
from tests.sides import ALPHA, ANY, CHEAP, ROUNDING, sides
from tests.strategies import KINDS, log_uniform, people, single

EXAMPLES = settings(max_examples=10)
ALLOWANCE = 0.01 * CHEAP.width  # what every half of a guarantee may be moved by, for rounding
ORDERS = st.sampled_from(Order)
COARSE = Precision(width=1e-2, relative=0.5)


@EXAMPLES
@given(mechanism=st.one_of(ANY, ANY, people()))
def test_every_curve_keeps_the_laws(mechanism: Mechanism) -> None:
    """Rates are rates, sides in order, guarantees convex, orders inverse, the joined one is its own mirror."""
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
            assert np.all(values[1:-1] <= values[:-2] + share * (values[2:] - values[:-2]) + ALLOWANCE)
    for alone, side in product((Order.ADD, Order.REMOVE), (0, 2)):
        kept = drawn[alone][side].beta > ROUNDING  # below, and by what halves are moved, guarantees are allowances
        joined = drawn[Order.SYMMETRIC][side].power
        assert np.all((joined >= drawn[alone][side].power * (1.0 - ROUNDING) - 1e-10)[kept])
    for side in (0, 2):
        curve = drawn[Order.SYMMETRIC][side]
        inside = (curve.beta > 1e-11) & (curve.beta < 0.9) & (ALPHA > 1e-11)  # beta near 1 has no digits to return
        again = sides(mechanism, np.sort(curve.beta[inside]), Order.SYMMETRIC)[side]
        np.testing.assert_allclose(again.beta[::-1], ALPHA[inside], rtol=1e-4, atol=1e-11)
        curve, sign = drawn[Order.ADD][side], 1.0 if side else -1.0
        inside = (curve.beta > 0.0) & (curve.beta < 1.0 - 1e-9) & (ALPHA > 0.0)
        back = sides(mechanism, curve.beta[inside][::-1], Order.REMOVE)[2 - side]
        assert np.all(sign * (back.beta[::-1] - ALPHA[inside]) <= 1e-9 * ALPHA[inside] + 1e-13)


@settings(max_examples=10)
@given(
    mechanism=st.one_of(ANY, ANY, people(50)),
    factor=log_uniform(1.001, 3.0),
    what=st.sampled_from(["noise", "rate", "steps", "records"]),
)
def test_more_noise_a_lower_rate_fewer_steps_and_fewer_records_are_safer(
    mechanism: Mechanism, factor: float, what: str
) -> None:
    """The attack on the safer release never beats the guarantee of the other."""
    assume(what != "noise" or all(phase.is_ordered_by_noise for phase in mechanism.phases))
    *others, last = mechanism.phases
    eased = replace(last, steps=max(1, int(last.steps / factor)))
    if what == "noise":
        eased = last.with_noise(last.noise_multiplier * factor)
    if what == "rate" and last.is_sampled:
        eased = replace(last, sampling_rate=last.sampling_rate / factor)
    if what == "records":
        eased = last.with_records_per_person(max(1, int(last.records_per_person / factor)))
    safer = Composition((*others, eased))
    for order in Order:
        safe, reached = sides(mechanism, order=order)[0], sides(safer, order=order)[2]
        assert np.all(reached.power <= safe.power * (1.0 + ROUNDING) + 1e-15)
    assert safer.auc(CHEAP).lower <= mechanism.auc(CHEAP).upper + ROUNDING
    small, large = (each.epsilon(1e-5, np.inf, CHEAP) for each in (safer, mechanism))
    assert small.lower <= large.upper * (1.0 + ROUNDING)
    assert safer.inclusion_probability <= mechanism.inclusion_probability * (1.0 + ROUNDING)
    assert safer.pure_epsilon <= mechanism.pure_epsilon * (1.0 + ROUNDING)


@EXAMPLES
@given(mechanism=single(noise=(0.2, 300.0)), share=st.floats(0.05, 0.95))
def test_one_phase_is_itself_and_split_steps_are_the_whole(mechanism: SampledMechanism, share: float) -> None:
    one = Composition((mechanism,))
    assert mechanism.advantage(CHEAP) == one.advantage(CHEAP)
    assert all(np.array_equal(a.power, b.power) for a, b in zip(sides(mechanism), sides(one), strict=True))
    if mechanism.steps > 1 and mechanism.sampling is not Sampling.SHUFFLED:  # a phase begins with another shuffle
        first = min(max(1, int(share * mechanism.steps)), mechanism.steps - 1)
        split = Composition(tuple(replace(mechanism, steps=n) for n in (first, mechanism.steps - first)))
        for order in Order:
            whole, halves = sides(mechanism, order=order), sides(split, order=order)
            for a, b in ((whole, halves), (halves, whole)):
                assert np.all(a[2].power <= b[0].power * (1.0 + ROUNDING) + 1e-15)


@settings(max_examples=15)
@given(mechanism=st.one_of(single(largest_steps=1, noise=(0.2, 1e3)), people(largest_steps=1)), order=ORDERS)
def test_composed_once_contains_the_closed_form(mechanism: SampledMechanism, order: Order) -> None:
    if form := mechanism.closed_form:
        exact, (safe, _, reached) = form.trade_off(ALPHA, order), mechanism.certified(CHEAP).trade_off(ALPHA, order)
        assert np.all(safe.power >= exact.power * (1.0 - ROUNDING))
        assert np.all(reached.power <= exact.power * (1.0 + ROUNDING))
        assert np.all(safe.beta <= exact.beta * (1.0 + 1e-9))
        assert np.all(reached.beta >= exact.beta * (1.0 - 1e-9))
        bracket, area = mechanism.certified(CHEAP), mechanism.certified(CHEAP).auc()
        assert area.lower - 1e-9 <= form.area() <= area.upper + 1e-9
        for epsilon in (0.0, 0.1, 1.0):
            found, delta = bracket.delta(epsilon), form.delta(epsilon)
            assert found.lower * (1.0 - 1e-9) - 1e-15 <= delta <= found.upper * (1.0 + 1e-9) + 1e-15


@EXAMPLES
@given(mechanism=ANY, epsilon=st.one_of(st.just(0.0), log_uniform(1e-3, 30.0)), delta=log_uniform(1e-9, 0.5))
def test_numbers_are_those_of_the_curves(mechanism: Mechanism, epsilon: float, delta: float) -> None:
    """Delta is conjugate to the worse order, epsilon its inverse; posterior, area and advantage are in their ranges."""
    attacked = mechanism.bound is not Bound.LOWER  # else both sides are of the bracket around the bound
    found = mechanism.delta(epsilon, CHEAP) if attacked else mechanism.certified(CHEAP).delta(epsilon)
    grid = np.unique(np.concatenate((np.geomspace(1e-30, 1.0, 4000), 1.0 - np.geomspace(1e-12, 1.0, 1000))))[1:]
    orders = [sides(mechanism, grid, order) for order in (Order.ADD, Order.REMOVE)]
    for side, own in ((0, found.upper), (2, found.lower)):
        best = max(float(np.max(curve[side].power - np.exp(epsilon) * grid)) for curve in orders)
        assert best <= own + ALLOWANCE or epsilon >= mechanism.pure_epsilon  # then 0, which is sharper than the curve
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
    for rate, chance in zip(power, posterior, strict=True):
        assert chance == pytest.approx(prior * rate / (prior * rate + (1.0 - prior) * delta), rel=1e-12)
    assert 0.5 - ROUNDING <= area.lower <= area.upper <= 0.5 + advantage.upper * (1.0 + ROUNDING) + ROUNDING
    assert power.upper - delta <= advantage.upper + ROUNDING
    assert mechanism.reconstruction(delta, CHEAP) == power


@EXAMPLES
@given(mechanism=ANY, smallest=log_uniform(1e-9, 1e-2))
def test_gaussian_mu_and_its_regret_and_the_statistic(mechanism: Mechanism, smallest: float) -> None:
    """G_mu lies on or below both orders of the guarantee, and touches the attack; the statistic is a law."""
    mu, alpha = mechanism.gaussian_mu(smallest, CHEAP), np.geomspace(smallest, 0.5, 500)
    alpha = np.concatenate((alpha, 1.0 - alpha[-2::-1]))
    assert 0.0 <= mu.lower <= mu.estimate <= mu.upper
    safe, _, reached = sides(mechanism, alpha, Order.SYMMETRIC)
    level = ndtr(-ndtri(alpha) - mu.upper)
    kept = level > smallest
    assert np.all(level[kept] <= safe.beta[kept] * (1.0 + 1e-9) + ROUNDING)
    kept = (reached.beta > smallest) & (alpha >= smallest) & (alpha < 0.5)  # the rest is the mirror image
    if np.any(kept):
        # On a grid the attack's points may miss the corner that sets the lower number.
        assert 0.95 * mu.lower - 1e-3 <= np.max((-ndtri(reached.beta) - ndtri(alpha))[kept]) <= mu.upper + 1e-8
    regret = mechanism.gaussian_regret(smallest, CHEAP)
    assert 0.0 <= regret.lower <= regret.estimate <= regret.upper <= 0.5
    if np.isfinite(mu.upper):
        at = np.linspace(0.0, 1.0, 501)
        shifted = mechanism.certified(CHEAP).trade_off(np.minimum(at + regret.upper + 1e-9, 1.0), Order.SYMMETRIC)
        assert np.all(shifted[0].beta - regret.upper <= ndtr(-mu.upper - ndtri(at)) + 1e-9)
    if mechanism.certified(CHEAP).statistic is not None:
        law = mechanism.statistic(CHEAP)
        certain = mechanism.certified(CHEAP).delta(1e6).upper  # has no place on the axis
        for mass in (law.null, law.alternative):
            assert np.all(mass >= 0.0)
            assert 1.0 - 1e-4 - certain <= np.sum(mass) <= 1.0 + 1e-9
        assert np.all(np.diff(law.loss) > 0.0)


@EXAMPLES
@given(mechanism=single(noise=(0.4, 100.0), largest_steps=300), alpha=log_uniform(1e-9, 1.0), order=ORDERS)
def test_brackets_are_as_narrow_as_promised_and_agree_with_numbers_alone(
    mechanism: SampledMechanism, alpha: float, order: Order
) -> None:
    wanted = Precision(width=1e-4, relative=0.01)
    reached = mechanism.is_reached
    bracket = mechanism.power(alpha, order, wanted) if reached else mechanism.certified(wanted).power(alpha, order)
    assert bracket.width <= 1.2 * min(wanted.width, wanted.relative * bracket.upper)
    if reached:
        for alone, whole in (
            (mechanism.narrow_power(alpha, order, wanted), bracket),
            (mechanism.narrow_advantage(wanted), mechanism.advantage(wanted)),
        ):
            assert max(alone.lower, whole.lower) <= min(alone.upper, whole.upper) * (1.0 + 1e-12)


CORNERS = {
    "hardly any noise, hardly ever in": (1e-3, 1e-7, 1),
    "hardly any noise, every second time": (1e-3, 0.5, 2),
    "hardly any noise, always in, a million steps": (1e-3, 1.0, 1_000_000),
    "next to nothing to see, a million times": (1e3, 1e-7, 1_000_000),
    "as much noise as record, a million halves": (1.0, 0.5, 1_000_000),
    "the smallest rate": (1.0, 1e-50, 100),
}
QUICK = [*product((Laplace,), [*CORNERS][::2]), *product((Gaussian,), [*CORNERS][1::2])]


@pytest.mark.parametrize(
    ("kind", "corner"),
    [pytest.param(*one, marks=() if one in QUICK else pytest.mark.nightly) for one in product(KINDS, CORNERS)],
)
def test_extreme_parameters_have_an_answer(kind: type[SampledMechanism], corner: str) -> None:
    """No NaN, no other exception, and no warning, which is an error here."""
    noise, rate, steps = CORNERS[corner]
    mechanism = kind(
        noise, rate if kind.is_sampled else 1.0, steps, kind.adjacencies[-1 if kind.name == "Laplace" else 0]
    )
    for order in Order:
        for curve in sides(mechanism, order=order, precision=COARSE):
            assert np.all((curve.beta >= 0.0) & (curve.power >= ALPHA * (1.0 - ROUNDING)))
    numbers = [mechanism.delta(e, COARSE) for e in (0.0, 1.0, 800.0)]
    numbers += [mechanism.epsilon(1e-5, np.inf, COARSE), mechanism.auc(COARSE), mechanism.gaussian_mu(1e-6, COARSE)]
    assert not np.any(np.isnan(numbers))
    if mechanism.certified(COARSE).statistic is not None:
        assert np.isfinite(mechanism.threshold(1e-3, precision=COARSE))


@settings(max_examples=8)
@given(mechanism=people(), order=ORDERS)
def test_a_group_is_promised_no_more_and_without_sampling_a_person_is_one_record(
    mechanism: SampledMechanism, order: Order
) -> None:
    for alpha in (1e-4, 0.05):
        assert mechanism.power(alpha, order, CHEAP).lower <= group_power(mechanism, alpha, order, CHEAP).upper + 1e-12
    person, count = replace(mechanism, sampling_rate=1.0), mechanism.records_per_person
    record = person.with_records_per_person(1).with_noise(person.noise_multiplier / count)
    one, other = (release.trade_off(ALPHA, order, CHEAP) for release in (person, record))
    np.testing.assert_allclose(one.beta, other.beta, rtol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_presupposed_is_said(kind: type[SampledMechanism]) -> None:
    """Neighbours, sampling or its absence, what a record adds; and the parameters in the label."""
    whole = kind(2.0, adjacency=kind.adjacencies[0])
    assert whole.adjacency.value in whole.assumptions[0]
    assert {"No sampling.", kind.scale_sentence} <= set(whole.assumptions)
    if kind.is_sampled:
        drawn = kind(2.0, 0.1, 5, kind.adjacencies[0])
        assert "No sampling." not in drawn.assumptions
        assert {"rate 0.1", "5 steps"} <= set(drawn.label.split(", "))
    if kind.several_records:
        assert "all of their records, at most 4" in kind(2.0, records_per_person=4).assumptions[0]
