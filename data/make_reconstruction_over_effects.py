"""Make the shipped ground truth of paper 003 Fig. 1d. See README.md beside this file.

Run from the project's folder: ``python -m data.make_reconstruction_over_effects``. About a minute on one core.
"""

import numpy as np

from data import written
from numerics import shipped
from numerics.mechanisms import Gaussian
from numerics.privacy_loss import Precision

NAME = "reconstruction_over_effects"
RELEASE = Gaussian(1.0, 0.001, 10_000)
EFFECTS = (*map(float, np.linspace(0.25, 8.0, 32)), 9.0, 10.0, 12.0, 20.0, 50.0, 100.0, 300.0, 1000.0, 3000.0)
PRIORS = (1e-6, 1e-5, 1e-4, 1e-3)
PRECISION = Precision(width=1e-4, relative=1e-3)
ABOUT = {
    "what": "how often a guess that is right with probability prior is right with 10,000 Gaussian steps at rate 0.001",
    "effect": "of one record in a step, in units of the noise",
}


def rows(effect: float) -> list[tuple[float, ...]]:
    """A row for every prior: the certified bracket."""
    noisy = RELEASE.with_noise(1.0 / effect)
    return [(effect, prior, *noisy.reconstruction(prior, PRECISION.down_to(prior))) for prior in PRIORS]


def table() -> str:
    """All effect sizes."""
    cells = [row for effect in EFFECTS for row in rows(effect)]
    return written.document(("effect", "prior", "lower", "estimate", "upper"), cells, ABOUT)


if __name__ == "__main__":
    (shipped.DATA / f"{NAME}.csv").write_text(table(), encoding="utf-8")
