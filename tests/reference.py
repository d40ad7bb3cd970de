"""Reference values computed with 50 digits, and the values that a misprint would give.

``reference_values.json`` (PAPERS) is about what the five papers define, ``reference_values_practice.json`` (PRACTICE)
about what is run beyond them: batches, units, discrete and selection mechanisms, reports, final models. Both hold rows
of id, family, formula, source, params, value and role. Decimal strings stay strings until a test asks for the nearest
float. Role "oracle" is the right value; role "negative" is what a misprint or a wrong direction returns, so software
must not return it. Sources name the papers 000-004 (see the README).
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

PAPERS, PRACTICE = "reference_values.json", "reference_values_practice.json"


@dataclass(frozen=True)
class Reference:
    """One row; ``value`` and the numbers in ``params`` are decimal strings."""

    id: str
    family: str
    formula: str
    source: str
    params: dict[str, Any]
    value: str
    role: str
    computed: str

    @property
    def expected(self) -> float:
        """The reference value as the nearest float."""
        return float(self.value)

    @property
    def negative(self) -> bool:
        """True where the value is that of a misprint and must not be returned."""
        return self.role.startswith("negative")

    def number(self, name: str) -> float:
        """A parameter as the nearest float."""
        return float(self.params[name])

    def count(self, name: str) -> int:
        """A whole-number parameter."""
        return int(self.params[name])

    def text(self, name: str) -> str:
        """A parameter as written."""
        return str(self.params[name])


@cache
def every_row(file: str = PAPERS) -> tuple[Reference, ...]:
    """All rows, in the order of the file."""
    return tuple(Reference(**row) for row in json.loads(Path(__file__).with_name(file).read_text())["references"])


def rows(
    family: str = "", *, source: str = "", role: str = "oracle", prefix: str = "", file: str = PAPERS
) -> list[Reference]:
    """Rows of ``file`` whose family, source, role and id start with the given text.

    Raises LookupError when there is none.
    """
    found = [
        row
        for row in every_row(file)
        if row.family.startswith(family)
        and row.source.startswith(source)
        and row.role.startswith(role)
        and row.id.startswith(prefix)
    ]
    if not found:
        raise LookupError(f"no reference row: family={family!r} source={source!r} role={role!r} prefix={prefix!r}")
    return found


def each(
    family: str = "", *, source: str = "", role: str = "oracle", prefix: str = "", file: str = PAPERS
) -> pytest.MarkDecorator:
    """Parametrise a test by ``row`` over the selected rows."""
    found = rows(family, source=source, role=role, prefix=prefix, file=file)
    return pytest.mark.parametrize("row", found, ids=[row.id for row in found])
