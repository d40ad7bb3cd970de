"""What pages say of single values: each row of ``said.toml`` is an expression, and what comes out of it."""

import re
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests import ROOT
from tests.secant import Secant

TABLE = tomllib.loads(Path(__file__).with_name("said.toml").read_text())
NAMES: dict[str, Any] = {"Path": Path, "ROOT": ROOT, "Secant": Secant}


@pytest.fixture(scope="module", autouse=True)
def names() -> None:
    for name in TABLE["modules"]:
        NAMES.update(vars(import_module(name)))
    NAMES.update({name.rpartition(".")[2]: import_module(name) for name in TABLE["whole_modules"]})
    for name, source in TABLE["objects"].items():
        NAMES[name] = eval(source, NAMES)


def rows(part: str) -> list[Any]:
    return [row for group in TABLE[part] for row in group["rows"]]


@pytest.mark.parametrize(("question", "expected"), rows("equal"))
def test_what_comes_out(question: str, expected: str) -> None:
    assert eval(question, NAMES) == eval(expected, NAMES)


@pytest.mark.parametrize("row", rows("says"), ids=lambda row: ascii(row[0]))
def test_what_is_said(row: list[str]) -> None:
    question, said, *never = row
    found = str(eval(question, NAMES))
    assert re.search(said, found), found
    assert not any(re.search(one, found) for one in never), found


@pytest.mark.parametrize(("question", "why"), rows("refused"))
def test_what_is_refused(question: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        eval(question, NAMES)
