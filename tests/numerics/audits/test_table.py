"""Every number of an audit that has a source, and everything that is refused, from one table."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy
from scipy.special import ndtr

from numerics import audits
from numerics.audits import Background, Procedure, Scores, area_under_curve, one_run
from numerics.audits.one_run import Guesses, parameter_refuted
from numerics.deadline import DeadlineError
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace
from numerics.trade_off import Order
from tests.numerics.audits import inside
from tests.numerics.deadlines import Looks
from tests.tables import Case, Table


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


RNG = np.random.default_rng(11)
NAMES = {
    **{name: getattr(module, name) for module in (audits, one_run) for name in vars(module) if name[0] != "_"},
    **vars(inside),
    "Gaussian": Gaussian,
    "Laplace": Laplace,
    "Composition": Composition,
    "Order": Order,
    "REPLACE": Adjacency.REPLACE_ONE,
    "KNOWN": Background(np.zeros(3), np.eye(3)),
    "FEATURES": np.column_stack((RNG.normal(size=60), np.ones(60))),
    "LABELS": np.arange(60) % 2,
    "SCORE": np.arange(30.0),
    "COINS": np.arange(30) % 3 != 0,
    "scores": lambda null, members: Scores(np.array(null, float), np.array(members, float)),
    "one": one,
    "normal": normal,
    "stops": stops,
    "RNG": RNG,
    "PROCEDURE": {"BH": Procedure.BENJAMINI_HOCHBERG, "BY": Procedure.BENJAMINI_YEKUTIELI},
    "area": lambda found: area_under_curve(found).value,
    "refuted_in_the_limit": refuted_in_the_limit,
}


@pytest.mark.parametrize("case", Table(__file__, NAMES).cases())
def test_table(case: Case) -> None:
    case.check()
