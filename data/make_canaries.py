"""Make the shipped canaries: DP-SGD as it was promised and broken in three ways, each audited by one run.

The promise is Gaussian noise of 1 clip, rate 0.01, 1,000 steps. See README.md beside this file. Run from the project's
folder: ``python -m data.make_canaries``.
"""

from enum import StrEnum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from numerics.audits.canary_scores import CanaryScore, canary_scores
from numerics.mechanisms import Gaussian
from numerics.trade_off import Floats
from numerics.training import Softmax, data_set
from numerics.training.models import with_constant

SEED = 20230721
FOLDER = Path(__file__).parent
CLAIM = Gaussian(noise_multiplier=1.0, sampling_rate=0.01, steps=1000)
CANARIES = 1000
LONG = 10.0  # clips, a canary's gradient before it is cut
CLIP, LEARNING_RATE = 1.0, 0.2


class Implementation(StrEnum):
    """What the code really does; values are the names of the files."""

    RIGHT = "canaries_as_promised"
    NOISE_BY_BATCH = "canaries_noise_by_batch"  # the noise of the mean is added to the sum
    NOT_CLIPPED = "canaries_not_clipped"
    WRONG_RATE = "canaries_five_times_the_rate"


def run(made: Implementation, seed: int = SEED) -> tuple[Floats, NDArray[np.bool_], float]:
    """Scores and coins of the canaries, (CANARIES,) each, and the accuracy on held-out records.

    A softmax regression on MNIST is trained on its members and the canaries included. Images get a margin of pixels
    that is black in all of them; a canary is a record whose gradient, ten clips long, lies along one weight of that
    margin, of its own. Whoever sees the noisy sums adds up, over the steps, the log-likelihood ratio of what it got.
    """
    rng = np.random.default_rng(seed)
    found, model, rate = data_set("mnist"), Softmax(), CLAIM.sampling_rate
    inputs, fresh_inputs = framed(found.features, found.classes), framed(found.fresh_features, found.classes)
    weights = np.zeros((1, model.dimension(inputs.shape[1] - 1, found.classes)))
    place = np.arange(CANARIES)
    included = rng.random(CANARIES) < 0.5
    batch = rate * found.records
    clip = np.inf if made is Implementation.NOT_CLIPPED else CLIP
    noise = CLAIM.noise_multiplier * CLIP / (batch if made is Implementation.NOISE_BY_BATCH else 1.0)
    drawn = 5.0 * rate if made is Implementation.WRONG_RATE else rate
    projections = np.empty((CANARIES, CLAIM.steps))
    for step in range(CLAIM.steps):
        chosen = np.flatnonzero(rng.random(found.records) < drawn)
        total = model.clipped_sum(
            weights, inputs[None, chosen], found.labels[None, chosen], np.ones((1, len(chosen))), clip
        )[0]
        total[place[included & (rng.random(CANARIES) < drawn)]] += min(LONG * CLIP, clip)
        total += noise * rng.standard_normal(len(total))
        projections[:, step] = total[place] / CLIP
        weights[0] -= LEARNING_RATE / batch * total
    fresh = model.scores(weights, fresh_inputs)[0].argmax(axis=1)
    scores = canary_scores(projections, CLAIM, CLAIM.noise_multiplier)[CanaryScore.LIKELIHOOD_RATIO]
    return scores, included, float(np.mean(fresh == found.fresh_labels))


def framed(images: Floats, classes: int) -> Floats:
    """Images (n, k) with a black margin before them, that has a weight for each canary, and a constant after them."""
    return with_constant(np.hstack((np.zeros((len(images), CANARIES // classes)), images)))


def main() -> None:
    """Train, score and write."""
    for made in Implementation:
        scores, included, accuracy = run(made)
        rows = [f"{score:.6g},{int(coin)}" for score, coin in zip(scores, included, strict=True)]
        (FOLDER / f"{made}.csv").write_text("score,included\n" + "\n".join(rows) + "\n", encoding="utf-8")
        print(f"{made}: accuracy {accuracy:.4f}")


if __name__ == "__main__":
    main()
