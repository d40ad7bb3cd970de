"""The figures of the page: everybody who can be compared, and, apart, who cannot."""

from collections.abc import Sequence

from numerics.trade_off import Bound, Bracket
from pages.attackers import answer
from pages.ui import cached
from pages.ui.figure_controls import CurveView
from pages.ui.threat_models.notions import FULL, OTHERS, ThreatModel
from pages.ui.threat_models.release import ReleaseSetting
from pages.ui.threat_models.views import View, comparable
from plotting import theme
from plotting.attackers import attackers_figure, people_figure
from plotting.people_rows import AttackerRow, AttackersFrame


def together(setting: ReleaseSetting, seen: Sequence[View], look: CurveView) -> theme.Figure:
    """People and curves of those whose numbers are about the same neighbours and sampling."""
    choice, of = setting.choice, answer.crowd(setting)
    drawn = [
        AttackerRow(view.model.short, view.model.color, *_counted(found, curve.bound, of), found, curve)
        for view, curve, found in comparable(seen)
    ]
    scene = AttackersFrame(
        choice.alpha, choice.limit, of, choice.order, look.axes, look.largest_alpha, look.counts_people
    )
    return attackers_figure(drawn, scene)


def apart(setting: ReleaseSetting, found: Bracket) -> theme.Figure:
    """People alone: an attacker who stands apart, below the guarantee about its own question."""
    choice = setting.choice
    full = cached.power(setting.fixed_size, choice.alpha, choice.order)
    of = answer.crowd(setting)
    rows = [_row(FULL, full, Bound.LOWER, of), _row(OTHERS, found, Bound.ESTIMATE, of)]
    return people_figure(rows, AttackersFrame(choice.alpha, None, of, choice.order))


def _row(model: ThreatModel, found: Bracket, bound: Bound, of: int) -> AttackerRow:
    return AttackerRow(model.short, model.color, *_counted(found, bound, of), found)


def _counted(found: Bracket, bound: Bound, of: int) -> tuple[int, str]:
    return answer.people(found, bound, of), answer.said(found, bound, of)
