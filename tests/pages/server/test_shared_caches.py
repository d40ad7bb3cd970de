"""What caches that visitors share are given does not depend on what was uploaded."""

import functools
import gc
from collections import OrderedDict
from collections.abc import Iterable
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from losses import RowUnit
from pages.server.shared_cache import PRIVATE, SharedCache, shared_cache
from tests.pages.visit import checked, choose, give, script_of, visited

SECONDS = 60
_OURS = ("pages", "plotting", "numerics", "losses")
_CODE = (type, ModuleType, FunctionType, MethodType, BuiltinFunctionType)


class Place(NamedTuple):
    """A page with a place for files, two different uploads for it, what is chosen afterwards, and what is looked at."""

    page: str
    query: dict[str, str]
    uploads: tuple[bytes, bytes]
    chosen: tuple[tuple[str, str], ...] = ()
    files: int = 1
    views: tuple[str, ...] = ()


def losses(seed: int) -> bytes:
    """Losses of 60 members and 60 outsiders."""
    drawn = np.random.default_rng(seed).normal(size=120)
    rows = (f"{loss - 0.8 * (row % 2):.6f},{row % 2}" for row, loss in enumerate(drawn))
    return "\n".join([f"loss {seed},member", *rows]).encode()


def predictions(seed: int) -> bytes:
    logits = np.random.default_rng(seed).normal(size=120) + [
        (1 + row % 2) * (row // 2 % 2 * 2 - 1) for row in range(120)
    ]
    rows = (f"{1 / (1 + np.exp(-logit)):.8f},{row // 2 % 2},{row % 2}" for row, logit in enumerate(logits))
    return "\n".join([f"p {seed},y,member", *rows]).encode()


def candidates(seed: int) -> bytes:
    weights = np.random.default_rng(seed).integers(1, 99, size=200)
    return "\n".join(["name,count", *(f"c{seed}-{row},{weight}" for row, weight in enumerate(weights))]).encode()


def sweep(seed: int) -> bytes:
    drawn = np.random.default_rng(seed).uniform(size=(24, 2))
    rows = (f"s{seed}-{row // 3},{row % 3},{utility:.6f},{risk:.6f}" for row, (utility, risk) in enumerate(drawn))
    return "\n".join(["strategy,seed,accuracy,epsilon", *rows]).encode()


PLACES = {
    "losses in one file": Place("pages/audit/page.py", {}, (losses(1), losses(2))),
    "losses of several models": Place("pages/audit/page.py", {}, (losses(1), losses(2)), files=2),
    "predictions": Place("pages/audit/page.py", {}, (predictions(1), predictions(2))),
    "candidates": Place(
        "pages/reconstruct/page.py",
        {"reconstruct.knows": "an uploaded distribution", "reconstruct.candidates_from": "a file", "estimates": "CLT"},
        (candidates(1), candidates(2)),
        (("Each row is", RowUnit.CANDIDATES),),
        views=("other noise", "what the limit allows"),
    ),
    "a sweep": Place(
        "pages/frontier/page.py",
        {"frontier.weigh": "your own sweep", "frontier.land_from": "a file"},
        (sweep(1), sweep(2)),
    ),
}


def shared_caches() -> list[Any]:
    """The project's own."""
    # The class is asked, as a proxy whose object is gone has none to ask.
    every: list[Any] = [one for one in gc.get_objects() if type(one) in (functools._lru_cache_wrapper, SharedCache)]
    return [one for one in every if one.__module__.startswith(_OURS)]


def given_to(caches: Iterable[Any]) -> set[str]:
    """All that the caches were given, in words; what they answer follows from it.

    What ``lru_cache`` knows the answer to it tells nobody, but the garbage collector does.
    """
    found = set[str]()
    for cache in caches:
        held = [cache._results] if isinstance(cache, SharedCache) else gc.get_referents(cache)
        keys = [key for results in held if isinstance(results, dict) for key in results]
        found |= {f"{cache.__module__}.{cache.__name__}: {leaf}" for leaf in leaves(keys)}
    return found


def leaves(root: Any) -> set[str]:
    """Every number and text that can be reached from ``root``."""
    seen, layer, found = set[int](), [root], set[str]()
    while layer:
        layer = [one for one in gc.get_referents(*layer) if id(one) not in seen and not isinstance(one, _CODE)]
        seen |= set(map(id, layer))
        found |= {repr(one) for one in layer if isinstance(one, str | bytes | int | float)}
        found |= {one.tobytes().hex() for one in layer if isinstance(one, np.ndarray)}
    return found


def upload(app: AppTest, place: Place, which: int) -> AppTest:
    give(app, *((f"file {which} {number}.csv", place.uploads[which]) for number in range(place.files)))
    for label, value in place.chosen:
        choose(app, label, value)
    return app


def look(app: AppTest, place: Place) -> list[tuple[str, ...]]:
    """What the page says, and what it says in each of its views."""
    said = [words(app)]
    for view in place.views:
        app.session_state["reconstruct.more"] = view
        said.append(words(checked(app.run())))
    assert len({*said[1:]}) == len(place.views), "what was asked for was not drawn"
    return said


def words(app: AppTest) -> tuple[str, ...]:
    return tuple(str(block.value) for block in [*app.markdown, *app.metric, *app.caption])


@pytest.mark.usefixtures("all_objects_are_seen")
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_shared_caches_are_given_nothing_of_an_upload(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    app = visited(AppTest.from_string(script_of(place.page), default_timeout=SECONDS), place.query)
    caches, given, said = shared_caches(), list[set[str]](), list[list[tuple[str, ...]]]()
    for which in (0, 1):
        for cache in caches:
            if isinstance(cache, SharedCache):  # what it knows is there again for the tests after this one
                monkeypatch.setattr(cache, "_results", OrderedDict())
            else:
                cache.cache_clear()
        upload(app, place, which)
        said.append(look(app, place))
        given.append(given_to(caches := shared_caches()))
    assert said[0] != said[1], "the page shows nothing of the upload: nothing is tested"
    assert given[0], "no cache was found: nothing is tested"
    assert given[0] ^ given[1] == set()


ASKED = list[float]()


@shared_cache
def doubled(number: float) -> float:
    ASKED.append(number)
    return 2.0 * number


def test_a_session_remembers_what_was_asked_of_its_own_upload() -> None:
    script = """
from pages.server.shared_cache import Private
from tests.pages.server.test_shared_caches import doubled

doubled(Private(0.25))
"""
    app = checked(checked(AppTest.from_string(script, default_timeout=SECONDS).run()).run())
    checked(AppTest.from_string(script, default_timeout=SECONDS).run())
    assert ASKED == [0.25, 0.25], "once for each session"
    assert len(doubled) == 0
    assert any(str(key).startswith(PRIVATE) for key in app.session_state)
