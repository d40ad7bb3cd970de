"""What each of the four attackers sees of one release: a curve, a number, and the assumptions it rests on."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from numerics.mechanisms import Adjacency, Sampling
from numerics.trade_off import Bound, Bracket, Order, TradeOffCurve
from pages.attackers.setting import Setting
from pages.shared import cached, cached_notions
from pages.shared.frequencies import rounded_up
from pages.shared.notions import FULL, OTHERS, RELAXED, SAMPLE, Model

_WORST_DIMENSION = "Computed in one dimension, where an unknown side protects least."
_NO_NAME = ""


@dataclass(frozen=True, eq=False)
class View:
    """One attacker's view of the release.

    Attributes:
        model: what it knows.
        adjacency: which data sets its notion compares.
        sampling: how records are drawn in its notion.
        found: true positive rate at the operating point; None where there is no answer.
        curve: what is drawn; None where there is no answer.
        note: a sentence about this curve, or why there is none.
        differs: its adjacency or sampling is not that of the release in force.
    """

    model: Model
    adjacency: Adjacency
    sampling: str
    found: Bracket | None
    curve: TradeOffCurve | None
    note: str
    differs: bool


def views(setting: Setting) -> list[View]:
    """All four, in the order of what they know; one that cannot be computed says why."""
    return [view(setting, model) for model in _LOOKS]


def view(setting: Setting, model: Model) -> View:
    """That of one attacker; where it cannot be computed it says why."""
    try:
        return _LOOKS[model](setting)
    except ValueError as reason:
        return View(model, setting.release.adjacency, _NO_NAME, None, None, str(reason), False)


def _view(setting: Setting, model: Model, seen: tuple[Adjacency, str], found: Bracket, curve: TradeOffCurve) -> View:
    """A view, its curve named after the attacker and marked where it answers another question."""
    own = (setting.release.adjacency, _sampling(setting))
    words = [word for word, mine in zip(seen, own, strict=True) if word != mine]
    mark = f"; [{', '.join(words)}]" if words else ""
    named = replace(curve, label=f"{model.notion}: {model.name}{mark}")
    return View(model, seen[0], seen[1], found, named, "", bool(words))


def _sampling(setting: Setting) -> str:
    return f"{setting.phases[0].sampling}" if any(phase.sampling_rate < 1.0 for phase in setting.phases) else "none"


def _full(setting: Setting) -> View:
    choice = setting.choice
    curve = cached.trade_off(setting.release, choice.order)
    found = cached.power(setting.release, choice.alpha, choice.order)
    return _view(setting, FULL, (setting.release.adjacency, _sampling(setting)), found, curve)


def _relaxed(setting: Setting) -> View:
    choice, release = setting.choice, setting.add_one
    dimension, sampled = setting.relaxed_dimension, _sampling(setting) != "none"
    curve = cached_notions.relaxed_curve(release, dimension, choice.order, setting.reading)
    found = cached_notions.relaxed_power(release, choice.alpha, dimension, choice.order, setting.reading)
    sampling = Sampling.POISSON.value if sampled else "none"
    view = _view(setting, RELAXED, (Adjacency.ADD_REMOVE, sampling), found, curve)
    notes = [_WORST_DIMENSION] if dimension < setting.dimension else []
    notes += [f"Numerical error of the rates: about {curve.error:.1g}."] if curve.error > 0.0 else []
    notes += [curve.assumptions[-1]] if curve.bound is Bound.UPPER else []
    return replace(view, note=" ".join(notes))


def _sample(setting: Setting) -> View:
    eta = cached_notions.eta(setting.replace_one)
    found = Bracket(*(min(setting.choice.alpha + 2.0 * value, 1.0) for value in eta))
    curve = cached_notions.eta_line(eta.upper)
    view = _view(setting, SAMPLE, (Adjacency.REPLACE_ONE, _sampling(setting)), found, curve)
    return replace(
        view, note=f"η is at most {rounded_up(eta.upper, 4)}; a line because η alone says no more: TPR ≤ FPR + 2 η."
    )


def _others(setting: Setting) -> View:
    release = setting.gradients()
    level = cached_notions.level(release)
    # Whatever the curve of one record is, K = d is a plug-in, so all of it is an estimate.
    curve = replace(
        cached_notions.membership_curve(release, setting.spread, setting.choice.order), bound=Bound.ESTIMATE
    )
    value = cached_notions.membership_power(release, setting.spread, setting.choice.alpha, setting.choice.order)
    sampling = Sampling.FIXED_SIZE.value if release.sampled else "none"
    view = _view(setting, OTHERS, (Adjacency.REPLACE_ONE, sampling), Bracket.exact(value), curve)
    spread = setting.spread and setting.choice.order is Order.ADD
    words = "K spread over records" if spread else "K = d plug-in"
    least = " Here the noise alone protects more, so the level is that of Gaussian DP." if level.set_by_privacy else ""
    return replace(view, note=f"μ is about {rounded_up(level.mu, 4)} ({words}); an estimate, no bound.{least}")


_LOOKS: dict[Model, Callable[[Setting], View]] = {FULL: _full, RELAXED: _relaxed, SAMPLE: _sample, OTHERS: _others}
