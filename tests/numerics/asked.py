"""Tests of the table beside a test (see ``tests/tables.py``), and a deadline that counts."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from numerics.deadline import DeadlineError
from tests.tables import Case, Table


def checks_of(table: Path, names: dict[str, Any]) -> tuple[Callable[..., None], ...]:
    """Tests of the parts of a table: references, negatives, values, refused."""
    cases = Table(str(table), names).cases()

    def check(*parts: str) -> Callable[..., None]:
        @pytest.mark.parametrize("case", [case for case in cases if case.values[0].part in parts])
        def asked(case: Case) -> None:
            case.check()

        return asked

    return check("references"), check("negatives"), check("values", "alike"), check("refused")


class Looks:
    """A deadline that passes when it has been looked at more often than ``allowed``."""

    def __init__(self, allowed: int = 0) -> None:
        self.allowed = allowed
        self.looks = 0

    def check(self) -> None:
        self.looks += 1
        if self.looks > self.allowed:
            raise DeadlineError("over.")
