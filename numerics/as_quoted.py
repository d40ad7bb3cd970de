"""Formulas as our copies of the papers have them, or read in another way, that do not hold. Never compute with them.

They exist so that the page about the corrections can draw each beside what holds, and so that tests make sure that the
rest of the software returns something else (an architecture test allows no other use). Our copies are machine-read and
may have lost characters: what is the paper's own, and what our copy's, says the entry "correction N" in
docs/corrections.md.
What is right, and where it is computed, is said in each docstring.
"""

import numpy as np
from scipy.special import ndtr, ndtri

from numerics import chi_squared
from numerics.mechanisms.gaussian import FoldedNormal
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
def lemma_8_noncentrality(influences: tuple[float, float], noises: tuple[float, Floats | float]) -> Floats:
    """Paper 000 Lemma 8 in our copy, which has no parentheses. Right: (a + b)^2 / (s_a^2 + s_b^2); correction 8."""
    return sum(influences) ** 2 / noises[0] ** 2 + np.square(noises[1])


@checked
def noncentrality_of_the_mean(influences: tuple[float, float], noises: tuple[float, float]) -> float:
    """Paper 000 Lemma 8 taken for a guarantee: that of the plain mean of two releases.

    Right: the sum of the squared effect sizes, ``relaxed.closed_form``; correction 9.
    """
    return sum(influences) ** 2 / sum(noise**2 for noise in noises)


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
def amplified_after_composing(alpha: Floats, mu: float, rate: float, steps: int) -> Floats:
    """Power if N releases are composed and then amplified by sampling once, which is not what paper 000 Sec. 4 does.

    It models one coin for all steps. Right: ``relaxed.trade_off``; correction 15.
    """
    power = FoldedNormal(float(np.sqrt(steps)) * mu).errors(alpha, 1.0 - alpha).power
    return rate * power + (1.0 - rate) * alpha


@checked
def epsilon_star_display(t: Floats, not_t: Floats, eta: Floats, not_eta: Floats, delta: float) -> Floats:
    """Paper 001 Sec. 3.1, display of our copy: log of the largest of four quotients and 1, at error rates t and eta.

    Right: denominators 1 - t and 1 - eta in the last two (Eq. 7), ``LogRates.log_ratios``; correction 19.
    """
    quotients = [(not_eta - delta) / t, (not_t - delta) / eta, (eta - delta) / eta, (t - delta) / not_t]
    return np.log(np.maximum(np.max(quotients, axis=0), 1.0))


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
def composed_effect(mu: float, steps: float) -> float:
    """Paper 003 Cor. 2 in our copy: sqrt(N mu). Right: sqrt(N) mu; correction 38."""
    return float(np.sqrt(steps * mu))


@checked
def clt_mu(mu: float, rate: float, steps: float) -> float:
    """Paper 003 Sec. 2 in our copy: p sqrt(N (e^mu - 1)). Right: e^(mu^2), ``approximations.clt_mu``; correction 39."""
    return float(rate * np.sqrt(steps * np.expm1(mu)))


@checked
def sampled_laplace_epsilon(step: float, rate: float, steps: Floats) -> Floats:
    """Paper 003 Sec. 4.3: log(1 + p (e^(N step) - 1)), valid but loose.

    Tight: ``conversions.sampled_epsilon``; correction 40.
    """
    return np.logaddexp(np.log1p(-rate), np.log(rate) + steps * step)


@checked
def gaussian_delta(epsilon: Floats, mu: float) -> Floats:
    """Paper 003 Sec. 4.3 with the outer minus sign lost, as in our copy: a product.

    Right: ``GaussianShift.delta``; correction 41.
    """
    return ndtr(0.5 * mu - epsilon / mu) * np.exp(epsilon) * ndtr(-0.5 * mu - epsilon / mu)


@checked
def uncentred_susceptibility(centred: float, mean: float, dimension: int, sum_of_deviations: float) -> float:
    """K of a gradient whose coordinates all have this mean, from the origin; paper 004 Thm 5.1 takes mean 0.

    Right: from the mean, ``StepTest.susceptibility``; correction 45.
    """
    return centred + 2.0 * mean * sum_of_deviations + dimension * mean**2


@checked
def false_alarms(nominal: Floats, batch: int, dimension: int) -> Floats:
    """Outsiders really accused by paper 004 Alg. 1, line 9, with n - 1, at typical gradients K = d.

    Right: n, ``audits.glir.statistic``, which accuses the nominal share; correction 47.
    """
    threshold = chi_squared.quantile(nominal, dimension, float(batch * dimension))
    return chi_squared.cdf(threshold * batch / (batch - 1.0), dimension, float(batch * dimension))


@checked
def clipped_length(length: Floats, clip: float) -> Floats:
    """Length after paper 004's clipping, factor max(1, C/length). Right: min, ``clip_factors``; correction 49."""
    return np.maximum(length, clip)


@checked
def relaxed_mu(private: Floats, batch: int, dimension: int, clip: float) -> Floats:
    """Paper 004 Cor. F.1 (1), its own level, with 4 C^2 / mu^2. Right: 4 / mu^2, ``relaxed_mu``; correction 50."""
    return np.sqrt(dimension / (batch + (2.0 * clip / private) ** 2 + 0.5))


@checked
def composed_mu(mus: tuple[float, ...]) -> float:
    """Paper 004 App. D.3 in our copy: sqrt(mu_1 + ... + mu_r). Right: of their squares, ``composed``; correction 51."""
    return float(np.sqrt(sum(mus)))
