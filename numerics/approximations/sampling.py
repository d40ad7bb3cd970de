"""Monte Carlo estimate of the composed trade-off curve, with its standard error.

Hayes, Mahloujifar and Balle (2023, Algorithm 1) draw from the null and reweight to the alternative by e^loss, a weight
without bound. Here each end of the curve is drawn from the hypothesis that makes its weight at most 1: power at small
alpha from the alternative with weights e^-loss, beta at large alpha from the null with weights e^loss. The standard
error is then that of an average of numbers in [0, 1], and false positive rates far below 1 / samples can be reached.
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

import numpy as np

from numerics.approximations.expansions import absent_shift, estimate, standard
from numerics.deadline import UNLIMITED, Deadline
from numerics.mechanisms import Mechanism
from numerics.sampling.poisson import sampled_pairs
from numerics.trade_off import Floats, TradeOffCurve
from numerics.validation import Interval, Probabilities, Seed, checked

# Draws of the summed log-likelihood ratio, a chunk of samples at a time: the memory does not grow with their number.
#
# The estimate below and the published one of the reconstruction risk (``reconstruction.monte_carlo``) both start from
# them. The certified engine never does.


LARGEST_SAMPLES = 10_000_000
Samples = Annotated[int, Interval(1, LARGEST_SAMPLES)]
# Numbers drawn at a time: bounds the memory at some tens of megabytes. A single sample has at most a million steps.
_CHUNK = 1 << 19
# Losses beyond this belong to rates below e^-300, which no curve shows; capping them keeps e^(2 loss) finite.
_LARGEST_LOSS = 300.0
# e^ratio overflows beyond, and one step's loss of this size takes the sum past the cap as surely as a larger one.
_LARGEST_RATIO = 600.0


def simulated_steps(mechanism: Mechanism) -> int:
    """Numbers to draw for one sample: its steps, over all phases. Raises ValueError for batches of fixed size."""
    return sum(steps for _, steps in sampled_pairs(mechanism.pairs))


def loss_chunks(mechanism: Mechanism, present: bool, samples: int, generator: np.random.Generator) -> Iterator[Floats]:
    """Summed log-likelihood ratios with or without the record, in chunks (m,) that add up to ``samples``."""
    phases = sampled_pairs(mechanism.pairs)
    rows = max(1, _CHUNK // simulated_steps(mechanism))
    for start in range(0, samples, rows):
        size = min(rows, samples - start)
        total = np.zeros(size)
        for pair, steps in phases:
            x = pair.noise.scale * standard(pair).draw(generator, size * steps)
            shift = 1.0 if present else absent_shift(pair)
            if shift:
                x += shift * (generator.random(size * steps) < pair.rate)
            loss = _sampled(pair.noise.shift_loss(x), pair.rate)
            loss = loss - _sampled(pair.noise.shift_loss(-x), pair.rate) if pair.replace_one else loss
            total += loss.reshape(size, steps).sum(axis=1)
        yield np.clip(total, -_LARGEST_LOSS, _LARGEST_LOSS)


def _sampled(ratio: Floats, rate: float) -> Floats:
    """Log of 1 - p + p e^ratio to 1e-16 absolutely: what draws need, at a tenth of the time of ``SampledPair.loss``."""
    if rate == 1.0:
        return ratio
    return np.log((1.0 - rate) + rate * np.exp(np.minimum(ratio, _LARGEST_RATIO)))


# Draws (samples x steps, for both hypotheses) that one estimate may cost: some seconds.
LARGEST_WORK = 200_000_000
_LIMIT = "Monte Carlo: subject to its standard error; samples on one side of a threshold can be too few to show it."


class MonteCarlo(NamedTuple):
    """A sampled curve and the standard error (n,) of its power (and beta) at each alpha."""

    curve: TradeOffCurve
    standard_error: Floats


@checked
def affordable_samples(mechanism: Mechanism) -> int:
    """Largest number of samples whose cost stays within the limit; 0 for none."""
    return min(LARGEST_SAMPLES, LARGEST_WORK // (2 * simulated_steps(mechanism)))


@checked
def monte_carlo(
    mechanism: Mechanism,
    alpha: Probabilities,
    samples: Samples = 100_000,
    seed: Seed = 0,
    deadline: Deadline = UNLIMITED,
) -> MonteCarlo:
    """Sampled estimate of the add-one trade-off curve at ``alpha`` (n,); the same seed gives the same numbers.

    Every step of every sample is drawn, so the cost is samples x steps.

    Raises ValueError when that exceeds the limit, when alpha does not ascend within [0, 1], or for bad counts;
    DeadlineError where it takes too long.
    """
    if samples > affordable_samples(mechanism):
        raise ValueError(
            f"samples must be at most {affordable_samples(mechanism)} for this many steps (every step is drawn), "
            f"got {samples}."
        )
    generator, halves = np.random.default_rng(seed), []
    for present in (True, False):
        drawn = []
        for losses in loss_chunks(mechanism, present, samples, generator):
            deadline.check()
            drawn.append(losses if present else -losses)
        halves.append(_Half.of(np.concatenate(drawn)))
    steep, flat = halves
    # From the alternative's samples where the slope of power is above 1, from the null's samples elsewhere.
    rising = alpha <= steep.other[-1]
    found = np.interp(alpha, steep.other, steep.drawn)
    missed = np.interp(1.0 - alpha, flat.drawn, flat.other)
    # Where the halves meet they differ by their errors; the running extreme keeps the curve monotone.
    power = np.maximum.accumulate(np.where(rising, found, 1.0 - missed))
    beta = np.minimum.accumulate(np.where(rising, 1.0 - found, missed))
    missed_error = np.interp(1.0 - alpha, flat.drawn, flat.error / flat.slope)
    error = np.where(rising, np.interp(alpha, steep.other, steep.error), missed_error)
    label = f"Monte Carlo estimate, {samples:,} samples"
    return MonteCarlo(estimate(mechanism, alpha, beta, power, label=label, limit=_LIMIT), error)


class _Half(NamedTuple):
    """The part of a curve where the loss favours the hypothesis drawn from, from its far end inward.

    For thresholds down the sorted losses: ``drawn`` (m+1,) and ``other`` (m+1,) are the chances that the test fires
    under the hypothesis drawn from and under the other one, ``slope`` (m+1,) is d drawn / d other, and ``error`` (m+1,)
    the standard error of ``drawn`` where ``other`` is given.
    """

    drawn: Floats
    other: Floats
    slope: Floats
    error: Floats

    @classmethod
    def of(cls, losses: Floats) -> "_Half":
        """From samples (n,) of the loss in favour of their own hypothesis; those above 0 are used.

        ``drawn`` is the minimum over t of E (1 - e^{t - loss})_+ + e^t other, so its error at fixed ``other`` is that
        of the average of (1 - e^{t - loss})_+ at the threshold t. One further sample is allowed for, so that an end
        of the curve that no sample has reached does not look certain.
        """
        samples = len(losses)
        loss = np.sort(losses[losses > 0.0])[::-1]
        drawn = np.arange(len(loss) + 1) / samples
        other, squares = (np.concatenate(([0.0], np.cumsum(np.exp(-k * loss)))) / samples for k in (1, 2))
        slope = np.exp(np.concatenate((loss[:1], loss)) if len(loss) else np.zeros(1))
        mean = drawn - slope * other
        mean_square = drawn - 2.0 * slope * other + slope**2 * squares
        return cls(drawn, other, slope, np.sqrt(np.maximum(mean_square - mean**2, 0.0) / samples + 1.0 / samples**2))
