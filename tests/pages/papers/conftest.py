"""What the tests of the papers' figures share."""

from collections.abc import Iterator

import pytest

from tests.pages.papers.drawings import drawn


@pytest.fixture(scope="package", autouse=True)
def drawings_are_forgotten() -> Iterator[None]:
    """What two hundred figures hold would be looked through, again and again, until the last test."""
    yield
    drawn.cache_clear()
