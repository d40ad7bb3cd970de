"""Examples to start from: a click sets every control of the view."""

from collections.abc import Mapping
from dataclasses import dataclass

from numerics.mechanisms import Adjacency
from pages.frontier.limits import LimitOn
from pages.frontier.statistic import controls
from pages.frontier.statistic.controls import StatisticKind
from pages.ui import preset_buttons


@dataclass(frozen=True)
class Example:
    """A question somebody has, and the controls that ask it."""

    name: str
    words: str
    values: Mapping[str, object]


EXAMPLES = (
    Example(
        "A count in a town",
        "How many of 30,000 people have a disease, ε at most 1.",
        {
            "frontier.stat_kind": StatisticKind.COUNT,
            "frontier.stat_people": 30_000.0,
            "frontier.stat_success": LimitOn.EPSILON,
            "frontier.stat_epsilon": 1.0,
        },
    ),
    Example(
        "Ages in a survey",
        "A histogram of 2,000 people in 20 age groups, an advantage of at most 10 %.",
        {
            "frontier.stat_kind": StatisticKind.HISTOGRAM,
            "frontier.stat_people": 2000.0,
            "frontier.stat_success": LimitOn.ADVANTAGE,
        },
    ),
    Example(
        "A mean gradient",
        "One mean of 400 clipped gradients with 1,000 parameters: the other records hide a record only in part.",
        {
            "frontier.stat_people": 400.0,
            "frontier.stat_dimensions": 1000.0,
            "frontier.stat_success": LimitOn.ADVANTAGE,
            "frontier.stat_neighbours": Adjacency.REPLACE_ONE,
        },
    ),
    Example(
        "Dose and response",
        "The slope of a response on a dose in a trial with 500 people.",
        {
            "frontier.stat_kind": StatisticKind.REGRESSION,
            "frontier.stat_people": 500.0,
            "frontier.stat_success": LimitOn.FOUND,
            "frontier.stat_found": 0.04,
        },
    ),
)


def draw() -> None:
    """Draw the examples, folded away."""
    preset_buttons.draw(EXAMPLES, use, "Examples")


def use(example: Example) -> None:
    """Set every control of the view. For a button's ``on_click``: the widgets of the run must not be drawn yet."""
    controls.use(example.values)
