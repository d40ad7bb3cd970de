"""Batches shuffled once an epoch: the guarantee that holds, the attack that is known, and what must not be claimed."""

import numpy as np
import pytest
from scipy.special import ndtr

from numerics.approximations import clt
from numerics.calibration import EpsilonTarget, noise_for
from numerics.mechanisms import MECHANISMS, Adjacency, Composition, Gaussian, Laplace, Sampling
from numerics.relaxed import trade_off as relaxed_curve
from numerics.sampling.shuffled import batches_of
from numerics.trade_off import Bound, Order, alpha_grid
from tests.reference import PRACTICE, Reference, each

# The attack is told a cell of the largest release, and its loss on a lattice: relative, of rates and of epsilon.
TOLD = 2e-5
ADJACENCY = {"zero": Adjacency.ZERO_OUT, "repl": Adjacency.REPLACE_ONE}
BRACKET = 1e-6  # of epsilon


def shuffled(noise: float, batches: int, epochs: int = 1, adjacency: Adjacency = Adjacency.ZERO_OUT) -> Gaussian:
    return Gaussian(noise, 1.0 / batches, batches * epochs, adjacency, Sampling.SHUFFLED)


def release(row: Reference, adjacency: Adjacency | None = None) -> Gaussian:
    named = adjacency or ADJACENCY[row.text("adjacency")[:4]]
    batches, epochs = (int(row.params.get(name, usual)) for name, usual in (("batches", 100), ("epochs", 1)))
    return shuffled(row.number("noise_multiplier"), batches, epochs, named)


@each(prefix="shuffle_", file=PRACTICE)
def test_the_attack_reaches_what_is_demonstrated(row):
    """To the digits of the row; never more than the statistic has, where it is known to 12 digits."""
    mechanism = release(row)
    if "alpha" in row.params:
        found = mechanism.power(row.number("alpha"))
    else:
        found = mechanism.epsilon(float(row.params.get("delta", "1e-5")))
    digits = 0.5 * 10.0 ** -len(row.value.partition(".")[2])
    assert found.lower <= row.expected + digits
    assert found.lower >= row.expected * (1.0 - TOLD) - digits
    assert found.lower < found.upper


@each(prefix="fixed_eps", file=PRACTICE)
def test_the_guarantee_is_one_unsampled_release_an_epoch(row):
    found = release(row, Adjacency.ZERO_OUT).epsilon(row.number("delta"))
    assert row.expected * (1.0 - 1e-11) <= found.upper <= row.expected + BRACKET
    replaced = release(row, Adjacency.REPLACE_ONE).epsilon(row.number("delta")).upper
    assert 0.0 <= replaced - halved(row) <= BRACKET


def halved(row: Reference) -> float:
    """Epsilon of as many releases with half of the noise: a replaced record moves the sum twice as far."""
    return Gaussian(row.number("noise_multiplier") / 2.0, steps=row.count("epochs")).epsilon(row.number("delta")).upper


@each(prefix="batch_fixed", file=PRACTICE)
def test_power_of_the_guarantee(row):
    found = release(row).power(row.number("alpha"))
    assert row.expected <= found.upper <= row.expected + 1e-6


@each(prefix="NEG_shuffle", role="negative", file=PRACTICE)
def test_poisson_accounting_is_below_an_attack_that_exists(row):
    assert release(row, Adjacency.ZERO_OUT).epsilon(row.number("delta")).lower > 2.0 * row.expected


@each(prefix="poisson_eps", file=PRACTICE)
def test_what_an_accountant_promises_who_takes_the_batches_for_poisson_ones(row):
    mechanism = release(row, Adjacency.ZERO_OUT)
    promised = mechanism.with_neighbours(Adjacency.ZERO_OUT, Sampling.POISSON).epsilon(row.number("delta"))
    assert promised.lower <= row.expected + 1e-9
    assert promised.upper >= row.expected - 1e-9
    assert promised.upper < mechanism.epsilon(row.number("delta")).lower


@pytest.mark.parametrize("adjacency", [Adjacency.ZERO_OUT, Adjacency.REPLACE_ONE])
def test_monte_carlo_of_the_attack(adjacency):
    """The largest of T sums an epoch, drawn; the statistic is the log ratio of its density."""
    batches, epochs, noise, samples = 20, 3, 1.0, 200_000
    absent = 0.0 if adjacency is Adjacency.REPLACE_ONE else 1.0
    generator = np.random.default_rng(18)

    def summed(mean: float) -> np.ndarray:
        drawn = noise * generator.standard_normal((samples, epochs, batches))
        drawn[:, :, 0] += mean
        c = drawn.max(axis=2)
        # Noise is 1; what the densities of the largest share is left out.
        logs = [np.log(pull(c, m) * ndtr(c) + (batches - 1) * pull(c, 0.0) * ndtr(c - m)) for m in (2.0, absent)]
        return np.asarray(np.sum(logs[0] - logs[1], axis=1))

    def pull(c: np.ndarray, mean: float) -> np.ndarray:
        return np.asarray(np.exp(-0.5 * (c - mean) ** 2))

    null, present = summed(absent), summed(2.0)
    alpha = 0.01
    power = float(np.mean(present > np.quantile(null, 1.0 - alpha)))
    found = shuffled(noise, batches, epochs, adjacency).power(alpha).lower
    assert found == pytest.approx(power, abs=6.0 * np.sqrt(power / samples) + 6.0 * np.sqrt(alpha / samples))


@pytest.mark.parametrize(
    "kind", [kind for kind in MECHANISMS if Sampling.SHUFFLED in kind.samplings and kind.is_sampled]
)
def test_one_batch_an_epoch_leaves_nothing_to_shuffle(kind):
    """Guarantee and attack meet where there is one batch; here with nine of ten records in it."""
    alpha = np.array([1e-6, 1e-3, 0.1, 0.7])
    for adjacency in ADJACENCY.values():
        exact = kind(1.3, 1.0, 1, adjacency).trade_off(alpha).power
        almost = kind(1.3, 1.0 - 1e-12, 1, adjacency, Sampling.SHUFFLED).trade_off(alpha)
        assert almost.lower is not None
        assert almost.upper is not None
        assert np.all(almost.lower.power >= exact * (1.0 - 1e-12))
        np.testing.assert_allclose(almost.lower.power, exact, rtol=2e-3)
        np.testing.assert_allclose(almost.upper.power, exact, rtol=5e-3)


def test_sides_of_the_bracket_grow_with_epochs_and_fall_with_noise():
    alpha = alpha_grid(61)
    for adjacency in ADJACENCY.values():
        base = shuffled(1.0, 50, 3, adjacency)
        safer = [shuffled(1.0, 50, 2, adjacency), shuffled(1.4, 50, 3, adjacency), shuffled(1.0, 200, 3, adjacency)]
        curve = base.trade_off(alpha)
        for one in (mechanism.trade_off(alpha) for mechanism in safer):
            assert one.lower is not None
            assert one.upper is not None
            assert curve.lower is not None
            assert curve.upper is not None
            assert np.all(one.lower.power <= curve.lower.power + 1e-12)
            # Attacks are rounded on lattices of their own.
            assert np.all(one.upper.power <= curve.upper.power * (1.0 + 1e-3) + 1e-12)


def test_an_open_curve_is_its_guarantee_with_the_attack_beside_it():
    curve = shuffled(1.0, 100, 10).trade_off(alpha_grid(41))
    assert curve.bound is Bound.OPEN
    assert curve.lower is not None
    assert curve.upper is not None
    assert (curve.lower.bound, curve.upper.bound) == (Bound.LOWER, Bound.UPPER)
    np.testing.assert_array_equal(curve.power, curve.lower.power)
    assert np.all(curve.upper.power <= curve.lower.power)
    mechanism = shuffled(1.0, 100, 10)
    found = mechanism.power(0.01)
    assert found.upper - found.estimate < 1e-4 < found.estimate - found.lower  # what is shown is the guarantee


def test_batches_that_do_not_fit_are_counted_on_the_safe_side():
    """234.4 batches an epoch: the guarantee counts epochs begun with 234, the attack whole ones with 235."""
    assert batches_of(256 / 60_000) == 234
    rate = 256 / 60_000
    mechanism = Gaussian(1.0, rate, 470, Adjacency.ZERO_OUT, Sampling.SHUFFLED)
    assert sum(count for _, count in mechanism.pairs) == 3
    assert mechanism.attack_pairs is not None
    ((pair, count),) = mechanism.attack_pairs
    assert (count, pair.batches, pair.share) == (2, 234, pytest.approx(234 * rate))  # type: ignore[attr-defined]
    begun = Gaussian(1.0, 0.01, 150, Adjacency.ZERO_OUT, Sampling.SHUFFLED)
    assert [(pair.participation, count) for pair, count in begun.pairs] == [(1.0, 1), (0.5, 1)]
    assert begun.power(0.01).lower > shuffled(1.0, 100, 1).power(0.01).lower  # half of an epoch more to look at
    assert Gaussian(1.0, 0.01, 30, Adjacency.ZERO_OUT, Sampling.SHUFFLED).participation == pytest.approx(0.3)
    assert begun.participation == 1.0


@pytest.mark.parametrize("adjacency", [Adjacency.ZERO_OUT, Adjacency.REPLACE_ONE])
def test_one_batch_that_is_seen_is_looked_at(adjacency):
    """Alone it is a threshold on one number, N(2) or N(0) against N(1 or 0) or N(0); after an epoch it adds to that."""
    rate, noise, threshold = 0.1, 1.0, np.linspace(-1.0, 5.0, 61)
    absent = 0.0 if adjacency is Adjacency.REPLACE_ONE else 1.0

    def above(mean: float) -> np.ndarray:
        return np.asarray(rate * ndtr((mean - threshold) / noise) + (1.0 - rate) * ndtr(-threshold / noise))

    release = Gaussian(noise, rate, 1, adjacency, Sampling.SHUFFLED)
    for alpha, power in zip(above(absent), above(2.0), strict=True):
        assert release.power(float(alpha)).lower >= power * (1.0 - TOLD) - 1e-6
    epoch, more = (Gaussian(noise, rate, steps, adjacency, Sampling.SHUFFLED).power(0.1) for steps in (10, 11))
    assert more.lower > epoch.lower + 0.05 * rate


@pytest.mark.parametrize("steps", range(1, 13))
def test_a_begun_epoch_counts_where_batches_do_not_fit(steps):
    """Three batches of 3/10: whether what is left is a fourth one or is dropped, an epoch that is begun gives more."""
    now, before = (
        Gaussian(1.0, 0.3, each, Adjacency.ZERO_OUT, Sampling.SHUFFLED).power(0.1).lower if each else 0.1
        for each in (steps, steps - 1)
    )
    if steps % 4:
        assert now > before + 1e-4
    else:  # the fourth step may be the small batch
        assert now == pytest.approx(before, abs=1e-4)
    kept, dropped = (composed_by_hand(steps, length) for length in (4, 3))
    assert now == pytest.approx(min(kept, dropped), rel=1e-3)


def composed_by_hand(steps: int, length: int) -> float:
    """Power at 1/10 of the largest of each epoch's full batches, for epochs of so many steps: by convolved losses."""
    grid = np.linspace(-12.0, 14.0, 4001)
    p = q = np.ones(1)
    whole, rest = divmod(steps, length)
    for seen in [3] * whole + [min(rest, 3)] * (rest > 0):
        share = 0.3 * seen
        laws = [
            np.diff(share * ndtr(grid - mean) * ndtr(grid) ** (seen - 1) + (1.0 - share) * ndtr(grid) ** seen)
            for mean in (2.0, 1.0)
        ]
        masses = [np.maximum(law, 1e-300) for law in laws]
        one = np.log(masses[0]) - np.log(masses[1])
        place = np.clip(np.rint(one / 2e-3), -4000, 4000).astype(int) + 4000
        steps_p, steps_q = (np.bincount(place, law, 8001) for law in masses)
        p, q = np.convolve(p, steps_p), np.convolve(q, steps_q)
    alpha, power = (np.append(0.0, np.cumsum(law[::-1])) for law in (q, p))
    return float(np.interp(0.1, alpha, power))


def test_calibration_settles_on_the_guarantee():
    found = noise_for(EpsilonTarget(8.0, 1e-5), shuffled(1.0, 100, 5))
    assert found.met
    assert found.reached.upper == pytest.approx(8.0, rel=1e-4)
    unsampled = noise_for(EpsilonTarget(8.0, 1e-5), Gaussian(1.0, steps=5))
    assert found.noise_multiplier == pytest.approx(unsampled.noise_multiplier, rel=1e-4)


def test_removing_a_record_is_refused_by_name():
    with pytest.raises(ValueError, match="shuffled batches need zero-out or replace-one adjacency, got add/remove"):
        Gaussian(1.0, 0.01, 100, Adjacency.ADD_REMOVE, Sampling.SHUFFLED)


def test_what_is_computed_for_poisson_sampling_is_refused_by_name():
    mechanism = Composition((shuffled(1.0, 10), shuffled(1.5, 20)))
    for ask in (lambda: clt(mechanism, alpha_grid(11)), lambda: relaxed_curve(mechanism, alpha_grid(11))):
        with pytest.raises(ValueError, match=r"Poisson sampling only, .*and the release has shuffled batches"):
            ask()


def test_other_noise_has_a_guarantee_and_an_attack_too():
    mechanism = Laplace(2.0, 0.05, 40, Adjacency.ZERO_OUT, Sampling.SHUFFLED)
    found = mechanism.power(0.01, Order.ADD)
    assert 0.01 < found.lower < found.upper
    assert found.upper == pytest.approx(Laplace(2.0, 1.0, 2).power(0.01).upper, rel=1e-3)
    assert mechanism.pure_epsilon == pytest.approx(2 * 0.5)
