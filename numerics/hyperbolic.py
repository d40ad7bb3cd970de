"""Hyperbolic functions and their inverses by logarithms, where they overflow or lose their digits."""

import numpy as np

from numerics.trade_off import Floats


def log_cosh(x: Floats) -> Floats:
    """Log cosh x to its own digits."""
    near, far = np.minimum(np.abs(x), 1.0), np.maximum(np.abs(x), 1.0)
    return np.where(np.abs(x) < 1.0, np.log1p(2.0 * np.sinh(0.5 * near) ** 2), np.logaddexp(far, -far) - np.log(2.0))


def log_sinh(x: Floats) -> Floats:
    """Log sinh of non-negative ``x``; -inf at 0."""
    with np.errstate(divide="ignore"):
        return x + np.log(-np.expm1(-2.0 * x)) - np.log(2.0)


def arccosh_exp(exponent: Floats) -> Floats:
    """Arccosh e^y; 0 below y = 0."""
    y = np.maximum(exponent, 0.0)
    return y + np.log1p(np.sqrt(-np.expm1(-2.0 * y)))
