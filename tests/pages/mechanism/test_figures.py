"""What the explorer page draws of a release: estimates, curves over its parameters, their data, and formulas."""

import io
import json

import numpy as np
import pandas as pd
import pytest

from numerics.deadline import DeadlineError
from numerics.mechanisms import Gaussian, Laplace, Mechanism, Sampling
from numerics.mechanisms.noisy_max import LaplaceNoisyMax, PermuteAndFlip
from numerics.trade_off import Bound, Bracket, Order
from pages.mechanism import batches, figures
from pages.server.budget import Budget, within
from pages.ui import cached, estimates, figure_controls, release_curves
from pages.ui.figure_controls import SecondFigure
from pages.ui.release_controls import ALPHAS
from pages.ui.release_formulas import formulas
from tests.pages.mechanism.visit import CHOICE, RELEASES, page

ROUNDED = 1e-12  # the same number by two roads


@pytest.mark.parametrize("second", SecondFigure)
@pytest.mark.parametrize(
    "query",
    [
        {"knows_rate": "true", "rate": "1", "steps": "1"},
        {"knows_rate": "true", "mechanism": "Laplace", "rate": "0.1", "steps": "50"},
        {"knows_rate": "true", "phases": "3", "steps": "100"},
        {"order": "both", "adjacency": "replace-one"},
        {"order": "remove-one"},
        {"axes": "linear", "window": "up to 0.1 %", "accused": "1000"},
    ],
)
def test_every_figure_is_drawn_for_every_kind_of_release(query: dict[str, str], second: SecondFigure) -> None:
    app = page(second=second.value, **query)
    no_batches = second is SecondFigure.BATCHES and query.get("rate") == "1"
    assert len(app.get("plotly_chart")) == (1 if no_batches else 2)
    assert not app.warning


@pytest.mark.parametrize("query", [{"noise": "1.41524"}, {"order": "remove-one", "accused": "1e-05"}])
def test_the_legend_of_the_evidence_has_the_number_of_the_answer(query: dict[str, str]) -> None:
    app = page(**query)
    (answer,) = (str(one.value) for one in app.metric if " at α = " in one.label)
    names = {str(trace.get("name")) for trace in json.loads(app.get("plotly_chart")[1].proto.spec)["data"]}
    verdict = "ruled out" if "order" in query else "accused"
    assert any(name.endswith(f"the record: at most {answer} {verdict}") for name in names)


def test_where_a_record_is_replaced_it_is_said_in_words_why_an_unknown_one_has_no_curve() -> None:
    (said,) = (block.value for block in page(relaxed="true", adjacency="replace-one").info)
    assert "what replaces it is not defined" in said
    assert "got" not in said


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
    assert estimates.error_in_words(guess, 1.0).startswith(words)


def test_a_click_takes_the_nearest_round_value() -> None:
    assert figure_controls.nearest(0.00105, ALPHAS) == 0.001
    assert figure_controls.nearest(0.0, ALPHAS) == min(ALPHAS)
    assert figure_controls.nearest(1.0, ALPHAS) == max(ALPHAS)


def test_power_against_effect_size_passes_through_the_release() -> None:
    curve = release_curves.power_against_effect(Gaussian(2.0), 0.01, Order.ADD)
    at_one = int(np.argmin(np.abs(curve.effect_size - 0.5)))
    assert curve.bound is Bound.EXACT
    assert curve.power[at_one] == pytest.approx(Gaussian(2.0).power(0.01).estimate, rel=0.05)
    assert np.all(np.diff(curve.effect_size) > 0.0)
    assert np.all(np.diff(curve.power) > 0.0)


def test_power_against_effect_size_stops_where_there_is_no_time() -> None:
    with within(Budget(0.0)), pytest.raises(DeadlineError):
        release_curves.power_against_effect(Gaussian(2.0), 0.0123, Order.ADD)


def test_profile_falls_from_the_advantage_to_nothing() -> None:
    release = Gaussian(1.0, 0.01, 1000)
    curve = release_curves.profile(release, 1e-5, cached.PRECISION)
    assert curve.delta[0] == pytest.approx(cached.advantage(release).estimate, rel=ROUNDED)
    assert curve.upper[-1] == pytest.approx(1e-10, rel=0.05)  # the end is sought with a bracket that reaches further
    assert np.all(np.diff(curve.delta) <= 0.0)
    assert np.all((curve.lower <= curve.delta) & (curve.delta <= curve.upper))


def test_profile_of_a_release_without_finite_epsilon_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    release = Gaussian(1.0, 0.01, 10)
    monkeypatch.setattr(Gaussian, "epsilon", lambda *_: Bracket(1.0, np.inf, np.inf))
    with pytest.raises(ValueError, match="epsilon is infinite"):
        release_curves.profile(release, 1e-5, cached.PRECISION)


@pytest.mark.parametrize("release", [Gaussian(1.0), Laplace(1.0, 0.5), *RELEASES])
def test_every_formula_has_a_source(release: Mechanism) -> None:
    shown = formulas(release)
    assert len(shown) >= 3
    assert all(formula.latex and formula.words and formula.source for formula in shown)


def test_the_formulas_claim_an_attack_where_there_is_one() -> None:
    first = [formulas(release)[0].words for release in (RELEASES[0], PermuteAndFlip(2.0), LaplaceNoisyMax(2.0))]
    claims = "is an attack that exists", "it reaches less", "no attack is known"
    assert [[claim in words for claim in claims] for words in first] == np.eye(3, dtype=bool).tolist()


def test_one_sampled_release_has_the_formula_of_its_unit() -> None:
    record, person = (formulas(Gaussian(1.0, 0.1, records_per_person=k))[1] for k in (1, 3))
    assert record.words.startswith("The record takes part with probability p only")
    assert "a person's k records" in person.words


@pytest.mark.parametrize("second", SecondFigure)
def test_second_figure_has_its_data(second: SecondFigure) -> None:
    text = figures.second_table(CHOICE, second, 1)
    frame = pd.read_csv(io.StringIO(text), comment="#")
    drawn = {
        SecondFigure.EVIDENCE: lambda: cached.statistic(CHOICE.mechanism).alternative,
        SecondFigure.POWER: lambda: (
            release_curves.power_against_effect(CHOICE.mechanism, CHOICE.alpha, CHOICE.order).power
        ),
        SecondFigure.PROFILE: lambda: release_curves.profile(CHOICE.mechanism, CHOICE.delta, cached.PRECISION).delta,
        SecondFigure.BATCHES: lambda: batches.over_noise(CHOICE.mechanism, Sampling.POISSON, CHOICE.delta).upper,
    }[second]()
    column = {
        SecondFigure.EVIDENCE: "mass with",
        SecondFigure.POWER: "power",
        SecondFigure.PROFILE: "delta",
        SecondFigure.BATCHES: "epsilon (at most: a guarantee)",
    }[second]
    np.testing.assert_array_equal(frame[column][: len(drawn)], drawn)
    assert CHOICE.mechanism.label in text
