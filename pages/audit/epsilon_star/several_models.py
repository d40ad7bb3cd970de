"""Epsilon* of several models of one mechanism: a table of all of them, and what they say together."""

from dataclasses import dataclass
from math import floor
from time import perf_counter

import numpy as np
import streamlit as st

from losses import Instance, TableError
from numerics.audits import Scores
from numerics.epsilon_star import LowerBound, ascending, default_delta, estimate, lower_bound
from numerics.epsilon_star.confidence import Ascending
from numerics.epsilon_star.estimators import Instances, over_instances
from numerics.epsilon_star.verdict import Standing, shape_of, verdict_of
from numerics.trade_off import Floats
from pages.audit import parts, records
from pages.audit.epsilon_star.audits import estimated_of
from pages.audit.epsilon_star.options import Options
from pages.audit.evidence import Models
from pages.server.shared_cache import session_cache
from pages.ui import downloads, result_header, uploads
from pages.ui.numbers_in_words import rounded_down
from pages.ui.plain_text import literal
from pages.ui.result_header import Metric
from reports.losses_audit import percent, short
from reports.parts import Compared, ComparedParts

_KEPT = "audit.models_measured"
_MOST_KEPT = 6
_MANY = 100  # fewer models leave the mean of e^epsilon* a matter of which ones they are


@dataclass(frozen=True)
class ModelRow:
    """A model.

    Attributes:
        name: of the model.
        train, population: sizes of its groups.
        at_least: lower bound at the level chosen.
        at_least_of_all: the same at a level at which all models' bounds hold together.
        value: the estimate; None where there is none.
        standing: what the estimate is worth, or why there is none.
        dropped: rows left out.
    """

    name: str
    train: int
    population: int
    at_least: float
    at_least_of_all: float
    value: float | None
    standing: str
    dropped: int


@dataclass(frozen=True)
class MeasuredModels:
    """All models at one delta, and how it was come by."""

    rows: tuple[ModelRow, ...]
    delta: float
    options: Options
    seconds: float

    @property
    def together(self) -> Instances | None:
        """What the estimates say together; None unless each of them says something."""
        values = [row.value for row in self.rows if row.value is not None and row.standing != Standing.GREY]
        return over_instances(values) if len(values) == len(self.rows) else None


def draw(models: Models, options: Options) -> None:
    """Draw what all models show: in a sentence, a figure and a table, and what so many of them give away together."""
    try:
        measured = of(models, options)
    except TableError as problem:
        uploads.complain(problem)
        return
    except ValueError as refusal:
        st.error(f"**No table:** {literal(str(refusal))}", icon=":material/error:")
        return
    every = parts_of(models)
    with st.container(border=True):
        result_header.answer(_sentence(measured, models.kind), level=3)
        compared = parts.compared(every, options.level) if len(models.names) > 1 else None
        if compared is not None:
            st.markdown(compared.sentence(literal))
            parts.draw_figure(compared)
        result_header.metrics(_metrics(measured))
        _draw_rows(measured, compared)
        st.caption(_caption(measured))
        if compared is not None:
            st.caption(parts.caption(compared))
            parts.draw_count(every, options.level, compared.alpha)
            if models.rows is not None:
                records.draw_of_models(models.rows, models.key)
        downloads.button("All models (CSV)", "epsilon-star-models.csv", lambda: table(measured))


def parts_of(models: Models) -> ComparedParts:
    """The models as parts of what was uploaded."""

    def read() -> list[Scores]:
        return [Scores(-one.groups.population, -one.groups.train) for one in models.read()]

    return ComparedParts(models.key, models.kind, models.names, read)


def of(models: Models, options: Options) -> MeasuredModels:
    """All models measured, from this session's results if they are among them.

    Raises ValueError (a TableError is one) where one of them cannot be: the others by themselves have another mean.
    """
    return session_cache(_KEPT, (models.key, options), _MOST_KEPT, lambda: _computed(models, options))


def _computed(models: Models, options: Options) -> MeasuredModels:
    started = perf_counter()
    with st.spinner(f"Measuring {len(models.names):,} models …", show_time=True):
        found = models.read()
        smallest = min(len(one.groups.train) for one in found)
        delta = default_delta(smallest) if options.delta is None else options.delta
        bar = st.progress(0.0)
        rows: list[ModelRow] = []
        for name, one in zip(models.names, found, strict=True):
            bar.progress(len(rows) / len(found), f"Model {len(rows) + 1:,} of {len(found):,} …")
            rows.append(_row(name, one, options, delta, len(found)))
        bar.empty()
    return MeasuredModels(tuple(rows), delta, options, perf_counter() - started)


def _row(name: str, one: Instance, options: Options, delta: float, models: int) -> ModelRow:
    train, population = (ascending(losses) for losses in (one.groups.train, one.groups.population))
    try:
        bound = estimate(train, population, delta, level=options.level).confidence
    except ValueError as refusal:
        raise ValueError(f"{name}: {refusal}") from None
    assert bound is not None
    together = lower_bound(Ascending(train), Ascending(population), delta, 1.0 - (1.0 - options.level) / models)
    value, standing = _estimated(train, population, options, bound)
    return ModelRow(name, len(train), len(population), bound.value, together.value, value, standing, one.groups.dropped)


def _estimated(train: Floats, population: Floats, options: Options, bound: LowerBound) -> tuple[float | None, str]:
    """The estimate and what it is worth, or why there is none. Labels are not shuffled: models are many."""
    try:
        found = estimated_of(train, population, bound.delta, options)
    except ValueError as refusal:
        return None, str(refusal)
    shape = None if found.transform is None else shape_of(train, population, found.transform)
    return found.value, verdict_of(found, bound, shape, None).standing


def _sentence(measured: MeasuredModels, kind: str) -> str:
    """What holds with confidence, of every model and of the most exposed one."""
    rows, level = measured.rows, percent(measured.options.level)
    least = rounded_down(min(row.at_least for row in rows))
    if len(rows) == 1:
        add = "Add others of the same mechanism to compare."
        return f"**One model, with {level} confidence its ε\\* is at least {least}.** {add}"
    most = rounded_down(max(row.at_least_of_all for row in rows))
    return (
        f"**{len(rows):,} {kind}: with {level} confidence ε\\* of each is at least {least}, and with {level} "
        f"confidence that of the most exposed is at least {most}.**"
    )


def _metrics(measured: MeasuredModels) -> list[Metric]:
    together = measured.together
    if together is None:
        return []
    return [
        Metric("Smallest estimate", short(together.least), "Over the models."),
        Metric("Mean estimate", short(together.mean), "The arithmetic mean over the models."),
        Metric("Largest estimate", short(together.most), "Over the models."),
        Metric(
            "log mean exp ε*",
            short(together.log_mean_exp),
            "The log of the mean of e^ε*, of the estimates. With enough models, the ε* of the mechanism, whose models "
            "are attacked at once, is at most this of the true values (paper 001, Theorem 2).",
        ),
    ]


def _draw_rows(measured: MeasuredModels, compared: Compared | None) -> None:
    rows = measured.rows
    shown: dict[str, list[str] | list[int] | list[float]] = {
        "Model": [row.name for row in rows],
        "Training": [row.train for row in rows],
        "Fresh": [row.population for row in rows],
        _bound_name(measured): [floor(1000.0 * row.at_least) / 1000.0 for row in rows],
    }
    if compared is not None:
        shown |= compared.columns
    shown |= {"Estimate": [_cell(row) for row in rows], "The estimate is": [row.standing for row in rows]}
    if any(row.dropped for row in rows):
        shown["Left out"] = [row.dropped for row in rows]
    numbers = {_bound_name(measured): st.column_config.NumberColumn(format="%.4g")}
    downloads.draw_table(shown, column_config=numbers, width="stretch", alt="Epsilon* of every model.")


def _cell(row: ModelRow) -> str:
    """The estimate as text; not as a number where it says nothing about the losses."""
    return "—" if row.value is None or row.standing == Standing.GREY else short(row.value)


def _bound_name(measured: MeasuredModels) -> str:
    return f"at least ({percent(measured.options.level)})"


def _caption(measured: MeasuredModels) -> str:
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
    level = percent(measured.options.level)
    parts.append(f"Each lower bound in the table holds with {level} confidence for its model by itself.")
    parts.append("The estimates were not checked against a null of these losses.")
    if measured.together is not None and len(measured.rows) < _MANY:
        parts.append(
            f"The mean of e^ε\\* over {len(measured.rows):,} models is a sample's mean: **no bound** on the mechanism."
        )
    return " ".join(parts)


def table(measured: MeasuredModels) -> str:
    """CSV of all models, with what they say together in its header."""
    rows, together = measured.rows, measured.together
    header = {
        "method": measured.options.method.value,
        "rates near 0 and 1": measured.options.clip.value,
        "delta": repr(measured.delta),
        "confidence of each lower bound": repr(measured.options.level),
        "every epsilon* at least": repr(min(row.at_least for row in rows)),
        "largest epsilon* at least": repr(max(row.at_least_of_all for row in rows)),
        "kind": _caption(measured).replace("*", "").replace("\\", ""),
    }
    if together is not None:
        header |= {
            "smallest estimate": repr(together.least),
            "mean estimate": repr(together.mean),
            "largest estimate": repr(together.most),
            "log of the mean of exp(estimate)": repr(together.log_mean_exp),
        }
    columns: dict[str, Floats | list[str]] = {
        "training losses": np.array([row.train for row in rows], dtype=float),
        "fresh losses": np.array([row.population for row in rows], dtype=float),
        "epsilon* at least": np.array([row.at_least for row in rows]),
        "estimate of epsilon*": np.array([np.nan if row.value is None else row.value for row in rows]),
        "the estimate is": [row.standing for row in rows],
        "rows left out": np.array([row.dropped for row in rows], dtype=float),
    }
    return downloads.table({"model": [row.name for row in rows], **columns}, header)
