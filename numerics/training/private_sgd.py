"""DP-SGD: gradient descent on random batches, each record's gradient clipped, Gaussian noise on their sum.

A step adds to the weights -learning_rate / batch times (sum of clipped gradients + N(0, (s C)^2) per weight): the
divisor is the expected batch size, which is public, not the size drawn (correction 49 has the clipping).
"""

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from numerics.gaussian_membership import GradientRelease
from numerics.mechanisms import Sampling
from numerics.trade_off import Floats
from numerics.training.data_sets import DataSet, data_set
from numerics.training.models import Model, with_constant
from numerics.unsupported import UnsupportedError
from numerics.validation import Interval, NonNegative, checked, value

LARGEST_EPOCHS = 1000


@value
class Recipe:
    """What is trained on what, and how; everything but the protection.

    Attributes:
        data: name in DATA_SETS.
        model: the formula.
        clip: C, largest L2 norm of a record's gradient.
        batch: n, expected number of records in a step, or exact number for batches of fixed size.
        epochs: passes over the data; a pass has floor(N / n) steps (correction 54).
        learning_rate: step length on the mean gradient.

    Raises ValueError (TypeError for counts that are no whole numbers) at construction.
    """

    data: str
    model: Model
    clip: Annotated[float, Interval(1e-6, 1e6)]
    batch: int
    epochs: Annotated[int, Interval(1, LARGEST_EPOCHS)]
    learning_rate: Annotated[float, Interval(1e-6, 1e6)]

    def __post_init__(self) -> None:
        Interval(2, self.records).check("batch", self.batch)

    @property
    def records(self) -> int:
        """Number of members N."""
        return data_set(self.data).records

    @property
    def steps(self) -> int:
        """Number of steps T."""
        return self.epochs * (self.records // self.batch)

    @property
    def sampling_rate(self) -> float:
        """Share of the members in a step, n / N."""
        return self.batch / self.records

    @property
    def dimension(self) -> int:
        """Number of weights d."""
        found = data_set(self.data)
        return self.model.dimension(found.features.shape[1], found.classes)

    @property
    def release(self) -> GradientRelease:
        """N, n, T and d, without noise."""
        return GradientRelease(self.records, self.batch, self.steps, self.dimension)

    @property
    def label(self) -> str:
        """Short description for file headers."""
        return (
            f"{self.data}, {self.model.label}, clip {self.clip:g}, batch {self.batch}, {self.epochs} epochs, "
            f"learning rate {self.learning_rate:g}"
        )


@value
class Protection:
    """What is done so that no record shows.

    Attributes:
        noise_multiplier: s, standard deviation of the noise on a batch's sum in units of C; 0 for none.
        sampling: how a batch is drawn; noise is worth what its guarantee says under this sampling alone.
        clipped: whether gradients are clipped; only without noise they need not be.

    Raises ValueError at construction.
    """

    noise_multiplier: Annotated[NonNegative, Interval(0.0, 1e6)] = 0.0
    sampling: Sampling = Sampling.POISSON
    clipped: bool = True

    def __post_init__(self) -> None:
        if self.noise_multiplier > 0.0 and not self.clipped:
            raise ValueError(f"noise_multiplier must be 0 without clipping, got {self.noise_multiplier!r}.")


@checked
def train(recipe: Recipe, protection: Protection, generators: Sequence[np.random.Generator]) -> Floats:
    """Weights (models, d) of as many models as ``generators``; each uses its own, and nothing else is random."""
    found = data_set(recipe.data)
    inputs, shape = with_constant(found.features), (found.features.shape[1], found.classes)
    clip = recipe.clip if protection.clipped else np.inf
    weights = np.stack([recipe.model.start(*shape, generator) for generator in generators])
    for _ in range(recipe.steps):
        index, taking_part = batches(found, recipe.batch, protection.sampling, generators)
        total = recipe.model.clipped_sum(weights, inputs[index], found.labels[index], taking_part, clip)
        if protection.noise_multiplier > 0.0:
            total += _noise(protection.noise_multiplier * recipe.clip, recipe.dimension, generators)
        weights -= recipe.learning_rate / recipe.batch * total
    return weights


def batches(
    found: DataSet, batch: int, sampling: Sampling, generators: Sequence[np.random.Generator]
) -> tuple[NDArray[np.intp], Floats]:
    """Each model's batch: indices of records (models, most), and 1 where one takes part, 0 where it only fills up."""
    rate, records = batch / found.records, found.records
    match sampling:
        case Sampling.FIXED_SIZE:
            drawn = [generator.choice(records, batch, replace=False, shuffle=False) for generator in generators]
        case Sampling.POISSON:
            drawn = [np.flatnonzero(generator.random(records) < rate) for generator in generators]
        case _:
            raise UnsupportedError(f"training is not offered for {sampling.batches.words}.")
    sizes = np.array([len(part) for part in drawn])
    taking_part = np.arange(max(sizes.max(), 1)) < sizes[:, None]
    index = np.zeros(taking_part.shape, np.intp)
    index[taking_part] = np.concatenate(drawn)
    return index, taking_part.astype(float)


def _noise(deviation: float, dimension: int, generators: Sequence[np.random.Generator]) -> Floats:
    return deviation * np.stack([generator.standard_normal(dimension) for generator in generators])
