"""Epsilon* of one trained model from its losses (paper 001): an audit, no guarantee about how it was trained.

``rates`` has the four ratios and counts losses, ``laws`` has them for exact tails, ``estimators`` the methods and what
they find, ``verdict`` what that is worth; ``confidence`` has the lower bound, ``aggregates`` all of this for losses in
a database, ``resampling`` null and bootstrap, ``simulations`` known laws and many models of one mechanism.
"""

from numerics.epsilon_star.confidence import LEVEL, LowerBound, attainable, lower_bound
from numerics.epsilon_star.estimators import (
    EMPIRICAL_CLIP,
    SMALLEST_GROUP,
    EpsilonStar,
    Method,
    default_delta,
    estimate,
    fitted,
    from_laws,
    is_clipped_usually,
)
from numerics.epsilon_star.scores import LossScale, Transform, ascending
