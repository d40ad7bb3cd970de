"""The lower bound where several rows belong to one person: of a few draws of one row each, the median.

A draw of one random row a person, made without a look at the losses, has independent losses of the law "a random row of
a random person", and so a valid bound. It depends on the lots. Of several draws, each with half of the risk, the median
depends on them less, and is valid too: it exceeds epsilon* only where at least half of the draws do, and by Markov the
probability of that is at most twice that of one draw.
"""

from collections.abc import Sequence
from dataclasses import replace

from numerics.epsilon_star.confidence import LEVEL, Ascending, Level, LowerBound, lower_bound
from numerics.trade_off import Floats
from numerics.validation import Probability, checked


@checked
def median_bound(draws: Sequence[tuple[Floats, Floats]], delta: Probability, level: Level = LEVEL) -> LowerBound:
    """Lower confidence bound on epsilon* from draws of one row a person.

    Args:
        draws: losses of training data and of fresh data, each ascending; an odd number of draws. One draw is a bound by
            itself.
        delta: as for ``lower_bound``.
        level: confidence of the median.

    Returns:
        The draw's bound that is the median, at ``level``; what is attainable is so with half of the risk.

    Raises:
        ValueError: an even number of draws, or what ``lower_bound`` refuses.
    """
    if len(draws) % 2 == 0:
        raise ValueError(f"draws must be an odd number, got {len(draws)}.")
    each = level if len(draws) == 1 else 1.0 - (1.0 - level) / 2.0
    found = [lower_bound(Ascending(train), Ascending(population), delta, each) for train, population in draws]
    return replace(sorted(found, key=lambda one: one.value)[len(found) // 2], level=level)
