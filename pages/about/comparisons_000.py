"""Formulas of our copy, or read in another way, beside what holds: paper 000."""

import numpy as np

from numerics import as_quoted
from numerics.mechanisms import Gaussian
from numerics.mechanisms.folded_distance import FoldedDistance
from numerics.mechanisms.gaussian import FoldedNormal
from numerics.mechanisms.laplace import FoldedLaplace, LaplaceShift
from numerics.relaxed import asymptotics
from numerics.relaxed.folded import FoldedOnce
from numerics.trade_off import Bound, Floats, Order
from pages.about.comparison import (
    IN_OUR_COPY,
    OPEN_UNIT,
    AxisPair,
    Comparison,
    DecidingValue,
    Slider,
    Variant,
    found,
    missed,
)
from pages.ui import cached_threat_models
from plotting.correction import CorrectionAxis

_EFFECT = "Effect size μ"
_EFFECTS = (0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 3.0)
_NOISES = (0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0)
_STEPS = (1.0, 3.0, 10.0, 30.0, 50.0, 150.0, 500.0, 1000.0)


def _inverse(mu: float, alpha: Floats) -> Floats:
    return FoldedLaplace(mu).inverse(alpha, 1.0 - alpha).beta


def _guessing(_: float, alpha: Floats) -> Floats:
    return 1.0 - alpha


def _both_orders(mu: float, alpha: Floats) -> Floats:
    return FoldedOnce(FoldedLaplace(mu)).trade_off(alpha, Order.SYMMETRIC).beta


def _known_laplace(mu: float, alpha: Floats) -> Floats:
    return LaplaceShift(mu).beta(alpha)


_LAPLACE = (
    Comparison(
        2,
        Slider(_EFFECT, _EFFECTS, 1.0),
        axes=missed(),
        ends=(0.05, 0.5),
        fixed="One release of Laplace noise.",
        lines=(
            Variant(IN_OUR_COPY, lambda mu, x: as_quoted.inverse_of_folded_laplace(x, mu), None),
            Variant("inverse of Equation 2", _inverse),
        ),
        evidence=(
            DecidingValue(1.0, 0.3742, 0.40900, "simulated", 0.00025),
            DecidingValue(0.6, 0.2875, 0.60487, "simulated", 0.00024),
        ),
    ),
    Comparison(
        3,
        Slider(_EFFECT, _EFFECTS, 1.0),
        axes=missed(),
        ends=(0.0, 1.0),
        fixed="One release of Laplace noise.",
        lines=(
            Variant("laws exchanged in T (not meant)", lambda mu, x: as_quoted.exchanged_laws(x, mu), None),
            Variant("inverse function", _inverse),
            Variant("guessing", _guessing),
        ),
        evidence=(DecidingValue(1.0, 0.05, 0.95, "what guessing misses; no test may do worse"),),
    ),
    Comparison(
        6,
        Slider(_EFFECT, _EFFECTS, 0.6),
        axes=missed(),
        ends=(0.0, 1.0),
        fixed="One release of Laplace noise.",
        lines=(
            Variant("rule of two cases (not meant)", lambda mu, x: as_quoted.two_case_symmetrisation(x, mu), None),
            Variant("envelope of the smaller curve", _both_orders),
            Variant("full knowledge", _known_laplace),
        ),
        evidence=(
            DecidingValue(0.6, 0.1, float(_inverse(0.6, np.array([0.1]))[0]), "an attack that exists: the inverse"),
        ),
    ),
)


def _mean_kappa(noise: float, other: Floats) -> Floats:
    return 4.0 / (noise**2 + other**2)


def _curve(kappa: float, alpha: Floats) -> Floats:
    return FoldedNormal(float(np.sqrt(kappa))).errors(alpha, 1.0 - alpha).beta


_AVERAGED = (
    Comparison(
        8,
        Slider("Noise σ of the first release", _NOISES, 1.0),
        axes=AxisPair(CorrectionAxis("Noise σ of the second release"), CorrectionAxis("Noncentrality κ of the mean")),
        ends=(0.2, 5.0),
        fixed="Both sensitivities 1.",
        lines=(
            Variant(IN_OUR_COPY, lambda s, x: as_quoted.lemma_8_noncentrality((1.0, 1.0), (s, x)), None),
            Variant("Equation 46", _mean_kappa),
        ),
        evidence=(DecidingValue(1.0, 3.0, 0.4, "by arithmetic: (1 + 1)² / (1² + 3²)"),),
    ),
    Comparison(
        9,
        Slider("Noise σ of the second release", _NOISES, 3.0),
        axes=missed(),
        ends=OPEN_UNIT,
        fixed="The first release has noise 1; both sensitivities 1.",
        lines=(
            Variant(
                "plain mean, no guarantee (wrong)",
                lambda s, x: _curve(as_quoted.noncentrality_of_the_mean((1.0, 1.0), (1.0, s)), x),
                None,
            ),
            Variant("best statistic", lambda s, x: _curve(1.0 + s**-2.0, x)),
            Variant("the first release alone", lambda _, x: _curve(1.0, x)),
        ),
        evidence=(DecidingValue(3.0, 0.05, 0.81603, "simulated attack", 0.00019),),
    ),
)

_D, _MU = 300, 0.2


def _many(steps: float, alpha: Floats) -> Floats:
    return FoldedDistance(float(np.sqrt(steps)) * _MU, float(_D)).errors(alpha, 1.0 - alpha).beta


def _few(steps: float, alpha: Floats) -> Floats:
    return FoldedNormal(float(np.sqrt(steps)) * 0.05).errors(alpha, 1.0 - alpha).beta


_DIMENSIONS = (
    Comparison(
        12,
        Slider("Number of steps N", _STEPS, 150.0),
        axes=missed(),
        ends=OPEN_UNIT,
        fixed="d = 300, μ = 0.2 a step.",
        lines=(
            Variant(f"left side {IN_OUR_COPY}", lambda n, x: as_quoted.theorem_3_left(x, n * _MU**2, _D), None),
            Variant(f"right side {IN_OUR_COPY}", lambda n, x: as_quoted.theorem_3_right(x, _MU, n, _D), None),
            Variant("left side by Eq. 58", lambda n, x: asymptotics.scaled(x, n * _MU**2, _D).beta, Bound.ESTIMATE),
            Variant("right side by Eq. 59", lambda n, x: asymptotics.shifted(x, n * _MU**2, _D).beta, Bound.ESTIMATE),
            Variant("Equation 4", _many),
        ),
        evidence=(DecidingValue(150.0, 0.1, 0.84890, "exact (Eq. 4), 50 digits"),),
    ),
    Comparison(
        13,
        Slider("Number of steps N", _STEPS, 1000.0),
        axes=missed(),
        ends=OPEN_UNIT,
        fixed="One dimension, μ = 0.05 a step.",
        lines=(
            Variant("normal form, few dimensions", lambda n, x: asymptotics.scaled(x, n * 0.05**2, 1.0).beta, None),
            Variant("Equation 4", _few),
        ),
        evidence=(DecidingValue(1000.0, 0.01, 0.84004, "exact (Eq. 4), 50 digits"),),
    ),
)

_RATE = 0.4


def _release(steps: float) -> Gaussian:
    return Gaussian(1.0 / _MU, _RATE, int(steps))


def _guarantee(steps: float, alpha: Floats) -> Floats:
    return cached_threat_models.relaxed_power_at(_release(steps), tuple(alpha.tolist()))


def _full_knowledge(steps: float, alpha: Floats) -> Floats:
    return _release(steps).trade_off(alpha, Order.ADD).power


_SAMPLED = (
    Comparison(
        15,
        Slider("Number of steps N", (1.0, 30.0, 100.0), 30.0),
        axes=found(log=True),
        ends=(1e-5, 1.0),
        fixed="μ = 0.2, sampling rate 0.4.",
        points=80,
        lines=(
            Variant(
                "composed, then amplified once (not meant)",
                lambda n, x: as_quoted.amplified_after_composing(x, _MU, _RATE, int(n)),
                None,
            ),
            Variant("best attack, side unknown", _guarantee, Bound.ESTIMATE),
            Variant("full knowledge: nobody has more", _full_knowledge, Bound.CERTIFIED),
        ),
        evidence=(
            DecidingValue(30.0, 0.001, 0.00242, "simulated, side unknown", 0.00006),
            DecidingValue(30.0, 0.001, 0.00417, "full knowledge: the most there is"),
        ),
    ),
)

DRAWN = (*_LAPLACE, *_AVERAGED, *_DIMENSIONS, *_SAMPLED)
