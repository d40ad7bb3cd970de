"""Which columns of an engine's table hold the losses and the memberships: named, or guessed as for uploaded files."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module

from losses import recognise_columns
from losses.errors import TableError, listed, quoted
from losses.layout import MISSING, NUMBER
from losses.names import names_clusters, names_models
from losses.recognise_columns import Sketch
from losses.row_questions import refuse_several
from losses.warehouse.engines import Engine, Expression, Table, ibis, refusals

_PROBED = 1000  # rows
_MOST_OTHERS = 40
_NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"  # where an engine makes 0 of any text
TRAIN, POPULATION = "train", "population"


@dataclass(frozen=True)
class LossColumns:
    """The columns that were taken.

    Attributes:
        loss: with the losses.
        membership: None where each group is a table of its own.
        others: those whose values rows may share, by the names that they have beside the losses.
        unseen: more of them, which were not looked at.
    """

    loss: str
    membership: str | None = None
    others: Mapping[str, str] = field(default_factory=dict, compare=False)
    unseen: tuple[str, ...] = field(default=(), compare=False)


def labelled_losses(
    engine: Engine,
    table: Table,
    loss: str | None = None,
    membership: str | None = None,
    person: str | None = None,
    is_small: bool = False,
    taken: Collection[str] = (),
) -> tuple[Table, LossColumns]:
    """Columns ``loss`` (float; null where a cell is no number) and ``label`` (text) of a table that holds both groups.

    With ``written``, the losses as text, and with columns that may say that rows belong together, by ``LossColumns``;
    where there is a column of persons, ``person`` (text) too. Of a table that is small (``is_small``) all columns are
    looked at. Columns that have another role (``taken``) are not guessed to tell members from outsiders.

    Raises TableError when a column is not there, or when it is not named and there is not just one candidate.
    """
    sketches = _sketches(engine, table)
    loss = _loss_column(sketches, loss)
    membership = _membership_column(sketches, membership, {loss, *taken})
    others, unseen = _others(sketches, {loss, membership, person}, is_small)
    rows = _selected(table, loss, text_of(table, membership), person, others)
    return rows, LossColumns(loss, membership, others, unseen)


def two_tables(
    engine: Engine,
    train: Table,
    population: Table,
    loss: str | None = None,
    person: str | None = None,
    is_small: bool = False,
) -> tuple[Table, LossColumns]:
    """The same for two tables, one a group; the labels are "train" and "population".

    Raises TableError as ``labelled_losses`` does.
    """
    sketches = [_sketches(engine, table) for table in (train, population)]
    names = [_loss_column(found, loss) for found in sketches]
    shared = set(train.columns) & set(population.columns)
    both = tuple(one for one in sketches[0] if one.name in shared)
    others, unseen = _others(both, {*names, person}, is_small)
    first, second = (
        _selected(table, name, ibis().literal(label), person, others)
        for table, name, label in zip((train, population), names, (TRAIN, POPULATION), strict=True)
    )
    return first.union(second), LossColumns(" and ".join(dict.fromkeys(names)), None, others, unseen)


def _selected(table: Table, loss: str, label: Expression, person: str | None, others: Mapping[str, str]) -> Table:
    """The columns of a table by the names that queries give them."""
    named = {**({} if person is None else {"person": person}), **others}
    return table.select(
        loss=_number(table, loss),
        written=text_of(table, loss),
        label=label,
        **{key: text_of(table, name) for key, name in named.items()},
    )


def _others(
    sketches: Collection[Sketch], taken: Collection[str | None], is_small: bool
) -> tuple[dict[str, str], tuple[str, ...]]:
    """Columns whose values may be shared by rows, by the names that queries give them; and those left alone.

    Of a large table, these are all beyond a number, and numbers with fractions that nearly all differ in its first
    rows: mostly measurements, each of which takes an engine long.
    """
    found = [one for one in sketches if one.name not in taken and one.cells]
    measured = [one for one in found if one.may_be_numbers and one.has_fractions and len(one.cells) > _PROBED // 2]
    found.sort(key=lambda one: (one in measured, not (names_clusters(one.name) or names_models(one.name))))
    looked_at = found if is_small else [one for one in found if one not in measured][:_MOST_OTHERS]
    left = tuple(one.name for one in found if one not in looked_at)
    return {f"c{place}": one.name for place, one in enumerate(looked_at)}, left


def text_of(table: Table, name: str) -> Expression:
    """The cells of a column as text; null where they are blank."""
    return table[name].cast("string").strip().nullif("")


def _number(table: Table, name: str) -> Expression:
    column = table[name]
    if column.type().is_numeric():
        return column.cast("float64")
    text = column.cast("string")
    if _tries(table, text):  # some engines take underscores between digits
        return ibis().ifelse(text.contains("_"), ibis().null("float64"), text.try_cast("float64"))
    return ibis().ifelse(text.strip().re_search(_NUMBER), text.strip().cast("float64"), ibis().null("float64"))


def _tries(table: Table, text: Expression) -> bool:
    """Whether the engine makes null of a text that is no number; PostgreSQL's dialect has a plain cast in its place."""
    engine = table.get_backend()
    if not engine.has_operation(import_module("ibis.expr.operations").TryCast):
        return False
    return "TRY_CAST" in str(engine.compile(table.select(tried=text.try_cast("float64")))).upper()


def _sketches(engine: Engine, table: Table) -> tuple[Sketch, ...]:
    """What the first rows show of the columns that hold numbers, texts or yes and no."""
    kinds = table.schema()
    names = [name for name, kind in kinds.items() if kind.is_numeric() or kind.is_string() or kind.is_boolean()]
    if not names:
        raise TableError("No column holds numbers.", "Losses must be plain numbers, one in a row.")
    with refusals("show the first rows"):
        rows = engine.to_pyarrow(table.select(**{name: table[name].cast("string") for name in names}).limit(_PROBED))
    found = []
    for place, name in enumerate(names):
        cells = [cell.strip() for cell in rows.column(name).to_pylist() if cell is not None]
        filled, is_numeric = [cell for cell in cells if cell not in MISSING], kinds[name].is_numeric()
        numbers = filled if is_numeric else [cell for cell in filled if NUMBER.fullmatch(cell)]
        one = Sketch.of(place, name, filled, numbers)
        found.append(one if filled else replace(one, numeric=float(is_numeric)))
    return tuple(found)


def _there(sketches: tuple[Sketch, ...], name: str) -> str:
    names = [one.name for one in sketches]
    if name not in names:
        raise TableError(f"There is no column {quoted(name)}.", f"There are {listed(names, 20)}.")
    return name


def _loss_column(sketches: tuple[Sketch, ...], name: str | None) -> str:
    if name is not None:
        return _there(sketches, name)
    numbers, _ = recognise_columns.chosen(sketches)
    recognise_columns.refuse_other_numbers(numbers)
    told = recognise_columns.clear_number(numbers)
    if told is None:
        raise refuse_several([one.name for one in numbers])
    return told


def _membership_column(sketches: tuple[Sketch, ...], name: str | None, taken: Collection[str]) -> str:
    if name is not None:
        return _there(sketches, name)
    candidates = [one for one in sketches if one.may_be_labels and one.name not in taken and one.likely_membership > 0]
    if len(candidates) == 1:
        return candidates[0].name
    remedy = "Name it: --membership COLUMN. Or give fresh data as a second source: --population SOURCE."
    if not candidates:
        there = f"There are {listed([one.name for one in sketches])}."
        raise TableError("No column tells members from outsiders.", remedy, there)
    names = listed([one.name for one in candidates])
    raise TableError("Several columns may tell members from outsiders.", remedy, f"They are {names}.")
