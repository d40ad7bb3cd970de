"""What the page shows while the slider of the prior is dragged: at every prior the same words, numbers and figure."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from numerics.mechanisms import Mechanism
from numerics.trade_off import TradeOffCurve
from pages.reconstruct import answer, figures, limit
from pages.reconstruct.prior import COMMONER, KAPPA
from pages.reconstruct.setting import CHART, ReconstructionSetting
from pages.server.shared_cache import shared_cache
from pages.ui import comparison, knob
from pages.ui.knob import States
from people_view import State
from plotting.curves import EstimatedCurve
from plotting.motion import motions

ANSWER, NUMBERS, USE = "reconstruct.answer", "reconstruct.numbers", "reconstruct.use_guess_noise"
"""Keys of what moves beside the figure, and of what is pale meanwhile."""


@dataclass(frozen=True)
class Beside:
    """What else the figure draws; by its names and the ``second`` release, as the setting says the rest."""

    names: tuple[str, ...]
    second: Mechanism | None
    others: Sequence[TradeOffCurve] = field(compare=False)
    guesses: Sequence[EstimatedCurve] = field(compare=False)


def draw(setting: ReconstructionSetting, others: list[TradeOffCurve], guesses: list[EstimatedCurve]) -> None:
    """Let the slider move the page, where the prior is the slider's."""
    if setting.known.words:
        return
    slider, known = COMMONER if setting.is_yes_or_no else KAPPA, setting.known
    names = tuple(curve.label for curve in (*others, *(guess.curve for guess in guesses)))
    beside = Beside(names, comparison.second(), others, guesses)
    anywhere = replace(setting, known=replace(known, kappa=slider.default))  # of every prior the same
    knob.draw(slider.key, slider.shown(known.kappa), lambda: states(anywhere, beside), [USE])


@shared_cache
def states(setting: ReconstructionSetting, beside: Beside) -> States:
    """What the page shows at every value of its slider."""
    slider, found, drawn = COMMONER if setting.is_yes_or_no else KAPPA, States(), {}
    for value in slider.values:
        there = replace(setting, known=replace(setting.known, kappa=value))
        drawn[slider.shown(value)] = figures.figure_at(there, list(beside.others), list(beside.guesses))
        words = [answer.sentence(there), limit.words(there.success, there.limit)]
        numbers = [metric.value for metric in answer.numbers(there)]
        found[slider.shown(value)] = State({ANSWER: words, NUMBERS: numbers}, {})
    moved = motions(drawn)
    return States({place: replace(state, figures={CHART: moved[place]}) for place, state in found.items()})
