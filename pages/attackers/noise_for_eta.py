"""How much noise hides membership as well as the release in force does: four ways, where all halves can be tried.

The wanted eta is the release's, or what is entered. What the one-swap bound gains over differential privacy is a matter
of the data, so it is shown on bundled data, few enough for the exact answer.
"""

from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import streamlit as st

from numerics.deadline import UNLIMITED, Deadline
from numerics.membership import Game, noise_scale
from numerics.membership.halves import HalfReleases
from numerics.membership.one_swap import OneSwap, SwapNoise
from numerics.trade_off import Bound, Floats
from numerics.training.data_sets import DIGITS, shipped_images
from pages.server.shared_cache import shared_cache
from pages.ui import cached_threat_models, chart, downloads, result_header
from pages.ui.controls import number_box
from pages.ui.numbers_in_words import as_entered, ceiling_digits, rounded_up
from pages.ui.result_header import Formula
from pages.ui.skipped import error_boundary
from pages.ui.threat_models import ReleaseSetting
from plotting.promises import EtaCurves, exact_eta_figure

LEAST, SWAP, PRIVATE, PAPER = "the least that does it", "one-swap bound", "differential privacy", "paper, 6.16"
_RECORDS = 12
_WHAT = "the mean brightness, 0 to 16, of a random half of the first 12 bundled images of digits"
_DIGITS, _SCALES = 4, 41
_BELOW, _ABOVE = 0.1, 3.0  # the figure reaches this much beyond the scales that are compared
_ETAS = (1e-4, 0.499)


@dataclass(frozen=True, eq=False)
class NoiseComparison:
    """Noise scales by the way to them, rounded up as they are shown, and the exact eta at each; the figure's curves.

    ``sensitivity`` is the largest change by one replaced record within these data, ``spread`` the standard deviation
    over the halves, ``mean_swap`` the mean change by swapping the record that the one-swap bound's noise hides least.
    """

    scales: dict[str, float]
    etas: dict[str, float]
    curves: EtaCurves
    sensitivity: float
    spread: float
    mean_swap: float


@shared_cache
def compare(goal: float, records: int = _RECORDS, deadline: Deadline = UNLIMITED) -> NoiseComparison:
    """All ways to keep eta at most ``goal``, in (0, 1/2), by Laplace noise on the mean of half of the first images."""
    values = np.asarray(np.mean(shipped_images(DIGITS).images[:records], axis=1, dtype=float))
    halves = HalfReleases.of(values, lambda members: np.asarray(np.mean(members, axis=1)))
    swap, sensitivity = OneSwap.of_mean(values, SwapNoise.LAPLACE), float(np.ptp(values)) / (records // 2)
    spread = halves.spread()
    found = {
        LEAST: halves.scale_for(goal),
        SWAP: swap.scale_for(goal),
        PRIVATE: sensitivity / SwapNoise.LAPLACE.shift_of(2.0 * goal),
        PAPER: noise_scale.corollary_14_scale(goal, spread),
    }
    scales = {way: ceiling_digits(scale, _DIGITS) if scale else 0.0 for way, scale in found.items()}
    named = [scale for scale in scales.values() if scale]
    grid = np.geomspace(_BELOW * min(named), _ABOVE * max(named), _SCALES)
    exact, by_swap = np.empty(len(grid)), np.empty(len(grid))
    for place, b in enumerate(grid):
        deadline.check()
        exact[place], by_swap[place] = halves.eta(float(b)), swap.eta(float(b))
    curves = EtaCurves(
        grid,
        exact,
        by_swap,
        np.minimum(noise_scale.COROLLARY_14 * np.sqrt(spread / grid), 0.5),  # the inverse of the paper's scale
        0.5 * SwapNoise.LAPLACE.advantage(sensitivity / grid),
    )
    worst = int(np.argmax(swap.etas(scales[SWAP] or sensitivity)))
    etas = {way: halves.eta(scale) for way, scale in scales.items() if scale}
    return NoiseComparison(scales, etas, curves, sensitivity, spread, float(np.mean(swap.sizes(worst))))


def draw(setting: ReleaseSetting) -> None:
    """Draw the sentence, the ways as a table and a figure."""
    own = None
    with suppress(ValueError):
        own = cached_threat_models.eta(setting.replace_one, Game.HALVES).upper
    wanted = number_box(
        "Wanted η",
        "attackers.eta_goal",
        _ETAS,
        None,
        "Accuracy above one half of whoever guesses who was drawn. If not set, it is this release's.",
        unset="not known" if own is None else f"{rounded_up(own)}, this release's",
        width=240,
    )
    goal = wanted if wanted is not None else own
    if goal is None or not _ETAS[0] <= goal <= _ETAS[1]:
        why = "is not known" if own is None else "is not"
        limits = f"{as_entered(_ETAS[0])} and {as_entered(_ETAS[1])}"
        st.info(f"Enter an η between {limits}: this release's {why}.", icon=":material/edit:")
        return
    with error_boundary("noise for this eta"), st.spinner("Trying all halves …", show_time=True):
        _draw_found(compare(goal), goal)
    result_header.how_computed(_FORMULAS, _ASSUMPTIONS, Bound.LOWER, key="attackers.how_noise")


def _draw_found(found: NoiseComparison, goal: float) -> None:
    result_header.answer(sentence(found, goal), level=3)
    st.table(ways(found), hide_index=True)
    st.caption(
        f"Released is {_WHAT}. One replaced record changes it by at most {found.sensitivity:.4g}, which is what "
        "differential privacy counts, from the range of these data. The one-swap bound counts the mean change, "
        f"{found.mean_swap:.4g} for the record that it hides least, and the paper the spread over the halves, "
        f"{found.spread:.4g}. Changes and spread are the private data's own: noise that is scaled by them needs public "
        "data or an assumption."
    )
    marked = [(way, scale) for way, scale in found.scales.items() if scale]
    alt = f"Accuracy above guessing against the noise scale. {sentence(found, goal)}"
    chart.draw(exact_eta_figure(found.curves, goal, marked), result_header.spoken(alt), key="attackers.eta_figure")
    downloads.button("Data (CSV)", "exact_eta.csv", lambda: _csv(found, goal))


def sentence(found: NoiseComparison, goal: float) -> str:
    """What each way asks for."""
    least, swap, private, paper = (rounded_up(found.scales[way], _DIGITS) for way in (LEAST, SWAP, PRIVATE, PAPER))
    suffices = f"noise of scale {least} is enough" if found.scales[LEAST] else "no noise is needed"
    asked = f"asks for {swap}" if found.scales[SWAP] else "asks for none"
    return (
        f"So that nobody's membership is guessed with accuracy above {rounded_up(50.0 + 100.0 * goal, 4)} %, "
        f"{suffices}. The one-swap bound {asked}, differential privacy for {private}, the paper's constant for {paper}."
    )


def ways(found: NoiseComparison) -> dict[str, list[str]]:
    """Columns of the table."""
    kinds = {LEAST: "exact", PAPER: "paper's guarantee"}
    swap = found.scales[SWAP]
    return {
        "way": list(found.scales),
        "noise scale b": [rounded_up(scale, _DIGITS) for scale in found.scales.values()],
        "times the one-swap bound's": [_times(scale / swap) if swap else "" for scale in found.scales.values()],
        "η it really gives": [rounded_up(found.etas[way]) if way in found.etas else "" for way in found.scales],
        "kind": [kinds.get(way, "guarantee") for way in found.scales],
    }


def _times(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 100.0 else f"{ratio:.3g}"


def _csv(found: NoiseComparison, goal: float) -> str:
    curves = found.curves
    header = {"released": _WHAT, "wanted eta": repr(goal)}
    columns: dict[str, Floats] = {
        "noise scale": curves.scale,
        "eta, all halves tried": curves.exact,
        "eta at most, one-swap bound": curves.swap,
        "eta at most, paper": curves.paper,
        "eta at most, differential privacy": curves.private,
    }
    return downloads.table(columns, header | {f"noise by {way}": repr(b) for way, b in found.scales.items()})


_FORMULAS = (
    Formula(
        r"b = \left(\frac{6.16}{\eta}\right)^{1 + 2/M} \sigma_M\ (M \ge 2)",
        "The paper's constant, with M = 2: σ is the standard deviation over random halves.",
        "paper 002 Cor. 14",
        "the proof covers one dimension only; the claim holds (correction 31)",
    ),
    Formula(
        r"\eta_x \le \tfrac12\, \mathbb{E}_{S,y}\bigl[1 - e^{-t/2b}\bigr], \quad t = \lVert\theta(S) - "
        r"\theta(S - x + y)\rVert; \qquad \delta_x(\varepsilon) \le \mathbb{E}_{S,y}\bigl[1 - "
        r"e^{(\varepsilon - t/b)/2}\bigr]_+",
        "The one-swap bound: put another record in the place of x, and a half S with x is a half without it, so both "
        "mixtures are made of pairs that differ by one swap. It holds for the whole curve, and never asks for more "
        "noise than differential privacy. Noise of any norm and dimension has tanh(t/2b) in place of 1 − e^(−t/2b), "
        "Gaussian noise 2Φ(t/2σ) − 1. The pairs are the graph of the paper's Lemma 12; the bound is ours, its proof in "
        "the project's docs/one_swap_bound.md.",
        "correction 32, new",
    ),
    Formula(
        r"b = \frac{\Delta}{-2 \log(1 - 2\eta)}",
        "Differential privacy: Δ is the largest change by one replaced record, where the one-swap bound has the mean; "
        "η is half of the total variation of Laplace noise at Δ.",
        "paper 002 Prop. 2; corrections 27, 30",
    ),
    Formula(
        r"\eta = \max_x \tfrac14 \int \lvert p_{\mathrm{in}(x)}(t) - p_{\mathrm{out}(x)}(t)\rvert\, dt",
        "The exact η: the densities of the noisy number over all halves with and without record x, integrated in "
        "closed form between neighbouring values.",
        "paper 002 Prop. 2; correction 27",
    ),
)
_ASSUMPTIONS = (
    "A random half of a known pool is used, and one noisy number of it is released; the noise has density proportional "
    "to exp(-|x|/b).",
    "Exactly half of the records is used, and their number is even. If each is used by a coin of its own, the "
    "guarantees for exact halves do not apply.",
    "Estimated from the private data itself, spread and swaps carry no guarantee, as the paper says (correction 34).",
    "Differential privacy's Δ is taken from the range of these data; data without limits have none.",
)
