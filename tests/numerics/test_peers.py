"""Google's dp-accounting as an independent witness: its pessimistic delta(epsilon) is itself a guarantee.

With f the true symmetric trade-off curve and delta the true profile, delta_P >= delta, so the envelope of its lines is
f_P <= f. Our ``upper`` curve is a real attack, f <= upper, hence f_P <= upper and ours.lower <= delta_P without any
tolerance. Nothing orders two guarantees: they must agree within the sum of both slacks. Its optimistic profile is
delta_O <= delta, so delta_O <= ours.upper.
"""

import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution as pld

from numerics.mechanisms import Gaussian, Laplace, SampledMechanism
from numerics.trade_off import Order

ALPHA = np.array([1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.05, 0.1, 0.3, 0.5, 0.7, 0.9])
# dp-accounting rounds losses on a grid of 1e-4; connecting the dots leaves an error of order N grid^2, and the bracket
# is 1e-5 wide. Relative at small rates, where all errors shrink with the power.
SLACK, RELATIVE_SLACK = 2e-5, 2e-3
GRID, ROUNDING = 1e-4, 1e-12

LONG = [Gaussian(10.5, 4096 / 50_000, 1000), Gaussian(1.15, 4096 / 549_361, 405), Laplace(1.0, 0.1, 100)]
CASES = [
    *(Gaussian(1.0, 0.01, 200), Gaussian(2.0, 0.9, 1), Laplace(1.0, 1.0, 5)),
    *(pytest.param(each, marks=pytest.mark.nightly) for each in LONG),
]


def build(mechanism: SampledMechanism, pessimistic: bool) -> pld.PrivacyLossDistribution:
    make = pld.from_gaussian_mechanism if isinstance(mechanism, Gaussian) else pld.from_laplace_mechanism
    one = make(
        mechanism.noise_multiplier,
        pessimistic_estimate=pessimistic,
        value_discretization_interval=GRID if pessimistic else 1e-3,
        sampling_prob=mechanism.sampling_rate,
    )
    return one.self_compose(mechanism.steps)


@pytest.mark.parametrize("mechanism", CASES, ids=lambda mechanism: mechanism.label)
def test_guarantees_and_attacks_are_ordered(mechanism: SampledMechanism) -> None:
    theirs, optimistic = build(mechanism, True), build(mechanism, False)
    # The largest of the lines 1 - delta - e^eps alpha and e^-eps (1 - delta - alpha) (Dong, Roth and Su 2022, Prop. 6).
    epsilon = np.linspace(0.0, 25.0, 5001)[:, None]
    kept = 1.0 - np.asarray(theirs.get_delta_for_epsilon(epsilon[:, 0]))[:, None]
    lines = np.maximum(kept - np.exp(epsilon) * ALPHA, np.exp(-epsilon) * (kept - ALPHA))
    envelope = np.maximum(lines.max(axis=0), 0.0)
    curve = mechanism.trade_off(ALPHA, Order.SYMMETRIC)
    assert np.all(envelope <= (curve.upper or curve).beta + ROUNDING)
    allowed = np.minimum(SLACK, RELATIVE_SLACK * curve.power)
    assert np.all(np.abs((curve.lower or curve).beta - envelope) <= allowed)
    for value in (0.01, 0.3, 1.0, 2.0, 5.0):
        ours = mechanism.delta(value)
        assert ours.lower <= theirs.get_delta_for_epsilon(value) + ROUNDING
        assert ours.upper >= optimistic.get_delta_for_epsilon(value) - ROUNDING
    for delta in (1e-3, 1e-5, 1e-7):
        ours, known = mechanism.epsilon(delta, width=1e-3), theirs.get_epsilon_for_delta(delta)
        assert ours.lower <= known <= ours.upper + 10.0 * GRID  # its pessimism is of the order of its grid
