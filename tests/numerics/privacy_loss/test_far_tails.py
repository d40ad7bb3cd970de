"""Small deltas, large epsilons, rare records: certified where rounding or the lattice once stood in the way.

Expected numbers: dp-accounting 0.6 (connect the dots, discretization 1e-3 or finer; an upper bound), closed forms, or
importance sampling of the summed loss (400,000 sums under its exponential tilt, standard error in the comment).
"""

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from numerics.calibration import PowerTarget, noise_for
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Sampling
from numerics.privacy_loss import Precision, questions
from numerics.privacy_loss.certify import certify_number
from numerics.privacy_loss.lattices import Lattices
from numerics.privacy_loss.moments import epsilon_reach
from numerics.privacy_loss.questions import EpsilonAt
from numerics.privacy_loss.window_plan import RELEVANT_LOSS, tilted_moments, tilts
from numerics.trade_off import Bracket, Order, alpha_grid

PAGE = Precision(width=1e-4, relative=5e-3)
REPLACE = Adjacency.REPLACE_ONE
EPSILONS = [
    (Gaussian(0.2355, 8.87e-6, 221), 1e-5, 7.5165, 1e-4),  # refused before
    (Gaussian(1.0, 0.01, 10**6), 1e-5, 139.0303, 1e-3),  # dp-accounting at 1e-3, an upper bound: 139.1406
    (Gaussian(1.0, 0.01, 1000), 1e-13, 4.2298, 1e-4),
    (Laplace(1e3, 0.01, 1000), 1e-12, 0.0017364, 1e-6),
    (Composition((Gaussian(1.0, 0.01, 1000), Gaussian(0.01, 1e-9, 1))), 1e-5, 1.82825, 1e-5),
    (Gaussian(1.0, 1 / 120, 1200, REPLACE, Sampling.FIXED_SIZE), 1e-5, 13.763648, 1e-5),
    (Laplace(0.5278, 1.0, 280, REPLACE), 3.1e-4, 872.63, 0.05),  # delta(872.6165) sampled: 3.106e-4 (1.0e-6)
    # dp-accounting at 3e-4: 129.3525, with its rounding; summed over the number of participations: 129.35
    (Gaussian(0.14922710126682928, 8.358662412862645e-05, 1771), 1.732807507707584e-11, 129.3546, 1e-3),
    # dp-accounting at 1e-3 (upper bounds): 87.41450, 435.6122; at 1e-2: 2915.95, 23663.05 (rounded up at every step)
    (Gaussian(0.1492, 8.36e-5, 1771), 1e-7, 87.41442, 1e-4),
    (Gaussian(0.06903086337550199, 4.164932895912505e-06, 8027), 8.157292213656493e-10, 435.6073, 6e-3),
    (Gaussian(0.11637504792132806, 0.00010282320190576632, 625709), 1.5295027582522883e-06, 2914.63743, 1.5),
    (Laplace(0.013922119667742356, 0.1098120477090255, 2434), 2.1354448794562109e-07, 23662.02, 1.5),
]


@pytest.mark.parametrize(("release", "delta", "expected", "tolerance"), EPSILONS, ids=str)
def test_epsilon_has_two_finite_limits(release, delta, expected, tolerance):
    found = release.epsilon(delta)
    assert found.estimate == pytest.approx(expected, abs=tolerance)
    assert found.lower <= found.estimate <= found.upper
    assert (found.width if release.is_reached else found.margin) <= max(0.02, 1e-4 * expected)


@pytest.mark.parametrize("delta", [1e-9, 1e-13])
@pytest.mark.parametrize("mu", [0.5, 3.0, 14.0])
def test_unsampled_gaussian_steps_bracket_the_closed_form_far_out(mu, delta):
    """Through the engine, not through the closed form that answers for them."""
    release = Gaussian(np.sqrt(10.0) / mu, 1.0, 10)
    assert release.closed_form is not None
    truth = release.closed_form.epsilon(delta)
    found = certify_number(release.pairs, EpsilonAt(delta), 1e-5)
    assert found.lower <= truth * (1.0 + 1e-12) <= found.upper * (1.0 + 2e-12)
    assert found.width <= 1e-4


@pytest.mark.parametrize("smallest", [1e-13, 1e-15])
def test_curves_keep_their_digits_at_the_rarest_false_alarms(smallest):
    release = Gaussian(2.0, 1.0, 4)
    alpha = np.array([smallest, 1e-12, 1e-10])
    safe, _, reached = release.certified(Precision(smallest_alpha=smallest)).trade_off(alpha, Order.ADD)
    assert release.closed_form is not None
    truth = release.closed_form.trade_off(alpha, Order.ADD).power
    assert np.all(reached.power <= truth * (1.0 + 1e-9))
    assert np.all(truth <= safe.power * (1.0 + 1e-9))
    assert np.all(safe.power - reached.power <= 1.1e-3 * truth)


RARE = [
    Gaussian(0.2355, 8.87e-6, 221),
    Gaussian(0.002762978032382232, 3.1065888200829025e-07, 163352),
    Laplace(1.3823192766664176, 4.1932376998567677e-07, 779212, REPLACE, Sampling.FIXED_SIZE),
    Gaussian(1e-2, 1e-7, 1_000_000),
    Composition((Laplace(0.49, 0.000233382, 1_000_000), Laplace(0.54, 0.02, 1), Laplace(13.9, 0.04, 76))),
    Gaussian(1.0, 0.5, 1_000_000),
]


@pytest.mark.parametrize("release", RARE, ids=str)
def test_every_release_has_a_curve_between_guessing_and_the_chance_to_take_part(release):
    """No refusal, and never wider than what holds without any computation."""
    alpha = alpha_grid(60, 1e-9)
    safe, _, reached = release.certified(PAGE).trade_off(alpha, Order.ADD)
    assert np.all(safe.power <= (alpha + release.participation) * (1.0 + 1e-6))
    assert np.all(reached.power >= alpha * (1.0 - 1e-12))
    assert np.all(reached.power <= safe.power * (1.0 + 1e-12))


def test_a_width_out_of_reach_gives_the_narrowest_bracket_and_says_its_width():
    release = Gaussian(1.0, 1e-7, 1_000_000)
    found, wider = release.power(0.1, precision=Precision(width=1e-12)), release.power(0.1)
    assert found.width > 1e-12
    assert max(found.lower, wider.lower) <= min(found.upper, wider.upper)


def test_the_narrower_estimate_is_kept():
    assert Bracket(1.0, 2.0, 3.0).met(Bracket(1.5, 1.6, 1.7)) == Bracket(1.5, 1.6, 1.7)
    assert Bracket(1.5, 1.6, 1.7).met(Bracket(1.0, 2.9, 3.0)) == Bracket(1.5, 1.6, 1.7)
    assert Bracket(1.5, 1.6, 1.7).met(Bracket(1.65, 2.0, 3.0)) == Bracket(1.65, 1.65, 1.7)


def test_a_wide_answer_is_computed_once(monkeypatch):
    release = Gaussian(1.0, 1.1e-7, 1_000_000)
    asked: list[float] = []
    monkeypatch.setattr(type(release.pairs[0][0]), "scatter", _counting(type(release.pairs[0][0]).scatter, asked))
    counts = []
    for _ in range(2):
        release.certified(Precision(width=1e-12))
        release.epsilon(1e-9)
        counts.append(len(asked))
    assert counts[0] == counts[1] > 0


def _counting(method, asked):
    def counted(of, number):
        asked.append(number)
        return method(of, number)

    return counted


def test_power_at_one_rate_costs_no_whole_curve():
    """Noise for a power was sought on curves that were as narrow at all other rates too."""
    found = noise_for(PowerTarget(5.8e-4, 2.65e-5), Gaussian(1.0, 1.055e-4, 11))
    assert found.noise_multiplier == pytest.approx(0.221482, abs=2e-6)
    assert found.reached.upper <= 5.8e-4
    assert found.reached.width <= 1e-8


@pytest.mark.parametrize("alpha", [1e-9, 1e-4, 0.3])
@pytest.mark.parametrize("order", Order)
def test_a_number_alone_agrees_with_its_curve(alpha, order):
    release = Gaussian(1.0, 0.02, 300)
    alone, curve = release.narrow_power(alpha, order, Precision()), release.power(alpha, order)
    assert max(alone.lower, curve.lower) <= min(alone.upper, curve.upper) * (1.0 + 1e-12)
    assert alone.width <= 1e-3 * alone.upper
    exact = Gaussian(1.0).narrow_power(alpha, order, Precision())
    assert exact.lower == exact.upper
    assert order is not Order.ADD or exact.upper == pytest.approx(float(ndtr(1.0 + ndtri(alpha))), rel=1e-9)


@pytest.mark.parametrize(
    "release", [Gaussian(1.0, 0.02, 300), Laplace(1.0, 0.1, 100), Gaussian(0.3, 1e-4, 500, REPLACE)]
)
def test_an_advantage_alone_agrees_with_its_curve(release):
    alone, curve = release.narrow_advantage(Precision()), release.advantage()
    assert max(alone.lower, curve.lower) <= min(alone.upper, curve.upper) * (1.0 + 1e-12)
    assert alone.width <= min(1e-5, 1e-3 * alone.upper)


def test_the_bulk_of_no_tilt_lies_beyond_what_is_read():
    """A few large losses: the tilt for rare sums moved their bulk to 225, where none are told apart."""
    lattices = Lattices(Gaussian(0.00276, 3.1e-7, 163352).pairs)
    samples = lattices.scheme.clipped([(-RELEVANT_LOSS, RELEVANT_LOSS)])[0]
    last = max(tilt.exponent for tilt in tilts(samples, lattices.scheme.variance, (0.0, RELEVANT_LOSS), 18.0))
    mean = float(tilted_moments(samples, np.array([last]))[1][0])
    assert 0.9 * RELEVANT_LOSS < mean < 1.1 * RELEVANT_LOSS


def test_moments_are_taken_where_sums_lie_far_alone(monkeypatch):
    """They cost as much as a lattice does; near 0 a lattice alone will do."""
    asked: list[float] = []
    monkeypatch.setattr(questions, "epsilon_reach", _counting(epsilon_reach, asked))
    Gaussian(1.0, 0.011, 1001).epsilon(1e-5)
    assert not asked
    Gaussian(0.1, 0.011, 1001).epsilon(1e-5)
    assert asked


APART = [Laplace(0.05, 1.0, 20), Gaussian(0.1, 0.9999, 30), Laplace(0.02, 0.9, 60), Gaussian(0.12, 0.99, 30, REPLACE)]


@pytest.mark.parametrize("alpha", [1e-9, 1e-3, 0.1])
@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize("release", APART, ids=str)
def test_the_power_of_hypotheses_far_apart_is_that_of_the_whole_curve(release, alpha, order):
    """Read from sums above a level as an epsilon is, it was guaranteed to be .0014 where nearly everybody is found."""
    found, curve = release.narrow_power(alpha, order, Precision()), release.power(alpha, order)
    assert found.lower <= found.estimate <= found.upper
    assert found.upper >= curve.lower > 0.99
