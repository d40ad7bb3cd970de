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
    choice = setting.choice
    drawn = [
        AttackerRow(view.model.short, view.model.color, *_counted(setting, found, curve.bound), found, curve)
        for view, curve, found in comparable(seen)
    ]
    of = answer.headline(setting).crowd
    scene = AttackersFrame(
        choice.alpha, choice.limit, of, choice.order, look.axes, look.largest_alpha, look.counts_people
    )
    return attackers_figure(drawn, scene)


def apart(setting: ReleaseSetting, found: Bracket) -> theme.Figure:
    """People alone: an attacker who stands apart, below the guarantee about its own question."""
    choice = setting.choice
    full = cached.power(setting.fixed_size, choice.alpha, choice.order)
    rows = [_row(setting, FULL, full, Bound.LOWER), _row(setting, OTHERS, found, Bound.ESTIMATE)]
    return people_figure(rows, AttackersFrame(choice.alpha, None, answer.headline(setting).crowd, choice.order))


def _row(setting: ReleaseSetting, model: ThreatModel, found: Bracket, bound: Bound) -> AttackerRow:
    return AttackerRow(model.short, model.color, *_counted(setting, found, bound), found)


def _counted(setting: ReleaseSetting, found: Bracket, bound: Bound) -> tuple[int, str]:
    return answer.headline(setting).count(found, bound), answer.said(setting, found, bound)
