"""The attacker who sees the final model only: what has to be promised of the loss, and what it then finds."""

from dataclasses import dataclass

import streamlit as st

from numerics import final_model
from numerics.final_model import ConvexLoss
from numerics.mechanisms.gaussian import GaussianShift
from numerics.trade_off import Bound, Bracket, TradeOffCurve, alpha_grid
from pages.attackers import answer
from pages.ui.number_box import number_box
from pages.ui.numbers_in_words import NOT_SET, quantity, rounded_down, rounded_up
from pages.ui.threat_models import views
from pages.ui.threat_models.notions import FINAL
from pages.ui.threat_models.release import ReleaseSetting
from pages.ui.threat_models.views import View
from pages.ui.training_run import counted_steps

KEYS = ("attackers.final_step", "attackers.final_smooth", "attackers.final_convex", "attackers.final_diameter")
_RANGE, _WHOLE = (1e-9, 1e9), 1e-6  # the latter by which a number of batches may miss a whole one
_TITLE = "**Only the final model is seen: what must hold of the loss**"
_ADVICE = (
    "For convex losses with bounded curvature, such as regularised linear or logistic regression, and not for neural "
    "networks. It must hold on every data set of this size. Clipping may break it, unless no gradient is clipped."
)
_OPEN = (
    "Open: batches drawn at random, as the constant of their theorem could not be checked, and losses that are not "
    "convex, where hiding the models may help nothing. There the guarantee against full knowledge is what holds."
)
_HELP = {
    "attackers.final_step": "Learning rate η, at most 2 / M.",
    "attackers.final_smooth": "M: the most that the gradient changes over a unit of distance; the largest curvature.",
    "attackers.final_convex": "m: the least that it changes, the least curvature; a penalty of m/2 per squared length "
    "has it.",
    "attackers.final_diameter": "D: every model is projected onto a convex set of this diameter. Needs N and the "
    "clip C.",
}
_LABELS = ("Step size, η", "Smoothness, M", "Strong convexity, m", "Diameter, D")
_MISSING = "Say below what holds of the loss: step size, smoothness, and strong convexity or a bounded set."


@dataclass(frozen=True)
class Promise:
    """What the visitor says of the loss; None where nothing is said."""

    step: float | None
    smoothness: float | None
    convexity: float | None
    diameter: float | None

    def loss(self) -> ConvexLoss:
        """The loss; raises ValueError with the condition that is not met, or not said."""
        if self.step is None or self.smoothness is None or (self.convexity is None and self.diameter is None):
            raise ValueError(_MISSING)
        return ConvexLoss(self.step, self.smoothness, self.convexity or 0.0)


@dataclass(frozen=True)
class FinalModelMu:
    """Effect sizes: of the final model, between attack and guarantee, and of all models together.

    ``cyclic`` says that batches are gone through in one order, which is another sampling than the release's.
    """

    final: Bracket
    everything: float
    cyclic: bool


def draw() -> Promise:
    """Draw the conditions to state."""
    st.markdown(_TITLE)
    with st.grid(4, min_column_width=150):
        said = [
            number_box(label, key, _RANGE, None, _HELP[key], unset=NOT_SET)
            for label, key in zip(_LABELS, KEYS, strict=True)
        ]
    st.caption(_ADVICE)
    st.caption(_OPEN)
    return Promise(*said)


def levels(setting: ReleaseSetting, promise: Promise) -> FinalModelMu:
    """The effect sizes; raises ValueError that names the condition which is not met."""
    loss, (phase, *later) = promise.loss(), setting.phases
    if later or not phase.adds_in_squares:
        raise ValueError("this is known for Gaussian noise in one phase only.")
    if phase.sampling_rate < 1.0:
        if phase.records_per_person > 1:
            raise ValueError("for batches in a cycle this is known for people with one record only.")
        batches, epochs = _rounds(phase.sampling_rate, phase.steps)
        found = final_model.cyclic_mu(phase.effect_size, batches, epochs, loss)
        return FinalModelMu(_known(found, promise), final_model.composed_mu(phase.effect_size, epochs), True)
    everything = final_model.composed_mu(phase.effect_size, phase.steps)
    return FinalModelMu(_full_batch(setting, promise, loss), everything, False)


def _rounds(rate: float, steps: int) -> tuple[int, int]:
    batches = round(1.0 / rate)
    if abs(batches * rate - 1.0) > _WHOLE or steps % batches:
        raise ValueError(
            f"batches in a cycle need whole batches and whole epochs, and 1 / rate is {quantity(1.0 / rate)} in "
            f"{counted_steps(steps)}. Set the batch and the epochs so that both come out even."
        )
    return batches, steps // batches


def _full_batch(setting: ReleaseSetting, promise: Promise, loss: ConvexLoss) -> Bracket:
    phase, found = setting.phases[0], []
    if loss.strong_convexity > 0.0:
        found.append(_known(final_model.strongly_convex_mu(phase.effect_size, phase.steps, loss), promise))
    if promise.diameter is not None:
        pull = _pull(setting)
        most = final_model.bounded_mu(phase.effect_size, phase.steps, loss, promise.diameter, pull)
        found.append(Bracket(0.0, most, most))
    return min(found, key=lambda one: one.upper)


def _known(found: Bracket, promise: Promise) -> Bracket:
    """Without what a quadratic loss gives away, where models are projected: it is not projected."""
    return found if promise.diameter is None else Bracket(0.0, found.upper, found.upper)


def _pull(setting: ReleaseSetting) -> float:
    """S: the most that a record, or all records of a person, change the mean gradient."""
    if setting.clip is None or setting.records is None:
        raise ValueError("a bounded set needs the clip C and the number of people N: set both in the sidebar.")
    phase = setting.phases[0]
    return phase.effect_size * phase.noise_multiplier * setting.clip / setting.records


def view(setting: ReleaseSetting, promise: Promise) -> View:
    """What the attacker finds, beside the release's own numbers where it is about the same batches."""
    compared = views.compared(setting, FINAL)
    try:
        found = levels(setting, promise)
    except ValueError as reason:
        return View(FINAL, *compared, None, None, str(reason), differs=False)
    alpha = setting.choice.alpha
    low, high = (final_model.power(mu, alpha) for mu in (found.final.lower, found.final.upper))
    note = (
        f"The final model: μ at most {rounded_up(found.final.upper, 4)}; all models: {rounded_up(found.everything, 4)}."
    )
    return View(FINAL, *compared, Bracket(low, high, high), _curve(found.final), note, views.differs(setting, FINAL))


def _curve(mu: Bracket) -> TradeOffCurve:
    grid, label = alpha_grid(400), f"{FINAL.notion}: {FINAL.name}"
    said = (f"The attacker does not see {FINAL.hidden}; the loss is as it was said.",)

    def side(at: float, bound: Bound) -> TradeOffCurve:
        shift = GaussianShift(at)
        return TradeOffCurve(grid.copy(), shift.beta(grid), shift.power(grid), bound, label, said)

    if mu.lower == mu.upper:
        return side(mu.upper, Bound.EXACT)
    return side(mu.upper, Bound.LOWER)


def apart(setting: ReleaseSetting, promise: Promise) -> str:
    """The verdict: who sees the final model, who sees all, both of the same training."""
    found, stated, alpha = levels(setting, promise), answer.headline(setting), setting.choice.alpha
    attack, most, everything = (
        final_model.power(mu, alpha) for mu in (found.final.lower, found.final.upper, found.everything)
    )
    least = "" if found.final.lower in (0.0, found.final.upper) else f", and an attack reaches {rounded_down(attack)}"
    seen, all_of = (Bracket.exact(rate) for rate in (most, everything))
    batches = "With batches in a fixed cycle, which is not the sampling above, by one" if found.cyclic else "By one"
    return (
        f"{batches} who sees the final model only: {stated.clause(seen, Bound.LOWER)} (a share of "
        f"{rounded_up(most)}{least}). By one who sees every model of the same training: at most "
        f"**{stated.count(all_of):,}**. μ is at most {rounded_up(found.final.upper, 4)} instead of "
        f"{rounded_up(found.everything, 4)}."
    )
