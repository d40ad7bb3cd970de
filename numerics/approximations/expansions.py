"""The literature's estimates of the composed trade-off curve: central limit theorem and Edgeworth expansion.

Neither is a bound: each may lie on either side of the truth, and both lose all accuracy at small false positive rates.
They are here, beside Monte Carlo (``sampling``), to be compared with the certified curve. All are of the add-one
order: the null hypothesis is that the record is absent (or, under replace-one, has the other value).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.polynomial.hermite_e import hermeval
from scipy.special import ndtr, ndtri

from numerics.mechanisms import Mechanism
from numerics.mechanisms.noise import Standard
from numerics.roots import halved
from numerics.sampling.poisson import SampledPair, sampled_pairs
from numerics.trade_off import Bound, Floats, TradeOffCurve
from numerics.unsupported import law_of
from numerics.validation import Interval, Probabilities, checked

# The form every estimate of a trade-off curve is returned in: named, with its limits, never as a bound.


NOT_A_BOUND = "An estimate, not a bound: the true curve may lie on either side."


@checked
def estimate(
    mechanism: Mechanism, alpha: Floats, beta: Floats, power: Floats, *, label: str, limit: str
) -> TradeOffCurve:
    """The estimated curve (n,) with ``limit``, the method's own, ahead of the mechanism's assumptions."""
    assumptions = (NOT_A_BOUND, limit, *mechanism.assumptions)
    return TradeOffCurve(np.array(alpha), beta, power, Bound.ESTIMATE, label, assumptions)


# One step as the approximations need it: chi-square and cumulants of its log-likelihood ratio.
#
# The certified engine never uses these. With the noise K_m centred at m, sampling rate p and positions x in units of
# the sensitivity, the step's pair is P (record present) against Q (record absent, or replaced): see
# ``sampling.poisson``.


LARGEST_ORDER = 6
# Twenty Gauss-Legendre nodes integrate each panel of one noise scale to rounding.
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(20)
# Beyond so many times the noise's extent its share of every moment is negligible.
_FURTHER = 1.5


def standard(pair: SampledPair) -> Standard:
    """The noise of a step's pair at scale 1; raises UnsupportedError for noise that does not say it."""
    return law_of(pair.noise.standard, pair.noise, "This estimate is")


def absent_shift(pair: SampledPair) -> float:
    """Where the noise is centred in a sampled step without the record: 0, or -1 when it is replaced."""
    return -1.0 if pair.replace_one else 0.0


def chi_square(pair: SampledPair) -> float:
    """Small-rate limit of Var(log dP/dQ) / p^2 in one step; paper 003 footnote 3 with correction 39."""
    if absent_shift(pair) == 0.0:
        return _overlap(pair, 1.0)
    return 2.0 * (_overlap(pair, 1.0) - _overlap(pair, -1.0))


def _overlap(pair: SampledPair, other: float) -> float:
    """Integral of k_1 k_other / k_0 - 1 = k_0 (k_1 / k_0 - 1) (k_other / k_0 - 1); by quadrature without a formula."""
    known = pair.noise.overlap(1.0, other)
    if known is not None:
        return known
    x, weight = _nodes(_breaks(pair))
    with np.errstate(over="ignore"):
        ratios = np.expm1(pair.noise.shift_loss(x)) * np.expm1(pair.noise.shift_loss(other * x))
        return float(np.sum(weight * _density(pair, x) * ratios))


def _density(pair: SampledPair, x: Floats) -> Floats:
    scale = pair.noise.scale
    return np.exp(standard(pair).log_density(x / scale)) / scale


@dataclass(frozen=True, eq=False)
class StepCumulants:
    """Cumulants (6,) of one step's log dP/dQ, first to sixth, without and with the record."""

    null: Floats
    alternative: Floats


def cumulants(pair: SampledPair) -> StepCumulants:
    """Cumulants of the step's log-likelihood ratio by Gauss-Legendre panels (Zheng et al. 2020).

    Central moments are integrated, not raw ones, which would cancel: relative error about 1e-12 at moderate noise.
    """
    x, weight = _nodes(_breaks(pair))
    loss = pair.loss(x)

    def law(shift: float) -> Floats:
        return weight * ((1.0 - pair.rate) * _density(pair, x) + pair.rate * _density(pair, x - shift))

    return StepCumulants(_cumulants(loss, law(absent_shift(pair))), _cumulants(loss, law(1.0)))


def _breaks(pair: SampledPair) -> Floats:
    """Panel ends: one noise scale around each centre, finer where a sampled loss leaves its floor log(1-p)."""
    scale, reach = pair.noise.scale, np.ceil(_FURTHER * standard(pair).extent)
    around = np.arange(-reach, reach + 0.5) * scale
    pieces = [around - 1.0, around, around + 1.0, np.array([-1.0, 0.0, 1.0])]
    if pair.rate < 1.0:
        level = np.log1p(-pair.rate) - np.log(pair.rate)
        bend = pair.noise.shift_position(np.array([level]))
        # A loss may bend within a few s^2 of the position where both parts of the mixture weigh the same.
        near = np.arange(-30.0, 30.5) * scale * min(1.0, scale)
        pieces += [bend + near, near - bend]
    ends = np.unique(np.concatenate(pieces))
    return ends[np.abs(ends) <= 1.0 + reach * scale]


def _nodes(breaks: Floats) -> tuple[Floats, Floats]:
    """Positions and weights of the composite rule."""
    half = 0.5 * np.diff(breaks)[:, None]
    middle = 0.5 * (breaks[1:] + breaks[:-1])[:, None]
    return (middle + half * _NODES).ravel(), (half * _WEIGHTS).ravel()


def _cumulants(loss: Floats, mass: Floats) -> Floats:
    """First six cumulants of a discrete law, from its central moments."""
    mean = float(mass @ loss)
    centred = loss - mean
    m2, m3, m4, m5, m6 = (float(mass @ centred**order) for order in range(2, LARGEST_ORDER + 1))
    return np.array([mean, m2, m3, m4 - 3 * m2**2, m5 - 10 * m3 * m2, m6 - 15 * m4 * m2 - 10 * m3**2 + 30 * m2**3])


LARGEST_EDGEWORTH_ORDER = 4
Order = Annotated[int, Interval(0, LARGEST_EDGEWORTH_ORDER)]

_CLT_LIMIT = "Central limit theorem: accurate only for many steps at a small sampling rate and moderate error rates."
_EDGEWORTH_LIMIT = "Edgeworth expansion with terms up to N^(-{order}/2); not accurate at small false positive rates."

# Quantiles of the expansion are searched on this grid before they are refined; the normal density underflows outside.
_QUANTILE_GRID = np.linspace(-38.0, 38.0, 7601)
_HALVINGS = 50
# Deviation of the loss, relative to its mean, that integration cannot tell from 0.
_NEGLIGIBLE = 1e-9


@checked
def clt_mu(mechanism: Mechanism) -> float:
    """Parameter mu~ of the Gaussian trade-off function that the central limit theorem assigns; inf on overflow.

    Sampled steps: p sqrt(N chi^2), with the chi-square divergence of one step (paper 003 with correction 39); phases
    add in squares. Unsampled steps have no small-rate limit and take 2 N KL / sqrt(N Var) (Dong, Roth and Su 2022,
    Theorem 3.4), which is exact for noise whose effect sizes add in squares.
    """
    squared = 0.0
    for pair, steps in sampled_pairs(mechanism.pairs):
        if pair.rate < 1.0:
            squared += steps * pair.rate**2 * chi_square(pair)
        else:
            mean, variance = cumulants(pair).null[:2]
            squared += steps * 4.0 * mean**2 / variance
    return float(np.sqrt(squared))


@checked
def clt(mechanism: Mechanism, alpha: Probabilities) -> TradeOffCurve:
    """Central limit estimate G_mu~ of the trade-off curve at ``alpha`` (n,).

    Raises ValueError unless alpha ascends within [0, 1].
    """
    mu = clt_mu(mechanism)
    critical = -ndtri(np.clip(alpha, np.finfo(float).tiny, None))
    beta = np.where(alpha > 0.0, ndtr(critical - mu), 1.0)
    power = np.where(alpha > 0.0, ndtr(mu - critical), 0.0)
    size = "∞" if np.isinf(mu) else f"{mu:.4g}"
    return estimate(mechanism, alpha, beta, power, label=f"CLT estimate, mu = {size}", limit=_CLT_LIMIT)


@checked
def edgeworth(mechanism: Mechanism, alpha: Probabilities, order: Order = LARGEST_EDGEWORTH_ORDER) -> TradeOffCurve:
    """Edgeworth estimate of the trade-off curve at ``alpha`` (n,), with terms up to N^(-order/2) (correction 43).

    Threshold t with F_null(t) = 1 - alpha, then beta = F_alternative(t) (paper 003 section 2; Zheng et al. 2020). Both
    are expansions of the log-likelihood ratio's laws, so order 0 is not the CLT estimate. Values are clipped to [0, 1]
    and are not forced to be monotone or convex: where they are not, the expansion does not hold.

    Raises ValueError unless order is 0 ... 4, alpha ascends within [0, 1], and the loss varies without the record.
    """
    total = composed_cumulants(mechanism)
    deviations = np.sqrt(total.null[1]), np.sqrt(total.alternative[1])
    if not deviations[0] > _NEGLIGIBLE * abs(total.null[0]):
        raise ValueError("the privacy loss hardly ever varies at this noise and sampling rate; Edgeworth needs that.")
    # The smallest x with P(S > x) <= alpha: an expansion need not be monotone, so the first crossing is bracketed on a
    # grid and refined by bisection.
    upper_tail = _tail(total.null, order, -1.0)
    place = np.searchsorted(-np.minimum.accumulate(upper_tail(_QUANTILE_GRID)), -alpha, side="left")
    low, high = _QUANTILE_GRID[np.maximum(place, 1) - 1], _QUANTILE_GRID[np.minimum(place, len(_QUANTILE_GRID) - 1)]
    _, x = halved(lambda x: ~(upper_tail(x) <= alpha), low, high, _HALVINGS)
    x = np.where(alpha >= 1.0, -np.inf, np.where(alpha <= 0.0, np.inf, x))
    y = (x * deviations[0] + total.null[0] - total.alternative[0]) / deviations[1]
    power = np.clip(_tail(total.alternative, order, -1.0)(y), 0.0, 1.0)
    beta = np.clip(_tail(total.alternative, order, 1.0)(y), 0.0, 1.0)
    limit = _EDGEWORTH_LIMIT.format(order=order)
    return estimate(mechanism, alpha, beta, power, label=f"Edgeworth estimate, order {order}", limit=limit)


@checked
def composed_cumulants(mechanism: Mechanism) -> StepCumulants:
    """Cumulants (6,) of the summed log-likelihood ratio over all steps and phases: cumulants of a sum add."""
    phases = [(cumulants(pair), steps) for pair, steps in sampled_pairs(mechanism.pairs)]
    return StepCumulants(
        np.sum([steps * law.null for law, steps in phases], axis=0),
        np.sum([steps * law.alternative for law, steps in phases], axis=0),
    )


def _correction(cumulant: Floats, order: int) -> Floats:
    """Coefficients (12,) by Hermite polynomial of sum q_j, j = 1 ... order, in F = Phi - phi q (Hall 1992, 2.3)."""
    k3, k4, k5, k6 = cumulant[2:] / cumulant[1] ** (0.5 * np.arange(3, 7))
    terms = (
        {2: k3 / 6},
        {3: k4 / 24, 5: k3**2 / 72},
        {4: k5 / 120, 6: k3 * k4 / 144, 8: k3**3 / 1296},
        {5: k6 / 720, 7: k4**2 / 1152 + k3 * k5 / 720, 9: k3**2 * k4 / 1728, 11: k3**4 / 31104},
    )
    coefficients = np.zeros(12)
    for term in terms[:order]:
        for degree, weight in term.items():
            coefficients[degree] += weight
    return coefficients


def _tail(cumulant: Floats, order: int, side: float) -> Callable[[Floats], Floats]:
    """Expansion of P(S <= x) for ``side`` 1, of P(S > x) for -1; S is the standardised sum.

    Either is computed directly, so that small tails keep their digits.
    """
    coefficients = _correction(cumulant, order)

    def tail(x: Floats) -> Floats:
        inside = np.clip(x, _QUANTILE_GRID[0], _QUANTILE_GRID[-1])  # the density underflows further out
        term = np.exp(-0.5 * inside**2) / np.sqrt(2.0 * np.pi) * hermeval(inside, coefficients)
        return ndtr(side * x) - side * np.where(inside == x, term, 0.0)

    return tail
