"""The memo: the page's own sentence, a figure, three assumptions, a date and a link; nothing of a stranger's runs."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from numerics.mechanisms import Adjacency, Gaussian, Sampling
from numerics.trade_off import Order
from pages.mechanism import details
from pages.ui import memo, people_scene
from pages.ui.memo import Memo, assumptions
from pages.ui.release_choice import ReleaseChoice
from pages.ui.training_run import TrainingRun
from plotting.curves import Axes
from tests.html import Elements
from tests.plotting.test_static import figure

ADDRESS = "https://privacy.example.org/mechanism?noise=2&limit=30"
HOSTILE = "<script>alert(1)</script> $x$ \u202eevil"


def memo_of(release: str = "Gaussian noise", address: str = ADDRESS) -> Memo:
    verdict = ("At most **41** of 10,000 people can be found.", ":orange-badge[✕ Too often] Twice your limit of 20.")
    return Memo("Can people be found?", verdict, release, assumptions(Gaussian(1.0, 0.1, 5)), "what is shown", address)


def test_it_says_what_the_page_says() -> None:
    html = memo.page(memo_of(), figure())
    text = Elements(html).text
    for words in ("At most 41 of 10,000", "✕ Too often. Twice your limit of 20.", "lacks this one record", ADDRESS):
        assert words in text
    assert datetime.now(UTC).date().isoformat() in text
    assert Elements(html).seen.count("svg") == 1
    assert "-badge" not in text


def test_strangers_text_stays_text() -> None:
    plain, hostile = (Elements(memo.page(memo_of(name), figure())) for name in ("name", HOSTILE))
    assert hostile.seen == plain.seen
    assert "<script>alert(1)</script> $x$ evil" in hostile.text
    assert "<a " not in memo.page(memo_of(address="javascript:alert(1)"), figure())


@pytest.mark.parametrize("order", [Order.ADD, Order.REMOVE])
def test_its_numbers_are_the_pictures(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.ui.address.permalink", lambda **_: ADDRESS)
    choice = ReleaseChoice(Gaussian(1.0, 0.01, 1000), 1e-3, order, 1e-5)
    scene = people_scene.scene(choice, "one")
    level = scene.levels[scene.chosen]
    text = Elements(memo.page(details.memo(choice, scene, Axes.LOG), figure())).text
    entered = replace(choice, run=TrainingRun(60_000, 600, 10))
    assert "60,000 people in batches of 600, 10 epochs." in details.memo(entered, scene, Axes.LOG).release + "."
    assert f"{level.found:,} of {scene.crowd:,} {scene.words.after} ({scene.words.luck}). {level.verdict}" in text
    assert (f"Noise {scene.advised:g} meets it." in text) == (level.over and scene.advised is not None)


def test_assumptions_follow_from_the_release() -> None:
    fixed = Gaussian(1.0, 0.1, 5, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE)
    assert "another record in this one's place" in assumptions(fixed)[0]
    assert "same size" in assumptions(fixed)[1]
    assert "Every record takes part" in assumptions(Gaussian(1.0))[1]
    assert "one by one" in assumptions(Gaussian(1.0, 0.1, 5))[1]
