"""What there was no time for is said: below the figure that lacks it, and in what is taken away of it."""

from collections.abc import Callable, Mapping

import pytest
from streamlit.testing.v1 import AppTest

from numerics.deadline import DeadlineError
from pages.attackers.converters import tab
from pages.server import budget
from pages.server.shared_cache import SharedCache
from pages.ui import cached, cached_reconstruction, cached_threat_models, downloads, release_curves
from pages.ui.downloads import Downloads
from tests.pages.visit import addressed, checked, script_of, visited

SECONDS = 60


def test_a_figure_says_what_it_lacks_and_the_next_one_does_not_repeat_it() -> None:
    script = """
from numerics.deadline import DeadlineError
from pages.server.budget import Budget, within
from pages.ui import chart, left_out
from plotting import theme

with within(Budget(0.0)):
    for name in ("one", "other", "one"):
        with left_out.if_no_time(name):
            raise DeadlineError("late.")
    chart.draw(theme.Figure(), "empty", key="first")
    chart.draw(theme.Figure(), "empty", key="mechanism.second")
    assert left_out.header() == {"not computed, and missing here": "one; other"}
"""
    app = checked(AppTest.from_string(script, default_timeout=SECONDS).run())
    (words,) = (caption.value for caption in app.caption)
    assert words.endswith("**Not computed yet, and not drawn:** one; other.")


@pytest.fixture
def no_time(monkeypatch: pytest.MonkeyPatch) -> list[Downloads]:
    """All that may take long is out of time at once; what the page offers to take away."""
    found = list[Downloads]()
    monkeypatch.setattr(budget.Slow, "check", lambda slow: slow.budget.check(1e9))
    monkeypatch.setattr(downloads, "draw", found.append)
    for module in (cached, cached_reconstruction, cached_threat_models, release_curves):
        for cache in vars(module).values():
            if isinstance(cache, SharedCache):
                cache.cache_clear()
    return found


def hurried(page: str, query: Mapping[str, str]) -> AppTest:
    lines = script_of(page).splitlines(keepends=True)
    script = (
        "".join(lines[:-1])
        + f"from pages.server.budget import Budget, within\nwith within(Budget(1e6)):\n    {lines[-1]}"
    )
    return visited(AppTest.from_string(script, default_timeout=SECONDS), addressed(page.split("/")[1], query))


def said(app: AppTest) -> list[str]:
    return [str(one.value).rpartition("not drawn:** ")[2] for one in app.caption if "not drawn:**" in one.value]


def test_the_explorer_says_below_either_figure_what_it_lacks(no_time: list[Downloads]) -> None:
    app = hurried(
        "pages/mechanism/page.py",
        {
            "knows_rate": "true",
            "relaxed": "true",
            "rate": "0.01",
            "dimension": "3",
            "estimates": "Monte Carlo",
            "second": "power",
        },
    )
    assert said(app)[0] == "Monte Carlo; record unknown, d = 3."
    assert not app.info
    assert no_time


def test_reconstruction_says_so_in_its_data_too(no_time: list[Downloads]) -> None:
    query = {"knows_rate": "true", "also": "record unknown (RTM)", "estimates": "Monte Carlo", "rate": "0.01"}
    app = hurried("pages/reconstruct/page.py", query)
    assert said(app) == ["Monte Carlo; record unknown."]
    assert "# not computed, and missing here: Monte Carlo; record unknown" in no_time[0].data()


def test_converters_do_not_call_what_is_late_impossible(
    no_time: list[Downloads], monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_arguments: object) -> None:
        raise DeadlineError("late.")

    made = dict[str, Callable[[], str]]()
    monkeypatch.setattr(downloads, "button", lambda _label, file, make, **_: made.update({file: make}))
    monkeypatch.setattr(tab, "of_release", late)
    app = hurried("pages/attackers/page.py", {"part": "converters"})
    assert "From (ε, δ) alone" in " ".join(str(one.value) for one in app.markdown)
    assert made["conversions.csv"]().count("not computed yet") == 3
    assert no_time
