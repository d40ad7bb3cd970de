"""One step as the approximations need it: chi-square and cumulants of its log-likelihood ratio.

The certified engine never uses these. With the noise K_m centred at m, sampling rate p and positions x in units of the
sensitivity, the step's pair is P (record present) against Q (record absent, or replaced): see ``sampling.poisson``.
"""

from dataclasses import dataclass

import numpy as np

from numerics.mechanisms.noise import Standard
from numerics.not_offered import law_of
from numerics.sampling.poisson import SampledPair
from numerics.trade_off import Floats

LARGEST_ORDER = 6
# Twenty Gauss-Legendre nodes integrate each panel of one noise scale to rounding.
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(20)
# Beyond so many times the noise's extent its share of every moment is negligible.
_FURTHER = 1.5


def standard(pair: SampledPair) -> Standard:
    """The noise of a step's pair at scale 1; raises NotOfferedError for noise that does not say it."""
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
    return np.asarray(np.exp(standard(pair).log_density(x / scale)) / scale)


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
    return np.asarray(ends[np.abs(ends) <= 1.0 + reach * scale])


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
