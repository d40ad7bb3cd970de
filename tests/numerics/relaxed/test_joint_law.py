"""Quadrature of one step for an attacker who does not know the side: against adaptive integration of the densities."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad

from numerics.mechanisms import Gaussian, Laplace, SampledMechanism
from numerics.relaxed.joint_law import StepQuadrature, steps_of

RELEASES: list[SampledMechanism] = [
    Gaussian(1.0, 0.01, 10),
    Gaussian(20.0, 0.5, 3),
    Gaussian(0.2, 0.1, 2),
    Gaussian(0.05, 1e-3, 7),
    Laplace(2.0, 0.1, 5),
    Laplace(0.3, 0.5, 4),
    Laplace(0.02, 0.01, 6),
]
QUADRATURE = 1e-9  # of the adaptive rule that it is compared with; the nodes' own error is far below
LARGEST_LOSS = 60.0  # at error rates below e^-60 a step decides alone
REACH = {Gaussian: 9.0, Laplace: 35.0}  # noise scales, beyond which no mass is missed


def step_of(release: SampledMechanism) -> StepQuadrature:
    (step,) = steps_of(release.pairs)
    return step


def density(release: SampledMechanism, x: float, centre: float) -> float:
    u = (x - centre) / release.noise_multiplier
    height = np.exp(-0.5 * u**2) / np.sqrt(2.0 * np.pi) if isinstance(release, Gaussian) else 0.5 * np.exp(-abs(u))
    return float(height / release.noise_multiplier)


def losses(release: SampledMechanism, x: float) -> tuple[float, float]:
    """log L(x) and log L(-x), as far as they are told apart."""
    rate, s = release.sampling_rate, release.noise_multiplier
    both = [(2 * y - 1) / (2 * s**2) if isinstance(release, Gaussian) else (abs(y) - abs(y - 1)) / s for y in (x, -x)]
    above, below = (float(np.logaddexp(np.log1p(-rate), np.log(rate) + one)) for one in both)
    return min(above, LARGEST_LOSS), min(below, LARGEST_LOSS)


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.label)
def test_nodes_have_mirror_images(release: SampledMechanism) -> None:
    step = step_of(release)
    assert step.even == pytest.approx(step.even[::-1], abs=1e-9)
    assert step.odd == pytest.approx(-step.odd[::-1], abs=1e-9)
    assert step.null == pytest.approx(step.null[::-1])
    assert step.null.sum() == pytest.approx(1.0)
    assert step.present.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.label)
@pytest.mark.parametrize("frequency", [(0.0, 1.0), (2.0, 0.0), (1.0, 3.0)])
def test_characteristic_function_is_that_of_the_densities(
    release: SampledMechanism, frequency: tuple[float, float]
) -> None:
    step, (u, v) = step_of(release), frequency
    wave = np.cos(u * step.even + v * step.odd)
    s, reach = release.noise_multiplier, REACH[type(release)] * release.noise_multiplier

    def integrand(x: float, centre: float) -> float:
        above, below = losses(release, x)
        return float(np.cos(0.5 * u * (above + below) + 0.5 * v * (above - below))) * density(release, x, centre)

    found = {}
    for centre in (0.0, 1.0):
        breaks = sorted({centre + side * part * s for side in (-1, 1) for part in (1.0, 4.0)} | {-1.0, 0.0, 0.5, 1.0})
        ends = [centre - reach, *(end for end in breaks if abs(end - centre) < reach), centre + reach]
        pieces = (quad(integrand, *pair, args=(centre,), limit=200) for pair in pairwise(ends))
        found[centre] = sum(piece[0] for piece in pieces)
    assert wave @ step.null == pytest.approx(found[0.0], abs=QUADRATURE)
    rate = release.sampling_rate
    assert wave @ step.present == pytest.approx((1.0 - rate) * found[0.0] + rate * found[1.0], abs=QUADRATURE)
