"""What visitors do and see on every page, without a browser: each case is a row of ``cases/*.toml``."""

from typing import Any

import pytest

from tests.pages.driver import cases, check, drive


@pytest.mark.parametrize("case", list(cases()))
def test_case(case: dict[str, Any]) -> None:
    check(drive(case), case)
