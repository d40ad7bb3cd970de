"""Which fault of DP-SGD which score of canaries finds: a training kept as promised and broken in six ways, audited.

``python -m data.find_faults_by_canaries`` trains a network on the digits with canaries among them, ten times for each
fault (twenty times where there is none), and prints how many runs each score refutes at 95 %, the risk shared by the
three as ``audit_by_scores`` shares it: of projections as released, and less what the records add. The training is
written down from the definition, with every per-example gradient made. Ten minutes.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from numerics.audits import ReleaseClaim
from numerics.audits.canary_scores import CanaryScore, canary_scores
from numerics.audits.one_run import Canaries, critical_counts, preset_counts
from numerics.audits.one_run.guesses import coin_p_value
from numerics.mechanisms import Gaussian
from numerics.trade_off import Floats
from numerics.training import data_set

PROMISE = Gaussian(noise_multiplier=1.0, sampling_rate=0.02, steps=300)
RISK, RUNS, UNFAIR = 0.05, 10, 1e-3
HIDDEN, CLIP, LEARNING_RATE = 32, 1.0, 0.5
LONG = 10.0  # clips, a gradient of a random direction before it is cut
GRADIENTS, PIXELS = "gradients of random directions", "images of random pixels with random labels"
AUDITED = (GRADIENTS, 500), (GRADIENTS, 1000), (PIXELS, 500)
Bits = NDArray[np.bool_]


class Fault(NamedTuple):
    """What the code does, where it differs from what was promised."""

    name: str
    clips: bool = True
    noise: Callable[[float], float] = lambda batch: 1.0  # of the promised noise
    drawn: float = 1.0  # times the promised rate
    is_reused: bool = False  # the first step's noise in all steps


FAULTS = (
    Fault("none: the promise is kept"),
    Fault("not clipped", clips=False),
    Fault("noise divided by the batch", noise=lambda batch: 1.0 / batch),
    Fault("noise divided by the root of the batch", noise=lambda batch: 1.0 / np.sqrt(batch)),
    Fault("half the noise", noise=lambda batch: 0.5),
    Fault("five times the rate", drawn=5.0),
    Fault("the same noise in every step", is_reused=True),
)


class Network:
    """A network with one hidden layer, tanh, and softmax on top; all weights are one vector."""

    def __init__(self, rng: np.random.Generator, inputs: int, classes: int) -> None:
        self.shapes = (inputs + 1, HIDDEN), (HIDDEN + 1, classes)
        self.weights = np.concatenate([rng.standard_normal(s[0] * s[1]) / np.sqrt(s[0]) for s in self.shapes])

    def gradients(self, images: Floats, labels: NDArray[np.int64]) -> Floats:
        """Of the cross-entropy, (n, weights): one for each image."""
        cut = self.shapes[0][0] * HIDDEN
        first, second = self.weights[:cut].reshape(self.shapes[0]), self.weights[cut:].reshape(self.shapes[1])
        inputs = np.column_stack((images, np.ones(len(images))))
        hidden = np.column_stack((np.tanh(inputs @ first), np.ones(len(images))))
        errors = np.exp(hidden @ second - (hidden @ second).max(axis=1, keepdims=True))
        errors /= errors.sum(axis=1, keepdims=True)
        errors[np.arange(len(labels)), labels] -= 1.0
        below = errors @ second[:-1].T * (1.0 - hidden[:, :-1] ** 2)
        layers = inputs[:, :, None] * below[:, None, :], hidden[:, :, None] * errors[:, None, :]
        return np.concatenate([layer.reshape(len(labels), -1) for layer in layers], axis=1)


def norms(vectors: Floats) -> Floats:
    """Of the rows, (n, 1)."""
    return np.linalg.norm(vectors, axis=1, keepdims=True)


def fair_coins(canaries: int, rng: np.random.Generator) -> Bits:
    """Anew where an audit would refuse them, one time in a thousand."""
    while True:
        coins = rng.random(canaries) < 0.5
        if coin_p_value(canaries, int(coins.sum())) >= UNFAIR:
            return coins


def train(fault: Fault, kind: str, canaries: int, rng: np.random.Generator) -> tuple[Floats, Floats, Bits]:
    """Every released sum projected on the canaries' gradients, what records add there, in clips, and the coins.

    Both are (canaries, steps), of gradients at the weights before the step. What other canaries add is left in, for it
    cannot be told without the coins.
    """
    found, rate, included = data_set("digits"), PROMISE.sampling_rate, fair_coins(canaries, rng)
    batch = rate * (found.records + canaries / 2)
    model = Network(rng, found.features.shape[1], found.classes)
    directions = rng.standard_normal((canaries, len(model.weights)))
    directions *= LONG * CLIP / norms(directions)
    labels = rng.integers(0, found.classes, canaries)
    images = rng.integers(0, 2, (canaries, found.features.shape[1])).astype(float)
    noise = fault.noise(batch) * PROMISE.noise_multiplier * CLIP
    first = rng.standard_normal(len(model.weights))
    released, records = np.empty((2, canaries, PROMISE.steps))

    def clipped_sum(gradients: Floats) -> Floats:
        kept = gradients * np.minimum(1.0, CLIP / norms(gradients)) if fault.clips else gradients
        return np.asarray(kept.sum(axis=0))

    for step in range(PROMISE.steps):
        drawn = rng.random(found.records) < fault.drawn * rate
        taking = included & (rng.random(canaries) < fault.drawn * rate)
        own = directions if kind == GRADIENTS else model.gradients(images, labels)
        of_records = clipped_sum(model.gradients(found.features[drawn], found.labels[drawn]))
        fresh = first if fault.is_reused else rng.standard_normal(len(model.weights))
        total = of_records + clipped_sum(own[taking]) + noise * fresh
        released[:, step], records[:, step] = (own @ np.column_stack((total, of_records)) / norms(own) / CLIP).T
        model.weights -= LEARNING_RATE / batch * total
    return released, records, included


def refuting(projections: Floats, included: Bits, critical: tuple[int | None, ...]) -> NDArray[np.int64]:
    """Whether each score refutes the promise, in the order of ``CanaryScore``, and last whether one does."""
    scores, found = canary_scores(projections, PROMISE), []
    for name in CanaryScore:
        pairs = zip(Canaries(scores[name], included).guesses().correct, critical, strict=True)
        found.append(any(least is not None and right >= least for right, least in pairs))
    return np.array([*found, any(found)], dtype=np.int64)


def main() -> None:
    """Print a row for each fault."""
    each = 1.0 - RISK / len(CanaryScore)
    print(f"Refuted by {', '.join(CanaryScore)}, any of them; and less what records add.")
    for kind, canaries in AUDITED:
        critical = critical_counts(ReleaseClaim(PROMISE), canaries, preset_counts(canaries), each)
        for number, fault in enumerate(FAULTS):
            found, runs = np.zeros((2, len(CanaryScore) + 1), dtype=np.int64), RUNS if number else 2 * RUNS
            for run in range(runs):
                released, records, included = train(
                    fault, kind, canaries, np.random.default_rng([canaries, number, run])
                )
                found += [refuting(one, included, critical) for one in (released, released - records)]
            print(f"{canaries:,} {kind}; {fault.name}; of {runs}: {found[0]}; {found[1]}", flush=True)


if __name__ == "__main__":
    main()
