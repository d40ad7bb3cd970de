"""The minimax test from characteristic functions: against the lattice, and against sums in more digits.

What ``relaxed.trade_off`` returns is moved between certified bounds, which hides an error of the test itself: here it
is looked at before that.
"""

from decimal import Decimal, localcontext

import numpy as np
import pytest

from numerics.mechanisms import Composition, Gaussian, Laplace, SampledMechanism
from numerics.relaxed import joint_boundary, joint_lattice, joint_spectrum
from numerics.relaxed.joint_law import StepQuadrature, steps_of
from numerics.relaxed.joint_spectrum import Grid
from numerics.relaxed.roc import Roc
from numerics.trade_off import Order

ALPHA = np.array([1e-6, 1e-3, 0.1, 0.5, 0.9, 0.999])
SEVERAL = [
    Composition((Laplace(3.0, 0.5, 30), Gaussian(2.0, 0.5, 5))),
    Composition((Gaussian(2.0, 0.5, 8), Gaussian(1.5, 0.2, 6))),
    Composition((Gaussian(4.0, 1.0, 6), Laplace(5.0, 0.7, 40), Gaussian(2.0, 0.1, 30))),
]
LATTICE = 3e-4  # of two lattices, 512 and 256 points wide, extrapolated
SPECTRUM = 1e-6  # largest stated error where the characteristic functions die out within the grid
ROUNDING = 1e-12  # a million steps magnify what a step's 1 + x loses to 1e-10


def of_spectrum(release: SampledMechanism | Composition) -> tuple[list[StepQuadrature], Grid]:
    steps = steps_of(release.pairs)
    grid = joint_spectrum.grid_for(steps)
    assert grid is not None
    return steps, grid


@pytest.mark.parametrize("release", SEVERAL, ids=lambda release: release.label)
def test_several_phases_are_as_on_the_lattice(release: Composition) -> None:
    steps, grid = of_spectrum(release)
    ours, coarser = joint_boundary.roc(steps, grid), joint_boundary.roc(steps, grid.coarser())
    sums = joint_lattice.window(steps)
    fine, coarse = (joint_lattice.roc(steps, sums, points) for points in (512, 256))
    for order in (Order.ADD, Order.REMOVE):
        found, stated, *lattice = (_power(roc, order) for roc in (ours, coarser, fine, coarse))
        assert found == pytest.approx(stated, abs=SPECTRUM)
        assert found == pytest.approx(lattice[0] + (lattice[0] - lattice[1]) / 3.0, abs=LATTICE)


def _power(roc: Roc, order: Order) -> np.ndarray:
    return roc.at(ALPHA, order).power


@pytest.mark.parametrize("release", SEVERAL, ids=lambda release: release.label)
@pytest.mark.parametrize("absent", [True, False])
def test_all_cells_together_hold_all_mass(release: Composition, absent: bool) -> None:
    steps, grid = of_spectrum(release)
    law = joint_spectrum.law(steps, grid, absent)
    assert law.cells.sum() == pytest.approx(1.0, abs=1e-9)
    assert law.sums.sum() == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("less_1", [1e-6 - 2e-3j, -3e-7 + 1e-9j, -1e-5 - 3e-4j, -0.3 + 0.2j, -0.9 + 0.3j, 0.0j])
@pytest.mark.parametrize("steps", [1, 3, 1_000_000])
def test_many_steps_keep_the_digits_of_one(less_1: complex, steps: int) -> None:
    found = joint_spectrum._repeated(np.array([less_1]), steps)[0]
    assert found == pytest.approx(_power_of(less_1, steps), rel=ROUNDING, abs=1e-300)


def _power_of(less_1: complex, steps: int) -> complex:
    """(1 + less_1)^steps by squaring, in 60 digits."""
    with localcontext() as context:
        context.prec = 60
        base, result = (1 + Decimal(less_1.real), Decimal(less_1.imag)), (Decimal(1), Decimal(0))
        while steps:
            result = _times(result, base) if steps % 2 else result
            base, steps = _times(base, base), steps // 2
        return complex(*result)


def _times(one: tuple[Decimal, Decimal], other: tuple[Decimal, Decimal]) -> tuple[Decimal, Decimal]:
    return one[0] * other[0] - one[1] * other[1], one[0] * other[1] + one[1] * other[0]


@pytest.mark.parametrize("release", [Gaussian(3.0, 0.01, 10), Laplace(50.0, 1.0, 10)], ids=lambda m: m.label)
@pytest.mark.parametrize("absent", [True, False])
def test_low_frequencies_see_the_moments(release: SampledMechanism, absent: bool) -> None:
    """1 - x would leave nothing of them."""
    (step,), small = steps_of(release.pairs), 1e-5
    mass = step.null if absent else step.present
    even, odd = joint_spectrum._waves(step, np.array([0.0, small]), np.array([0.0, small]), absent)
    squares = -0.5 * small**2
    assert even[0, 1].real == pytest.approx(squares * (mass @ step.even**2), rel=1e-8)
    assert even[1, 0].real == pytest.approx(squares * (mass @ step.odd**2), rel=1e-8)
    assert even[0, 1].imag == pytest.approx(small * (mass @ step.even), rel=1e-8)
    assert odd[1, 0].imag == pytest.approx(small * (mass @ step.odd) * (not absent), rel=1e-8, abs=1e-20)
    assert even[0, 0] == odd[0, 0] == 0.0


def test_beyond_the_points_that_are_known_a_smooth_curve_goes_straight_to_the_corners():
    alpha, power = np.array([0.9, 0.5, 0.2, 0.1]), np.array([0.99, 0.8, 0.5, 0.3])
    at = np.array([0.0, 0.05, 0.1, 0.9, 0.95, 1.0])
    found = Roc(alpha, 1.0 - alpha, 1.0 - power, power, smooth=True).at(at, Order.ADD)
    np.testing.assert_allclose(found.power, [0.0, 0.15, 0.3, 0.99, 0.995, 1.0], atol=1e-12)
    np.testing.assert_allclose(found.beta, 1.0 - found.power, atol=1e-12)
