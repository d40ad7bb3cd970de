"""Formulas as our copies of the papers have them, or read in another way, that do not hold. Never compute with them.

They exist so that the page about the corrections can draw each beside what holds (an architecture test allows no other
use). Our copies are machine-read and may have lost characters: what is the paper's own, and what our copy's, says the
entry "correction N" in docs/corrections.md.
What is right, and where it is computed, is said in each docstring.
"""

import numpy as np
from scipy.special import ndtr, ndtri

from numerics.mechanisms.laplace import FoldedLaplace
from numerics.trade_off import Floats
from numerics.validation import checked


@checked
def inverse_of_folded_laplace(alpha: Floats, mu: float) -> Floats:
    """Paper 000 Eq. 3 in our copy: threshold 1/2 - exp(-mu)/2.

    Right: exp(-2 mu), ``FoldedLaplace.inverse``; correction 2.
    """
    steep = 1.0 / (alpha * np.exp(mu) + np.hypot(alpha * np.exp(mu), 1.0))
    return np.where(alpha < 0.5 - 0.5 * np.exp(-mu), steep, (1.0 - alpha) / np.cosh(mu))


@checked
def exchanged_laws(alpha: Floats, mu: float) -> Floats:
    """Inverse of the folded Laplace test read as "exchange P and Q": the reverse test, but in the upper tail.

    Right: reject small distances, ``FoldedLaplace.inverse``; correction 3.
    """
    far = np.log(np.cosh(mu)) - np.log(np.maximum(alpha, 1e-300))
    near = np.arcsinh((1.0 - alpha) * np.exp(mu))
    return -np.expm1(-np.where(far > mu, far, near))


@checked
def two_case_symmetrisation(alpha: Floats, mu: float) -> Floats:
    """J of folded Laplace noise by the rule of two cases, which is for a curve that bounds both orders.

    The rule takes the larger curve where the fixed point lies beyond the slope -1, as it does for Laplace noise. Right:
    the envelope of the smaller one, ``FoldedOnce.trade_off`` with both orders; correction 6.
    """
    folded = FoldedLaplace(mu)
    return np.maximum(folded.errors(alpha, 1.0 - alpha).beta, folded.inverse(alpha, 1.0 - alpha).beta)


@checked
def theorem_3_left(alpha: Floats, noncentrality: float, dimension: float) -> Floats:
    """Paper 000 Eq. 7, left, in our copy. Right: kappa / sqrt(2d), ``asymptotics.scaled``; correction 12."""
    spread = np.sqrt(1.0 + 2.0 * noncentrality / dimension)
    return ndtr((-ndtri(alpha) - noncentrality / (np.sqrt(2.0) * dimension)) / spread)


@checked
def theorem_3_right(alpha: Floats, mu: float, steps: float, dimension: float) -> Floats:
    """Paper 000 Eq. 7, right, in our copy. Right: N mu^2 / sqrt(2d), ``asymptotics.shifted``; correction 12."""
    return ndtr(-ndtri(alpha) - steps * np.sqrt(mu / (2.0 * dimension)))


@checked
def membership_power(alpha: Floats, eta: float) -> Floats:
    """Paper 002 Thm 8: alpha + eta. Right: alpha + 2 eta, ``membership.trade_off``; correction 28."""
    return np.minimum(alpha + eta, 1.0)


@checked
def laplace_radius_tail(radius: Floats) -> Floats:
    """P(||X|| > r) in units of the scale with the Laplace radius of paper 002 Cor. 10.

    Right: a Gamma(d) radius, ``NormNoise.tail``; correction 33.
    """
    return np.exp(-radius)


@checked
def uncentred_susceptibility(centred: float, mean: float, dimension: int, sum_of_deviations: float) -> float:
    """K of a gradient whose coordinates all have this mean, from the origin; paper 004 Thm 5.1 takes mean 0.

    Right: from the mean, ``StepTest.susceptibility``; correction 45.
    """
    return centred + 2.0 * mean * sum_of_deviations + dimension * mean**2


@checked
def relaxed_mu(private: Floats, batch: int, dimension: int, clip: float) -> Floats:
    """Paper 004 Cor. F.1 (1), its own level, with 4 C^2 / mu^2. Right: 4 / mu^2, ``relaxed_mu``; correction 50."""
    return np.sqrt(dimension / (batch + (2.0 * clip / private) ** 2 + 0.5))


@checked
def composed_mu(mus: tuple[float, ...]) -> float:
    """Paper 004 App. D.3 in our copy: sqrt(mu_1 + ... + mu_r). Right: of their squares, ``composed``; correction 51."""
    return float(np.sqrt(sum(mus)))
