"""Formulas of our copy, or read in another way, beside what holds: papers 001 and 002."""

import numpy as np

from numerics import as_quoted, membership
from numerics.conversions import power_limit
from numerics.epsilon_star.laws import NormalLaw, peaks
from numerics.epsilon_star.rates import LogRates
from numerics.mechanisms import Adjacency
from numerics.mechanisms.gaussian import GaussianShift
from numerics.mechanisms.location import Subsampled
from numerics.membership.noise_scale import NormNoise
from numerics.trade_off import Bound, Floats
from pages.about.comparison import (
    IN_OUR_COPY,
    IN_THE_PAPER,
    AxisPair,
    Comparison,
    DecidingValue,
    Slider,
    Variant,
    each,
    found,
)
from plotting.correction import CorrectionAxis

_DELTA = 1e-6
_POPULATION = NormalLaw(0.0, 1.0)
_DISTANCE = "Distance of the two populations, standard deviations"


def _rates(distance: float, not_accused: Floats) -> LogRates:
    """Error rates of "loss at most x", members ``distance`` below, at thresholds with this share not accused."""
    members, x = NormalLaw(-distance, 1.0), _POPULATION.isf(not_accused)
    return LogRates(_POPULATION.logcdf(x), _POPULATION.logsf(x), members.logsf(x), members.logcdf(x))


def _display(distance: float, not_accused: Floats) -> Floats:
    t, not_t, eta, not_eta = (np.exp(rate) for rate in _rates(distance, not_accused))
    return as_quoted.epsilon_star_display(t, not_t, eta, not_eta, _DELTA)


def _four(distance: float, not_accused: Floats) -> Floats:
    ratios = _rates(distance, not_accused).log_ratios(_DELTA).values()
    return np.asarray(np.max([np.zeros_like(not_accused), *ratios], axis=0))


def _clipped(distance: float, delta: float) -> float:
    return max(peaks(NormalLaw(-distance, 1.0), _POPULATION, delta, delta)[0].log_ratio, 0.0)


def _unclipped(distance: float, delta: float) -> float:
    return Subsampled(GaussianShift(distance)).epsilon(delta)


_EPSILON_STAR = (
    Comparison(
        19,
        Slider(_DISTANCE, (0.0, 0.25, 0.5, 1.0, 2.0, 3.0), 0.0),
        axes=AxisPair(
            CorrectionAxis("Outsiders not accused — 1 − t", log=True),
            CorrectionAxis("Epsilon* from this threshold alone"),
        ),
        ends=(_DELTA, 1.0 - 1e-6),
        fixed="Two normals of equal spread, δ = 10⁻⁶.",
        lines=(Variant(f"display {IN_OUR_COPY}", _display, None), Variant("Equation 7", _four)),
        evidence=(DecidingValue(0.0, _DELTA, 0.0, "identical populations give nothing away"),),
    ),
    Comparison(
        23,
        Slider(_DISTANCE, (0.5, 1.0, 2.0, 3.0), 3.0),
        axes=AxisPair(CorrectionAxis("δ, the share left out", log=True), CorrectionAxis("Epsilon*")),
        ends=(1e-9, 1e-1),
        points=16,
        fixed="Two normals of equal spread.",
        lines=(
            Variant("with the clip [δ, 1 − δ]", each(_clipped), None),
            Variant("exact tails", each(_unclipped)),
        ),
        evidence=(
            DecidingValue(3.0, 1e-6, 18.163445759078, "exact, 50 digits"),
            DecidingValue(1.0, 1e-5, 4.377178095681, "exact, 50 digits"),
        ),
    ),
)


def _eta(epsilon: float) -> float:
    return membership.eta_of_epsilon(epsilon, 0.0, Adjacency.REPLACE_ONE)


def _attack(epsilon: float, alpha: float) -> float:
    return power_limit(epsilon, 0.0, alpha)


def _corrected(epsilon: float, alpha: Floats) -> Floats:
    return np.minimum(alpha + 2.0 * _eta(epsilon), 1.0)


_SPOT = 1.0 / (1.0 + float(np.e))  # where the attacker of randomised response stands at epsilon 1


def _gamma_tail(dimension: float, radius: float) -> float:
    return NormNoise(1.0, (1.0,) * int(dimension)).tail(radius)


_MEMBERSHIP = (
    Comparison(
        28,
        Slider("ε of the mechanism", (0.1, 0.25, 0.5, 1.0, 2.0, 3.0), 1.0),
        axes=found(),
        ends=(0.0, 1.0),
        fixed="The mechanism that makes Theorem 4 tight: two records, randomised response.",
        lines=(
            Variant(f"limit {IN_THE_PAPER}", lambda e, x: as_quoted.membership_power(x, _eta(e)), None),
            Variant("limit with 2 η", _corrected, Bound.LOWER),
            Variant("what its attacker reaches", each(_attack)),
        ),
        evidence=(DecidingValue(1.0, _SPOT, _SPOT + 0.46173, "simulated attack", 0.0007),),
    ),
    Comparison(
        33,
        Slider("Number of coordinates d", (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0), 2.0),
        axes=AxisPair(
            CorrectionAxis("Radius, in scales c of the noise", log=True),
            CorrectionAxis("Chance that the noise is longer"),
        ),
        ends=(0.05, 300.0),
        fixed="Density proportional to exp(−‖x‖/c).",
        lines=(
            Variant(f"Laplace radius, {IN_THE_PAPER}", lambda _, x: as_quoted.laplace_radius_tail(x), None),
            Variant("Gamma radius", each(_gamma_tail)),
        ),
        evidence=(DecidingValue(2.0, 1.0, 1.0 - 0.26411, "quadrature of the density in two dimensions"),),
    ),
)

DRAWN = (*_EPSILON_STAR, *_MEMBERSHIP)
