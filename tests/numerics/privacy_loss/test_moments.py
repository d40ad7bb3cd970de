"""Limits on epsilon by moments alone: on either side of closed forms and of dp-accounting, and never infinite.

dp-accounting 0.6 (connect the dots, upper bounds): ``from_gaussian_mechanism(.03, sampling_prob=.001,
value_discretization_interval=.1).self_compose(100)`` at delta 1e-6, and noise .0111, rate .37, one step, at delta .135.
"""

import numpy as np
import pytest

from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Sampling
from numerics.mechanisms.logistic import Logistic
from numerics.privacy_loss.certify import certify_number
from numerics.privacy_loss.moments import epsilon_reach
from numerics.privacy_loss.questions import EpsilonAt

REPLACE = Adjacency.REPLACE_ONE
UNSAMPLED = [Gaussian(mu, 1.0, steps) for mu in (1e-3, 0.05, 1.0, 30.0) for steps in (1, 1000)]
ONCE = [
    kind(noise, rate, 1) for kind in (Gaussian, Laplace) for noise in (0.01, 0.5, 20.0) for rate in (1e-3, 0.4, 1.0)
]


@pytest.mark.parametrize("delta", [0.1, 1e-5, 1e-12])
@pytest.mark.parametrize("release", [*UNSAMPLED, *ONCE], ids=str)
def test_closed_forms_lie_between(release, delta):
    assert release.closed_form is not None
    truth, found = release.closed_form.epsilon(delta), epsilon_reach(release.pairs, delta)
    assert found.lower <= truth * (1.0 + 1e-12)
    assert truth <= found.upper * (1.0 + 1e-12)
    assert found.upper <= found.top
    assert release.closed_form.delta(found.top) <= 1e-8 * delta


def test_another_library_lies_between():
    for release, delta, theirs in (
        (Gaussian(0.03, 1e-3, 100), 1e-6, 2237.1),
        (Gaussian(0.0111, 0.37, 1), 0.135, 4088.2),
    ):
        found = epsilon_reach(release.pairs, delta)
        assert found.lower <= theirs <= found.upper * 1.001


FORMERLY_INFINITE = [
    (Gaussian(0.0032, 0.067, 52794), 4.3e-10),
    (Gaussian(0.0078, 0.64, 218581), 1.1e-3),
    (Gaussian(0.012, 5.2e-5, 2, REPLACE), 9.6e-5),
    (Gaussian(0.0082, 2.48e-6, 392, REPLACE, Sampling.FIXED_SIZE), 4.3e-7),
    (Gaussian(0.0125, 0.551, 63900, REPLACE), 2e-7),
]


@pytest.mark.parametrize(("release", "delta"), FORMERLY_INFINITE, ids=str)
def test_little_noise_has_two_finite_limits_without_any_lattice(release, delta):
    found = certify_number(release.pairs, EpsilonAt(delta), 1e-4)  # of the bound, where no attack reaches it
    assert 700.0 < found.lower <= found.upper < np.inf


def test_much_noise_lost_to_many_steps_is_bracketed_narrowly():
    """The upper limit was the pure epsilon, the lower one that of the smallest number."""
    for release in (Laplace(0.0016, 0.811, 80230), Laplace(0.0032, 0.004, 19935)):
        found = release.epsilon(1e-6)
        assert found.width <= 0.1 * found.upper < 0.95 * release.pure_epsilon


def test_looking_for_an_epsilon_leaves_enough_to_read_it():
    """The first fine lattice took all that may be transformed, 200 below; where it lies, the second had none left."""
    release = Laplace(0.009433, 1.14e-5, 12116, REPLACE, Sampling.FIXED_SIZE)
    assert release.epsilon(5.87e-5).margin < 1.0


@pytest.mark.parametrize("count", [1, 2, 3, 16])
@pytest.mark.parametrize("mechanism", [Gaussian, Laplace, Logistic])
def test_what_lies_beyond_all_phases_together_is_left_above_a_finite_end(mechanism, count):
    """Each phase was allowed as much beyond its cells as all of them together may have: the end was infinite."""
    phases = tuple(mechanism(1.0 + 0.1 * number, 1.0, 10) for number in range(count))
    for delta in (1e-3, 1e-5, 1e-9):
        found = epsilon_reach(Composition(phases).pairs if count > 1 else phases[0].pairs, delta)
        assert found.lower <= found.upper <= found.top < np.inf
