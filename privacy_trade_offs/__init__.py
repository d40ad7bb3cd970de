"""The mathematics under the name of what is installed, and the command ``privacy-trade-offs``.

``from privacy_trade_offs import Gaussian, noise_for``: these are the objects of ``numerics``, which has the rest. In a
wheel this folder also holds the app with its other layers, which are not for import.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numerics.accountants import StatedRelease, release_of
    from numerics.calibration import AdvantageTarget, EpsilonTarget, PowerTarget, noise_for
    from numerics.mechanisms import MECHANISMS, Adjacency, Composition, Gaussian, Laplace, Sampling
    from numerics.privacy_loss import Precision
    from numerics.trade_off import Bound, Bracket, Order, TradeOffCurve, alpha_grid
    from privacy_trade_offs.written_sheet import sheet

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
    "StatedRelease",
    "TradeOffCurve",
    "alpha_grid",
    "noise_for",
    "release_of",
    "sheet",
]


def __getattr__(name: str) -> Any:
    """What is exported, and each mechanism, when it is first asked for: the command starts without the mathematics."""
    if not name.startswith("_"):
        mechanisms = import_module("numerics.mechanisms")
        if name in __all__ or name in {kind.__name__ for kind in mechanisms.MECHANISMS}:
            homes = ("accountants", "calibration", "privacy_loss", "trade_off")
            others = map(import_module, (*(f"numerics.{home}" for home in homes), f"{__name__}.written_sheet"))
            return next(getattr(module, name) for module in (mechanisms, *others) if hasattr(module, name))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
