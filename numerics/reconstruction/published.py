"""Paper 003 Fig. 1: its panels as mechanisms, and the Monte Carlo estimates that take too long to draw on the spot.

The paper prints the largest epsilon of every panel and its number of samples; rates, steps and priors are ours. The
estimates are those of Hayes, Mahloujifar and Balle (2023, Algorithm 1; paper 003 Remark 1), made by
data/make_paper_003.py: releases are drawn *without* the record, and the weights e^loss of those that are kept have no
bound. ``approximations.monte_carlo`` draws the end of small rates from the alternative instead.
"""

from typing import NamedTuple

from numerics import shipped
from numerics.mechanisms import Gaussian, Laplace, SampledMechanism
from numerics.validation import Positive, checked

SAMPLES = 1_000_000  # of the paper, Sec. 4.3
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
