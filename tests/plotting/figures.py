"""Every figure of ``plotting``, each drawn of plausible numbers, with the numbers that it was given.

``python -m tests.plotting.figures`` writes ``figures.json``, what they show: look at the difference before it is kept.
"""

import inspect
import json
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
from numerics import mechanisms
from numerics.audits import Scores, measured_curve
from numerics.epsilon_star import LossScale, mixtures, simulations
from numerics.epsilon_star.audit_caveats import evidence_of
from numerics.epsilon_star.error_ratios import Term
from numerics.epsilon_star.estimators import fitted, transform_of
from numerics.epsilon_star.loss_summary import LossSummary, limit, summarise
from numerics.mechanisms import Gaussian
from numerics.pareto import Averages, Better, elbow, hull, non_dominated, oriented
from numerics.privacy_loss.certified_loss import StatisticLaw
from numerics.trade_off import Bound, Bracket, Order, TradeOffCurve, alpha_grid
from plotting import densities, epsilon_star, power, theme
from plotting.attackers import attackers_figure
from plotting.audit import Audited, audit_figure
from plotting.curves import Axes, Compared, EstimatedCurve, OfAttacker, OperatingPoint
from plotting.limit import LimitRegion
from plotting.noise_frontier import ErrorLine, FrontierWords, Here, Mark, noise_frontier_figure
from plotting.people_rows import AttackerRow, AttackersFrame
from plotting.profile import ProfileCurve, profile_figure
from plotting.reconstruction import LimitLine, Ratio, ReconstructionMarks, reconstruction_figure
from plotting.reconstruction_axes import Window
from plotting.strategies import Goal, Landscape
from plotting.trade_off import trade_off_figure
from plotting.training import StrategyLevels, cost_figure
from plotting.training_path import Path as TrainingPath

SHOWN = Path(__file__).with_name("figures.json")
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


def reconstruction(axes: Axes, largest: float = 1.0) -> go.Figure:
    others, ratios = [curve(0.45, Bound.LOWER, "from ε and δ")], [Ratio("CLT", ALPHA, np.full(len(ALPHA), 0.23))]
    marks = ReconstructionMarks(LimitLine(0.02, "my limit, 200"), "1,100")
    return reconstruction_figure(certified(), POINT, Window(axes, largest), others, [guess()], ratios, marks)


def attackers(axes: Axes = Axes.LOG, counts: tuple[int, ...] = (41, 26, 41), limit: float | None = 0.002) -> go.Figure:
    return attackers_figure(people(*counts), AttackersFrame(1e-3, limit, 10_000, axes=axes))


def people(*counts: int) -> list[AttackerRow]:
    own = Gaussian(2.0).trade_off(alpha_grid(60))
    names = ("all known", "record unknown", "draw unknown")
    return [
        AttackerRow(name, color, count, f"at most {count:,}", Bracket.exact(count / 10_000), own)
        for name, color, count in zip(names, theme.ATTACKERS, counts, strict=False)
    ]


def audited(axes: Axes, *orders: Order) -> go.Figure:
    generator, rates = np.random.default_rng(1), np.array([0.001, 0.01, 0.1, 0.5, 0.9])
    scores = Scores(generator.standard_normal(50), 1.0 + generator.standard_normal(50))
    pairs = [
        Audited(
            measured_curve(scores, rates, order=order), Gaussian(1.0).trade_off(rates, order), theme.KNOWS_ALL, name
        )
        for order, name in zip(orders, (", one", ", other"), strict=False)
    ]
    return audit_figure(pairs, 0.1, axes, add_one=orders[0] is Order.ADD)


@cache
def losses() -> LossSummary:
    generator = np.random.default_rng(1)
    train, fresh = generator.gamma(2.0, 1.0, 900), generator.gamma(3.0, 1.0, 700)
    transform = transform_of(evidence_of(train, fresh), LossScale.PRINTED)
    return summarise(train, fresh, transform, (fitted(train, transform, "train"), fitted(fresh, transform, "fresh")))


def errors(term: Term, axes: Axes, alpha: float = 0.01) -> go.Figure:
    fits = losses().of_fits
    assert fits is not None
    curves = [
        losses().counted.curve(term, Bound.AUDIT, "counted"),
        fits.curve(term, Bound.ESTIMATE, "normal fits"),
        limit(2.0, DELTA, alpha_grid(50)),
    ]
    return epsilon_star.errors_figure(curves, epsilon_star.Best(term, 1.0, alpha, 0.3), axes, 1e-5)


def law(first: float = -0.5, second: float = 0.5) -> StatisticLaw:
    loss = np.linspace(-4.0, 4.0, 801)
    null, alternative = (np.exp(-0.5 * (loss - middle) ** 2) for middle in (first, second))
    return StatisticLaw(loss, null / null.sum(), alternative / alternative.sum())


def landscape(
    count: int, kinds: int = 2, is_log: bool = False, better: Better = Better.LOWER, **names: str
) -> Landscape:
    rng = np.random.default_rng(5)
    return strategies(rng.random(count), 0.1 + rng.random(count), kinds, is_log, better, **names)


def few(utility: list[float], privacy: list[float]) -> Landscape:
    return strategies(np.array(utility * 2), np.array(privacy * 2), 1)


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


def fixed(shown: Landscape) -> Landscape:
    privacy, utility = (
        replace(goal, ends=ends) for goal, ends in ((shown.privacy, (0.01, 100.0)), (shown.utility, (0.0, 2.0)))
    )
    return replace(shown, privacy=privacy, utility=utility)


def noise_frontier(log: bool) -> go.Figure:
    goals = np.geomspace(0.01, 0.9, 7)
    lines = [
        ErrorLine("full knowledge", goals, 1.0 / goals, Bound.EXACT, 0),
        ErrorLine("full knowledge, Laplace noise", goals, 2.0 / goals, Bound.EXACT, 0, 1),
        ErrorLine("record unknown", goals, 0.5 / goals, Bound.EXACT, 2),
        ErrorLine("others unknown", goals, np.where(goals < 0.1, 1.0, 0.0), Bound.ESTIMATE, 3),
        ErrorLine("subset unknown", goals, 1.0 / goals, Bound.LOWER, 2),
    ]
    sampling = ErrorLine("sampling error", goals[[0, -1]], np.full(2, 5.0), Bound.EXACT, 0)
    marks = [Mark("full knowledge: off by 25", 0.04, 25.0, 0), Mark("none", 0.04, 0.0, 3)]
    words = FrontierWords("Members found", "Error — people", "At most %{x:.3~p} found: off by %{y:.3~g}")
    return noise_frontier_figure(lines, sampling, 0.1, marks, Here(0.04, "my limit"), words, log)


def levels(name: str, bound: Bound, color: int) -> StrategyLevels:
    permitted, middle = np.array([200.0, 1000.0]), np.array([150.0, 420.0]) + 10.0 * color
    return StrategyLevels(name, permitted, middle, 0.5 * middle, 2.0 * middle, ("a", "b"), bound, color)


def shares(one: StrategyLevels) -> StrategyLevels:
    return replace(one, middle=one.middle / 500.0, low=one.low / 500.0, high=one.middle / 450.0)


def path(name: str, place: int) -> TrainingPath:
    promised = np.array([120.0, 165.0, 200.0]) * (1 + place)
    middle = np.array([0.6, 0.8, 0.82])
    ends = middle - 0.005, middle + 0.005
    return TrainingPath(name, promised, middle, *ends, ("a", "b", "c"), theme.KNOWS_ALL, place, place == 0)


def power_curve(bound: Bound, label: str = "others") -> power.PowerCurve:
    effect = np.linspace(0.1, 2.0, 12)
    return power.PowerCurve(effect, 0.2 * effect - 0.01, 0.2 * effect, 0.2 * effect + 0.02, 0.01, bound, label)


def profile(bound: Bound, published: tuple[tuple[str, float], ...] = ()) -> go.Figure:
    epsilon = np.linspace(0.0, 4.0, 9)
    delta = np.maximum(np.exp(-4.0 * epsilon) - 1e-6, 0.0)
    own = ProfileCurve(epsilon, 0.9 * delta, delta, 1.1 * delta, bound)
    return profile_figure(own, 1e-5, "10⁻⁵", Bracket(2.8, 2.9, 3.0), list(published))


def training(draw: Callable[..., go.Figure], *rest: Any) -> go.Figure:
    both = [levels("full", Bound.CERTIFIED, 0), levels("record", Bound.ESTIMATE, 1)]
    return draw([shares(one) for one in both] if draw is cost_figure else both, *rest)


ERROR, TWO, NOISE = np.array([0.1, 0.0]), np.array([0.2, 0.9]), np.array([0.5, 1.0, 2.0])
SCALE, ETAS = np.geomspace(1.0, 1e3, 9), np.geomspace(1e-3, 0.4, 5)
_MODULES = [import_module(one.name) for one in iter_modules(plotting.__path__, "plotting.") if not one.ispkg]
DRAWING = {
    name
    for module in _MODULES
    for name, one in vars(module).items()
    if inspect.isfunction(one) and one.__module__ == module.__name__ and one.__annotations__.get("return") is go.Figure
}
_NAMES = {
    name: one
    for module in (*_MODULES, mechanisms, mixtures, simulations, densities)
    for name, one in vars(module).items()
}
_NAMES |= {module.__name__.rpartition(".")[2]: module for module in _MODULES} | globals()
_TABLE = tomllib.loads(Path(__file__).with_name("figures.toml").read_text())
FIGURES: dict[str, Callable[[], go.Figure]] = {
    name: partial(eval, expression, _NAMES) for name, expression in _TABLE.items()
}


def shown(figure: go.Figure) -> list[dict[str, Any]]:
    """What of a figure must not change unseen: coordinates, looks, names, and where words and regions stand."""
    layout: Any = figure.to_plotly_json()["layout"]
    parts = [_trace(one.to_plotly_json()) for one in figure.data]
    parts += [{"axis": name, **one} for name, one in layout.items() if "axis" in name]
    parts += [{key: one.get(key) for key in ("type", "x0", "x1", "y0", "y1")} for one in layout.get("shapes", ())]
    place = ("text", "x", "y", "xanchor", "yanchor", "ax", "ay", "xshift", "yshift")
    parts += [{key: one.get(key) for key in place} for one in layout.get("annotations", ())]
    parts.append({key: layout.get(key) for key in ("height", "margin", "showlegend", "legend", "title", "bargap")})
    return [_plain(part) for part in parts]


def _trace(one: dict[str, Any]) -> dict[str, Any]:
    line, marker = one.get("line", {}), one.get("marker", {})
    look = {"line": [line.get(key) for key in ("color", "dash", "width", "shape")]}
    look["marker"] = [marker.get(key) for key in ("color", "symbol", "size", "opacity")]
    ends = {f"{name}.{k}": v for name in ("error_x", "error_y") for k, v in one.get(name, {}).items() if "array" in k}
    kept = ("x", "y", "name", "mode", "fill", "text", "textposition", "customdata", "hovertemplate", "z")
    return {key: one.get(key) for key in kept} | look | ends


def _plain(part: Any) -> Any:
    """As JSON has it, of long lists a few and their sum; numbers with five digits, nan as its name."""
    if isinstance(part, dict):
        return {key: _plain(value) for key, value in part.items() if value is not None}
    if isinstance(part, np.ndarray | list | tuple):
        every = np.asarray(part).ravel().tolist() if isinstance(part, np.ndarray) else list(part)
        numbers = [one for one in every if isinstance(one, int | float) and np.isfinite(one)]
        few = every if len(every) <= 8 else [*every[:: len(every) // 4], every[-1], len(every), float(np.sum(numbers))]
        return [_plain(one) for one in few]
    if isinstance(part, float | np.floating):
        return float(f"{part:.5g}") if np.isfinite(part) else str(float(part))
    return part.item() if isinstance(part, np.generic) else part


if __name__ == "__main__":
    every = []
    for name, draw in FIGURES.items():
        parts = ",\n ".join(json.dumps(part, ensure_ascii=False) for part in shown(draw()))
        every.append(f"{json.dumps(name)}: [\n {parts}]")
    SHOWN.write_text("{" + ",\n".join(every) + "}\n")
