"""What the figures show of two groups of losses: densities of the scores with their fits, and both errors."""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from numerics.epsilon_star.laws import Fit, Mixture
from numerics.epsilon_star.rates import Term, ThresholdRates
from numerics.epsilon_star.scores import Transform, ascending
from numerics.trade_off import Bound, Floats, TradeOffCurve, alpha_grid
from numerics.validation import NonNegative, Probabilities, Probability, checked, value

FOUND_AT = 0.01  # share of errors at which losses are counted for the sentence on the page
_ROUNDING = 1e-12  # 0.01 of 700 is 7, whatever its last bit says
_MOST_BINS = 60
_POINTS = 200  # on each of the two lists of thresholds
_FIT_POINTS = 201
_SMALLEST_FITTED = 1e-16  # error rates of the fits are drawn down to this


@value(eq=False)
class ScoreDensity:
    """Density (k,) of one group's scores in bins, the law fitted to it if any, and its density at ``fit_points``."""

    density: Floats
    fit: Fit | None
    fit_density: Floats


@value(eq=False)
class LossSummary:
    """Everything the figures need; small, whatever the number of losses.

    Attributes:
        edges: of the histograms' bins of scores, (k + 1,).
        train, population: densities of the scores.
        fit_points: scores at which the fits are drawn, (m,).
        counted, of_fits: error rates by counting, and of the fitted laws if there are any.
        found: largest counted share found with at most a share ``FOUND_AT`` of errors, as each ratio sees both.
        transform: from losses to the scores.
    """

    edges: Floats
    train: ScoreDensity
    population: ScoreDensity
    fit_points: Floats
    counted: ThresholdRates
    of_fits: ThresholdRates | None
    found: Mapping[Term, float]
    transform: Transform


@checked
def summarise(
    train_losses: Floats, population_losses: Floats, transform: Transform, laws: tuple[Fit, Fit] | None = None
) -> LossSummary:
    """Summarise losses (n,) and (m,), which are not all the same, and the ``laws`` fitted to their scores if any."""
    train, population = ascending(train_losses), ascending(population_losses)
    low, high = transform.scores(np.array([transform.lowest, transform.highest]))
    edges = np.linspace(low, high, int(np.clip(np.sqrt(min(len(train), len(population))), 10, _MOST_BINS)) + 1)
    reach = 0.1 * (high - low)
    points = np.linspace(low - reach, high + reach, _FIT_POINTS)
    members, outsiders = (
        _density(transform.scores(losses), edges, points, fit)
        for losses, fit in zip((train, population), laws or (None, None), strict=True)
    )
    # Thresholds are dense where any rate is near 0, and beyond both ends.
    ranks = alpha_grid(_POINTS, smallest=0.5 / max(len(train), len(population)))
    places = [losses[np.round(ranks * (len(losses) - 1)).astype(int)] for losses in (train, population)]
    counted = ThresholdRates.of(train, population, np.append(-np.inf, np.unique(np.concatenate(places))))
    of_fits = None if laws is None else _fitted_rates(*laws)
    found = MappingProxyType({term: found_at(train, population, FOUND_AT, term) for term in Term})
    return LossSummary(edges, members, outsiders, points, counted, of_fits, found, transform)


@checked
def found_at(train: Floats, population: Floats, alpha: Probability, term: Term) -> float:
    """Largest share found with at most a share ``alpha`` of errors, over all thresholds, for ascending losses."""
    negatives, positives = (population, train) if term.names_members else (train, population)
    if term.is_above:
        negatives, positives = -negatives[::-1], -positives[::-1]
    allowed = int(alpha * len(negatives) * (1.0 + _ROUNDING))
    return (
        1.0
        if allowed >= len(negatives)
        else float(np.searchsorted(positives, negatives[allowed], "left") / len(positives))
    )


def _density(values: Floats, edges: Floats, points: Floats, fit: Fit | None) -> ScoreDensity:
    is_even = bool(np.all(np.diff(edges) > 0.0))  # as linspace made them, which NumPy counts five times as fast
    counts, _ = np.histogram(values, *((len(edges) - 1, (edges[0], edges[-1])) if is_even else (edges,)))
    density = counts / (len(values) * np.diff(edges))
    if fit is None:
        return ScoreDensity(density, None, np.empty(0))
    law = fit if isinstance(fit, Mixture) else Mixture((1.0,), (fit.mean,), (fit.sd,))
    return ScoreDensity(density, fit, law.density(points))


def _fitted_rates(train: Fit, population: Fit) -> ThresholdRates:
    """Without falls of the last bit, which sums over a mixture's laws have near 1."""
    ranks = np.geomspace(_SMALLEST_FITTED, 0.5, _POINTS)
    tau = np.sort(np.concatenate([side for law in (train, population) for side in (law.ppf(ranks), law.isf(ranks))]))
    rising = [np.maximum.accumulate(np.exp(law.logcdf(tau))) for law in (population, train)]
    falling = [np.maximum.accumulate(np.exp(law.logsf(tau))[::-1])[::-1] for law in (population, train)]
    return ThresholdRates(rising[0], falling[0], falling[1], rising[1])


@checked
def limit(epsilon: NonNegative, delta: Probability, alpha: Probabilities) -> TradeOffCurve:
    """The line that no threshold crosses: 1 - beta <= delta + e^epsilon alpha, and the same for the other error."""
    steep, flat = delta + np.exp(min(epsilon, 700.0)) * alpha, np.exp(-epsilon) * (1.0 - delta - alpha)
    beta = np.maximum(np.maximum(1.0 - steep, flat), 0.0)
    power = np.minimum(np.minimum(steep, 1.0 - flat), 1.0)
    return TradeOffCurve(alpha.copy(), beta, power, Bound.AUDIT, f"limit at ε* = {epsilon:.3g}, δ = {delta:.3g}")
