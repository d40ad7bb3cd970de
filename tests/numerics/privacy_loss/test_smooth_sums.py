"""Sums known without a lattice: quadrature, bounds and masses, each against what it must be.

The lattices are the other way to the same numbers; they share neither quadrature nor bounds with this one.
"""

from itertools import pairwise

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.mechanisms import Composition, Gaussian
from numerics.mechanisms.normal_loss import NormalLoss
from numerics.privacy_loss import lattices
from numerics.privacy_loss.certify import Precision, forget
from numerics.privacy_loss.smooth_loss import Nodes
from numerics.privacy_loss.smooth_sum import SmoothSum, _logs, smooth_sums
from numerics.privacy_loss.vertices import half
from numerics.trade_off import Order, alpha_grid
from tests.strategies import log_uniform

LOSSES = [
    NormalLoss(1.0, 0.01),
    NormalLoss(0.3, 0.2),
    NormalLoss(10.5, 0.08),
    NormalLoss(1.0, 0.999),
    NormalLoss(0.6, 1e-5),
]
ALPHA = alpha_grid(300)
SUMS = [
    (NormalLoss(1.0, 0.01), 1000),
    (NormalLoss(0.6, 0.001), 10_000),
    (NormalLoss(10.5, 0.08), 1000),
    (NormalLoss(1.15, 0.0075), 405),
]


def sums_of(loss: NormalLoss, steps: int) -> tuple[SmoothSum, SmoothSum]:
    found = smooth_sums([(loss, steps)])
    assert found is not None
    return found


def exact(loss: NormalLoss, z: complex, present: bool) -> mpmath.mpc:
    """E[e^{z loss}] by another quadrature, in 30 digits."""
    with mpmath.workdps(30):
        s, p = mpmath.mpf(loss.scale), mpmath.mpf(loss.rate)

        def value(x: mpmath.mpf) -> mpmath.mpc:
            ratio = 1 - p + p * mpmath.exp((x - 0.5) / s**2)
            return mpmath.npdf(x, 0, s) * mpmath.exp((z + present) * mpmath.log(ratio))

        return mpmath.quad(
            value,
            [*(s * k for k in range(-12, 0, 3)), *mpmath.linspace(0, 1, 4), *(1 + s * k for k in range(3, 15, 3))],
        )


@pytest.mark.parametrize("loss", LOSSES, ids=str)
@pytest.mark.parametrize("frequency", [0.3, 7.0, 60.0])
def test_the_quadrature_is_exact_but_for_its_allowance(loss, frequency):
    nodes = loss.nodes(60.0)
    rounding = 2.0**-53 * len(nodes.loss)
    for mass, present in ((nodes.q, False), (nodes.p, True)):
        found = complex(np.exp(1j * frequency * nodes.loss) @ mass)
        assert abs(found - complex(exact(loss, 1j * frequency, present))) <= nodes.error + rounding * (1.0 + frequency)
        assert np.sum(mass) == pytest.approx(1.0, abs=rounding)


@pytest.mark.parametrize(("loss", "steps"), SUMS[1:], ids=str)
def test_the_spectrum_is_the_power_of_the_characteristic_function(loss, steps):
    """To thirty digits, at frequencies low and high; the allowance is not more than a thousand times what is needed."""
    for total, sign, present in zip(sums_of(loss, steps), (-1.0, 1.0), (True, False), strict=True):
        for k in (1, 7, 20):
            truth = exact(loss, sign * 2j * np.pi * k / total.period, present) ** steps
            assert abs(complex(truth - complex(total.spectrum[k]))) <= total.error[k] < 1e-11


def test_a_characteristic_function_that_is_0_somewhere_is_known_to_be_small_there():
    """Its logarithm was infinite there, and the bracket no number."""
    sides = np.array([0.5, 0.5])
    two = Nodes(np.array([-1.0, 1.0]), sides, sides, 1e-19, 1e-16, 1e-16)  # cos t
    logs, errors = _logs([two], [3], 0.25 * np.pi * np.arange(4.0))
    for log, error in zip(logs, errors, strict=True):
        size = np.exp(log.real)
        assert np.all(np.isfinite(log))
        assert np.all(np.isfinite(error))
        assert np.all(np.abs(np.exp(log) - np.cos(0.25 * np.pi * np.arange(4.0)) ** 3) <= size * np.expm1(error))
        assert size[2] * np.exp(error[2]) < 1e-15


@given(st.builds(NormalLoss, log_uniform(0.25, 30.0), log_uniform(1e-5, 0.99)))
@settings(max_examples=20)
def test_bounds_of_the_characteristic_function_hold_in_between(loss):
    frequency = np.geomspace(0.05, 120.0, 24)
    bounds, nodes = loss.fading(frequency), loss.nodes(2.0 * frequency[-1])
    between = np.concatenate((np.sqrt(frequency[1:] * frequency[:-1]), [1.9 * frequency[-1]]))
    for bound, mass in ((bounds.p, nodes.p), (bounds.q, nodes.q)):
        for t in (frequency, between, np.append(frequency[1:], frequency[-1]) * (1.0 - 1e-9)):
            size = np.abs(np.exp(1j * np.multiply.outer(t, nodes.loss)) @ mass)
            assert np.all(size <= bound + 1e-12)
            assert np.all(np.log(size + 1e-300) + np.log(t) <= bounds.log_variation)
        assert np.all(bound <= 1.0 + 1e-12)


@pytest.mark.parametrize("loss", LOSSES, ids=str)
def test_moments_are_bounded_from_above_and_closely(loss):
    exponents = np.array([-20.0, -0.3, 3.0, 6.0])
    for exponent, bound in zip(exponents, loss.log_moments(exponents), strict=True):
        truth = float(mpmath.log(exact(loss, exponent, False).real))
        assert truth <= bound <= truth + 1e-9 + 1e-3 * abs(truth) or np.isinf(bound)


@pytest.mark.parametrize(("loss", "steps"), SUMS, ids=str)
@pytest.mark.parametrize("level", [0.0, 1.3, 50.0])
def test_masses_do_not_depend_on_how_they_are_cut(loss, steps, level):
    """Blocks of any width, and sums read from any level, agree within their allowances."""
    for total in sums_of(loss, steps):
        fine, coarse = total.upper_tail(8192, level), total.upper_tail(1024, level)
        for one, other in ((fine.p, coarse.p), (fine.q, coarse.q)):
            sums = [np.cumsum(blocks.mass[::-1])[::-1] for blocks in (one, other)]
            shared = min(len(sums[0][::8]), len(sums[1]))
            allowed = 2.0 * (one.tail[0] + np.hypot.reduce(one.noise))
            scale = one.tail[::8][:shared] / one.tail[0]
            assert np.all(
                np.abs(sums[0][::8][:shared] - sums[1][:shared]) <= allowed * scale + 1e-12 * sums[1][:shared]
            )
            assert np.all(one.mass >= 0.0)
        safe, reached = half(fine, True), half(fine, False)
        assert np.all(safe.power[1:] >= reached.power[1:])
        assert np.all(safe.alpha[1:] <= reached.alpha[1:])
        assert float(np.sum(fine.law)) == pytest.approx(1.0, abs=1e-11)
        assert level < 50.0 or not np.any(fine.p.mass)  # above the window masses repeat, and none is read


RELEASES = [
    Gaussian(1.0, 0.01, 1000),
    Gaussian(0.6, 0.001, 10_000),
    Gaussian(10.5, 4096 / 50_000, 1000),
    Gaussian(0.5, 0.2, 400),
    Composition((Gaussian(1.0, 0.01, 500), Gaussian(2.0, 0.05, 200))),
    Gaussian(30.0, 0.5, 100_000),
    Gaussian(3.0, 0.9, 300),
]


@pytest.mark.parametrize("release", RELEASES, ids=str)
def test_brackets_meet_those_of_lattices(release, monkeypatch):
    """No guarantee of either lies above an attack of the other, in any order and at any rate."""
    precision = Precision(width=1e-4)
    assert smooth_sums([(pair.smooth_loss, steps) for pair, steps in release.pairs]) is not None

    def asked():
        forget()
        return [release.trade_off(ALPHA, order, precision) for order in Order], release.epsilon(1e-7, 1e-4)

    (curves, epsilon), _ = asked(), monkeypatch.setattr(lattices, "smooth_sums", lambda losses: None)
    others, other = asked()
    forget()
    for mine, theirs in zip(curves, others, strict=True):
        for one, two in ((mine, theirs), (theirs, mine)):
            assert np.all(one.lower.beta <= two.upper.beta + 1e-15)
            assert np.all(one.lower.power >= two.upper.power * (1.0 - 1e-12) - 1e-15)
    assert max(epsilon.lower, other.lower) <= min(epsilon.upper, other.upper)
    assert epsilon.width <= max(1e-4, other.width)


def test_width_shrinks_like_the_square_of_the_blocks():
    widths, alpha = [], np.linspace(0.2, 0.5, 5000)
    for step in (0.02, 0.01, 0.005):
        found = lattices.Lattices(Gaussian(1.0, 0.01, 1000).pairs).at(step, 1e-3, 0.0)
        assert found is not None
        safe, _, reached = found.loss.trade_off(alpha, Order.ADD)
        widths.append(float(np.max(safe.power - reached.power)))
    assert all(3.0 < before / after < 5.0 for before, after in pairwise(widths))


@pytest.mark.parametrize(
    "release", [Gaussian(1.0, 0.01, 3), Gaussian(1.0), Gaussian(0.1, 0.01, 1000), Gaussian(1.0, 1e-6, 5000)]
)
def test_where_the_spectrum_does_not_die_out_lattices_are_used(release):
    """Too few steps, no sampling, or a sum that is hardly ever other than 0."""
    assert lattices.Lattices(release.pairs).first_step(1e-4) == lattices.Lattices(release.pairs).scheme.first_step(
        1e-4, sum(steps for _, steps in release.pairs)
    )
