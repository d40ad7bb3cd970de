"""Python to take away: what prints the mechanism page's numbers."""

from numerics.mechanisms import Mechanism
from numerics.trade_off import SMALLEST_ALPHA, Order
from pages.ui import cached
from reports.python_code import constructor, imports, literal


def python_snippet(mechanism: Mechanism, alpha: float, delta: float, order: Order, prior: float) -> str:
    """Python that prints the numbers on the page; run it in the project's folder."""
    made, tested = constructor(mechanism), f"{alpha!r}, {literal(order)}"
    worth = f'print("posterior:", mechanism.posterior({alpha!r}, {prior!r}, {literal(order)}, precision))\n'
    return f"""{imports(mechanism)}
from numerics.privacy_loss import Precision
from numerics.trade_off import Order

mechanism = {made}
precision = {cached.PRECISION!r}  # smaller widths give narrower brackets
print("true positive rate:", mechanism.power({tested}, precision))
print("epsilon:", mechanism.epsilon({delta!r}, {cached.EPSILON_WIDTH!r}, precision))
print("advantage:", mechanism.advantage(precision))
{worth if order is not Order.REMOVE else ""}print("mu-GDP:", mechanism.gaussian_mu({SMALLEST_ALPHA!r}, precision))
print("AUC:", mechanism.auc(precision))
"""
