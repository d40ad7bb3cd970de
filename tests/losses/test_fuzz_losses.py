"""Damaged loss tables, some of those that benchmarks/fuzz_losses.py makes: read, or refused in words."""

import pytest

from benchmarks import fuzz_losses
from benchmarks.valid_loss_files import valid_files


@pytest.mark.parametrize("number", range(len(valid_files())))
def test_the_files_are_valid_before_they_are_damaged(number: int) -> None:
    assert fuzz_losses.try_reading(valid_files()[number]) == "read"


def test_damaged_files_are_read_or_refused() -> None:
    outcomes = fuzz_losses.run(160)
    assert outcomes.total() == 160
    assert len(outcomes) > 5  # damage of many kinds
    assert outcomes["read"] > 10
