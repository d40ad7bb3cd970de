"""The page that measures a trained model: what it says of a sample, what it keeps, and its addresses."""

import pytest

from losses import SAMPLES
from numerics.epsilon_star import EMPIRICAL_CLIP, Method, estimate
from pages.measuring import audits, resampled
from pages.measuring.audits import Clip
from pages.measuring.source import Kind
from tests.page_epsilon_star import headline, page, samples_losses
from tests.page_visit import errors

# Public formats: names in the URL, and values that are left out of it because they are the defaults.
DEFAULTS: dict[str, object] = {
    "source": "a sample",
    "sample": "digits, overfitted",
    "method": "parametric",
    "clip_parametric": "exact",
    "audit_delta": None,
    "axes": "log-log",
}


def test_a_sample_is_shown_at_once() -> None:
    app = page()
    expected = estimate(*samples_losses(0))
    assert f"**ε\\* is {expected.value:.4g}:**" in headline(app)
    assert app.metric[1].label == "ε* (audit estimate)"
    assert app.metric[1].value == f"{expected.value:.4g}"
    assert any("no lower bound" in caption.value for caption in app.caption)
    assert not app.error


def test_keys_and_defaults_of_the_url_are_pinned() -> None:
    state = page().session_state
    assert {key: state[key] for key in DEFAULTS} == DEFAULTS
    assert page(method="empirical").session_state["clip_empirical"] == "paper's clip"
    assert [list(Kind), list(Clip), list(audits.METHODS)] == [
        ["a sample", "one file", "two files", "predictions", "several models"],
        ["exact", "paper's clip"],
        ["parametric", "empirical", "Gaussian mixtures"],
    ]
    assert [sample.name for sample in SAMPLES] == ["digits, overfitted", "digits, regularised"]


def test_the_lower_bound_comes_first_and_holds_at_its_level() -> None:
    groups = SAMPLES[0].groups()
    for level in audits.LEVELS:
        app = page(level=audits.percent(level))
        bound = estimate(groups.train, groups.population, method=Method.CONFIDENCE, level=level)
        assert f"With {audits.percent(level)} confidence" in headline(app)
        assert 0.0 <= bound.value - float(app.metric[0].value) <= 0.01 * bound.value
        assert str(app.metric[0].label) == f"ε* at least ({audits.percent(level)})"


def test_mixtures_by_hand() -> None:
    app = page(method="Gaussian mixtures", components="by hand", components_exact="2")
    expected = estimate(*samples_losses(0), method=Method.MIXTURE, components=2)
    assert app.metric[1].value == f"{expected.value:.4g}"
    assert len(app.get("plotly_chart")) == 2


def test_resampling_runs_to_its_table() -> None:
    app = page(about="bootstrap", sample="digits, regularised")
    (start,) = (button for button in app.button if button.label == "Start")
    start.click().run()
    while resampled.BENCH.running_key in app.session_state:
        app.run()
    assert not app.exception
    found = next(table.value for table in app.table if "replicates" in table.value)
    assert list(found["replicates"]) == ["1,000", "1,000"]
    low, high = (float(number) for number in found["middle 95 %"][0].split(" to "))
    assert low < float(app.metric[1].value) < high


def test_url_restores_a_view() -> None:
    app = page(sample="digits, regularised", method="empirical", audit_delta="0.001")
    expected = estimate(*samples_losses(1), 0.001, Method.EMPIRICAL, EMPIRICAL_CLIP)
    assert f"{expected.value:.4g}" in headline(app)
    assert app.metric[2].value == "0.001"


@pytest.mark.parametrize("key", [*DEFAULTS, "clip_empirical"])
@pytest.mark.parametrize("nonsense", ["nan", "-1", "1e999", "<b>", "", "١"])
def test_nonsense_in_the_url_is_harmless(key: str, nonsense: str) -> None:
    app = page(**{key: nonsense})
    assert headline(app) or "delta must be strictly between 0 and 1" in errors(app)


@pytest.mark.parametrize("delta", ["0", "1", "-0.5", "2"])
@pytest.mark.parametrize("clip", ["exact", "paper's clip"])
def test_impossible_delta_is_named(delta: str, clip: str) -> None:
    app = page(audit_delta=delta, clip_parametric=clip)
    assert "No estimate: delta must be strictly between 0 and 1" in errors(app).replace("*", "")


def test_infinite_by_counting_is_said() -> None:
    app = page(method="empirical", clip_empirical="exact")
    assert "ε\\* is infinite" in headline(app)
    assert app.metric[1].value == "∞"


def test_the_results_kept_are_bounded() -> None:
    app = page()
    for delta in range(1, 16):
        app.number_input(key="audit_delta").set_value(delta / 100).run()
    assert len(app.session_state["audits"]) == 12
