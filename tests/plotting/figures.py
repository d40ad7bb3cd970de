"""Every figure of ``plotting``, each drawn of plausible numbers, with the numbers that it was given."""

import inspect
import tomllib
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import numpy as np
import plotly.graph_objects as go

import plotting
from numerics import audits, mechanisms
from numerics.epsilon_star import LossScale, confidence, mixtures, rates, simulations, summary
from numerics.epsilon_star.estimators import GroupSummary, fitted, transform_of
from numerics.epsilon_star.summary import LossSummary, summarise
from numerics.mechanisms import Gaussian
from numerics.pareto import Averages, Better, elbow, hull, non_dominated, oriented
from numerics.privacy_loss.bounds import StatisticLaw
from numerics.trade_off import Bound, Bracket, Order, TradeOffCurve, alpha_grid
from plotting import densities, power, theme
from plotting.attackers import attackers_figure
from plotting.curves import Axes, Compared, EstimatedCurve, OfAttacker, OperatingPoint
from plotting.landscape import Goal, Landscape
from plotting.limit import LimitRegion
from plotting.people_rows import AttackerRow, AttackersFrame
from plotting.trade_off import trade_off_figure

ALPHA = np.geomspace(1e-6, 1.0, 25)
POINT = OperatingPoint(0.01, Bracket(0.09, 0.1, 0.11))
REGION = LimitRegion(0.05, 10_000)
DELTA = 1e-4


def curve(power: float, bound: Bound, label: str, scale: float = 1.0) -> TradeOffCurve:
    found = np.minimum(scale * ALPHA**power, 1.0)
    return TradeOffCurve(ALPHA, 1.0 - found, found, bound, label)


def certified(label: str = "certified one", power: float = 0.5) -> TradeOffCurve:
    sides = curve(power, Bound.LOWER, label, 1.1), curve(power, Bound.UPPER, label, 0.9)
    return replace(curve(power, Bound.CERTIFIED, label), lower=sides[0], upper=sides[1])


def open_curve(label: str = "open one") -> TradeOffCurve:
    sides = curve(0.3, Bound.LOWER, label), curve(0.7, Bound.UPPER, label)
    return replace(sides[0], bound=Bound.OPEN, lower=sides[0], upper=sides[1])


def guess(label: str = "CLT") -> EstimatedCurve:
    return EstimatedCurve(curve(0.55, Bound.ESTIMATE, label), np.full(len(ALPHA), 0.01))


def trade_off(
    own: TradeOffCurve | None = None,
    axes: Axes = Axes.LOG,
    largest: float = 1.0,
    order: Order = Order.ADD,
    region: LimitRegion | None = None,
) -> go.Figure:
    beside: list[Compared] = [
        OfAttacker(curve(0.8, Bound.EXACT, "unknown"), theme.RECORD_UNKNOWN),
        *(curve(power, Bound.EXACT, f"pinned {power}") for power in (0.6, 0.7)),
    ]
    shown = (None, ()) if region else (beside, [guess()])
    return trade_off_figure(
        own or certified(), POINT, axes, largest, shown[0] or (), shown[1], limit=region, order=order
    )


def attackers(axes: Axes = Axes.LOG, counts: tuple[int, ...] = (41, 26, 41), limit: float | None = 0.002) -> go.Figure:
    return attackers_figure(people(*counts), AttackersFrame(1e-3, limit, 10_000, axes=axes))


def people(*counts: int) -> list[AttackerRow]:
    own = Gaussian(2.0).trade_off(alpha_grid(60))
    names = ("all known", "record unknown", "draw unknown")
    return [
        AttackerRow(name, color, count, f"at most {count:,}", Bracket.exact(count / 10_000), own)
        for name, color, count in zip(names, theme.ATTACKERS, counts, strict=False)
    ]


@cache
def losses() -> LossSummary:
    generator = np.random.default_rng(1)
    train, fresh = generator.gamma(2.0, 1.0, 900), generator.gamma(3.0, 1.0, 700)
    transform = transform_of(GroupSummary.of(train, fresh), LossScale.PRINTED)
    return summarise(train, fresh, transform, (fitted(train, transform, "train"), fitted(fresh, transform, "fresh")))


def law(first: float = -0.5, second: float = 0.5) -> StatisticLaw:
    loss = np.linspace(-4.0, 4.0, 801)
    null, alternative = (np.exp(-0.5 * (loss - middle) ** 2) for middle in (first, second))
    return StatisticLaw(loss, null / null.sum(), alternative / alternative.sum())


def landscape(
    count: int, kinds: int = 2, is_log: bool = False, better: Better = Better.LOWER, **names: str
) -> Landscape:
    rng = np.random.default_rng(5)
    return strategies(rng.random(count), 0.1 + rng.random(count), kinds, is_log, better, **names)


def strategies(
    utility: Any, privacy: Any, kinds: int, is_log: bool = False, better: Better = Better.LOWER, /, **names: str
) -> Landscape:
    goals = utility, oriented(privacy, better)
    corners = hull(*goals)
    said = tuple(f"{names.get('name', 'name')} {place}" for place in range(len(utility)))
    return Landscape(
        Goal(names.get("utility", "accuracy"), Better.HIGHER, Averages(utility, utility - 0.05, utility + 0.05)),
        Goal(names.get("privacy", "epsilon"), better, Averages(privacy, privacy, privacy), is_log),
        tuple(f"{names.get('kind', 'kind')} {place % kinds}" for place in range(len(utility))),
        said,
        non_dominated(*goals),
        corners,
        elbow(*goals),
        said,
        corners,
        has_densities=True,
    )


def power_curve(bound: Bound, label: str = "others") -> power.PowerCurve:
    effect = np.linspace(0.1, 2.0, 12)
    return power.PowerCurve(effect, 0.2 * effect - 0.01, 0.2 * effect, 0.2 * effect + 0.02, 0.01, bound, label)


ERROR, TWO, NOISE = np.array([0.1, 0.0]), np.array([0.2, 0.9]), np.array([0.5, 1.0, 2.0])
_MODULES = [import_module(one.name) for one in iter_modules(plotting.__path__, "plotting.") if not one.ispkg]
DRAWING = {
    name
    for module in _MODULES
    for name, one in vars(module).items()
    if inspect.isfunction(one) and one.__module__ == module.__name__ and one.__annotations__.get("return") is go.Figure
}
_OTHERS = (audits, confidence, densities, mechanisms, mixtures, rates, simulations, summary)
_NAMES = {name: one for module in (*_MODULES, *_OTHERS) for name, one in vars(module).items()}
_NAMES |= {module.__name__.rpartition(".")[2]: module for module in _MODULES} | globals()
_TABLE = tomllib.loads(Path(__file__).with_name("figures.toml").read_text())
_NAMES |= {name: eval(expression.strip(), _NAMES) for name, expression in _TABLE.pop("names").items()}
FIGURES: dict[str, Callable[[], go.Figure]] = {
    name: partial(eval, expression, _NAMES) for name, expression in _TABLE.items()
}
