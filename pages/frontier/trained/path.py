"""Along the training: how good the models became, and what was promised until then, step by step."""

import numpy as np
import streamlit as st

from numerics.gaussian_membership.calibration import MuTarget
from numerics.training import Checkpoint, Spread, Strategy
from pages.frontier.trained import levels, path_words
from pages.frontier.trained.controls import Chosen, Reached
from pages.frontier.trained.figures import ATTACKER, UTILITY
from pages.frontier.trained.task import Swept
from pages.ui import chart, numbers_in_words
from pages.ui.segmented_control import segmented_control
from plotting import theme
from plotting.training import Baseline
from plotting.training_path import Path, path_figure

KEYS = ("train_along",)


def draw(swept: Swept, chosen: Chosen) -> None:
    """Draw whose noise is looked at, the sentence and the figure; nothing where no model was followed."""
    if not swept.path:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.markdown("**Along the training**", width="content")
        strategy = segmented_control(
            "With the noise against", list(swept.plan.notions), default=swept.plan.notions[0], key=KEYS[0]
        )
    sentence = path_words.sentence(swept, chosen, strategy)
    st.markdown(sentence)
    if path_words.promised_levels(swept, strategy):
        chart.draw(figure(swept, chosen, strategy), path_words.alt(sentence), key="along_chart")
    st.caption(path_words.note(swept, chosen, strategy))


def shown_levels(trained: list[float], chosen: float) -> dict[float, int]:
    """The strictest, a middle, the loosest and the chosen level, ascending, each with its place among the markers."""
    places = {level: place for place, level in enumerate(trained[number] for number in (0, len(trained) // 2, -1))}
    if chosen in trained:
        places.setdefault(chosen, 3)
    return dict(sorted(places.items()))


def figure(swept: Swept, chosen: Chosen, strategy: Strategy) -> theme.Figure:
    """Utility over what is promised, of a few levels."""
    shown = shown_levels(path_words.promised_levels(swept, strategy), chosen.goal.goal)
    paths = [_path(swept, chosen, strategy, level, place) for level, place in shown.items()]
    free = swept.along(Strategy.NON_PRIVATE)
    ends = path_words.spread(free[-1], chosen.utility) if free else None
    baseline = Baseline("no protection, at the end", ends.mean, ends.least, ends.most) if ends else None
    return path_figure(paths, baseline, _promise(swept, chosen), UTILITY[chosen.utility])


def _promise(swept: Swept, chosen: Chosen) -> str:
    if chosen.reached is Reached.FOUND:
        return f"Promised so far: members found of {numbers_in_words.CROWD:,}, at most"
    return f"Promised so far: ε at δ = {numbers_in_words.as_entered(swept.plan.delta)}, at most"


def _path(swept: Swept, chosen: Chosen, strategy: Strategy, level: float, place: int) -> Path:
    points = [point for point in swept.along(strategy, level) if path_words.is_promised(point)]
    spreads = [path_words.spread(point, chosen.utility) for point in points]
    middle, low, high = (np.array([getattr(one, end) for one in spreads]) for end in ("mean", "least", "most"))
    promised = np.array([_coordinate(point, chosen.reached) for point in points])
    unit = "μ = " if isinstance(chosen.goal, MuTarget) else ""
    is_chosen = level == chosen.goal.goal
    name = f"limit {unit}{levels.name(chosen.goal, level)}{', chosen' if is_chosen else ''}"
    said = [_said(name, swept, chosen, point, one) for point, one in zip(points, spreads, strict=True)]
    return Path(name, promised, middle, low, high, said, theme.attacker(ATTACKER[strategy]), place, is_chosen)


def _coordinate(point: Checkpoint, reached: Reached) -> float:
    return numbers_in_words.CROWD * point.guaranteed_power if reached is Reached.FOUND else point.guaranteed_epsilon


def _said(name: str, swept: Swept, chosen: Chosen, point: Checkpoint, found: Spread) -> str:
    return (
        f"{name}: {found.mean:.1%} ({found.least:.1%} to {found.most:.1%})<br>after {point.step:,} of "
        f"{swept.plan.recipe.steps:,} steps; {path_words.promise(point, chosen.reached)}"
    )
