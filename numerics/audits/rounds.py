"""Audits run in chunks, so that a page can show progress, stop early and use the rounds it has."""

from collections.abc import Callable, Generator, Iterable
from typing import Annotated, NamedTuple

import numpy as np

from numerics.trade_off import Floats
from numerics.validation import Interval, checked

LARGEST_ROUNDS = 10_000_000
Rounds = Annotated[int, Interval(1, LARGEST_ROUNDS)]


class AuditProgress(NamedTuple):
    """One chunk of an audit: ``done`` of ``total`` units of work are finished.

    ``null`` and ``alternative`` are this chunk's scores without and with the record, large where the attacker suspects
    membership. They are empty while the attacker still prepares (shadow models).
    """

    done: int
    total: int
    null: Floats
    alternative: Floats


class Scores(NamedTuple):
    """Attack scores of independent rounds: without the record (n,) and with it (n,); large means suspected member."""

    null: Floats
    alternative: Floats


@checked
def ordered(scores: Scores) -> Scores:
    """The same scores, each side ascending.

    Raises ValueError for a side that is empty, no vector, or has NaN.
    """
    for name, values in zip(Scores._fields, scores, strict=True):
        if values.ndim != 1 or not len(values):
            raise ValueError(f"{name} scores must be a vector with at least one round, got shape {values.shape}.")
        if np.isnan(values).any():
            raise ValueError(f"{name} scores must be numbers, got NaN.")
    return Scores(*(side if np.all(side[1:] >= side[:-1]) else np.sort(side) for side in scores))


Draw = Callable[[np.random.Generator, int], Scores]


def in_both_worlds(score: Callable[[np.random.Generator, int, int], Floats]) -> Draw:
    """Draws ``score(generator, size, member)`` for each world by itself: limits take scores that are independent."""
    return lambda generator, size: Scores(*(score(generator, size, member) for member in (0, 1)))


def chunked(
    rounds: int, chunk: int, seed: int | np.random.SeedSequence, draw: Draw
) -> Generator[AuditProgress, None, None]:
    """Run ``draw(generator, size)`` until ``rounds`` rounds are done, at most ``chunk`` rounds at a time.

    Nothing is kept between chunks. The scores depend on ``seed`` and ``chunk`` alone. Closing the generator stops it.
    """
    generator = np.random.default_rng(seed)
    for start in range(0, rounds, chunk):
        size = min(chunk, rounds - start)
        yield AuditProgress(start + size, rounds, *draw(generator, size))


@checked
def collected(progress: Iterable[AuditProgress]) -> Scores:
    """The scores of all chunks handed in; those of an interrupted audit are as valid, only fewer."""
    chunks = [(step.null, step.alternative) for step in progress]
    if not chunks:
        return Scores(np.empty(0), np.empty(0))
    return Scores(*(np.concatenate(side) for side in zip(*chunks, strict=True)))
