"""The certified engine beside closed forms, other ways to sum and plain convolutions, down to the smallest rates."""

import numpy as np
import pytest

from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Mechanism, SampledMechanism
from numerics.mechanisms.discrete_gaussian import DiscreteGaussian
from numerics.mechanisms.discrete_laplace import DiscreteLaplace
from numerics.mechanisms.logistic import Logistic
from numerics.privacy_loss import Precision
from numerics.trade_off import Order, alpha_grid
from tests.numerics import engine_adapter as engine
from tests.numerics import oracle
from tests.sides import sides

REPLACE = Adjacency.REPLACE_ONE
RARE = np.array([1e-9, 1e-7, 1e-5, 1e-3, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.999])
CLOSED = [
    Gaussian(20.0, steps=400),
    Gaussian(3.0, steps=7, adjacency=REPLACE),
    Gaussian(2.0, 1e-4),
    Laplace(3.0, 0.5),
    Composition((Gaussian(2.0, steps=3), Gaussian(5.0, steps=100), Gaussian(1.5))),
    *(Gaussian(np.sqrt(10.0) / mu, 1.0, 10) for mu in (3.0, 14.0)),
]


@pytest.mark.parametrize("mechanism", CLOSED, ids=str)
def test_closed_forms_lie_in_brackets_as_narrow_as_the_default_promises(mechanism: Mechanism) -> None:
    """Curves and numbers, through the engine and not through the closed form that answers for them."""
    for order in Order:
        exact = mechanism.trade_off(RARE, order)
        safe, _, reached = mechanism.certified().trade_off(RARE, order)
        assert np.all((reached.power <= exact.power * (1 + 1e-12)) & (exact.power <= safe.power * (1 + 1e-12)))
        assert np.all((safe.beta <= exact.beta * (1 + 1e-9)) & (exact.beta <= reached.beta * (1 + 1e-9)))
        assert np.all(safe.power - reached.power <= np.minimum(1e-5, 1e-3 * exact.power) * (1.0 + 1e-6))
    loss = mechanism.certified()
    numbers = [(loss.delta(epsilon), mechanism.delta(epsilon)) for epsilon in (0.0, 0.3, 2.0)]
    numbers += [(loss.auc(), mechanism.auc()), (loss.epsilon(1e-6), mechanism.epsilon(1e-6))]
    if isinstance(mechanism, Gaussian) and mechanism.steps == 10:
        far = [(engine.epsilon_at(mechanism.pairs, delta, 1e-5), mechanism.epsilon(delta)) for delta in (1e-9, 1e-13)]
        assert all(bracket.width <= 1e-4 for bracket, _ in far)
        numbers += far
    for bracket, known in numbers:
        assert bracket.lower <= known.estimate * (1.0 + 1e-12) + 1e-15
        assert bracket.upper >= known.estimate * (1.0 - 1e-12) - 1e-15


KINDS = [Gaussian(1.2, 0.2, 24), Laplace(1.1, 0.3, 24, REPLACE), Logistic(1.5, 1.0, 24)]
KINDS += [DiscreteGaussian(1.3, 0.3, 24, sensitivity=3), DiscreteLaplace(1.3, 0.4, 24, sensitivity=2)]


@pytest.mark.parametrize("release", KINDS, ids=str)
def test_many_steps_beside_plain_convolutions_of_rounded_losses(release: SampledMechanism) -> None:
    """Every loss is rounded up, or down, to a lattice of the test's own: deltas on either side of the truth."""
    p, q = oracle.step(release, 20_000)
    kept = (p > 1e-13) & (q > 0.0)
    loss, grid, count = np.log(p[kept] / q[kept]), 0.004, release.steps
    for epsilon in (0.0, 0.5, 2.0, 6.0):
        limits = []
        for rounding in (np.floor, np.ceil):
            place = rounding(loss / grid).astype(int)
            total = oracle.convolved(np.bincount(place - place.min(), p[kept]).astype(float), count)
            sums = grid * (count * place.min() + np.arange(len(total)))
            limits.append(float(np.sum(total * np.maximum(-np.expm1(epsilon - sums), 0.0))))
        found = release.delta(epsilon)
        assert limits[0] - 1e-7 <= found.upper
        assert found.lower <= limits[1] + 1e-7
        assert limits[1] - limits[0] < 0.05
        assert found.width <= 1e-5
    both = release.certified()
    for line in (side.corners(order) for side in (both.guarantee, both.attack) for order in Order):
        assert all(np.all(np.diff(rates) >= 0.0) for rates in (line.alpha, -line.rest, -line.beta, line.power))


SMOOTH = [Composition((Gaussian(1.0, 0.01, 500), Gaussian(2.0, 0.05, 200))), Gaussian(3.0, 0.9, 300)]


@pytest.mark.parametrize("release", SMOOTH, ids=str)
def test_brackets_without_a_lattice_meet_those_with_one(release: Mechanism, monkeypatch: pytest.MonkeyPatch) -> None:
    """No guarantee of either lies above an attack of the other, in any order and at any rate."""
    found = []
    for patch in (False, True):
        if patch:
            monkeypatch.setattr(engine.refinement, "smooth_sums", lambda losses: None)
        engine.forget()
        curves = [sides(release, alpha_grid(200), order, Precision(width=1e-4)) for order in Order]
        found.append((curves, release.epsilon(1e-7, 1e-4)))
    engine.forget()
    (smooth, epsilon), (summed, other) = found
    for mine, theirs in zip(smooth, summed, strict=True):
        for safe, reached in ((mine[0], theirs[2]), (theirs[0], mine[2])):
            assert np.all(safe.beta <= reached.beta + 1e-15)
            assert np.all(safe.power >= reached.power * (1.0 - 1e-12) - 1e-15)
    assert max(epsilon.lower, other.lower) <= min(epsilon.upper, other.upper)
    assert epsilon.width <= max(1e-4, other.width)


@pytest.mark.parametrize("release", [Laplace(3.0, 1.0, 30), Laplace(1.0, 0.1, 100)], ids=str)
def test_a_first_lattice_that_holds_both_ends_of_the_loss_is_as_fine_as_asked_and_no_finer(release: Laplace) -> None:
    tries = engine.refinement.Refinement(release.pairs)
    found = tries.at(tries.first_step(1e-5), 1e-5, 0.0)
    assert found is not None
    assert 7e-6 < found.loss.delta(0.5).width < 1e-5
