"""Operations that need to know more of a noise than it says refuse it by name; what holds for all noise is right."""

import numpy as np
import pytest
from scipy.stats import hypsecant

from numerics import approximations, membership, reconstruction, relaxed
from numerics.approximations.step_laws import cumulants
from numerics.audits import Attacker, Canary
from numerics.calibration import AdvantageTarget, PowerTarget, noise_for
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Sampling
from numerics.membership import Game
from numerics.not_offered import NotOfferedError
from numerics.relaxed import Direction, Reading, RelaxedTarget
from numerics.relaxed.resilience import detection_resilience
from numerics.sampling.poisson import sampled_pairs
from numerics.trade_off import Order, alpha_grid
from tests.secant import Secant

ALPHA = np.array([0.01, 0.1])
ONCE, SAMPLED, STEPS = Secant(1.0), Secant(1.0, 0.1), Secant(2.0, 0.1, 20)
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
    "power": lambda release: relaxed.power(release, 0.01),
    "folded steps": lambda release: relaxed.trade_off(release, ALPHA, reading=Reading.FOLDED_STEPS),
    "resilience": lambda release: detection_resilience(release, release.trade_off(ALPHA)),
    "power target": lambda release: noise_for(RelaxedTarget(PowerTarget(0.3, 0.1)), release),
    "advantage target": lambda release: noise_for(RelaxedTarget(AdvantageTarget(0.1)), release),
}


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.label)
@pytest.mark.parametrize("name", ESTIMATES)
def test_estimates_refuse_by_name(name, release):
    with pytest.raises(NotOfferedError, match="This estimate is not offered for Secant noise"):
        ESTIMATES[name](release)


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.label)
@pytest.mark.parametrize("name", RELAXED)
def test_relaxed_questions_refuse_by_name_and_say_what_holds_instead(name, release):
    with pytest.raises(NotOfferedError, match=r"not offered for Secant noise.* full knowledge holds against"):
        RELAXED[name](release)


@pytest.mark.parametrize(
    ("sampling", "adjacency"),
    [(Sampling.RANDOM_ALLOCATION, Adjacency.ADD_REMOVE), (Sampling.SHUFFLED, Adjacency.ZERO_OUT)],
)
@pytest.mark.parametrize("reading", Reading)
@pytest.mark.parametrize("attacker", Attacker)
def test_nothing_is_said_of_steps_that_depend_as_if_they_were_drawn_one_by_one(sampling, adjacency, reading, attacker):
    """One step in four has the record: the magnitude finds .057 at a rate of .01, and .122 if each had it by a coin."""
    release = Gaussian(0.5, 0.25, 4, adjacency, sampling)
    with pytest.raises(NotOfferedError, match="Poisson sampling only"):
        relaxed.trade_off(release, ALPHA, reading=reading)
    assert not relaxed.holds_in_any_dimension(release, reading)
    with pytest.raises(NotOfferedError, match="Poisson sampling only"):
        Canary(release, attacker)


@pytest.mark.parametrize("release", [ONCE, STEPS], ids=lambda release: release.label)
def test_single_statistics_of_gaussian_noise_refuse_by_name(release):
    with pytest.raises(ValueError, match="Secant"):
        relaxed.trade_off(release, ALPHA, reading=Reading.MAGNITUDE)
    with pytest.raises(ValueError, match="must be common"):
        relaxed.trade_off(release, ALPHA, direction=Direction.INDEPENDENT)
    with pytest.raises(ValueError, match="dimension must be 1 for a guarantee without a formula, got 30"):
        relaxed.trade_off(release, ALPHA, dimension=30)


@pytest.mark.parametrize("attacker", Attacker)
def test_no_record_is_planted_in_noise_that_is_not_known(attacker):
    with pytest.raises(ValueError, match="A planted record is not offered for Secant noise"):
        Canary(ONCE, attacker)


def test_batches_that_are_known_for_normal_noise_only_refuse_by_name():
    with pytest.raises(NotOfferedError, match=r"not offered for Secant noise.* shuffled batches holds there too"):
        Secant(2.0, 0.2, 5, Adjacency.ZERO_OUT, Sampling.RANDOM_ALLOCATION)


@pytest.mark.parametrize("sampling", [way for way in Sampling if Adjacency.REPLACE_ONE in way.batches.adjacencies])
def test_what_holds_for_all_noise_is_offered(sampling):
    """Eta by the replace-one curve, and reconstruction, both from the certified curve."""
    release = Secant(2.0, 0.2, 5, Adjacency.REPLACE_ONE, sampling)
    assert membership.eta(release, Game.HALVES).upper == pytest.approx(0.5 * release.advantage().upper, rel=1e-12)
    assert release.reconstruction(0.1).upper == release.power(0.1).upper


def test_pure_epsilon_is_the_largest_loss_of_all_steps():
    """Secant noise of scale s tells pi/(2 s) at most and nowhere quite; sampling as correction 40 has it."""
    assert Secant(0.5, steps=3).pure_epsilon == pytest.approx(3.0 * np.pi, rel=1e-15)
    assert Secant(0.5, adjacency=Adjacency.REPLACE_ONE).pure_epsilon == pytest.approx(2.0 * np.pi, rel=1e-15)
    alike, noise = 1.0 / np.pi, 0.5
    assert Secant(noise, 0.3, 4).pure_epsilon == pytest.approx(Laplace(alike, 0.3, 4).pure_epsilon, rel=1e-15)
    fixed = (0.3, 4, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE)
    assert Secant(noise, *fixed).pure_epsilon == pytest.approx(Laplace(alike, *fixed).pure_epsilon, rel=1e-15)
    assert Gaussian(0.5, 0.3, 4).pure_epsilon == np.inf
    assert Secant(0.5, 0.3, 4).epsilon(1e-300).upper <= Secant(0.5, 0.3, 4).pure_epsilon


@pytest.mark.parametrize("release", [Secant(0.7), SAMPLED, Secant(0.7, adjacency=Adjacency.REPLACE_ONE)], ids=str)
def test_certified_curves_contain_the_exact_one(release):
    """By SciPy's distribution, whose scale is 2 s / pi: the best test of one step accuses above a value."""
    alpha = alpha_grid(101)
    shifted = hypsecant.sf(hypsecant.isf(alpha) - 0.5 * np.pi * release.effect_size)
    exact = release.sampling_rate * shifted + (1.0 - release.sampling_rate) * alpha
    safe, _, reached = release.certified().trade_off(alpha, Order.ADD)
    assert np.all(safe.power >= exact * (1.0 - 1e-12))
    assert np.all(reached.power <= exact * (1.0 + 1e-12))
    assert np.max(safe.power - reached.power) < 1e-5
    assert release.closed_form is None
