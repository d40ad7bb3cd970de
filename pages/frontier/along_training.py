"""Along the training: how good the models became, and what was promised until then, step by step."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from numerics.gaussian_membership.calibration import MuTarget
from numerics.trade_off import Bound
from numerics.training import Checkpoint, Spread, Strategy
from numerics.training.path import POINTS
from pages.frontier.trained_answer import (
    ATTACKER,
    UNNOTICED,
    Reached,
    Swept,
    TrainingChoice,
    Utility,
    in_points,
    level_name,
    on_held_out,
    percent,
)
from pages.ui import chart
from pages.ui.controls import segmented_control
from pages.ui.numbers_in_words import CROWD, as_entered, at_most, counted, rounded_up
from plotting import theme
from plotting.training import Baseline, RunsLine, path_figure

_LARGEST_GROUP = 1_000_000  # in which members found are counted


def draw(swept: Swept, chosen: TrainingChoice) -> None:
    """Draw whose noise is looked at, the sentence and the figure; nothing where no model was followed."""
    if not swept.path:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.markdown("**Along the training**", width="content")
        notions, key = list(swept.plan.notions), "frontier.train_along"
        strategy = segmented_control("With the noise against", notions, default=notions[0], key=key)
    said = sentence(swept, chosen, strategy)
    st.markdown(said)
    if promised_levels(swept, strategy):
        alt = f"Utility over what is promised so far, of a few levels, at the checkpoints. {said.replace('*', '')}"
        chart.draw(figure(swept, chosen, strategy), alt, key="frontier.along_chart")
    st.caption(note(swept, chosen, strategy))


class Promised(NamedTuple):
    """What a checkpoint promises to anybody: its place on the axis, and in words, rounded up."""

    place: float
    words: str


def promised(point: Checkpoint, reached: Reached) -> Promised | None:
    """The promise of a checkpoint; None where nothing is promised: no noise was added, or too little."""
    if point.guaranteed_power >= 1.0 or not np.isfinite(point.guaranteed_epsilon):
        return None
    if reached is Reached.FOUND:
        return Promised(CROWD * point.guaranteed_power, f"at most {at_most(point.guaranteed_power)} found")
    return Promised(point.guaranteed_epsilon, f"ε at most {rounded_up(point.guaranteed_epsilon)}")


def promised_levels(swept: Swept, strategy: Strategy) -> list[float]:
    """Levels, ascending, whose noise promises anything to anybody."""
    goals = [goal.goal for goal in swept.plan.goals]
    return [goal for goal in goals if any(promised(one, Reached.FOUND) for one in swept.along(strategy, goal))]


def spread(point: Checkpoint, utility: Utility) -> Spread:
    """What the runs are good for at a checkpoint."""
    return Spread.of(point.accuracy if utility is Utility.ACCURACY else point.auroc)


def shown_levels(trained: list[float], chosen: float) -> dict[float, int]:
    """The strictest, a middle, the loosest and the chosen level, ascending, each with its place among the markers."""
    places = {level: place for place, level in enumerate(trained[number] for number in (0, len(trained) // 2, -1))}
    if chosen in trained:
        places.setdefault(chosen, 3)
    return dict(sorted(places.items()))


def figure(swept: Swept, chosen: TrainingChoice, strategy: Strategy) -> theme.Figure:
    """Utility over what is promised, of a few levels."""
    shown = shown_levels(promised_levels(swept, strategy), chosen.goal.goal)
    paths = [_path(swept, chosen, strategy, level, place) for level, place in shown.items()]
    free, baseline = swept.along(Strategy.NON_PRIVATE), None
    if free:
        ends = spread(free[-1], chosen.utility)
        baseline = Baseline("no protection, at the end", ends.mean, ends.least, ends.most)
    counted_in = f"ε at δ = {as_entered(swept.plan.delta)}"
    if chosen.reached is Reached.FOUND:
        counted_in = f"members found of {CROWD:,}"
    return path_figure(paths, baseline, f"Promised so far: {counted_in}, at most", on_held_out(chosen))


def _path(swept: Swept, chosen: TrainingChoice, strategy: Strategy, level: float, place: int) -> RunsLine:
    is_chosen, unit = level == chosen.goal.goal, "μ = " if isinstance(chosen.goal, MuTarget) else ""
    name = f"limit {unit}{level_name(chosen.goal, level)}{', chosen' if is_chosen else ''}"
    across, ends, said = list[float](), list[tuple[float, float, float]](), list[str]()
    for point in swept.along(strategy, level):
        if promise := promised(point, chosen.reached):
            found = spread(point, chosen.utility)
            across.append(promise.place)
            ends.append((found.mean, found.least, found.most))
            said.append(
                f"{name}: {percent(found.mean)} ({percent(found.least)} to {percent(found.most)})<br>after "
                f"{point.step:,} of {swept.plan.recipe.steps:,} steps; promised: {promise.words}"
            )
    middle, low, high = np.array(ends).T
    color, certified = ATTACKER[strategy], Bound.CERTIFIED
    return RunsLine(name, np.array(across), middle, low, high, said, certified, color, place, is_chosen)


def sentence(swept: Swept, chosen: TrainingChoice, strategy: Strategy) -> str:
    """What half of the training at the chosen level brings and gives away, and what the rest adds."""
    path = swept.along(strategy, chosen.goal.goal)
    if not path:
        return "This level has not been trained."
    half, end = _half(path), path[-1]
    part = f"Half of the training ({half.step:,} of {end.step:,} steps)" if half is not end else "The one training step"
    good = f"**{percent(spread(half, chosen.utility).mean)}** {chosen.utility}"
    gain = 100.0 * (spread(end, chosen.utility).mean - spread(half, chosen.utility).mean)
    change = f"{'adds' if gain > 0.0 else 'costs'} **{in_points(abs(gain))}**"
    if abs(gain) < UNNOTICED:
        change = "adds nothing to it"
    if promised(end, Reached.FOUND) is None:
        cell = swept.at(strategy, chosen.goal.goal)
        why = "No noise is" if cell is not None and cell.rows[0].noise_multiplier == 0.0 else "Too little noise is"
        rest = f"; the second half {change}" if half is not end else ""
        nothing = f"{why} added at this level to promise anything against an attacker who knows all but the noise."
        return f"{part} brings {good}{rest}. {nothing}"
    before, more = _given_away(half, end, chosen.reached)
    if half is end:
        return f"{part} brings {good} and {before}."
    return f"{part} already brings {good} and {before}; the second half {change} and {more}."


def _half(path: list[Checkpoint]) -> Checkpoint:
    return next(point for point in path if 2 * point.step >= path[-1].step)


def _given_away(half: Checkpoint, end: Checkpoint, reached: Reached) -> tuple[str, str]:
    """What any attacker may do after the first half, and what the second adds: of so many that a difference shows."""
    if reached is Reached.EPSILON:
        first, last = rounded_up(half.guaranteed_epsilon), rounded_up(end.guaranteed_epsilon)
        return f"promises an ε of at most **{first}**", f"takes ε to **{last}**"
    rates = half.guaranteed_power, end.guaranteed_power
    group = max(at_most(rate).of for rate in rates)
    before, after = (at_most(rate, group) for rate in rates)
    while before.count == after.count and group < _LARGEST_GROUP:
        group *= 10
        before, after = (at_most(rate, group) for rate in rates)
    more = after.count - before.count
    added = f"lets it find **{more:,} more**" if more else "lets it find nobody more"
    return f"lets any attacker find at most **{before}** members", added


def note(swept: Swept, chosen: TrainingChoice, strategy: Strategy) -> str:
    """How to read the figure, and what is not in it."""
    free, runs = swept.along(Strategy.NON_PRIVATE), swept.plan.seeds
    each = "every twelfth of the training" if swept.plan.recipe.steps >= POINTS else "every step"
    said = (
        f"Markers: {each}; lines: means of {runs} runs, bands: from the least to the most. The last markers are the "
        "models of the figures above. Each promise holds for that many steps with this noise, sampling and "
        "neighbours, whatever the attacker knows, even if it sees every model so far."
    )
    if chosen.reached is Reached.FOUND:
        said += f" Members are found while falsely accusing {counted(swept.plan.alpha, CROWD)}."
    if free:
        before, after = (percent(spread(point, chosen.utility).mean) for point in (_half(free), free[-1]))
        said += f" Without protection half of the training brings {before}, all of it {after}; nothing is promised."
    drawn = promised_levels(swept, strategy)
    if any(goal.goal not in drawn and swept.along(strategy, goal.goal) for goal in swept.plan.goals):
        said += " Levels with no noise, or too little, promise nothing to anybody; they are in the data alone."
    return said
