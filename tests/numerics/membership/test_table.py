"""Every number of membership privacy that has a source, and what is refused: see table.toml."""

import pytest

from tests.tables import Table


@pytest.mark.parametrize("case", Table(__file__).cases())
def test_table(case):
    case.check()
