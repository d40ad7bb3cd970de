"""The reconstruction probability by Monte Carlo, as it was computed first: an estimate, with its standard error.

Hayes, Mahloujifar and Balle (2023, Algorithm 1; paper 003 Remark 1): draw S releases *without* the record, compute each
one's log-likelihood ratio, keep the ceil(kappa S) largest, and add up their likelihood ratios over S. The kept releases
are the event of probability kappa under the null that the alternative makes likeliest, and reweighting gives its
probability with the record. All draws but a share of kappa are thrown away, and the weights e^loss have no bound:
``approximations.monte_carlo`` draws the end of small rates from the alternative instead.
"""

from collections.abc import Generator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from numerics import shipped
from numerics.approximations.sampling import LARGEST_SAMPLES, Samples, loss_chunks, simulated_steps
from numerics.mechanisms import Gaussian, Laplace, Mechanism, SampledMechanism
from numerics.trade_off import Floats
from numerics.validation import Interval, Positive, Probabilities, Seed, checked

SAMPLES = 1_000_000  # of paper 003, Sec. 4.3
# Numbers that one estimate may draw: some minutes. Between chunks it can be stopped.
LARGEST_DRAWS = 10_000_000_000
# Effective number of draws from which an average and its own standard error mean something: with ten equal weights
# the estimate is known to about a third.
FEWEST_DRAWS = 10.0


class SampleChunk(NamedTuple):
    """A chunk of ``losses`` (m,), after which ``done`` of the ``total`` samples are drawn."""

    done: int
    total: int
    losses: Floats


class HayesEstimate(NamedTuple):
    """Estimated reconstruction probability and its standard error (n,), and where the estimate is usable at all."""

    success: Floats
    standard_error: Floats
    usable: NDArray[np.bool_]


@checked
def hayes(mechanism: Mechanism, samples: Samples = SAMPLES, seed: Seed = 0) -> Generator[SampleChunk, None, None]:
    """Draw the summed log-likelihood ratio without the record; join the chunks for ``hayes_estimate``.

    The same seed gives the same numbers. No more than a chunk of about half a million numbers is held at a time, or the
    steps of one sample.

    Raises ValueError, before anything is drawn, for bad counts or more work than the limit.
    """
    most = min(LARGEST_SAMPLES, LARGEST_DRAWS // simulated_steps(mechanism))
    if samples > most:
        raise ValueError(
            f"samples must be at most {most:,} for this many steps (every step is drawn), got {samples:,}."
        )
    return _drawn(mechanism, samples, seed)


def _drawn(mechanism: Mechanism, samples: int, seed: int) -> Generator[SampleChunk, None, None]:
    done = 0
    for losses in loss_chunks(mechanism, False, samples, np.random.default_rng(seed)):
        done += len(losses)
        yield SampleChunk(done, samples, losses)


@checked
def hayes_estimate(losses: Floats, priors: Probabilities) -> HayesEstimate:
    """Estimate at every one of ``priors`` (n,) in [0, 1], from ``losses`` (S,) drawn without the record.

    Averages above 1, which the weights allow, are cut there. The estimate is the average of (e^loss - e^t)_+ plus
    e^t kappa for the threshold t, the smallest loss kept, and at its least there; its standard error is therefore that
    of the average of (e^loss - e^t)_+, with one further sample allowed for. ``usable`` asks that the kept draws weigh
    as much as ``FEWEST_DRAWS`` equal ones, (sum of weights)^2 / sum of squares: no fewer must be kept, and no handful
    may carry the sum. Where it fails, the standard error is not to be trusted either.

    Raises ValueError for no losses or priors outside [0, 1].
    """
    Interval(1, LARGEST_SAMPLES).check("number of losses", len(losses))
    samples = len(losses)
    weight = np.exp(np.sort(losses)[::-1])
    # A product such as 0.1 x 30 exceeds the whole number it stands for by rounding.
    kept = np.minimum(np.ceil(priors * samples * (1.0 - 1e-12)).astype(np.int64), samples)
    sums, squares = (np.concatenate(([0.0], np.cumsum(weight**power)))[kept] for power in (1, 2))
    edge = weight[np.maximum(kept, 1) - 1]
    mean = (sums - kept * edge) / samples
    mean_square = (squares - 2.0 * edge * sums + kept * edge**2) / samples
    variance = np.maximum(mean_square - mean**2, 0.0) / samples + (edge / samples) ** 2
    usable = sums**2 >= FEWEST_DRAWS * squares
    return HayesEstimate(np.minimum(sums / samples, 1.0), np.sqrt(variance), usable & (kept > 0))


# Paper 003 Fig. 1: its panels as mechanisms, and the Monte Carlo estimates that take too long to draw on the spot.
#
# The paper prints the largest epsilon of every panel and its number of samples; rates, steps and priors are ours.


TABLE = "paper_003_fig_1"


@checked
class PublishedPanel(NamedTuple):
    """One panel: gamma at a ``prior`` against the effect size of ``release``, up to ``largest`` of it.

    ``samples`` are those of the shipped estimates; the paper's million, but for d, where they are too many draws.
    """

    name: str
    release: SampledMechanism
    prior: float
    largest: float
    samples: int

    def at(self, effect: Positive) -> SampledMechanism:
        """The release with this effect size."""
        return self.release.with_noise(1.0 / effect)


PANELS = (
    PublishedPanel("a", Laplace(1.0, 0.5, 10), 0.1, 2.624, SAMPLES),  # epsilon 20 at the right end
    PublishedPanel("b", Laplace(1.0, 1.0, 100), 0.1, 1.0, SAMPLES),  # 100
    PublishedPanel("c", Gaussian(1.0, 1.0, 100), 0.1, 1.024, SAMPLES),  # 100 at delta 1e-6
    PublishedPanel("d", Gaussian(1.0, 0.001, 10_000), 1e-6, 3000.0, 10_000),  # 1e8
)


class ShippedEstimate(NamedTuple):
    """A shipped point: Hayes et al.'s estimate, its standard error, and whether enough draws carry it.

    Where they do not, as at the right ends of b and c, the estimate falls to 0 while gamma is 1.
    ``better`` draws the end of small rates from the release with the record: as many draws, and useful where the other
    is not.
    """

    panel: str
    effect: float
    estimate: float
    standard_error: float
    usable: bool
    better: float
    better_error: float


def shipped_estimates() -> tuple[ShippedEstimate, ...]:
    """Those of all panels, made by data/make_paper_003.py."""
    return tuple(
        ShippedEstimate(
            row["panel"],
            float(row["effect"]),
            float(row["estimate"]),
            float(row["standard_error"]),
            row["usable"] == "True",
            float(row["better"]),
            float(row["better_error"]),
        )
        for row in shipped.rows(TABLE)
    )
