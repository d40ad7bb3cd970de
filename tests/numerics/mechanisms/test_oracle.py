"""Every mechanism beside steps that are written out from its cumulative law or its weights alone.

And choices among candidates: one against all scores by the definition, several between an attack and a guarantee.
"""

from itertools import product
from typing import Any

import numpy as np
import pytest

from numerics import renyi
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Mechanism, SampledMechanism
from numerics.mechanisms.exponential_mechanism import ExponentialMechanism
from numerics.trade_off import Bound, Floats, Order, alpha_grid
from tests.numerics import oracle
from tests.strategies import KINDS

REPLACE, ADD = Adjacency.REPLACE_ONE, Adjacency.ADD_REMOVE
RATES = alpha_grid(101, 1e-9)
AREA = 2e-4  # of an area summed over 2,000 points, with cells
FINE, COARSE = 5e-5, 2e-3  # what 4,000 cells of one release, and 900 of each of two, lose of the power
DEFAULT = 2e-5  # width of a bracket, and what lies between two rates


def releases(steps: int, noises: tuple[float, ...], rates: tuple[float, ...], records: int = 1) -> list[Any]:
    """Of every kind that the oracle knows, for all its neighbours; ends are near enough that exposure is seen."""
    own: dict[str, Any] = {"Truncated Laplace": {"truncation_delta": 1e-3}}
    return [
        kind(noise, rate, steps, adjacency, records_per_person=records, **own.get(kind.name, {}))
        for kind, noise, rate, adjacency in product(KINDS, noises, rates, (ADD, REPLACE))
        if kind.name in oracle.KNOWN and adjacency in kind.adjacencies and (rate == 1.0 or kind.is_sampled)
        if records == 1 or kind.several_records
    ]


def agrees(release: Mechanism, laws: oracle.Laws, slack: float) -> None:
    """Guarantee, closed form and attack beside the oracle's test, in both orders; delta and area too."""
    p, q = laws
    for order, pair in {Order.ADD: (p, q), Order.REMOVE: (q, p)}.items():
        found = oracle.power(pair, RATES)
        safe, _, reached = release.certified().trade_off(RATES, order)
        assert np.all(found <= safe.power * (1 + 1e-11) + 1e-15)
        assert np.all(reached.power <= found + slack)
        assert np.max(safe.power - reached.power) < DEFAULT
        exact = release.trade_off(RATES, order)
        if exact.bound is Bound.EXACT:
            assert np.all(found <= exact.power * (1 + 1e-11) + 1e-15)
            assert np.all(exact.power <= found + slack)
            np.testing.assert_allclose(exact.power + exact.beta, 1.0, rtol=1e-13)
    for epsilon in (0.0, 0.3):
        worst = max(oracle.delta((p, q), epsilon), oracle.delta((q, p), epsilon))
        for bracket in (release.delta(epsilon), release.certified().delta(epsilon)):
            assert bracket.lower - slack <= worst <= bracket.upper + 1e-12
    grid = alpha_grid(2001, 1e-9)
    area = np.trapezoid(oracle.power((p, q), grid), grid)
    assert release.auc().lower - AREA <= area <= release.auc().upper + AREA


ONE = [*releases(1, (0.5,), (0.2,)), *releases(1, (2.0,), (1.0,)), *releases(1, (1.5,), (0.3, 1.0), records=4)]
TWO = [one for one in releases(2, (0.9,), (1.0, 0.3)) if one.sampling_rate < 1.0 or not one.is_sampled]
TWO += releases(2, (3.0,), (0.3,), records=3)


@pytest.mark.parametrize("release", ONE, ids=str)
def test_one_step_of_a_record_and_of_a_person_with_several(release: SampledMechanism) -> None:
    agrees(release, oracle.step(release), FINE)


@pytest.mark.parametrize("release", TWO, ids=str)
def test_two_steps(release: SampledMechanism) -> None:
    agrees(release, oracle.composed([oracle.step(release)] * 2), COARSE)


def test_phases() -> None:
    phases = (Laplace(1.0, 0.5), Gaussian(1.0, 0.5))
    agrees(Composition(phases), oracle.composed([oracle.step(each) for each in phases]), COARSE)


LEVELS = np.array([1e-4, 0.01, 0.1, 0.5, 0.9])
PULLED = np.array([1.0, -1.0])  # by a record, of the scores of two candidates


def choice(scores: Floats, change: Floats, rate: float, adjacency: Adjacency, epsilon: float = 2.0) -> oracle.Laws:
    """Of the choice with the record, and without it or with one that does the opposite, mixed over the sample."""
    weights = [np.exp(0.5 * epsilon * (scores + sign * change)) for sign in (0, 1, -1)]
    absent, present, other = (weight / weight.sum() for weight in weights)
    p, q = (1.0 - rate) * absent + rate * present, (1.0 - rate) * absent + rate * other
    return p, q if adjacency is REPLACE else absent


@pytest.mark.parametrize("rate", [1e-6, 0.4, 1.0])
@pytest.mark.parametrize("adjacency", [ADD, REPLACE])
def test_two_candidates_reach_the_curve_of_one_choice_and_none_pass_it(rate: float, adjacency: Adjacency) -> None:
    release, generator = ExponentialMechanism(0.5, rate, 1, adjacency), np.random.default_rng(7)
    assert release.bound is Bound.EXACT
    for gap in (-8.0, -1.0, 0.0, 4.0):
        p, q = choice(np.array([gap, 0.0]), PULLED, rate, adjacency)
        assert rate == 1.0 or release.power(q[0]) == pytest.approx((p[0],) * 3, rel=1e-11)
    power = np.array([release.power(each).upper for each in LEVELS])
    for _ in range(100):
        scores, change = generator.uniform(-3, 3, 4), generator.uniform(-1, 1, 4).round(1)
        assert np.all(oracle.power(choice(scores, change, rate, adjacency), LEVELS) <= power * (1.0 + 1e-9))
        divergence = {order: oracle.divergence(choice(scores, change, rate, adjacency), order) for order in (2, 6, 20)}
        if adjacency is ADD:
            assert all(most <= renyi.divergence(release, order) * (1 + 1e-12) for order, most in divergence.items())
        assert all(most <= renyi.zcdp(release) * order * (1 + 1e-12) for order, most in divergence.items())


def worth(price: Floats, laws: tuple[Floats, Floats], choices: int) -> Floats:
    """The largest power - price alpha of all who ask one of the ``laws`` (2, k) each time, whatever was answered."""
    if choices == 0:
        return np.maximum(1.0 - price, 0.0)
    p, q = (law[:, :, np.newaxis] for law in laws)
    after = worth((price * q / p).ravel(), laws, choices - 1).reshape(2, -1, len(price))
    return np.asarray((p * after).sum(axis=0).max(axis=0))


@pytest.mark.parametrize(("adjacency", "rate"), [(ADD, 1.0), (ADD, 0.1), (REPLACE, 0.1)])
def test_choices_that_depend_on_earlier_ones_reach_what_all_strategies_do(adjacency: Adjacency, rate: float) -> None:
    """All strategies over 40 pairs of candidates a choice, at the prices of a false alarm e^epsilon."""
    release, epsilons = ExponentialMechanism(0.5, rate, 3, adjacency), np.array([0.0, 0.5, 2.0]) * min(2.0 * rate, 1.0)
    gaps = np.linspace(-5.0, 5.0, 40) - (0.0 if adjacency is REPLACE else 1.0)
    p, q = np.transpose([choice(np.array([gap, 0.0]), PULLED, rate, adjacency) for gap in gaps], (1, 2, 0))
    enumerated = np.maximum(worth(np.exp(epsilons), (p, q), 3), worth(np.exp(epsilons), (q, p), 3))
    for epsilon, most in zip(epsilons.tolist(), enumerated.tolist(), strict=True):
        found = release.delta(epsilon)
        assert most * 0.998 <= found.lower <= most * 1.006
        assert adjacency is REPLACE or found.upper <= 1.01 * found.lower
    assert release.bound is Bound.OPEN
