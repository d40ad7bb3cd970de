"""The one place that names what is internal to ``numerics.audits``: its tests reach it through here."""

import numpy as np

from data.make_local_levels import local_level, stays_within
from numerics.audits.claim import Claim
from numerics.audits.logit_space import logits
from numerics.audits.many_runs import FINE, _p_values
from numerics.audits.measured import RankLimits, area_limits, band_limits, fewest_for, ranks_of, strict_count
from numerics.audits.measured import at_least as lower_limit
from numerics.audits.measured import at_most as upper_limit
from numerics.audits.one_run import Guesses, p_values
from numerics.audits.one_run.design import GuessTails
from numerics.audits.one_run.guesses import coin_p_value
from numerics.audits.one_run.odds import BoundaryCrossing, equal_levels
from numerics.epsilon_star.confidence import CutPValues, Cuts, end_ranks
from numerics.trade_off import Order


def cut_p_value(claim: Claim, rank: float, null: int, accused: float, other: int, order: Order = Order.ADD) -> float:
    """P-value of a claim where so many ``accused`` of ``other`` scores lie beyond the null score of this rank."""
    cuts = Cuts(np.array([float(accused)]), other, np.array([float(rank)]), null)
    return float(_p_values(CutPValues(cuts, FINE), claim, order)[0])


def single_p_value(guesses: Guesses, claim: Claim) -> float:
    """By the recursion, of guesses at one number of them."""
    return p_values.single_p_value(claim, guesses.canaries, guesses.counts[0], guesses.correct[0])
