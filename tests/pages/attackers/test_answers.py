"""Attackers beside each other: the table of what is said; who shares an axis; who knows less never finds more."""

import re
from contextlib import nullcontext
from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from numerics.deadline import DeadlineError
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Mechanism, Sampling
from numerics.membership import noise_scale, worst_case_data
from numerics.relaxed import RelaxedTest
from numerics.trade_off import Bound, Order
from pages.attackers import answer, converters, formulas
from pages.attackers.converters import Entered, From
from pages.ui import cached, share, threat_models
from pages.ui.release_in_force import ReleaseChoice
from pages.ui.result_header import Headline
from pages.ui.threat_models import ReleaseSetting
from tests.pages.answers import Answers
from tests.pages.driver import text, visit
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
MODELS = (threat_models.FULL, threat_models.RELAXED, threat_models.SAMPLE, threat_models.OTHERS)
# Who may stand beside each other, by neighbours and sampling; the last only where sizes are known.
ALLOWED = [
    (POISSON, MODELS[:3]),
    (REPLACED, (threat_models.FULL, threat_models.SAMPLE)),
    (FIXED, (threat_models.FULL, *MODELS[2:])),
]


def at(
    release: Mechanism, alpha: float = 0.01, test: RelaxedTest = RelaxedTest.MINIMAX, **choice: Any
) -> ReleaseSetting:
    order, known = choice.pop("order", Order.ADD), {"records": 48_000, "dimension": 1} | choice
    return ReleaseSetting(ReleaseChoice(release, alpha, order, 1e-5, **known), test)


def in_full(setting: ReleaseSetting) -> str:
    """The verdict with every door open."""
    full, *others = threat_models.views(setting)
    return answer.in_full(setting, full, others)


def shares(setting: ReleaseSetting) -> list[str]:
    """The last column of the ledger, with every door open."""
    return answer.ledger(setting, {view.model: view for view in threat_models.views(setting)})["Share found"]


def entered(start: str, value: float, delta: float = 1e-5, *, replaced: bool = False, sizes: Any = None) -> Entered:
    neighbours = Adjacency.REPLACE_ONE if replaced else Adjacency.ADD_REMOVE
    return Entered(From[start.upper()], value, 1e-3, delta, neighbours, sizes)


def converted(*asked: Any, **how: Any) -> dict[str, float | None]:
    """Values by name; what an attack proves is rounded down, as is what is enough, and all else is rounded up."""
    given, found = entered(*asked, **how), dict[str, float | None]()
    for line in converters.lines(given):
        value = found[line.to] = line.value(given)
        assert (value is None) == (line.said(given) == "none") == (line.kind_of(given) == converters.NOTHING)
        assert line.condition if value is not None else line.otherwise
        if value is not None:
            is_enough = given.start is From.ATTACK or "enough" in line.condition.lower()
            shown = float(line.said(given).split(" ")[0].replace("∞", "inf"))
            assert shown <= value if is_enough else shown >= value
    return found


def kinds(*asked: Any, **how: Any) -> dict[str, str]:
    given = entered(*asked, **how)
    assert converted(*asked, **how).keys() == {line.to for line in converters.lines(given)}
    return {line.to: line.kind_of(given) for line in converters.lines(given)}


def said(*asked: Any, **how: Any) -> str:
    """Conditions of the lines."""
    given = entered(*asked, **how)
    return " ".join(converters.condition(line, given) for line in converters.lines(given))


test_table = Answers(__file__, globals()).test()


@pytest.mark.parametrize("problem", [ValueError, DeadlineError])
def test_what_takes_long_is_no_refusal(problem: type[ValueError], monkeypatch: pytest.MonkeyPatch) -> None:
    """The page says that it is not computed yet."""
    monkeypatch.setattr(converters, "of_release", Mock(side_effect=problem))
    with pytest.raises(DeadlineError) if problem is DeadlineError else nullcontext():
        assert converters.own_numbers(entered("mu", 1.0), at(POISSON)) == {}


def test_what_is_filed_has_no_dimension_that_nobody_has_set(monkeypatch: pytest.MonkeyPatch) -> None:
    offered = list[share.Shared]()
    monkeypatch.setattr(share, "offer", offered.append)
    assert "7,850" in text(visit("attackers"))
    (shared,) = offered
    assert shared.sheet is not None
    filed = shared.sheet("").html
    assert "dimensions d: not set" in filed
    assert "7,850" not in filed


@each("one axis")
def test_numbers_of_one_axis(row: Reference) -> None:
    neighbours = Adjacency(row.text("adjacency")), Sampling(row.text("sampling"))
    release = Gaussian(row.number("noise_multiplier"), row.number("sampling_rate"), row.count("steps"), *neighbours)
    asked, found = row.text("quantity"), None
    if asked in ("power", "record unknown"):
        found = threat_models.views(at(release, row.number("alpha")))[0 if asked == "power" else 1].found
    elif asked == "eta":
        found = threat_models.eta(release, threat_models.game(at(release)))
    elif asked == "epsilon":
        found = cached.epsilon(release, row.number("delta"))
    found = found or (cached.auc(release) if asked == "AUC" else cached.advantage(release))
    assert found.estimate == pytest.approx(row.expected, rel=max(SECOND_METHOD, found.width / row.expected))
    assert found.upper >= row.expected * (1.0 - SECOND_METHOD)


@pytest.mark.parametrize(("release", "models"), ALLOWED)
@pytest.mark.parametrize("sizes", [(None, None), (48_000, 650), (48_000, 1_000_000)])
def test_one_axis_holds_one_kind_of_neighbours_and_one_sampling(
    release: Gaussian, models: tuple[threat_models.ThreatModel, ...], sizes: tuple[int | None, int | None]
) -> None:
    setting = at(release, records=sizes[0], dimension=sizes[1])
    beside = [view for view, _, _ in threat_models.comparable(threat_models.views(setting))]
    known = [model for model in models if model is not threat_models.OTHERS or sizes[0]]
    assert [view.model for view in beside] == known
    kinds = {(view.adjacency, view.sampling, view.differs) for view in beside}
    assert kinds == {(release.adjacency, release.sampling, False)}
    column = dict(zip(MODELS, shares(setting), strict=False))
    assert [model for model in MODELS if column[model][0].isdigit()] == known


@pytest.mark.parametrize("release", RELEASES, ids=str)
def test_nobody_who_knows_less_finds_more(release: Mechanism) -> None:
    """At the operating point, and along the estimate that could lie above; and a count is never below its rate."""
    setting = at(release, dimension=1_000_000)
    known, *others = threat_models.comparable(threat_models.views(setting))
    count = answer.count(setting, known[0])
    assert count is not None
    assert count >= known[2].upper * Headline.of(setting.choice).crowd * (1 - ROUNDED)
    for _, curve, found in others:
        assert found.upper <= known[2].upper
        if len(curve.alpha) == len(known[1].alpha) and curve.bound is Bound.ESTIMATE and known[1].lower is not None:
            assert np.all(curve.power <= known[1].lower.power * (1.0 + ROUNDED))


def test_the_snippet_prints_the_rates_of_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    setting = at(POISSON, dimension=650)
    exec(formulas.snippet(setting), {})
    printed = re.findall(r"(?:estimate=|most |about |record: )([0-9.e-]+)", capsys.readouterr().out)
    for printed_one, view in zip(map(float, printed), threat_models.views(setting), strict=True):
        assert view.found is not None
        assert view.found.lower * (1.0 - ROUNDED) <= printed_one <= view.found.upper * (1.0 + ROUNDED)


@each(prefix="fig1_cross")
def test_crossings_of_the_paper(row: Reference) -> None:
    met = noise_scale.crossing(worst_case_data.sensitivity(row.count("n")))
    assert met == pytest.approx(row.expected, rel=1e-6)
