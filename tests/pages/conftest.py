"""What holds for every test of a page: other noises are left open."""

from collections.abc import Iterator

import pytest

from pages.server import memory
from pages.ui import people_scene
from people_view import Levels

_REST = people_scene.rest


@pytest.fixture(autouse=True)
def visited(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The certified curves of other noises are left out, as where there is no time.

    Visitors of tests never go: memory that is freed until then is not overwritten, which takes up to a fifth longer.
    """
    monkeypatch.setattr(people_scene, "rest", lambda _, seen: Levels(seen.name, seen.subject, ()))
    yield
    memory.overwrite_freed(False)


@pytest.fixture
def all_noises(visited: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages look for the levels of other noises, as for visitors."""
    monkeypatch.setattr(people_scene, "rest", _REST)
