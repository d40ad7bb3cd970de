"""What all tests of the command start from."""

from pathlib import Path

import numpy as np
import pytest

from reports.command import progress
from tests.reports.command.scores import ROWS


@pytest.fixture(autouse=True)
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is said of progress, however busy the machine is."""
    monkeypatch.setattr(progress, "PATIENCE", np.inf)


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(["score,member", *ROWS]))
    return path
