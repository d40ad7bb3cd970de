"""Files in JSON, NumPy's formats and workbooks, of ``formats.toml``: what the page and the command read, or why not."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from losses import TableError, read_evidence
from losses.isolation import client
from reports.command.main import main
from tests.warehouse_tables import QUIET_IBIS, in_one_process  # noqa: F401 - a fixture

pytestmark = [QUIET_IBIS, pytest.mark.skipif(not client.IS_LIMITED, reason="only Linux limits what a process takes")]
ROWS = tomllib.loads(Path(__file__).with_name("formats.toml").read_text(encoding="utf-8"))
NAMES: dict[str, Any] = {}
exec(ROWS["names"], NAMES)


@pytest.fixture(scope="module", autouse=True)
def _one_engine(in_one_process: None) -> Iterator[None]:  # noqa: F811
    yield
    client.FORK_SERVER.stop()


@pytest.mark.parametrize("file", ROWS["file"], ids=lambda file: file["id"])
def test_what_tools_write_is_recognised_or_refused_with_the_reason(
    file: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that is refused may end its reader: then the command, too, reads it in a process of its own."""
    made, path = eval(file["made"], NAMES), tmp_path / "file"
    path.write_bytes(data := made if isinstance(made, bytes) else made.encode())
    monkeypatch.setattr(client, "IS_LIMITED", "refused" in file)
    code, said = main(["audit", str(path), "--json", *file.get("command", ())]), capsys.readouterr()
    monkeypatch.setattr(client, "IS_LIMITED", True)
    if "refused" in file:
        with pytest.raises(TableError) as caught:
            client.read(read_evidence, data)
        assert all(words in str(caught.value) for words in file["refused"]), caught.value
        assert (code, said.err) == (2, f"error: {caught.value}\n")
        return
    table = client.read(read_evidence, data)
    assert [code, table.kind, table.rows, *(one.name for one in table.columns)] == [file.get("code", 0), *file["read"]]
    assert eval(file.get("same", "True"), NAMES, {"table": table})
    told = f"{table.layout} {json.loads(said.out)['data'] if said.out else said.err}"
    assert all(words in told for words in file["says"])
