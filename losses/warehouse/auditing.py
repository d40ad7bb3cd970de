"""Epsilon* of a table in an engine, from aggregates.

Two passes over a small table: what is there; every different loss, counted. Four as a rule over a large one: what is
there; moments and an even histogram; the middle losses one by one, for copies among them; the losses near the
thresholds that matter. After that the estimates are those that all losses together would give. More passes follow where
many losses share a small part of the range.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from losses.errors import TableError, listed, option, quoted
from losses.row_questions import COPIES, PEOPLE, ROWS
from losses.training_labels import Membership, training_label
from losses.warehouse import passes
from losses.warehouse.engines import Engine, Table
from losses.warehouse.grouping import counted_once, noticed
from losses.warehouse.passes import Label, LossRange
from numerics.audits.threshold_attack import wanted_for_attack
from numerics.epsilon_star import (
    EMPIRICAL_CLIP,
    LEVEL,
    EpsilonStar,
    LossScale,
    Method,
    Transform,
    default_delta,
)
from numerics.epsilon_star.aggregates import (
    LossBins,
    Summary,
    check_groups,
    confident,
    empirical,
    parametric,
    shape_of_counts,
    wanted_for_bound,
    wanted_for_counts,
)
from numerics.epsilon_star.estimators import check
from numerics.epsilon_star.verdict import EstimateVerdict, verdict_of

# Which rows of a table are members and which outsiders, by what the first pass found for each label.


_MEND = "Mend them, or leave out such rows: --drop."


def groups(
    found: list[Label], column: str, member: str | None, drop: bool
) -> tuple[Membership, Label, Label, Mapping[str, int]]:
    """Which label means training data, members, outsiders and unusable rows."""
    named = [label for label in found if label.label is not None]
    words = [str(label.label) for label in named]
    if not words:
        raise TableError("There is no row with a label.", "Check the source and the membership column.")
    if len(words) == 1:
        what = f"One group is missing: every label is {quoted(words[0])}."
        raise TableError(what, "Add the losses of the other group.")
    if len(words) > 2:
        many = "more than 20" if len(words) > 20 else str(len(words))
        what = f"The membership has {many} different labels; two are needed."
        raise TableError(what, "Name another column: --membership COLUMN.", f"Among them are {listed(words)}.")
    if member is not None and member not in words:
        raise TableError(f"No row has the label {quoted(member)}.", f"The labels are {listed(words)}.")
    told = training_label(column, words, member)
    if told is None:
        raise TableError(
            f"Neither the labels {listed(words)} nor the name {quoted(column)} say which rows are training data.",
            f"Name the label of training data: {option('membership', column, 'LABEL')}.",
        )
    dropped = {
        "without a label": sum(label.rows for label in found if label.label is None),
        "blank or no number": sum(label.missing for label in named),
        "NaN or infinite": sum(label.not_finite for label in named),
    }
    if any(dropped.values()) and not drop:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in dropped.items() if count)
        raise TableError(f"{sum(dropped.values()):,} rows cannot be used: {reasons}.", _MEND)
    train, population = named if words[0] == told.member else named[::-1]
    return told, train, population, MappingProxyType(dropped)


def pooled(train: Label, population: Label) -> LossRange:
    """The range of all usable losses."""
    ranges = [group.range for group in (train, population) if group.range is not None]
    low, high = (min((one.low for one in ranges), default=0.0), max((one.high for one in ranges), default=0.0))
    check_groups(train.size, population.size, low, high)
    return LossRange(low, high)


METHODS = (Method.CONFIDENCE, Method.PARAMETRIC, Method.EMPIRICAL)
_FEW = 300_000  # losses that are looked at one by one, counted: some 10 MB
_MOST_PASSES = 12
_CHANGED = "The table changed while it was read.", "Try again."
_NOT_SAID = "it is not known on which scale these losses are nearly normal: --unit says it, if there is one."


@dataclass(frozen=True)
class Wish:
    """What is to be computed.

    Attributes:
        methods: one or more of METHODS; the confidence bound comes with all of them.
        delta: ``default_delta`` of the training losses where None.
        level: of the confidence bound.
        scale: on which normal laws are fitted; None where it is not known what the losses are, or no scale is known.
        cut: how many of the losses come from probabilities that were cut.
        rows: what rows with equal losses are, ``COPIES`` or ``PEOPLE``; None until somebody said it.
    """

    methods: Collection[Method] = METHODS
    delta: float | None = None
    level: float = LEVEL
    scale: LossScale | None = None
    cut: int = 0
    rows: str | None = None


@dataclass(frozen=True, eq=False)
class WarehouseAudit:
    """What was found.

    Attributes:
        found: the estimates by method; the confidence bound is always there.
        refused: methods that these losses do not allow, and why.
        verdicts: what the estimates are worth.
        at_most: upper end of the interval that holds the empirical estimate; its value where nothing was rounded.
        summary: moments and bins behind them.
        delta: the delta of all of them.
        membership: which label means training data, and why.
        dropped: rows left out, by the reason.
        passes: how often the table was read.
        notes: what was done about rows that belong together, a sentence each.
        doubts: what looks like dependence, and was left alone.
    """

    found: Mapping[Method, EpsilonStar]
    refused: Mapping[Method, str]
    verdicts: Mapping[Method, EstimateVerdict]
    at_most: float
    summary: Summary
    delta: float
    membership: Membership
    dropped: Mapping[str, int]
    passes: int
    notes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()


def audit(
    engine: Engine,
    rows: Table,
    wish: Wish | None = None,
    member: str | None = None,
    drop: bool = False,
    progress: Callable[[str], object] = lambda _: None,
    column: str = "label",
) -> WarehouseAudit:
    """Epsilon* of rows (loss, label), as ``columns`` makes them.

    Args:
        engine: the Ibis backend that holds them.
        rows: the table.
        wish: what is to be computed; all methods by default.
        member: the label of members; found where the labels or the column's name say so.
        drop: leave out rows without a finite loss or without a label, instead of stopping there.
        progress: told what each pass does.
        column: the name that the labels' column has in the table.

    Raises:
        TableError: the labels are not two, rows cannot be used, or the engine refuses.
        ValueError: groups are too small, all losses are the same, or a setting is out of its range.
    """
    progress("counting rows")
    told, train, population, dropped = groups(passes.labels(engine, rows), column, member, drop)
    transform, refusal = _transform(wish := wish or Wish(), *pooled(train, population))
    delta = default_delta(train.size) if wish.delta is None else wish.delta
    known, is_small = passes.usable(rows, str(train.label)), train.size + population.size <= _FEW
    progress("every loss" if is_small else "moments and histogram")
    if is_small:
        bins, count = passes.every_loss(engine, known), 2
        if (bins.train.sum(), bins.population.sum()) != (train.size, population.size):
            raise TableError(*_CHANGED)
        summary = Summary.of_single_losses(bins, transform)
    else:
        moments, bins = passes.moments_and_bins(engine, known, (train, population), transform)
        summary, count = Summary(*moments, bins, transform.scale), 3
    copies, told_of, doubts = noticed(engine, known, bins)
    if copies and wish.rows is None:
        raise TableError(told_of, f"Say what such rows are: {ROWS}")
    if copies and wish.rows == COPIES:
        progress("again, with copies counted once")
        both = {"training data": str(train.label), "fresh data": str(population.label)}
        once = counted_once(rows, {both[name]: one.times for name, one in copies.items()})
        found = audit(engine, once, replace(wish, rows=PEOPLE), member, drop, progress, column)
        return replace(found, notes=(f"{told_of} They are copies, as was said: each counts once.",), dropped=dropped)
    notes = (f"{told_of} Each row is {PEOPLE}, as was said.",) if copies else ()
    if not is_small:
        bins, further = _settled(engine, known, bins, wish, delta, progress)
        summary, count = replace(summary, bins=bins), count + further
        if Method.PARAMETRIC in wish.methods and not refusal:  # counted for the test of normal laws
            summary, count = replace(summary, scores=passes.scores_counted(engine, known, transform)), count + 1
    estimates = _estimates(summary, wish, delta, refusal)
    return WarehouseAudit(*estimates, summary, delta, told, dropped, count, notes, doubts)


def _transform(wish: Wish, low: float, high: float) -> tuple[Transform, str]:
    """The transform of the scores, and why there is no fit to them; moments of no use are made on the paper's scale."""
    try:
        if wish.scale is None:
            raise ValueError(_NOT_SAID)
        return Transform(wish.scale, low, high), ""
    except ValueError as refusal:
        return Transform(LossScale.PRINTED, low, high), str(refusal)


def _settled(
    engine: Engine, rows: Table, bins: LossBins, wish: Wish, delta: float, progress: Callable[[str], object]
) -> tuple[LossBins, int]:
    """The bins refined until nothing that matters is hidden in them, and the number of passes that took."""
    for done in range(_MOST_PASSES):
        wanted = wanted_for_bound(bins) | wanted_for_attack(bins, wish.level)
        if Method.EMPIRICAL in wish.methods:
            wanted = wanted | wanted_for_counts(bins, delta, EMPIRICAL_CLIP)
        if not wanted.any():
            return bins, done
        runs = passes.runs_of(bins, wanted)
        inside = np.any([(bins.lowest >= run.low) & (bins.highest <= run.high) for run in runs], axis=0)
        coarse = bins.among(inside)
        losses = int((coarse.train + coarse.population).sum())
        progress(f"a closer look at {losses:,} losses")
        look = passes.single_losses if losses <= _FEW else passes.finer_bins
        try:
            bins = bins.refined(inside, look(engine, rows, runs))
        except ValueError as changed:
            raise TableError(*_CHANGED, str(changed)) from None
    return bins, _MOST_PASSES


def _estimates(
    summary: Summary, wish: Wish, delta: float, no_fit: str
) -> tuple[Mapping[Method, EpsilonStar], Mapping[Method, str], Mapping[Method, EstimateVerdict], float]:
    """The bound, all wanted estimates, why some are missing (``no_fit`` for a fit), and what they are worth.

    Labels are not shuffled in an engine.
    """
    check(delta, None)
    found, refused, at_most = {Method.CONFIDENCE: confident(summary, delta, wish.level)}, {}, np.nan
    if Method.EMPIRICAL in wish.methods:
        counting = empirical(summary, delta, EMPIRICAL_CLIP)
        found[Method.EMPIRICAL], at_most = counting.found, counting.at_most
    if Method.PARAMETRIC in wish.methods:
        try:
            if no_fit:
                raise ValueError(no_fit)
            found[Method.PARAMETRIC] = parametric(summary, delta, None)
        except ValueError as refusal:
            refused[Method.PARAMETRIC] = str(refusal)
    bound = found[Method.CONFIDENCE].confidence
    shape = shape_of_counts(summary) if Method.PARAMETRIC in found else None
    if shape is not None:
        shape = replace(shape, cut=shape.cut + wish.cut / (summary.train.size + summary.population.size))
    assert bound is not None
    verdicts = {method: verdict_of(one, bound, shape, None) for method, one in found.items() if one.confidence is None}
    return MappingProxyType(found), MappingProxyType(refused), MappingProxyType(verdicts), at_most
