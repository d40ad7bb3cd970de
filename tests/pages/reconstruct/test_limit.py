"""My limit for reconstruction: where it starts, the verdict, the noise that meets it, and what follows from both."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from numerics import reconstruction
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace
from numerics.privacy_loss import Precision
from numerics.trade_off import Bracket
from pages.reconstruct import limit
from pages.reconstruct.limit import GuessLimit
from pages.server.budget import Budget, within
from pages.server.shared_cache import Private
from pages.ui import cached_reconstruction
from pages.ui.prior_guess import Guessed, Known
from tests.pages.reconstruct.visit import RELEASE, page, press, said
from tests.pages.visit import checked

MET, MISSED = ":green-badge[✓ Met]", ":orange-badge[✕ Too often]"


def judged(app: AppTest) -> str:
    (words,) = (str(block.value) for block in app.markdown if "-badge[✓" in block.value or "-badge[✕" in block.value)
    return words


def offered(app: AppTest) -> list[str]:
    return [button.label for button in app.button if button.key == "reconstruct.use_guess_noise"]


@pytest.mark.parametrize(
    ("kappa", "share", "words"),
    [
        (1e-3, 2e-3, "20 of 10,000"),
        (2e-5, 4e-5, "1 in 25,000"),
        (1e-9, 2e-9, "1 in 500,000,000"),
        (0.043, 0.086, "860 of 10,000"),
        (0.5, 0.75, "7,500 of 10,000"),
        (0.999, 0.9995, "9,995 of 10,000"),
    ],
)
def test_it_starts_at_twice_the_guess_and_never_beyond_certainty(kappa: float, share: float, words: str) -> None:
    start = GuessLimit.starting(kappa)
    assert start.share == pytest.approx(share)
    assert kappa < start.share < 1.0
    assert start.words == words
    assert not start.is_own


def test_where_nobody_said_a_limit_the_verdict_says_where_it_starts() -> None:
    app = page()
    assert app.number_input(key="reconstruct.guess_limit").value is None
    assert app.number_input(key="reconstruct.guess_limit").placeholder == "20, to start with"
    assert judged(app) == f"{MISSED} 4.07 times the guess; noise 1.69 keeps it at twice."
    assert judged(page(noise="2")) == f"{MET} 1.77 times the guess; the limit is twice."
    barely = judged(page(noise="1.68"))
    assert barely == f"{MISSED} 2.01 times the guess; noise 1.69 keeps it at twice.", "more than twice is not twice"


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"reconstruct.guess_limit": "50"}, f"{MET} Within your limit of 50 of 10,000."),
        ({"reconstruct.guess_limit": "20"}, f"{MISSED} Twice your limit of 20 of 10,000. Noise 1.69 meets it."),
        (
            {"reconstruct.guess_limit": "10"},
            f"{MISSED} Guessing alone exceeds your limit of 10 of 10,000: no noise can keep it.",
        ),
        (
            {"reconstruct.guess_limit": "0.05", "reconstruct.kappa": "1e-06"},
            f"{MISSED} 1.9 times your limit of 0.05 of 10,000. Noise",
        ),
        ({"reconstruct.guess_limit": "38"}, f"{MISSED} 1.1 times your limit of 38 of 10,000. Noise"),
    ],
)
def test_the_verdict_is_the_guarantee_against_the_limit(query: dict[str, str], words: str) -> None:
    app = page(**query)
    assert judged(app).startswith(words)
    assert app.query_params["reconstruct.guess_limit"] == query["reconstruct.guess_limit"]


@pytest.mark.parametrize(
    "query",
    [
        {"reconstruct.guess_limit": "20"},
        {},
        {"mechanism": "Laplace", "reconstruct.guess_limit": "13"},
        {"adjacency": "replace-one", "reconstruct.guess_limit": "15", "reconstruct.kappa": "0.0005"},
        {"knows_rate": "true", "sampling": "fixed size", "steps": "20", "reconstruct.guess_limit": "11"},
        {
            "knows_rate": "true",
            "phases": "2",
            "rate_2": "0.02",
            "noise_2": "1.7",
            "steps": "50",
            "steps_2": "20",
            "reconstruct.guess_limit": "11",
        },
        {"reconstruct.guessed": "a yes or no", "reconstruct.guess_limit": "5500"},
        {
            "reconstruct.guessed": "a yes or no",
            "reconstruct.commoner": "0.9",
            "reconstruct.guess_limit": "9001",
            "noise": "0.5",
        },
        {
            "reconstruct.guessed": "whose record it is",
            "reconstruct.knows": "k candidates",
            "reconstruct.candidates": "1000",
            "reconstruct.guess_limit": "12.5",
        },
        {"reconstruct.kappa": "1e-09"},
    ],
    ids=str,
)
def test_the_button_leads_to_met(query: dict[str, str]) -> None:
    app = page(**query)
    assert MISSED in judged(app)
    (label,) = offered(app)
    press(app, label)
    assert MET in judged(app)
    assert not offered(app)


def test_the_noise_offered_is_the_least_of_its_digits() -> None:
    known, own = Known(1e-3, ""), GuessLimit(2e-3)
    found = limit.least_noise(RELEASE, known, own).mechanism
    assert cached_reconstruction.success(found, 1e-3).upper <= 2e-3
    assert found.with_noise(1.68).reconstruction(1e-3, Precision(width=1e-6)).lower > 2e-3
    assert offered(page(guess_limit="20")) == ["Use 1.69"]


def test_a_noise_beyond_the_controls_is_said_and_not_offered() -> None:
    app = page(
        phases="2",
        noise_2="999",
        rate_2="1",
        steps_2="1000",
        guess_limit="10.01",
        knows_rate="true",
        rate="1",
        steps="1000",
    )
    assert not offered(app)
    assert "beyond the controls" in judged(app) or "No noise that can be computed" in judged(app)


def test_what_there_is_no_time_for_is_not_called_impossible() -> None:
    cached_reconstruction.noise_for.cache_clear()
    with within(Budget(0.0)):
        noisy, why = limit._advised(Gaussian(1.0, 0.01, 1234), Known(1e-3, ""), GuessLimit(2e-3))
    assert noisy is None
    assert why == "The noise that meets it takes longer to find."


def test_the_limit_is_kept_while_the_guess_changes() -> None:
    app = page(guess_limit="30")
    app.select_slider(key="reconstruct.kappa").set_value(2e-3)
    assert "your limit of 30 of 10,000" in judged(checked(app.run()))
    app.selectbox(key="reconstruct.guessed").set_value("a yes or no")
    assert "Guessing alone exceeds your limit of 30" in judged(checked(app.run()))
    assert app.session_state["reconstruct.guess_limit"] == 30.0


@pytest.mark.parametrize("nonsense", ["-1", "nan", "inf", "0", "10000", "x"])
def test_nonsense_is_no_limit(nonsense: str) -> None:
    assert page(guess_limit=nonsense).number_input(key="reconstruct.guess_limit").value is None


def test_a_limit_made_of_an_uploaded_prior_is_as_private() -> None:
    start = GuessLimit.starting(Private(0.01))
    assert isinstance(start.share, Private)
    known, caches = Known(Private(0.01), ""), (cached_reconstruction.noise_for, cached_reconstruction.success)
    before = [len(cache) for cache in caches]
    limit.least_noise(RELEASE, known, start)
    assert [len(cache) for cache in caches] == before


def test_reaching_the_limit_to_rounding_is_keeping_it() -> None:
    assert GuessLimit(2e-3).is_kept(Bracket(0.0, 1e-3, 2e-3 * (1 + 1e-12)))
    assert not GuessLimit(2e-3).is_kept(Bracket(0.0, 1e-3, 2e-3 * (1 + 1e-6)))


def test_least_noise_and_largest_guess_of_the_limit() -> None:
    app = page(more="what the limit allows", guess_limit="50", noise="2")
    noise, guess = (str(box.value) for box in app.success)
    found = cached_reconstruction.noise_for(0.005, 1e-3, Gaussian(1.0, 0.01, 1000))
    assert f"Noise {found.noise_multiplier:.6g}" in noise
    largest = float(re.findall(r"κ = ([\d.]+)\*\*", guess)[0])
    assert Gaussian(2.0, 0.01, 1000).reconstruction(largest).upper <= 0.005
    assert "at most 0.005 of the time" in said(app)


def test_a_yes_or_no_takes_the_noise_of_replacement() -> None:
    known, own = Known(0.5, "", Guessed.YES_OR_NO), GuessLimit(0.55)
    for release in (RELEASE, Laplace(0.5, 0.1, 20), Composition((RELEASE, Gaussian(2.0)))):
        found = limit.least_noise(release, known, own).mechanism
        assert found.adjacency is release.adjacency
        both = found.with_neighbours(Adjacency.REPLACE_ONE)
        assert reconstruction.attribute_inference(both, 0.5, Precision(width=1e-6)).upper <= 0.55 * (1 + 1e-3)
    assert limit.KEYS == ("reconstruct.guess_limit",)
