"""Paper 004: all noise levels of Table 5, and curves of one step at large dimensions."""

import numpy as np

from benchmarks.timing import interleaved, milliseconds, table
from numerics.gaussian_membership import GradientRelease, StepTest
from numerics.gaussian_membership.calibration import MembershipCalibration, MuTarget, noise_for
from numerics.gaussian_membership.stochastic import over_normal_gradients
from numerics.trade_off import alpha_grid

RELEASES = (
    GradientRelease.of_epochs(48000, 400, 10, 650),
    GradientRelease.of_epochs(54855, 795, 3, 2580),
    GradientRelease.of_epochs(43000, 1000, 20, 1026),
)
LEVELS = 0.4 * 125.0 ** (np.arange(20) / 19)
STEPS = (StepTest(50.0, 20, 20.0), StepTest(500.0, 650, 650.0), StepTest(1e4, 10**6, 1e6))


def table_5() -> list[MembershipCalibration]:
    """Sixty levels, each with the noise for membership privacy and that for differential privacy: 120 numbers."""
    return [noise_for(MuTarget(float(mu)), release) for release in RELEASES for mu in LEVELS]


def timings(rounds: int) -> str:
    """Table of times."""
    alpha = alpha_grid(1000)
    timed = interleaved({"120 noise levels of Table 5": table_5}, rounds)
    for step in STEPS:
        name = f"curve, n = {step.effective_size:g}, d = {step.dimension:,}"
        timed |= interleaved({name: lambda step=step: step.trade_off(alpha)}, rounds)
    mixture = over_normal_gradients(lambda k: StepTest(500.0, 650, k), 650)
    timed |= interleaved({"mixture over K, d = 650, 100 points": lambda: mixture.power(alpha[::10])}, rounds)
    return table(["what", "time"], [[name, milliseconds(value.seconds)] for name, value in timed.items()])
