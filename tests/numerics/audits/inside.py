"""The one place that names what is internal to ``numerics.audits``: its tests reach it through here."""

import numpy as np

from numerics.audits.attack_scores import area_limits
from numerics.audits.binomial_limits import at_least as lower_limit
from numerics.audits.binomial_limits import at_most as upper_limit
from numerics.audits.binomial_limits import fewest_for, strict_count
from numerics.audits.boundary_crossing import RankLimits, local_level, ranks_of, stays_within
from numerics.audits.claim import Claim
from numerics.audits.confidence_band import band_limits
from numerics.audits.cut_p_values import CutPValues
from numerics.audits.one_run.design import GuessTails
from numerics.audits.one_run.guesses import coin_p_value
from numerics.audits.one_run.walk import Walk, equal_levels
from numerics.audits.softmax import logits
from numerics.epsilon_star.confidence import Cuts, end_ranks
from numerics.trade_off import Order


def cut_p_value(claim: Claim, rank: float, null: int, accused: float, other: int, order: Order = Order.ADD) -> float:
    """P-value of a claim where so many ``accused`` of ``other`` scores lie beyond the null score of this rank."""
    cuts = Cuts(np.array([float(accused)]), other, np.array([float(rank)]), null)
    return float(CutPValues(cuts).of(claim, order)[0])
