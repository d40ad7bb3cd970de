"""The page's curve while the slider of the answer is dragged: at every noise the curve that people are counted on."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from numerics.trade_off import Bracket, TradeOffCurve, alpha_grid
from pages.mechanism import figures
from pages.server.shared_cache import shared_cache
from pages.ui import knob, noise_levels
from pages.ui.chart import CHART, CurveView
from pages.ui.knob import States
from pages.ui.release_in_force import ReleaseChoice
from pages.ui.result_header import crowd_for
from people_view import Levels, Scene, State
from plotting.curves import SMALLEST_SHOWN, Axes
from plotting.motion import motions

CURVE = "mechanism.curve"
"""The key of what holds the figure."""
_POINTS = 60  # of a curve that moves: more would not be seen, and all are sent


@dataclass(frozen=True)
class Moving:
    """What the figure shows, whatever noise is in force.

    ``noises`` are the slider's; at the one that is ``advised`` people are counted as pages state it. The curves
    ``beside`` it do not move.
    """

    choice: ReleaseChoice
    view: CurveView
    noises: tuple[float, ...]
    advised: float | None
    names: tuple[str, ...]
    beside: Sequence[TradeOffCurve] = field(compare=False)


def draw(
    choice: ReleaseChoice, scene: Scene, more: Levels, view: CurveView, beside: Sequence[TradeOffCurve] | None
) -> None:
    """Let the slider of the ``scene`` move the curve; it is pale where nobody is counted, or for want of ``beside``."""

    def found() -> States:
        if beside is None:
            return States()
        release, advised, names = choice.mechanism, scene.advised, tuple(curve.label for curve in beside)
        anywhere = release if len(release.phases) > 1 else release.with_noise(1.0)
        noises = sorted(level.noise for level in more.levels if level.noise != advised)
        asked = replace(choice, mechanism=anywhere)
        return states(Moving(asked, view, tuple(noises), advised, names, beside))

    knob.draw(scene.name, scene.levels[scene.chosen].named, found, moving=[CURVE])


@shared_cache
def states(moving: Moving) -> States:
    """The figure at every noise, by how the slider shows it."""
    choice, view = moving.choice, moving.view
    alpha, order = choice.alpha, choice.order
    rates = alpha_grid(_POINTS, 1e-4)
    if view.axes is Axes.LOG:
        smallest = 1.0 / crowd_for(alpha) if view.counts_people else SMALLEST_SHOWN
        rates = np.geomspace(smallest, view.largest_alpha, _POINTS)
    drawn = {}
    for noise in sorted({*moving.noises, *([moving.advised] if moving.advised else [])}):
        release, is_fine = noise_levels.at_noise(choice.mechanism, noise), noise == moving.advised
        found = noise_levels.level(release, alpha, order, is_fine=is_fine).found
        curve = noise_levels.curve(release, alpha, order, rates, is_fine=is_fine)
        if found is not None:
            drawn[noise_levels.in_short(release)] = figures.trade_off_at(
                replace(choice, mechanism=release), view, curve, Bracket.exact(found), moving.beside
            )
    if len(drawn) < 2:  # what moves is what differs
        return States()
    return States({place: State({}, {CHART: moved}) for place, moved in motions(drawn).items()})
