"""The explorer page: what it says and solves, that its parts fail alone, and that its addresses keep their format."""

import re
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from numerics.mechanisms import Gaussian, Laplace
from numerics.mechanisms.truncated_laplace import TruncatedLaplace
from pages.mechanism import in_numbers
from pages.ui import cached, estimates, figure_presets, weak_epsilon
from pages.ui.figure_controls import SecondFigure
from pages.ui.numbers_in_words import rounded_up
from pages.ui.release_presets import PRESETS
from plotting.curves import Axes
from tests.pages import picture
from tests.pages.mechanism.visit import CHOICE, PAGE, SECONDS, button, in_both_worlds, metric, page
from tests.pages.visit import script_of, unfold

SIX_DIGITS = 1e-5  # noise is rounded up by so much at most, and epsilon falls with it
# Public formats: names in the URL, and values that are left out of it because they are the defaults.
DEFAULTS: dict[str, object] = {
    "axes": "log-log",
    "window": "in people",
    "mechanism.second": "evidence",
    "mechanism.prior": 0.1,
    "estimates": [],
}


def test_what_is_folded_away_is_sent_once_it_is_opened() -> None:
    """A slider's move then takes two thirds of the time."""
    app = AppTest.from_string(script_of(PAGE), default_timeout=SECONDS).run()
    names = {preset.name for preset in (*PRESETS, *figure_presets.OF_PAPER_000)}
    assert not app.exception
    assert not names & {button.label for button in app.button}
    assert not app.code
    assert not app.get("download_button")
    assert "Assumptions" not in " ".join(block.value for block in app.markdown)
    unfold(app).run()
    assert names <= {button.label for button in app.button}
    assert app.code
    assert app.get("download_button")
    assert "Assumptions" in " ".join(block.value for block in app.markdown)


def test_sentences_count_people_in_both_worlds() -> None:
    text = in_both_worlds(page())
    assert "At most **41** of 10,000 people can be found while 10 of 10,000 outsiders are wrongly accused" in text
    assert "If 1,000 of 10,000 people are members, an accusation is right at most 3,114 of 10,000 times" in text
    assert "with this release, and 1,000 of 10,000 times without it" in text


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"order": "both", "noise": "0.5"},
        {"accused": "1e-08", "noise": "30"},
        {"accused": "0.01", "mechanism.prior": "0.0001"},
        {"knows_rate": "true", "noise": "0.13", "steps": "1", "rate": "1", "accused": "1000"},
    ],
)
def test_all_people_on_a_page_are_counted_of_one_crowd(query: dict[str, str]) -> None:
    """More than 10,000 only where the count would be none of them, or all."""
    app = page(**query)
    text = in_both_worlds(app)
    crowds = set(re.findall(r"(?:\bof|Of) (1[\d,]*0)\b", text))
    assert len(crowds) == 1, text
    (crowd,) = (int(one.replace(",", "")) for one in crowds)
    assert crowd == picture.scene(app)["crowd"]
    found = [int(one.replace(",", "")) for one in re.findall(r"[Aa]t most \*\*([\d,]+)", text)]
    assert crowd == 10_000 or found[0] < crowd / 1000 or crowd - found[0] < crowd / 1000


def test_a_prior_rests_where_nobody_is_accused_and_keeps_its_value() -> None:
    app = page(order="remove-one", prior="0.3")
    (prior,) = (slider for slider in app.select_slider if slider.key == "mechanism.prior")
    assert prior.disabled
    assert prior.label == "prior: nobody is accused"
    assert prior.value == 0.3
    assert not next(slider for slider in page(prior="0.3").select_slider if slider.key == "mechanism.prior").disabled


def test_metrics_state_the_guarantee_rounded_up() -> None:
    app = page()
    assert len(app.metric) == 6
    guarantee = cached.epsilon(CHOICE.mechanism, CHOICE.delta).upper
    assert guarantee <= float(metric(app, "ε")) <= guarantee + 1e-3
    assert "Certified between" in app.metric[0].help
    assert "Exact." in page(knows_rate="true", rate="1", steps="1").metric[0].help


def test_defaults_of_the_url_are_pinned() -> None:
    state = page().session_state
    assert {key: state[key] for key in DEFAULTS} == DEFAULTS
    assert list(Axes) == ["linear", "log-log"]
    assert list(SecondFigure) == ["evidence", "effect size", "ε and δ", "batches"]
    assert list(estimates.Estimate) == ["CLT", "Edgeworth", "Monte Carlo"]


def test_url_restores_the_view() -> None:
    app = page(
        noise="2", axes="linear", window="up to 1 %", second="effect size", prior="0.5", pins="Laplace_2_1_1_add"
    )
    state = app.session_state
    assert (state["axes"], state["window"], state["mechanism.second"], state["mechanism.prior"]) == (
        "linear",
        "up to 1 %",
        "effect size",
        0.5,
    )
    assert state["pins.kept"] == [Laplace(2.0)]
    assert len(app.table) == 1


@pytest.mark.parametrize(
    "query",
    [
        {"pins": "<script>"},
        {"pins": "Gaussian_nan_2_0_add__x"},
        {"mechanism.second": "none", "axes": "3d", "mechanism.prior": "-1"},
        {"mechanism.second": "", "axes": "", "window": ""},
    ],
)
def test_nonsense_in_the_url_is_harmless(query: dict[str, str]) -> None:
    app = page(**query)
    assert in_both_worlds(app) == in_both_worlds(page())
    assert app.session_state["pins.kept"] == []


@pytest.mark.parametrize(
    "query",
    [
        {"noise": "0.001"},
        {"noise": "1000"},
        {"knows_rate": "true", "steps": "1000000"},
        {"knows_rate": "true", "rate": "1e-7"},
        {"knows_rate": "true", "noise": "0.001", "rate": "1", "steps": "1"},
        {"knows_rate": "true", "noise": "1000", "rate": "1e-7", "steps": "1000000"},
        {"accused": "1e-08"},
        {"accused": "9990"},
    ],
)
def test_extremes_get_an_answer_or_a_message(query: dict[str, str]) -> None:
    app = page(**query)
    said = picture.parts(app)
    refused = [warning.value for warning in app.warning if warning.value.startswith("**No ")]
    assert said or refused
    assert not any("nan" in metric.value for metric in app.metric)
    assert button(app, "Pin and compare")


def test_refusal_leaves_the_rest_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise ValueError("too hard for this test.")

    monkeypatch.setattr(cached, "statistic", refuse)
    app = page()
    assert [warning.value for warning in app.warning] == ["**No second figure:** too hard for this test."]
    assert len(app.metric) == 6
    assert len(app.get("plotly_chart")) == 1


def test_weak_protection_is_said_in_words_and_strong_is_not() -> None:
    assert weak_epsilon.warning(CHOICE) == ""
    weak = weak_epsilon.warning(replace(CHOICE, mechanism=Gaussian(0.3, 0.01, 1000)))
    assert "too large to promise anything" in weak
    middling = weak_epsilon.warning(replace(CHOICE, mechanism=Gaussian(0.4)))
    assert "promises little" in middling
    metric = next(
        one for one in in_numbers.numbers(replace(CHOICE, mechanism=Gaussian(0.4)), 0.1) if one.label[0] == "ε"
    )
    assert f"An ε of {metric.value} promises little" in middling


def test_solving_sets_the_noise_that_keeps_the_limit() -> None:
    app = page(solve="true", knows_rate="true", rate="1", steps="1")
    assert any("Noise 3.73" in message.value for message in app.success)
    app.button(key="solve_for.use").click().run()
    assert app.session_state["noise"] == pytest.approx(3.7304, abs=5e-4)
    assert button(app, "This noise is in use").disabled  # type: ignore[attr-defined]
    assert 1.0 - SIX_DIGITS < float(metric(app, "ε")) <= 1.0


def test_epsilon_is_below_the_run_at_once() -> None:
    promised = cached.epsilon(CHOICE.mechanism, CHOICE.delta).upper
    said = f"ε is at most {rounded_up(promised, 4)} at δ = 10⁻⁵."
    assert said in [caption.value for caption in page().sidebar.caption]


def test_solving_scales_all_phases() -> None:
    app = page(solve="true", knows_rate="true", rate="1", steps="1", phases="2", noise_2="2", rate_2="1", steps_2="1")
    app.button(key="solve_for.use").click().run()
    state = app.session_state
    assert state["noise_2"] == pytest.approx(2.0 * state["noise"], rel=1e-5)
    assert 1.0 - SIX_DIGITS < float(metric(app, "ε")) <= 1.0


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"keep": "members found", "mechanism.goal_found": "0.0001"}, "guessing alone finds 0.001"),
        (
            {"keep": "epsilon", "mechanism.goal_epsilon": "1", "rate": "1e-7"},
            "No noise is needed",
        ),
    ],
)
def test_solving_says_when_there_is_nothing_to_find(query: dict[str, str], words: str) -> None:
    app = page(solve="true", knows_rate="true", steps="1", **query)
    said = [message.value for message in (*app.warning, *app.success)]
    assert any(words in text for text in said), said


def test_a_hundred_releases_are_counted_in_both_worlds() -> None:
    app = page(accused="9000")
    assert not any("Just now" in block.value for block in app.markdown)
    app.button(key="mechanism.run_releases").click().run()
    assert not app.exception
    (said,) = (block.value for block in app.markdown if "Just now" in block.value)
    with_record, without = (int(count) for count in re.findall(r"\*\*(\d+) of 100\*\*", said))
    assert 60 < without <= 100  # 90 expected; ten standard errors
    assert 60 < with_record <= 100


def test_address_keeps_every_value_of_a_control() -> None:
    app = page(estimates=["CLT", "Edgeworth"], pins="Laplace_2_1_1_add")
    (link,) = (block.value for block in app.code if "estimates" in block.value)
    assert "estimates=CLT&estimates=Edgeworth" in link
    assert "pins=Laplace_2_1_1_add" in link


def test_where_a_release_gives_members_away_for_certain_no_noise_is_said_to_help() -> None:
    for few, delta in ((TruncatedLaplace(2.0, 1.0, 3), 1e-9), (TruncatedLaplace(0.2, 1.0, 11), 1e-5)):
        said = weak_epsilon.warning(replace(CHOICE, mechanism=few, delta=delta))
        assert said.startswith("**No ε is known to hold at δ = ")
        assert said.endswith("and more noise where it is not truncated.")
    assert "more noise" in weak_epsilon.warning(replace(CHOICE, mechanism=Gaussian(0.3, 0.01, 1000))).lower()
