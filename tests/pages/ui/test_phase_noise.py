"""Remedies of releases with several phases: one factor on all noise, every phase named, and what is said is enough."""

import re
from itertools import cycle

import pytest
from streamlit.testing.v1 import AppTest

from numerics.mechanisms import MECHANISMS, Composition, Gaussian, Mechanism, SampledMechanism
from numerics.trade_off import Order
from pages.mechanism import details
from pages.ui import address, cached, people_scene, phase_noise
from pages.ui.release_choice import ReleaseChoice
from plotting.curves import Axes
from tests.pages import picture
from tests.pages.driver import text
from tests.pages.mechanism.visit import page
from tests.pages.visit import app_at, visited

REPORTED = {"phases": "2", "noise_2": "0.3", "rate_2": "0.01", "steps_2": "1000", "knows_rate": "true"}
LIMIT = 0.002


def phases(kind: type[SampledMechanism], *noises: float) -> Composition:
    rate, steps = (0.01, 300) if kind.is_sampled else (1.0, 2)
    return Composition(tuple(kind(noise, rate, steps) for noise in noises))


CASES: list[Composition] = [
    *(phases(kind, 1.0, 0.3) for kind in MECHANISMS),
    phases(Gaussian, 0.83, 1.7, 0.4),
    phases(Gaussian, 0.3, 0.3, 0.3, 0.3, 0.7),
]


def said_noises(sentence: str) -> list[float]:
    """Noise that a sentence gives the phases, in their order."""
    found = re.findall(r"phase (\d+): ([\d.e+-]*\d)", sentence)
    assert [int(number) for number, _ in found] == list(range(1, len(found) + 1))
    return [float(noise) for _, noise in found]


@pytest.mark.parametrize(("release", "order"), list(zip(CASES, cycle([Order.ADD, Order.REMOVE]))), ids=str)
def test_what_is_said_is_enough_by_the_number_that_pages_state(release: Composition, order: Order) -> None:
    choice = ReleaseChoice(release, 1e-3, order, 1e-5, limit=LIMIT)
    scene = people_scene.scene(choice, "x")
    assert scene.advised is not None
    sentence = people_scene.sentence(scene)
    noises = said_noises(sentence)
    assert len(noises) == len(release.phases)
    made = zip(release.phases, noises, strict=True)
    taken = Composition(tuple(phase.with_noise(noise) for phase, noise in made))
    assert cached.power(taken, 1e-3, order).upper <= LIMIT
    factor = re.search(r"All noise times ([\d.]+)", sentence)
    assert factor
    assert scene.words.use == f"Multiply all noise by {factor[1]}"
    for phase, noise in zip(release.phases, noises, strict=True):
        assert noise == pytest.approx(float(factor[1]) * phase.noise_multiplier, rel=1e-5)
    assert taken == phase_noise.at_noise(release, scene.advised)  # what the button does
    assert not re.search(r"Noise [\d.]+ (meets|keeps)", sentence)


@pytest.mark.parametrize("release", [phases(Gaussian, 1.0, 0.3), phases(Gaussian, 0.83, 1.7, 0.4)], ids=str)
def test_the_slider_says_the_noise_of_every_phase(release: Mechanism) -> None:
    scene = people_scene.scene(ReleaseChoice(release, 1e-3, Order.ADD, 1e-5), "x")
    assert scene.words.noise == "All noise"
    for level in scene.levels:
        shown = [float(one) for one in level.named.split(", ")]
        assert shown == phase_noise.noises(phase_noise.at_noise(release, level.noise))
        assert shown[0] == level.noise


def test_the_button_gives_every_phase_its_noise_and_the_limit_is_then_met() -> None:
    app = page(**REPORTED)
    remedy, advised = picture.scene(app)["words"]["remedy"], picture.scene(app)["advised"]
    noises = said_noises(remedy)
    assert "Phase 2: Gaussian, noise 0.3, rate 0.01, 1,000 steps." in text(app)
    met = page(**(REPORTED | {"noise": f"{noises[0]!r}", "noise_2": f"{noises[1]!r}"}))
    assert picture.level(met)["over"] is False
    assert picture.level(met)["noise"] == advised
    typed = page(**(REPORTED | {"noise": f"{noises[0]!r}"}))  # the first alone is not what was said
    assert picture.level(typed)["over"]


def test_the_memo_of_a_pasted_history_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "permalink", lambda **_: "")
    release = phases(Gaussian, 1.0, 0.3)
    choice = ReleaseChoice(release, 1e-3, Order.ADD, 1e-5)
    memo = details.memo(choice, people_scene.scene(choice, "x"), Axes.LOG)
    assert len(said_noises(memo.verdict[0])) == 2
    assert "noise 1," in memo.release
    assert "noise 0.3," in memo.release


def test_attackers_and_solve_for_name_every_phase() -> None:
    app: AppTest = visited(app_at("attackers"), REPORTED | {"limit": "30"})
    (said,) = (text.value for text in app.main.markdown if "keeps your limit" in text.value)
    first, second = said_noises(said)[:2]
    taken = Composition((Gaussian(first, 0.01, 1000), Gaussian(second, 0.01, 1000)))
    assert cached.power(taken, 1e-3, Order.ADD).upper <= 0.003
    assert app.button(key="attackers.use_saving").label.startswith("Multiply all noise by ")
    app.button(key="attackers.use_saving").click().run()
    assert (app.session_state["noise"], app.session_state["noise_2"]) == (first, second)
    solved = page(**(REPORTED | {"solve": "true"}))
    (promise,) = (text.value for text in solved.success)
    noises = said_noises(promise)
    solved.button(key="solve_for.use").click().run()
    assert [solved.session_state["noise"], solved.session_state["noise_2"]] == noises
