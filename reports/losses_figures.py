"""The figure of both errors of an audit of losses, also of those that an engine counted."""

import numpy as np
from numpy.typing import NDArray

from numerics.epsilon_star import EpsilonStar
from numerics.epsilon_star.aggregates import LossBins
from numerics.epsilon_star.rates import MaximumRatio, Term, ThresholdRates
from numerics.epsilon_star.summary import limit
from numerics.trade_off import Bound, Floats, alpha_grid
from plotting.curves import Axes
from plotting.epsilon_star import Best, errors_figure
from reports.figures import Drawn

SMALLEST = 1e-17
ERRORS = "Errors of attacks by threshold."
_POINTS = 200


def best(result: EpsilonStar, score: float) -> Best:
    """The optimum as figures show it, at a score."""
    return Best(result.peaks[0].term, score, *_errors(result.peaks[0]))


def smallest(result: EpsilonStar, optimum: Best) -> float:
    """Left end of the log axes: below one person, and below the optimum."""
    evidence = result.evidence
    person = 1.0 if evidence is None else 1.0 / max(evidence.train_size, evidence.population_size)
    return max(0.3 * min(person, optimum.alpha if optimum.alpha > 0.0 else person), SMALLEST)


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


def _errors(peak: MaximumRatio) -> tuple[float, float]:
    """The error rate in the ratio's denominator, and the rate in its numerator."""
    t, eta = peak.false_positive_rate, peak.false_negative_rate
    return {
        Term.MEMBERS_BELOW: (t, 1.0 - eta),
        Term.OUTSIDERS_ABOVE: (eta, 1.0 - t),
        Term.MEMBERS_ABOVE: (1.0 - t, eta),
        Term.OUTSIDERS_BELOW: (1.0 - eta, t),
    }[peak.term]
