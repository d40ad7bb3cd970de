"""Tables of numbers beside the tests: what is asked, what must come out, how near, and where that is known from.

A table is a TOML file. Its questions are expressions over the names that its test gives, the public names of its
``modules`` and its own ``names``, each an expression over what comes before it. It has up to six parts:

- ``references``: groups of [selection, question], each for all reference rows of that selection, whose parameters are
  names, too; a selection is the beginning of a family, or of an id after "id:". ``rel`` and ``abs`` are the tolerance.
  Or rows of [family, beginning of the id, question, relative tolerance].
- ``misprints``: the same groups for what must not come out; ``apart`` is how far from 1 the ratio must be.
- ``statements``: the same for what must be true; ``expected`` is the value of the row.
- ``negatives``: [family, beginning of the id, question], what must be true of rows that a misprint gives.
- ``values``: groups of [question, value, source] with a tolerance; or rows of [question, value, absolute tolerance].
- ``refused``: [question, message].

A table is one test, which asks every row and names all that fail: a test for each of 2,000 rows costs more than most of
their answers.
"""

import json
import math
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy import stats

from tests.reference import Reference, rows


def all_hold(checks: Iterable[tuple[str, Callable[[], object]]]) -> None:
    """Make every check, and raise whatever those raised that failed, each with its name."""
    failures = list[BaseException]()
    for name, check in checks:
        try:
            check()
        except (Exception, pytest.fail.Exception) as failure:
            failure.add_note(f"Row: {name}")
            failures.append(failure)
    if failures:
        raise BaseExceptionGroup(" | ".join(note for each in failures for note in each.__notes__), failures)


def _is_near(found: Any, expected: Any, group: Mapping[str, Any]) -> None:
    near = pytest.approx(
        np.broadcast_to(expected, np.shape(found)), rel=group.get("rel", 0.0), abs=group.get("abs", 0.0)
    )
    assert np.size(found) > 0
    assert np.asarray(found) == near


def _is_alike(found: Any, expected: Any, group: Mapping[str, Any]) -> None:
    """Of the same shape, too, or the same where there is no tolerance."""
    found = found.tolist() if isinstance(found, np.ndarray) else list(found) if isinstance(found, tuple) else found
    assert found == (pytest.approx(expected, abs=group["abs"], rel=0.0) if group["abs"] else expected)


def _is_apart(found: Any, expected: Any, group: Mapping[str, Any]) -> None:
    apart = np.abs(np.ravel(found) / expected - 1.0) > group["apart"]
    assert apart.size > 0 and apart.all(), f"{found!r} is a misprint"  # noqa: PT018


def _is_true(found: Any, expected: Any, group: Mapping[str, Any]) -> None:
    assert found in (True, np.True_), f"false of {expected}"


_CHECKS: dict[str, Callable[[Any, Any, Mapping[str, Any]], None]] = {
    "references": _is_near,
    "values": _is_near,
    "alike": _is_alike,
    "misprints": _is_apart,
    "statements": _is_true,
    "negatives": _is_true,
}


class Case(NamedTuple):
    """A question of a ``part`` of a table, and what is known of its answer."""

    part: str
    question: str
    names: Mapping[str, Any]
    group: Mapping[str, Any]
    expected: Any

    def check(self) -> None:
        """Fail where the answer is not what the part of the table says of it."""
        if self.part != "refused":
            _CHECKS[self.part](self.found(), self.expected, self.group)
            return
        with pytest.raises((ValueError, TypeError), match=self.expected):
            self.found()

    def found(self) -> Any:
        """The answer."""
        return eval(self.question, {**self.names, "expected": self.expected})


class Table:
    """The table beside a test; its questions know modules by their last name, too."""

    def __init__(self, test: str, given: Mapping[str, Any] | None = None) -> None:
        self.parts = tomllib.loads(Path(test).with_name("table.toml").read_text())
        self.names: dict[str, Any] = {"inf": np.inf, "nan": np.nan, "math": math, "np": np, "pytest": pytest}
        self.names |= {"array": np.array, "at": lambda value: np.array([value])}
        modules = [import_module(name) for name in self.parts.get("modules", [])]
        for module in modules:
            self.names |= {name: value for name, value in vars(module).items() if not name.startswith("_")}
        self.names |= {module.__name__.rpartition(".")[2]: module for module in modules} | {"stats": stats}
        self.names |= given or {}
        for name, meaning in self.parts.get("names", {}).items():
            self.names[name] = eval(meaning, self.names)

    @property
    def rows_used(self) -> set[str]:
        """Ids of the rows of the references that it asks about."""
        return {case.names["row"].id for _, case in self._of_rows()}

    def check(self) -> None:
        """Fail where the answer to any question is not what the table says."""
        cases = [*self._of_rows(), *self._own()]
        assert cases
        all_hold((f"{case.part}: {name}", case.check) for name, case in cases)

    def _own(self) -> Iterator[tuple[str, Case]]:
        for group in self.parts.get("values", []):
            if isinstance(group, list):
                question, value, tolerance = group
                yield question, Case("alike", question, self.names, {"abs": tolerance}, value)
                continue
            for question, value, source in group["rows"]:
                yield f"{question} ({source})", Case("values", question, self.names, group, value)
        for question, message in self.parts.get("refused", []):
            yield question, Case("refused", question, self.names, {}, message)

    def _of_rows(self) -> Iterator[tuple[str, Case]]:
        for part in ("references", "misprints", "statements", "negatives"):
            role = "negative" if part in ("misprints", "negatives") else "oracle"
            for group in self.parts.get(part, []):
                if isinstance(group, list):
                    family, start, question, *relative = group
                    tolerance, asked = {"rel": sum(relative)}, [(rows(family, role=role, prefix=start), question)]
                else:
                    tolerance, asked = group, [(selected(where, role), question) for where, question in group["rows"]]
                for row, question in ((row, question) for found, question in asked for row in found):
                    names = {**self.names, "row": row, **numbers(row)}
                    yield f"{row.id}, {question}", Case(part, question, names, tolerance, row.expected)


def selected(selection: str, role: str) -> list[Reference]:
    """The rows that a selection means."""
    start = selection.removeprefix("id:")
    return rows(selection, role=role) if start == selection else rows(prefix=start, role=role)


def numbers(row: Reference) -> dict[str, Any]:
    """The parameters of a row: whole numbers, others, fractions; lists as tuples; texts that are none as they are."""
    return {name: _number(each) for name, each in row.params.items()}


def _number(written: Any) -> Any:
    if str(written).startswith("["):
        return tuple(map(_number, json.loads(written) if isinstance(written, str) else written))
    try:
        number = float(Fraction(str(written)))
    except ValueError:
        return written
    return int(number) if str(written).isdigit() else number
