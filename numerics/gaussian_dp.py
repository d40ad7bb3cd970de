"""How well one number tells a whole trade-off curve: the mu of Gaussian DP, and its regret (Gomez et al. 2025).

G_mu(a) = Phi(z_a - mu) is the curve of one Gaussian release. The mu to report for a curve f is the smallest with
G_mu <= f; its regret is the least kappa >= 0 with f(a + kappa) - kappa <= G_mu(a) at every a (arXiv 2503.10945): how
far the true curve may lie above the reported one, in both error rates at once. Near 0, mu says all there is to say.

Moving both rates by kappa moves a point along the diagonal, so the regret is the largest distance of the two curves
along it: with u = a - b and s = a + b, half the largest s_f(u) - s_G(u). Over an edge of a piecewise-linear f, s_f is
linear and s_G convex, so the largest is where G_mu has the slope of the edge: a formula, not a search over a grid of a
that misses it. Where f itself is convex no corner is farther than the edges at it.
"""

from collections.abc import Callable

import numpy as np
from scipy.special import ndtr, ndtri

from numerics.roots import halved
from numerics.trade_off import Bracket, CurvePoints, Floats
from numerics.validation import NonNegative, OpenProbability, Probabilities, checked

_POINTS = 200
_ROUNDS = 60  # each halves the edges that may hold the largest value
_SETTLED = 1e-13  # below this, differences are rounding
_MOST = 20_000  # points
_HALVINGS = 70
_FARTHEST = 40.0  # deviations beyond which no mass is left


@checked
def regret_of_corners(alpha: Probabilities, beta: Probabilities, mu: NonNegative) -> float:
    """Regret of reporting ``mu`` for the piecewise-linear curve with these corners (n,), alpha ascending.

    Exact for that curve. Of a guarantee it is the regret's lower value, of an attack's curve its upper one.
    """
    return max(0.0, float(np.max(_edge_regrets(alpha, beta, mu), initial=0.0)), _at_dents(alpha, beta, mu))


def _edge_regrets(alpha: Floats, beta: Floats, mu: float) -> Floats:
    """Largest distance along the diagonal inside every edge (n - 1,); -1 where it is at an end of the edge."""
    run, fall = np.diff(alpha), -np.diff(beta)
    if np.isinf(mu):
        z = np.full(len(run), np.nan)  # G is 0: nearest to the corner (0, 0)
        at = np.zeros(len(run))
    else:
        with np.errstate(divide="ignore", invalid="ignore"):
            slope = np.log(fall) - np.log(run)
            z = slope / mu + 0.5 * mu if mu > 0.0 else np.where(slope >= 0.0, np.inf, -np.inf)
        at = ndtr(-z) - ndtr(z - mu)
    low, high = alpha[:-1] - beta[:-1], alpha[1:] - beta[1:]
    inside = (at >= low) & (at <= high) & (high > low)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(inside, (at - low) / (high - low), 0.0)
        touched = np.zeros(len(run)) if np.isinf(mu) else ndtr(-z)
    return np.where(inside, alpha[:-1] + share * run - touched, -1.0)


def _at_dents(alpha: Floats, beta: Floats, mu: float) -> float:
    """The largest distance at corners where the curve is not convex: there edges do not have it."""
    run, fall = np.diff(alpha), -np.diff(beta)
    dents = np.flatnonzero(fall[1:] * run[:-1] > fall[:-1] * run[1:]) + 1
    if not len(dents) or np.isinf(mu):
        return 0.0
    return max(0.0, float(np.max(_distances(alpha[dents], beta[dents], mu))))


def _distances(alpha: Floats, beta: Floats, mu: float) -> Floats:
    """Distance of each point (n,) from G_mu along the diagonal; negative below it."""
    wanted, ends = alpha - beta, (np.full(len(alpha), -_FARTHEST), np.full(len(alpha), _FARTHEST + mu))
    # alpha - beta falls along G_mu as z grows
    low, high = halved(lambda z: ~(ndtr(-z) - ndtr(z - mu) < wanted), *ends, _HALVINGS)
    return alpha - ndtr(-0.5 * (low + high))


def regret_of_formula(curve_at: Callable[[Floats], CurvePoints], mu: float) -> Bracket:
    """Regret of reporting ``mu`` for both orders of a curve with a formula, to rounding.

    Points of the curve give a lower value, its chords an upper one.
    """

    def distances(alpha: Floats) -> tuple[Floats, Floats]:
        beta = curve_at(alpha).beta
        own = np.maximum(_distances(alpha, beta, mu), 0.0) if np.isfinite(mu) else np.minimum(alpha, beta)
        return own, _edge_regrets(alpha, beta, mu)

    ends = np.geomspace(1e-12, 0.5, _POINTS), np.linspace(0.5, 1.0, _POINTS)[1:]
    return _enclosed(np.concatenate(([0.0], *ends)), distances, relative=False)


def mu_of_formula(curve_at: Callable[[Floats], CurvePoints], smallest_alpha: OpenProbability) -> Bracket:
    """Smallest mu with G_mu on or below both orders of a curve with a formula, where both rates are ``smallest_alpha``.

    Points of the curve give a lower value; between two of them a concave power lies below its neighbours' chords
    drawn on, and where those meet is an upper one.
    """

    def mus(alpha: Floats) -> tuple[Floats, Floats]:
        power = curve_at(alpha).power
        return _mu_at(alpha, power), _mu_at(*_met(alpha, power))

    return _enclosed(np.geomspace(smallest_alpha, 0.5, _POINTS), mus, relative=True)


def _enclosed(alpha: Floats, values: Callable[[Floats], tuple[Floats, Floats]], relative: bool) -> Bracket:
    """The largest value over a curve, from those at its points (n,) and what edges (n - 1,) between them cannot exceed.

    The edges that may hold more are halved.
    """
    lower = upper = 0.0
    for _ in range(_ROUNDS):
        own, edges = values(alpha)
        edges = np.maximum(edges, np.maximum(own[1:], own[:-1]))
        lower = max(lower, float(np.max(own)))
        upper = max(lower, float(np.max(edges)))
        settled = _SETTLED * (upper if relative else 1.0)
        if not np.isfinite(upper) or upper - lower <= settled or len(alpha) > _MOST:
            break
        middles = 0.5 * (alpha[:-1] + alpha[1:])[edges > lower + settled]
        alpha = np.unique(np.concatenate((alpha, middles)))
    return Bracket(lower, lower, upper)


def _mu_at(alpha: Floats, power: Floats) -> Floats:
    return ndtri(power) - ndtri(alpha)


def _met(alpha: Floats, power: Floats) -> tuple[Floats, Floats]:
    """Where the chords before and after every edge meet above it, (n - 1,) each."""
    with np.errstate(divide="ignore", invalid="ignore"):
        slopes = np.diff(power) / np.diff(alpha)
        before, after = np.append(np.inf, slopes[:-1]), np.append(slopes[1:], 0.0)
        run, rise = np.diff(alpha), np.diff(power)
        along = (rise - after * run) / (before - after)
    along = np.clip(np.nan_to_num(along, nan=0.0, posinf=0.0, neginf=0.0), 0.0, run)
    with np.errstate(invalid="ignore"):
        met = np.fmin(power[1:], power[:-1] + before * along)
    return alpha[:-1] + along, np.maximum(met, power[:-1])
