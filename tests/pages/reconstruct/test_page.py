"""The page on reconstruction: what it says and draws, that its presets run, and that addresses keep their format."""

import io
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from numerics import reconstruction
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Sampling
from pages.reconstruct import answer, figures, formulas, other_noise, presets
from pages.reconstruct.controls import ExtraCurve, FigureChoice
from pages.reconstruct.other_noise import Across
from pages.reconstruct.prior import KAPPA
from pages.ui import cached_reconstruction, estimates, prior_guess
from pages.ui.estimates import Estimate, EstimateChoice
from pages.ui.figure_controls import nearest
from pages.ui.numbers_in_words import at_most
from plotting.curves import EstimatedCurve
from tests.pages.reconstruct.visit import RELEASE, page, press, said, view

PRINTED = 1e-12  # both roads end in the same number

# Public formats: names in the URL, and values that are left out of it because they are the defaults.
DEFAULTS: dict[str, object] = {
    "reconstruct.axes": "log-log",
    "reconstruct.guess_window": "all",
    "reconstruct.also": [],
    "reconstruct.across": "effect size",
    "reconstruct.guess_limit": None,
    "reconstruct.guessed": "a record",
}


def headline(app: AppTest) -> str:
    return next(str(block.value) for block in app.markdown if str(block.value).startswith("## "))


def test_headline_says_what_a_guess_becomes() -> None:
    app = page()
    assert "guesses a record right 10 of 10,000 times gets it right at most **41 of 10,000** times" in headline(app)
    assert [metric.label for metric in app.metric][:3] == [
        "Right with the release, γ",
        "Times the guess",
        "More right guesses",
    ]
    assert [metric.value for metric in app.metric][:3] == ["0.00407", "4.07", "31 of 10,000"]
    assert len(app.get("plotly_chart")) == 1
    assert not app.warning


@pytest.mark.parametrize("rate", [1e-9, 3.7e-5, 0.0431, 0.0999, 0.1, 0.34, 0.9996])
def test_odds_never_understate_and_overstate_by_a_tenth_at_most(rate: float) -> None:
    count, of = (int(number.replace(",", "")) for number in re.split(" in | of ", prior_guess.odds(rate)))
    assert rate <= count / of * (1 + PRINTED)
    assert count / of <= 1.1 * rate


def test_headline_is_the_guarantee() -> None:
    for release in (RELEASE, Laplace(1.0), Gaussian(1.0, 1.0, 4)):
        success = cached_reconstruction.success(release, 1e-3)
        assert f"**{at_most(success.upper)}**" in answer.sentence(view(release))
        assert cached_reconstruction.success(release, 1e-3).upper <= release.reconstruction(1e-3).upper * (1 + 1e-3)


def test_no_protection_and_likely_reconstruction_are_said() -> None:
    assert "No protection here" in answer.sentence(view(Gaussian(0.01)))
    assert "likelier than not" in answer.weakness(view(Gaussian(0.1)))
    assert answer.weakness(view()) == ""


def test_weak_releases_are_not_said_to_be_weaker_or_stronger_than_is_known() -> None:
    """A test of presence exists; that an attack on k exact candidates does as well is not known, nor true for k = 10.

    A bracket's lower end is therefore no statement about reconstruction, least of all for batches of fixed size.
    """
    fixed = Gaussian(0.5, 0.2, 20, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE)
    for release in (Laplace(2.0, 1.0, 100), fixed):
        words = answer.weakness(view(release, 0.1))
        assert "attack" not in words
        assert f"at most {prior_guess.odds(cached_reconstruction.success(release, 0.1).upper)} times" in words
    app = page(more="what the limit allows")
    assert "no longer promised" in app.success[-1].value
    assert "attack" not in app.success[-1].value


def test_defaults_of_the_url_are_pinned() -> None:
    state = page(more="other noise").session_state
    assert {key: state[key] for key in DEFAULTS} == DEFAULTS
    assert list(ExtraCurve) == ["record unknown (RTM)", "from ε and δ alone"]
    assert list(Across) == ["effect size", "ε"]


def test_url_restores_the_view() -> None:
    app = page(
        **{"reconstruct.axes": "linear"},
        guess_window="up to 1 %",
        also=["from ε and δ alone", "record unknown (RTM)"],
        estimates=["CLT", "Edgeworth"],
        edgeworth_order="3",
        knows="k candidates",
        candidates="100",
        pins="Laplace_2_1_1_add",
        more="only ε and δ known",
    )
    assert "(one of 100 candidates)" in headline(app)
    assert app.session_state["pins.kept"] == [Laplace(2.0)]
    assert "Edgeworth estimate, order 3" in said(app)
    assert "CLT estimate" in said(app)
    assert any("γ at κ = 0.01" in str(table.value.to_numpy()) for table in app.table)


@pytest.mark.parametrize(
    "query",
    [
        {"reconstruct.more": "x"},
        {"reconstruct.also": ["x"], "reconstruct.across": "x", "reconstruct.guess_window": "x"},
        {
            "reconstruct.axes": "",
            "reconstruct.also": "",
            "reconstruct.across": "",
            "reconstruct.guess_window": "",
            "reconstruct.knows": "",
            "reconstruct.candidates_from": "",
        },
        {"reconstruct.more": "same ε, other rate", "reconstruct.same_order": ""},
    ],
)
def test_nonsense_in_the_address_is_harmless(query: dict[str, str]) -> None:
    app = page(**query)
    assert "**41 of 10,000**" in headline(app)
    assert not app.warning


@pytest.mark.parametrize(
    "query",
    [
        {"noise": "0.001"},
        {"knows_rate": "true", "noise": "1000", "rate": "1e-7", "steps": "1000000"},
        {"knows_rate": "true", "rate": "1e-7", "reconstruct.kappa_exact": "1e-12"},
        {"knows_rate": "true", "mechanism": "Laplace", "steps": "1000000", "rate": "1e-7"},
        {"reconstruct.kappa_exact": "0.999"},
        {"sampling": "fixed size"},
    ],
)
def test_extremes_get_an_answer_or_a_message(query: dict[str, str]) -> None:
    app = page(**query)
    assert "gets it right" in said(app) or "may always be right" in said(app) or app.warning


@pytest.mark.parametrize("figure", presets.FIGURES, ids=lambda figure: str(figure.name))
def test_every_figure_of_the_papers_has_its_settings(figure: presets.ReconstructionPreset) -> None:
    """Those that share a part of their settings are drawn below; here is what the paper says of each."""
    assert cached_reconstruction.success(figure.mechanism, figure.prior).upper > figure.prior
    if figure.same:
        rates = [figure.same[f"reconstruct.same_rate_{number}"] for number in (1, 2, 3)]
        assert rates == [0.1, 0.5, 0.9]
        assert figure.mechanism.epsilon(1e-5).upper == pytest.approx(4.0, abs=1e-4)
    if "no more of its settings" in figure.words:
        most = int(re.findall(r"ε up to (\d+)", figure.words)[0])
        right = figure.mechanism.with_noise(figure.mechanism.noise_multiplier / 2.0)
        pure = right.steps * np.log1p(right.sampling_rate * np.expm1(1.0 / right.noise_multiplier))
        epsilon = pure if isinstance(right, Laplace) else right.epsilon(figure.delta).upper
        assert epsilon == pytest.approx(most, rel=0.002)


@pytest.mark.parametrize("name", ["003 Fig. 1a", "003 Fig. 3", "003 Fig. 2, CIFAR-10", "000 Fig. 7, SNLI"])
def test_a_preset_sets_the_whole_page(name: str) -> None:
    app = press(page(noise="2", kappa="0.5", window="up to 1 %"), name)
    (figure,) = (figure for figure in presets.FIGURES if figure.name == name)
    success = cached_reconstruction.success(figure.mechanism, figure.prior)
    assert prior_guess.in_words(figure.prior, success.upper)[1] in headline(app)
    assert app.session_state["reconstruct.more"] == figure.part
    assert len(app.get("plotly_chart")) == {None: 1, presets.OTHER_NOISE: 2, presets.SAME_EPSILON: 3}[figure.part]
    assert not app.info


def test_an_estimate_elsewhere_says_where() -> None:
    assert "puts γ at " in said(page(estimates="CLT", kappa="1e-06"))
    assert "puts γ at κ = 10⁻⁹, where estimates start, at" in said(page(estimates="CLT", kappa_exact="1e-12"))


def test_ratios_are_taken_at_equal_priors() -> None:
    curve = cached_reconstruction.curve(RELEASE)
    guesses = estimates.overlays(RELEASE, estimates.EstimateChoice((estimates.Estimate.CLT,), 2))
    (ratio,) = figures.ratios(curve, guesses)
    at = int(np.argmin(np.abs(ratio.prior - 1e-7)))
    truth = RELEASE.reconstruction(float(ratio.prior[at])).estimate
    guess = guesses[0].curve.power[int(np.flatnonzero(guesses[0].curve.alpha == ratio.prior[at])[0])]
    assert ratio.ratio[at] == pytest.approx(guess / truth, rel=1e-3)
    (itself,) = figures.ratios(curve, [EstimatedCurve(curve)])
    np.testing.assert_allclose(itself.ratio, 1.0)


def test_downloads_hold_what_was_drawn() -> None:
    curve = cached_reconstruction.curve(RELEASE)
    text = figures.curves_table([curve], {"prior in force": "kappa = 0.001"})
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert lines[0] == "curve,kind,prior,reconstruction,at most,at least"
    *_, prior, gamma, most, least = lines[100].rsplit(",", 4)
    assert (float(prior), float(gamma)) == (curve.alpha[99], curve.power[99])
    assert float(least) <= float(gamma) <= float(most)


@pytest.mark.parametrize("across", Across)
def test_second_figure_has_its_data(across: Across) -> None:
    shown = replace(view(RELEASE), shown=FigureChoice(estimates=EstimateChoice((Estimate.CLT,), 2)))
    frame = pd.read_csv(io.StringIO(other_noise.data(shown, across)), comment="#")
    assert list(frame["curve"].unique())[1:] == ["CLT"]
    assert (frame["at least"] <= frame["at most"]).all()
    assert across.value in frame


@pytest.mark.parametrize(
    "release", [RELEASE, Laplace(0.5, 0.1, 10, Adjacency.REPLACE_ONE), Composition((RELEASE, Gaussian(2.0)))]
)
def test_snippet_prints_the_pages_numbers(
    release: Gaussian | Laplace | Composition, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = view(release)
    exec(formulas.snippet(shown), {})
    printed = capsys.readouterr().out
    assert str(cached_reconstruction.success(release, 1e-3).upper) in printed
    assert f"epsilon: {shown.epsilon!r}\n" in printed
    assert str(reconstruction.from_epsilon_delta(shown.epsilon, 1e-5, 1e-3)) in printed


def test_a_click_puts_the_nearest_round_prior_in_force() -> None:
    assert nearest(1.1e-6, KAPPA.values) == 1e-6
