"""Numbers that corrections state from simulations, simulated again in another way."""

import numpy as np
import pytest

from numerics.epsilon_star.normal_ratios import normal_values
from pages.about.corrections_data import BY_NUMBER

# Mean of 10,000 runs of ``estimate`` as printed at 1,000 losses a group; its standard error is 0.005.
NOTHING_TO_FIND, ERROR = 0.627, 0.005
STANDARD_ERRORS = 3.0


def test_the_parametric_estimate_of_identical_populations() -> None:
    """Correction 25, for Gamma(2) at delta = 1e-5: printed transform and normal fits of many samples at once."""
    runs, rng = 4_000, np.random.default_rng(0)
    losses = rng.standard_gamma(2.0, (runs, 2, 1_000))
    low, high = losses.min(axis=(1, 2), keepdims=True), losses.max(axis=(1, 2), keepdims=True)
    scores = np.log(np.expm1(1.0 + (losses - low) / (high - low)))
    laws = [(scores[:, group].mean(axis=1), scores[:, group].std(axis=1)) for group in range(2)]
    values = normal_values(laws[0], laws[1], np.full(runs, 1e-5), None)
    error = np.hypot(values.std() / np.sqrt(runs), ERROR)
    assert values.mean() == pytest.approx(NOTHING_TO_FIND, abs=STANDARD_ERRORS * error)


def test_what_is_simulated_is_what_is_stated() -> None:
    stated = BY_NUMBER[25]
    assert f"parametric {NOTHING_TO_FIND:.2f} on average" in stated.evidence
    assert f"{NOTHING_TO_FIND} ± {ERROR} over 10,000 runs" in stated.document
