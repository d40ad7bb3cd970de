"""Numbers and sentences of the explorer beside its curve: figures' data, people in one crowd, batches, and weakness."""

import io
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from numerics.deadline import DeadlineError
from numerics.mechanisms import Adjacency, Gaussian, Laplace, Mechanism, Sampling
from numerics.mechanisms.noisy_max import LaplaceNoisyMax, PermuteAndFlip
from numerics.mechanisms.truncated_laplace import TruncatedLaplace
from numerics.trade_off import Bound, Bracket, Order
from pages.mechanism import batches, figures, in_numbers
from pages.server.budget import Budget, within
from pages.ui import cached, estimates, figure_controls, people_scene, release_curves, weak_epsilon
from pages.ui.figure_controls import SecondFigure
from pages.ui.release_controls import ALPHAS
from pages.ui.release_formulas import formulas
from plotting.curves import Axes
from tests.pages.mechanism.visit import CHOICE, RELEASES

ROUNDED = 1e-12  # the same number by two roads
COARSE = 0.05  # figures over other noise are computed coarsely
SHOWN = 1e-3  # relative: numbers are rounded up to four digits


def test_labels_of_addresses_are_pinned() -> None:
    assert list(Axes) == ["linear", "log-log"]
    assert list(SecondFigure) == ["evidence", "effect size", "ε and δ", "batches"]
    assert list(estimates.Estimate) == ["CLT", "Edgeworth", "Monte Carlo"]


@pytest.mark.parametrize(
    ("release", "alpha", "order", "prior"),
    [
        (CHOICE.mechanism, 1e-3, Order.ADD, 0.1),
        (Gaussian(0.5, 0.01, 1000), 1e-3, Order.SYMMETRIC, 0.1),
        (Gaussian(30.0), 1e-12, Order.ADD, 0.1),
        (CHOICE.mechanism, 1e-6, Order.ADD, 1e-4),
        (Gaussian(0.13), 0.1, Order.ADD, 0.1),
    ],
)
def test_all_people_are_counted_of_one_crowd(release: Mechanism, alpha: float, order: Order, prior: float) -> None:
    """More than 10,000 only where the count would be none of them, or all."""
    choice = replace(CHOICE, mechanism=release, alpha=alpha, order=order)
    text = in_numbers.sentences(choice, prior)
    (crowd,) = {int(one.replace(",", "")) for one in re.findall(r"(?:\bof|Of) (1[\d,]*0)\b", text)}
    assert crowd == people_scene.scene(choice, "one").crowd
    found = int(re.findall(r"(?:[Aa]t most|up to) \*\*([\d,]+)", text)[0].replace(",", ""))
    assert crowd == 10_000 or min(found, crowd - found) < crowd / 1000
    assert cached.power(release, alpha, order).upper * crowd <= found * (1 + ROUNDED)


def test_numbers_are_guarantees_and_a_prior_belongs_to_accusations_alone() -> None:
    numbers = in_numbers.numbers(CHOICE, 0.1)
    epsilon = cached.epsilon(CHOICE.mechanism, CHOICE.delta).upper
    assert len(numbers) == 6
    assert epsilon <= float(numbers[0].value) <= epsilon * (1 + SHOWN)
    cleared = replace(CHOICE, order=Order.REMOVE)
    assert len(in_numbers.numbers(cleared, 0.1)) == 5
    assert "accus" not in in_numbers.sentences(cleared, 0.1)
    exact = replace(CHOICE, mechanism=Gaussian(1.0))
    assert "Exact." in in_numbers.numbers(exact, 0.1)[0].help


@pytest.mark.parametrize(
    ("release", "delta", "words"),
    [
        (CHOICE.mechanism, 1e-5, ""),
        (Gaussian(0.3, 0.01, 1000), 1e-5, "too large to promise anything.*[Mm]ore noise"),
        (Gaussian(0.4), 1e-5, r"An ε of 13\.\d+ promises little"),
        (TruncatedLaplace(2.0, 1.0, 3), 1e-9, r"No ε is known to hold at δ = .*more noise where it is not truncated"),
        (TruncatedLaplace(0.2, 1.0, 11), 1e-5, r"No ε is known to hold at δ = .*more noise where it is not truncated"),
    ],
    ids=str,
)
def test_weak_protection_is_said_with_what_would_help(release: Mechanism, delta: float, words: str) -> None:
    said = weak_epsilon.warning(replace(CHOICE, mechanism=release, delta=delta))
    assert re.search(words, said)
    assert bool(said) is bool(words)


def test_an_epsilon_that_promises_little_is_the_one_shown() -> None:
    choice = replace(CHOICE, mechanism=Gaussian(0.4))
    assert f"An ε of {in_numbers.numbers(choice, 0.1)[0].value} promises little" in weak_epsilon.warning(choice)
    factor = int(re.findall(r"by a factor of ([\d,]+)", weak_epsilon.warning(choice))[0].replace(",", ""))
    assert factor == np.ceil(np.exp(cached.epsilon(choice.mechanism, choice.delta).upper))


@pytest.mark.parametrize(
    ("guess", "words"),
    [(1.0, "they agree here"), (1.2, "20 % too high"), (5.0, "5 times, far too high"), (0.5, "50 % too low")],
)
def test_errors_of_estimates_in_words(guess: float, words: str) -> None:
    assert estimates.error_in_words(guess, 1.0).startswith(words)


def test_sampling_that_would_take_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="leave time for 10 samples"):
        estimates._samples(Gaussian(1.0, 0.01, 1_000_000))


@pytest.mark.parametrize(("clicked", "taken"), [(0.00105, 0.001), (0.0, min(ALPHAS)), (1.0, max(ALPHAS))])
def test_a_click_takes_the_nearest_round_value(clicked: float, taken: float) -> None:
    assert figure_controls.nearest(clicked, ALPHAS) == taken


def test_power_against_effect_size_rises_through_the_release() -> None:
    curve = release_curves.power_against_effect(Gaussian(2.0), 0.01, Order.ADD)
    at_release = int(np.argmin(np.abs(curve.effect_size - 0.5)))
    assert curve.bound is Bound.EXACT
    assert curve.power[at_release] == pytest.approx(Gaussian(2.0).power(0.01).estimate, rel=COARSE)
    assert np.all(np.diff([curve.effect_size, curve.power]) > 0.0)
    with within(Budget(0.0)), pytest.raises(DeadlineError):
        release_curves.power_against_effect(Gaussian(2.0), 0.0123, Order.ADD)


def test_profile_falls_from_the_advantage_to_nothing() -> None:
    curve = release_curves.profile(CHOICE.mechanism, 1e-5, cached.PRECISION)
    assert curve.delta[0] == pytest.approx(cached.advantage(CHOICE.mechanism).estimate, rel=ROUNDED)
    assert curve.upper[-1] == pytest.approx(1e-10, rel=COARSE)  # the end is sought with a bracket that reaches further
    assert np.all(np.diff(curve.delta) <= 0.0)
    assert np.all((curve.lower <= curve.delta) & (curve.delta <= curve.upper))


def test_profile_of_a_release_without_finite_epsilon_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Gaussian, "epsilon", lambda *_: Bracket(1.0, np.inf, np.inf))
    with pytest.raises(ValueError, match="epsilon is infinite"):
        release_curves.profile(Gaussian(1.0, 0.01, 10), 1e-5, cached.PRECISION)


@pytest.mark.parametrize(
    ("second", "column"),
    [
        (SecondFigure.EVIDENCE, "mass with"),
        (SecondFigure.POWER, "power"),
        (SecondFigure.PROFILE, "delta"),
        (SecondFigure.BATCHES, "epsilon (at most: a guarantee)"),
    ],
)
def test_the_file_of_a_second_figure_has_what_is_drawn(second: SecondFigure, column: str) -> None:
    release = Gaussian(2.0) if second is SecondFigure.POWER else Gaussian(1.0, 0.1, 20)  # of which many are computed
    choice = replace(CHOICE, mechanism=release)
    text = figures.second_table(choice, second, 1)
    drawn = {
        SecondFigure.EVIDENCE: lambda: cached.statistic(release).alternative,
        SecondFigure.POWER: lambda: release_curves.power_against_effect(release, choice.alpha, choice.order).power,
        SecondFigure.PROFILE: lambda: release_curves.profile(release, choice.delta, cached.PRECISION).delta,
        SecondFigure.BATCHES: lambda: batches.over_noise(release, Sampling.POISSON, choice.delta).upper,
    }[second]()
    found = pd.read_csv(io.StringIO(text), comment="#")[column]
    np.testing.assert_array_equal(found[: len(drawn)], drawn)
    assert release.label in text


def test_the_shares_of_the_evidence_are_those_of_the_answer() -> None:
    found = Bracket(0.3, 0.31, 0.3204)
    assert figures._shares(0.01, found, clears=False) == ("0.01", "at most 0.321")
    assert figures._shares(0.01, found, clears=True) == ("at most 0.321", "0.01")


def test_other_batches_have_both_sides_and_what_is_not_known_is_left_out() -> None:
    release = Gaussian(1.0, 0.01, 100)
    found = {one.name: one for one in batches.curves(replace(CHOICE, mechanism=release))[0]}
    shuffled, poisson = found["shuffled"], found["Poisson"]
    assert (shuffled.bound, poisson.bound) == (Bound.OPEN, Bound.CERTIFIED)
    assert (poisson.upper < shuffled.upper).all()
    assert (shuffled.lower <= shuffled.upper).all()
    assert ["an attack at least" in batches._in_words(one) for one in (shuffled, poisson)] == [True, False]
    assert poisson.noise.tolist() == pytest.approx([0.5, 0.7, 1.0, 1.4, 2.0, 2.8])
    with pytest.raises(ValueError, match="got replace-one"):
        batches.drawn_as(replace(release, adjacency=Adjacency.REPLACE_ONE), Sampling.RANDOM_ALLOCATION)
    assert batches.drawn_as(release, Sampling.SHUFFLED).adjacency is Adjacency.ZERO_OUT


@pytest.mark.parametrize("release", [Gaussian(1.0), Laplace(1.0, 0.5), *RELEASES], ids=str)
def test_every_formula_has_a_source(release: Mechanism) -> None:
    shown = formulas(release)
    assert len(shown) >= 3
    assert all(formula.latex and formula.words and formula.source for formula in shown)


def test_the_formulas_claim_an_attack_where_there_is_one_and_are_about_the_unit() -> None:
    first = [formulas(release)[0].words for release in (RELEASES[0], PermuteAndFlip(2.0), LaplaceNoisyMax(2.0))]
    claims = "is an attack that exists", "it reaches less", "no attack is known"
    assert [[claim in words for claim in claims] for words in first] == np.eye(3, dtype=bool).tolist()
    record, person = (formulas(Gaussian(1.0, 0.1, records_per_person=k))[1].words for k in (1, 3))
    assert "a person's k records" not in record
    assert "a person's k records" in person
