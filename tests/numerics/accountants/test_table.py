"""What accountants keep is the release that it is, what is none is refused, and both show themselves as text."""

import sys

import pytest

from tests.tables import Table


def test_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    Table(__file__).check()
    monkeypatch.setitem(sys.modules, "pandas", None)  # as where it is not installed
    with pytest.raises(ModuleNotFoundError, match="to_frame needs pandas"):
        Table(__file__).names["MARKED"].to_frame()
