"""Paper 002 Fig. 1: noise against the wanted eta on the data of Proposition 11."""

from collections.abc import Callable
from math import sqrt

import numpy as np

from numerics.membership import noise_scale, worst_case_data
from numerics.membership.one_swap import SwapNoise, scale_of_spread
from numerics.trade_off import Floats
from pages.ui import address
from plotting.noise_scale import Crossing, ScaleCurve

QUERY: address.Query = {
    "attackers.doors": "all",
    "attackers.part": "noise for η",
    "attackers.eta_goal": "0.01",
}
"""The state of Attackers that this is about."""
_ETA = np.geomspace(1e-5, 0.45, 121)
_SPREADS = {"σ = 1": 1.0, "σ = √5": sqrt(5.0)}


def curves(sizes: list[int]) -> list[ScaleCurve]:
    """Lines of differential privacy for each n, those of the paper for two spreads, and the one-swap bound's."""
    private = [(f"DP, n = {n}", worst_case_data.sensitivity(n)) for n in sizes]
    lines = [ScaleCurve(name, _ETA, _scales(noise_scale.private_scale, delta), True) for name, delta in private]
    lines += [
        ScaleCurve(f"paper, {name}", _ETA, _scales(noise_scale.corollary_14_scale, spread), False)
        for name, spread in _SPREADS.items()
    ]
    return [*lines, ScaleCurve("one-swap bound, σ = 1", _ETA, _scales(_by_one_swap, 1.0), False)]


def _by_one_swap(eta: float, spread: float) -> float:
    return scale_of_spread(eta, spread, SwapNoise.LAPLACE)


def _scales(scale: Callable[[float, float], float], size: float) -> Floats:
    return np.array([scale(float(eta), size) for eta in _ETA])


def crossings(sizes: list[int]) -> list[Crossing]:
    """Where the paper's lines meet those of differential privacy, as far as they do within the figure."""
    found = []
    for n in sizes:
        delta = worst_case_data.sensitivity(n)
        for name, spread in _SPREADS.items():
            eta = noise_scale.crossing(delta, spread)
            if eta is not None and _ETA[0] <= eta <= _ETA[-1]:
                found.append(Crossing(n, name, eta, noise_scale.private_scale(eta, delta)))
    return found
