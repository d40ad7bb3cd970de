"""What the attacker sees, with and without the record, and the threshold beyond which it accuses."""

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from numerics.privacy_loss.bounds import StatisticLaw
from numerics.trade_off import Floats
from plotting import theme
from plotting.assembly import Part, axis, on_axes, trace, upright, words_at
from plotting.evidence import DrawnHill, Evidence, evidence

EVIDENCE = "Evidence for membership — log-likelihood ratio"
_ROOM_ABOVE = 1.1  # for the verdict's word above the hills
LIKELIHOOD = "How often"
_SAID = 1.5  # times taller, from which on it is said


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


def densities_figure(
    law: StatisticLaw, alpha: float, shares: tuple[str, str], runs: Runs | None = None, clears: bool = False
) -> go.Figure:
    """Both laws of the test statistic; what lies right of the threshold is accused.

    The threshold is that of the rate ``alpha``; ``shares`` are those of outsiders and of members beyond it, in the
    words of the page, for the legend; ``runs`` are drawn as dots. If the test ``clears``, what lies left is ruled out.
    """
    drawn = evidence(law, alpha, clears)
    verdict = "ruled out" if clears else "accused"
    groups = ((drawn.outsiders, theme.OUTSIDER, "without", shares[0]), (drawn.members, theme.MEMBER, "with", shares[1]))
    outlines, judged, lines = list[Part](), list[Part](), list[Part]()
    for hill, color, record, share in groups:
        outlines.append(_outline(drawn, hill, color, f"{record} the record: {share} {verdict}"))
        judged.insert(0, _judged(drawn, hill, color, clears))  # members' behind outsiders'
        lines[:0] = _lines(drawn, hill, color, clears)
    threshold = float(_along(drawn, np.array(drawn.threshold)))
    words = words_at(threshold, "← ruled out" if clears else "accused →", "right" if drawn.threshold > 0.5 else "left")
    across = axis(EVIDENCE, range=list(drawn.ends))
    up, strip = axis(LIKELIHOOD, range=[0.0, _ROOM_ABOVE], showticklabels=False), Part()
    if runs is not None:  # a strip for the rows of single releases between the hills and their axis
        across["anchor"], up["domain"] = "y2", [0.14, 1.0]
        strip = {"yaxis2": {"domain": [0.0, 0.12], "range": [0.4, 2.6], "visible": False}}
    traces = [*outlines, *judged, *lines, *_runs(runs)]
    return on_axes(traces, across, up, shapes=[upright(threshold)], annotations=[words], **strip)


def _along(seen: Evidence, places: Floats) -> Floats:
    """Places from 0 to 1 on the axis of the evidence."""
    low, high = seen.ends
    return low + places * (high - low)


def _outline(seen: Evidence, hill: DrawnHill, color: str, name: str) -> Part:
    """The whole outline, which the legend names; says so where it is drawn taller."""
    said = f"{name} (drawn {hill.taller:.2g} times taller)" if hill.taller >= _SAID else name
    look = {"line": {"color": color, "width": 2.5}, "hovertemplate": "Evidence %{x:.3~g}<extra></extra>"}
    return trace(_along(seen, hill.places), hill.heights, name=said, **look)


def _judged(seen: Evidence, hill: DrawnHill, color: str, clears: bool) -> Part:
    """What lies beyond the threshold."""
    at = np.flatnonzero(hill.places == seen.threshold)
    beyond = slice(0, 0) if not len(at) else slice(0, int(at[0]) + 1) if clears else slice(int(at[-1]), None)
    return trace(
        _along(seen, hill.places[beyond]),
        hill.heights[beyond],
        showlegend=False,
        fill="tozeroy",
        fillcolor=theme.shade(color, 0.35),
        line={"width": 0, "color": color},
        hoverinfo="skip",
    )


def _lines(seen: Evidence, hill: DrawnHill, color: str, clears: bool) -> list[Part]:
    """A line for each place where a share lies, and over it the part that is judged."""
    at, cut = hill.lines, seen.threshold
    if not len(at):
        return []
    judged = np.where(at == cut, hill.lot, np.where(at < cut, 1.0, 0.0) if clears else np.where(at > cut, 1.0, 0.0))
    highest = max(float(one.shares.max(initial=0.0)) for one in (seen.outsiders, seen.members))
    return [
        trace(
            np.repeat(_along(seen, at), 3),
            np.column_stack([0.0 * part, part * hill.shares / highest, np.full(len(at), np.nan)]).ravel(),
            showlegend=False,
            line={"color": theme.shade(color, strength), "width": 3},
            hovertemplate="A share at one place, evidence %{x:.3~g}<extra></extra>",
        )
        for part, strength in ((np.ones(len(at)), 0.45), (judged, 1.0))
    ]


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
