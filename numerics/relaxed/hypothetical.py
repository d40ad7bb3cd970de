"""Which noise would make a record as hard to detect as another noise does for full knowledge (paper 000 Section 7.3).

The paper trains with the noise at which the curve of an attacker who does not know the record meets that of one who
knows it, and converts that noise back to a hypothetical epsilon: about 6, 2.5 and 19. It looks for the two noises that
"sandwich" the curve and takes the more pessimistic one; which of the readings of a relaxed curve it computed is open
(correction 15). What each gives is shipped (``shipped_sandwiches``): by the paper's Renyi accounting the product of
folded steps comes to the printed 2.5, and none to the printed 6 (correction 56).
"""

from typing import NamedTuple

import numpy as np

from numerics import shipped
from numerics.mechanisms import Gaussian, SampledMechanism
from numerics.relaxed.curves import RelaxedTest
from numerics.renyi import divergence
from numerics.validation import OpenProbability, Positive, checked, value

TABLE = "hypothetical_epsilons"
_ORDERS = (*range(2, 64), 80, 100, 128, 160, 200, 256)  # of Renyi divergences


@value
class PublishedTask:
    """A task of paper 000 Fig. 4: its ``release`` for full knowledge, and what Section 7.3 prints."""

    name: str
    release: Gaussian
    delta: OpenProbability
    printed: Positive
    """The hypothetical epsilon."""


TASKS = (
    PublishedTask("CIFAR-10", Gaussian(10.5, 4096 / 50_000, 1000), 1e-5, 6.0),
    PublishedTask("SNLI", Gaussian(1.15, 4096 / 549_361, 405), 1.8e-6, 2.5),
)
"""Those whose settings are printed. ImageNet (19) follows another paper's, which are not."""


class Sandwich(NamedTuple):
    """Noise multipliers between which a curve is met.

    ``safe``: the least at which nobody finds more than full knowledge finds at the given noise; ``bold``: the most at
    which somebody finds as much at every false positive rate.
    """

    safe: float
    bold: float


class RenyiEpsilon(NamedTuple):
    """Epsilon from Renyi divergences of whole orders: by the usual conversion, and by the first one (Mironov 2017)."""

    usual: float
    first: float


@checked
def renyi_epsilon(release: SampledMechanism, delta: OpenProbability) -> RenyiEpsilon:
    """What the accountant that the paper used says of ``release``; a guarantee, and looser than the certified epsilon.

    The usual conversion is that of Canonne, Kamath and Steinke (2020), Proposition 12. Raises UnsupportedError as
    ``renyi.divergence``.
    """
    orders = np.array(_ORDERS, dtype=float)
    spent = np.array([divergence(release, order) for order in _ORDERS])
    first = spent - np.log(delta) / (orders - 1.0)
    usual = spent + np.log1p(-1.0 / orders) - (np.log(delta) + np.log(orders)) / (orders - 1.0)
    return RenyiEpsilon(float(np.min(usual)), float(np.min(first)))


class ShippedSandwich(NamedTuple):
    """A row of the shipped table: the noises of a task for one reading, and their epsilons at the task's delta."""

    task: PublishedTask
    test: RelaxedTest
    smallest_alpha: float
    noise: Sandwich
    epsilon: Sandwich


def shipped_sandwiches() -> tuple[ShippedSandwich, ...]:
    """Every task by every reading and floor, made by data/make_hypothetical_epsilons.py."""
    tasks = {task.name: task for task in TASKS}
    return tuple(
        ShippedSandwich(
            tasks[row["task"]],
            RelaxedTest(row["reading"]),
            float(row["smallest_alpha"]),
            Sandwich(float(row["safe_noise"]), float(row["bold_noise"])),
            Sandwich(float(row["safe_epsilon"]), float(row["bold_epsilon"])),
        )
        for row in shipped.rows(TABLE)
    )
