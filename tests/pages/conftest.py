"""What holds for every test of a page: figures can be taken away as files, other noises are left open."""

from collections.abc import Iterator

import pytest

from pages.server import memory
from pages.server.background_job import BackgroundJob
from pages.ui import chart, people_scene
from people_view import Levels
from plotting import static, theme

_SECONDS = 60.0  # for what is under way, to its next look at a deadline
_DRAWN: set[str] = set()
"""What has been set in figures of which a file was made: each in one of them is enough."""
_REST = people_scene.rest


@pytest.fixture(autouse=True)
def visited(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every figure has files, and the certified curves of other noises are left out, as where there is no time.

    Visitors of tests never go: what they asked for ends with the test, and memory that is freed until then is not
    overwritten, which takes up to a fifth longer.
    """
    own = chart.draw

    def draw(figure: theme.Figure, *args: object, **settings: object) -> object:
        check(figure)
        return own(figure, *args, **settings)  # type: ignore[arg-type]

    monkeypatch.setattr(chart, "draw", draw)
    monkeypatch.setattr(people_scene, "rest", lambda _, seen: Levels(seen.name, seen.subject, ()))
    jobs, queue = list[BackgroundJob](), BackgroundJob.watch

    def watch(job: BackgroundJob) -> None:
        jobs.append(job)
        queue(job)

    monkeypatch.setattr(BackgroundJob, "watch", watch)
    yield
    for job in set(jobs):
        job.cancel()
        assert job.wait(_SECONDS), "it looks at no deadline"
    memory.overwrite_freed(False)


@pytest.fixture
def all_noises(visited: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages look for the levels of other noises, as for visitors."""
    monkeypatch.setattr(people_scene, "rest", _REST)


def check(figure: theme.Figure) -> None:
    """Nothing in the figure is left out of its files; of one with something new in its look a file is made."""
    assert static.refusal(figure) == ""
    look = attributes(figure.layout.to_plotly_json(), "layout")
    look |= {name for trace in figure.data for name in attributes(trace.to_plotly_json(), str(trace["type"]))}
    if not look <= _DRAWN:
        _DRAWN.update(look)
        assert static.svg(figure).startswith(b"<?xml")


def attributes(part: object, name: str) -> set[str]:
    """What is set in a part, by dotted names."""
    if not isinstance(part, dict):
        return {name}
    return {found for key, value in part.items() if key != "template" for found in attributes(value, f"{name}.{key}")}
