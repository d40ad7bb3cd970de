"""A sweep: strategies to protect a model, each trained in several runs, with the utility and the privacy of every run.

A strategy is what the rows of its runs share: the cell that names it and its hyperparameters.
"""

from dataclasses import dataclass, replace

import numpy as np

from losses.errors import TableError, counted, quoted, visible
from losses.layout import NOTHING, KnownLayout
from losses.reading import read_table
from losses.recognise_columns import ColumnCandidates, Sketch, first_cells
from losses.sweeps.roles import MOST_STRATEGIES, Rows, SweepRoles, codes_of, paired, repeats
from losses.table import LossTable, NumberColumn
from numerics.pareto import Averages, averages
from numerics.trade_off import Floats

MOST_ROWS = 1_000_000
MOST_SWEEP_COLUMNS = 200
_LONGEST_CELL = 80
_LARGEST = 1e100  # of a utility or privacy: a figure needs room for differences and products


@dataclass(frozen=True, eq=False)
class Sweep:
    """The strategies of a sweep in the order of their first rows; m of them.

    Attributes:
        kinds: what the column of strategies says of each, (m,); empty where there is none.
        settings: hyperparameters by their names, each as text, (m,); blank where a strategy has none.
        first_row: of each strategy, counted from 1, (m,).
        runs: how many each has, (m,).
        utility: of the runs of each.
        privacy: of the runs of each.
        dropped: rows that were left out.
        repeated: strategies in which a run occurs twice.
    """

    kinds: tuple[str, ...]
    settings: dict[str, tuple[str, ...]]
    first_row: Rows
    runs: Rows
    utility: Averages
    privacy: Averages
    dropped: int
    repeated: int

    def __len__(self) -> int:
        return len(self.runs)

    @property
    def names(self) -> tuple[str, ...]:
        """A name for each strategy, (m,): its kind and the hyperparameters it has."""
        told = {name: cells for name, cells in self.settings.items() if len(set(cells)) > 1}
        found = list[str]()
        for place in range(len(self)):
            kind = [self.kinds[place]] if self.kinds and self.kinds[place] else []
            parts = kind + [f"{name} {cells[place]}" for name, cells in told.items() if cells[place]]
            found.append(", ".join(parts) or f"row {self.first_row[place]:,}")
        return tuple(found)


def read_sweep(data: bytes, known: KnownLayout = NOTHING) -> LossTable:
    """Read a sweep's table as loss tables are read; all columns are kept, in their order.

    Args:
        data: the file's bytes.
        known: what of a text table's layout need not be found.

    Raises:
        TableError: the file cannot be read as a table with two columns of numbers, or is too large.
    """
    table = read_table(data, known=known, choose=_chosen, most_labels=MOST_STRATEGIES + 1)
    if table.rows > MOST_ROWS:
        what = f"The sweep has {table.rows:,} rows; at most {MOST_ROWS:,} are read."
        raise TableError(what, "Keep a row for every run, or one for every strategy.")
    return table


def _chosen(found: tuple[Sketch, ...]) -> ColumnCandidates:
    numbers = [one for one in found if one.may_be_numbers]
    if len(numbers) < 2:
        have = "No column holds" if not numbers else f"Only the column {quoted(numbers[0].name)} holds"
        raise TableError(
            f"{have} numbers; a sweep needs two: one for utility, one for privacy.",
            "Write plain numbers such as 0.81 or 3e-4, without units; check the delimiter and the decimal mark.",
            first_cells(found),
        )
    if len(found) > MOST_SWEEP_COLUMNS:
        what = f"The sweep has {len(found):,} columns; at most {MOST_SWEEP_COLUMNS} are read."
        raise TableError(what, "Keep strategy, run, utility, privacy and the hyperparameters that matter.")
    return ColumnCandidates(numbers, [one for one in found if not one.may_be_numbers], [])


def sweep(table: LossTable, roles: SweepRoles, drop: bool = False) -> Sweep:
    """The strategies of a table: the runs of each put together.

    Args:
        table: what ``read_sweep`` found.
        roles: which columns hold what.
        drop: leave out rows without a usable utility or privacy, instead of stopping there.

    Raises:
        TableError: a column has two roles, cells cannot be used and ``drop`` is False, or strategies are too many.
    """
    _refuse_two_roles(roles)
    utility, privacy = table.number(roles.utility), table.number(roles.privacy)
    asked = _asked(table, roles)
    for column in (utility, privacy):
        _check(column, roles, asked, drop)
    usable = asked[np.isfinite(utility.values[asked]) & np.isfinite(privacy.values[asked])]
    if not len(usable):
        raise TableError("No row is left that can be used.", "Choose columns of numbers for utility and privacy.")
    codes, first = _strategies(table, roles, usable)
    bars: tuple[Floats, ...] = ()
    if roles.spread is not None:  # ends of each row's bar; blank cells have none
        half = np.nan_to_num(np.abs(table.number(roles.spread).values[usable]), nan=0.0, posinf=0.0)
        bars = utility.values[usable] - half, utility.values[usable] + half
    rows, named = usable[first], roles.hyperparameters
    if roles.levels and len(_strategies(table, replace(roles, levels=False), usable)[1]) < len(first):
        named = (*named, roles.privacy)  # it alone tells some of them apart
    repeated = 0
    if roles.run is not None:
        runs = codes_of(table, roles.run)[0][usable]
        repeated = len(np.unique(codes[repeats(codes, runs)]))  # something else tells their rows apart
    return Sweep(
        () if roles.strategy is None else tuple(cells(table, roles.strategy, rows)),
        {name: tuple(cells(table, name, rows)) for name in named},
        rows + 1,
        np.bincount(codes),
        averages(codes, utility.values[usable], *bars),
        averages(codes, privacy.values[usable]),
        len(asked) - len(usable),
        repeated,
    )


def _refuse_two_roles(roles: SweepRoles) -> None:
    chosen = {"utility": roles.utility, "privacy": roles.privacy, "strategy": roles.strategy, "run": roles.run}
    taken = dict[str, str]()
    for role, name in (chosen | {"the utility's ±": roles.spread}).items():
        if name in taken:
            what = f"The column {quoted(name)} is chosen twice: as {taken[name]} and as {role}."
            raise TableError(what, "Choose another column for one of them.")
        if name is not None:
            taken[name] = role


def _asked(table: LossTable, roles: SweepRoles) -> Rows:
    """The rows that are looked at."""
    if roles.only is None:
        return np.arange(table.rows)
    codes, words = codes_of(table, roles.only[0])
    if roles.only[1] not in words:
        what = f"The column {quoted(roles.only[0])} says {quoted(roles.only[1])} in no row."
        raise TableError(what, "Choose one of its cells.")
    return np.flatnonzero(codes == words.index(roles.only[1]))


def _check(column: NumberColumn, roles: SweepRoles, asked: Rows, drop: bool) -> None:
    """Refuse cells that are no numbers and are not to be left out, and numbers too large for any figure."""
    if roles.only is None:
        column.usable(drop)
    unusable = asked[~np.isfinite(column.values[asked])]
    if len(unusable) and not drop:
        raise TableError(
            f"The column {quoted(column.name)} has {counted(len(unusable), 'cell')} without a finite number.",
            "Mend them, or leave out the rows that cannot be used.",
            f"The first is in row {unusable[0] + 1:,}.",
        )
    huge = asked[np.abs(np.nan_to_num(column.values[asked], posinf=0.0, neginf=0.0)) > _LARGEST]
    if len(huge):
        what = f"The column {quoted(column.name)} has numbers beyond {_LARGEST:g}, which nothing can be weighed by."
        raise TableError(what, "Mend them, or choose another column.", f"The first is in row {huge[0] + 1:,}.")


def _strategies(table: LossTable, roles: SweepRoles, usable: Rows) -> tuple[Rows, Rows]:
    """The strategy of every usable row, and the places of their first rows."""
    if roles.each_row:
        codes = np.arange(len(usable))
    else:
        codes = np.zeros(len(usable), dtype=np.intp)
        for name in (roles.strategy, *roles.hyperparameters):
            if name is not None:
                codes = paired(codes, codes_of(table, name)[0][usable])
        if roles.levels:
            codes = paired(codes, codes_of(table, roles.privacy)[0][usable])
    first = np.unique(codes, return_index=True)[1]
    if len(first) > MOST_STRATEGIES:
        raise TableError(
            f"There are {len(first):,} different strategies; at most {MOST_STRATEGIES:,} are drawn.",
            "Choose fewer hyperparameters, or a column that names the strategies.",
        )
    return codes, first


def cells(table: LossTable, name: str, rows: Rows) -> list[str]:
    """What a column says in some rows, as text that fits a figure; blank where it says nothing.

    Raises TableError as ``codes_of``.
    """
    codes, words = codes_of(table, name)
    return [visible(words[code], _LONGEST_CELL) if code >= 0 else "" for code in codes[rows]]
