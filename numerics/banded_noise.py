"""Matrix factorisation with bands (DP-FTRL): noise that later steps cancel in part, and what it protects.

C G + noise is released, G the gradients of n steps and C lower triangular; training uses G + C^-1 noise (Choquette-Choo
et al. 2023, arXiv 2306.08153). A record that takes part in steps S moves the release by the sum of C's columns in S.
Steps are a "b-min-separation" schema: at most k of them, at least b apart.

What is asked of C: entries of C^T C that are not negative. Then equal directions are the worst, and the sensitivity is
a maximum over patterns of steps; else it would be one over directions too, and is refused.
"""

from math import ceil, sqrt
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular, toeplitz
from scipy.sparse import csr_array

from numerics.lazy_property import lazy_property
from numerics.mechanisms import LARGEST_STEPS, Gaussian
from numerics.trade_off import Floats
from numerics.validation import Interval, Positive, PositiveProbability, checked, value

LARGEST_MATRIX = 4096
_MOST_STATES = 500_000  # of patterns that are looked at
Count = Annotated[int, Interval(1, LARGEST_STEPS)]


@value(eq=False)
class BandedNoise:
    """A factor C with its schema of participation.

    Attributes:
        matrix: C, (n, n), lower triangular.
        separation: b: a record's steps are at least so far apart.
        participations: k: a record takes part in at most so many steps.

    Raises ValueError unless C is square and lower triangular, has no column of zeros, and C^T C no negative entry.
    """

    matrix: NDArray[np.float64]
    separation: Count
    participations: Count

    def __post_init__(self) -> None:
        shape = self.matrix.shape
        if len(shape) != 2 or shape[0] != shape[1] or not 1 <= shape[0] <= LARGEST_MATRIX:
            raise ValueError(f"matrix must be square, of 1 to {LARGEST_MATRIX} steps, got the shape {shape}.")
        if not np.all(np.isfinite(self.matrix)) or np.any(np.triu(self.matrix, 1) != 0.0):
            raise ValueError("matrix must be lower triangular and finite, got one that is not.")
        if not np.all(np.diag(self.overlaps) > 0.0) or np.any(self.overlaps < 0.0):
            raise ValueError(
                "matrix must have columns of positive length whose products are not negative: with others, records may "
                f"do more by pulling in different directions, got a smallest product of {np.min(self.overlaps):.3g}."
            )

    @lazy_property
    def overlaps(self) -> Floats:
        """C^T C, (n, n)."""
        bands = csr_array(self.matrix)
        return (bands.T @ bands).toarray()

    @lazy_property
    def bands(self) -> int:
        """Diagonals that are not zero."""
        rows, columns = np.nonzero(self.matrix)
        return int(np.max(rows - columns)) + 1

    @property
    def column_norm(self) -> float:
        """The largest length of a column."""
        return sqrt(float(np.max(np.diag(self.overlaps))))

    @lazy_property
    def sensitivity(self) -> float:
        """How far a record moves the release at most, in units of its gradient's norm. EXACT, by dynamic programming.

        Never sqrt(k) times the largest column where there are more bands than steps between participations: columns
        overlap then, and add up in length. Raises ValueError where there are too many patterns to look at.
        """
        if self.bands <= self.separation:
            return sqrt(self._apart())
        overlaps, window = self.overlaps, self.bands - 1
        best: dict[tuple[int, tuple[int, ...]], float] = {(0, ()): 0.0}  # by steps taken, and those that overlap
        largest = 0.0
        for step in range(len(overlaps)):
            found: dict[tuple[int, tuple[int, ...]], float] = {}
            for (taken, recent), total in best.items():
                kept = tuple(one for one in recent if one > step - max(window, self.separation - 1))
                _keep(found, (taken, kept), total)
                if taken == self.participations or (recent and step - recent[-1] < self.separation):
                    continue
                more = total + overlaps[step, step] + 2.0 * sum(overlaps[one, step] for one in recent)
                _keep(found, (taken + 1, (*kept, step)), float(more))
                largest = max(largest, float(more))
            if len(found) > _MOST_STATES:
                raise ValueError(f"matrix must have fewer bands or a wider separation, got {len(found):,} patterns.")
            best = found
        return sqrt(largest)

    def _apart(self) -> float:
        """The largest sum of squared lengths of columns that do not overlap, by how many of them are taken."""
        squares, most = np.diag(self.overlaps), min(self.participations, len(self.overlaps))
        best = np.zeros((len(squares) + 1, most + 1))  # of the first so many columns
        for step, square in enumerate(squares):
            before = best[max(step + 1 - self.separation, 0)]
            best[step + 1] = best[step]
            best[step + 1, 1:] = np.maximum(best[step, 1:], before[:-1] + square)
        return float(best[-1, -1])

    @property
    def running_sum_error(self) -> float:
        """Root mean square deviation of the noise in the running sums of n steps, per unit of the noise: of A C^-1.

        A has ones on and below its diagonal: what training adds up. Independent noise has sqrt((n + 1) / 2).
        """
        sums = solve_triangular(self.matrix.T, np.tri(len(self.matrix)).T)  # the transpose of A C^-1
        return float(np.linalg.norm(sums)) / sqrt(len(sums))

    def release(self, noise_multiplier: Positive) -> Gaussian:
        """One Gaussian release that is as hard to attack as all steps, however batches come about. EXACT.

        ``noise_multiplier`` is the deviation of the noise in units of the clipping norm. For records that are zeroed
        out or replaced; no amplification by sampling is counted.
        """
        return Gaussian(noise_multiplier / self.sensitivity)

    def amplified(self, noise_multiplier: Positive, rate: PositiveProbability) -> Gaussian:
        """Poisson-sampled Gaussian steps that dominate it where batches are cyclic and drawn. A GUARANTEE.

        The records are split once, without looking at them, into ``separation`` parts; step i takes part i mod b, each
        record of it independently with probability ``rate``. A record then has a chance in every b-th step only, and
        with no more than b bands these do not overlap: ceil(n / b) steps of noise s / (largest column). Attained
        where all columns are equally long. Refused by ValueError with more bands, or where fewer participations are
        counted on than there may be: drawing limits none.
        """
        rounds = ceil(len(self.matrix) / self.separation)
        if self.bands > self.separation:
            raise ValueError(
                f"separation must be at least the number of bands ({self.bands}): else the steps of a record overlap, "
                f"and no certified amplification is known, got {self.separation}."
            )
        if self.participations < rounds:
            raise ValueError(
                f"participations must be {rounds}, as many as there are rounds, got {self.participations}."
            )
        return Gaussian(noise_multiplier / self.column_norm, rate, rounds)


def _keep(found: dict[tuple[int, tuple[int, ...]], float], state: tuple[int, tuple[int, ...]], value: float) -> None:
    found[state] = max(value, found.get(state, 0.0))


@checked
def square_root_factor(
    steps: Annotated[int, Interval(1, LARGEST_MATRIX)], bands: Annotated[int, Interval(1, LARGEST_MATRIX)]
) -> NDArray[np.float64]:
    """The Toeplitz factor of prefix sums, cut to ``bands``: 1, 1/2, 3/8, ... below the diagonal, (steps, steps).

    Its square is the matrix of ones on and below the diagonal, where it is not cut.
    """
    terms = np.cumprod(np.concatenate(([1.0], 1.0 - 0.5 / np.arange(1.0, min(bands, steps)))))
    return toeplitz(np.pad(terms, (0, steps - len(terms))), np.zeros(steps))
