"""How to lay out a composition: where the summed loss lives, and how fine a lattice to begin with.

Everything here is estimated by quadrature over the released value and only saves time, but for ``Plan.overlap``: sums
over a partition bound that from above, and ``certify`` relies on it.
"""

from dataclasses import dataclass

import numpy as np

from numerics.privacy_loss.composition import WINDOW_TAIL
from numerics.privacy_loss.dominating_pairs import Pair, SampledPair
from numerics.trade_off import Floats

Phases = tuple[tuple[Pair, int], ...]  # one step's pair and the number of its steps, per phase

# Width of the power bracket, in units of steps * D^2 / standard deviation of the summed loss: connecting the dots adds
# D^2/6 to the variance of each step, rounding takes half as much away, and a normal law turns that into power.
_WIDTH_FACTOR = 0.053
RELEVANT_LOSS = 45.0  # sums beyond this have a false positive rate below e^-45 = 3e-20
STEP_TAIL = 1e-17  # mass of one step's loss beyond the lattice, counted as certain exposure
_COARSEST, _FINEST = 2.0**-11, 2.0**-18  # first lattice step, in units of the relevant window
_SMALLEST_TILT = 0.02
_MOST_POINTS = 2.0**19  # in the whole window, to begin with


def poisson(phases: Phases) -> tuple[tuple[SampledPair, int], ...]:
    """The phases, if all steps are sampled by Poisson's rule or not at all; else raises ValueError."""
    if not all(isinstance(pair, SampledPair) for pair, _ in phases):
        raise ValueError("this is computed for Poisson sampling only, and the release has batches of fixed size.")
    return tuple((pair, steps) for pair, steps in phases if isinstance(pair, SampledPair))


@dataclass(frozen=True)
class Plan:
    """Layout of a composition.

    Attributes:
        overlap: upper bound on the overlap 1 - TV of the two hypotheses (Bhattacharyya coefficient; this one holds).
        variance: of the summed loss, under the null.
        lowest, highest: the sum hardly ever lies below under the null, above under the alternative.
        tilts_present, tilts_absent: exponents that make the Chernoff windows short, (below, above), for the loss when
            the record is present and for the mirrored loss when it is absent.
    """

    overlap: float
    variance: float
    lowest: float
    highest: float
    tilts_present: tuple[float, float]
    tilts_absent: tuple[float, float]

    @property
    def _span(self) -> float:
        """Extent of the sums that matter."""
        return min(self.highest, RELEVANT_LOSS) - max(self.lowest, -RELEVANT_LOSS)

    def first_step(self, width: float, count: int) -> float:
        """A lattice step likely to give brackets of ``width``."""
        span = self._span
        wanted = float(np.sqrt(width * np.sqrt(self.variance) / (_WIDTH_FACTOR * count)))
        return min(max(wanted, _FINEST * span), max(_COARSEST * span, (self.highest - self.lowest) / _MOST_POINTS))

    def coarsest_block(self, width: float) -> float:
        """Widest stretch of losses to read at once: a chord or tangent over it errs by a fraction of ``width``."""
        spread = float(np.sqrt(self.variance))
        wanted = float(np.sqrt(width * min(spread, 1.0)))
        return max(min(wanted, spread / 100.0), self._span * 2.0**-16)


def plan(phases: Phases) -> Plan:
    """Layout for the sum of all steps of all ``phases``."""
    overlap = variance = 0.0
    present, absent = [], []
    for pair, count in phases:
        loss, masses = pair.scatter(STEP_TAIL / count)
        loss = np.clip(loss, -2.0 * RELEVANT_LOSS, 2.0 * RELEVANT_LOSS)  # beyond, a single step is certain exposure
        overlap += count * float(np.log(np.clip(np.sum(np.sqrt(masses.p * masses.q)), 1e-300, 1.0)))
        variance += count * float(masses.q @ (loss - masses.q @ loss) ** 2)
        present.append((loss, masses.p, count))
        absent.append((-loss, masses.q, count))
    spread = np.sqrt(max(variance, 1e-30))
    tilts = np.exp(np.linspace(np.log(_SMALLEST_TILT), np.log(max(50.0, 200.0 / spread)), 32))
    (present_low, present_high), (absent_low, absent_high) = (
        (_end(_negated(samples), tilts), _end(samples, tilts)) for samples in (present, absent)
    )
    return Plan(
        float(np.exp(overlap)),
        variance,
        -absent_high[1],
        present_high[1],
        (present_low[0], present_high[0]),
        (absent_low[0], absent_high[0]),
    )


Samples = list[tuple[Floats, Floats, int]]


def _negated(samples: Samples) -> Samples:
    return [(-loss, mass, count) for loss, mass, count in samples]


def _end(samples: Samples, tilts: Floats) -> tuple[float, float]:
    """Tilt t > 0 with the smallest Chernoff bound (log E e^{t S} + log 1/tail) / t on the sum, and that bound."""
    bound = np.full(len(tilts), -np.log(WINDOW_TAIL))
    for loss, mass, count in samples:
        top = loss[mass > 0.0].max()
        moment = np.exp(np.minimum(np.outer(tilts, loss - top), 0.0)) @ mass
        bound += count * (np.log(np.maximum(moment, 1e-300)) + tilts * top)
    best = int(np.argmin(bound / tilts))
    return float(tilts[best]), float(bound[best] / tilts[best])
