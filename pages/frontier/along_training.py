"""Along the training: how good the models became, and what was promised until then, step by step."""

import numpy as np
import streamlit as st

from numerics.gaussian_membership.calibration import MuTarget
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
from pages.ui import chart, numbers_in_words
from pages.ui.segmented_control import segmented_control
from plotting import theme
from plotting.training import Baseline, TrainingPath, path_figure


def draw(swept: Swept, chosen: TrainingChoice) -> None:
    """Draw whose noise is looked at, the sentence and the figure; nothing where no model was followed."""
    if not swept.path:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.markdown("**Along the training**", width="content")
        strategy = segmented_control(
            "With the noise against",
            list(swept.plan.notions),
            default=swept.plan.notions[0],
            key="frontier.train_along",
        )
    said = sentence(swept, chosen, strategy)
    st.markdown(said)
    if promised_levels(swept, strategy):
        chart.draw(figure(swept, chosen, strategy), alt(said), key="frontier.along_chart")
    st.caption(note(swept, chosen, strategy))


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
    free = swept.along(Strategy.NON_PRIVATE)
    ends = spread(free[-1], chosen.utility) if free else None
    baseline = Baseline("no protection, at the end", ends.mean, ends.least, ends.most) if ends else None
    return path_figure(paths, baseline, _axis(swept, chosen), on_held_out(chosen))


def _axis(swept: Swept, chosen: TrainingChoice) -> str:
    if chosen.reached is Reached.FOUND:
        return f"Promised so far: members found of {numbers_in_words.CROWD:,}, at most"
    return f"Promised so far: ε at δ = {numbers_in_words.as_entered(swept.plan.delta)}, at most"


def _path(swept: Swept, chosen: TrainingChoice, strategy: Strategy, level: float, place: int) -> TrainingPath:
    points = [point for point in swept.along(strategy, level) if is_promised(point)]
    spreads = [spread(point, chosen.utility) for point in points]
    middle, low, high = (np.array([getattr(one, end) for one in spreads]) for end in ("mean", "least", "most"))
    promised = np.array([_coordinate(point, chosen.reached) for point in points])
    unit = "μ = " if isinstance(chosen.goal, MuTarget) else ""
    is_chosen = level == chosen.goal.goal
    name = f"limit {unit}{level_name(chosen.goal, level)}{', chosen' if is_chosen else ''}"
    said = [_said(name, swept, chosen, point, one) for point, one in zip(points, spreads, strict=True)]
    return TrainingPath(name, promised, middle, low, high, said, theme.attacker(ATTACKER[strategy]), place, is_chosen)


def _coordinate(point: Checkpoint, reached: Reached) -> float:
    return numbers_in_words.CROWD * point.guaranteed_power if reached is Reached.FOUND else point.guaranteed_epsilon


def _said(name: str, swept: Swept, chosen: TrainingChoice, point: Checkpoint, found: Spread) -> str:
    return (
        f"{name}: {percent(found.mean)} ({percent(found.least)} to {percent(found.most)})<br>after {point.step:,} of "
        f"{swept.plan.recipe.steps:,} steps; {promise(point, chosen.reached)}"
    )


_LARGEST_GROUP = 1_000_000  # in which members found are counted


def spread(point: Checkpoint, utility: Utility) -> Spread:
    """What the runs are good for at a checkpoint."""
    return Spread.of(point.accuracy if utility is Utility.ACCURACY else point.auroc)


def is_promised(point: Checkpoint) -> bool:
    """Whether anything is promised to anybody: some noise was added, and enough to be certified."""
    return point.guaranteed_power < 1.0 and bool(np.isfinite(point.guaranteed_epsilon))


def promised_levels(swept: Swept, strategy: Strategy) -> list[float]:
    """Levels, ascending, whose noise promises anything to anybody."""
    goals = [goal.goal for goal in swept.plan.goals]
    return [goal for goal in goals if any(map(is_promised, swept.along(strategy, goal)))]


def promise(point: Checkpoint, reached: Reached) -> str:
    """The promise of a checkpoint, rounded up, for a point that is looked at."""
    if reached is Reached.FOUND:
        return f"promised: at most {numbers_in_words.at_most(point.guaranteed_power)} found"
    return f"promised: ε at most {numbers_in_words.rounded_up(point.guaranteed_epsilon)}"


def sentence(swept: Swept, chosen: TrainingChoice, strategy: Strategy) -> str:
    """What half of the training at the chosen level brings and gives away, and what the rest adds."""
    path = swept.along(strategy, chosen.goal.goal)
    if not path:
        return "This level has not been trained."
    half, end = _half(path), path[-1]
    part = f"Half of the training ({half.step:,} of {end.step:,} steps)" if half is not end else "The one training step"
    brings = f"**{percent(spread(half, chosen.utility).mean)}** {chosen.utility}"
    gain = 100.0 * (spread(end, chosen.utility).mean - spread(half, chosen.utility).mean)
    if not is_promised(end):
        rest = f"; the second half {_change(gain)}" if half is not end else ""
        return f"{part} brings {brings}{rest}. {_unpromised(swept, path)}"
    if half is end:
        return f"{part} brings {brings} and {_promised(half, end, chosen.reached)}."
    return (
        f"{part} already brings {brings} and {_promised(half, end, chosen.reached)}; "
        f"the second half {_change(gain)} and {_more(half, end, chosen.reached)}."
    )


def _unpromised(swept: Swept, path: list[Checkpoint]) -> str:
    cell = swept.at(path[-1].strategy, path[-1].goal)
    why = "No noise is" if cell is not None and cell.rows[0].noise_multiplier == 0.0 else "Too little noise is"
    return f"{why} added at this level to promise anything against an attacker who knows all but the noise."


def _half(path: list[Checkpoint]) -> Checkpoint:
    return next(point for point in path if 2 * point.step >= path[-1].step)


def _change(gain: float) -> str:
    if abs(gain) < UNNOTICED:
        return "adds nothing to it"
    return f"{'adds' if gain > 0.0 else 'costs'} **{in_points(abs(gain))}**"


def _promised(half: Checkpoint, end: Checkpoint, reached: Reached) -> str:
    """What any attacker may do after the first half."""
    if reached is Reached.FOUND:
        return f"lets any attacker find at most **{_found(half, end)[0]}** members"
    return f"promises an ε of at most **{numbers_in_words.rounded_up(half.guaranteed_epsilon)}**"


def _more(half: Checkpoint, end: Checkpoint, reached: Reached) -> str:
    if reached is Reached.EPSILON:
        return f"takes ε to **{numbers_in_words.rounded_up(end.guaranteed_epsilon)}**"
    before, after = _found(half, end)
    more = after.count - before.count
    return f"lets it find **{more:,} more**" if more else "lets it find nobody more"


def _found(half: Checkpoint, end: Checkpoint) -> tuple[numbers_in_words.Frequency, numbers_in_words.Frequency]:
    """Members found after half and all of the training, of equally many, and of so many that a difference shows."""
    rates = (half.guaranteed_power, end.guaranteed_power)
    group = max(numbers_in_words.at_most(rate).of for rate in rates)
    before, after = (numbers_in_words.at_most(rate, group) for rate in rates)
    while before.count == after.count and group < _LARGEST_GROUP:
        group *= 10
        before, after = (numbers_in_words.at_most(rate, group) for rate in rates)
    return before, after


def alt(said: str) -> str:
    """The figure's description for a screen reader."""
    return f"Utility over what is promised so far, of a few levels, at the checkpoints. {said.replace('*', '')}"


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
        accused = numbers_in_words.counted(swept.plan.alpha, numbers_in_words.CROWD)
        said += f" Members are found while falsely accusing {accused}."
    if free:
        before, after = (percent(spread(point, chosen.utility).mean) for point in (_half(free), free[-1]))
        said += f" Without protection half of the training brings {before}, all of it {after}; nothing is promised."
    drawn = promised_levels(swept, strategy)
    quiet = [goal for goal in swept.plan.goals if goal.goal not in drawn and swept.along(strategy, goal.goal)]
    return said + (_NOT_DRAWN if quiet else "")


_NOT_DRAWN = " Levels with no noise, or too little, promise nothing to anybody; they are in the data alone."
