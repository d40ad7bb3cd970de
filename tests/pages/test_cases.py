"""What visitors do and see on every page, without a browser: each case is a row of ``cases/*.toml``."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.pages.driver import CASES, SHOWN, check, drive, numbered


def cases_of(path: Path) -> Any:
    """The test of a table."""
    table = tomllib.loads(path.read_text())
    assert table.keys() == {"case"}, "what stands outside of its cases would never be run"
    rows = [
        pytest.param(case, id=f"{path.stem}: {case['name']}", marks=[pytest.mark.nightly] * case.get("nightly", False))
        for case in table["case"]
    ]

    @pytest.mark.parametrize("case", rows)
    def test(case: dict[str, Any], request: pytest.FixtureRequest) -> None:
        app = drive(case)
        check(app, case)
        if "varies" not in case:
            SHOWN.check(request.node.callspec.id, numbered(app))

    return test


globals().update({f"test_{path.stem}": cases_of(path) for path in sorted(CASES.glob("*.toml"))})
