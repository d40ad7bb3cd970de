"""Epsilon* against delta: how much of the number hangs on the share that is left out."""

import numpy as np
import streamlit as st

from numerics.epsilon_star import LEVEL, EpsilonStar, Method, from_laws
from numerics.epsilon_star.estimators import over_deltas
from numerics.trade_off import Floats
from pages.audit.epsilon_star import figures
from pages.audit.epsilon_star.audits import EpsilonStarAudit
from pages.audit.epsilon_star.source import LossSource
from pages.server.shared_cache import session_cache
from pages.ui import chart, csv_tables, downloads
from pages.ui.error_boundary import error_boundary
from pages.ui.numbers_in_words import rounded_down
from plotting.delta_sweep import DeltaSweep, delta_sweep_figure

_SMALLEST, _LARGEST = 1e-9, 0.1
_POINTS, _POINTS_OF_MIXTURES = 25, 9  # a mixture takes 0.2 s a delta, the bound 0.03 s
_MOST_KEPT = 6
_KEPT = "audit.delta_sweeps"


def draw(source: LossSource, audit: EpsilonStarAudit, level: float = LEVEL) -> None:
    """Draw epsilon* of the method in force, and the lower bound at ``level``, against delta."""
    with error_boundary("sweep over δ"):
        with st.spinner("Going through δ …", show_time=True):
            sweep = of(source, audit, level)
        words = sentence(sweep, audit.bound.delta)
        st.markdown(words)
        chart.draw(delta_sweep_figure(sweep, audit.bound.delta), words.replace("*", ""), key="audit.delta_sweep")
        st.caption(_CAPTION + _clip(audit.result))
        downloads.button("Data (CSV)", "epsilon-star-over-delta.csv", lambda: table(source, audit, sweep))


_CAPTION = (
    "A δ beyond 1/n leaves out whole people, maybe the most exposed. The bound holds at each δ by itself: choose the "
    "δ to report before looking."
)


def _clip(result: EpsilonStar) -> str:
    return "" if result.clip is None else f" Rates are cut to ({result.clip:.3g}, 1 − {result.clip:.3g}) everywhere."


def of(source: LossSource, audit: EpsilonStarAudit, level: float) -> DeltaSweep:
    """The sweep, from this session's if it is among them.

    Raises ValueError where there is none.
    """
    key = (source.key, audit.options, audit.result.delta, level, str(audit.verdict))
    return session_cache(_KEPT, key, _MOST_KEPT, lambda: computed(source, audit, level))


def computed(source: LossSource, audit: EpsilonStarAudit, level: float) -> DeltaSweep:
    """The sweep over nine decades, with the delta in force among them.

    An estimate that says nothing about these losses at the delta in force is not swept: only the bound is.
    """
    result, groups = audit.result, source.groups()
    scale = None if result.transform is None else result.transform.scale
    points = _POINTS_OF_MIXTURES if result.method is Method.MIXTURE else _POINTS
    deltas = np.unique(np.append(np.geomspace(_SMALLEST, _LARGEST, points), result.delta))
    bound = over_deltas(groups.train, groups.population, deltas, Method.CONFIDENCE, level=level)
    if result.method is Method.CONFIDENCE:
        return DeltaSweep(deltas, None, bound, str(audit.options.method), level, len(groups.train))
    if result.method is Method.MIXTURE and result.laws is not None:  # the very mixtures of the estimate
        laws = result.laws
        found = np.array([from_laws(*laws, float(delta), result.clip).value for delta in deltas])
    else:
        found = over_deltas(groups.train, groups.population, deltas, result.method, result.clip, scale=scale)
    return DeltaSweep(deltas, found, bound, str(result.method), level, len(groups.train))


def sentence(sweep: DeltaSweep, delta: float) -> str:
    """How far the number moves, and at which deltas it is infinite."""
    low, high = sweep.deltas[0], sweep.deltas[-1]
    first, last = (rounded_down(float(sweep.bound[at])) for at in (0, -1))
    bounds = f"The lower bound goes from **{first}** to **{last}** as δ grows from {low:.2g} to {high:.2g}."
    if sweep.estimate is None:
        return bounds
    infinite = ~np.isfinite(sweep.estimate)
    if infinite.all():
        return f"The estimate is infinite at every δ here. {bounds}"
    if infinite.any():
        return (
            f"The estimate is infinite up to δ = {sweep.deltas[infinite][-1]:.1e} (one of n people is "
            f"{1.0 / sweep.train_size:.1e}), and **{sweep.estimate[-1]:.3g}** at {high:.2g}. {bounds}"
        )
    here = float(sweep.estimate[np.searchsorted(sweep.deltas, delta)])
    return (
        f"The estimate goes from **{sweep.estimate[0]:.3g}** at δ = {low:.2g} through {here:.3g} at the δ in "
        f"force to **{sweep.estimate[-1]:.3g}** at {high:.2g}. {bounds}"
    )


def table(source: LossSource, audit: EpsilonStarAudit, sweep: DeltaSweep) -> str:
    """CSV of the sweep."""
    columns: dict[str, Floats] = {"delta": sweep.deltas}
    if sweep.estimate is not None:
        standing = "" if audit.verdict is None else f", {audit.verdict.standing}"
        columns[f"estimate of epsilon* ({sweep.method}{standing})"] = sweep.estimate
    columns[f"epsilon* at least ({100.0 * sweep.level:g} %)"] = sweep.bound
    return csv_tables.table(columns, figures.settings(source, audit))
