"""Renyi divergence and zCDP: what a release has of them, and what they allow an attacker.

RDP bounds the Renyi divergence D_o of both laws of the release at some orders o, rho-zCDP bounds it by rho o at all
(Mironov 2017; Bun and Steinke 2016). Both are one-way: the curve of a release says more than its divergences, and the
power that they allow is a GUARANTEE that no release need reach. rho-zCDP allows more than mu-GDP of mu = sqrt(2 rho).

The power p at false positive rate a is that of a two-valued statistic, whose divergences are no larger than the
release's: D_o(p || a) <= epsilon_o and D_o(a || p) <= epsilon_o, for Bernoulli laws (data processing; Balle et al.
2020). Each order alone gives a valid bound, so the search over orders only decides how good the best one is.
"""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_expit

from numerics.mechanisms import Mechanism
from numerics.privacy_loss.pairs import DominatingPair
from numerics.roots import halved
from numerics.trade_off import Floats
from numerics.unsupported import UnsupportedError
from numerics.validation import FiniteNonNegative, Interval, OpenProbability, checked

Order = Annotated[int, Interval(2, 10_000)]
_ORDERS = 1.0 + np.geomspace(1e-6, 1e6, 260)
_ROUNDING = 1e-15  # of a log moment, relative to its order
_REFINEMENTS, _AROUND = 6, 21
_HALVINGS = 80
_SUREST = 700.0  # log odds of a power that is told from 1


@checked
def zcdp_of_mu(mu: FiniteNonNegative) -> float:
    """The rho of mu-Gaussian DP: mu^2 / 2, exact for one Gaussian release.

    There is no way back: rho-zCDP implies no mu-GDP.
    """
    return 0.5 * mu**2


@checked
def zcdp_of_pure_epsilon(epsilon: FiniteNonNegative) -> float:
    """A rho of any epsilon-DP release: epsilon^2 / 2. A guarantee (Bun and Steinke 2016, Proposition 3.3).

    Of several releases ``zcdp`` says less: it adds up their rho, not their epsilon.
    """
    return 0.5 * epsilon**2


@checked
def simple_power_limit(rho: FiniteNonNegative, alpha: OpenProbability) -> float:
    """Power at ``alpha`` that rho-zCDP allows at most: exp(-(sqrt(log 1/alpha) - sqrt(rho))^2), 1 from alpha e^rho on.

    A GUARANTEE by one of the two directions and half of its law; ``power_limit`` says less.
    """
    depth = -float(np.log(alpha))
    return float(np.exp(-((np.sqrt(depth) - np.sqrt(rho)) ** 2))) if depth > rho else 1.0


@checked
def power_limit(rho: FiniteNonNegative, alpha: OpenProbability) -> float:
    """Largest power at ``alpha`` whose Bernoulli laws keep rho-zCDP in both directions at every order. A GUARANTEE."""
    orders, step = _ORDERS, float((_ORDERS[1] - 1.0) / (_ORDERS[0] - 1.0))
    best = 1.0
    for _ in range(_REFINEMENTS):
        found = _limits(orders, rho * orders, alpha)
        best = min(best, float(np.min(found)))
        orders = 1.0 + (orders[np.argmin(found)] - 1.0) * np.geomspace(1.0 / step, step, _AROUND)
        step = step ** (2.0 / (_AROUND - 1))
    return best


@checked
def power_limit_of_rdp(
    orders: tuple[Annotated[float, Interval.inside(1, 1e9)], ...],
    epsilons: tuple[FiniteNonNegative, ...],
    alpha: OpenProbability,
) -> float:
    """The same of RDP: divergences of at most ``epsilons`` (n,) at ``orders`` (n,), as an accountant lists them.

    Raises ValueError unless there are as many of the ones as of the others, and one at least.
    """
    if not orders or len(orders) != len(epsilons):
        raise ValueError(f"orders and epsilons must be equally many, got {len(orders)} and {len(epsilons)}.")
    return float(np.min(_limits(np.array(orders), np.array(epsilons), alpha)))


def _limits(orders: Floats, epsilons: Floats, alpha: float) -> Floats:
    """Largest power that each order (n,) allows by itself, rounded up."""
    odds, most = float(np.log(alpha) - np.log1p(-alpha)), epsilons + _ROUNDING * orders / (orders - 1.0)
    low, high = np.full(len(orders), odds), np.full(len(orders), max(odds, 0.0) + _SUREST)

    def kept(power: Floats) -> NDArray[np.bool_]:
        return np.maximum(_divergence(orders, power, odds), _divergence(orders, odds, power)) <= most

    _, high = halved(kept, low, high, _HALVINGS)
    return np.exp(log_expit(high))


def _divergence(orders: Floats, first: Floats | float, second: Floats | float) -> Floats:
    """D_o of Bernoulli laws with these log odds."""
    terms = (orders * log_expit(sign * first) + (1.0 - orders) * log_expit(sign * second) for sign in (1.0, -1.0))
    return np.logaddexp(*terms) / (orders - 1.0)


@checked
def divergence(release: Mechanism, order: Order) -> float:
    """Renyi divergence of whole ``order`` of the release, the larger of both directions; steps and phases add up.

    EXACT where an attack reaches the pairs of the release, else a GUARANTEE; of several choices by the exponential
    mechanism, for which no one pair is the worst, EXACT too without sampling. Infinite where something is given away
    for certain. What has no formula is refused with UnsupportedError: certified curves say more of it than divergences
    would.
    """
    return sum(steps * _known(pair.renyi(order), pair, "Renyi divergences are") for pair, steps in release.pairs)


@checked
def zcdp(release: Mechanism) -> float:
    """A rho of the release's zero-concentrated DP; steps and phases add up. A GUARANTEE.

    Normal noise has mu^2 / 2 a step, EXACT, sampled or not: large orders see nothing of sampling. Losses in an interval
    of width w have w^2 / 8 (``zcdp_of_range``): of epsilon-DP w is 2 epsilon (Bun and Steinke 2016, Proposition 3.3),
    of a choice by the exponential mechanism epsilon, as its range is bounded (Cesar and Rogers 2021; Dong, Durfee and
    Rogers 2020), also where it depends on earlier ones. Infinite, and refused with UnsupportedError, as ``divergence``.
    """
    return sum(steps * _known(pair.zcdp, pair, "zCDP is") for pair, steps in release.pairs)


def _known(found: float | None, pair: DominatingPair, what: str) -> float:
    if found is None:
        raise UnsupportedError(f"{what} not offered for {pair.words}.")
    return found
