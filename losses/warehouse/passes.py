"""The passes over a table: a few aggregates each, written once for all engines; no pass sorts, none returns rows.

Bins are what floor makes of a place in a range. Rounding cannot bring two losses out of order, so bins never overlap,
and each is known by the smallest and the largest loss in it, whatever the engine rounds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from losses.warehouse.engines import Engine, Expression, Table, ibis, refusals
from numerics.epsilon_star import LossScale, Transform
from numerics.epsilon_star.aggregates import LossBins, Moments, ScoreCounts
from numerics.epsilon_star.scores import NATS, SMALLEST
from numerics.trade_off import Floats

# What the passes ask of a loss, as an expression that every engine understands: its score, and its bin.


LARGEST = float(np.finfo(float).max)
_SERIES = 1e-2  # nats: below, a series with an error of 4e-12 of the score; above, 1 - e^-x keeps 14 digits


class LossRange(NamedTuple):
    """Losses from ``low`` to ``high``, both included."""

    low: float
    high: float


def is_finite(loss: Expression) -> Expression:
    """Null for null; no engine says that NaN is at most the largest float, whether it compares it or sorts it last."""
    return (loss >= number(-LARGEST)) & (loss <= number(LARGEST))


def one_where(said: Expression) -> Expression:
    """1 where something is true, 0 where it is not or nobody knows; PostgreSQL makes no number of yes and no."""
    return ibis().ifelse(said, ibis().literal(1, "int64"), ibis().literal(0, "int64"))


def number(value: float) -> Expression:
    """A number as the engine reads it from text: the very float, where a literal may pass through decimals."""
    return ibis().literal(repr(float(value))).cast("float64")


def _unit(loss: Expression, within: LossRange) -> Expression:
    """The place of a loss in a range, from 0 to 1; halves, as the range of the largest floats would overflow."""
    half = max(0.5 * within.high - 0.5 * within.low, float(np.finfo(float).smallest_subnormal))
    return (loss * number(0.5) - number(0.5 * within.low)) / number(half)


def bin_of(loss: Expression, runs: Sequence[LossRange], bins: int) -> Expression:
    """Number of the bin, ``bins`` in each run; null between runs. A search tree of comparisons, one leaf a run."""
    return bin_in_tree(loss, list(enumerate(runs)), bins)


def bin_in_tree(
    loss: Expression, numbered: list[tuple[int, LossRange]], bins: int, everything: bool = False
) -> Expression:
    """As ``bin_of``, of the runs by their numbers; with ``everything``, of whatever lies outside the nearest bin."""
    if len(numbered) > 1:
        middle = len(numbered) // 2
        left, right = (bin_in_tree(loss, part, bins) for part in (numbered[:middle], numbered[middle:]))
        return ibis().ifelse(loss < number(numbered[middle][1].low), left, right)
    ((place, run),) = numbered
    within = (_unit(loss, run) * number(bins)).floor().cast("int64").clip(lower=0, upper=bins - 1)
    if everything:  # an engine's rounding may put a score a bit beyond the range
        return within + place * bins
    inside = (loss >= number(run.low)) & (loss <= number(run.high))
    return ibis().ifelse(inside, within + place * bins, ibis().null("int64"))


def score_of(loss: Expression, transform: Transform) -> Expression:
    """The score of a loss, as ``Transform.scores`` has it; engines have no expm1, so small losses go by a series."""
    one = number(1.0)
    if transform.scale is LossScale.LOG_ODDS:
        return loss
    if transform.scale is LossScale.PRINTED:
        return ((_unit(loss, LossRange(transform.lowest, transform.highest)) + one).exp() - one).ln()
    nats = loss * number(NATS[transform.scale])
    nats = ibis().ifelse(nats < number(SMALLEST), number(SMALLEST), nats)
    half = nats * number(0.5)
    near = nats.ln() + half + half * half / number(6.0)
    return ibis().ifelse(nats < number(_SERIES), near, nats + (one - (number(0.0) - nats).exp()).ln())


BINS = 1 << 16
_MOST_RUNS = 64  # ranges refined in one pass; each is an arm of the query
_MOST_CUT = 5  # of these runs, each in seven parts
_MOST_LABELS = 21
_ENDS = ("cut", "at_lowest", "at_highest")
_SUMS = ("first", "second", *_ENDS)
_NEAR = (1e-12, 1e-8, 1e-4)  # shares of a run that are cut off at both of its ends


@dataclass(frozen=True)
class Label:
    """What the first pass finds for one label; None is the blank one.

    Attributes:
        rows: how many rows have it.
        missing, not_finite: rows among them without a usable loss, by the reason.
        range: of the usable losses; None without any.
        mean: of the usable losses.
    """

    label: str | None
    rows: int
    missing: int
    not_finite: int
    range: LossRange | None
    mean: float

    @property
    def size(self) -> int:
        """How many usable losses there are."""
        return self.rows - self.missing - self.not_finite


def _asked(engine: Engine, expression: Expression) -> pa.Table:
    with refusals("count the losses"):
        return engine.to_pyarrow(expression)


def labels(engine: Engine, rows: Table) -> list[Label]:
    """First pass over rows (loss, label): what each label has; at most 21 of them."""
    finite = is_finite(rows.loss)
    found = rows.group_by(rows.label).aggregate(
        rows=rows.count(),
        missing=one_where(rows.loss.isnull()).sum(),
        finite=one_where(finite).sum(),
        low=rows.loss.min(where=finite),
        high=rows.loss.max(where=finite),
        mean=rows.loss.mean(where=finite),
    )
    each = list[Label]()
    for row in _asked(engine, found.limit(_MOST_LABELS)).to_pylist():
        count, missing, usable_ones = (int(row[name]) for name in ("rows", "missing", "finite"))
        label = None if row["label"] is None else str(row["label"])
        within, mean = None, 0.0
        if row["low"] is not None:
            within = LossRange(float(row["low"]), float(row["high"]))
            mean = float(np.clip(row["mean"], *within))  # of the largest floats the sum overflows
        each.append(Label(label, count, missing, count - missing - usable_ones, within, mean))
    return each


def usable(rows: Table, member: str) -> Table:
    """Rows (loss, member), member being 1 or 0, that can be used."""
    known = rows.filter(rows.label.notnull() & is_finite(rows.loss))
    return known.select("loss", member=one_where(known.label == member))


def moments_and_bins(
    engine: Engine, rows: Table, groups: Sequence[Label], transform: Transform
) -> tuple[tuple[Moments, Moments], LossBins]:
    """Second pass: moments of both groups' scores (train, population), and even bins over the pooled range.

    Sums are centred at the score of the group's mean loss, near the mean score, and made bin by bin; in halves of the
    scores' range, as squares of the largest floats would overflow.
    """
    low, high = map(float, transform.scores(np.array([transform.lowest, transform.highest])))
    half = max(0.5 * high - 0.5 * low, float(np.finfo(float).tiny))
    centres = [float(transform.scores(np.array([group.mean]))[0]) for group in groups]
    centre = ibis().ifelse(rows.member == 1, number(0.5 * centres[0]), number(0.5 * centres[1]))
    away = (score_of(rows.loss, transform) * number(0.5) - centre) / number(half)
    pooled = LossRange(transform.lowest, transform.highest)
    keyed = rows.mutate(bin=bin_of(rows.loss, [pooled], BINS), away=away, **_ends(rows, groups, transform))
    counted = _asked(
        engine,
        _counts(
            keyed,
            first=keyed.away.sum(),
            second=(keyed.away * keyed.away).sum(),
            **{name: keyed[name].sum() for name in _ENDS},
        ),
    )
    member = _column(counted, "member") == 1.0
    found = tuple(
        _moments(group, centre, 2.0 * half, {name: _column(counted, name)[member == is_train] for name in _SUMS})
        for group, centre, is_train in zip(groups, centres, (True, False), strict=True)
    )
    return (found[0], found[1]), _bins(counted)


def _ends(rows: Table, groups: Sequence[Label], transform: Transform) -> dict[str, Expression]:
    """1 for losses that are cut, for a group's smallest loss, and for its largest; else 0."""
    ranges = [group.range or LossRange(0.0, 0.0) for group in groups]
    low, high = (ibis().ifelse(rows.member == 1, *(number(end) for end in ends)) for ends in zip(*ranges, strict=True))
    per_loss = NATS.get(transform.scale)
    cut = rows.loss < number(-LARGEST if per_loss is None else SMALLEST / per_loss)
    return {name: one_where(said) for name, said in zip(_ENDS, (cut, rows.loss == low, rows.loss == high), strict=True)}


def _moments(group: Label, centre: float, unit: float, sums: dict[str, Floats]) -> Moments:
    assert group.range is not None
    shift = float(np.sum(np.sort(sums["first"]))) / group.size
    variance = max(float(np.sum(sums["second"])) / group.size - shift * shift, 0.0)
    cut, *tied = (int(sums[name].sum()) for name in _ENDS)
    return Moments(
        group.size,
        *group.range,
        mean=centre + shift * unit,
        variance=variance * unit * unit,
        cut=cut,
        tied=max((count for count in tied if count > 1), default=0) / group.size,
    )


def scores_counted(engine: Engine, rows: Table, transform: Transform) -> ScoreCounts:
    """A pass for the test of normality: even bins of scores."""
    low, high = (float(end) for end in transform.scores(np.array([transform.lowest, transform.highest])))
    scored = rows.mutate(score=score_of(rows.loss, transform))
    keyed = scored.mutate(bin=bin_in_tree(scored.score, [(0, LossRange(low, high))], BINS, everything=True))
    counted = _asked(engine, keyed.group_by(keyed.member, keyed.bin).aggregate(n=keyed.count()))
    place, member = _column(counted, "bin").astype(int), _column(counted, "member") == 1.0
    n = _column(counted, "n")
    members, outsiders = (np.bincount(place, n * chosen, BINS).astype(float) for chosen in (member, ~member))
    return ScoreCounts(np.linspace(low, high, BINS + 1), members, outsiders)


def finer_bins(engine: Engine, rows: Table, runs: Sequence[LossRange]) -> LossBins:
    """A further pass: even bins inside of each run of losses, and of its parts where it spans many magnitudes.

    Those runs are cut near both ends: losses of models that know their data crowd there over many orders of magnitude.
    """

    def magnitudes(run: LossRange) -> float:
        """How many times the loss nearer to 0 goes into the other; inf where 0 is between."""
        near, far = sorted((abs(run.low), abs(run.high)))
        return far / near if run.low * run.high > 0.0 else np.inf

    shares = [*_NEAR, *(1.0 - near for near in reversed(_NEAR))]
    parts = list[LossRange]()
    widest = sorted(runs, key=magnitudes)[-_MOST_CUT:]
    for run in runs:
        cuts = [run.low + share * (0.5 * run.high - 0.5 * run.low) * 2.0 for share in shares if run in widest]
        ends = sorted({run.low, run.high, *(cut for cut in cuts if run.low < cut < run.high)})
        parts += [LossRange(low, high) for low, high in pairwise(ends)] if len(ends) > 1 else [run]
    keyed = rows.mutate(bin=bin_of(rows.loss, parts, BINS // len(parts)))
    return _bins(_asked(engine, _counts(keyed.filter(keyed.bin.notnull()))))


def single_losses(engine: Engine, rows: Table, runs: Sequence[LossRange]) -> LossBins:
    """The last pass: every different loss inside of the runs, counted."""
    keyed = rows.mutate(bin=bin_of(rows.loss, runs, 1))
    return every_loss(engine, keyed.filter(keyed.bin.notnull()))


def every_loss(engine: Engine, rows: Table) -> LossBins:
    """In the place of all further passes over a small table: every different loss, counted."""
    counted = rows.group_by(rows.member, low=rows.loss).aggregate(n=rows.count())
    return _bins(_asked(engine, counted.mutate(high=counted.low)))


def _counts(keyed: Table, **more: Expression) -> Expression:
    return keyed.group_by(keyed.member, keyed.bin).aggregate(
        n=keyed.count(), low=keyed.loss.min(), high=keyed.loss.max(), **more
    )


def _column(counted: pa.Table, name: str) -> Floats:
    return np.asarray(counted.column(name).to_numpy(), dtype=float)


def _bins(counted: pa.Table) -> LossBins:
    """Bins of both groups together: those of one number are one bin."""
    n, member = _column(counted, "n"), _column(counted, "member") == 1.0
    low, high = _column(counted, "low"), _column(counted, "high")
    key = _column(counted, "bin") if "bin" in counted.column_names else low
    _, place = np.unique(key, return_inverse=True)
    size = int(place.max()) + 1
    lowest, highest = np.full(size, np.inf), np.full(size, -np.inf)
    np.minimum.at(lowest, place, low)
    np.maximum.at(highest, place, high)
    members, outsiders = (np.bincount(place, n * chosen, size).astype(float) for chosen in (member, ~member))
    return LossBins.of(lowest, highest, members, outsiders)


def runs_of(bins: LossBins, wanted: np.ndarray) -> list[LossRange]:
    """Ranges that cover the wanted bins (b,): neighbours together, and across the fewest losses until they are few."""
    places = np.flatnonzero(wanted)
    total = np.cumsum(bins.train + bins.population)
    between = total[places[1:] - 1] - total[places[:-1]]  # losses in the bins between two wanted ones
    apart = np.flatnonzero(between > 0.0)
    if len(apart) >= _MOST_RUNS:
        apart = np.sort(apart[np.argsort(-between[apart], kind="stable")][: _MOST_RUNS - 1])
    first, last = np.concatenate([[0], apart + 1]), np.concatenate([apart, [len(places) - 1]])
    pairs = zip(bins.lowest[places[first]], bins.highest[places[last]], strict=True)
    return [LossRange(float(low), float(high)) for low, high in pairs]
