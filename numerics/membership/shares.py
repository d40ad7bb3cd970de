"""Membership privacy when k of n records are drawn instead of half of them (paper 002 Definition 1, Proposition 6).

Who says "out" of everybody is right with probability 1 - k/n, and eta is what an attacker gains on the better of both
constant answers. A set with the record and one without it differ by a replaced record, whatever k (Lemma 12), so
guarantees here are about replaced records.
"""

from math import log
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from numerics.conversions import power_limit
from numerics.validation import NonNegative, OpenProbability, Probability, checked


@checked
def eta_of_epsilon_and_share(epsilon: NonNegative, delta: Probability, share: OpenProbability) -> float:
    """Largest gain of an attacker with an (``epsilon``, ``delta``)-DP release (replace-one): paper 002 Thm 4 for any k.

    0 for delta = 0 where e^epsilon is at most the odds of the better constant answer.
    """
    rare = min(share, 1.0 - share)
    corner = (1.0 - delta) * float(expit(-epsilon))
    gains = (rare * power_limit(epsilon, delta, at) - (1.0 - rare) * at for at in (0.0, corner))
    return max(*gains, 0.0)


class Posterior(NamedTuple):
    """Least and largest probability that a record was drawn, given what was released."""

    low: float
    high: float


@checked
def posterior_limits(epsilon: NonNegative, share: OpenProbability) -> Posterior:
    """What an (``epsilon``, 0)-DP release (replace-one) leaves possible after *every* output (paper 002 Prop. 6).

    The odds of "out" grow by e^epsilon at most; so do those of "in", which is not printed and follows alike. Eta
    averages over outputs and promises no such thing: see ``halves.one_subset``.
    """
    prior = log(share) - float(np.log1p(-share))
    return Posterior(float(expit(prior - epsilon)), float(expit(prior + epsilon)))
