"""A file whose columns come whole, with names and values: what JSON, NumPy's files and workbooks have in common.

Each of those formats hands over its columns as Arrow arrays. Here they become one table: arrays of two groups are put
below each other, lists of one length become a column for each place, and what is no column of a table is left out by
name. Numbers that stand as text are numbers again, as in a text file.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from losses.errors import TableError, counted, listed, quoted
from losses.layout import A_ROW_EACH, MISSING, Layout, check_width, marks_of, names_of, refuse_ambiguous
from losses.recognise_columns import SAYS_IT, Sketch, sketches
from losses.training_labels import says_trained, without_group

UNITS = {pa.float16(): 2.0**-10, pa.float32(): 2.0**-23}
"""Spacing next to 1 of the numbers of a type, where it is not that of a float64."""
NOT_PLAIN = "Keep only plain columns: write each part as a column of its own."
_PROBE = 400  # rows, of the start, the middle and the end
_GROUP, _VALUE = "group", "value"
_ONE_TABLE = "Keep the columns of one table, with a cell for every record."
Columns = Mapping[str, pa.Array]


@dataclass(frozen=True, eq=False)
class ColumnsFile:
    """The columns of a file, by names that are fit to be shown.

    Attributes:
        columns: of numbers, yes or no, or text.
        layout: their names, what their text is like, and what the file is.
        sketches: of all of them.
    """

    columns: Mapping[str, pa.ChunkedArray]
    layout: Layout
    sketches: tuple[Sketch, ...]

    @classmethod
    def of(
        cls, found: Columns, form: str, has_header: bool = True, left: Sequence[str] = (), note: str = ""
    ) -> "ColumnsFile":
        """The table that columns are.

        Args:
            found: every column; lists of numbers may stand in the cells of one.
            form: what the file is, such as ``JSON``.
            has_header: whether the file names them.
            left: what else is in the file and was not read.
            note: what was decided to read it, a sentence.

        Raises:
            TableError: they are no table, there are too many, or a column that holds the losses is nested.
        """
        whole, words = _of_groups(found)
        whole, others = _of_one_length(whole)
        if not any(map(len, whole.values())):
            raise TableError("The file holds no rows.", A_ROW_EACH, note)
        names, plain, nested = _flat(whole)
        left = [*left, *others, *nested]
        told = [note, words, f"Not read, as no columns of the table: {listed(left)}." if left else ""]
        units = [UNITS.get(column.type) for column in plain]
        cells = dict(zip(names_of(tuple(names)), map(_in_cells, plain), strict=True))
        probe = _probe(cells)
        are_text = [pa.types.is_string(one.type) for one in cells.values()]
        texts = [[cell if is_text else "" for cell, is_text in zip(row, are_text, strict=True)] for row in probe]
        decimal, grouped = marks_of([cell for row in texts for cell in row], None)
        refuse_ambiguous(texts, decimal, grouped)
        form = f"{form}, {counted(len(plain), 'column')}"
        notes = tuple(filter(None, told))
        layout = Layout(",", decimal, grouped, tuple(cells), 0, has_header, probe, form=form, notes=notes)
        both = zip(sketches(layout), units, strict=True)
        return cls(cells, layout, tuple(one if unit is None else replace(one, unit=unit) for one, unit in both))

    def read(
        self, numbers: Sequence[Sketch], labels: Sequence[Sketch], clusters: Sequence[Sketch]
    ) -> Iterator[tuple[str, pa.ChunkedArray]]:
        """The columns by name."""
        for name in dict.fromkeys(one.name for one in (*numbers, *labels, *clusters)):
            yield name, self.columns[name]


def as_column(values: Sequence[Any]) -> pa.Array:
    """Values as a column: numbers, yes or no, or lists if all of them are; else as text, with all digits."""
    with suppress(pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError, UnicodeError):
        return pa.array(values)
    if any(isinstance(one, list | dict) for one in values):
        return pa.array([None if one is None else [] for one in values], pa.list_(pa.string()))  # of whatever kinds
    return pa.array([None if one is None else as_text(str(one)) for one in values], pa.string())


def as_text(text: str) -> str:
    """A text that can be written: half of a pair of surrogates becomes a question mark."""
    return text.encode("utf-8", "replace").decode()


def _of_groups(found: Columns) -> tuple[Columns, str]:
    """Columns that are all named for a group, such as ``logits_train`` and ``logits_test``, below each other.

    Columns of one length that are numbers stay beside each other: each pair may be a model.
    """
    sides: dict[bool, dict[str, str]] = {True: {}, False: {}}
    for name in found:
        side = says_trained(name, is_cell=True)
        if side is None:
            return found, ""
        sides[side][" ".join(filter(None, re.split(r"[\W_]+", without_group(name)))) or _VALUE] = name
    lengths = [{len(found[name]) for name in names.values()} for names in sides.values()]
    are_plain = len({len(one) for one in found.values()}) == 1 and not any(_is_list(one) for one in found.values())
    is_paired = sides[True].keys() == sides[False].keys() and len(sides[True]) + len(sides[False]) == len(found)
    if are_plain or not is_paired or any(len(one) != 1 for one in lengths):
        return found, ""
    together: dict[str, pa.Array] = {}
    for name, first in sides[True].items():
        try:
            both = [found[first], found[sides[False][name]]]
            together[name] = pa.concat_arrays([one.cast(both[0].type) for one in both])
        except pa.ArrowException:
            what = f"Columns {listed([first, sides[False][name]])} hold different kinds of cells."
            raise TableError(what, "Write both groups alike.") from None
    names = [next(iter(own.values())) for own in sides.values()]
    sizes = [next(iter(one)) for one in lengths]
    together[_GROUP if _GROUP not in together else f"{_GROUP} of the rows"] = pa.array(
        np.repeat(np.array(names, dtype=object), sizes)
    )
    return together, f"{listed(list(found))} are of two groups: their rows stand below each other."


def _of_one_length(found: Columns) -> tuple[Columns, list[str]]:
    """The columns that are a table, and the names of the others.

    Of columns of different lengths those are one among which a column tells two groups.
    """
    lengths = dict.fromkeys(len(one) for one in found.values())
    if len(lengths) < 2:
        return found, []
    tables = [[name for name, one in found.items() if len(one) == length] for length in lengths]
    told = [names for names in tables if len(names) > 1 and any(_tells_two(found[name]) for name in names)]
    if len(told) != 1:
        sizes = [f"{name}: {len(one):,}" for name, one in found.items()]
        raise TableError("The columns differ in length.", _ONE_TABLE, f"Their cells are {listed(sizes)}.")
    return {name: found[name] for name in told[0]}, [name for name in found if name not in told[0]]


def _tells_two(column: pa.Array) -> bool:
    return not pa.types.is_nested(column.type) and len(pc.unique(column.drop_null())) == 2


def _flat(found: Columns) -> tuple[list[str], list[pa.Array], list[str]]:
    """Names and plain columns, one for each place of lists of one length; and the names of columns that are nested."""
    names: list[str] = []
    plain: list[pa.Array] = []
    nested: list[str] = []
    for place, (name, column) in enumerate(found.items()):
        if _is_list(column) and (parts := _parts(column)) is not None:
            names += [f"{name}_{number}" if name else f"column {number + 1}" for number in range(len(parts))]
            plain += parts
        elif not pa.types.is_nested(column.type):
            names.append(name)
            plain.append(column)
        elif Sketch(place, name, 1.0, (), False).likely_losses >= SAYS_IT:
            kind = quoted(str(column.type))
            raise TableError(f"The column {quoted(name)} is nested: it holds {kind} in every row.", NOT_PLAIN)
        else:
            nested.append(name)
        check_width(len(plain))
    if not plain and nested:
        raise TableError(f"All columns are nested, such as {quoted(nested[0])}.", NOT_PLAIN)
    return names, plain, nested


def _is_list(column: pa.Array) -> bool:
    return bool(pa.types.is_fixed_size_list(column.type) or pa.types.is_list(column.type))


def _parts(column: pa.Array) -> list[pa.Array] | None:
    """A column for each place of the lists in the cells; None unless these hold as many numbers, or yes or no, each."""
    values = column.flatten()
    lengths = pc.unique(pc.list_value_length(column))
    if column.null_count or len(lengths) != 1 or not lengths[0].as_py():
        return None
    if not (pa.types.is_integer(values.type) or pa.types.is_floating(values.type) or pa.types.is_boolean(values.type)):
        return None
    cells = values.to_numpy(zero_copy_only=False).reshape(len(column), -1)
    check_width(cells.shape[1])
    return [pa.array(np.ascontiguousarray(cells[:, place]), from_pandas=True) for place in range(cells.shape[1])]


def _in_cells(column: pa.Array) -> pa.ChunkedArray:
    """A column of whole numbers, floats, yes or no, or text."""
    kind = column.type
    if pa.types.is_float16(kind):
        column = column.cast(pa.float64())
    elif not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)):
        column = column.cast(pa.string())
    return pa.chunked_array([column])


def _probe(cells: Mapping[str, pa.ChunkedArray]) -> tuple[tuple[str, ...], ...]:
    """Some rows as text, of the start, the middle and the end."""
    rows = len(next(iter(cells.values())))
    starts = sorted({0, max(0, rows // 2 - _PROBE // 2), max(0, rows - _PROBE)})
    places = np.unique(np.concatenate([np.arange(start, min(start + _PROBE, rows)) for start in starts]))
    columns = [column.take(pa.array(places)).cast(pa.string()).to_pylist() for column in cells.values()]
    return tuple(tuple(MISSING[0] if cell is None else cell for cell in row) for row in zip(*columns, strict=True))
