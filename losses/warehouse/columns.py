"""Which columns of an engine's table hold the losses and the memberships: named, or guessed as for uploaded files."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module

from losses import columns
from losses.columns import Sketch
from losses.errors import TableError, listed, quoted
from losses.layout import MISSING
from losses.names import names_clusters, names_models
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
) -> tuple[Table, LossColumns]:
    """Columns ``loss`` (float; null where a cell is no number) and ``label`` (text) of a table that holds both groups.

    With ``written``, the losses as text, and with columns that may say that rows belong together, by ``LossColumns``;
    where there is a column of persons, ``person`` (text) too. Of a table that is small (``is_small``) all columns are
    looked at.

    Raises TableError when a column is not there, or when it is not named and there is not just one candidate.
    """
    sketches = _sketches(engine, table)
    loss = _loss_column(sketches, loss)
    membership = _membership_column(sketches, membership, loss)
    label = table[membership].cast("string").strip().nullif("")
    others, unseen = _others(sketches, {loss, membership, person}, is_small)
    rows = table.select(
        loss=_number(table, loss),
        written=_text(table, loss),
        label=label,
        **_person(table, person),
        **{key: _text(table, name) for key, name in others.items()},
    )
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
    parts = [
        table.select(
            loss=_number(table, name),
            written=_text(table, name),
            label=ibis().literal(label),
            **_person(table, person),
            **{key: _text(table, other) for key, other in others.items()},
        )
        for table, name, label in zip((train, population), names, (TRAIN, POPULATION), strict=True)
    ]
    return parts[0].union(parts[1]), LossColumns(" and ".join(dict.fromkeys(names)), None, others, unseen)


def _others(
    sketches: Collection[Sketch], taken: Collection[str | None], is_small: bool
) -> tuple[dict[str, str], tuple[str, ...]]:
    """Columns whose values may be shared by rows, by the names that queries give them; and those left alone.

    Of a large table, these are all beyond a number, and numbers with fractions that nearly all differ in its first
    rows: mostly measurements, each of which takes an engine long.
    """
    found = [one for one in sketches if one.name not in taken and one.cells]
    found.sort(key=lambda one: (_is_measured(one), not (names_clusters(one.name) or names_models(one.name))))
    looked_at = found if is_small else [one for one in found if not _is_measured(one)][:_MOST_OTHERS]
    left = tuple(one.name for one in found if one not in looked_at)
    return {f"c{place}": one.name for place, one in enumerate(looked_at)}, left


def _is_measured(one: Sketch) -> bool:
    return one.may_be_numbers and one.has_fractions and len(one.cells) > _PROBED // 2


def _text(table: Table, name: str) -> Expression:
    return table[name].cast("string").strip().nullif("")


def _person(table: Table, name: str | None) -> dict[str, Expression]:
    return {} if name is None else {"person": _text(table, name)}


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
    found = (rows.column(name).to_pylist() for name in names)
    return tuple(
        _sketch(place, name, [cell for cell in cells if cell is not None], kinds[name].is_numeric())
        for place, (name, cells) in enumerate(zip(names, found, strict=True))
    )


def _sketch(place: int, name: str, cells: list[str], is_numeric: bool) -> Sketch:
    filled = [cell.strip() for cell in cells if cell.strip() not in MISSING]
    numbers = filled if is_numeric else [cell for cell in filled if _is_number(cell)]
    found = Sketch.of(place, name, filled, numbers)
    return found if filled else replace(found, numeric=float(is_numeric))


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _there(sketches: tuple[Sketch, ...], name: str) -> str:
    names = [one.name for one in sketches]
    if name not in names:
        raise TableError(f"There is no column {quoted(name)}.", f"There are {listed(names, 20)}.")
    return name


def _loss_column(sketches: tuple[Sketch, ...], name: str | None) -> str:
    if name is not None:
        return _there(sketches, name)
    numbers, _ = columns.chosen(sketches)
    columns.refuse_other_numbers(numbers)
    told = columns.clear_number(numbers)
    if told is None:
        raise refuse_several([one.name for one in numbers])
    return told


def _membership_column(sketches: tuple[Sketch, ...], name: str | None, loss: str) -> str:
    if name is not None:
        return _there(sketches, name)
    candidates = [one for one in sketches if one.may_be_labels and one.name != loss and one.likely_membership > 0]
    if len(candidates) == 1:
        return candidates[0].name
    remedy = "Name it: --membership COLUMN. Or give fresh data as a second source: --population SOURCE."
    if not candidates:
        raise TableError("No column tells members from outsiders.", remedy)
    names = listed([one.name for one in candidates])
    raise TableError("Several columns may tell members from outsiders.", remedy, f"They are {names}.")
