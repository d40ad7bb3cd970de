"""Attackers beside each other: the table of what is said; who shares an axis; who knows less never finds more."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from numerics import membership
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Mechanism, Sampling
from numerics.relaxed import Reading
from numerics.trade_off import Bound, Order
from pages.attackers import answer, formulas, ledger, paper_tables
from pages.attackers.converters import rows
from pages.attackers.converters.rows import At, GivenAttack, GivenEta
from pages.attackers.noise_for_eta import exact_eta, figure, small_release
from pages.ui import cached, cached_threat_models
from pages.ui.release_choice import ReleaseChoice
from pages.ui.threat_models import notions, views
from pages.ui.threat_models.release import ReleaseSetting
from tests.pages.answers import Answers
from tests.reference import Reference, each

ROUNDED = 1e-9
SECOND_METHOD = 1e-5  # to which a Fourier transform of its own agreed with the certified bracket
POISSON = Gaussian(1.0, 400 / 48_000, 1200)
REPLACED = replace(POISSON, adjacency=Adjacency.REPLACE_ONE)
FIXED = replace(REPLACED, sampling=Sampling.FIXED_SIZE)
FULL_BATCH = Gaussian(20.0, steps=1000)
# Releases under every convention that the controls offer.
RELEASES: list[Mechanism] = [
    *(POISSON, REPLACED, FIXED, Gaussian(2.0), Laplace(1.0, 0.3, 4)),
    Composition((Gaussian(2.0, 0.1, 20), Gaussian(3.0, 0.1, 20))),
]
MODELS = (notions.FULL, notions.RELAXED, notions.SAMPLE, notions.OTHERS)
# Who may stand beside each other, by neighbours and sampling; the last only where sizes are known.
ALLOWED = [(POISSON, MODELS[:3]), (REPLACED, (notions.FULL, notions.SAMPLE)), (FIXED, (notions.FULL, *MODELS[2:]))]
AT, REPLACE = At(1e-3, 1e-5, Adjacency.ADD_REMOVE), At(1e-3, 1e-5, Adjacency.REPLACE_ONE)
LAST_DIGIT = 1e-3  # a noise scale is rounded up to four digits, by so much at most


def at(release: Mechanism, alpha: float = 0.01, reading: Reading = Reading.MINIMAX, **choice: Any) -> ReleaseSetting:
    order, known = choice.pop("order", Order.ADD), {"records": 48_000, "dimension": 1} | choice
    return ReleaseSetting(ReleaseChoice(release, alpha, order, 1e-5, **known), reading)


def in_full(setting: ReleaseSetting) -> str:
    """The verdict with every door open."""
    full, *others = views.views(setting)
    return answer.in_full(setting, full, others)


def shares(setting: ReleaseSetting) -> list[str]:
    """The last column of the ledger, with every door open but that of the final model."""
    return ledger.rows(setting, {view.model: view for view in views.views(setting)})["Share found"]


def lines(given: rows.Given, neighbours: At = AT) -> dict[str, rows.ConvertedNumber]:
    return {line.quantity: line for line in given.lines(neighbours)}


def kinds(given: rows.Given, neighbours: At = AT) -> dict[str, str]:
    """And what an attack proves is rounded down, as is what is enough; all else is rounded up."""
    found = lines(given, neighbours)
    for name, line in found.items():
        assert (line.number is None) == (line.kind == rows.NOTHING) == (line.value == "none")
        if line.number is not None:
            down = isinstance(given, GivenAttack) or (isinstance(given, GivenEta) and name in (rows.PURE, rows.MU))
            assert (float(line.value) <= line.number) if down else (float(line.value) >= line.number)
    return {name: line.kind for name, line in found.items()}


TABLE = Answers(__file__, globals())


@pytest.mark.parametrize(("part", "row"), TABLE.rows())
def test_table(part: str, row: list[object]) -> None:
    TABLE.check(part, row)


@each("one axis")
def test_numbers_of_one_axis(row: Reference) -> None:
    neighbours = Adjacency(row.text("adjacency")), Sampling(row.text("sampling"))
    release = Gaussian(row.number("noise_multiplier"), row.number("sampling_rate"), row.count("steps"), *neighbours)
    asked, found = row.text("quantity"), None
    if asked in ("power", "record unknown"):
        found = views.views(at(release, row.number("alpha")))[0 if asked == "power" else 1].found
    elif asked == "eta":
        found = cached_threat_models.eta(release, views.game(at(release)))
    elif asked == "epsilon":
        found = cached.epsilon(release, row.number("delta"))
    found = found or (cached.auc(release) if asked == "AUC" else cached.advantage(release))
    assert found.estimate == pytest.approx(row.expected, rel=max(SECOND_METHOD, found.width / row.expected))
    assert found.upper >= row.expected * (1.0 - SECOND_METHOD)


@pytest.mark.parametrize(("release", "models"), ALLOWED)
@pytest.mark.parametrize("sizes", [(None, None), (48_000, 650), (48_000, 1_000_000)])
def test_one_axis_holds_one_kind_of_neighbours_and_one_sampling(
    release: Gaussian, models: tuple[notions.ThreatModel, ...], sizes: tuple[int | None, int | None]
) -> None:
    setting = at(release, records=sizes[0], dimension=sizes[1])
    beside = [view for view, _, _ in views.comparable(views.views(setting))]
    known = [model for model in models if model is not notions.OTHERS or sizes[0]]
    assert [view.model for view in beside] == known
    kinds = {(view.adjacency, view.sampling, view.differs) for view in beside}
    assert kinds == {(release.adjacency, release.sampling, False)}
    column = dict(zip(MODELS, shares(setting), strict=False))
    assert [model for model in MODELS if column[model][0].isdigit()] == known


@pytest.mark.parametrize("release", RELEASES, ids=str)
def test_nobody_who_knows_less_finds_more(release: Mechanism) -> None:
    """At the operating point, and along the estimate that could lie above; and a count is never below its rate."""
    setting = at(release, dimension=1_000_000)
    known, *others = views.comparable(views.views(setting))
    count = answer.count(setting, known[0])
    assert count is not None
    assert count >= known[2].upper * answer.headline(setting).crowd * (1 - ROUNDED)
    for _, curve, found in others:
        assert found.upper <= known[2].upper
        if len(curve.alpha) == len(known[1].alpha) and curve.bound is Bound.ESTIMATE and known[1].lower is not None:
            assert np.all(curve.power <= known[1].lower.power * (1.0 + ROUNDED))


def test_the_snippet_prints_the_rates_of_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    setting = at(POISSON, dimension=650)
    exec(formulas.snippet(setting), {})
    printed = re.findall(r"(?:estimate=|most |about |record: )([0-9.e-]+)", capsys.readouterr().out)
    for printed_one, view in zip(map(float, printed), views.views(setting), strict=True):
        assert view.found is not None
        assert view.found.lower * (1.0 - ROUNDED) <= printed_one <= view.found.upper * (1.0 + ROUNDED)


@each("Table 3 mu_step")
def test_table_3_of_the_page(row: Reference) -> None:
    table = paper_tables.table_3()
    column = [name.replace("CIFAR-10", "CIFAR") for name in table["Data"]].index(row.id.split("_")[1])
    assert float(table["μ of a step"][column]) == pytest.approx(row.expected, abs=1e-6)


@pytest.mark.parametrize("goal", [1e-3, 0.1, 0.45])
@pytest.mark.parametrize("data", [small_release.SmallDataSet.DIGITS, small_release.SmallDataSet.PROPOSITION_11])
def test_least_noise_keeps_eta_and_every_guarantee_asks_for_more(data: small_release.SmallDataSet, goal: float) -> None:
    release = small_release.bundled(data, 8)
    found = exact_eta.compare(release, goal, 2.0)
    least, curves = found.scale_of(exact_eta.LEAST), found.curves
    assert release.halves.eta(least * (1 - LAST_DIGIT)) > goal
    scales = [way.scale or 0.0 for way in found.ways]
    assert min(scales) >= least
    assert max(way.eta or 0.0 for way in found.ways) <= goal
    assert [float(f"{scale:.4g}") for scale in scales] == scales
    assert found.swap <= found.scale_of(exact_eta.PRIVATE)
    assert 0.01 < found.found <= 0.01 + 2.0 * goal  # eta is half of the largest gap of the rates
    assert release.swap.etas(found.swap)[found.hidden_least - 1] <= goal
    for promise in (curves.swap, curves.paper, curves.private):
        assert np.all(promise >= curves.exact - 1e-15)
    inverted = membership.noise_scale.corollary_14_scale(float(curves.paper[-1]), release.halves.spread(2.0), 2.0)
    assert inverted == pytest.approx(curves.scale[-1], rel=ROUNDED)  # the paper's promise inverts its noise
    pairs = list(zip(release.halves.statistics, release.halves.inside, strict=True))
    changes = [abs(a - b) for a, first in pairs for b, second in pairs if np.sum(first & ~second) == 1]
    assert release.sensitivity == pytest.approx(max(changes), rel=ROUNDED)


@each(prefix="fig1_cross")
def test_crossings_of_the_figure(row: Reference) -> None:
    (crossing,) = (met for met in figure.crossings([row.count("n")]) if met.spread == "σ = 1")
    assert crossing.eta == pytest.approx(row.expected, rel=1e-6)
