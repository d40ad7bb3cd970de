"""Slices and models side by side: what is claimed of each, and names of strangers in sentences and figures."""

import numpy as np

from numerics.audits import Scores
from plotting.parts import PartShare, parts_figure
from reports import attack_scores, figures, html_file, json_file, parts
from reports.audit_report import Data
from reports.parts import RowParts
from tests.html import Elements

RNG = np.random.default_rng(2)
ODD = "class_a*b* <b>x</b>"


def three(second: float) -> RowParts:
    shifts = {ODD: 4.0, "b": second, "c": 0.0}
    scores = [Scores(RNG.normal(size=600), RNG.normal(by, 1.0, 600)) for by in shifts.values()]
    return RowParts((), "slices", tuple(shifts), lambda: scores)


def test_of_two_that_are_not_told_apart_none_is_called_the_most_exposed() -> None:
    """The second may be more exposed than the first, though more is shown of that: only the third is surely below."""
    every = three(3.9)
    found = parts.compared(every, 0.95)
    said = parts.sentence(every, found, 0.95, str)
    assert sum(found.below) == 1
    assert "most exposed" not in said
    assert "1 other slice surely gives away less" in said
    assert said.count("confidence") == 2  # of two families of statements, each with its own


def test_a_strangers_name_is_text_in_reports_and_figures() -> None:
    every = three(0.0)
    found = parts.compared(every, 0.95)
    shown = attack_scores.measured(every.read()[0], 0.95)
    drawn = figures.of_parts(every, found)
    assert drawn is not None
    report = attack_scores.report(shown, Data("scores.csv"), [(every, found)])
    of_all = attack_scores.report_of_models(every, found, 0.95, Data("scores.csv"))
    for one in (report, of_all):
        assert f"“{ODD}”" in Elements(html_file.page(one)).text
        assert f"“{ODD}”" in json_file.text(one).encode().decode("unicode_escape")
    assert "<b>" not in drawn.picture.svg
    (tick, *_) = parts_figure([PartShare("<a>{b}", 0.5, 0.1, 0.9)], 0.01).layout.yaxis.ticktext
    assert tick == "&lt;a&gt;&#123;b}"


def test_parts_too_small_for_one_rate_of_false_alarms_are_said_to_be_for_that_rate() -> None:
    """Their Epsilon* may be bounded all the same."""
    few = [Scores(RNG.normal(size=12), RNG.normal(3.0, 1.0, 12)) for _ in range(2)]
    every = RowParts((), "models", ("a", "b"), lambda: few)
    found = parts.compared(every, 0.95)
    rate = f"{100 * found.alpha:g} % false alarms"
    assert f"too small to tell anything at {rate}" in parts.sentence(every, found, 0.95, str)
