"""What holds for every test of a page: what moves under the finger is left open, curves over noise have few points."""

from collections.abc import Iterator
from typing import Any

import pytest

from pages.server import memory
from pages.server.background_job import BackgroundJob
from pages.ui import cached, knob, people_scene
from people_view import Levels

_SECONDS = 60.0  # for what is under way, to its next look at a deadline
_REST = people_scene.rest
_EFFECTS = cached._EFFECTS_WHEN_COMPOSED[::7]


@pytest.fixture(autouse=True)
def visited(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a slider shows elsewhere is left out, as where there is no time. Of a curve over the noise, each point of
    which takes a trade-off curve of its own, the ends and the middle are computed.

    Visitors of tests never go: what they asked for ends with the test, and memory that is freed until then is not
    overwritten, which takes up to a fifth longer.
    """
    monkeypatch.setattr(people_scene, "rest", lambda _, seen: Levels(seen.name, seen.subject, ()))
    monkeypatch.setattr(knob, "known", lambda _: knob.States())
    monkeypatch.setattr(cached, "_EFFECTS_WHEN_COMPOSED", _EFFECTS)
    jobs, begin = list[BackgroundJob](), BackgroundJob.__init__

    def begun(job: BackgroundJob, *asked: Any) -> None:
        jobs.append(job)
        begin(job, *asked)

    monkeypatch.setattr(BackgroundJob, "__init__", begun)
    yield
    for job in jobs:
        job.cancel()
        assert job.ended.wait(_SECONDS), "it looks at no deadline"
    memory.overwrite_freed(False)


@pytest.fixture
def all_noises(visited: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages look for the levels of other noises, as for visitors."""
    monkeypatch.setattr(people_scene, "rest", _REST)
