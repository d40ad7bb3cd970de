"""Cached answers: pure numerics with the precision that pages show, bounded, shared by all sessions.

Mechanisms are frozen: they compare and hash by type and value, so a Gaussian and a Laplace of equal parameters never
answer for each other (a test guards it). Curves' arrays are read-only. Nothing uploaded ever gets here.
"""

from functools import partial

import numpy as np

from numerics import approximations, calibration
from numerics.analysis import Analysis
from numerics.approximations import sampling
from numerics.approximations.sampling import MonteCarlo
from numerics.deadline import UNLIMITED, Deadline
from numerics.privacy_loss import Precision
from numerics.privacy_loss.certified_loss import StatisticLaw
from numerics.trade_off import SMALLEST_ALPHA, Bracket, Floats, Order, TradeOffCurve, alpha_grid
from pages.server.shared_cache import shared_cache
from pages.server.turns import SLOW
from pages.ui.release_controls import ALPHA
from pages.ui.release_curves import Release

Goal = calibration.EpsilonTarget | calibration.AdvantageTarget | calibration.PowerTarget

_CURVES = 256  # 400 points of three arrays, three curves each: about 30 kB
_NUMBERS = 2048

# Narrow enough for the digits a page shows, and several times as fast as the library's own default. Where even that is
# out of reach, the narrowest bracket there is: its width is on the page.
PRECISION = Precision(width=1e-4, relative=5e-3)
EPSILON_WIDTH = 2e-3


@shared_cache(_CURVES)
def trade_off(
    mechanism: Analysis, order: Order = Order.ADD, points: int = 400, smallest: float = SMALLEST_ALPHA
) -> TradeOffCurve:
    """The mechanism's curve on a grid dense at both ends, from false positive rate ``smallest`` up."""
    return mechanism.trade_off(alpha_grid(points, smallest), order, PRECISION)


@shared_cache(_NUMBERS)
def power(mechanism: Analysis, alpha: float, order: Order = Order.ADD) -> Bracket:
    """True positive rate at false positive rate ``alpha``."""
    return mechanism.power(alpha, order, PRECISION)


@shared_cache(_NUMBERS)
def posterior(mechanism: Analysis, alpha: float, prior: float, order: Order = Order.ADD) -> Bracket:
    """Probability that an accused record is a member."""
    return mechanism.posterior(alpha, prior, order, PRECISION)


@shared_cache(_NUMBERS)
def epsilon(mechanism: Analysis, delta: float) -> Bracket:
    """Smallest epsilon at ``delta``."""
    return mechanism.epsilon(delta, EPSILON_WIDTH, PRECISION)


@shared_cache(_NUMBERS)
def delta(mechanism: Analysis, epsilon: float) -> Bracket:
    """Smallest delta at ``epsilon``."""
    return mechanism.delta(epsilon, PRECISION)


@shared_cache(_NUMBERS)
def advantage(mechanism: Analysis) -> Bracket:
    """Largest difference of true and false positive rate."""
    return mechanism.advantage(PRECISION)


@shared_cache(_NUMBERS)
def auc(mechanism: Analysis) -> Bracket:
    """Area under the receiver operating characteristic."""
    return mechanism.auc(PRECISION)


@shared_cache(_NUMBERS)
def gaussian_mu(mechanism: Analysis, smallest_alpha: float = SMALLEST_ALPHA) -> Bracket:
    """Smallest mu with G_mu on or below the curve."""
    return mechanism.gaussian_mu(smallest_alpha, PRECISION)


@shared_cache(_CURVES)
def statistic(mechanism: Analysis) -> StatisticLaw:
    """Law of the log-likelihood ratio without and with the record."""
    return mechanism.statistic(precision=PRECISION)


@shared_cache(_NUMBERS)
def threshold(mechanism: Analysis, alpha: float, order: Order) -> float:
    """Log-likelihood ratio from which on the test at ``alpha`` accuses, or down from which it clears."""
    return float(mechanism.threshold(alpha, order, PRECISION))


def estimates_alpha() -> Floats:
    """Where estimates are drawn: a grid dense at both ends, and every round value of the slider."""
    return np.union1d(alpha_grid(200), ALPHA.values)


@shared_cache(_CURVES)
def clt(mechanism: Analysis) -> TradeOffCurve:
    """Central limit estimate of the add-one curve."""
    return approximations.clt(mechanism, estimates_alpha())


@shared_cache(_CURVES)
def edgeworth(mechanism: Analysis, order: int) -> TradeOffCurve:
    """Edgeworth estimate of the add-one curve."""
    return approximations.edgeworth(mechanism, estimates_alpha(), order)


@shared_cache(_CURVES, SLOW)
def monte_carlo(mechanism: Analysis, samples: int) -> MonteCarlo:
    """Sampled estimate of the add-one curve, with its standard error."""
    return sampling.monte_carlo(mechanism, estimates_alpha(), samples)


def measured(target: Goal, release: Release) -> Bracket:
    """What ``target`` limits, as the pages, the certificate and the Python to take away state it of ``release``."""
    if isinstance(target, calibration.EpsilonTarget):
        return epsilon(release, target.delta)
    if isinstance(target, calibration.AdvantageTarget):
        return advantage(release)
    return power(release, target.alpha, target.order)


@shared_cache(_CURVES, SLOW)
def noise_for(target: Goal, release: Release, deadline: Deadline = UNLIMITED) -> calibration.Calibration:
    """The least noise with which ``release`` keeps ``target`` by the numbers that the pages then show."""
    return calibration.noise_for(target, release, partial(measured, target), deadline)


@shared_cache(_CURVES, SLOW)
def noise_at_epsilon(release: Release, epsilon: float, delta: float, deadline: Deadline = UNLIMITED) -> float:
    """The noise at which ``release`` has this epsilon, to compare releases that share it.

    Settled on narrower brackets than those that the pages show of a release in force.
    """
    target = calibration.EpsilonTarget(epsilon, delta)
    return calibration.noise_for(target, release, deadline=deadline).noise_multiplier
