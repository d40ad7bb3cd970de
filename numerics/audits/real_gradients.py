"""GLiR on gradients of a real model, of one step or of several that see the same batch (paper 004 Fig. 2b and 2c).

The theory takes gradients for normal and the steps' averages for independent. Real gradients are not, so expect curves
on the weak side of Eq. 8; and a real model takes full batches of the same records, whose gradients change little from
step to step, so more steps tell hardly more than one, whatever the theory promises.
"""

from collections.abc import Generator

import numpy as np
from numpy.typing import NDArray

from numerics.audits.glir import Background, statistic
from numerics.audits.rounds import AuditChunk, Rounds, Scores, chunked
from numerics.chi_squared import log_tails
from numerics.trade_off import Floats
from numerics.validation import Interval, Seed, value

_DRAWS = 1 << 20  # numbers held at once in a chunk of rounds: 8 MB


@value(eq=False)
class RealGradients:
    """``populations``: gradients (records, p) of the same records at every step; ``backgrounds``: one for each.

    Each round draws a query and a ``batch`` of n other records, all different and the same ones in all steps; with the
    query it takes the place of one of them. Rounds are independent given the populations, which should be much larger
    than a batch: records drawn without replacement vary less than the theory's independent ones. The attacker's
    backgrounds are estimated from other records.

    Raises ValueError for tables of different shapes or without the backgrounds' columns, unless there are as many
    backgrounds as steps, and for a batch of everybody.
    """

    populations: tuple[Floats, ...]
    backgrounds: tuple[Background, ...]
    batch: int

    def __post_init__(self) -> None:
        Interval(1, 1000).check("number of steps", len(self.populations))
        if len(self.populations) != len(self.backgrounds):
            raise ValueError(
                f"backgrounds must be as many as steps ({len(self.populations)}), got {len(self.backgrounds)}."
            )
        shapes = {population.shape for population in self.populations}
        if len(shapes) != 1 or self.populations[0].ndim != 2:
            raise ValueError(f"populations must be tables of one shape, got {sorted(shapes)}.")
        (shape,) = shapes
        if any(background.mean.shape != shape[1:] for background in self.backgrounds):
            raise ValueError(f"populations must have the background's columns, got shape {shape}.")
        Interval(1, shape[0] - 1).check("batch", self.batch)

    def rounds(self, rounds: Rounds, seed: Seed) -> Generator[AuditChunk, None, None]:
        """Scores of ``rounds`` batches without and as many with their query, chunk by chunk.

        Of several steps minus the sum of log p-values, as printed; of one minus the log odds of the p-value, which is
        the same test without ties close to 1.
        """
        whitened = [
            background.whitened(population)
            for population, background in zip(self.populations, self.backgrounds, strict=True)
        ]
        chunk = max(1, _DRAWS // (len(whitened[0]) + 2 * max(each.shape[1] for each in whitened)))
        return chunked(rounds, chunk, seed, lambda generator, size: self._draw(whitened, generator, size))

    def _draw(self, whitened: list[Floats], generator: np.random.Generator, size: int) -> Scores:
        # Fresh draws for each world: the limits of measured curves need scores that are independent of one another.
        return Scores(*(self._score(whitened, generator, size, member) for member in (0, 1)))

    def _score(self, whitened: list[Floats], generator: np.random.Generator, size: int, member: int) -> Floats:
        taken, query = _drawn_batches(generator, (size, len(whitened[0])), self.batch, member)
        tails = [self._log_tails(gradients, taken, query) for gradients in whitened]
        if len(tails) == 1:
            return np.asarray(tails[0][0] - tails[0][1])
        return np.asarray(-np.sum([lower for _, lower in tails], axis=0))

    def _log_tails(self, gradients: Floats, taken: Floats, query: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """Logs of the chances of a larger and of a smaller statistic of one step, without the query."""
        queries = gradients[query]
        found = statistic(taken @ gradients / self.batch, queries, self.batch)
        return log_tails(found, queries.shape[1], self.batch * np.einsum("ij,ij->i", queries, queries))


def _drawn_batches(
    generator: np.random.Generator, shape: tuple[int, int], batch: int, member: int
) -> tuple[Floats, NDArray[np.int64]]:
    """Who is in each batch, (rounds, records) of 0 and 1, and each round's query: in where ``member`` is 1, or out."""
    # The records with the smallest of random marks are a draw without replacement; the last one is the query.
    drawn = np.argpartition(generator.random(shape), batch, axis=1)[:, : batch + 1]
    taken = np.zeros(shape)
    np.put_along_axis(taken, drawn[:, member : batch + member], 1.0, axis=1)
    return taken, drawn[:, -1]
