"""What functions of a page answer, as rows of a table beside the test: expressions over names of modules.

* ``modules``: whose public names, and which by their own last name, are known, besides those that the test gives; "as"
  gives a module another name.
* ``names``: further ones, each an expression over those before.
* ``says``: [question, words, ...]: what is in the answer, without escapes and stars; after "not: " what is not.
* ``matches``: [question, pattern, ...]: what is found in the answer as it is, and what is not. Of both the numbers that
  are said are kept in a file beside the table, too.
* ``equals``: [question, answer]; lists stand for tuples and for lists of enumerations.
* ``equal``: [question, question]: both have the same answer.
* ``near``: [question, number, relative tolerance].
* ``true``: [question]; ``refused``: [question, words of the error].
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.kept import Kept


class Answers:
    """The ``table`` beside a test, whose questions know the names of the ``given`` things, too."""

    def __init__(self, test: str, given: Mapping[str, Any], table: str = "table.toml") -> None:
        self.parts = tomllib.loads(Path(test).with_name(table).read_text())
        self.modules, self.own = self.parts.pop("modules"), self.parts.pop("names", {})
        self.given, self.kept = given, Kept(Path(test).with_name(table.replace("toml", "shown.json")))

    @cached_property
    def known(self) -> dict[str, Any]:
        """All names, made when the first row is asked."""
        names: dict[str, Any] = {"np": np, "inf": np.inf, "__name__": __name__}
        for line in self.modules:
            path, _, name = line.partition(" as ")
            module = import_module(path)
            names |= {key: one for key, one in vars(module).items() if key[0] != "_"} if not name else {}
            names[name or path.rpartition(".")[2]] = module
        names |= self.given
        for name, expression in self.own.items():
            names[name] = eval(expression, names)
        return names

    def test(self) -> Any:
        """A test of each row, for a module to give it a name."""
        rows = [pytest.param(part, row, id=f"{part}: {row[0]}") for part, rows in self.parts.items() for row in rows]

        @pytest.mark.parametrize(("part", "row"), rows)
        def check(part: str, row: list[Any]) -> None:
            self.check(part, row)

        return check

    def check(self, part: str, row: list[Any]) -> None:
        """Fail where the answer is not what the row says."""
        question, *expected = row
        if part == "refused":
            with pytest.raises(ValueError, match=expected[0]):
                eval(question, self.known)
            return
        found = eval(question, self.known)
        if part in ("says", "matches"):
            self.kept.check(question, [str(found)])
        if part == "says":
            text = re.sub(r"\\(.)|\u2060", r"\1", str(found)).replace("**", "")
            for words in expected:
                is_there = words.removeprefix("not: ") in text
                assert is_there is not words.startswith("not: "), f"{words}\n{text}"
        elif part == "matches":
            first, *never = (re.search(pattern, str(found)) for pattern in expected)
            assert first, found
            assert not any(never), found
        elif part == "equal":
            assert found == eval(expected[0], self.known), question
        elif part == "near":
            assert found == pytest.approx(expected[0], rel=expected[1]), question
        else:
            assert _plain(found) == (expected[0] if expected else True), question


def _plain(found: Any) -> Any:
    """As TOML spells it."""
    if isinstance(found, list | tuple | np.ndarray):
        return [_plain(one) for one in found]
    if isinstance(found, dict):
        return {str(key): _plain(value) for key, value in found.items()}
    if isinstance(found, np.generic):
        return found.item()
    return str(found) if isinstance(found, str) or found is None else found
