"""Tables of questions: an expression over named things, and what it must give or how it is refused.

A table is a TOML file beside its test. Its parts:

* ``references``: family, start of the id, question, relative tolerance. The question is asked of every oracle row of
  both files of reference values that begin so; the parameters of a row are names in it.
* ``negatives``: the same of rows that a misprint or a wrong direction gives; the question must be true.
* ``values``: question, value, absolute tolerance.
* ``refused``: question, and what the message must contain (a regular expression).
"""

import json
import tomllib
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from numerics.deadline import DeadlineError
from tests.reference import PAPERS, PRACTICE, Reference, every_row

ROWS = [*every_row(PAPERS), *every_row(PRACTICE)]


def read(text: str) -> Any:
    """A parameter as a number or a list of numbers if it is one, else as written."""
    if text.startswith("["):
        return json.loads(text)
    for kind in (int, float, Fraction):
        try:
            return float(number) if isinstance(number := kind(text), Fraction) else number
        except ValueError:
            continue
    return text


def parameters(row: Reference) -> dict[str, Any]:
    return {name: read(str(text)) for name, text in row.params.items()}


def answer(question: str, names: dict[str, Any], row: Reference | None = None) -> Any:
    """What the question gives; an array or a tuple as a list."""
    known = {"np": np, "row": row, "at": lambda value: np.array([value]), "array": np.array, **names}
    found = eval(question, {**known, **(parameters(row) if row else {}), "expected": row.expected if row else None})
    if isinstance(found, np.ndarray):
        return found.tolist()
    return list(found) if isinstance(found, tuple) else found


def rows_of(family: str, start: str, role: str) -> list[Reference]:
    found = [r for r in ROWS if r.family.startswith(family) and r.id.startswith(start) and r.role.startswith(role)]
    assert found, f"no {role} row of {family!r} {start!r}"
    return found


def checks_of(table: Path, names: dict[str, Any]) -> tuple[Callable[..., None], ...]:
    """Tests of the parts of a table: references, negatives, values, refused."""
    parts = tomllib.loads(table.read_text(encoding="utf-8"))

    def cases(part: str, role: str) -> list[Any]:
        return [
            pytest.param(row, *asked, id=f"{row.id} {asked[0]}")
            for family, start, *asked in parts.get(part, [])
            for row in rows_of(family, start, role)
        ]

    @pytest.mark.parametrize(("row", "question", "relative"), cases("references", "oracle"))
    def references(row: Reference, question: str, relative: float) -> None:
        assert answer(question, names, row) == pytest.approx(row.expected, rel=relative, abs=0.0)

    @pytest.mark.parametrize(("row", "question"), cases("negatives", "negative"))
    def negatives(row: Reference, question: str) -> None:
        assert answer(question, names, row)

    @pytest.mark.parametrize(("question", "value", "tolerance"), parts.get("values", []))
    def values(question: str, value: Any, tolerance: float) -> None:
        found = answer(question, names)
        assert found == (pytest.approx(value, abs=tolerance, rel=0.0) if tolerance else value)

    @pytest.mark.parametrize(("question", "message"), parts.get("refused", []))
    def refused(question: str, message: str) -> None:
        with pytest.raises((ValueError, TypeError), match=message):
            answer(question, names)

    return references, negatives, values, refused


class Looks:
    """A deadline that passes when it has been looked at more often than ``allowed``."""

    def __init__(self, allowed: int = 0) -> None:
        self.allowed = allowed
        self.looks = 0

    def check(self) -> None:
        self.looks += 1
        if self.looks > self.allowed:
            raise DeadlineError("over.")
