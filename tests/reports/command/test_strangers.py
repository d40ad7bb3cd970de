"""The command about strangers' tables: it stops where something is open, and says how to go on."""

import json
from pathlib import Path

import pytest

from reports.command.main import main
from tests.losses.strangers import STRANGERS

pytestmark = [
    pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:The 'future.infer_string'"),
]
OPEN = [name for name, one in STRANGERS.items() if one.asks]
ANSWERS = [(name, place) for name in OPEN for place in range(len(STRANGERS[name].answers))]
CLEAR = [name for name, one in STRANGERS.items() if not one.asks]


def run(path: Path, name: str, *options: str) -> int:
    path.write_bytes(STRANGERS[name].data)
    fresh = path.with_name("fresh.csv")
    fresh.write_bytes(STRANGERS[name].fresh)
    other = ["--population", str(fresh)] if STRANGERS[name].fresh else []
    return main(["audit", str(path), *other, "--quiet", "--method", "confidence", *options])


@pytest.mark.parametrize("name", OPEN)
def test_what_is_open_stops_with_how_to_go_on(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str) -> None:
    assert run(tmp_path / "a.csv", name) == 2
    said = capsys.readouterr().err
    assert STRANGERS[name].asks in said
    for _, options, _ in STRANGERS[name].answers:
        assert " ".join(options[:2]) in said.replace("--loss COLUMN", f"--loss {options[1]}")


@pytest.mark.parametrize(("name", "place"), ANSWERS)
def test_what_was_said_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str, place: int) -> None:
    _, options, told = STRANGERS[name].answers[place]
    assert run(tmp_path / "a.csv", name, *options, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert any(told in note for note in found["data"]["notes"])


@pytest.mark.parametrize("name", CLEAR)
def test_what_is_clear_is_audited_with_its_doubts(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    assert run(tmp_path / "a.csv", name, "--report", str(tmp_path / "a.html"), "--json") == 0
    said = " ".join(json.loads(capsys.readouterr().out)["verdict"]["sentences"])
    assert ("Mind: " in said) == bool(STRANGERS[name].doubt)
    assert STRANGERS[name].doubt in said
    first, _, _ = (tmp_path / "a.html").read_text().partition("Settings")
    assert STRANGERS[name].doubt in first
