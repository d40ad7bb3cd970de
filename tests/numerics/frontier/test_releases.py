"""What whole-number noise, blurred answers and noisy choices cost: closed forms against simulations of the release."""

import numpy as np
import pytest

from numerics.calibration import AdvantageTarget, EpsilonTarget, PowerTarget
from numerics.frontier.releases import Choice, Survey, WholeHistogram
from numerics.mechanisms import Adjacency
from numerics.privacy_loss import Precision
from numerics.trade_off import Order

DRAWS = 40_000
FINE = Precision(width=1e-6, relative=1e-5)
RELEASES = [
    WholeHistogram(1000, 20),
    WholeHistogram(1000, 5, Adjacency.REPLACE_ONE),
    Survey(1000, 4),
    Choice(1000, 8),
]


@pytest.mark.parametrize("bins", [2, 20])
@pytest.mark.parametrize("noise", [0.3, 2.0, 15.0])
def test_the_worst_bin(bins, noise):
    generator, success = np.random.default_rng(1), -np.expm1(-1.0 / noise)
    drawn = [generator.geometric(success, (DRAWS, bins)) for _ in range(2)]
    largest = np.abs(drawn[0] - drawn[1]).max(axis=1)
    sure = 5.0 * largest.std() / np.sqrt(DRAWS)
    assert WholeHistogram(1000, bins).error(noise) == pytest.approx(largest.mean(), abs=sure)


def test_the_worst_bin_of_much_noise_is_that_of_laplace_noise():
    """The expected largest of k standard exponentials is the k-th harmonic number."""
    for noise in (80.0, 1e3, 1e5):
        harmonic = np.sum(1.0 / np.arange(1, 31))
        assert WholeHistogram(1000, 30).error(noise) == pytest.approx(noise * harmonic, rel=0.02 / noise + 1e-5)


@pytest.mark.parametrize("categories", [2, 5])
@pytest.mark.parametrize("noise", [0.5, 1.0, 3.0])
def test_a_share(categories, noise):
    generator, people = np.random.default_rng(2), 400
    survey, true = Survey(people, categories), 1.0 / (1.0 + (categories - 1) * np.exp(-1.0 / noise))
    other = true * np.exp(-1.0 / noise)
    errors = []
    for share in (0.0, 0.3, 1.0):
        having = round(share * people)
        said = generator.binomial(having, true, DRAWS) + generator.binomial(people - having, other, DRAWS)
        estimate = (said / people - other) / (true - other)
        assert estimate.mean() == pytest.approx(share, abs=5.0 * estimate.std() / np.sqrt(DRAWS))
        errors.append(estimate.std())
    assert survey.error(noise) == pytest.approx(max(errors), rel=0.02)


@pytest.mark.parametrize("candidates", [2, 3, 50])
def test_no_counts_make_a_choice_lack_more(candidates):
    generator, noise = np.random.default_rng(3), 1.5
    worst = Choice(1000, candidates).error(noise)

    def lack(behind):
        weight = np.exp(-np.append(0.0, behind) / noise)
        return float(np.append(0.0, behind) @ weight / weight.sum())

    assert max(lack(generator.uniform(0.0, 20.0, candidates - 1)) for _ in range(2000)) <= worst
    assert lack(np.full(candidates - 1, noise + worst)) == pytest.approx(worst, rel=1e-12)
    gumbel = noise * generator.gumbel(size=(DRAWS, candidates))
    gumbel[:, 1:] -= noise + worst
    lacks = (noise + worst) * (gumbel.argmax(axis=1) > 0)
    assert lacks.mean() == pytest.approx(worst, abs=5.0 * lacks.std() / np.sqrt(DRAWS))


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: type(release).__name__)
@pytest.mark.parametrize(
    "target", [PowerTarget(0.05, 0.01, Order.ADD), AdvantageTarget(0.2), EpsilonTarget(1.0, 1e-5)], ids=str
)
def test_the_noise_keeps_the_limit_and_hardly_less_does(release, target):
    kept = release.kept(target)
    assert target.measure(kept.mechanism, FINE).upper <= target.goal
    less = kept.mechanism.with_noise(0.999 * kept.mechanism.noise_multiplier)
    assert target.measure(less, FINE).upper > target.goal
    assert kept.error == release.error(kept.mechanism.noise_multiplier)


def test_a_replaced_person_moves_two_bins():
    """Both bins' losses add: as two releases of one bin, by the sum of two independent two-point laws."""
    once, replaced = WholeHistogram(1000, 5), WholeHistogram(1000, 5, Adjacency.REPLACE_ONE)
    epsilon = once.mechanism(2.0).pure_epsilon
    assert replaced.mechanism(2.0).pure_epsilon == pytest.approx(2.0 * epsilon, rel=1e-12)
    assert replaced.mechanism(2.0).advantage().upper == pytest.approx(once.mechanism(2.0).advantage().upper, rel=1e-9)


@pytest.mark.parametrize("adjacency", [Adjacency.ADD_REMOVE, Adjacency.REPLACE_ONE])
def test_no_counts_tell_more_than_the_mechanism_of_a_choice(adjacency):
    """Weights e^(epsilon count): any person more, or replaced, against the closed form's advantage."""
    generator, release = np.random.default_rng(4), Choice(1000, 4, adjacency)
    most = release.mechanism(0.7).advantage().upper
    for _ in range(500):
        counts, person, other = generator.integers(0, 6, 4), *generator.integers(0, 2, (2, 4))
        first, second = counts + person, counts + (other if adjacency is Adjacency.REPLACE_ONE else 0)
        p, q = (np.exp(each / 0.7) / np.exp(each / 0.7).sum() for each in (first, second))
        assert 0.5 * np.abs(p - q).sum() <= most * (1.0 + 1e-12)
