"""Scores of the canaries of one run from what was recorded at every step: which score finds which fault.

A canary is a record whose clipped gradient has the norm of one clip and a direction of its own. Recorded is the
projection of each released sum on that direction, in clips, less what other records add there (nothing, where canaries
are orthogonal to them and to each other). The three scores differ in what they find:

- the **likelihood ratio** of the release with less noise than was promised finds too little noise, too high a rate and
  missing clipping. That of the promise itself is the best score where the promise is kept, and overlooks too little
  noise: half of it in all of ten runs of 500 canaries at noise 1, rate 0.02, 300 steps;
- the **variance** over the steps finds noise that is reused from step to step, which no sum of projections sees. A
  canary adds rate (1 - rate) to it, and the noise has a spread of its own over the steps, so that it sees little else;
- the **sum** needs to know neither noise nor rate, and finds least: what records add alike in every step hides it.

``data/find_faults_by_canaries.py`` counts what each finds in a training with real gradients.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from numerics.audits.claim import ReleaseClaim
from numerics.audits.one_run.design import Finding, audit
from numerics.audits.one_run.guesses import Canaries
from numerics.deadline import UNLIMITED, Deadline
from numerics.epsilon_star.confidence import LEVEL, Level
from numerics.mechanisms import Adjacency, Gaussian, Sampling
from numerics.privacy_loss.pairs import sampled_loss
from numerics.trade_off import Floats
from numerics.validation import Positive, checked


class CanaryScore(StrEnum):
    """What projections are turned into; larger where a canary seems to be in."""

    LIKELIHOOD_RATIO = "likelihood ratio"
    VARIANCE = "variance over steps"
    SUM = "sum"


@checked
def canary_scores(
    projections: Floats, release: Gaussian, suspected_noise: Positive | None = None
) -> Mapping[CanaryScore, Floats]:
    """The scores (m,) of m canaries from their ``projections`` (m, steps), in clips.

    The likelihood ratio is sum_t log(1 - p + p exp((s_t - 1/2) / sigma^2)) with the rate p of the promised ``release``
    and the noise multiplier sigma that is suspected, half the promised one unless another is given.

    Raises ValueError for projections that are no finite table of the promised number of steps, and for a release that
    is not of Poisson sampling and a record more or less.
    """
    if projections.ndim != 2 or projections.shape[1] != release.steps or not np.all(np.isfinite(projections)):
        raise ValueError(
            f"projections must be finite numbers, a row for each canary and a column for each of the {release.steps:,} "
            f"steps, got shape {projections.shape}."
        )
    if release.adjacency is not Adjacency.ADD_REMOVE or release.sampling is not Sampling.POISSON:
        raise ValueError(
            f"release must be add/remove with Poisson sampling, got {release.adjacency} with {release.sampling}."
        )
    sigma = 0.5 * release.noise_multiplier if suspected_noise is None else suspected_noise
    ratio = sampled_loss((projections - 0.5) / sigma**2, release.sampling_rate)
    return MappingProxyType(
        {
            CanaryScore.LIKELIHOOD_RATIO: ratio.sum(axis=1),
            CanaryScore.VARIANCE: projections.var(axis=1),
            CanaryScore.SUM: projections.sum(axis=1),
        }
    )


@checked
def audit_by_scores(
    projections: Floats,
    included: NDArray[np.bool_],
    release: Gaussian,
    level: Level = LEVEL,
    deadline: Deadline = UNLIMITED,
) -> Mapping[CanaryScore, Finding]:
    """Audit the promise of ``release`` by each score of ``canary_scores``; it is refuted if one of them refutes it.

    ``included`` (m,) says which canaries were in, each by its own fair coin. The risk 1 - ``level`` is divided among
    the scores, so that all findings hold together.

    Raises ValueError as ``canary_scores`` and ``Canaries`` do, DeadlineError when it takes too long.
    """
    scores, claim = canary_scores(projections, release), ReleaseClaim(release)
    each = 1.0 - (1.0 - level) / len(scores)
    return MappingProxyType(
        {
            name: audit(Canaries(score, included).guesses(), claim, each, deadline=deadline)
            for name, score in scores.items()
        }
    )
