"""Epsilon* of losses: order, bias, caveats, and losses that cannot be used."""

import math

import numpy as np
import pytest

from numerics.epsilon_star import EMPIRICAL_CLIP, EpsilonStar, LossScale, Method, default_delta
from numerics.epsilon_star import estimate as estimate_on
from numerics.epsilon_star.audit_caveats import Caveat
from numerics.trade_off import Floats

SUMMED = 1e-9  # the same sums in another order
SAMPLED = 3.0  # standard errors
DELTA = 1e-5


def estimate(
    train: Floats,
    population: Floats,
    delta: float | None = None,
    method: Method = Method.PARAMETRIC,
    clip: float | None = None,
) -> EpsilonStar:
    """As the paper prints it."""
    return estimate_on(train, population, delta, method, clip, scale=LossScale.PRINTED)


@pytest.mark.parametrize("method", [Method.EMPIRICAL, Method.PARAMETRIC])
@pytest.mark.parametrize("clip", [None, DELTA])
def test_identical_samples_give_zero(method: Method, clip: float | None) -> None:
    losses = np.random.default_rng(1).gamma(2, 5, 5000)
    found = estimate(losses, losses.copy(), DELTA, method, clip)
    assert found.value == 0.0
    assert Caveat.SAME_LOSSES in found.caveats


@pytest.mark.parametrize("method", [Method.EMPIRICAL, Method.PARAMETRIC])
def test_order_of_the_losses_does_not_matter(method: Method) -> None:
    rng = np.random.default_rng(3)
    train, population = rng.gamma(2, 5, 4000), rng.gamma(3, 5, 3000)
    shuffled = estimate(train, population, DELTA, method, EMPIRICAL_CLIP)
    ordered = estimate(np.sort(train), np.sort(population), DELTA, method, EMPIRICAL_CLIP)
    assert shuffled.value == pytest.approx(ordered.value, rel=SUMMED)


@pytest.mark.parametrize(
    ("method", "clip", "mean", "sd"),
    [(Method.PARAMETRIC, None, 0.627, 0.49), (Method.EMPIRICAL, EMPIRICAL_CLIP, 1.45, 0.35)],
)
def test_bias_where_there_is_nothing_to_find(method: Method, clip: float | None, mean: float, sd: float) -> None:
    """Correction 25 at n = 1,000 (counted: as measured here)."""
    rng = np.random.default_rng(4)
    runs = 60
    found = [estimate(rng.gamma(2, 5, 1000), rng.gamma(2, 5, 1000), DELTA, method, clip) for _ in range(runs)]
    assert np.mean([one.value for one in found]) == pytest.approx(mean, abs=SAMPLED * sd / math.sqrt(runs))


def test_caveats_of_ordinary_losses() -> None:
    rng = np.random.default_rng(6)
    train, population = rng.normal(0, 1, 1000), rng.normal(1, 1.5, 1000)
    parametric = estimate(train, population, DELTA)
    assert parametric.caveats == (Caveat.UNEQUAL_SPREADS,)
    assert parametric.is_beyond  # the optimum is a loss that one in a million has
    assert not estimate(train, train + 0.5, 0.1).is_beyond
    assert parametric.log_sd_ratio == pytest.approx(math.log(1 / 1.5), abs=0.1)
    counted = estimate(train, population, 0.01, Method.EMPIRICAL, EMPIRICAL_CLIP)
    assert counted.caveats == (Caveat.CLIPPED, Caveat.DELTA_TOO_LARGE)


def test_default_delta() -> None:
    losses = np.random.default_rng(7).normal(size=1000)
    assert estimate(losses, losses + 1).delta == default_delta(1000) == pytest.approx(1 / (1000 * math.log(1000)))


GOOD = np.linspace(0.0, 1.0, 20)


@pytest.mark.parametrize(
    ("train", "population", "message"),
    [
        (GOOD[:9], GOOD, "train_losses must be a vector of at least 10 losses"),
        (GOOD, GOOD.reshape(4, 5), "population_losses must be a vector"),
        (np.append(GOOD, np.nan), GOOD, "train_losses must be finite, got 1 values"),
        (GOOD, np.append(GOOD, [np.inf, -np.inf]), "population_losses must be finite, got 2 values"),
        (np.full(20, 3.0), np.full(20, 3.0), "losses must differ, but all of them are 3.0"),
        (np.full(20, 0.5), GOOD, "train_losses must differ among themselves for a normal fit"),
    ],
)
def test_losses_that_cannot_be_used(train: Floats, population: Floats, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        estimate(train, population, DELTA)


def test_given_laws_are_no_method_for_samples() -> None:
    ways = "'parametric', 'empirical', 'Gaussian mixtures', 'lower confidence bound'"
    with pytest.raises(ValueError, match=f"method must be one of {ways}, got 'given laws'"):
        estimate(GOOD, GOOD + 1, DELTA, Method.GIVEN)


def test_an_outlier_that_hides_all_differences_is_named() -> None:
    losses = np.linspace(0.0, 1.0, 100)
    with pytest.raises(ValueError, match=r"beside the largest loss of all, 1e\+300"):
        estimate(np.append(losses, 1e300), losses, 1e-5)


def test_the_smallest_delta_there_is_has_an_answer() -> None:
    losses = np.linspace(0.0, 1.0, 100)
    assert estimate(losses, losses**2, 5e-324).value > 0.0
