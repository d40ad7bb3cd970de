"""The figures of audits, as pages draw them and reports print them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from losses.errors import visible
from numerics.audits import Claim, ClaimVerdict, Scores, roc_region
from numerics.audits.one_run import Finding, Guesses
from numerics.trade_off import Floats, alpha_grid
from plotting import theme
from plotting.claims import guesses_figure
from plotting.parts import PartShare, parts_figure
from plotting.printed import drawing
from plotting.roc import MeasuredRoc, RocAxes, roc_figure
from reports import attack_scores, canaries, parts, runs
from reports.audit_report import ReportFigure

MOST_PARTS = 30
"""That a figure has; of more, those of which most is shown."""
_ALPHA = alpha_grid(120, 1e-4)
_OF_RUNS = RocAxes("Runs without the record that are accused — share", "Runs with it that are")
_OF_SCORES = RocAxes("Outsiders wrongly accused — share", "Members rightly accused")


@dataclass(frozen=True, eq=False)
class Drawn:
    """A figure, what it shows, and its numbers by column."""

    figure: theme.Figure
    caption: str
    table: Mapping[str, Floats] = field(default_factory=dict)

    @property
    def picture(self) -> ReportFigure:
        """The figure as a report prints it."""
        return ReportFigure(drawing(self.figure, self.caption), self.caption)


def of_canaries(guesses: Guesses, found: Finding) -> Drawn:
    """Shares of right guesses, and those from which on the promise is refuted."""
    needed = [np.nan if least is None else float(least) for least in found.critical]
    table = {
        "guesses": np.array(guesses.counts, dtype=float),
        "right": np.array(guesses.correct, dtype=float),
        "refuted from": np.array(needed),
    }
    return Drawn(guesses_figure(guesses.counts, guesses.correct, found.critical), canaries.CAPTION, table)


def measured(scores: Scores, level: float) -> MeasuredRoc:
    """The curve of scores with the region that contains it."""
    region = roc_region(scores, _ALPHA, level)
    assert region.lower is not None
    assert region.upper is not None
    return MeasuredRoc(_ALPHA, region.power, region.upper.power, region.lower.power)


def of_runs(curve: MeasuredRoc, verdict: ClaimVerdict) -> Drawn:
    """The curve of the runs beside what the promise allows."""
    claim: Claim = verdict.test.claim
    promised, place = claim.power(_ALPHA), runs.place(verdict.test.cut)
    figure = roc_figure(curve, _OF_RUNS, promised, [] if place is None else [place])
    table = {"false positive rate": _ALPHA, "promised at most": promised}
    return Drawn(figure, runs.CAPTION, table | {"reached": curve.low, "not exceeded": curve.high})


def of_scores(curve: MeasuredRoc, shown: attack_scores.ScoreFindings) -> Drawn:
    """The curve of an attack on one model."""
    figure = roc_figure(curve, _OF_SCORES, marks=[(rate.alpha, rate.value) for rate in shown.rates])
    table = {"false positive rate": _ALPHA, "true positive rate": curve.power}
    return Drawn(figure, attack_scores.CAPTION, table | {"at least": curve.low, "at most": curve.high})


def of_parts(every: parts.ComparedParts, found: parts.Compared) -> Drawn | None:
    """The parts below each other; None where all of them are too small."""
    looked = [place for place, one in enumerate(found.found) if one.rate is not None]
    most = sorted(looked, key=lambda place: -parts.least(found.found[place]))[:MOST_PARTS]
    limits = [
        PartShare(visible(every.names[place]), rate.value, rate.lower, rate.upper)
        for place in sorted(most)
        if (rate := found.found[place].rate) is not None
    ]
    if not limits:
        return None
    said = f"Members found of {len(limits):,} {every.kind}, with limits that hold together."
    return Drawn(parts_figure(limits, found.alpha), said)
