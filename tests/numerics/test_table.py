"""Every number of the small modules that has a source, all misprints, and what is refused, from one table."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from numerics import as_quoted, chi_squared, conversions, membership, renyi
from numerics.approximations import clt_mu
from numerics.audits import statistic
from numerics.audits.one_run import Guesses, odds
from numerics.banded_noise import BandedNoise, square_root_factor
from numerics.final_model import ConvexLoss, bounded_mu, composed_mu, cyclic_mu, power, strongly_convex_mu
from numerics.gaussian_dp import regret_of_corners
from numerics.gaussian_membership.composition import relaxed_mu
from numerics.kernel_density import kernel_density
from numerics.mechanisms import MECHANISMS, Adjacency, Composition, Gaussian
from numerics.mechanisms.gaussian import GaussianShift
from numerics.mechanisms.laplace import FoldedLaplace
from numerics.mechanisms.sampled_once import SampledOnce
from numerics.membership.sampler import NormNoise
from numerics.pareto import averages, elbow, hull, non_dominated
from numerics.privacy_loss import Precision
from numerics.relaxed import asymptotics
from numerics.trade_off import Bracket, Order
from numerics.unit_of_privacy import group_epsilon, group_power
from tests.numerics.asked import answer, checks_of, rows_of
from tests.numerics.epsilon_star.inside import Null

TABLE = Path(__file__).with_name("table.toml")
APART = 1e-4  # relative; the least that a negative row differs from what is right


def factor(n: int, bands: int, separation: int, participations: int) -> BandedNoise:
    return BandedNoise(square_root_factor(n, bands), separation, participations)


def cyclic(rounds: int, noise: float, rate: float) -> Gaussian:
    """Three bands, each record in every round: the release of the mechanism with so much noise a column."""
    banded = factor(3 * rounds, 3, 3, rounds)
    release = banded.amplified(noise * banded.column_norm, rate)
    assert release.noise_multiplier == pytest.approx(noise, rel=1e-12)
    assert (release.sampling_rate, release.steps) == (rate, rounds)
    return release


def met(bracket: Bracket, value: float) -> float:
    """The value, moved into the bracket where it lies outside."""
    assert bracket.width < 3e-5
    return min(max(value, bracket.lower), bracket.upper)


def alone(canaries: int) -> Callable[[int, int], float]:
    """Lower bound of epsilon by one number of guesses."""
    return lambda count, correct: odds.epsilon_at_least(Guesses(canaries, (count,), (correct,)))


def pure_corners(epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    at = 1.0 / (1.0 + np.exp(epsilon))
    return np.array([0.0, at, 1.0]), np.array([1.0, at, 0.0])


KNOWN: list[Any] = [
    *(
        as_quoted,
        chi_squared,
        conversions,
        membership,
        renyi,
        clt_mu,
        Guesses,
        BandedNoise,
        square_root_factor,
        ConvexLoss,
    ),
    *(bounded_mu, composed_mu, cyclic_mu, strongly_convex_mu, regret_of_corners, relaxed_mu, kernel_density, Null),
    *(Composition, GaussianShift, FoldedLaplace, SampledOnce, NormNoise, averages, elbow, hull, non_dominated, alone),
    *(asymptotics, Order, group_epsilon, group_power, factor, cyclic, met, pure_corners, odds, *MECHANISMS),
]
NAMES = {one.__name__.split(".")[-1]: one for one in KNOWN}
NAMES |= {"binom": binom, "REPLACE": Adjacency.REPLACE_ONE, "FINE": Precision(width=1e-6), "final_power": power}
NAMES["loss_of"] = lambda c: ConvexLoss(1.0, 1.0, 1.0 - c)  # a step brings two models nearer by this factor
NAMES["person"] = lambda noise, rate, steps, k: Gaussian(noise, rate, steps).with_records_per_person(k)

MISPRINTS = [
    pytest.param(row, *asked, id=row.id)
    for start, *asked in tomllib.loads(TABLE.read_text(encoding="utf-8"))["misprints"]
    for row in rows_of("", start, "negative")
]

test_references, test_negatives, test_values, test_refusals = checks_of(TABLE, NAMES)


@pytest.mark.parametrize(("row", "printed", "right", "relative"), MISPRINTS)
def test_what_does_not_hold_returns_its_recorded_values_and_what_holds_does_not(row, printed, right, relative):
    assert answer(printed, NAMES, row) == pytest.approx(row.expected, rel=relative)
    assert answer(right, NAMES, row) != pytest.approx(row.expected, rel=APART)


@pytest.mark.parametrize("mu", [0.3, 1.0, 2.5])
def test_exchanged_laws_are_the_upper_tail_of_the_reverse_test(mu: float) -> None:
    """By simulation: the distance of the release with the record is the null, far is what is rejected."""
    rng = np.random.default_rng(7)
    without, present = np.abs(rng.laplace(size=(2, 400_000)) + np.array([[0.0], [mu]]))
    for alpha in (0.05, 0.7):
        missed = np.mean(without <= np.quantile(present, 1.0 - alpha))
        assert as_quoted.exchanged_laws(np.array([alpha]), mu)[0] == pytest.approx(
            missed, abs=4e-3
        )  # five standard errors


def test_n_minus_one_accuses_more_outsiders_than_stated() -> None:
    """Against the attack itself on simulated outsiders: line 9 is its statistic times (n - 1)/n."""
    n, d, nominal, rounds = 20, 50, 0.05, 20_000
    rng = np.random.default_rng(3)
    queries = rng.normal(size=d)
    queries *= np.sqrt(d / np.sum(queries**2))  # K = d
    averages = rng.normal(size=(rounds, d)) / np.sqrt(n)
    found = statistic(averages, queries, n)
    threshold = chi_squared.quantile(np.array([nominal]), d, float(n * d))[0]
    accused = np.mean(found * (n - 1) / n < threshold)
    assert as_quoted.false_alarms(np.array([nominal]), n, d)[0] == pytest.approx(
        accused, abs=0.015
    )  # five standard errors
    assert np.mean(found < threshold) == pytest.approx(nominal, abs=0.01)
