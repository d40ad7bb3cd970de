"""Mechanisms of the relaxed model's reference rows, points of their curves, and how near these are to be."""

import numpy as np

from numerics import relaxed
from numerics.mechanisms import Gaussian, Laplace
from numerics.trade_off import alpha_grid
from tests.reference import Reference

# Closed forms, through a quantile and back.
ROUNDING = 1e-11
# A misprint counts as returned when the answer is this near to it; all are further away than 1e-3.
MISPRINT = 1e-4

GRID = alpha_grid(101)


def beta(mechanism, alpha: float, **options) -> float:
    return float(relaxed.trade_off(mechanism, np.array([alpha]), **options).beta[0])


def once(row: Reference) -> Gaussian | Laplace:
    """The mechanism of a row: one step, or N of them."""
    laplace = "mu1" in row.params
    mu = row.number(next(name for name in ("mu1", "mu2", "mu") if name in row.params))
    rate = row.number("p") if "p" in row.params else 1.0
    steps = row.count("N") if "N" in row.params else 1
    return (Laplace if laplace else Gaussian)(1.0 / mu, rate, steps)


def dimension(row: Reference) -> int:
    return row.count("d") if "d" in row.params else 1
