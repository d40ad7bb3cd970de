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
        return float(self.value)

    def number(self, name: str) -> float:
        return float(self.params[name])

    def count(self, name: str) -> int:
        return int(self.params[name])

    def text(self, name: str) -> str:
        return str(self.params[name])


@cache
def every_row(file: str = PAPERS) -> tuple[Reference, ...]:
    """All rows, in the order of the file."""
    return tuple(Reference(**row) for row in json.loads(Path(__file__).with_name(file).read_text())["references"])


def rows(family: str = "", *, role: str = "oracle", prefix: str = "") -> list[Reference]:
    """Rows of both files whose family, role and id start with the given text. Raises LookupError when there is none."""
    every = (*every_row(PAPERS), *every_row(PRACTICE))
    found = [r for r in every if r.family.startswith(family) and r.role.startswith(role) and r.id.startswith(prefix)]
    if not found:
        raise LookupError(f"no reference row: family={family!r} role={role!r} prefix={prefix!r}")
    return found


def each(family: str = "", *, role: str = "oracle", prefix: str = "") -> pytest.MarkDecorator:
    """Parametrise a test by ``row`` over the selected rows."""
    found = rows(family, role=role, prefix=prefix)
    return pytest.mark.parametrize("row", found, ids=[row.id for row in found])
