"""Both sides of any mechanism's curve, at a precision that makes thousands of them affordable."""

import numpy as np

from numerics.mechanisms import SampledMechanism
from numerics.mechanisms.analysis import Analysis
from numerics.privacy_loss import Precision
from numerics.privacy_loss.vertices import Corners
from numerics.trade_off import Bound, Order, TradeOffCurve, alpha_grid
from tests.strategies import mechanisms

ROUNDING = 1e-12  # sums of a few terms of size 1; quantiles and back
# Cheap brackets obey the same laws as narrow ones.
CHEAP = Precision(width=1e-3, relative=0.1)
ALPHA = np.concatenate(([0.0, 1e-300, 1e-30], alpha_grid(61, 1e-12)[1:]))


def sides(
    mechanism: Analysis, alpha=ALPHA, order: Order = Order.ADD, precision: Precision = CHEAP
) -> tuple[TradeOffCurve | Corners, ...]:
    """Guarantee, shown curve and attack; the same curve three times where it is exact.

    Of a bound without any attack on the release: both sides of the bracket around that bound.
    """
    if mechanism.bound is Bound.LOWER:
        return mechanism.certified(precision).trade_off(alpha, order)
    curve = mechanism.trade_off(alpha, order, precision)
    return curve.lower or curve, curve, curve.upper or curve


def assert_closed_form_is_bracketed(mechanism: SampledMechanism, order: Order) -> None:
    """What is known in closed form, if anything is, lies between guarantee and attack of the certified engine."""
    if mechanism.closed_form is None:
        return
    exact = mechanism.closed_form.trade_off(ALPHA, order)
    safe, _, reached = mechanism.certified(CHEAP).trade_off(ALPHA, order)
    assert np.all(safe.power >= exact.power * (1.0 - ROUNDING))
    assert np.all(reached.power <= exact.power * (1.0 + ROUNDING))
    assert np.all(safe.beta <= exact.beta * (1.0 + 1e-9))
    assert np.all(reached.beta >= exact.beta * (1.0 - 1e-9))


def assert_power(mechanism: Analysis, alpha: float, power: float) -> None:
    """Exact to 1e-9, or certified in a bracket no wider than the default promises."""
    found = mechanism.power(alpha)
    if mechanism.bound is Bound.EXACT:
        np.testing.assert_allclose(found, power, rtol=1e-9)
    else:
        assert found.lower - 1e-13 <= power <= found.upper + 1e-13
        assert found.width <= Precision().width


ANY = mechanisms()
