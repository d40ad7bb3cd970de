"""Every number of the mathematics that has a source, all misprints, and what is refused, from two tables.

``table.toml`` asks one question a row (see ``asked.py``); ``engine_table.toml`` names a release ``m`` first, and says
which side of its bracket is meant and how wide that may be.
"""

import math
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom, norm

from numerics import (
    approximations,
    as_quoted,
    calibration,
    chi_squared,
    conversions,
    membership,
    relaxed,
    renyi,
)
from numerics.approximations import clt_mu
from numerics.audits.one_run import Guesses, odds
from numerics.banded_noise import BandedNoise, square_root_factor
from numerics.final_model import ConvexLoss, bounded_mu, composed_mu, cyclic_mu, power, strongly_convex_mu
from numerics.gaussian_dp import regret_of_corners
from numerics.gaussian_membership.composition import relaxed_mu
from numerics.kernel_density import kernel_density
from numerics.mechanisms import (
    MECHANISMS,
    Adjacency,
    Composition,
    Gaussian,
    Laplace,
    Mechanism,
    SampledMechanism,
    Sampling,
)
from numerics.mechanisms.gaussian import GaussianShift
from numerics.mechanisms.laplace import FoldedLaplace
from numerics.mechanisms.sampled_once import SampledOnce
from numerics.membership.sampler import NormNoise
from numerics.pareto import averages, best_within, elbow, hull, non_dominated
from numerics.privacy_loss import Precision
from numerics.relaxed import Reading, asymptotics
from numerics.trade_off import Bracket, Order, alpha_grid
from numerics.unit_of_privacy import PeopleByRecords, group_epsilon, group_power
from tests.numerics.asked import answer, checks_of, parameters, rows_of
from tests.numerics.engine_adapter import epsilon_reach, product, step_cumulants
from tests.numerics.epsilon_star.inside import Null
from tests.reference import Reference

TABLE = Path(__file__).with_name("table.toml")
ENGINE = tomllib.loads(Path(__file__).with_name("engine_table.toml").read_text(encoding="utf-8"))
APART = 1e-4  # relative; the least that a negative row differs from what is right
EXACT = 1e-11  # relative; quantiles and back keep that much
WIDTH = 1e-5  # what the default precision promises of a rate
ROUNDING = 1e-13  # references carry 15 digits or more, and a bracket may be as narrow as rounding


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


def beta(m: Mechanism, alpha: float, order: Order = Order.ADD) -> Bracket:
    """Of the guarantee, the curve shown and the attack."""
    curve = m.trade_off(np.array([alpha]), order)
    np.testing.assert_allclose(curve.power + curve.beta, 1.0, rtol=ROUNDING)
    return Bracket(*(float(side.beta[0]) for side in (curve.lower or curve, curve, curve.upper or curve)))


def relaxed_beta(m: Mechanism, alpha: float) -> Bracket:
    found = relaxed.trade_off(m, np.array([alpha]))
    return Bracket.around(found.beta[0] - found.error, found.beta[0], found.beta[0] + found.error)


def conjugate(m: Mechanism, epsilon: float, order: Order = Order.ADD) -> float:
    """Supremum over alpha of power - e^epsilon alpha, concave: two grids, the second around the first's best."""
    alpha, gain = np.geomspace(1e-12, 1, 5001), np.zeros(1)
    for _ in range(2):
        gain = m.trade_off(alpha, order).power - np.exp(epsilon) * alpha
        best = int(np.argmax(gain))
        alpha = np.geomspace(alpha[max(best - 1, 0)], alpha[min(best + 1, 5000)], 5001)
    return max(0.0, float(np.max(gain)))


def clamped(m: Mechanism, low: float, high: float, alpha: float) -> float:
    """Power where the release is cut to [low, high]: a chord on the atom at the top, as without the cut above it."""
    at_top = float(norm.sf(high / m.noise_multiplier))
    assert alpha <= norm.sf(low / m.noise_multiplier)
    found = m.power(max(alpha, at_top)).estimate * min(1.0, alpha / at_top)
    assert found <= m.power(alpha).estimate * (1.0 + EXACT)
    return found


def noise(m: Mechanism, target: calibration.Target) -> float:
    found = calibration.noise_for(target, m)
    assert found.reached.upper <= target.goal
    return found.noise_multiplier


def apart(found: Bracket | float, value: float) -> bool:
    """By more than any bracket or rounding could hide."""
    return abs((found.estimate if isinstance(found, Bracket) else found) / value - 1.0) > 1e-3


def shuffled(noise: float, batches: float, epochs: float = 1, adjacency: str = "zero") -> Gaussian:
    neighbours = Adjacency.REPLACE_ONE if adjacency.startswith("repl") else Adjacency.ZERO_OUT
    return Gaussian(noise, 1.0 / batches, round(batches * epochs), neighbours, Sampling.SHUFFLED)


def allocated(noise: float, batches: float, epochs: float = 1) -> Gaussian:
    return Gaussian(noise, 1.0 / batches, round(batches * epochs), sampling=Sampling.RANDOM_ALLOCATION)


KNOWN: list[Any] = [
    *(as_quoted, chi_squared, conversions, membership, renyi, relaxed, clt_mu, Guesses, BandedNoise, ConvexLoss, odds),
    *(square_root_factor, bounded_mu, composed_mu, cyclic_mu, strongly_convex_mu, regret_of_corners, relaxed_mu, Null),
    *(kernel_density, Composition, GaussianShift, FoldedLaplace, SampledOnce, NormNoise, averages, elbow, hull, alone),
    *(non_dominated, asymptotics, Order, group_epsilon, group_power, factor, cyclic, met, pure_corners, *MECHANISMS),
    *(beta, relaxed_beta, conjugate, clamped, noise, apart, shuffled, allocated, product, alpha_grid, PeopleByRecords),
    *(calibration.EpsilonTarget, calibration.AdvantageTarget, calibration.PowerTarget, approximations.clt),
    *(approximations.edgeworth, approximations.monte_carlo, best_within),
]
NAMES = {one.__name__.split(".")[-1]: one for one in KNOWN}
NAMES |= {"ADD": Adjacency.ADD_REMOVE, "REPLACE": Adjacency.REPLACE_ONE, "ZERO": Adjacency.ZERO_OUT}
NAMES |= {"FIXED": Sampling.FIXED_SIZE, "SHUFFLED": Sampling.SHUFFLED, "ALLOCATED": Sampling.RANDOM_ALLOCATION}
NAMES |= {"REMOVE": Order.REMOVE, "JOINED": Order.SYMMETRIC, "STEP": {"SGM": Gaussian, "SLM": Laplace}}
NAMES |= {"Shuffled": shuffled, "Allocated": allocated, "at": lambda alpha: np.array([alpha]), "final_power": power}
NAMES |= {"binom": binom, "FINE": Precision(width=1e-6), "NARROW": Precision(width=1e-13)}
NAMES["loss_of"] = lambda c: ConvexLoss(1.0, 1.0, 1.0 - c)  # a step brings two models nearer by this factor
NAMES["folded_steps"] = lambda m, a: relaxed.trade_off(m, np.array([a]), reading=Reading.FOLDED_STEPS).beta[0]
NAMES["cumulant"] = lambda m, is_null, order: step_cumulants(m)[not is_null][order - 1]
NAMES["reach"] = lambda m, delta: epsilon_reach(m.pairs, delta)  # what moments alone know of epsilon
NAMES["person"] = lambda noise, rate, steps, k: Gaussian(noise, rate, steps).with_records_per_person(k)

MISPRINTS = [
    pytest.param(row, *asked, id=row.id)
    for start, *asked in tomllib.loads(TABLE.read_text(encoding="utf-8"))["misprints"]
    for row in rows_of("", start, "negative")
]

test_references, test_negatives, test_values, test_refusals = checks_of(TABLE, NAMES)


@pytest.mark.parametrize(("row", "printed", "right", "relative"), MISPRINTS)
def test_what_does_not_hold_returns_its_recorded_values_and_what_holds_does_not(
    row: Reference, printed: str, right: str, relative: float
) -> None:
    assert answer(printed, NAMES, row) == pytest.approx(row.expected, rel=relative)
    assert answer(right, NAMES, row) != pytest.approx(row.expected, rel=APART)


def evaluated(expression: str, row: Reference | None = None, **more: Any) -> Any:
    """With the parameters of a row as names; some rows leave out what they take for granted."""
    own = {"value": row.expected, "epochs": 1, "batches": 100, "delta": 1e-5, **parameters(row)} if row else {}
    return eval(expression, {**NAMES, "np": np, **own, **more})


def ask(release: str, question: str, row: Reference | None = None) -> Bracket:
    found = evaluated(question, row, m=evaluated(release, row))
    found = found if isinstance(found, Bracket) else Bracket.exact(float(found))
    assert found.lower <= found.estimate <= found.upper
    return found


def chosen(part: str, role: str) -> list[Any]:
    """A test for every row of the references that an entry of the table names."""
    return [
        pytest.param(row, *rest, id=f"{row.id} {rest[1][:40]}")
        for family, start, *rest in ENGINE[part]
        for row in rows_of(family, start, role)
    ]


@pytest.mark.parametrize(("row", "release", "question", "how"), chosen("references", "oracle"))
def test_references_of_releases(row: Reference, release: str, question: str, how: dict[str, Any]) -> None:
    """How: ``guarantee``, ``attack`` look at one side of a bracket, which may be off by so much on its own side alone.

    ``above`` is the same, relative, of noise that is rounded up. ``width``, ``relative_width`` of the bracket around
    the value; ``abs`` and ``rel`` of a number. ``expect`` says what else the row's value stands for.
    """
    found = ask(release, question, row)
    value = evaluated(how["expect"], row) if "expect" in how else row.expected
    digits = 0.5 * 10.0 ** -len(row.value.partition("e")[0].partition(".")[2]) if "e" not in row.value else 0.0
    if "guarantee" in how:
        assert value * (1.0 - EXACT) - digits <= found.upper <= value + how["guarantee"]
    elif "attack" in how:
        assert value * (1.0 - how["attack"]) - digits <= found.lower <= value + digits
        assert found.lower < found.upper
    elif "above" in how:
        assert value * (1.0 - 1e-12) <= found.upper <= value * (1.0 + how["above"])
    elif found.lower == found.upper:
        assert found.upper == pytest.approx(value, rel=how.get("rel", EXACT), abs=how.get("abs", 1e-15))
    else:
        slack = max(digits, how.get("abs", ROUNDING))
        assert found.lower - slack <= value <= found.upper + slack
        assert found.width <= how.get("width", how.get("relative_width", np.inf) * value if len(how) else WIDTH)


@pytest.mark.parametrize(("row", "release", "holds"), chosen("misprints", "negative"))
def test_misprints_of_releases_are_not_returned(row: Reference, release: str, holds: str) -> None:
    assert evaluated(holds, row, m=evaluated(release, row))


@pytest.mark.parametrize(("release", "question", "value", "tolerance", "width"), ENGINE["values"])
def test_values_of_releases(release: str, question: str, value: float, tolerance: float, width: float) -> None:
    found = ask(release, question)
    assert found.estimate == pytest.approx(value, abs=tolerance, rel=0)
    assert math.isinf(value) or min(found.width, found.margin) <= width


@pytest.mark.parametrize(("release", "question", "value", "relative"), ENGINE["digits"])
def test_digits(release: str, question: str, value: float, relative: float) -> None:
    assert ask(release, question) == pytest.approx((value,) * 3, rel=relative, abs=0.0)


@pytest.mark.parametrize(("expression", "message"), ENGINE["refused"])
def test_refusals_of_releases(expression: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.compile(message)):
        evaluated(expression)


@pytest.mark.parametrize("kind", MECHANISMS)
def test_every_kind_refuses_its_own_parameters_out_of_range(kind: type[SampledMechanism]) -> None:
    for own in kind.parameters:
        assert own.low <= getattr(kind, own.name) <= own.high
        assert own.name.replace("_", " ") in kind(1.0).label
        beyond: dict[str, Any] = {own.name: int(own.high) + 1 if own.is_whole else 2.0 * own.high}
        with pytest.raises(ValueError, match=f"{own.name} must be"):
            kind(1.0, **beyond)
