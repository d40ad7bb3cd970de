"""Every number of an audit that has a source, and everything that is refused, from one table."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import scipy
from scipy.special import ndtr

from numerics import audits
from numerics.audits import Scores
from numerics.audits.one_run import Guesses, parameter_refuted
from numerics.deadline import DeadlineError
from tests.numerics.deadlines import Looks
from tests.tables import Table


def one(canaries: int, count: int, correct: int) -> Guesses:
    return Guesses(canaries, (count,), (correct,))


def normal(runs: int, mu: float) -> Scores:
    rng = np.random.default_rng(0)
    return Scores(rng.normal(size=runs), rng.normal(mu, 1.0, runs))


def stops(asked: Callable[[Looks], Any], looks: int = 0) -> bool:
    """Whether it gives up when its deadline has passed after so many looks."""
    try:
        asked(Looks(looks))
    except DeadlineError:
        return True
    return False


def refuted_in_the_limit(mu: float, share: float) -> float | None:
    """The largest mu refuted by ten million canaries whose right guesses are those expected of the best scores."""
    share, canaries = float(share), 10_000_000
    at = scipy.optimize.brentq(lambda t: ndtr(mu - t) + ndtr(-t) - share, 0.0, 20.0)
    count = round(share * canaries)
    guesses = one(canaries, count, round(ndtr(mu - at) / share * count))
    return parameter_refuted(guesses, audits.GdpClaim(mu), tolerance=1e-7)


def scores(null: Sequence[float], members: Sequence[float]) -> Scores:
    return Scores(np.array(null, float), np.array(members, float))


def test_table() -> None:
    Table(__file__, globals()).check()
