"""Renyi divergence and zCDP of a release.

RDP bounds the Renyi divergence D_o of both laws of the release at some orders o, rho-zCDP bounds it by rho o at all
(Mironov 2017; Bun and Steinke 2016). Both are one-way: the curve of a release says more than its divergences.
"""

from typing import Annotated

from numerics.mechanisms import Mechanism
from numerics.privacy_loss.pairs import DominatingPair
from numerics.unsupported import UnsupportedError
from numerics.validation import Interval, checked

Order = Annotated[int, Interval(2, 10_000)]


@checked
def divergence(release: Mechanism, order: Order) -> float:
    """Renyi divergence of whole ``order`` of the release, the larger of both directions; steps and phases add up.

    EXACT where an attack reaches the pairs of the release, else a GUARANTEE; of several choices by the exponential
    mechanism, for which no one pair is the worst, EXACT too without sampling. Infinite where something is given away
    for certain. What has no formula is refused with UnsupportedError: certified curves say more of it than divergences
    would.
    """
    return sum(steps * _known(pair.renyi(order), pair, "Renyi divergences are") for pair, steps in release.pairs)


@checked
def zcdp(release: Mechanism) -> float:
    """A rho of the release's zero-concentrated DP; steps and phases add up. A GUARANTEE.

    Normal noise has mu^2 / 2 a step, EXACT, sampled or not: large orders see nothing of sampling. Losses in an interval
    of width w have w^2 / 8 (``zcdp_of_range``): of epsilon-DP w is 2 epsilon (Bun and Steinke 2016, Proposition 3.3),
    of a choice by the exponential mechanism epsilon, as its range is bounded (Cesar and Rogers 2021; Dong, Durfee and
    Rogers 2020), also where it depends on earlier ones. Infinite, and refused with UnsupportedError, as ``divergence``.
    """
    return sum(steps * _known(pair.zcdp, pair, "zCDP is") for pair, steps in release.pairs)


def _known(found: float | None, pair: DominatingPair, what: str) -> float:
    if found is None:
        raise UnsupportedError(f"{what} not offered for {pair.words}.")
    return found
