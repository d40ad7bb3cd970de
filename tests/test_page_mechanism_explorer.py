"""The explorer page: what it says, that its parts fail alone, and that its addresses keep their format."""

import io
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace
from numerics.privacy_loss import PrecisionError
from numerics.trade_off import Bound, Bracket, Order, TradeOffCurve
from pages.shared import answer, cached, comparison, estimates, figure_presets, pins, release_figures, sweeps, view
from pages.shared.controls import ALPHA, Choice
from pages.shared.formulas import formulas
from pages.shared.presets import PRESETS
from pages.shared.view import Second
from plotting.curves import Axes
from tests.page_visit import script_of, unfold, visited

PAGE = "pages/mechanism_explorer.py"
SECONDS = 60  # the first run imports Plotly and computes certified curves on a busy machine
ROUNDED = 1e-12  # the same number by two roads
CHOICE = Choice(Gaussian(1.0, 0.01, 1000), 1e-3, Order.ADD, 1e-5)

# Public formats: names in the URL, and values that are left out of it because they are the defaults.
DEFAULTS: dict[str, object] = {
    "axes": "log-log",
    "window": "all",
    "second": "evidence",
    "prior": 0.1,
    "estimates": [],
}


def page(**query: str | list[str]) -> AppTest:
    """The explorer as a visitor of ``/mechanism?query`` gets it."""
    return visited(AppTest.from_string(script_of(PAGE), default_timeout=SECONDS), query)


def headline(app: AppTest) -> str:
    (text,) = (block.value for block in app.markdown if block.value.startswith("## "))
    return str(text)


def metric(app: AppTest, start: str) -> str:
    (found,) = (metric.value for metric in app.metric if metric.label.startswith(start))
    return str(found)


def button(app: AppTest, label: str) -> object:
    (found,) = (button for button in app.button if button.label == label)
    return found


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


def test_headline_counts_people_in_both_worlds() -> None:
    text = headline(page())
    assert "finds at most **41** while falsely accusing 1 in 1,000 outsiders" in text
    assert "right at most 312 of 1,000 times with this release, and 100 of 1,000 times without it" in text


def test_metrics_state_the_guarantee_rounded_up() -> None:
    app = page()
    assert len(app.metric) == 6
    guarantee = cached.epsilon(CHOICE.mechanism, CHOICE.delta).upper
    assert guarantee <= float(metric(app, "ε")) <= guarantee + 1e-3
    assert "Certified between" in app.metric[0].help
    assert "Exact." in page(rate="1", steps="1").metric[0].help


def test_defaults_of_the_url_are_pinned() -> None:
    state = page().session_state
    assert {key: state[key] for key in DEFAULTS} == DEFAULTS
    assert list(Axes) == ["linear", "log-log"]
    assert list(Second) == ["evidence", "effect size", "ε and δ"]
    assert list(estimates.Estimate) == ["CLT", "Edgeworth", "Monte Carlo"]


def test_url_restores_the_view() -> None:
    app = page(
        noise="2", axes="linear", window="up to 1 %", second="effect size", prior="0.5", pins="Laplace_2_1_1_add"
    )
    state = app.session_state
    assert (state["axes"], state["window"], state["second"], state["prior"]) == (
        "linear",
        "up to 1 %",
        "effect size",
        0.5,
    )
    assert state["pinned"] == [Laplace(2.0)]
    assert len(app.table) == 1


@pytest.mark.parametrize(
    "query",
    [
        {"pins": "<script>"},
        {"pins": "Gaussian_nan_2_0_add__x"},
        {"second": "none", "axes": "3d", "prior": "-1"},
        {"second": "", "axes": "", "window": ""},
    ],
)
def test_nonsense_in_the_url_is_harmless(query: dict[str, str]) -> None:
    app = page(**query)
    assert headline(app) == headline(page())
    assert app.session_state["pinned"] == []


@pytest.mark.parametrize("second", Second)
@pytest.mark.parametrize(
    "query",
    [
        {"rate": "1", "steps": "1"},
        {"mechanism": "Laplace", "rate": "0.1", "steps": "50"},
        {"phases": "3", "steps": "100"},
        {"order": "both", "adjacency": "replace-one"},
        {"order": "remove-one"},
        {"axes": "linear", "window": "up to 0.1 %", "alpha": "0.1"},
    ],
)
def test_every_figure_is_drawn_for_every_kind_of_release(query: dict[str, str], second: Second) -> None:
    app = page(second=second.value, **query)
    assert len(app.get("plotly_chart")) == 2
    assert not app.warning


@pytest.mark.parametrize(
    "query",
    [
        {"noise_exact": "0.001"},
        {"noise_exact": "1000"},
        {"steps": "1000000"},
        {"rate_exact": "1e-7"},
        {"noise_exact": "0.001", "rate": "1", "steps": "1"},
        {"noise_exact": "1000", "rate_exact": "1e-7", "steps": "1000000"},
        {"alpha_exact": "1e-12"},
        {"alpha_exact": "0.999"},
    ],
)
def test_extremes_get_an_answer_or_a_message(query: dict[str, str]) -> None:
    app = page(**query)
    said = [block.value for block in app.markdown if block.value.startswith("## ")]
    refused = [warning.value for warning in app.warning if warning.value.startswith("**No ")]
    assert said or refused
    assert not any("nan" in metric.value for metric in app.metric)
    assert button(app, "Pin and compare")


def test_refusal_leaves_the_rest_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PrecisionError("too hard for this test.")

    monkeypatch.setattr(cached, "statistic", refuse)
    app = page()
    assert [warning.value for warning in app.warning] == ["**No second figure:** too hard for this test."]
    assert len(app.metric) == 6
    assert len(app.get("plotly_chart")) == 1


def test_refusals_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def refuse(self: Gaussian, *_: object) -> None:
        asked.append(self)
        raise PrecisionError("too hard.")

    monkeypatch.setattr(Gaussian, "certified", refuse)
    release = Gaussian(0.987, 0.01, 77)
    for question in (cached.advantage, cached.auc, cached.trade_off):
        with pytest.raises(PrecisionError, match="too hard"):
            question(release)
    assert asked == [release]


def test_weak_protection_is_said_in_words_and_strong_is_not() -> None:
    assert answer.weakness(CHOICE) == ""
    weak = answer.weakness(replace(CHOICE, mechanism=Gaussian(0.3, 0.01, 1000)))
    assert "too large to promise anything" in weak
    middling = answer.weakness(replace(CHOICE, mechanism=Gaussian(0.4)))
    assert "promises little" in middling
    metric = next(one for one in answer.numbers(replace(CHOICE, mechanism=Gaussian(0.4)), 0.1) if one.label[0] == "ε")
    assert f"An ε of {metric.value} promises little" in middling


RELEASES: list[sweeps.Release] = [
    Gaussian(1.0, 0.01, 1000),
    Laplace(0.333333, 1e-7, 1_000_000, Adjacency.REPLACE_ONE),
    Composition((Gaussian(1.25, 0.5, 3), Gaussian(2.0))),
    Gaussian(1.4146300123456789, 1 / 3, 7),
]


@pytest.mark.parametrize("release", RELEASES)
def test_pins_are_read_as_they_are_spelled(release: sweeps.Release) -> None:
    assert pins.read(pins.spelled(release)) == release


def test_spelling_of_pins_is_pinned() -> None:
    assert [pins.spelled(release) for release in RELEASES] == [
        "Gaussian_1_0.01_1000_add",
        "Laplace_0.333333_1e-07_1000000_replace",
        "Gaussian_1.25_0.5_3_add~Gaussian_2_1_1_add",
        "Gaussian_1.414630012345679_0.3333333333333333_7_add",
    ]


@pytest.mark.parametrize(
    "text", ["", "Gaussian_1_0.01_1000", "Gaussian_-1_0.01_10_add", "Gauss_1_1_1_add", "~~", "a" * 999]
)
def test_misspelled_pins_are_no_pins(text: str) -> None:
    assert pins.read(text) is None


def test_pin_compare_and_unpin() -> None:
    app = page()
    button(app, "Pin and compare").click().run()  # type: ignore[attr-defined]
    assert app.session_state["pinned"] == [CHOICE.mechanism]
    assert app.query_params["pins"] == "Gaussian_1_0.01_1000_add"
    app.select_slider(key="noise").set_value(2.0).run()
    assert [curve.label for curve in comparison_curves(app)] == ["A: Gaussian, noise 1, rate 0.01, 1,000 steps"]
    button(app, "Unpin A: Gaussian, noise 1, rate 0.01, 1,000 steps").click().run()  # type: ignore[attr-defined]
    assert app.session_state["pinned"] == []
    assert "pins" not in app.query_params


def comparison_curves(app: AppTest) -> list[TradeOffCurve]:
    kept = app.session_state["pinned"]
    return [replace(cached.trade_off(release), label=f"A: {release.label}") for release in kept]


@pytest.mark.parametrize(
    ("address", "kept", "left_out"),
    [
        ("", 0, 0),
        ("Laplace_2_1_1_add", 1, 0),
        ("nonsense__Laplace_2_1_1_add__<b>", 1, 2),
        ("__".join(["Laplace_2_1_1_add"] * 6), 4, 2),
        ("__" * 100_000, 0, 101),
    ],
    ids=lambda value: str(value)[:20],
)
def test_pins_that_are_left_out_are_counted(address: str, kept: int, left_out: int) -> None:
    found, lost = pins.read_all(address)
    assert (len(found), lost) == (kept, left_out)


def test_pins_that_are_left_out_are_said() -> None:
    app = page(pins="nonsense__Laplace_2_1_1_add")
    assert "1 of the pins" in app.toast[0].value
    assert not page(pins="Laplace_2_1_1_add").toast


def test_no_more_than_four_pins() -> None:
    five = "__".join(f"Gaussian_{noise}_1_1_add" for noise in range(1, 6))
    app = page(pins=five)
    assert len(app.session_state["pinned"]) == pins.LARGEST == 4
    assert button(app, "Pin and compare").disabled  # type: ignore[attr-defined]


def test_table_compares_with_the_release_in_force() -> None:
    table = comparison._table(CHOICE, [CHOICE.mechanism, Gaussian(1.0)])
    assert list(table) == ["at most", "now", "A", "B"]
    assert all(cell.endswith("(× 1.00)") for cell in table["A"])
    assert table["B"][0].startswith("4.378")


def test_solving_sets_the_noise_that_keeps_the_limit() -> None:
    app = page(solve="true", rate="1", steps="1")
    assert any("Noise multiplier 3.73" in message.value for message in app.success)
    button(app, "Use this noise").click().run()  # type: ignore[attr-defined]
    assert app.session_state["noise_exact"] == pytest.approx(3.7304, abs=5e-4)
    assert float(metric(app, "ε")) == 1.0


def test_solving_scales_all_phases() -> None:
    app = page(solve="true", rate="1", steps="1", phases="2", noise_2="2", rate_2="1", steps_2="1")
    button(app, "Use this noise").click().run()  # type: ignore[attr-defined]
    state = app.session_state
    assert state["noise_2"] == pytest.approx(2.0 * state["noise_exact"], rel=1e-5)
    assert float(metric(app, "ε")) == 1.0


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"limit": "members found", "goal_found": "0.0001"}, "guessing alone finds 0.001"),
        ({"limit": "epsilon", "goal_epsilon": "1", "rate_exact": "1e-7"}, "No noise is needed"),
    ],
)
def test_solving_says_when_there_is_nothing_to_find(query: dict[str, str], words: str) -> None:
    app = page(solve="true", steps="1", **query)
    said = [message.value for message in (*app.warning, *app.success)]
    assert any(words in text for text in said), said


def test_estimates_are_off_at_first_and_judged_in_words() -> None:
    assert not any("puts the members found" in block.value for block in page().markdown)
    app = page(estimates=["CLT", "Edgeworth"])
    (judged,) = (block.value for block in app.markdown if "puts the members found" in block.value)
    assert "CLT estimate" in judged
    assert "8 % too low, so the risk looks smaller than it is" in judged
    assert "Edgeworth estimate, order 2" in judged


def test_sampling_that_would_take_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="leave time for 10 samples"):
        estimates._samples(Gaussian(1.0, 0.01, 1_000_000))


@pytest.mark.parametrize(
    ("guess", "words"),
    [(1.0, "they agree here"), (1.2, "20 % too high"), (5.0, "5 times, far too high"), (0.5, "50 % too low")],
)
def test_errors_of_estimates_in_words(guess: float, words: str) -> None:
    assert estimates.comparison(guess, 1.0).startswith(words)


def test_a_click_takes_the_nearest_round_value() -> None:
    assert view.nearest(0.00105, ALPHA.values) == 0.001
    assert view.nearest(0.0, ALPHA.values) == min(ALPHA.values)
    assert view.nearest(1.0, ALPHA.values) == max(ALPHA.values)


def test_power_against_effect_size_passes_through_the_release() -> None:
    curve = sweeps.power_against_effect(Gaussian(2.0), 0.01, Order.ADD)
    at_one = int(np.argmin(np.abs(curve.effect_size - 0.5)))
    assert curve.bound is Bound.EXACT
    assert curve.power[at_one] == pytest.approx(Gaussian(2.0).power(0.01).estimate, rel=0.05)
    assert np.all(np.diff(curve.effect_size) > 0.0)
    assert np.all(np.diff(curve.power) > 0.0)


def test_power_against_effect_size_keeps_what_was_computed_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeps, "_SECONDS", 0.0)
    (effect,) = sweeps.power_against_effect(Gaussian(2.0), 0.01, Order.ADD).effect_size
    assert effect == pytest.approx(0.5, rel=0.02)  # the release's own, or the grid point nearest to it


def test_profile_falls_from_the_advantage_to_nothing() -> None:
    release = Gaussian(1.0, 0.01, 1000)
    curve = cached.profile(release, 1e-5)
    assert curve.delta[0] == pytest.approx(cached.advantage(release).estimate, rel=ROUNDED)
    assert curve.upper[-1] == pytest.approx(1e-10, rel=0.05)  # the end is sought with a bracket that reaches further
    assert np.all(np.diff(curve.delta) <= 0.0)
    assert np.all((curve.lower <= curve.delta) & (curve.delta <= curve.upper))


def test_profile_of_a_release_without_finite_epsilon_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    release = Gaussian(1.0, 0.01, 10)
    monkeypatch.setattr(Gaussian, "epsilon", lambda *_: Bracket(1.0, np.inf, np.inf))
    with pytest.raises(ValueError, match="epsilon is infinite"):
        sweeps.profile(release, 1e-5, cached.PRECISION)


@pytest.mark.parametrize("release", [Gaussian(1.0), Laplace(1.0, 0.5), *RELEASES])
def test_every_formula_has_a_source(release: sweeps.Release) -> None:
    shown = formulas(release)
    assert len(shown) >= 3
    assert all(formula.latex and formula.words and formula.source for formula in shown)


def test_a_hundred_releases_are_counted_in_both_worlds() -> None:
    app = page(alpha="0.9")
    assert not any("Just now" in block.value for block in app.markdown)
    app.button(key="run_releases").click().run()
    assert not app.exception
    (said,) = (block.value for block in app.markdown if "Just now" in block.value)
    with_record, without = (int(count) for count in re.findall(r"\*\*(\d+) of 100\*\*", said))
    assert 60 < without <= 100  # 90 expected; ten standard errors
    assert 60 < with_record <= 100


@pytest.mark.parametrize("second", Second)
def test_second_figure_has_its_data(second: Second) -> None:
    text = release_figures.second_table(CHOICE, second, 1)
    frame = pd.read_csv(io.StringIO(text), comment="#")
    drawn = {
        Second.EVIDENCE: lambda: cached.statistic(CHOICE.mechanism).alternative,
        Second.POWER: lambda: cached.power_against_effect(CHOICE.mechanism, CHOICE.alpha, CHOICE.order).power,
        Second.PROFILE: lambda: cached.profile(CHOICE.mechanism, CHOICE.delta).delta,
    }[second]()
    column = {Second.EVIDENCE: "mass with", Second.POWER: "power", Second.PROFILE: "delta"}[second]
    np.testing.assert_array_equal(frame[column][: len(drawn)], drawn)
    assert CHOICE.mechanism.label in text


def test_address_keeps_every_value_of_a_control() -> None:
    app = page(estimates=["CLT", "Edgeworth"], pins="Laplace_2_1_1_add")
    (link,) = (block.value for block in app.code if "estimates" in block.value)
    assert "estimates=CLT&estimates=Edgeworth" in link
    assert "pins=Laplace_2_1_1_add" in link
