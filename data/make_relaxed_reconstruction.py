"""Make the shipped curves of paper 000 Fig. 7. See README.md beside this file.

Run from the project's folder: ``python -m data.make_relaxed_reconstruction``. About two minutes on one core.
"""

import numpy as np

from data import written
from numerics import relaxed, shipped
from numerics.calibration import EpsilonTarget, noise_for
from numerics.mechanisms import Gaussian
from numerics.relaxed import RelaxedTest
from numerics.relaxed.hypothetical import TASKS

NAME = "relaxed_reconstruction"
EPSILONS = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0, 14.0, 20.0)
PRIORS = (1e-6, 1e-4, 1e-3, 0.01, 0.1, 0.3)
RUNS = (
    *((task.name, task.release, task.delta) for task in TASKS),
    ("ImageNet", Gaussian(1.0, 524_288 / 1_281_167, 171), 1e-6),
)
"""Those of CIFAR-10 and SNLI are printed; that of ImageNet is not, and ours."""
ABOUT = {
    "what": "how often a guess that is right with probability prior is right with the release, for the noise that has "
    "this epsilon at the run's delta",
    "known": "full knowledge, a guarantee",
    "unknown": "record unknown, the best attack: an estimate",
    "folded": "record unknown, the product of folded steps: one attack, not the best",
}


def rows(name: str, release: Gaussian, delta: float, epsilon: float) -> list[tuple[object, ...]]:
    """A row for every prior."""
    noisy = release.with_noise(noise_for(EpsilonTarget(epsilon, delta), release).noise_multiplier)
    priors = np.array(PRIORS)
    known = [noisy.reconstruction(prior).upper for prior in PRIORS]
    unknown, folded = (
        relaxed.trade_off(noisy, priors, test=test).power for test in (RelaxedTest.MINIMAX, RelaxedTest.FOLDED_STEPS)
    )
    return [
        (name, epsilon, noisy.noise_multiplier, *map(float, values))
        for values in zip(priors, known, unknown, folded, strict=True)
    ]


def table() -> str:
    """All runs."""
    cells = [row for run in RUNS for epsilon in EPSILONS for row in rows(*run, epsilon)]
    return written.document(("run", "epsilon", "noise", "prior", "known", "unknown", "folded"), cells, ABOUT)


if __name__ == "__main__":
    (shipped.DATA / f"{NAME}.csv").write_text(table(), encoding="utf-8")
