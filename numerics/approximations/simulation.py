"""Draws of the summed log-likelihood ratio, a chunk of samples at a time: the memory does not grow with their number.

Monte Carlo (``sampling``) and the published estimate of the reconstruction risk (``reconstruction.monte_carlo``) both
start here. The certified engine never does.
"""

from collections.abc import Iterator
from typing import Annotated

import numpy as np

from numerics.approximations.step_laws import absent_shift, standard
from numerics.mechanisms import Mechanism
from numerics.sampling.poisson import SampledPair, sampled_pairs
from numerics.trade_off import Floats
from numerics.validation import Interval

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
            total += _step_losses(pair, present, size * steps, generator).reshape(size, steps).sum(axis=1)
        yield np.clip(total, -_LARGEST_LOSS, _LARGEST_LOSS)


def _step_losses(pair: SampledPair, present: bool, size: int, generator: np.random.Generator) -> Floats:
    """Log-likelihood ratios (size,) of single steps."""
    x = pair.noise.scale * standard(pair).draw(generator, size)
    shift = 1.0 if present else absent_shift(pair)
    if shift:
        x += shift * (generator.random(size) < pair.rate)
    loss = _sampled(pair.noise.shift_loss(x), pair.rate)
    return loss - _sampled(pair.noise.shift_loss(-x), pair.rate) if pair.replace_one else loss


def _sampled(ratio: Floats, rate: float) -> Floats:
    """Log of 1 - p + p e^ratio to 1e-16 absolutely: what draws need, at a tenth of the time of ``SampledPair.loss``."""
    if rate == 1.0:
        return ratio
    return np.asarray(np.log((1.0 - rate) + rate * np.exp(np.minimum(ratio, _LARGEST_RATIO))))
