"""Running ``python -m losses audit`` in this process, and what it said."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest


class Ran(NamedTuple):
    """What the command wrote."""

    out: str
    err: str

    @property
    def report(self) -> Any:
        """What ``--json`` wrote."""
        return json.loads(self.out, parse_constant=pytest.fail)

    @property
    def numbers(self) -> Any:
        """The numbers of that."""
        return self.report["numbers"]


Command = Callable[..., Ran]
