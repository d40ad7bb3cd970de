"""Laws of the numbers that are read off the curves, for every mechanism; and answers at extreme parameters."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri

from numerics.mechanisms import Adjacency, Gaussian, Laplace, Sampling
from numerics.privacy_loss import Precision
from numerics.trade_off import Bound, Order, alpha_grid
from tests.sides import ALPHA, ANY, CHEAP, ROUNDING, sides
from tests.strategies import KINDS, log_uniform, offered, single

# Every half of a guarantee is moved by an allowance of its own for rounding, at most this where steps say much.
ALLOWANCE = 0.01 * CHEAP.width
EXAMPLES = 60
ORDERS = st.sampled_from(Order)


@settings(max_examples=EXAMPLES)
@given(mechanism=ANY, epsilon=st.one_of(st.just(0.0), log_uniform(1e-3, 30.0)))
def test_delta_is_the_conjugate_of_the_curves(mechanism, epsilon):
    """Each side's delta is the supremum over alpha of its own power - e^epsilon alpha, over both orders.

    At epsilon 0 that is the advantage.
    """
    has_attack = mechanism.bound is not Bound.LOWER  # else both sides are of the bracket around the bound
    delta = mechanism.delta(epsilon, CHEAP) if has_attack else mechanism.certified(CHEAP).delta(epsilon)
    grid = np.unique(np.concatenate((np.geomspace(1e-30, 1.0, 4000), 1.0 - np.geomspace(1e-12, 1.0, 1000))))
    grid = grid[grid > 0.0]
    orders = [sides(mechanism, grid, order) for order in (Order.ADD, Order.REMOVE)]
    for side, own in ((0, delta.upper), (2, delta.lower)):
        found = max(float(np.max(curve[side].power - np.exp(epsilon) * grid)) for curve in orders)
        pure = epsilon >= mechanism.pure_epsilon  # then 0, which is sharper than the curve
        assert found <= own + ALLOWANCE or pure
        assert found >= own * (1.0 - 0.05) - 1e-5


@settings(max_examples=EXAMPLES)
@given(mechanism=ANY, delta=log_uniform(1e-9, 0.5))
def test_epsilon_and_delta_are_inverse(mechanism, delta):
    bracket = mechanism.epsilon(delta, np.inf, CHEAP)
    assert bracket.lower <= bracket.estimate <= bracket.upper
    deep = CHEAP.down_to(0.01 * delta)  # another bracket than that of epsilon, each with its own width
    if np.isfinite(bracket.upper):
        assert mechanism.delta(bracket.upper, deep).lower <= delta * (1.0 + 1e-6) + ROUNDING
    if bracket.lower > 1e-6:
        assert mechanism.delta(bracket.lower * (1.0 - 1e-6), deep).upper >= delta * (1.0 - 1e-6) - ROUNDING
    assert bracket.upper <= mechanism.pure_epsilon


@settings(max_examples=EXAMPLES)
@given(mechanism=ANY, alpha=log_uniform(1e-9, 0.9), prior=st.floats(0.0, 1.0, allow_subnormal=False))
def test_numbers_are_brackets_of_numbers(mechanism, alpha, prior):
    posterior, auc, advantage = mechanism.posterior(alpha, prior, precision=CHEAP), mechanism.auc(CHEAP), None
    advantage = mechanism.advantage(CHEAP)
    for bracket in (posterior, auc, advantage, mechanism.power(alpha, precision=CHEAP)):
        assert 0.0 <= bracket.lower <= bracket.estimate <= bracket.upper <= 1.0 + ROUNDING
    # Guessing reaches the prior, and half the area.
    assert posterior.lower >= prior * (1.0 - 1e-9)
    assert auc.lower >= 0.5 - ROUNDING
    assert auc.upper <= 0.5 + advantage.upper * (1.0 + ROUNDING) + ROUNDING
    power = mechanism.power(alpha, precision=CHEAP)
    assert power.upper - alpha <= advantage.upper + ROUNDING


@settings(max_examples=EXAMPLES)
@given(mechanism=ANY, smallest=log_uniform(1e-9, 1e-2))
def test_gaussian_mu_lies_on_or_below_both_orders(mechanism, smallest):
    mu = mechanism.gaussian_mu(smallest, CHEAP)
    assert 0.0 <= mu.lower <= mu.estimate <= mu.upper
    alpha = alpha_grid(1002, smallest)[1:-1]
    safe, _, reached = sides(mechanism, alpha, Order.SYMMETRIC)
    level = ndtr(-ndtri(alpha) - mu.upper)
    kept = level > smallest
    assert np.all(level[kept] <= safe.beta[kept] * (1.0 + 1e-9) + ROUNDING)
    kept = (reached.beta > smallest) & (alpha >= smallest) & (alpha < 0.5)  # the rest is the mirror image
    if np.any(kept):
        # The smallest mu of the attack's points; on a grid they may miss the corner that sets the lower number.
        least = -ndtri(reached.beta) - ndtri(alpha)
        assert 0.95 * mu.lower - 1e-3 <= np.max(least[kept]) <= mu.upper + 1e-8  # quantiles of rates near 1


@settings(max_examples=EXAMPLES)
@given(mechanism=single(noise=(0.4, 100.0), largest_steps=300), alpha=log_uniform(1e-9, 1.0), order=ORDERS)
def test_brackets_are_as_narrow_as_promised(mechanism, alpha, order):
    """Also between the rates at which the engine looks."""
    wanted = Precision(width=1e-4, relative=0.01)
    is_reached = mechanism.is_reached
    bracket = mechanism.power(alpha, order, wanted) if is_reached else mechanism.certified(wanted).power(alpha, order)
    assert bracket.width <= 1.2 * min(wanted.width, wanted.relative * bracket.upper)


@settings(max_examples=EXAMPLES)
@given(mechanism=ANY)
def test_the_statistic_is_a_law(mechanism):
    law = _statistic(mechanism)
    assume(law is not None)
    infinite = [(sum(atom.p for atom in pair.atoms if np.isinf(atom.loss)), count) for pair, count in mechanism.pairs]
    certain = -np.expm1(sum(count * np.log1p(-share) for share, count in infinite))  # has no place on the axis
    for mass in (law.null, law.alternative):
        assert np.all(mass >= 0.0)
        assert 1.0 - 1e-4 - certain <= np.sum(mass) <= 1.0 + 1e-9
    assert np.all(np.diff(law.loss) > 0.0)


def _statistic(mechanism, precision: Precision = CHEAP):
    """Its law; None where it is refused."""
    if mechanism.certified(precision).statistic is not None:
        return mechanism.statistic(precision)
    with pytest.raises(ValueError, match="too far from that without it"):
        mechanism.statistic(precision)
    return None


# The hungriest of them take as much memory as with narrower brackets: what a step's own lattice takes.
COARSE = Precision(width=1e-2, relative=0.5)
EXTREMES = dict.fromkeys(
    offered(kind, noise, rate, steps, (adjacency, Sampling.POISSON))
    for kind in KINDS
    for noise, rate, steps in (
        (1e-3, 1e-7, 1),
        (1e-3, 0.5, 2),
        (1e-3, 1.0, 1_000_000),
        (1e3, 1e-7, 1_000_000),
        (1e3, 1.0, 1_000_000),
        (1e-2, 1e-7, 1_000_000),
        (1.0, 0.5, 1_000_000),
    )
    if kind.is_sampled or rate == 1.0 or steps == 1
    for adjacency in (Adjacency.ADD_REMOVE, Adjacency.REPLACE_ONE)  # what is zeroed out has the laws of the first
)


@pytest.mark.parametrize("mechanism", EXTREMES, ids=lambda m: f"{m.label}, {m.adjacency}")
def test_extreme_parameters_have_an_answer(mechanism):
    """No NaN, no other exception, no RuntimeWarning (which pytest makes an error), less than 1 GB."""
    tracemalloc.start()
    try:
        for order in Order:
            for curve in sides(mechanism, order=order, precision=COARSE):
                assert np.all(curve.beta >= 0.0)  # NaN fails as well
                assert np.all(curve.power >= ALPHA * (1.0 - ROUNDING))
        numbers = [mechanism.delta(e, COARSE) for e in (0.0, 1.0, 800.0)]
        numbers += [mechanism.epsilon(1e-5, np.inf, COARSE), mechanism.auc(COARSE), mechanism.gaussian_mu(1e-6, COARSE)]
        assert not np.any(np.isnan(numbers))
        assert _statistic(mechanism, COARSE) is None or np.isfinite(mechanism.threshold(1e-3, precision=COARSE))
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 1e9


@pytest.mark.parametrize("mechanism", [Gaussian(1.0), Gaussian(0.8, 0.1, 20), Laplace(1.0, 0.3)], ids=str)
def test_numbers_beyond_any_loss(mechanism):
    assert mechanism.delta(np.inf).upper == 0.0
    assert mechanism.delta(750.0, CHEAP).upper <= 1e-12
