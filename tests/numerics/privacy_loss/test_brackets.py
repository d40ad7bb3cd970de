"""Brackets where little is left: tiny deltas, hardly any noise, records that hardly ever take part; widths."""

import numpy as np
import pytest

from numerics.mechanisms import MECHANISMS, Adjacency, Composition, Gaussian, Laplace, Sampling
from numerics.privacy_loss import Precision
from numerics.trade_off import Bracket, Order, alpha_grid
from tests.numerics import engine_adapter as engine

REPLACE = Adjacency.REPLACE_ONE
PAGE = Precision(width=1e-4, relative=5e-3)
RELEASE = Gaussian(1.0, 0.01, 1000)

CLOSED = [
    Gaussian(20.0, steps=400),
    Gaussian(3.0, steps=7, adjacency=REPLACE),
    Gaussian(2.0, 1e-4),
    Laplace(3.0, 0.5),
    Composition((Gaussian(2.0, steps=3), Gaussian(5.0, steps=100), Gaussian(1.5))),
]


@pytest.mark.parametrize("mechanism", CLOSED, ids=str)
def test_closed_forms_lie_in_brackets_as_narrow_as_the_default_promises(mechanism):
    alpha = np.array([1e-9, 1e-7, 1e-5, 1e-3, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.999])
    for order in Order:
        exact = mechanism.trade_off(alpha, order)
        safe, _, reached = mechanism.certified().trade_off(alpha, order)
        assert np.all((reached.power <= exact.power * (1 + 1e-12)) & (exact.power <= safe.power * (1 + 1e-12)))
        assert np.all((safe.beta <= exact.beta * (1 + 1e-9)) & (exact.beta <= reached.beta * (1 + 1e-9)))
        assert np.all(safe.power - reached.power <= np.minimum(1e-5, 1e-3 * exact.power) * (1.0 + 1e-6))
    loss = mechanism.certified()
    numbers = [(loss.delta(epsilon), mechanism.delta(epsilon)) for epsilon in (0.0, 0.3, 2.0)]
    for bracket, known in [*numbers, (loss.auc(), mechanism.auc()), (loss.epsilon(1e-6), mechanism.epsilon(1e-6))]:
        assert bracket.lower <= known.estimate * (1.0 + 1e-12) + 1e-15
        assert bracket.upper >= known.estimate * (1.0 - 1e-12) - 1e-15


@pytest.mark.parametrize("release", [Gaussian(0.6, 0.001, 10_000), Laplace(1.0, 0.1, 100)], ids=str)
def test_every_order_is_as_narrow_as_asked_for_and_holds_down_to_tiny_rates(release):
    """In the first, rounding drifts by a hundred lattice steps. Peers report beta above 1 - alpha at such rates."""
    for order in Order:
        alpha = np.linspace(0.0, 1.0, 501)
        safe, _, reached = release.certified(Precision(width=1e-4, relative=1.0)).trade_off(alpha, order)
        assert np.all(safe.power - reached.power <= 1e-4 * (1.0 + 1e-6))
        alpha = np.geomspace(1e-12, 0.5, 60)
        curve = release.trade_off(alpha, order)
        assert np.all((curve.lower.power >= alpha) & (curve.upper.power >= alpha * (1.0 - 1e-9)))
        assert np.all((curve.lower.beta <= curve.beta) & (curve.beta <= curve.upper.beta))


def test_where_a_width_is_out_of_reach_the_bracket_is_wider_and_holds():
    rare = Gaussian(1.0, 1e-7, 1_000_000)
    narrow, wider = rare.power(0.1, precision=Precision(width=1e-12)), rare.power(0.1)
    assert narrow.width > 1e-12
    assert max(narrow.lower, wider.lower) <= min(narrow.upper, wider.upper)


ONCE = [kind(noise, rate) for kind in (Gaussian, Laplace) for noise in (0.01, 20.0) for rate in (1e-3, 1.0)]


@pytest.mark.parametrize("release", [Gaussian(0.05, 1.0, 1000), *ONCE], ids=str)
@pytest.mark.parametrize("delta", [0.1, 1e-12])
def test_moments_alone_bracket_epsilon(release, delta):
    truth, found = release.closed_form.epsilon(delta), engine.epsilon_reach(release.pairs, delta)
    assert found.lower <= truth * (1.0 + 1e-12)
    assert truth <= found.upper * (1.0 + 1e-12) <= found.top * (1.0 + 2e-12)
    assert release.closed_form.delta(found.top) <= 1e-8 * delta


@pytest.mark.parametrize("count", [1, 2, 3, 16])
@pytest.mark.parametrize("kind", [kind for kind in MECHANISMS if kind.several_records])
def test_what_lies_beyond_all_phases_together_is_left_above_a_finite_end(kind, count):
    """Each phase was allowed as much beyond its cells as all of them together may have: the end was infinite."""
    phases = tuple(kind(1.0 + 0.1 * number, 1.0, 10) for number in range(count))
    for delta in (1e-3, 1e-9):
        found = engine.epsilon_reach(Composition(phases).pairs, delta)
        assert found.lower <= found.upper <= found.top < np.inf


FAR = [
    (Gaussian(0.0032, 0.067, 52794), 4.3e-10),
    (Gaussian(0.0078, 0.64, 218581), 1.1e-3),
    (Gaussian(0.012, 5.2e-5, 2, REPLACE), 9.6e-5),
    (Gaussian(0.0082, 2.48e-6, 392, REPLACE, Sampling.FIXED_SIZE), 4.3e-7),
    (Gaussian(0.0125, 0.551, 63900, REPLACE), 2e-7),
]


@pytest.mark.parametrize(("release", "delta"), FAR, ids=str)
def test_little_noise_has_two_finite_limits_without_any_lattice(release, delta):
    found = engine.epsilon_at(release.pairs, delta, 1e-4)  # of the bound, where no attack reaches it
    assert 700.0 < found.lower <= found.upper < np.inf


@pytest.mark.nightly
def test_little_noise_and_many_steps_are_bracketed_narrowly():
    """Upper limits were the pure epsilon; a first fine lattice, far from the answer, took all that may be used."""
    for release in (Laplace(0.0016, 0.811, 80230), Laplace(0.0032, 0.004, 19935)):
        found = release.epsilon(1e-6)
        assert found.width <= 0.1 * found.upper < 0.95 * release.pure_epsilon
    release = Laplace(0.009433, 1.14e-5, 12116, REPLACE, Sampling.FIXED_SIZE)
    assert release.epsilon(5.87e-5).margin < 1.0


@pytest.mark.parametrize("mu", [0.5, 3.0, 14.0])
@pytest.mark.parametrize("delta", [1e-9, 1e-13])
def test_numbers_bracket_the_closed_form_far_out(mu, delta):
    """Through the engine, not through the closed form that answers for them."""
    release = Gaussian(np.sqrt(10.0) / mu, 1.0, 10)
    found, truth = engine.epsilon_at(release.pairs, delta, 1e-5), release.epsilon(delta).estimate
    assert found.lower <= truth * (1.0 + 1e-12) <= found.upper * (1.0 + 2e-12)
    assert found.width <= 1e-4
    alpha = np.array([delta * 1e-2, delta, 1e-10])
    safe, _, reached = release.certified(Precision(smallest_alpha=alpha[0])).trade_off(np.sort(alpha), Order.ADD)
    exact = release.trade_off(np.sort(alpha)).power
    assert np.all((reached.power <= exact * (1 + 1e-9)) & (exact <= safe.power * (1 + 1e-9)))
    assert np.all(safe.power - reached.power <= 1.1e-3 * exact)


RARE = [
    Gaussian(0.2355, 8.87e-6, 221),
    Gaussian(0.002762978032382232, 3.1065888200829025e-07, 163352),
    Composition((Laplace(0.49, 0.000233382, 1_000_000), Laplace(0.54, 0.02, 1), Laplace(13.9, 0.04, 76))),
    Gaussian(1.0, 0.5, 1_000_000),
]


@pytest.mark.parametrize("release", RARE, ids=str)
def test_every_release_has_a_curve_between_guessing_and_the_chance_to_take_part(release):
    alpha = alpha_grid(60, 1e-9)
    safe, _, reached = release.certified(PAGE).trade_off(alpha, Order.ADD)
    assert np.all(safe.power <= (alpha + release.participation) * (1.0 + 1e-6))
    assert np.all((reached.power >= alpha * (1.0 - 1e-12)) & (reached.power <= safe.power * (1.0 + 1e-12)))
    assert release.participation >= 1.0 or release.epsilon(release.participation * 1.0001).upper == 0.0


def test_an_attack_whose_rate_underflows_is_not_one_without_false_alarms():
    """.9998 of the members were said to be found without any, and delta was as large at any epsilon."""
    release = Gaussian(0.135, 0.135, 403)
    assert release.power(0.0).lower == 0.0
    assert release.epsilon(0.368).upper < 1400.0
    assert release.delta(1400.0).lower <= 0.368
    bounded = Composition((Gaussian(0.05), Gaussian(1.0, 1e-3))).gaussian_mu()  # by two unsampled phases, 20 and 1
    assert 8.0 < bounded.lower <= np.sqrt(401.0) <= bounded.upper


APART = [Laplace(0.05, 1.0, 20), Gaussian(0.1, 0.9999, 30), Gaussian(0.12, 0.99, 30, REPLACE)]


@pytest.mark.parametrize("alpha", [1e-9, 1e-3, 0.1])
@pytest.mark.parametrize("release", APART, ids=str)
def test_the_power_of_hypotheses_far_apart_is_that_of_the_whole_curve(release, alpha):
    """Read from sums above a level as an epsilon is, it was guaranteed to be .0014 where nearly everybody is found."""
    for order in Order:
        found, curve = release.narrow_power(alpha, order, Precision()), release.power(alpha, order)
        assert found.lower <= found.estimate <= found.upper
        assert found.upper >= curve.lower > 0.99


def test_the_narrower_estimate_is_kept():
    assert Bracket(1.0, 2.0, 3.0).met(Bracket(1.5, 1.6, 1.7)) == Bracket(1.5, 1.6, 1.7)
    assert Bracket(1.5, 1.6, 1.7).met(Bracket(1.0, 2.9, 3.0)) == Bracket(1.5, 1.6, 1.7)
    assert Bracket(1.5, 1.6, 1.7).met(Bracket(1.65, 2.0, 3.0)) == Bracket(1.65, 1.65, 1.7)
