"""What all tests of reports and of the command start from."""

from pathlib import Path

import numpy as np
import pytest

from reports.command import progress
from reports.command.main import main
from tests.reports.running import Command, Ran


@pytest.fixture(autouse=True)
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is said of progress, however busy the machine is."""
    monkeypatch.setattr(progress, "PATIENCE", np.inf)


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs an audit that must end with a code."""

    def run(*given: object, code: int = 0) -> Ran:
        ended = main(["audit", *map(str, given)])
        shown = capsys.readouterr()
        assert ended == code, shown.err
        return Ran(shown.out, shown.err)

    return run


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    """A file with scores of an attack that finds members."""
    rng = np.random.default_rng(5)
    rows = [f"{rng.normal() + 3.0 * (row < 500):.6f},{int(row < 500)}" for row in range(1000)]
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(["score,member", *rows]))
    return path
