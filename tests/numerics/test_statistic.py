"""The law of the attacker's statistic: all of the mass, smooth where the truth is, and true to the closed form."""

import numpy as np
import pytest
from scipy.special import ndtr

from numerics.mechanisms import Composition, Gaussian, Laplace, SampledMechanism

OMITTED = 5e-6  # both ends together, and the lattice's rounding
OF_THE_PEAK = 0.03  # a lattice point astride a bin's edge, a bin holding some dozens
BIN = 2e-3  # mass in a bin of a few lattice points, against the integral of the density


@pytest.mark.parametrize(
    "mechanism",
    [
        Gaussian(1.0, 0.01, 1000),
        Gaussian(0.6, 0.01, 1000),
        Gaussian(1.0),
        Gaussian(1.0, 0.1),
        Laplace(1.0, 0.1, 100),
        Composition((Gaussian(1.0, 0.01, 1000), Gaussian(0.8, 0.01, 500))),
    ],
)
def test_statistic_holds_all_of_the_mass_in_even_bins(mechanism: SampledMechanism | Composition) -> None:
    law = mechanism.statistic()
    assert np.ptp(np.diff(law.loss)) < 1e-9 * np.diff(law.loss)[0] + 1e-12
    assert law.null.sum() == pytest.approx(1.0, abs=OMITTED)
    assert law.alternative.sum() == pytest.approx(1.0, abs=OMITTED)
    assert np.all(law.null >= 0.0)


@pytest.mark.parametrize(
    "mechanism", [Gaussian(1.0, 0.01, 1000), Gaussian(0.6, 0.01, 1000), Gaussian(1.0, 1.0, 20), Laplace(1.0, 0.1, 100)]
)
def test_sums_of_many_steps_have_one_hill_and_no_comb(mechanism: SampledMechanism) -> None:
    law = mechanism.statistic()
    for mass in (law.null, law.alternative):
        top = int(np.argmax(mass))
        falls_before, rises_after = -np.diff(mass[: top + 1]), np.diff(mass[top:])
        assert max(falls_before.max(), rises_after.max()) < OF_THE_PEAK * mass.max()


def test_statistic_of_gaussian_noise_is_gaussian() -> None:
    """Log-likelihood ratio of N(mu, 1) against N(0, 1): N(-mu^2/2, mu^2) without the record."""
    law, mu = Gaussian(0.5).statistic(), 2.0
    edges = np.append(law.loss, law.loss[-1] + law.loss[1] - law.loss[0]) - 0.5 * (law.loss[1] - law.loss[0])
    assert law.null == pytest.approx(np.diff(ndtr((edges + mu**2 / 2) / mu)), abs=BIN)
    assert law.alternative == pytest.approx(np.diff(ndtr((edges - mu**2 / 2) / mu)), abs=BIN)
