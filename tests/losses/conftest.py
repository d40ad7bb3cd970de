"""The process that starts readers ends with the tests."""

from collections.abc import Iterator

import pytest

from losses.isolation import client
from tests.warehouse_tables import in_one_process

__all__ = ["in_one_process"]


@pytest.fixture(scope="session", autouse=True)
def _readers() -> Iterator[None]:
    yield
    client.FORK_SERVER.stop()
