"""The mathematics under the name of what is installed, and the command ``privacy-trade-offs``.

``from privacy_trade_offs import Gaussian, noise_for``: these are the objects of ``numerics``, which has the rest. In a
wheel this folder also holds the app with its other layers, which are not for import.
"""

from numerics.calibration import AdvantageTarget, EpsilonTarget, PowerTarget, noise_for
from numerics.mechanisms import MECHANISMS, Adjacency, Composition, Gaussian, Laplace, Sampling
from numerics.privacy_loss import Precision
from numerics.trade_off import Bound, Bracket, Order, TradeOffCurve, alpha_grid

globals().update({kind.__name__: kind for kind in MECHANISMS})  # the other mechanisms, too

__all__ = [
    "MECHANISMS",
    "Adjacency",
    "AdvantageTarget",
    "Bound",
    "Bracket",
    "Composition",
    "EpsilonTarget",
    "Gaussian",
    "Laplace",
    "Order",
    "PowerTarget",
    "Precision",
    "Sampling",
    "TradeOffCurve",
    "alpha_grid",
    "noise_for",
]
