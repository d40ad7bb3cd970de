"""Cached answers: pure numerics with the precision that pages show, bounded, shared by all sessions.

Mechanisms are frozen: they compare and hash by type and value, so a Gaussian and a Laplace of equal parameters never
answer for each other (a test guards it). Curves' arrays are read-only. Nothing uploaded ever gets here.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from numerics import approximations, calibration
from numerics.approximations import sampling
from numerics.approximations.sampling import MonteCarlo
from numerics.deadline import UNLIMITED, Deadline
from numerics.mechanisms import Mechanism
from numerics.mechanisms.analysis import Analysis
from numerics.privacy_loss import Precision
from numerics.trade_off import SMALLEST_ALPHA, Bound, Bracket, Order, TradeOffCurve, alpha_grid
from pages.server.shared_cache import shared_cache
from pages.ui.release_in_force import ALPHAS
from plotting.power import PowerCurve
from plotting.promises import ProfileCurve

Goal = calibration.EpsilonTarget | calibration.AdvantageTarget | calibration.PowerTarget


# Narrow enough for the digits a page shows, and several times as fast as the library's own default. Where even that is
# out of reach, the narrowest bracket there is: its width is on the page.
PRECISION = Precision(width=1e-4, relative=5e-3)
EPSILON_WIDTH = 1e-5  # six digits of the noise that a limit of 1 asks for: that of the library


@shared_cache
def trade_off(
    mechanism: Mechanism,
    order: Order = Order.ADD,
    points: int = 400,
    smallest: float = SMALLEST_ALPHA,
    *,
    precision: Precision = PRECISION,
) -> TradeOffCurve:
    """The mechanism's curve on a grid dense at both ends, from false positive rate ``smallest`` up."""
    return mechanism.trade_off(alpha_grid(points, smallest), order, precision)


power = shared_cache(Analysis.power, precision=PRECISION)
posterior = shared_cache(Analysis.posterior, precision=PRECISION)
epsilon = shared_cache(Analysis.epsilon, width=EPSILON_WIDTH, precision=PRECISION)
delta = shared_cache(Analysis.delta, precision=PRECISION)
advantage = shared_cache(Analysis.advantage, precision=PRECISION)
auc = shared_cache(Analysis.auc, precision=PRECISION)
gaussian_mu = shared_cache(Analysis.gaussian_mu, precision=PRECISION)
gaussian_regret = shared_cache(Analysis.gaussian_regret, precision=PRECISION)
statistic = shared_cache(Analysis.statistic, precision=PRECISION)
threshold = shared_cache(Analysis.threshold, precision=PRECISION)


ESTIMATES_ALPHA = np.union1d(alpha_grid(200), ALPHAS)
"""Where estimates are drawn: a grid dense at both ends, and every round value that a click on the curve sets."""


@shared_cache
def clt(mechanism: Mechanism) -> TradeOffCurve:
    """Central limit estimate of the add-one curve."""
    return approximations.clt(mechanism, ESTIMATES_ALPHA)


@shared_cache
def edgeworth(mechanism: Mechanism, order: int) -> TradeOffCurve:
    """Edgeworth estimate of the add-one curve."""
    return approximations.edgeworth(mechanism, ESTIMATES_ALPHA, order)


@shared_cache
def monte_carlo(mechanism: Mechanism, samples: int, deadline: Deadline = UNLIMITED) -> MonteCarlo:
    """Sampled estimate of the add-one curve, with its standard error."""
    return sampling.monte_carlo(mechanism, ESTIMATES_ALPHA, samples, deadline=deadline)


def measured(target: Goal, release: Mechanism) -> Bracket:
    """What ``target`` limits, as the pages, the sheet and the Python to take away state it of ``release``."""
    if isinstance(target, calibration.EpsilonTarget):
        return epsilon(release, target.delta)
    if isinstance(target, calibration.AdvantageTarget):
        return advantage(release)
    return power(release, target.alpha, target.order)


@shared_cache
def noise_for(target: Goal, release: Mechanism, deadline: Deadline = UNLIMITED) -> calibration.Calibration:
    """The least noise with which ``release`` keeps ``target`` by the numbers that the pages then show."""
    return calibration.noise_for(target, release, partial(measured, target), deadline)


# Questions asked at many places at once, for figures.

# A composed release is computed anew for every noise level, so there are few of them, and coarse: the figure remembers
# them, and in the numerics they would push out the releases that pages ask about again and again.
COARSE = Precision(width=1e-3, relative=0.02, is_remembered=False)
_EFFECTS_WHEN_EXACT = np.linspace(0.02, 4.0, 200)
_EFFECTS_WHEN_COMPOSED = np.linspace(0.25, 2.0, 15)
_EPSILONS = 81
_SMALLEST_DELTA = 1e-10


def effect_size(release: Mechanism) -> float:
    """Distance between the hypotheses in one unsampled step of the first phase, in units of the noise."""
    return release.phases[0].effect_size


def noise_at(release: Mechanism, effect: float) -> float:
    """The noise of the first phase that makes this effect size."""
    return release.phases[0].reach / effect


@shared_cache
def power_against_effect(release: Mechanism, alpha: float, order: Order, deadline: Deadline = UNLIMITED) -> PowerCurve:
    """Power at ``alpha`` for noise around the release's own, all else as it is."""
    coarse = replace(COARSE, deadline=deadline)

    def ask(other: Mechanism) -> Bracket:
        return other.narrow_power(alpha, order, coarse)

    return over_effects(release, ask, alpha, release.bound, "other noise", deadline)


def over_effects(
    release: Mechanism,
    ask: Callable[[Mechanism], Bracket],
    alpha: float,
    bound: Bound,
    label: str,
    deadline: Deadline,
) -> PowerCurve:
    """What ``ask`` says of the release at other noise, as a curve over the effect size."""
    kept = []
    for factor in map(float, _EFFECTS_WHEN_EXACT if bound is Bound.EXACT else _EFFECTS_WHEN_COMPOSED):
        deadline.check()
        kept.append((effect_size(release) * factor, *ask(release.with_noise(release.noise_multiplier / factor))))
    effect, lower, power, upper = np.array(kept).T
    return PowerCurve(effect, lower, power, upper, alpha, bound, label)


@shared_cache
def profile(release: Mechanism, delta: float, precision: Precision) -> ProfileCurve:
    """Delta at evenly spaced epsilon, from 0 to where it is smaller than anyone asks for.

    Raises ValueError where epsilon is infinite at every such delta.
    """
    smallest = min(delta, _SMALLEST_DELTA)
    reach = next(
        (e.upper for d in (smallest, delta) if np.isfinite((e := release.epsilon(d, np.inf, precision)).upper)), None
    )
    if reach is None:
        raise ValueError(f"epsilon is infinite at delta {delta:g}: there is no profile to draw.")
    epsilon = np.linspace(0.0, max(reach, 1e-6), _EPSILONS)
    lower, middle, upper = np.array([release.delta(float(value), precision) for value in epsilon]).T
    return ProfileCurve(epsilon, lower, np.minimum.accumulate(middle), upper, release.bound)  # see Bracket.between
