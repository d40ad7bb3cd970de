"""Every number that has a source, from one table."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

from numerics import approximations, mechanisms, relaxed
from numerics.approximations.step_laws import cumulants
from numerics.mechanisms import Adjacency, Composition, Sampling
from numerics.privacy_loss import Precision, certify
from numerics.sampling.poisson import sampled_pairs
from numerics.trade_off import Bracket, Order
from tests.reference import PAPERS, PRACTICE, every_row

TABLE = tomllib.loads(Path(__file__).with_name("table.toml").read_text())
ROWS = [*every_row(PAPERS), *every_row(PRACTICE)]


def beta(m, alpha, order=Order.ADD) -> Bracket:
    curve = m.trade_off(at(alpha), order)
    return Bracket(*(float(side.beta[0]) for side in (curve.lower or curve, curve, curve.upper or curve)))


def at(alpha):
    return np.array([alpha])


def known(value) -> Bracket:
    return Bracket.exact(float(value))


def cumulant(m, law, order):
    ((pair, _),) = sampled_pairs(m.pairs)
    return (cumulants(pair).null if law == "null" else cumulants(pair).alternative)[order - 1]


def conjugate(m, epsilon, order) -> Bracket:
    """Supremum over alpha of power - e^epsilon alpha, concave: two grids, the second around the first's best."""
    alpha = np.geomspace(1e-12, 1, 5001)
    for _ in range(2):
        gain = m.trade_off(alpha, order).power - np.exp(epsilon) * alpha
        best = int(np.argmax(gain))
        alpha = np.geomspace(alpha[max(best - 1, 0)], alpha[min(best + 1, 5000)], 5001)
    return known(max(0.0, float(np.max(gain))))


NAMES = {
    **{kind.__name__: kind for kind in mechanisms.MECHANISMS},
    "ADD": Adjacency.ADD_REMOVE,
    "REPLACE": Adjacency.REPLACE_ONE,
    "FIXED": Sampling.FIXED_SIZE,
    **{each.__name__: each for each in (Composition, Order, Precision, certify, beta, at, known, cumulant, conjugate)},
    "np": np,
    "relaxed": relaxed,
    "approximations": approximations,
}


def of(row) -> dict[str, object]:
    numbers = dict[str, object]()
    for name, text in row.params.items():
        try:
            numbers[name] = float(text)
        except ValueError:
            numbers[name] = text
    return numbers


def ask(release: str, question: str, **numbers) -> Bracket:
    m = eval(release, NAMES, numbers)
    found = eval(question, NAMES, {**numbers, "m": m})
    return found if isinstance(found, Bracket) else known(found)


REFERENCES = [
    pytest.param(row, release, question, id=f"{row.id} {release}")
    for family, prefix, release, question in TABLE["references"]
    for row in ROWS
    if row.family.startswith(family) and row.id.startswith(prefix) and row.role.startswith("oracle")
]


@pytest.mark.parametrize(("row", "release", "question"), REFERENCES)
def test_references(row, release, question):
    found, value = ask(release, question, **of(row)), row.expected
    assert found.lower <= found.estimate <= found.upper
    if found.lower == found.upper:
        assert found.upper == pytest.approx(value, rel=1e-9, abs=1e-13 if "conjugate" in question else 1e-15)
    else:
        assert found.lower - 1e-13 <= value <= found.upper + 1e-13
        assert found.width <= 1e-5


def test_every_reference_family_is_found():
    assert all(sum(p.values[1:] == (r, q) for p in REFERENCES) for _, _, r, q in TABLE["references"])


MISPRINTS = [
    (row, *rest)
    for family, *rest in TABLE["misprints"]
    for row in ROWS
    if row.negative and (row.formula.startswith(family) or row.family.startswith(family))
]


@pytest.mark.parametrize(("row", "release", "question"), MISPRINTS, ids=lambda x: getattr(x, "id", None))
def test_misprints_are_not_returned(row, release, question):
    assert abs(ask(release, question, **of(row)).estimate / row.expected - 1) > 1e-3


@pytest.mark.parametrize(("release", "question", "value", "tolerance", "width"), TABLE["values"])
def test_values(release, question, value, tolerance, width):
    found = ask(release, question)
    assert found.lower <= found.estimate <= found.upper
    assert found.estimate == pytest.approx(value, abs=tolerance, rel=0)
    assert min(found.width, found.margin) <= width or np.isinf(value)


@pytest.mark.parametrize(("release", "message"), TABLE["refused"])
def test_refusals(release, message):
    with pytest.raises(ValueError, match=message):
        eval(release, NAMES)
