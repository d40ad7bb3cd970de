"""The null of any statistic of these very scores: who was a member is shuffled, of single rows or of whole persons.

If non-members' and members' scores have one law, every assignment is as likely as the one at hand: see
``numerics.epsilon_star.resampling``, whose values these are of any other statistic.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from numerics.audits.rounds import Scores, ordered
from numerics.epsilon_star.resampling import SHUFFLES, Mask, Null, chunks, subset
from numerics.trade_off import Floats
from numerics.validation import PositiveCount, Seed, checked

_AT_ONCE = 10
Statistic = Callable[[Scores], float]


@checked
def permuted(
    statistic: Statistic, scores: Scores, shuffles: PositiveCount = SHUFFLES, seed: Seed = 0
) -> Iterator[Null]:
    """Shuffle which scores are members'; yields the null of ``statistic`` after every few shuffles. Stop to cancel.

    Large values of the statistic, which is given ascending scores, speak against one law. Of more than 50,000 scores of
    a group a fixed random subset is shuffled, and the statistic is that of the subset.

    Raises ValueError for empty scores and NaN.
    """
    rng = np.random.default_rng(seed)
    parts = Scores(*(subset(side, rng) for side in ordered(scores)))
    pooled = np.concatenate(parts)
    order = np.argsort(pooled, kind="stable")
    size = len(parts.alternative)
    own = order >= len(parts.null)
    null = _nothing_yet(
        statistic, pooled[order], own, shuffles, size < len(scores.alternative) or len(parts.null) < len(scores.null)
    )
    return chunks(_values(statistic, pooled[order]), lambda: rng.permutation(len(pooled)) < size, null, _AT_ONCE)


@checked
def permuted_persons(
    statistic: Statistic,
    scores: Scores,
    null_person: NDArray[np.int64],
    member_person: NDArray[np.int64],
    shuffles: PositiveCount = SHUFFLES,
    seed: Seed = 0,
) -> Iterator[Null]:
    """The same where several rows belong to a person (n,), (m,): whole persons are shuffled, who keep their rows.

    A test alone: it says whether there is something, not how much.

    Raises ValueError for empty scores, NaN, codes that are not as many as scores, and a person in both groups.
    """
    ordered(scores)
    for name, values, codes in zip(scores._fields, scores, (null_person, member_person), strict=True):
        if values.shape != codes.shape:
            raise ValueError(f"{name} scores must have a person each, got {codes.shape} for {values.shape}.")
    both = len(np.intersect1d(null_person, member_person))
    if both:
        raise ValueError(f"persons must be in one group, got {both} in both.")
    pooled = np.concatenate(scores)
    order = np.argsort(pooled, kind="stable")
    names, person = np.unique(np.concatenate((null_person, member_person))[order], return_inverse=True)
    rng, members = np.random.default_rng(seed), len(np.unique(member_person))
    null = _nothing_yet(statistic, pooled[order], order >= len(scores.null), shuffles, False)

    def draw() -> Mask:
        return np.asarray((rng.permutation(len(names)) < members)[person])

    return chunks(_values(statistic, pooled[order]), draw, null, _AT_ONCE)


def _nothing_yet(statistic: Statistic, pooled: Floats, own: Mask, shuffles: int, is_subset: bool) -> Null:
    """The null before the first shuffle."""
    sizes = int(own.sum()), int(len(own) - own.sum())
    return Null(float(_values(statistic, pooled)([own])[0]), np.empty(0), shuffles, sizes, is_subset)


def _values(statistic: Statistic, pooled: Floats) -> Callable[[Sequence[Mask]], Floats]:
    return lambda masks: np.array([statistic(Scores(pooled[~mask], pooled[mask])) for mask in masks])
