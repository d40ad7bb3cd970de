"""One Poisson-sampled release whose trade-off function has a closed form, for a person with several records."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from numerics.mechanisms.sampled_once import SampledOnce
from numerics.mechanisms.shift import Shift
from numerics.sampling.person import PersonPair
from numerics.trade_off import Floats
from numerics.validation import value


@value(kw_only=True)
class PersonOnce(SampledOnce):
    """One release in which each record of a person takes part with probability ``rate``, under add/remove adjacency.

    J of the k records take part and shift the sum by J: power, beta and area are means over J.

    Attributes:
        shift: the test of one record that takes part.
        pair: the same release as the certified engine sees it, which knows where the privacy loss is epsilon.
    """

    pair: PersonPair

    @property
    def unsampled(self) -> Shift:
        return self._of(self.pair.records)

    def _of(self, records: int) -> Shift:
        return replace(self.shift, mu=records * self.shift.mu)

    def _mean(self, absent: Floats, of: Callable[[Shift], Floats]) -> Floats:
        """Mean over J of what a test has; ``absent`` where no record takes part."""
        none, *some = self.pair.weights.tolist()
        mean = none * absent + sum(weight * of(self._of(j)) for j, weight in enumerate(some, 1))
        return np.asarray(np.minimum(mean, 1.0))  # weights add up to 1 but for rounding

    def _power(self, alpha: Floats) -> Floats:
        return self._mean(alpha, lambda test: test.power(alpha))

    def _beta(self, alpha: Floats) -> Floats:
        return self._mean(1.0 - alpha, lambda test: test.beta(alpha))

    def _alpha_for(self, power: Floats) -> Floats:
        return self._mean(power, lambda test: test.alpha_for(power))

    @property
    def _balanced(self) -> tuple[float, float, float]:
        p, q = self.pair.cell_masses(np.zeros(1))
        return float(q[1]), float(p[0]), float(p[1])

    def delta(self, epsilon: float) -> float:
        """Worst of both orders: P(S) - e^epsilon Q(S) where the loss exceeds epsilon, and with P and Q exchanged.

        With epsilon below 1 by what each number of records adds, or a rare record would be lost in rounding.
        """
        p, q = self.pair.cell_masses(np.array([-epsilon, epsilon]))
        if epsilon < 1.0:
            above, below = np.array(q[2]), np.array(q[0])
            rest, more = np.array(q[1] + q[2]), float(np.expm1(epsilon))
            tests = [(weight, self._of(j)) for j, weight in enumerate(self.pair.weights[1:].tolist(), 1)]
            found = sum(weight * float(test.power(above) - above) for weight, test in tests)
            cleared = sum(weight * float(below - test.beta(rest)) for weight, test in tests)
            return float(max(found - more * float(above), (1.0 + more) * cleared - more * float(below), 0.0))
        with np.errstate(divide="ignore"):
            paid = np.exp(np.minimum(epsilon + np.log([q[2], p[0]]), 0.0))
        return max(float(p[2] - paid[0]), float(q[0] - paid[1]), 0.0)

    def area(self) -> float:
        return float(self._mean(np.array(0.5), lambda test: np.array(test.area())))
