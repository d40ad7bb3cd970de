"""What the attacker sees, with and without the record, and the threshold beyond which it accuses."""

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from numerics.privacy_loss.certified_loss import StatisticLaw
from numerics.trade_off import Floats
from plotting import theme
from plotting.assembly import Part, assemble, axis, laid_out, trace, upright, words_at

EVIDENCE = "Evidence for membership — log-likelihood ratio"
_ROOM_ABOVE = 1.1  # for the verdict's word above the hills
LIKELIHOOD = "How often — density"


@dataclass(frozen=True, eq=False)
class Hill:
    """The density of the evidence under one hypothesis, (n,), and its part on the verdict's side, (m,)."""

    loss: Floats
    density: Floats
    judged_loss: Floats
    judged_density: Floats


@dataclass(frozen=True, eq=False)
class Runs:
    """The evidence seen in single releases without the record and with it, (n,) each, and in how many it is judged.

    Attributes:
        outsider, member: the evidence, without the record and with it.
        judged: how many of each lie on the verdict's side of the threshold.
    """

    outsider: Floats
    member: Floats
    judged: tuple[int, int]


def run_releases(
    law: StatisticLaw, shares: tuple[float, float], runs: int, generator: np.random.Generator, clears: bool = False
) -> Runs:
    """Evidence of ``runs`` releases without the record and as many with it, drawn from its law and judged.

    Laplace noise often gives the very evidence at which the verdict changes: a lot decides there, so that ``shares`` of
    the releases without the record and with it are judged, as the curve says.
    """
    masses = [mass / mass.sum() for mass in (law.null, law.alternative)]
    last = _last_judged(masses[1 if clears else 0], min(shares), clears)
    width = np.diff(law.loss).min() if len(law.loss) > 1 else 1.0
    found = []
    for mass, share in zip(masses, shares, strict=True):
        bins = generator.choice(len(mass), runs, p=mass)
        beyond = np.arange(len(mass)) < last if clears else np.arange(len(mass)) > last
        lot = (share - mass[beyond].sum()) / mass[last] if mass[last] > 0.0 else 0.0
        judged = beyond[bins] | ((bins == last) & (generator.random(runs) < lot))
        found.append((law.loss[bins] + width * (generator.random(runs) - 0.5), int(judged.sum())))
    (outsider, first), (member, second) = found
    return Runs(outsider, member, (first, second))


def _last_judged(mass: Floats, share: float, clears: bool) -> int:
    """The bin in which the mass on the verdict's side reaches ``share`` of those who are judged wrongly."""
    reached = np.cumsum(mass if clears else mass[::-1])
    place = min(int(np.searchsorted(reached, share)), len(mass) - 1)
    return place if clears else len(mass) - 1 - place


def hill(loss: Floats, mass: Floats, threshold: float, clears: bool = False) -> Hill:
    """Masses (n,) on evenly spaced ``loss`` (n,) as a density, cut at ``threshold``; its part below if that clears."""
    density = mass / np.diff(loss).min() if len(loss) > 1 else mass
    edge = np.interp(threshold, loss, density, left=0.0, right=0.0)
    if clears:
        below = loss < threshold
        return Hill(loss, density, np.append(loss[below], threshold), np.append(density[below], edge))
    beyond = loss > threshold
    return Hill(loss, density, np.append(threshold, loss[beyond]), np.append(edge, density[beyond]))


def densities_figure(
    law: StatisticLaw, threshold: float, shares: tuple[str, str], runs: Runs | None = None, clears: bool = False
) -> go.Figure:
    """Both densities of the test statistic; what lies right of ``threshold`` is accused.

    ``shares`` are those of outsiders and of members there, in the words of the page, for the legend; ``runs`` are
    drawn as dots. If the test ``clears``, what lies left is ruled out.
    """
    outsider = hill(law.loss, law.null, threshold, clears)
    member = hill(law.loss, law.alternative, threshold, clears)
    verdict = "ruled out" if clears else "accused"
    traces = [
        _outline(outsider, theme.OUTSIDER, f"without the record: {shares[0]} {verdict}"),
        _outline(member, theme.MEMBER, f"with the record: {shares[1]} {verdict}"),
        _judged(member, theme.MEMBER),
        _judged(outsider, theme.OUTSIDER),
    ]
    highest = max(float(outsider.density.max()), float(member.density.max()))
    layout = _layout(law, threshold, highest, "← ruled out" if clears else "accused →")
    return assemble([*traces, *_runs(runs)], layout if runs is None else _with_room_below(layout))


def _runs(runs: Runs | None) -> list[Part]:
    """A dot for every run, on two rows below the hills: members' above outsiders'."""
    if runs is None:
        return []
    rows = ((runs.member, 2.0, theme.MEMBER, theme.marker(1)), (runs.outsider, 1.0, theme.OUTSIDER, theme.marker(0)))
    return [
        trace(
            evidence,
            np.full(len(evidence), height),
            yaxis="y2",
            mode="markers",
            showlegend=False,
            marker={"color": color, "symbol": symbol, "size": 6, "opacity": 0.55},
            hovertemplate="One release: evidence %{x:.3~g}<extra></extra>",
        )
        for evidence, height, color, symbol in rows
    ]


def _outline(drawn: Hill, color: str, name: str) -> Part:
    return trace(
        drawn.loss,
        drawn.density,
        name=name,
        line={"color": color, "width": 2.5},
        hovertemplate="Evidence %{x:.3~g}<extra></extra>",
    )


def _judged(drawn: Hill, color: str) -> Part:
    return trace(
        drawn.judged_loss,
        drawn.judged_density,
        showlegend=False,
        fill="tozeroy",
        fillcolor=theme.shade(color, 0.35),
        line={"width": 0, "color": color},
        hoverinfo="skip",
    )


def _layout(law: StatisticLaw, threshold: float, highest: float, verdict: str) -> Part:
    ends = min(float(law.loss[0]), threshold), max(float(law.loss[-1]), threshold)
    room = 0.03 * (ends[1] - ends[0])
    side = "right" if threshold > 0.5 * (ends[0] + ends[1]) else "left"
    return laid_out(
        axis(EVIDENCE, range=[ends[0] - room, ends[1] + room]),
        axis(LIKELIHOOD, range=[0.0, _ROOM_ABOVE * highest]),
        430,
        shapes=[upright(threshold)],
        annotations=[words_at(threshold, verdict, side)],
    )


def _with_room_below(layout: Part) -> Part:
    """The layout with a strip for the rows of single releases between the hills and their axis."""
    strip = {"domain": [0.0, 0.12], "range": [0.4, 2.6], "visible": False}
    hills = {**layout["yaxis"], "domain": [0.14, 1.0]}
    return {**layout, "xaxis": {**layout["xaxis"], "anchor": "y2"}, "yaxis": hills, "yaxis2": strip}
