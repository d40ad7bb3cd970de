"""Tables 3 and 5 of paper 004, computed anew."""

import numpy as np

from numerics.gaussian_membership import GradientRelease
from pages.ui import cached_threat_models

# The verification runs (paper 004 Table 3): five steps on all records, without noise.
VERIFIED = {
    "CIFAR-10": GradientRelease(500, 500, 5, 650),
    "Purchase": GradientRelease(1970, 1970, 5, 2580),
    "Adult": GradientRelease(790, 790, 5, 1026),
}
# The training runs (Table 4): release without noise, clipping norm C.
TRAINED = {
    "CIFAR-10": (GradientRelease.of_epochs(48_000, 400, 10, 650), 500.0),
    "Purchase": (GradientRelease.of_epochs(54_855, 795, 3, 2580), 2000.0),
    "Adult": (GradientRelease.of_epochs(43_000, 1000, 20, 1026), 800.0),
}
LEVELS = tuple(float(mu) for mu in 0.4 * 125.0 ** (np.arange(20) / 19.0))


def table_5() -> dict[str, list[float]]:
    """Columns of Table 5: noise on the mean gradient, to its two decimals."""
    columns: dict[str, list[float]] = {"μ": [round(mu, 2) for mu in LEVELS]}
    for name, (release, clip) in TRAINED.items():
        found = [cached_threat_models.membership_noise_at(mu, release) for mu in LEVELS]
        unit = clip / release.batch_size
        columns[f"{name} (MIP)"] = [round(each.noise_multiplier * unit, 2) for each in found]
        columns[f"{name} (DP)"] = [round(each.private_noise * unit, 2) for each in found]
    return columns
