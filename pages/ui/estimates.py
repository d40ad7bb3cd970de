"""The literature's estimates, laid over the certified curve on request, with their error said in words."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from types import MappingProxyType

import numpy as np
import streamlit as st

from numerics.approximations import LARGEST_EDGEWORTH_ORDER
from numerics.approximations.sampling import affordable_samples
from numerics.mechanisms import Mechanism
from numerics.trade_off import Bracket, Order
from pages.server.shared_cache import Private
from pages.ui import cached, skipped
from pages.ui.controls import whole_box
from pages.ui.release_in_force import ReleaseChoice
from plotting.curves import EstimatedCurve
from reports.rounding import nearest

_DEFAULT_ORDER = 2
DEFAULTS: Mapping[str, object] = MappingProxyType({"estimates": [], "edgeworth_order": _DEFAULT_ORDER})
_SAMPLES = 100_000
_DRAWS_PER_ESTIMATE = 10_000_000  # samples x steps: about a second
_FEWEST_SAMPLES = 100
_CLOSE = 0.005  # relative error below which an estimate is said to agree
_NEAR = 1.5  # as a ratio of rates; the curves' samples are closer together


class Estimate(StrEnum):
    """The estimates on offer; the values are the labels, and the values in the URL."""

    CLT = "CLT"
    EDGEWORTH = "Edgeworth"
    MONTE_CARLO = "Monte Carlo"


@dataclass(frozen=True)
class EstimateChoice:
    """The estimates chosen, and the order of the Edgeworth expansion."""

    names: tuple[Estimate, ...] = ()
    edgeworth_order: int = _DEFAULT_ORDER


def draw() -> EstimateChoice:
    """Draw the check boxes, and the order of the Edgeworth expansion when that is chosen."""
    chosen = st.pills(
        "Estimates laid over",
        list(Estimate),
        selection_mode="multi",
        key="estimates",
        bind="query-params",
        help="Named approximations from the literature, dotted. They may lie on either side of the truth.",
    )
    names, order = tuple(map(Estimate, chosen)), _DEFAULT_ORDER
    if Estimate.EDGEWORTH in names:
        kept = "Terms up to N^(-order/2) are kept. Order 0 keeps mean and variance alone."
        limits = 0, LARGEST_EDGEWORTH_ORDER
        order = whole_box("Edgeworth order", "edgeworth_order", limits, order, width=160, help=kept)
    return EstimateChoice(names, order)


def overlays(release: Mechanism, chosen: EstimateChoice) -> list[EstimatedCurve]:
    """The chosen estimates of the add-one curve; those that cannot be had say why."""
    made = []
    for name in chosen.names:
        try:
            with st.spinner(f"Estimating by {name} …"), skipped.if_no_time(name):
                made.append(_overlay(name, chosen.edgeworth_order, release))
        except ValueError as reason:
            said = str(reason)
            st.info(f"{name} has no estimate here. {said[:1].upper()}{said[1:]}", icon=":material/info:")
    return made


def _overlay(name: Estimate, order: int, release: Mechanism) -> EstimatedCurve:
    if name is Estimate.CLT:
        return EstimatedCurve(cached.clt(release))
    if name is Estimate.EDGEWORTH:
        return EstimatedCurve(cached.edgeworth(release, order))
    steps = sum(count for _, count in release.pairs)
    samples = min(_SAMPLES, _DRAWS_PER_ESTIMATE // steps, affordable_samples(release))
    if samples < _FEWEST_SAMPLES:
        raise ValueError(f"every step of every sample is drawn, and {steps:,} steps leave time for {samples} samples.")
    sampled = cached.monte_carlo(release, samples)
    return EstimatedCurve(sampled.curve, sampled.standard_error)


def describe(choice: ReleaseChoice, made: list[EstimatedCurve]) -> None:
    """How far each estimate is from the certified curve at the operating point."""
    if not made:
        return
    truth = partial(cached.power, choice.mechanism, order=Order.ADD)
    lines = [f"- {error_sentence(overlay, choice.alpha, truth, 'the members found', 'α')}" for overlay in made]
    if choice.order is not Order.ADD:
        lines.append("- Estimates are of the add-one order and are compared with the add-one curve.")
    st.markdown("\n".join(lines))


def error_sentence(
    overlay: EstimatedCurve, at: float, truth: Callable[[float], Bracket], what: str, symbol: str
) -> str:
    """How far an estimate of ``what`` is from the truth at a rate, or at the nearest one that it has a value for."""
    curve = overlay.curve
    index = int(np.argmin(np.abs(np.log(np.maximum(curve.alpha, 1e-300) / at))))
    rate, guess = float(curve.alpha[index]), float(curve.power[index])
    known = truth(Private(rate) if isinstance(at, Private) else rate).estimate  # which sample is nearest tells of it
    spread = "" if overlay.error is None else f" ± {nearest(float(overlay.error[index]), 2)} (standard error)"
    place = "" if 1.0 / _NEAR < rate / at < _NEAR else f" at {symbol} = {nearest(rate, 3)}, where estimates start,"
    verdict = error_in_words(guess, known)
    return f"**{curve.label}** puts {what}{place} at {nearest(guess)}{spread}, against {nearest(known)}: {verdict}."


def error_in_words(guess: float, truth: float) -> str:
    """An estimate's error relative to the truth, in words.

    >>> error_in_words(0.8, 1.0)
    '20 % too low, so the risk looks smaller than it is'
    """
    if truth <= 0.0 or abs(guess / truth - 1.0) < _CLOSE:
        return "they agree here"
    error = guess / truth - 1.0
    size = f"{abs(error):.0%}".replace("%", " %") if error < 1.0 else f"{guess / truth:.3g} times, far"
    return f"{size} too high" if error > 0 else f"{size} too low, so the risk looks smaller than it is"
