"""riskcal and dp-accounting as their documentation says to use them, at their default grid of 1e-4."""

from typing import Any

import numpy as np
from dp_accounting import GaussianDpEvent, PoissonSampledDpEvent, SelfComposedDpEvent, calibrate_dp_mechanism
from dp_accounting.pld import PLDAccountant
from dp_accounting.pld.privacy_loss_distribution import (
    PrivacyLossDistribution,
    from_gaussian_mechanism,
    from_laplace_mechanism,
)
from riskcal.analysis import get_beta_from_pld
from riskcal.calibration.dpsgd import find_noise_multiplier_for_advantage, find_noise_multiplier_for_err_rates

from numerics.mechanisms import Gaussian, SampledMechanism
from numerics.trade_off import Floats

# Enough lines that the envelope, not their number, decides dp-accounting's accuracy.
_LINES = 1_000


def distribution(mechanism: SampledMechanism) -> PrivacyLossDistribution:
    """The composed privacy loss distribution, which both peers start from."""
    build = from_gaussian_mechanism if isinstance(mechanism, Gaussian) else from_laplace_mechanism
    one = build(mechanism.noise_multiplier, sampling_prob=mechanism.sampling_rate, use_connect_dots=True)
    return one.self_compose(mechanism.steps)


def riskcal_beta(mechanism: SampledMechanism, alpha: Floats) -> Floats:
    """Trade-off curve by riskcal."""
    return np.asarray(get_beta_from_pld(distribution(mechanism), alpha=alpha), dtype=np.float64)


def dp_accounting_beta(mechanism: SampledMechanism, alpha: Floats, largest_epsilon: float) -> Floats:
    """The envelope of dp-accounting's delta(epsilon) lines; it has no trade-off curve of its own."""
    epsilon = np.linspace(0.0, largest_epsilon, _LINES)
    delta = np.asarray(distribution(mechanism).get_delta_for_epsilon(epsilon))
    steep = np.max(1.0 - delta - np.exp(epsilon) * alpha[:, None], axis=1)
    flat = np.max(np.exp(-epsilon) * (1.0 - delta - alpha[:, None]), axis=1)
    return np.maximum(np.maximum(steep, flat), 0.0)


def dp_accounting_epsilon(mechanism: SampledMechanism, delta: float) -> float:
    """Epsilon by dp-accounting at ``delta``."""
    return float(distribution(mechanism).get_epsilon_for_delta(delta))


def dp_accounting_noise(mechanism: SampledMechanism, epsilon: float, delta: float) -> float:
    """Noise multiplier by dp-accounting for (epsilon, delta)."""

    def event(noise: float) -> Any:
        sampled = PoissonSampledDpEvent(mechanism.sampling_rate, GaussianDpEvent(noise))
        return SelfComposedDpEvent(sampled, mechanism.steps)

    return float(calibrate_dp_mechanism(PLDAccountant, event, epsilon, delta))


def riskcal_noise_for_advantage(mechanism: SampledMechanism, advantage: float) -> float:
    """Noise multiplier by riskcal for an advantage."""
    return float(find_noise_multiplier_for_advantage(advantage, mechanism.sampling_rate, mechanism.steps))


def riskcal_noise_for_power(mechanism: SampledMechanism, power: float, alpha: float) -> float:
    """Noise multiplier by riskcal for a true positive rate; its default range of noise takes minutes and 2 GB."""
    rate, steps = mechanism.sampling_rate, mechanism.steps
    search = {"noise_min": 0.3, "noise_max": 4.0, "beta_tol": 1e-5}
    return float(find_noise_multiplier_for_err_rates(alpha, 1.0 - power, rate, steps, **search))
