"""Inside the numerical guarantee: nodes, characteristic functions and lattices, each against what it must be."""

from itertools import pairwise

import mpmath
import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

from numerics.mechanisms import Composition, Gaussian, Laplace, SampledMechanism
from numerics.trade_off import Order
from tests.numerics.relaxed.relaxed_adapter import by_lattice, by_spectrum, folded_losses, masses, nodes, repeated

ALPHA = np.array([1e-6, 1e-3, 0.1, 0.5, 0.9, 0.999])
RELEASES: list[SampledMechanism] = [
    Gaussian(1.0, 0.01),
    Gaussian(20.0, 0.5),
    Gaussian(0.05, 1e-3),
    Laplace(2.0, 0.1),
    Laplace(0.02, 0.01),
]
SEVERAL = [
    Composition((Laplace(3.0, 0.5, 30), Gaussian(2.0, 0.5, 5))),
    Composition((Gaussian(2.0, 0.5, 8), Gaussian(1.5, 0.2, 6))),
    Composition((Gaussian(4.0, 1.0, 6), Laplace(5.0, 0.7, 40), Gaussian(2.0, 0.1, 30))),
]
QUADRATURE = 1e-9  # of the adaptive rule that it is compared with; the nodes' own error is far below
LARGEST_LOSS = 60.0  # at error rates below e^-60 a step decides alone
REACH = {Gaussian: 9.0, Laplace: 35.0}  # noise scales, beyond which no mass is missed
LATTICE = 3e-4  # of two lattices, 512 and 256 points wide, extrapolated
SPECTRUM = 1e-6  # largest stated error where the characteristic functions die out within the grid
ROUNDING = 1e-12  # a million steps magnify what a step's 1 + x loses to 1e-10


def density(release: SampledMechanism, x: float, centre: float) -> float:
    law = stats.norm if isinstance(release, Gaussian) else stats.laplace
    return float(law.pdf(x, centre, release.noise_multiplier))


def losses(release: SampledMechanism, x: float) -> tuple[float, float]:
    """log L(x) and log L(-x), as far as they are told apart."""
    rate, s = release.sampling_rate, release.noise_multiplier
    both = [(2 * y - 1) / (2 * s**2) if isinstance(release, Gaussian) else (abs(y) - abs(y - 1)) / s for y in (x, -x)]
    above, below = (float(np.logaddexp(np.log1p(-rate), np.log(rate) + one)) for one in both)
    return min(above, LARGEST_LOSS), min(below, LARGEST_LOSS)


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.label)
@pytest.mark.parametrize("frequency", [(0.0, 1.0), (1.0, 3.0)])
def test_nodes_have_the_characteristic_function_of_the_densities(release, frequency):
    even, odd, null, present = nodes(release)
    assert even == pytest.approx(even[::-1], abs=1e-9)
    assert odd == pytest.approx(-odd[::-1], abs=1e-9)
    assert null == pytest.approx(null[::-1])
    (u, v), s, rate = frequency, release.noise_multiplier, release.sampling_rate

    def integrand(x: float, centre: float) -> float:
        above, below = losses(release, x)
        return float(np.cos(0.5 * u * (above + below) + 0.5 * v * (above - below))) * density(release, x, centre)

    found = []
    for centre in (0.0, 1.0):
        low, high = centre - REACH[type(release)] * s, centre + REACH[type(release)] * s
        breaks = {centre + side * part * s for side in (-1, 1) for part in (1.0, 4.0)} | {-1.0, 0.0, 0.5, 1.0}
        ends = [low, *sorted(end for end in breaks if low < end < high), high]
        found.append(sum(quad(integrand, *pair, args=(centre,), limit=200)[0] for pair in pairwise(ends)))
    wave = np.cos(u * even + v * odd)
    assert wave @ null == pytest.approx(found[0], abs=QUADRATURE)
    assert wave @ present == pytest.approx((1.0 - rate) * found[0] + rate * found[1], abs=QUADRATURE)


@pytest.mark.parametrize("release", SEVERAL, ids=lambda release: release.label)
def test_several_phases_by_the_spectrum_and_on_the_lattice(release):
    for absent in (True, False):
        assert [part.sum() for part in masses(release, absent)] == pytest.approx([1.0, 1.0], abs=1e-9)
    for order in (Order.ADD, Order.REMOVE):
        found = by_spectrum(release, ALPHA, order)
        assert found == pytest.approx(by_spectrum(release, ALPHA, order, coarser=True), abs=SPECTRUM)
        fine, coarse = (by_lattice(release, ALPHA, order, points) for points in (512, 256))
        assert found == pytest.approx(fine + (fine - coarse) / 3.0, abs=LATTICE)


def test_few_steps_with_edges_have_no_spectrum():
    assert by_spectrum(Laplace(2.0, 0.5, 2), ALPHA, Order.ADD) is None
    assert by_spectrum(Gaussian(300.0, 1.0, 1_000_000), ALPHA, Order.ADD) is not None


@pytest.mark.parametrize("less_1", [1e-6 - 2e-3j, -3e-7 + 1e-9j, -0.3 + 0.2j, -0.9 + 0.3j, 0.0j])
@pytest.mark.parametrize("steps", [1, 3, 1_000_000])
def test_many_steps_keep_the_digits_of_one(less_1, steps):
    with mpmath.workdps(60):
        expected = complex((1 + mpmath.mpc(less_1)) ** steps)
    assert repeated(less_1, steps) == pytest.approx(expected, rel=ROUNDING, abs=1e-300)


@pytest.mark.parametrize("rate", [0.1, 1.0])
def test_a_folded_step_is_told_by_its_distance_alone(rate):
    release, x = Gaussian(0.7, rate), np.array([0.0, 0.3, 1.0, 2.5])
    ratios = [stats.norm.pdf(x, side, 0.7) / stats.norm.pdf(x, 0.0, 0.7) for side in (-1.0, 1.0)]
    expected = np.log(1.0 - rate + rate * 0.5 * (ratios[0] + ratios[1]))
    np.testing.assert_allclose([folded_losses(release, side) for side in (x, -x)], [expected, expected], atol=1e-12)
