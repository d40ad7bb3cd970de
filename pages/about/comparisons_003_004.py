"""Formulas of our copy, or read in another way, beside what holds: papers 003 and 004."""

import numpy as np

from numerics import approximations, as_quoted, conversions, reconstruction
from numerics.audits.logit_space import clip_factors
from numerics.gaussian_membership.composition import composed, relaxed_mu, sampling_limit
from numerics.gaussian_membership.step import StepTest
from numerics.mechanisms import Gaussian
from numerics.mechanisms.gaussian import GaussianShift
from numerics.trade_off import Bound, Floats, Order
from pages.about.comparison import (
    IN_OUR_COPY,
    IN_THE_PAPER,
    OPEN_UNIT,
    AxisPair,
    Comparison,
    DecidingValue,
    Slider,
    Variant,
    each,
    found,
    missed,
)
from plotting.correction import CorrectionAxis
from plotting.profile import DELTA, EPSILON
from plotting.reconstruction import GUESSED, RECONSTRUCTED

_GUESS = AxisPair(CorrectionAxis(GUESSED, True), CorrectionAxis(RECONSTRUCTED, True))
_EFFECTS = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0)
_RATES = (0.01, 0.05, 0.1, 0.2, 0.5, 0.9)


def _loose(epsilon: float, prior: float) -> float:
    return reconstruction.from_epsilon_delta(epsilon, 0.0, prior).printed


def _tight(epsilon: float, prior: float) -> float:
    return reconstruction.from_epsilon_delta(epsilon, 0.0, prior).tight


def _shifted(mu: float, alpha: Floats) -> Floats:
    return GaussianShift(mu).power(alpha)


def _clt(mu: float, alpha: Floats) -> Floats:
    return _shifted(approximations.clt_mu(Gaussian(1.0 / mu, 0.01, 10_000)), alpha)


def _certified(mu: float, alpha: Floats) -> Floats:
    return Gaussian(1.0 / mu, 0.01, 10_000).trade_off(alpha, Order.ADD).power


def _delta(mu: float, epsilon: float) -> float:
    return GaussianShift(mu).delta(epsilon)


_RECONSTRUCTION = (
    Comparison(
        37,
        Slider("ε", (0.25, 0.5, 1.0, 2.0, 3.0), 1.0),
        axes=_GUESS,
        ends=(1e-3, 1.0),
        fixed="δ = 0.",
        lines=(
            Variant("Theorem 1 (valid, not tight)", each(_loose), None),
            Variant("tight", each(_tight), Bound.LOWER),
        ),
        evidence=(DecidingValue(1.0, 0.5, 0.81606, "reached by randomised response"),),
    ),
    Comparison(
        38,
        Slider("Number of releases N", (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0), 16.0),
        axes=found(),
        ends=OPEN_UNIT,
        fixed="μ = 0.25 a release.",
        lines=(
            Variant(f"√(Nμ), {IN_OUR_COPY}", lambda n, x: _shifted(as_quoted.composed_effect(0.25, n), x), None),
            Variant("√N μ", lambda n, x: _shifted(float(np.sqrt(n)) * 0.25, x)),
        ),
        evidence=(DecidingValue(16.0, 0.1, 0.38911, "simulated attack", 0.00024),),
    ),
    Comparison(
        39,
        Slider("Effect size μ", _EFFECTS[:7], 0.5),
        axes=found(),
        ends=OPEN_UNIT,
        points=120,
        fixed="Sampling rate 0.01, 10,000 steps.",
        lines=(
            Variant(f"CLT {IN_OUR_COPY}", lambda mu, x: _shifted(as_quoted.clt_mu(mu, 0.01, 1e4), x), None),
            Variant("CLT with μ², footnote 3", _clt, Bound.ESTIMATE),
            Variant("the curve itself", _certified, Bound.CERTIFIED),
        ),
        evidence=(DecidingValue(0.5, 0.1, 0.22714, "certified"),),
    ),
    Comparison(
        40,
        Slider("Sampling rate p", _RATES, 0.1),
        axes=AxisPair(CorrectionAxis("Number of steps N"), CorrectionAxis("Epsilon at δ = 0")),
        ends=(1.0, 60.0),
        whole=True,
        fixed="Δ/b = 0.5.",
        lines=(
            Variant(
                "amplified once (safe, but loose)",
                lambda p, x: as_quoted.sampled_laplace_epsilon(0.5, p, x),
                None,
            ),
            Variant("amplified in every step", lambda p, x: conversions.sampled_epsilon(0.5, p, x)),
        ),
        evidence=(DecidingValue(0.1, 10.0, 0.62854723473730, "exact, 50 digits"),),
    ),
    Comparison(
        41,
        Slider("Effect size μ", _EFFECTS, 1.0),
        axes=AxisPair(CorrectionAxis(EPSILON), CorrectionAxis(DELTA)),
        ends=(0.0, 5.0),
        lines=(
            Variant(f"product, one sign missing {IN_OUR_COPY}", lambda mu, x: as_quoted.gaussian_delta(x, mu), None),
            Variant("difference", each(_delta)),
        ),
        evidence=(DecidingValue(1.0, 1.0, 0.12681, "simulated", 0.0001),),
    ),
)

_D, _N, _K, _SUM = 20, 50, 24.714627, -1.436499  # a gradient drawn from normal ones with all means 3


def _member(susceptibility: float, alpha: Floats) -> Floats:
    return StepTest(float(_N), _D, susceptibility).beta(alpha)


def _nominal(_: float, alpha: Floats) -> Floats:
    return alpha


def _clipped(clip: float, length: Floats) -> Floats:
    return length * clip_factors(length, clip)


def _own_level(_: float, private: float) -> float:
    return relaxed_mu(private, 400, 650).own


def _limit(steps: float, alpha: Floats) -> Floats:
    return _shifted(sampling_limit(1.0, 0.1 * float(np.sqrt(steps))), alpha)


def _steps_taken(steps: float, alpha: Floats) -> Floats:
    return Gaussian(1.0, 0.1, int(steps)).trade_off(alpha, Order.ADD).power


_GRADIENTS = (
    Comparison(
        45,
        Slider("Mean of every coordinate", (0.0, 0.5, 1.0, 2.0, 3.0, 5.0), 3.0),
        axes=missed(),
        ends=(1e-3, 1 - 1e-3),
        fixed="d = 20, n = 50; K of one gradient, 24.7 from its mean.",
        points=120,
        lines=(
            Variant(
                "K from the origin, Theorem 5.1",
                lambda m, x: _member(as_quoted.uncentred_susceptibility(_K, m, _D, _SUM), x),
                None,
            ),
            Variant("K from the mean", lambda _, x: _member(_K, x)),
        ),
        evidence=(DecidingValue(3.0, 0.05, 0.82886, "simulated attack", 0.0006),),
    ),
    Comparison(
        47,
        Slider("Batch size n", (5.0, 10.0, 20.0, 50.0, 100.0, 500.0), 20.0),
        points=80,
        ends=(1e-3, 1 - 1e-3),
        axes=AxisPair(
            CorrectionAxis("Outsiders accused as stated — nominal α"), CorrectionAxis("Outsiders accused in truth")
        ),
        fixed="d = 50, typical gradients, K = d.",
        lines=(
            Variant(f"n − 1, {IN_THE_PAPER}", lambda n, x: as_quoted.false_alarms(x, int(n), 50), None),
            Variant("n", _nominal),
        ),
        evidence=(DecidingValue(20.0, 0.05, 0.0498, "simulated with n; with n − 1 it is 0.2017"),),
    ),
    Comparison(
        49,
        Slider("Clipping norm C", (0.5, 1.0, 2.0, 5.0), 1.0),
        axes=AxisPair(CorrectionAxis("Length of a gradient"), CorrectionAxis("Its length after clipping")),
        ends=(0.02, 10.0),
        lines=(
            Variant(f"max, {IN_THE_PAPER}", lambda c, x: as_quoted.clipped_length(x, c), None),
            Variant("min", _clipped),
        ),
        evidence=(DecidingValue(1.0, 10.0, 1.0, "what clipping is for: no gradient above C"),),
    ),
    Comparison(
        50,
        Slider("Clipping norm C", (0.1, 1.0, 10.0, 100.0, 500.0), 10.0),
        points=120,
        ends=(0.05, 5.0),
        axes=AxisPair(
            CorrectionAxis("μ of Gaussian differential privacy"), CorrectionAxis("μ of the membership attacker")
        ),
        fixed="d = 650, n = 400.",
        lines=(
            Variant(IN_THE_PAPER, lambda c, x: as_quoted.relaxed_mu(x, 400, 650, c), None),
            Variant("without C", each(_own_level)),
        ),
        evidence=(DecidingValue(10.0, 1.0, 1.26764, "from the definition, for every C"),),
    ),
    Comparison(
        51,
        Slider("μ of the third step", (0.25, 0.5, 1.0, 1.5, 2.0, 3.0), 2.0),
        axes=found(),
        ends=OPEN_UNIT,
        fixed="The other two steps have μ = 0.5.",
        lines=(
            Variant(f"√Σμ, {IN_OUR_COPY}", lambda m, x: _shifted(as_quoted.composed_mu((0.5, 0.5, m)), x), None),
            Variant("√Σμ²", lambda m, x: _shifted(composed((0.5, 0.5, m)), x)),
        ),
        evidence=(DecidingValue(2.0, 0.1, 0.7993, "simulated attack", 0.0002),),
    ),
    Comparison(
        52,
        Slider("Number of steps T", (1.0, 3.0, 10.0, 30.0, 100.0, 1000.0), 1.0),
        axes=found(log=True),
        ends=(1e-6, 1.0 - 1e-6),
        fixed="μ = 1 a step, sampling rate 0.1.",
        points=100,
        lines=(
            Variant("Eq. 10 called a bound (wrong)", _limit, None),
            Variant("the curve itself, add-one order", _steps_taken, Bound.CERTIFIED),
        ),
        evidence=(DecidingValue(1.0, 1e-3, 0.00273, "exact: an attack that exists"),),
    ),
)

DRAWN = (*_RECONSTRUCTION, *_GRADIENTS)
