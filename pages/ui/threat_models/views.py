"""What each of the four attackers sees of one release: a curve, a number, and the assumptions it rests on.

All look at the same release, so the guarantee against full knowledge holds against each of them: nobody who knows less
finds more. A smaller number needs a theorem of its own, and stands on the same axis only where it is about the same
neighbours and the same sampling.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from numerics import membership
from numerics.mechanisms import Adjacency, Mechanism, Sampling
from numerics.membership import Game
from numerics.trade_off import Bound, Bracket, Order, TradeOffCurve
from pages.ui import cached, cached_threat_models
from pages.ui.numbers_in_words import rounded_up
from pages.ui.threat_models.notions import FULL, OTHERS, RELAXED, SAMPLE, ThreatModel
from pages.ui.threat_models.release import NO_SAMPLING, ReleaseSetting

_WORST_DIMENSION = "Computed in one dimension, where an unknown side protects least."
_NOT_REACHED = {
    Bound.LOWER: "This is a guarantee that no known attack reaches.",
    Bound.OPEN: "This is a guarantee that the attack shown does not reach; others may come closer.",
}
NOT_DEFINED = "not defined"
_NO_QUESTION = (
    "Not defined where a record is replaced. Two unknown records of equal length, of directions drawn alike, give the "
    "release the same law whatever the noise. That is the absence of a question, not protection."
)
APART = (
    "This attacker's level is known for a replaced record and batches of fixed size only, as an estimate for a typical "
    "record. Its numbers answer another question than those above, so they stand apart."
)


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
        differs: its adjacency or sampling is not that of the release in force: it stands apart.
        absent: what stands in the number's place where there is none.
    """

    model: ThreatModel
    adjacency: Adjacency
    sampling: str
    found: Bracket | None
    curve: TradeOffCurve | None
    note: str
    differs: bool
    absent: str = "—"


def views(setting: ReleaseSetting) -> list[View]:
    """All four, in the order of what they know; one that cannot be computed says why."""
    return [view(setting, model) for model in _LOOKS]


def view(setting: ReleaseSetting, model: ThreatModel) -> View:
    """That of one attacker; where it cannot be computed it says why."""
    if model is RELAXED and differs(setting, model):
        return _without(setting, model, _NO_QUESTION, NOT_DEFINED)
    try:
        return _LOOKS[model](setting)
    except ValueError as reason:
        return _without(setting, model, str(reason))


def comparable(seen: Sequence[View]) -> list[tuple[View, TradeOffCurve, Bracket]]:
    """Those with an answer about the neighbours and the sampling of the release in force: what one axis may hold."""
    return [
        (one, one.curve, one.found)
        for one in seen
        if one.curve is not None and one.found is not None and not one.differs
    ]


def compared(setting: ReleaseSetting, model: ThreatModel) -> tuple[Adjacency, str]:
    """The neighbours and the sampling of this attacker's notion, read as near to the release in force as it can be."""
    if model is OTHERS:
        return Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE.value if setting.is_sampled else NO_SAMPLING
    own = setting.release.adjacency
    return Adjacency.ADD_REMOVE if model is RELAXED and own is Adjacency.REPLACE_ONE else own, setting.sampling


def differs(setting: ReleaseSetting, model: ThreatModel) -> bool:
    """Whether this attacker's numbers are about other neighbours or another sampling than the release in force."""
    return compared(setting, model) != (setting.release.adjacency, setting.sampling)


def _view(setting: ReleaseSetting, model: ThreatModel, found: Bracket, curve: TradeOffCurve, note: str = "") -> View:
    """A view, its curve named after the attacker."""
    named = replace(curve, label=f"{model.notion}: {model.name}")
    return View(model, *compared(setting, model), found, named, note, differs(setting, model))


def _without(setting: ReleaseSetting, model: ThreatModel, reason: str, absent: str = "—") -> View:
    return View(model, *compared(setting, model), None, None, reason, differs(setting, model), absent)


def inherited(found: Bracket, full: Bracket) -> Bracket:
    """What an attacker who knows less finds: never more than the guarantee against full knowledge."""
    return Bracket(*(min(value, full.upper) for value in found))


def _full(setting: ReleaseSetting) -> View:
    choice = setting.choice
    curve = cached.trade_off(setting.release, choice.order)
    found = cached.power(setting.release, choice.alpha, choice.order)
    return _view(setting, FULL, found, curve, _NOT_REACHED.get(curve.bound, ""))


def _relaxed(setting: ReleaseSetting) -> View:
    choice, release, dimension = setting.choice, setting.release, setting.relaxed_dimension
    curve = cached_threat_models.relaxed_curve(release, dimension, choice.order, setting.test)
    found = cached_threat_models.relaxed_power(release, choice.alpha, dimension, choice.order, setting.test)
    notes = [_WORST_DIMENSION] if setting.dimension is None or dimension < setting.dimension else []
    notes += [f"Numerical error of the rates: about {rounded_up(curve.error, 1)}."] if curve.error > 0.0 else []
    notes += [curve.assumptions[-1]] if curve.bound is Bound.UPPER else []
    full = cached.power(release, choice.alpha, choice.order)
    return _view(setting, RELAXED, inherited(found, full), curve, " ".join(notes))


def game(setting: ReleaseSetting) -> Game:
    """How records are drawn from the pool in the game that compares the neighbours of the release in force."""
    return Game.of(setting.release.adjacency)


def _sample(setting: ReleaseSetting) -> View:
    choice, release = setting.choice, setting.release
    curve = membership.inherited(cached.trade_off(release, choice.order), game(setting))
    found = Bracket.exact(cached.power(release, choice.alpha, choice.order).upper)
    eta = cached_threat_models.eta(release, game(setting)).upper
    note = (
        f"The game: {game(setting)}. η is at most {rounded_up(eta, 4)}. "
        "No curve below that of full knowledge is proved, and that one holds here too."
    )
    return _view(setting, SAMPLE, found, curve, note)


def _others(setting: ReleaseSetting) -> View:
    gradients, choice = setting.gradients(), setting.choice
    level = cached_threat_models.level(gradients)
    curve = _below_full_knowledge(
        cached_threat_models.membership_curve(gradients, setting.spread, choice.order), setting.fixed_size, choice.order
    )
    value = cached_threat_models.membership_power(gradients, setting.spread, choice.alpha, choice.order)
    full = cached.power(setting.fixed_size, choice.alpha, choice.order)
    spread = setting.spread and choice.order is Order.ADD
    words = "K spread over records" if spread else "K = d plug-in"
    note = f"μ is about {rounded_up(level.mu, 4)} ({words}); an estimate, no bound."
    note += " Here the noise alone protects more, so the level is that of Gaussian DP." if level.set_by_privacy else ""
    note += " The guarantee against full knowledge is less, and is what counts." if value > full.upper else ""
    return _view(setting, OTHERS, inherited(Bracket.exact(value), full), curve, note)


def _below_full_knowledge(curve: TradeOffCurve, release: Mechanism, order: Order) -> TradeOffCurve:
    """An estimate, nowhere above the guarantee of the same release; K = d is a plug-in, so all of it is an estimate."""
    full = cached.trade_off(release, order, len(curve.alpha))
    safe = full.lower or full
    power, beta = np.minimum(curve.power, safe.power), np.maximum(curve.beta, safe.beta)
    return replace(curve, power=power, beta=beta, bound=Bound.ESTIMATE)


_LOOKS: dict[ThreatModel, Callable[[ReleaseSetting], View]] = {
    FULL: _full,
    RELAXED: _relaxed,
    SAMPLE: _sample,
    OTHERS: _others,
}
