"""The figures of audits, as pages draw them and reports print them, also of losses that an engine counted."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from losses.errors import visible
from numerics.audits import ClaimVerdict, Scores, roc_region
from numerics.audits.one_run import Finding, Guesses
from numerics.epsilon_star import EpsilonStar
from numerics.epsilon_star.aggregates import LossBins
from numerics.epsilon_star.rates import Term, ThresholdRates
from numerics.epsilon_star.summary import limit
from numerics.trade_off import Bound, Floats, alpha_grid
from plotting import theme
from plotting.claims import MeasuredRoc, PartShare, guesses_figure, parts_figure, roc_figure
from plotting.curves import Axes
from plotting.epsilon_star import Best, errors_figure
from plotting.printed import drawing
from reports import attack_scores, parts
from reports.audit_report import ReportFigure
from reports.promises import place_of

MOST_PARTS = 30
"""That a figure has; of more, those of which most is shown."""
SMALLEST = 1e-17
"""Rate from which on figures of losses begin."""
ERRORS = "Errors of attacks by threshold."
_POINTS = 200
_ALPHA = alpha_grid(120, 1e-4)
_OF_RUNS = "Runs without the record that are accused — share", "Runs with it that are"
_OF_SCORES = "Outsiders wrongly accused — share", "Members rightly accused"


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
    table = {
        "guesses": np.array(guesses.counts, dtype=float),
        "right": np.array(guesses.correct, dtype=float),
        "refuted from": np.array(found.critical, dtype=float),  # NaN for none
    }
    refuted = "the promise is refuted" if found.claim.parameter > 0.0 else "an ε above 0 is proved"
    caption = f"Right guesses about canaries, by the number of guesses, and from where on {refuted}."
    return Drawn(guesses_figure(guesses.counts, guesses.correct, found.critical), caption, table)


def measured(scores: Scores, level: float) -> MeasuredRoc:
    """The curve of scores with the region that contains it."""
    region = roc_region(scores, _ALPHA, level)
    assert region.lower is not None
    assert region.upper is not None
    return MeasuredRoc(_ALPHA, region.power, region.upper.power, region.lower.power)


def of_runs(curve: MeasuredRoc, verdict: ClaimVerdict) -> Drawn:
    """The curve of the runs beside what the promise allows."""
    promised, place = verdict.test.claim.power(_ALPHA), place_of(verdict.test.cut)
    figure = roc_figure(curve, *_OF_RUNS, promised, [] if place is None else [place])
    table = {"false positive rate": _ALPHA, "promised at most": promised}
    caption = "Across: runs without the record that are accused. Up: runs with it that are, promised and measured."
    return Drawn(figure, caption, table | {"reached": curve.low, "not exceeded": curve.high})


def of_scores(curve: MeasuredRoc, shown: attack_scores.ScoreFindings) -> Drawn:
    """The curve of an attack on one model."""
    figure = roc_figure(curve, *_OF_SCORES, marks=[(rate.alpha, rate.value) for rate in shown.rates])
    table = {"false positive rate": _ALPHA, "true positive rate": curve.power}
    caption = "Members rightly accused against outsiders wrongly accused."
    return Drawn(figure, caption, table | {"at least": curve.low, "at most": curve.high})


def of_parts(found: parts.Compared) -> Drawn | None:
    """The parts below each other; None where all of them are too small."""
    looked = [place for place, one in enumerate(found.found) if one.rate is not None]
    most = sorted(looked, key=lambda place: -parts.least(found.found[place]))[:MOST_PARTS]
    limits = [
        PartShare(visible(found.names[place]), rate.value, rate.lower, rate.upper)
        for place in sorted(most)
        if (rate := found.found[place].rate) is not None
    ]
    if not limits:
        return None
    said = f"Members found of {len(limits):,} {found.kind}, with limits that hold together."
    return Drawn(parts_figure(limits, found.alpha), said)


# Both errors of an audit of losses.


def of_bins(result: EpsilonStar, bins: LossBins) -> Drawn:
    """Both errors at ends of bins, where they are exact, and the limit at epsilon* unless ``result`` is the bound."""
    members, outsiders = (np.append(0.0, np.cumsum(counts)) for counts in (bins.train, bins.population))
    shown = np.unique(np.concatenate([_dense_at_ends(members), _dense_at_ends(outsiders)]))
    counted = ThresholdRates.counted(members[shown], outsiders[shown], members[-1], outsiders[-1])
    optimum = best(result, 0.0)
    curves = [counted.curve(optimum.term, Bound.AUDIT, "counted")]
    if result.confidence is None and np.isfinite(result.value):
        curves.append(limit(result.value, result.delta, alpha_grid(400, SMALLEST)))
    return Drawn(errors_figure(curves, optimum, Axes.LOG, smallest(result, optimum)), ERRORS)


def _dense_at_ends(counts: Floats) -> NDArray[np.intp]:
    """Places in ascending ``counts`` (b,), dense where a share of them is near 0 or 1."""
    shares = alpha_grid(_POINTS, smallest=0.5 / counts[-1])
    return np.asarray(np.minimum(np.searchsorted(counts, shares * counts[-1]), len(counts) - 1))


def best(result: EpsilonStar, score: float) -> Best:
    """The optimum as figures show it, at a score: the error rate in its ratio's denominator, and in its numerator."""
    maximum = result.maxima[0]
    t, eta = maximum.false_positive_rate, maximum.false_negative_rate
    errors = {
        Term.MEMBERS_BELOW: (t, 1.0 - eta),
        Term.OUTSIDERS_ABOVE: (eta, 1.0 - t),
        Term.MEMBERS_ABOVE: (1.0 - t, eta),
        Term.OUTSIDERS_BELOW: (1.0 - eta, t),
    }
    return Best(maximum.term, score, *errors[maximum.term])


def smallest(result: EpsilonStar, optimum: Best) -> float:
    """Left end of the log axes: below one person, and below the optimum."""
    evidence = result.groups
    person = 1.0 if evidence is None else 1.0 / max(evidence.train_size, evidence.population_size)
    return max(0.3 * min(person, optimum.alpha if optimum.alpha > 0.0 else person), SMALLEST)
