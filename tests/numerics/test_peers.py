"""Google's dp-accounting as an independent witness: its pessimistic delta(epsilon) is itself a guarantee.

Directions. With f the true symmetric trade-off curve and delta the true profile,

* dp-accounting's pessimistic delta_P >= delta, so the envelope of its lines, f_P <= f. Our ``upper`` curve is a real
  attack, f <= upper, hence f_P <= upper must hold without any tolerance, and likewise ours.lower <= delta_P.
* Our ``lower`` curve is a guarantee too, and nothing orders two guarantees: lower may exceed f_P by dp-accounting's
  slack, f - f_P, and f_P may exceed lower by ours. They must agree within the sum of the two.
* Its optimistic profile is delta_O <= delta, so delta_O <= ours.upper.
"""

import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution as pld

from numerics.mechanisms import Gaussian, Laplace, SampledMechanism
from numerics.trade_off import Order

ALPHAS = np.array([1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.05, 0.1, 0.3, 0.5, 0.7, 0.9])
EPSILONS = np.array([0.01, 0.1, 0.3, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0])
# dp-accounting rounds losses on a grid of 1e-4; connecting the dots leaves an error of order N grid^2, and the bracket
# is 1e-5 wide. Relative at small rates, where all errors shrink with the power.
SLACK, RELATIVE_SLACK = 2e-5, 2e-3
GRID = 1e-4
# Both report sums of rounded masses.
ROUNDING = 1e-12

LONG = [Gaussian(10.5, 4096 / 50_000, 1000), Gaussian(1.15, 4096 / 549_361, 405), Laplace(1.0, 0.1, 100)]
CASES = [
    *(Gaussian(1.0, 0.01, 200), Gaussian(2.0, 0.9, 1), Laplace(1.0, 1.0, 5)),
    *(pytest.param(each, marks=pytest.mark.nightly) for each in LONG),
]


def build(mechanism: SampledMechanism, pessimistic: bool) -> pld.PrivacyLossDistribution:
    options = {"pessimistic_estimate": pessimistic, "value_discretization_interval": GRID if pessimistic else 1e-3}
    options |= {"sampling_prob": mechanism.sampling_rate}
    if isinstance(mechanism, Gaussian):
        one = pld.from_gaussian_mechanism(mechanism.noise_multiplier, **options)
    else:
        one = pld.from_laplace_mechanism(mechanism.noise_multiplier, **options)
    return one.self_compose(mechanism.steps)


def dual_envelope(epsilon, delta, alpha):
    """Largest of the lines 1 - delta - e^eps alpha and e^-eps (1 - delta - alpha) (Dong, Roth and Su 2022, Prop. 6)."""
    steep = 1.0 - delta - np.exp(epsilon) * alpha[:, None]
    flat = np.exp(-epsilon) * (1.0 - delta - alpha[:, None])
    return np.maximum(np.max(np.maximum(steep, flat), axis=1), 0.0)


@pytest.fixture(scope="module", params=CASES, ids=lambda mechanism: mechanism.label)
def peer(request):
    return request.param, build(request.param, True)


def test_the_peers_guarantee_never_beats_our_attack(peer):
    mechanism, distribution = peer
    # Lines at the losses themselves; any subset of them is a guarantee.
    epsilon = np.linspace(0.0, 25.0, 5001)
    delta = np.asarray(distribution.get_delta_for_epsilon(epsilon))
    envelope = dual_envelope(epsilon, delta, ALPHAS)
    curve = mechanism.trade_off(ALPHAS, Order.SYMMETRIC)
    lower, upper = curve.lower or curve, curve.upper or curve
    assert np.all(envelope <= upper.beta + ROUNDING)
    allowed = np.minimum(SLACK, RELATIVE_SLACK * curve.power)
    assert np.all(np.abs(lower.beta - envelope) <= allowed)


def test_profiles_are_ordered(peer):
    mechanism, distribution = peer
    optimistic = build(mechanism, False)
    for epsilon, pessimistic in zip(EPSILONS, distribution.get_delta_for_epsilon(EPSILONS), strict=True):
        ours = mechanism.delta(float(epsilon))
        assert ours.lower <= pessimistic + ROUNDING
        assert ours.upper >= optimistic.get_delta_for_epsilon(float(epsilon)) - ROUNDING


def test_epsilons_are_ordered(peer):
    mechanism, distribution = peer
    for delta in (1e-3, 1e-5, 1e-7):
        ours = mechanism.epsilon(delta, width=1e-3)
        theirs = distribution.get_epsilon_for_delta(delta)
        assert ours.lower <= theirs
        # Its pessimism is of the order of its grid, below our width.
        assert ours.upper >= theirs - 10.0 * GRID
