"""The page that measures a trained model: what it says of a sample, what it keeps, and its addresses."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from losses import SAMPLES
from numerics.epsilon_star import EMPIRICAL_CLIP, LossScale, Method, default_delta, estimate
from numerics.epsilon_star.permutation import shuffled
from pages.audit.epsilon_star import bootstrap, options
from pages.audit.epsilon_star.options import Clip
from pages.audit.epsilon_star.source_controls import SourceKind
from pages.ui.numbers_in_words import rounded_down, rounded_up
from reports.losses_words import percent
from tests.pages.audit.epsilon_star.sources import losses
from tests.pages.audit.epsilon_star.visit import headline, page, samples_losses
from tests.pages.uploading import give
from tests.pages.visit import errors

# Public formats: names in the URL, and values that are left out of it because they are the defaults.
DEFAULTS: dict[str, object] = {
    "audit.source": "a sample",
    "audit.sample": "digits, overfitted",
    "audit.method": "parametric",
    "audit.fit_scale": "log odds",
    "audit.clip_parametric": "exact",
    "audit.delta": None,
    "audit.axes": "log-log",
}


def test_a_sample_is_shown_at_once() -> None:
    app = page()
    bound = estimate(*samples_losses(0)).confidence
    assert bound is not None
    assert "96 of 899 outsiders, but 0 of 898 members, have a loss above" in headline(app)
    assert f"with 95 % confidence ε\\* is at least **{rounded_down(bound.value)}**." in headline(app)
    ceiling = f"Samples of these sizes can show at most {rounded_up(bound.attainable)}."
    assert any(ceiling in caption.value for caption in app.caption)
    assert any("no lower bound" in caption.value for caption in app.caption)
    assert not app.error


def test_keys_and_defaults_of_the_url_are_pinned() -> None:
    state = page().session_state
    assert {key: state[key] for key in DEFAULTS} == DEFAULTS
    assert page(method="empirical").session_state["audit.clip_empirical"] == "paper's clip"
    assert [list(SourceKind), list(Clip), list(options.METHODS)] == [
        ["a sample", "one file", "two files", "predictions", "several models"],
        ["exact", "paper's clip"],
        ["parametric", "empirical", "Gaussian mixtures"],
    ]
    assert [sample.name for sample in SAMPLES] == ["digits, overfitted", "digits, regularised"]


def test_the_lower_bound_comes_first_and_holds_at_its_level() -> None:
    groups = SAMPLES[0].groups()
    for level in options.LEVELS:
        app = page(level=percent(level))
        bound = estimate(groups.train, groups.population, method=Method.CONFIDENCE, level=level)
        said = re.search(rf"with {percent(level)} confidence ε\\\* is at least \*\*(.*)\*\*", headline(app))
        assert said
        assert 0.0 <= bound.value - float(said[1]) <= 0.01 * bound.value


def estimate_line(app: AppTest, method: str = "parametric") -> str:
    (line,) = (block.value for block in app.markdown if f"Estimate ({method})" in block.value)
    return str(line)


def test_an_estimate_that_says_nothing_is_struck_out_and_in_no_headline() -> None:
    """The overfitted sample: 8.7 by normal fits where samples of these sizes can show 4.96 at most."""
    app = page()
    fit = estimate(*samples_losses(0), method=Method.PARAMETRIC, scale=LossScale.LOG_ODDS)
    said = estimate_line(app)
    assert f":gray[~~{fit.value:.4g}~~] :gray-badge[says nothing about these losses]" in said
    assert "larger than anything that samples of these sizes can show" in said
    assert f"{fit.value:.4g}" not in headline(app)
    assert "10³" not in headline(app)


def test_the_null_is_that_of_these_losses() -> None:
    app = page()
    *_, null = shuffled(
        *samples_losses(0), default_delta(len(samples_losses(0)[0])), Method.PARAMETRIC, None, LossScale.LOG_ODDS
    )
    said = next(block.value for block in app.caption if "was shuffled" in block.value)
    assert f"shuffled 199 times, and the same estimate on them has the median {null.median:.4g}" in said
    assert f"exceeds {null.upper:.4g} in one case of 20 (p = 0.005)" in said


def test_as_printed_is_selectable_and_flagged() -> None:
    app = page(fit_scale="as printed", sample="digits, regularised")
    fit = estimate(*samples_losses(1), method=Method.PARAMETRIC, scale=LossScale.PRINTED)
    assert f"{fit.value:.4g}" in estimate_line(app)
    assert "-badge[" in estimate_line(app)


def test_mixtures_by_hand() -> None:
    app = page(method="Gaussian mixtures", components="by hand", components_exact="2")
    expected = estimate(*samples_losses(0), method=Method.MIXTURE, components=2, scale=LossScale.LOG_ODDS)
    assert f"~~{expected.value:.4g}~~" in estimate_line(app, "Gaussian mixtures")
    assert len(app.get("plotly_chart")) == 3


def test_resampling_runs_to_its_table() -> None:
    app = page(about="bootstrap", sample="digits, regularised")
    (start,) = (button for button in app.button if button.label == "Start")
    start.click().run()
    while bootstrap.RUNNER.running_key in app.session_state:
        app.run()
    assert not app.exception
    found = next(table.value for table in app.table if "replicates" in table.value)
    assert list(found["replicates"]) == ["1,000"]
    low, high = (float(number) for number in found["middle 95 %"][0].split(" to "))
    fit = estimate(*samples_losses(1), method=Method.PARAMETRIC, scale=LossScale.LOG_ODDS)
    assert low < fit.value < high


def test_url_restores_a_view() -> None:
    app = page(sample="digits, regularised", method="empirical", **{"audit.delta": "0.001"})
    expected = estimate(*samples_losses(1), 0.001, Method.EMPIRICAL, EMPIRICAL_CLIP)
    assert f"**{expected.value:.4g}** :orange-badge[" in estimate_line(app, "empirical")
    assert any("share δ = 0.001 of people" in caption.value for caption in app.caption)


@pytest.mark.parametrize("key", [*DEFAULTS, "clip_empirical"])
@pytest.mark.parametrize("nonsense", ["nan", "-1", "1e999", "<b>", "", "١"])
def test_nonsense_in_the_url_is_harmless(key: str, nonsense: str) -> None:
    app = page(**{key: nonsense})
    assert headline(app) or "delta must be strictly between 0 and 1" in errors(app)


@pytest.mark.parametrize("delta", ["0", "1", "-0.5", "2"])
@pytest.mark.parametrize("clip", ["exact", "paper's clip"])
def test_impossible_delta_is_named(delta: str, clip: str) -> None:
    app = page(clip_parametric=clip, **{"audit.delta": delta})
    assert "No answer: delta must be strictly between 0 and 1" in errors(app).replace("*", "")


def test_infinite_by_counting_is_said() -> None:
    app = page(method="empirical", clip_empirical="exact")
    assert "**∞** :orange-badge[" in estimate_line(app, "empirical")
    assert any("one extreme loss is enough" in block.value for block in app.markdown)


def test_the_results_kept_are_bounded() -> None:
    app = give(page(source="one file"), ("losses.csv", losses(1)))
    for delta in range(1, 16):
        app.number_input(key="audit.delta").set_value(delta / 100).run()
    assert len(app.session_state["audit.audits"]) == 36
