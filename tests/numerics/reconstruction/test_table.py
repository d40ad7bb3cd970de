"""Every number of reconstruction that has a source, and what is refused: see table.toml."""

import pytest

from tests.reference import PAPERS, PRACTICE, every_row
from tests.tables import Table

TABLE = Table(__file__)


@pytest.mark.parametrize("case", TABLE.cases())
def test_table(case):
    case.check()


def test_every_reference_row_of_reconstruction_is_used():
    starts = ("rero_", "NEG_rero_", "unified_", "attr2_", "pso_")
    assert {
        row.id for file in (PAPERS, PRACTICE) for row in every_row(file) if row.id.startswith(starts)
    } <= TABLE.rows_used
