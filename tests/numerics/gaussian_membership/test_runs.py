"""Gaussian membership inference privacy of whole runs (paper 004): composition and calibration."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numerics import Gaussian
from numerics.calibration import AdvantageTarget, PowerTarget
from numerics.calibration import noise_for as mechanism_noise_for
from numerics.gaussian_membership import GradientRelease, composition, level, step_mu
from numerics.gaussian_membership.calibration import MuTarget, noise_for, target_mu
from numerics.mechanisms.gaussian import GaussianShift
from tests.reference import Reference, each
from tests.strategies import log_uniform

ROUNDING = 1e-12
TABLE_5 = {
    "CIFAR": (GradientRelease.of_epochs(48000, 400, 10, 650), 500.0),
    "Purchase": (GradientRelease.of_epochs(54855, 795, 3, 2580), 2000.0),
    "Adult": (GradientRelease.of_epochs(43000, 1000, 20, 1026), 800.0),
}
LEVELS = 0.4 * 125.0 ** (np.arange(20) / 19)
# Paper 004 Table 5 as printed: noise on the mean gradient.
PRINTED = {
    "CIFAR": "2.84 2.44 2.13 1.89 1.70 1.55 1.42 1.32 1.24 1.17 1.11 1.06 1.02 0.98 0.94 0.91 0.88 0.85 0.83 0.81",
    "Purchase": "4.72 4.14 3.68 3.32 3.04 2.81 2.62 2.46 2.32 2.21 2.11 2.02 1.94 1.87 1.81 1.75 1.70 1.65 1.61 1.57",
    "Adult": "3.38 2.77 2.30 1.93 1.65 1.43 1.26 1.13 1.02 0.94 0.87 0.81 0.77 0.73 0.69 0.66 0.63 0.61 0.59 0.57",
}
NONE_NEEDED_FROM = {"CIFAR": 3, "Purchase": 6, "Adult": 5}


def data_set(row: Reference) -> str:
    return row.id.split("_")[2]


# --- composition


@each("GMIP composition")
def test_composition(row: Reference):
    assert composition.composed(tuple(float(mu) for mu in row.params["mus"])) == pytest.approx(row.expected)


@each("GMIP/GDP CLT fixed-size")
def test_sampling_limit(row: Reference):
    assert composition.sampling_limit(row.number("mu_step"), row.number("c")) == pytest.approx(row.expected)


@given(total=log_uniform(1e-3, 100.0), sampling=log_uniform(1e-3, 10.0))
def test_sampling_limit_and_its_inverse(total, sampling):
    step = composition.step_mu_for(total, sampling)
    assert composition.sampling_limit(step, sampling) == pytest.approx(total, rel=1e-7)


@given(mu=log_uniform(1e-5, 20.0), factor=st.floats(1.001, 2.0))
def test_sampling_limit_grows(mu, factor):
    assert composition.sampling_limit(factor * mu, 0.1) > composition.sampling_limit(mu, 0.1)


def test_sampling_limit_at_its_ends():
    assert composition.sampling_limit(0.0, 0.1) == 0.0
    assert composition.sampling_limit(1e3, 0.1) == float("inf")
    # both forms of the divergence agree where one takes over from the other
    assert composition.sampling_limit(1.0 - 1e-9, 1.0) == pytest.approx(composition.sampling_limit(1.0, 1.0), rel=1e-8)
    # small steps: sampling multiplies by n/N, and steps add up in squares
    assert composition.sampling_limit(1e-4, 0.1) == pytest.approx(1e-5, rel=1e-3)


@each(prefix="f1_650_400")
def test_relaxed_mu(row: Reference):
    found = composition.relaxed_mu(row.number("mu_dp"), row.count("n"), row.count("d"))
    assert found.own == pytest.approx(row.expected, rel=ROUNDING)
    assert found.mu == min(found.own, row.number("mu_dp"))
    assert found.set_by_privacy == (row.number("mu_dp") <= row.expected)


@each(prefix="f1_2580")
def test_relaxed_mu_below_the_private_one(row: Reference):
    found = composition.relaxed_mu(row.number("mu_dp"), row.count("n"), row.count("d"))
    assert found.mu == found.own == pytest.approx(row.expected, rel=ROUNDING)
    assert not found.set_by_privacy


@each(prefix="f1_inv")
def test_private_mu(row: Reference):
    found = composition.private_mu(row.number("mu_mip"), row.count("n"), row.count("d"))
    assert found == pytest.approx(row.expected, rel=1e-11)


@each(prefix="NEG_f1", role="negative")
def test_relaxed_mu_is_not_the_printed_one(row: Reference):
    found = composition.relaxed_mu(row.number("mu_dp"), row.count("n"), row.count("d"))
    assert found.own > 1.2 * row.expected


@given(mu=log_uniform(0.05, 20.0), size=st.integers(1, 10_000), dimension=st.integers(1, 10_000))
def test_relaxed_and_private_mu_are_inverses(mu, size, dimension):
    own = composition.relaxed_mu(mu, size, dimension).own
    cancelled = 1e-15 * size * mu**2 / 4  # digits lost in d/mu^2 - n
    assert composition.private_mu(own, size, dimension) == pytest.approx(mu, rel=1e-9 + 10 * cancelled)


def test_levels_that_need_no_noise_have_no_private_counterpart():
    unnoised = composition.relaxed_mu(float("inf"), 400, 650)
    assert not unnoised.set_by_privacy
    assert composition.private_mu(1.0001 * unnoised.mu, 400, 650) == float("inf")


def test_ledger_example():
    """N = 48000, n = 400, T = 1200, d = 650, s = 1: step 1.27237, run .78449; without noise .78660 (ledger)."""
    run = GradientRelease(48000, 400, 1200, 650, 1.0)
    assert step_mu(run.effective_size, 650) == pytest.approx(1.27237, abs=5e-6)
    assert level(run).own == pytest.approx(0.78449, abs=5e-6)
    assert level(run).private == pytest.approx(2.9721, abs=5e-5)
    assert level(run.with_noise(0.0)).mu == pytest.approx(0.78660, abs=5e-6)
    assert level(run.with_noise(0.0)).private == float("inf")
    twice = level(run.with_noise(2.0))
    assert twice.private == pytest.approx(0.49368, abs=5e-6)
    assert twice.set_by_privacy
    assert composition.SAMPLING_LIMIT in twice.assumptions


@given(noise=log_uniform(0.1, 100.0), factor=st.floats(1.01, 5.0))
def test_level_falls_with_noise(noise, factor):
    run = GradientRelease(48000, 400, 1200, 650, noise)
    assert level(run.with_noise(factor * noise)).mu < level(run).mu


# --- calibration


@pytest.mark.parametrize("name", TABLE_5)
def test_table_5(name):
    """All 120 printed noise levels, to their two decimals."""
    release, clip = TABLE_5[name]
    private, relaxed = [], []
    for mu in LEVELS:
        found = noise_for(MuTarget(float(mu)), release)
        private.append(f"{found.private_noise / release.batch_size * clip:.2f}")
        relaxed.append(f"{found.release.noise_multiplier / found.release.batch_size * clip:.2f}")
        assert found.noise_needed == (relaxed[-1] != "0.00")
    assert " ".join(private) == PRINTED[name]
    known = PRINTED[name].split()[: NONE_NEEDED_FROM[name]]
    assert relaxed == known + ["0.00"] * (20 - len(known))


@each("Table 5 tau_DP")
def test_table_5_private_noise(row: Reference):
    release, clip = TABLE_5[data_set(row)]
    found = noise_for(MuTarget(row.number("mu")), release)
    assert found.private_noise / release.batch_size * clip == pytest.approx(row.expected, rel=1e-10)


@each("GMIP raw tau")
def test_table_5_own_noise(row: Reference):
    """The notion's own formula asks for more than differential privacy wherever it asks for noise at all."""
    release, clip = TABLE_5[data_set(row)]
    found = noise_for(MuTarget(row.number("mu")), release)
    assert found.own_noise / release.batch_size * clip == pytest.approx(row.expected, rel=1e-9)
    assert found.set_by_privacy
    assert found.noise_multiplier == found.private_noise


@each("no-noise threshold")
def test_no_noise_threshold(row: Reference):
    release, _ = TABLE_5[data_set(row)]
    assert level(release).mu == pytest.approx(row.expected, rel=ROUNDING)
    enough = noise_for(MuTarget(row.expected * 1.0001), release)
    assert not enough.noise_needed
    assert enough.noise_multiplier == 0.0
    assert not enough.set_by_privacy
    assert noise_for(MuTarget(row.expected * 0.9999), release).noise_needed


@given(mu=log_uniform(0.05, 3.0), susceptibility=st.one_of(st.none(), log_uniform(1.0, 1e4)), sampled=st.booleans())
def test_calibrated_noise_meets_the_target(mu, susceptibility, sampled):
    release = GradientRelease(4000 if sampled else 400, 400, 50, 650)
    found = noise_for(MuTarget(mu), release, susceptibility)
    reached = level(found.release, susceptibility)
    if found.noise_needed:
        assert reached.mu == pytest.approx(mu, rel=1e-6)
        assert reached.set_by_privacy == found.set_by_privacy
    else:
        assert reached.own <= mu * (1.0 + 1e-9)


def test_plug_in_and_its_number_agree():
    release = TABLE_5["CIFAR"][0]
    assert noise_for(MuTarget(0.5), release).own_noise == pytest.approx(
        noise_for(MuTarget(0.5), release, 650.0).own_noise, rel=1e-9
    )


@given(mu=log_uniform(0.01, 5.0), alpha=log_uniform(1e-9, 0.3))
def test_targets_translate_to_mu(mu, alpha):
    shift = GaussianShift(mu)
    assert target_mu(AdvantageTarget(shift.delta(0.0))) == pytest.approx(mu, rel=1e-6)
    power = float(shift.power(np.array([alpha]))[0])
    assert target_mu(PowerTarget(power, alpha)) == pytest.approx(mu, abs=1e-6)


def test_mu_is_a_target_for_mechanisms_too():
    found = mechanism_noise_for(MuTarget(0.5), Gaussian(1.0))
    assert found.noise_multiplier == pytest.approx(2.0, rel=1e-5)
    assert found.met
