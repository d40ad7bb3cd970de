"""Operations that know Gaussian and Laplace noise alone refuse any other by name; what holds for all noise is right."""

import numpy as np
import pytest

from numerics import approximations, membership, reconstruction, relaxed
from numerics.approximations.step_laws import cumulants
from numerics.audits import Attacker, Canary
from numerics.calibration import noise_for
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Sampling
from numerics.membership import Game
from numerics.not_offered import NotOfferedError
from numerics.relaxed import Direction, Reading, RelaxedAdvantageTarget, RelaxedPowerTarget
from numerics.relaxed.resilience import detection_resilience
from numerics.sampling.poisson import sampled_pairs
from numerics.trade_off import Order, alpha_grid
from tests.logistic import Logistic

ALPHA = np.array([0.01, 0.1])
ONCE, SAMPLED, STEPS = Logistic(1.0), Logistic(1.0, 0.1), Logistic(2.0, 0.1, 20)
MIXED = Composition((Gaussian(2.0, 0.1, 20), STEPS))
RELEASES = [ONCE, SAMPLED, STEPS, MIXED]
ESTIMATES = {
    "CLT": lambda release: approximations.clt(release, ALPHA),
    "CLT mu": approximations.clt_mu,
    "Edgeworth": lambda release: approximations.edgeworth(release, ALPHA),
    "Monte Carlo": lambda release: approximations.monte_carlo(release, ALPHA, 100),
    "Algorithm 1": lambda release: list(reconstruction.hayes(release, 100, 0)),
    "cumulants": lambda release: [cumulants(pair) for pair, _ in sampled_pairs(release.pairs)],
}
RELAXED = {
    "curve": lambda release: relaxed.trade_off(release, ALPHA),
    "remove-one": lambda release: relaxed.trade_off(release, ALPHA, order=Order.REMOVE),
    "many dimensions": lambda release: relaxed.trade_off(release, ALPHA, dimension=1 if steps(release) > 1 else 30),
    "power": lambda release: relaxed.power(release, 0.01),
    "folded steps": lambda release: relaxed.trade_off(release, ALPHA, reading=Reading.FOLDED_STEPS),
    "resilience": lambda release: detection_resilience(release, release.trade_off(ALPHA)),
    "power target": lambda release: noise_for(RelaxedPowerTarget(0.3, 0.1), release),
    "advantage target": lambda release: noise_for(RelaxedAdvantageTarget(0.1), release),
}


def steps(release):
    return sum(count for _, count in release.pairs)


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.label)
@pytest.mark.parametrize("name", ESTIMATES)
def test_estimates_refuse_by_name(name, release):
    with pytest.raises(NotOfferedError, match="This estimate is not offered for Logistic noise"):
        ESTIMATES[name](release)


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.label)
@pytest.mark.parametrize("name", RELAXED)
def test_relaxed_questions_refuse_by_name_and_say_what_holds_instead(name, release):
    with pytest.raises(NotOfferedError, match=r"not offered for Logistic noise.* full knowledge holds against"):
        RELAXED[name](release)


@pytest.mark.parametrize("release", [ONCE, STEPS], ids=lambda release: release.label)
def test_single_statistics_of_gaussian_noise_refuse_by_name(release):
    with pytest.raises(ValueError, match="Logistic"):
        relaxed.trade_off(release, ALPHA, reading=Reading.MAGNITUDE)
    with pytest.raises(ValueError, match=r"Logistic|must be common"):
        relaxed.trade_off(release, ALPHA, direction=Direction.INDEPENDENT)


@pytest.mark.parametrize("attacker", Attacker)
def test_no_record_is_planted_in_noise_that_is_not_known(attacker):
    with pytest.raises(ValueError, match="A planted record is not offered for Logistic noise"):
        Canary(ONCE, attacker)


@pytest.mark.parametrize("sampling", Sampling)
def test_what_holds_for_all_noise_is_offered(sampling):
    """Eta by the replace-one curve, and reconstruction, both from the certified curve."""
    release = Logistic(2.0, 0.2, 5, Adjacency.REPLACE_ONE, sampling)
    assert membership.eta(release, Game.HALVES).upper == pytest.approx(0.5 * release.advantage().upper, rel=1e-12)
    assert release.reconstruction(0.1).upper == release.power(0.1).upper


def test_pure_epsilon_is_the_largest_loss_of_all_steps():
    """Logistic noise of scale s tells e^(1/s) at most and nowhere quite; sampling as correction 40 has it."""
    assert Logistic(0.5, steps=3).pure_epsilon == pytest.approx(6.0, rel=1e-15)
    assert Logistic(0.5, adjacency=Adjacency.REPLACE_ONE).pure_epsilon == pytest.approx(4.0, rel=1e-15)
    assert Logistic(0.5, 0.3, 4).pure_epsilon == pytest.approx(Laplace(0.5, 0.3, 4).pure_epsilon, rel=1e-15)
    fixed = (0.5, 0.3, 4, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE)
    assert Logistic(*fixed).pure_epsilon == pytest.approx(Laplace(*fixed).pure_epsilon, rel=1e-15)
    assert Gaussian(0.5, 0.3, 4).pure_epsilon == np.inf
    assert Logistic(0.5, 0.3, 4).epsilon(1e-300).upper <= Logistic(0.5, 0.3, 4).pure_epsilon


@pytest.mark.parametrize("release", [Logistic(0.7), SAMPLED, Logistic(0.7, adjacency=Adjacency.REPLACE_ONE)], ids=str)
def test_certified_curves_contain_the_closed_form(release):
    """By a second method where there is one: the guarantee and the attack enclose F(F^-1(1 - alpha) - mu), sampled."""
    alpha = alpha_grid(101)
    exact = release.trade_off(alpha)
    safe, _, reached = release.certified().trade_off(alpha, Order.ADD)
    assert np.all(safe.power >= exact.power * (1.0 - 1e-12))
    assert np.all(reached.power <= exact.power * (1.0 + 1e-12))
    assert np.max(safe.power - reached.power) < 1e-5
