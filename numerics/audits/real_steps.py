"""GLiR on several steps of one real model that see the same batch (paper 004 Fig. 2c).

The theory takes the steps' averages for independent; a real model takes full batches of the same records, and its
gradients change little from step to step. So more steps tell hardly more than one, whatever the theory promises.
"""

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from numerics.audits.glir import Background, drawn_batches, log_p_value, statistic
from numerics.audits.rounds import Progress, Rounds, Scores, chunked
from numerics.trade_off import Floats
from numerics.validation import Interval, Seed, checked

_DRAWS = 1 << 20


@dataclass(frozen=True, eq=False)
@checked
class RealSteps:
    """``populations``: gradients (records, p) of the same records at every step; ``backgrounds``: one for each.

    Each round draws a query and a ``batch`` of n other records, the same ones in all steps; with the query it takes the
    place of one of them. Log p-values are added up, as printed. With one step the order of the scores is that of
    ``RealGradients``.

    Raises ValueError for tables of different shapes, as many backgrounds as steps missing, or a batch of everybody.
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
        Interval(1, len(self.populations[0]) - 1).check("batch", self.batch)

    def rounds(self, rounds: Rounds, seed: Seed) -> Generator[Progress, None, None]:
        """Scores (minus the sum of log p-values) of ``rounds`` batches without and as many with their query."""
        whitened = [
            background.whitened(population)
            for population, background in zip(self.populations, self.backgrounds, strict=True)
        ]
        chunk = max(1, _DRAWS // (len(whitened[0]) + 2 * max(each.shape[1] for each in whitened)))
        return chunked(rounds, chunk, seed, lambda generator, size: self._draw(whitened, generator, size))

    def _draw(self, whitened: list[Floats], generator: np.random.Generator, size: int) -> Scores:
        return Scores(*(self._score(whitened, generator, size, member) for member in (0, 1)))

    def _score(self, whitened: list[Floats], generator: np.random.Generator, size: int, member: int) -> Floats:
        taken, query = drawn_batches(generator, (size, len(whitened[0])), self.batch, member)
        total = np.zeros(size)
        for gradients in whitened:
            queries = gradients[query]
            found = statistic(taken @ gradients / self.batch, queries, self.batch)
            susceptibility = np.einsum("ij,ij->i", queries, queries)
            total -= log_p_value(found, queries.shape[1], self.batch * susceptibility)
        return total
