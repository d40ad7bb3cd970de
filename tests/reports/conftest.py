"""What all tests of reports and of the command start from."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from losses.isolation import client
from reports.command import main as command_main
from reports.command.main import main
from tests.warehouse_tables import in_one_process

__all__ = ["in_one_process"]


class Ran(NamedTuple):
    """What ``python -m losses audit`` wrote."""

    out: str
    err: str

    @property
    def report(self) -> Any:
        """What ``--json`` wrote."""
        return json.loads(self.out, parse_constant=pytest.fail)

    @property
    def numbers(self) -> Any:
        return self.report["numbers"]


Command = Callable[..., Ran]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, in_one_process: None) -> Command:
    """Runs an audit that must end with a code, parses no file twice, and says nothing of progress on a busy machine."""
    monkeypatch.setattr(command_main, "PATIENCE", np.inf)
    parsed, read = Counter[bytes](), client.read
    monkeypatch.setattr(client, "read", lambda *given: (parsed.update(given[1:2]), read(*given))[1])

    def run(*given: object, code: int = 0) -> Ran:
        parsed.clear()
        ended = main(["audit", *map(str, given)])
        assert not [times for times in parsed.values() if times > 1]
        shown = capsys.readouterr()
        assert ended == code, shown.err
        return Ran(shown.out, shown.err)

    return run
