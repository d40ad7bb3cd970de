"""A release survives every way it is written down, and what accountants print is read as the release it is.

Anything else is refused in words, and nothing of it is run.
"""

import re
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from numerics.calibration import EpsilonTarget, noise_for
from numerics.deadline import DeadlineError
from numerics.mechanisms import MECHANISMS, Adjacency, Gaussian, Laplace, SampledMechanism, Sampling
from numerics.release_file import LONGEST, ReleaseFile
from numerics.trade_off import Order
from pages.server import budget
from pages.ui import address, comparison
from pages.ui.release_in_force import DEFAULTS, ReleaseChoice, TrainingRun, state_of
from pages.ui.sidebar import read, run_of
from tests.pages.driver import text, visit
from tests.pages.visit import checked

TEXTS = tomllib.loads(Path(__file__).with_name("pasted_texts.toml").read_text())
NAMED = (Gaussian, Laplace, Adjacency, Sampling, ReleaseFile, EpsilonTarget, noise_for)
NAMES: dict[str, Any] = {each.__name__: each for each in NAMED}


def offered(kind: type[SampledMechanism], sampling: Sampling, records: int) -> Iterator[SampledMechanism]:
    """What the rail can say of this kind, with parameters of its own that are no defaults."""
    own: dict[str, Any] = {
        each.name: int(each.low) + 5 if each.is_whole else 3.0 * each.low for each in kind.parameters
    }
    for adjacency, rate in product(kind.adjacencies, (0.1, 1.0) if kind.is_sampled else (1.0,)):
        with suppress(ValueError):
            yield kind(1.0 / 3.0, rate, 20, adjacency, sampling, records, **own)


def test_a_release_comes_back_from_its_file_its_address_and_its_pin() -> None:
    releases = [one for case in product(MECHANISMS, Sampling, (1, 3)) for one in offered(*case)]
    assert {type(release) for release in releases} == set(MECHANISMS)
    assert {release.sampling for release in releases if release.sampling_rate < 1.0} == set(Sampling)
    assert {release.adjacency for release in releases} == set(Adjacency)
    assert any(release.records_per_person > 1 for release in releases)
    for release in {type(release): release for release in reversed(releases)}.values():
        query = urlencode(address.query(state_of(release), DEFAULTS))
        assert visit(f"rail?knows_rate=true&{query}").session_state["result"].mechanism == release
    for release in releases:
        found = read(ReleaseChoice(release, 1e-3, Order.ADD, 1e-7, records=5000, dimension=30, clip=0.5).exported())
        assert found.phases == (release,)
        assert (found.delta, found.records, found.dimension, found.clip) == (1e-7, 5000, 30, 0.5)
        assert comparison.read(comparison.spelled(release)) == release


def test_events_histories_and_arguments_are_the_releases_they_are() -> None:
    for pasted, phases in TEXTS["phases"]:
        assert read(pasted).phases == eval(f"({phases},)", NAMES), pasted
    for pasted in TEXTS["run"]:
        state = read(pasted)
        assert run_of(state) == TrainingRun(60_000, 256.0, 60.0), pasted
        assert (state.phases, state.records, state.delta) == ((Gaussian(1.12, 256 / 60_000, 14_063),), 60_000, 1e-5)
    for pasted, said, never in TEXTS["words"]:
        assert re.search(said, read(pasted).words)
        assert not re.search(never, read(pasted).words)


@pytest.mark.parametrize(
    ("text", "why"),
    [*TEXTS["refused"], *([eval(text, NAMES), why] for text, why in TEXTS["built"])],
    ids=lambda value: ascii(value[:40]),
)
def test_what_is_not_understood_is_refused_in_words(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=r"[a-z]") as refusal:
        read(text)
    assert why in str(refusal.value)
    assert len(str(refusal.value)) < 300
    assert len(text) <= LONGEST or "20,000" in why


def test_a_paste_that_is_solved_for_takes_its_part_of_the_page_s_time() -> None:
    said = "target_epsilon=8, target_delta=1e-5, sample_rate=0.01, steps=1000, records_per_person=64"
    with budget.within(budget.Budget(budget.RESERVED + 0.01)), pytest.raises(DeadlineError):
        read(said)


@pytest.mark.parametrize("address", TEXTS["exported"])
def test_an_exported_release_is_shown_then_used_and_a_refusal_changes_nothing(address: str) -> None:
    def paste(said: str) -> None:
        app.session_state["sidebar.paste_open"] = True
        checked(checked(app.run()).text_area(key="sidebar.paste_text").set_value(said).run())

    choice = visit(f"rail?{address}", folds_open=True).session_state["result"]
    app = visit("rail?noise=3&clip=2")
    before = app.session_state["result"]
    paste(choice.exported())
    assert choice.mechanism.label.split(",")[0] in text(app)
    assert app.session_state["result"] == before
    checked(app.button(key="sidebar.paste_use").click().run())
    assert app.session_state["result"] == choice
    assert not app.session_state["sidebar.paste_open"], "the box would lie over the answer"
    paste("[(1,2)]")
    assert "entry 1 of the history" in app.warning[0].value
    assert app.session_state["result"] == choice
