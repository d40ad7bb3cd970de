"""What visitors do and see on every page, without a browser: each case is a row of ``cases/*.toml``."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.pages.driver import CASES, SHOWN, check, drive, numbered

ROWS = [
    pytest.param(case, id=f"{path.stem}: {case['name']}", marks=[pytest.mark.nightly] * case.get("nightly", False))
    for path in sorted(CASES.glob("*.toml"))
    for case in tomllib.loads(path.read_text())["case"]
]


@pytest.mark.parametrize("case", ROWS)
def test_case(case: dict[str, Any], request: pytest.FixtureRequest) -> None:
    app = drive(case)
    check(app, case)
    if "varies" not in case:
        SHOWN.check(request.node.callspec.id, numbered(app))


@pytest.mark.parametrize("path", sorted(CASES.glob("*.toml")), ids=lambda path: path.stem)
def test_nothing_in_a_table_stands_outside_of_its_cases(path: Path) -> None:
    """It would never be run."""
    assert tomllib.loads(path.read_text()).keys() == {"case"}
