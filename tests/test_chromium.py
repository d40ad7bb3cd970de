"""How the browser tests find a Chromium, and what they say when there is none."""

from pathlib import Path

import pytest

from tests.browser.chromium import NoChromiumError, find_chromium


def program(folder: Path, name: str) -> str:
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def bare_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine with an empty PATH and no variable set; the folder is that PATH."""
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def test_none_at_all_says_how_to_get_one(bare_machine: Path) -> None:
    with pytest.raises(NoChromiumError, match=r"apt-get install chromium(.|\n)*playwright install"):
        find_chromium(str(bare_machine / "playwrights"))


def test_variable_wins_over_the_path_which_wins_over_playwrights_own(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = program(bare_machine, "playwrights")
    assert find_chromium(own) == own
    on_path = program(bare_machine, "google-chrome")
    assert find_chromium(own) == on_path
    wanted = program(bare_machine, "my-browser")
    monkeypatch.setenv("CHROMIUM", wanted)
    assert find_chromium(own) == wanted


def test_a_variable_that_names_nothing_is_an_error_and_not_ignored(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(bare_machine, "chromium")
    monkeypatch.setenv("CHROMIUM", "/nowhere/chromium")
    with pytest.raises(NoChromiumError, match="CHROMIUM=/nowhere/chromium cannot be run"):
        find_chromium("")
