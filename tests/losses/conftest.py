"""The process that starts readers ends with the tests."""

from collections.abc import Iterator

import pytest

from losses.isolation import client


@pytest.fixture(scope="session", autouse=True)
def _readers() -> Iterator[None]:
    yield
    client.FORK_SERVER.stop()
