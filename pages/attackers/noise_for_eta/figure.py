"""Paper 002 Fig. 1: noise against the wanted eta on the data of Proposition 11."""

from collections.abc import Callable
from math import sqrt

import numpy as np
import streamlit as st

from numerics.membership import noise_scale, worst_case_data
from numerics.membership.one_swap import SwapNoise, scale_of_spread
from numerics.trade_off import Floats
from pages.attackers.noise_for_eta.small_release import SmallDataSet
from pages.ui import address, chart, csv_tables, downloads
from pages.ui.error_boundary import error_boundary
from plotting.noise_scale import Crossing, ScaleCurve, noise_scale_figure

_SIZES = (20, 24, 28, 30, 32, 34, 36, 40, 48)
_SHOWN = [30, 32, 34, 36]  # the paper's are among these
# Where the widgets start, by key, and what the paper's figure sets.
STARTS = {
    "attackers.eta_sizes": _SHOWN,
    "attackers.eta_goal": 0.01,
    "attackers.eta_moment": 2.0,
    "attackers.eta_data": SmallDataSet.DIGITS,
}
OF_PAPER = STARTS | {"attackers.eta_data": SmallDataSet.PROPOSITION_11}
PART = "noise for η"
QUERY: address.Query = {"attackers.part": PART, **address.query(OF_PAPER, STARTS)}
_ETA = np.geomspace(1e-5, 0.45, 121)
_SPREADS = {"σ = 1": 1.0, "σ = √5": sqrt(5.0)}
_SIZES_HELP = "Sizes n of the pool. The larger, the more one replaced record can change: about C(n, n/2)^(1/2)."


def draw() -> None:
    """Draw the figure, its preset and its data."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.markdown("**When differential privacy needs far more (paper 002 Fig. 1)**", width="content")
        words = "n = 30, 32, 34, 36; wanted η 0.01; M = 2."
        st.button(
            "002 Fig. 1", on_click=address.put_all, args=(OF_PAPER, STARTS), key="attackers.eta_preset", help=words
        )
    sizes = st.pills(
        "Records in the pool, n",
        _SIZES,
        selection_mode="multi",
        default=_SHOWN,
        key="attackers.eta_sizes",
        bind="query-params",
        help=_SIZES_HELP,
    )
    chosen = sorted(int(size) for size in sizes or _SHOWN)
    with error_boundary("figure"):
        lines, met = curves(chosen), crossings(chosen)
        figure = noise_scale_figure(lines, met)
        chart.draw(figure, alt=_alt(met), key="attackers.eta_figure_1")
        _draw_crossings(chosen, met)
        downloads.button("Data (CSV)", "noise_scales.csv", lambda: _csv(lines, met))


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


def _draw_crossings(sizes: list[int], met: list[Crossing]) -> None:
    """From which eta on the paper's noise is less, for every n and spread."""
    st.caption("From this η on, the paper's noise is less than differential privacy's:")
    at = {(crossing.records, crossing.spread): f"{crossing.eta:.3g}" for crossing in met}
    columns = {name: [at.get((n, name), "never") for n in sizes] for name in _SPREADS}
    st.table({"n": [str(n) for n in sizes], **columns}, hide_index=True, width="content")
    st.caption(
        "The spread of Proposition 11's data is close to σ = 1 (0.99999 for n = 20); σ = √5 is what the paper "
        "proves. The one-swap bound's line takes the spread alone, as the paper's do; with the swaps of the data it "
        "asks for less (correction 32)."
    )


def _alt(met: list[Crossing]) -> str:
    return (
        "Noise scale against the wanted eta, both logarithmic. Lines of differential privacy fall like 1/eta and lie "
        f"higher for more records; the paper's fall like 1/eta squared and cross them at {len(met)} marked places. The "
        "one-swap bound's lies below the paper's."
    )


def _csv(lines: list[ScaleCurve], met: list[Crossing]) -> str:
    header = {f"crossing, n = {crossing.records}, {crossing.spread}": repr(crossing.eta) for crossing in met}
    return csv_tables.table({"eta": _ETA, **{line.label: line.scale for line in lines}}, header)
