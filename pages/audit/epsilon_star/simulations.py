"""The paper's simulations: how near the estimates come where the truth is known (001 Fig. 3, 4 and 5)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Literal

import numpy as np
import streamlit as st

from numerics.epsilon_star.simulations import (
    RUNS,
    GammaLosses,
    MixtureLosses,
    NormalLosses,
    SampleEstimate,
    Truth,
    TwoLaws,
)
from numerics.trade_off import Floats
from pages.audit.epsilon_star import cached
from pages.ui import address, chart, csv_tables, downloads
from pages.ui.error_boundary import error_boundary
from pages.ui.segmented_control import segmented_control
from plotting.simulations import ratios_figure, simulations_figure

_URL: Literal["query-params"] = "query-params"
SIZES = (1_000, 10_000, 100_000)  # the paper's
_COUNTED = 10_000
DELTAS = (1e-6, 1e-5, 1e-4, 1e-3)
KEYS = (
    "audit.simulated",
    "audit.simulated_shift",
    "audit.simulated_spread",
    "audit.simulated_distance",
    "audit.simulated_share",
    "audit.simulated_delta",
)


PART = "how it errs"


class SimulatedLaw(StrEnum):
    """Laws of the losses; the values are the labels, and the values in the URL."""

    NORMAL = "normal"
    GAMMA = "Gamma"
    LEARNED = "partly learned"


# Where the widgets of a figure start, by key.
_STARTS: Mapping[str, object] = MappingProxyType(
    {
        "audit.simulated": SimulatedLaw.NORMAL,
        "audit.simulated_shift": 3.0,
        "audit.simulated_spread": 1.0,
        "audit.simulated_distance": 0.0,
    }
)


@dataclass(frozen=True)
class SimulationPreset:
    """A figure of the paper and what shows it here."""

    name: str
    words: str
    values: Mapping[str, object]

    @property
    def query(self) -> address.Query:
        """Its address on the page, with this part open."""
        return {"audit.about": PART, **address.query(self.values, _STARTS)}


PRESETS = (
    SimulationPreset(
        "001 Fig. 3",
        "Losses N(0, 1) and N(3, 1): the ratios of the laws and counted ones; their noise sits at the ends.",
        {"audit.simulated": SimulatedLaw.NORMAL, "audit.simulated_shift": 3.0, "audit.simulated_spread": 1.0},
    ),
    SimulationPreset(
        "001 Fig. 4",
        "The same Gamma law for both groups: ε* is 0, and every estimate is above it.",
        {"audit.simulated": SimulatedLaw.GAMMA, "audit.simulated_distance": 0.0},
    ),
    SimulationPreset(
        "001 Fig. 5",
        "Gamma laws with shapes 2 and 2 + d, here d = 1; move the distance from 0 to 3.",
        {"audit.simulated": SimulatedLaw.GAMMA, "audit.simulated_distance": 1.0},
    ),
)
_WORDS = (
    "**Losses of known laws.** Here the truth is known, so one sees what an estimate is worth. Ten samples are drawn "
    "of each size, as in the paper."
)
_NOISE = (
    f"The two ratios over thresholds: of the laws, and counted in one sample of {_COUNTED:,}. Signal and noise are "
    "both largest at the ends, where few losses are left. As in the paper, rates below 10⁻⁹ are left out, "
    "and with them the maximum where it lies beyond."
)
_CAPTION = (
    "The paper cuts rates to (δ, 1 − δ) for normal fits and to (0.001, 0.999) for counts. What is left is another "
    "number, without the maximum (correction 23)."
)


def draw() -> None:
    """Draw the laws' controls, the estimates beside the truth, and where their noise is."""
    st.markdown(_WORDS)
    _draw_presets()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        pair = _draw_laws()
        delta = st.select_slider("δ", DELTAS, 1e-5, _short, key="audit.simulated_delta", bind=_URL, width=200)
    with error_boundary("simulation"):
        with st.spinner("Drawing losses …", show_time=True):
            truth = cached.truth(pair, float(delta))
            found = {size: cached.simulate(pair, size, float(delta)) for size in SIZES}
        words = sentences(truth, found)
        st.markdown(words)
        chart.draw(simulations_figure(found, truth), words.replace("*", "").replace("\\", ""), key="audit.simulations")
        st.caption(_CAPTION)
        _draw_noise(pair, float(delta))
        downloads.button("Data (CSV)", "simulations.csv", lambda: table(pair, float(delta), truth, found))


def _draw_presets() -> None:
    with st.container(horizontal=True):
        for preset in PRESETS:
            key = f"audit.preset_{preset.name.replace(' ', '_')}"
            st.button(preset.name, key=key, help=preset.words, on_click=use, args=(preset,))


def use(preset: SimulationPreset) -> None:
    """Set the controls. For a button's ``on_click``: the widgets of the run must not be drawn yet."""
    for key, value in preset.values.items():
        address.put(key, value)
    st.session_state["audit.simulated_delta"] = 1e-5


def _draw_laws() -> TwoLaws:
    shape = segmented_control(
        "Losses", list(SimulatedLaw), default=SimulatedLaw.NORMAL, key="audit.simulated", help=_SHAPES
    )
    if shape == SimulatedLaw.GAMMA:
        return GammaLosses(_slider("Distance d", 0.0, 3.0, 0.0, 0.5, "audit.simulated_distance"))
    shift = _slider("Shift of fresh losses", 0.0, 4.0, 3.0, 0.25, "audit.simulated_shift")
    if shape == SimulatedLaw.LEARNED:
        return MixtureLosses(shift, _slider("Share learned", 0.05, 0.95, 0.1, 0.05, "audit.simulated_share"))
    return NormalLosses(shift, _slider("Ratio of spreads", 0.5, 2.0, 1.0, 0.05, "audit.simulated_spread"))


_SHAPES = (
    "normal: N(0, 1) in training, shifted and widened when fresh. Gamma: shapes 2 and 2 + d (the paper's). partly "
    "learned: only a share of the training data has small losses, the others look fresh."
)


def _slider(label: str, low: float, high: float, usual: float, step: float, key: str) -> float:
    return float(st.slider(label, low, high, usual, step, key=key, bind=_URL, width=220))


def _short(delta: float) -> str:
    return f"{delta:.0e}".replace("e-0", "e-")


def sentences(truth: Truth, found: Mapping[int, Mapping[SampleEstimate, Floats]]) -> str:
    """What the truth is, and what the largest samples give."""
    size, values = max(found.items())
    counted, fitted, bound = (
        values[kind] for kind in (SampleEstimate.EMPIRICAL, SampleEstimate.EXACT_TAILS, SampleEstimate.BOUND)
    )
    below = int(np.sum(bound <= truth.exact))
    cut = f"cut as the paper cuts it, {truth.clipped_at_delta:.3g} (at δ) and {truth.clipped:.3g} (at 0.001)"
    first = (
        "**The truth is ε\\* = 0:** there is nothing to find."
        if truth.exact == 0.0
        else f"**The truth is ε\\* = {truth.exact:.4g};** {cut}."
    )
    return (
        f"{first} With {size:,} losses in each group, counting gives {_spread(counted)} and normal fits "
        f"{_spread(fitted)}; the lower bound is {_spread(bound)}, in **{below} of {RUNS}** runs not above the truth."
    )


def _spread(values: Floats) -> str:
    return f"**{values.mean():.3g}** ± {values.std():.2g}"


def _draw_noise(pair: TwoLaws, delta: float) -> None:
    st.markdown("**Where the noise is**")
    laws = cached.ratio_curves(pair, delta)
    counted = cached.ratio_curves(pair, delta, _COUNTED)
    chart.draw(ratios_figure(laws, counted), _NOISE, key="audit.simulated_ratios")
    st.caption(_NOISE)


def table(pair: TwoLaws, delta: float, truth: Truth, found: Mapping[int, Mapping[SampleEstimate, Floats]]) -> str:
    """CSV of every run, with the truth on top."""
    cells = [
        (kind.value, float(size), float(run), float(value))
        for size, values in found.items()
        for kind in SampleEstimate
        for run, value in enumerate(values[kind], start=1)
    ]
    kinds, sizes, runs, values = zip(*cells, strict=True)
    columns: dict[str, Floats | Sequence[str]] = {
        "estimate": kinds,
        "losses in each group": np.array(sizes),
        "run": np.array(runs),
        "epsilon*": np.array(values),
    }
    header = {"laws": repr(pair), "delta": repr(delta)}
    header |= {f"true epsilon* ({name.replace('_', ' ')})": repr(value) for name, value in truth._asdict().items()}
    return csv_tables.table(columns, header)
