"""Records of different susceptibility: the mixture of their tests (paper 004 Def. 4.1, 4.2).

The attacker sees the susceptibility of each record. Over all records the best test accuses wherever the likelihood
ratio exceeds one common threshold; equivalently, the conjugate of the mixture is the mean of the conjugates.
``run_trade_off`` is the curve of a whole run, of these records or for K = d.
"""

from collections.abc import Callable
from typing import Protocol

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.special import ndtr, roots_hermitenorm

from numerics.gaussian_membership.composition import level, run_mu
from numerics.gaussian_membership.step import GradientRelease, StepTest, step_mu
from numerics.roots import crossing
from numerics.trade_off import Bound, Floats, Order, TradeOffCurve
from numerics.validation import Positive, PositiveCount, PositiveProbability, Probabilities, checked, value

_NODES = 40
_WEIGHTS_TOLERANCE = 1e-9


class LikelihoodTest(Protocol):
    """A test between two hypotheses."""

    def rates(self, log_ratio: Floats) -> tuple[Floats, Floats]:
        """False and true positive rates (n,) of accusing at log-likelihood ratios of ``log_ratio`` (n,) and above."""
        ...


@value
class NormalTest:
    """Two normals ``mu`` > 0 apart, in units of their standard deviation."""

    mu: Positive

    def rates(self, log_ratio: Floats) -> tuple[Floats, Floats]:
        scaled = -log_ratio / self.mu
        return ndtr(scaled - 0.5 * self.mu), ndtr(scaled + 0.5 * self.mu)


@value
class StochasticComposition:
    """A record meets test ``tests[i]`` with probability ``weights[i]``; the weights add up to 1."""

    tests: tuple[LikelihoodTest, ...]
    weights: tuple[PositiveProbability, ...]

    def __post_init__(self) -> None:
        if len(self.tests) != len(self.weights) or not self.tests:
            raise ValueError(f"tests and weights must be as many, got {len(self.tests)} and {len(self.weights)}.")
        if abs(sum(self.weights) - 1.0) > _WEIGHTS_TOLERANCE:
            raise ValueError(f"weights must add up to 1, got {sum(self.weights)!r}.")

    def rates(self, log_ratio: Floats) -> tuple[Floats, Floats]:
        alpha, power = np.zeros_like(log_ratio), np.zeros_like(log_ratio)
        for test, weight in zip(self.tests, self.weights, strict=True):
            falsely, rightly = test.rates(log_ratio)
            alpha += weight * falsely
            power += weight * rightly
        return alpha, power

    def power(self, alpha: Probabilities) -> Floats:
        """True positive rate at ``alpha`` (n,)."""
        inside = (alpha > 0.0) & (alpha < 1.0)
        goal = np.where(inside, alpha, 0.5)

        def missing(log_ratio: Floats, place: NDArray[np.intp]) -> Floats:
            """How many of the non-members are too few to be accused at these ratios: it grows with them."""
            return 1.0 - self.rates(log_ratio)[0] / goal[place]

        end, everything = np.ones_like(goal), np.arange(len(goal))
        while np.any(missing(-end, everything) > 0.0) or np.any(missing(end, everything) < 0.0):
            end = 2.0 * end
        return np.where(inside, self.rates(crossing(missing, -end, end))[1], alpha)

    def trade_off(self, alpha: Probabilities) -> TradeOffCurve:
        """Trade-off curve at ascending ``alpha`` (n,); an estimate, as good as the ``weights`` and the tests are."""
        power = self.power(alpha)
        label = f"records of {len(self.tests)} susceptibilities"
        note = "The attacker sees each record's susceptibility and uses one threshold on the likelihood ratio."
        return TradeOffCurve(np.array(alpha), 1.0 - power, power, Bound.ESTIMATE, label, (note,))


@checked
def over_normal_gradients(
    test_of: Callable[[float], LikelihoodTest], dimension: PositiveCount
) -> StochasticComposition:
    """One step when the gradients looked for are normal too: K is chi-square distributed with d freedoms.

    ``test_of`` gives the test for a K: ``StepTest`` exactly, or ``NormalTest(step_mu(...))``.
    The mean over K is Gauss-Hermite quadrature in the normal score of K. Forty nodes give three digits
    in two dimensions, where the test has a hard edge in K, and eight in hundreds of dimensions.
    """
    score, mass = roots_hermitenorm(_NODES)
    mass = mass / np.sum(mass)
    kept = mass > 1e-30
    upper = scipy.stats.chi2.isf(ndtr(-score[kept]), dimension)
    susceptibility = np.where(score[kept] < 0.0, scipy.stats.chi2.ppf(ndtr(score[kept]), dimension), upper)
    tests = tuple(test_of(float(k)) for k in susceptibility)
    return StochasticComposition(tests, tuple(float(weight) for weight in mass[kept]))


@checked
def run_trade_off(
    release: GradientRelease, alpha: Probabilities, order: Order = Order.ADD, *, spread: bool = False
) -> TradeOffCurve:
    """The attacker's curve against a whole run at ascending ``alpha`` (n,), for K = d or ``spread`` over records.

    Eq. 8 for one step on all records, the Gaussian limit otherwise; only that limit is the same in every order.
    """
    if spread and order is Order.ADD and not level(release).set_by_privacy:

        def test_of(k: float) -> NormalTest:
            return NormalTest(run_mu(release, step_mu(release.effective_size, release.dimension, k)))

        return over_normal_gradients(test_of, release.dimension).trade_off(alpha)
    if is_one_step(release, order):
        return StepTest(release.effective_size, release.dimension, release.dimension).trade_off(alpha)
    return level(release).trade_off(alpha)


@checked
def is_one_step(release: GradientRelease, order: Order = Order.ADD) -> bool:
    """Whether Eq. 8 itself answers: one step on all records, in its own order, and less than differential privacy."""
    return order is Order.ADD and release.steps == 1 and not release.sampled and not level(release).set_by_privacy
