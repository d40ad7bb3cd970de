"""Epsilon* of one trained model from its losses (paper 001): an audit, no guarantee about how it was trained.

``error_ratios`` has the four ratios for laws with exact tails, ``counted_rates`` for counted losses, ``estimators`` the
methods, ``result`` what they find, ``audit_caveats`` what stands between the number and its meaning; ``confidence`` has
the lower bound, made of ``ratio_limits``, ``from_aggregates`` all of this for losses that are in a database, and
``mechanism_level`` what many models of one training mechanism show together.
"""

from numerics.epsilon_star.confidence import LEVEL, LowerBound, attainable, lower_bound
from numerics.epsilon_star.estimators import (
    EMPIRICAL_CLIP,
    SMALLEST_GROUP,
    default_delta,
    estimate,
    fitted,
    from_laws,
    is_clipped_usually,
)
from numerics.epsilon_star.loss_scores import LossScale, Transform, ascending
from numerics.epsilon_star.result import EpsilonStar, Method

__all__ = [
    "EMPIRICAL_CLIP",
    "LEVEL",
    "SMALLEST_GROUP",
    "EpsilonStar",
    "LossScale",
    "LowerBound",
    "Method",
    "Transform",
    "ascending",
    "attainable",
    "default_delta",
    "estimate",
    "fitted",
    "from_laws",
    "is_clipped_usually",
    "lower_bound",
]
