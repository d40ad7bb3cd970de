"""What all tests of reports and of the command start from."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from losses.isolation import client
from reports.command import main as command_main
from reports.command.main import main
from tests.kept import Kept
from tests.warehouse_tables import in_one_process

__all__ = ["in_one_process"]
SHOWN = Kept(Path(__file__).with_name("shown.json"))


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
def command(request: pytest.FixtureRequest, in_one_process: None) -> Iterator[Command]:
    """Runs an audit that must end with a code, parses no file twice, and says nothing of progress on a busy machine.

    The numbers of all that it says are kept.
    """
    capsys, monkeypatch = map(request.getfixturevalue, ("capsys", "monkeypatch"))
    monkeypatch.setattr(command_main, "PATIENCE", np.inf)
    said = list[str]()
    parsed, read = Counter[bytes](), client.read
    monkeypatch.setattr(client, "read", lambda *given: (parsed.update(given[1:2]), read(*given))[1])

    def run(*given: object, code: int = 0) -> Ran:
        parsed.clear()
        ended = main(["audit", *map(str, given)])
        assert not [times for times in parsed.values() if times > 1]
        shown = capsys.readouterr()
        assert ended == code, shown.err
        said.extend(shown)
        return Ran(shown.out, shown.err)

    yield run
    SHOWN.check(request.node.name, said)
