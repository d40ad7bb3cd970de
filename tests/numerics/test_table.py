"""Every number of the mathematics that has a source, all misprints, and what is refused, from two tables.

``table.toml`` asks one question a row (see ``tests/tables.py``); ``engine_table.toml`` names a release ``m`` first, and
says which side of its bracket is meant and how wide that may be.
"""

import math
import tomllib
from collections.abc import Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

from numerics import calibration, relaxed
from numerics.banded_noise import BandedNoise, square_root_factor
from numerics.mechanisms import MECHANISMS, Gaussian, Mechanism, SampledMechanism
from numerics.trade_off import Bracket, Order
from tests.reference import Reference, rows
from tests.tables import Table, all_hold, numbers

ENGINE = tomllib.loads(Path(__file__).with_name("engine_table.toml").read_text(encoding="utf-8"))
APART = 1e-4  # relative; the least that a negative row differs from what is right
EXACT = 1e-11  # relative; quantiles and back keep that much
WIDTH = 1e-5  # what the default precision promises of a rate
ROUNDING = 1e-13  # references carry 15 digits or more, and a bracket may be as narrow as rounding


def cyclic(rounds: int, noise: float, rate: float) -> Gaussian:
    """Three bands, each record in every round: the release of the mechanism with so much noise a column."""
    banded = BandedNoise(square_root_factor(3 * rounds, 3), 3, rounds)
    release = banded.amplified(noise * banded.column_norm, rate)
    assert release.noise_multiplier == pytest.approx(noise, rel=1e-12)
    assert (release.sampling_rate, release.steps) == (rate, rounds)
    return release


def met(bracket: Bracket, value: float) -> float:
    """The value, moved into the bracket where it lies outside."""
    assert bracket.width < 3e-5
    return min(max(value, bracket.lower), bracket.upper)


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


TABLE = Table(__file__, {**globals(), **{kind.__name__: kind for kind in MECHANISMS}})


def test_rows() -> None:
    TABLE.check()


def evaluated(expression: str, row: Reference | None = None, **more: Any) -> Any:
    """With the parameters of a row as names; some rows leave out what they take for granted."""
    own = {"value": row.expected, "epochs": 1, "batches": 100, "delta": 1e-5, **numbers(row)} if row else {}
    return eval(expression, {**TABLE.names, **own, **more})


@lru_cache(maxsize=8)
def shared(release: Mechanism) -> Mechanism:
    """Equal releases are one, so that what several rows ask of it is computed once."""
    return release


def ask(release: str, question: str, row: Reference | None = None) -> Bracket:
    found = evaluated(question, row, m=shared(evaluated(release, row)))
    found = found if isinstance(found, Bracket) else Bracket.exact(float(found))
    assert found.lower <= found.estimate <= found.upper
    return found


def chosen(part: str, role: str) -> Iterator[list[Any]]:
    """Every row of the references that an entry of the table names, and what it asks."""
    for family, start, *asked in ENGINE[part]:
        yield from ([row, *asked] for row in rows(family, role=role, prefix=start))


def test_references_of_releases() -> None:
    all_hold((f"{row[0].id}, {row[2]}", partial(is_near, *row)) for row in chosen("references", "oracle"))


def is_near(row: Reference, release: str, question: str, how: dict[str, Any]) -> None:
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


def test_misprints_of_releases_are_not_returned() -> None:
    for row, release, holds in chosen("misprints", "negative"):
        assert evaluated(holds, row, m=evaluated(release, row)), row.id


def test_what_does_not_hold_returns_its_recorded_values_and_what_holds_does_not() -> None:
    for row, printed, right, relative in chosen("printed", "negative"):
        assert evaluated(printed, row) == pytest.approx(row.expected, rel=relative), row.id
        assert evaluated(right, row) != pytest.approx(row.expected, rel=APART), row.id


def has_value(release: str, question: str, value: float, tolerance: float, width: float) -> None:
    found = ask(release, question)
    assert found.estimate == pytest.approx(value, abs=tolerance, rel=0)
    assert math.isinf(value) or min(found.width, found.margin) <= width


@pytest.mark.parametrize("part", ["values", pytest.param("values_at_night", marks=pytest.mark.nightly)])
def test_values_of_releases(part: str) -> None:
    all_hold((f"{row[0]}, {row[1]}", partial(has_value, *row)) for row in ENGINE[part])


def test_digits() -> None:
    for release, question, value, relative in ENGINE["digits"]:
        assert ask(release, question) == pytest.approx((value,) * 3, rel=relative, abs=0.0), (release, question)


@pytest.mark.parametrize("kind", MECHANISMS)
def test_every_kind_refuses_its_own_parameters_out_of_range(kind: type[SampledMechanism]) -> None:
    for own in kind.parameters:
        assert own.low <= getattr(kind, own.name) <= own.high
        assert own.name.replace("_", " ") in kind(1.0).label
        beyond: dict[str, Any] = {own.name: int(own.high) + 1 if own.is_whole else 2.0 * own.high}
        with pytest.raises(ValueError, match=f"{own.name} must be"):
            kind(1.0, **beyond)
