"""Epsilon* of several models of one mechanism: a table of all of them, and what they say together."""

from dataclasses import dataclass
from math import floor, isinf
from time import perf_counter

import numpy as np
import streamlit as st

from losses import Instance, TableError
from numerics.epsilon_star import default_delta, estimate, lower_bound
from numerics.epsilon_star.confidence import Ascending
from numerics.epsilon_star.sweeps import Instances, over_instances
from pages.measuring.audits import Options, clip_of, percent
from pages.measuring.chosen import Models
from pages.shared import export, readout, uploads
from pages.shared.readout import Metric
from pages.shared.remembered import remembered

_KEPT = "instances_measured"
_MOST_KEPT = 6
_MANY = 100  # fewer models leave the mean of e^epsilon* a matter of which ones they are


@dataclass(frozen=True)
class Row:
    """A model: sizes of its groups, epsilon*, the lower bound on it, and how many rows were left out."""

    name: str
    train: int
    population: int
    value: float
    at_least: float
    dropped: int


@dataclass(frozen=True)
class Measured:
    """All models at one delta, and how it was come by."""

    rows: tuple[Row, ...]
    delta: float
    options: Options
    seconds: float

    @property
    def together(self) -> Instances:
        """What the values say together."""
        return over_instances([row.value for row in self.rows])


def draw_table(models: Models, options: Options) -> Measured | None:
    """Draw the table of all models, what they say together, and the download; None where there is none."""
    try:
        measured = of(models, options)
    except TableError as problem:
        uploads.complain(problem)
        return None
    except ValueError as refusal:
        st.error(f"**No table:** {uploads.literal(str(refusal))}", icon=":material/error:")
        return None
    with st.container(border=True):
        readout.answer(_sentence(measured), level=3)
        readout.metrics(_metrics(measured))
        _draw_rows(measured)
        st.caption(_caption(measured))
        st.download_button(
            "All models (CSV)", lambda: table(measured), "epsilon-star-models.csv", "text/csv", on_click="ignore"
        )
    return measured


def of(models: Models, options: Options) -> Measured:
    """All models measured, from this session's results if they are among them.

    Raises ValueError (a TableError is one) where one of them cannot be: the others by themselves have another mean.
    """
    return remembered(_KEPT, (models.key, options), _MOST_KEPT, lambda: _computed(models, options))


def _computed(models: Models, options: Options) -> Measured:
    started = perf_counter()
    with st.spinner(f"Measuring {len(models.names):,} models …", show_time=True):
        found = models.read()
        smallest = min(len(one.groups.train) for one in found)
        delta = default_delta(smallest) if options.delta is None else options.delta
        bar = st.progress(0.0)
        rows: list[Row] = []
        for name, one in zip(models.names, found, strict=True):
            bar.progress(len(rows) / len(found), f"Model {len(rows) + 1:,} of {len(found):,} …")
            rows.append(_row(name, one, options, delta))
        bar.empty()
    return Measured(tuple(rows), delta, options, perf_counter() - started)


def _row(name: str, one: Instance, options: Options, delta: float) -> Row:
    train, population = one.groups.train, one.groups.population
    try:
        clip = clip_of(options, delta)
        value = estimate(train, population, delta, options.method, clip, components=options.components).value
        bound = lower_bound(Ascending(train), Ascending(population), delta, options.level)
    except ValueError as refusal:
        raise ValueError(f"{name}: {refusal}") from None
    return Row(name, len(train), len(population), value, bound.value, one.groups.dropped)


def _sentence(measured: Measured) -> str:
    together, count = measured.together, len(measured.rows)
    if count == 1:
        return f"**One model, ε\\* {short(together.least)}.** Add others of the same mechanism to compare."
    if isinf(together.least):
        return f"**{count:,} models, each with an infinite ε\\*.**"
    if together.least == together.most:
        return f"**{count:,} models, ε\\* {short(together.least)} for each.**"
    return f"**{count:,} models, ε\\* from {short(together.least)} to {short(together.most)}.**"


def short(value: float) -> str:
    """Four digits."""
    return "∞" if isinf(value) else f"{value:.4g}"


def _metrics(measured: Measured) -> list[Metric]:
    together = measured.together
    return [
        Metric("Smallest ε*", short(together.least), "Over the models."),
        Metric("Mean ε*", short(together.mean), "The arithmetic mean over the models."),
        Metric("Largest ε*", short(together.most), "Over the models."),
        Metric(
            "log mean exp ε*",
            short(together.log_mean_exp),
            "The log of the mean of e^ε*. With enough models, the ε* of the mechanism, whose models are attacked at "
            "once, is at most this (paper 001, Theorem 2).",
        ),
    ]


def _draw_rows(measured: Measured) -> None:
    rows = measured.rows
    shown = {
        "Model": [row.name for row in rows],
        "Training": [row.train for row in rows],
        "Fresh": [row.population for row in rows],
        "ε*": [row.value for row in rows],
        _bound_name(measured): [floor(1000.0 * row.at_least) / 1000.0 for row in rows],
    }
    if any(row.dropped for row in rows):
        shown["Left out"] = [row.dropped for row in rows]
    numbers = dict.fromkeys(("ε*", _bound_name(measured)), st.column_config.NumberColumn(format="%.4g"))
    st.dataframe(shown, hide_index=True, column_config=numbers, width="stretch", alt="Epsilon* of every model.")


def _bound_name(measured: Measured) -> str:
    return f"at least ({percent(measured.options.level)})"


def _caption(measured: Measured) -> str:
    """What the numbers mean, and what they do not."""
    sizes = [row.train for row in measured.rows]
    if measured.options.delta is None:
        how = f"1 / (n log n) for the smallest training group, n = {min(sizes):,}"
        if min(sizes) != max(sizes):
            how += "; one model looked at by itself has its own δ"
    else:
        how = "as typed in"
    parts = [f"One δ for all models, {measured.delta:.3g}: {how}."]
    if measured.delta > 1.0 / max(sizes):
        parts.append(f"It is above 1/n for the largest one (n = {max(sizes):,}), and leaves out whole people there.")
    parts.append(f"Each lower bound holds with {percent(measured.options.level)} confidence for its model by itself.")
    if len(measured.rows) < _MANY:
        parts.append(
            f"The mean of e^ε\\* over {len(measured.rows):,} models is a sample's mean: **no bound** on the mechanism."
        )
    return " ".join(parts)


def table(measured: Measured) -> str:
    """CSV of all models, with what they say together in its header."""
    rows, together = measured.rows, measured.together
    header = {
        "method": measured.options.method.value,
        "rates near 0 and 1": measured.options.clip.value,
        "delta": repr(measured.delta),
        "confidence of each lower bound": repr(measured.options.level),
        "smallest epsilon*": repr(together.least),
        "mean epsilon*": repr(together.mean),
        "largest epsilon*": repr(together.most),
        "log of the mean of exp(epsilon*)": repr(together.log_mean_exp),
        "kind": _caption(measured).replace("*", "").replace("\\", ""),
    }
    columns = {
        "training losses": np.array([row.train for row in rows], dtype=float),
        "fresh losses": np.array([row.population for row in rows], dtype=float),
        "epsilon*": np.array([row.value for row in rows]),
        "epsilon* at least": np.array([row.at_least for row in rows]),
        "rows left out": np.array([row.dropped for row in rows], dtype=float),
    }
    return export.table({"model": [row.name for row in rows], **columns}, header)
