"""What the page on reconstruction says and draws of a guess: its table, the limit, curves and files."""

import io
import re
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest

from numerics import reconstruction
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Sampling
from numerics.privacy_loss import Precision
from numerics.trade_off import Order
from pages.reconstruct import answer, figures, formulas, limit
from pages.reconstruct.answer import FigureChoice, ReconstructionSetting
from pages.reconstruct.figures import CHART
from pages.reconstruct.limit import GuessLimit
from pages.reconstruct.prior import COMMONER, KAPPA
from pages.server.budget import Budget, within
from pages.server.shared_cache import Private
from pages.ui import downloads, estimates, prior_guess
from pages.ui.estimates import Estimate, EstimateChoice
from pages.ui.numbers_in_words import at_most
from pages.ui.prior_guess import Guessed, Known, odds
from pages.ui.release_in_force import ReleaseChoice
from plotting.curves import EstimatedCurve
from tests.pages.answers import Answers

PRINTED = 1e-12  # both roads end in the same number
SEARCHED = 1e-3  # to which noise is searched
RELEASE = Gaussian(1.0, 0.01, 1000)
TWICE = Gaussian(1.0, 0.01, 1000, Adjacency.REPLACE_ONE)
FIXED = Gaussian(1.0, 0.1, 20, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE)
RELEASES = [RELEASE, TWICE, Gaussian(1.0), Laplace(2.0, 1.0), FIXED]
YES_OR_NO = Guessed.YES_OR_NO


def view(release: Any = RELEASE, prior: float = 1e-3, guessed: Guessed = Guessed.RECORD) -> ReconstructionSetting:
    choice, known = ReleaseChoice(release, 1e-3, Order.ADD, 1e-5), Known(prior, "", guessed)
    return ReconstructionSetting(choice, known, FigureChoice())


def offered(release: Any, known: Known, share: float) -> bool:
    """Whether the noise that is offered keeps the limit; a yes or no takes that of replacement."""
    own = GuessLimit(share, known.kappa, known.kappa)
    advised: Any = limit.advised(release, known, own)
    noisy, said = advised
    assert noisy.adjacency is release.adjacency
    assert said.endswith(f"{'' if len(release.phases) > 1 else f'{noisy.noise_multiplier:g}'} meets it.")
    both = noisy.with_neighbours(Adjacency.REPLACE_ONE) if known.guessed is YES_OR_NO else noisy
    ask = reconstruction.attribute_inference if known.guessed is YES_OR_NO else type(both).reconstruction
    kept_finely = ask(both, known.kappa, Precision(width=1e-6)).upper <= share * (1 + SEARCHED)
    return own.is_kept(prior_guess.guessed_right(noisy, known)) and kept_finely


test_table = Answers(__file__, globals()).test()


def number(text: str) -> float:
    count, of = (float(part.replace(",", "")) for part in re.split(" in | of ", text))
    return count / of


def test_what_is_said_is_the_guarantee_and_odds_overstate_by_a_tenth_at_most() -> None:
    for rate in (1e-9, 3.7e-5, 0.0431, 0.0999, 0.1, 0.34, 0.9996):
        assert rate <= number(odds(rate)) * (1 + PRINTED) <= 1.1 * rate * (1 + PRINTED)
    for release in (RELEASE, Laplace(1.0), Gaussian(1.0, 1.0, 4)):
        success = prior_guess.success(release, 1e-3)
        assert f"**{at_most(success.upper)}**" in answer.sentence(view(release))
        assert success.upper <= release.reconstruction(1e-3).upper * (1 + SEARCHED)
    for guessed, prior_there in ((Guessed.RECORD, 1e-3), (YES_OR_NO, 0.8)):
        shown = view(RELEASE, prior_there, guessed)
        gamma, times, points, *_ = answer.numbers(shown)
        assert float(gamma.value) == pytest.approx(shown.success.upper, rel=1e-2)
        assert float(times.value) == pytest.approx(shown.success.upper / prior_there, rel=1e-2)
        added = shown.success.upper - prior_there
        assert added <= number(points.value) <= 1.1 * added + 1e-9


@pytest.mark.parametrize("release", RELEASES, ids=str)
def test_curves_go_through_their_point_and_a_yes_or_no_is_guessed_less_often(release: Gaussian | Laplace) -> None:
    (found,) = {view(release, 0.6, kind).success for kind in Guessed if kind is not YES_OR_NO}
    two = view(release, 0.6, YES_OR_NO).success
    assert two == reconstruction.attribute_inference(release, 0.6, prior_guess.PRECISION)
    assert two.upper <= found.upper
    for share in (0.5, 0.75, 0.99):
        shown = view(release, share, YES_OR_NO)
        curve = shown.curve(release)
        at = int(np.argmin(np.abs(curve.alpha - share)))
        assert curve.alpha[at] == pytest.approx(share)
        assert (curve.lower or curve).power[at] == pytest.approx(shown.success.upper, rel=1e-9)
        assert curve.bound is prior_guess.bound(release, shown.known)
    assert np.all(np.diff(curve.power) >= -1e-9)
    assert np.all(curve.power >= curve.alpha - 1e-9)


def test_noise_that_is_not_offered_is_said_to_be_out_of_reach_or_time_and_an_uploaded_prior_stays_private() -> None:
    late = Composition((Gaussian(1.0, 1.0, 1000), Gaussian(999.0, 1.0, 1000)))
    found = limit.advised(late, Known(1e-3, ""), GuessLimit(1.001e-3, 1e-3, 1e-3))
    assert re.search("None.*(beyond the controls|No noise that can be computed)", str(found))
    limit.noise_for.cache_clear()
    with within(Budget(0.0)):
        found = limit.advised(Gaussian(1.0, 0.01, 1234), Known(1e-3, ""), GuessLimit(2e-3, 1e-3, 1e-3))
    assert found == (None, "The noise that meets it takes longer to find.")
    start, caches = GuessLimit(2e-3, 1e-3, Private(0.01)), (limit.noise_for, prior_guess.success)
    assert isinstance(start.share, Private)
    before = [len(cache) for cache in caches]
    limit.least_noise(RELEASE, Known(Private(0.01), ""), start)
    (guess,) = estimates.overlays(RELEASE, EstimateChoice((Estimate.CLT,)))
    estimates.error_sentence(guess, Private(0.0123), partial(prior_guess.success, RELEASE), "γ", "κ")
    assert [len(cache) for cache in caches] == before


def test_ratios_are_taken_at_equal_priors_and_files_hold_what_was_drawn() -> None:
    curve, choice = prior_guess.curve(RELEASE), EstimateChoice((Estimate.CLT,), 2)
    (guess,) = estimates.overlays(RELEASE, choice)
    ratio = figures.ratio(curve, guess)
    at = int(np.argmin(np.abs(ratio.prior - 1e-7)))
    truth = RELEASE.reconstruction(float(ratio.prior[at])).estimate
    same = guess.curve.power[int(np.flatnonzero(guess.curve.alpha == ratio.prior[at])[0])]
    assert ratio.ratio[at] == pytest.approx(same / truth, rel=1e-3)
    np.testing.assert_allclose(figures.ratio(curve, EstimatedCurve(curve)).ratio, 1.0)
    text = downloads.of_curves([curve], {"prior": "kappa = 0.001"}, ("prior", "missed", "gamma"))
    frame = pd.read_csv(io.StringIO(text), comment="#")
    assert list(frame) == ["release", "prior", "missed", "gamma", "gamma (guarantee)", "gamma (demonstrated attack)"]
    np.testing.assert_array_equal(frame[["prior", "gamma"]], np.transpose([curve.alpha, curve.power]))
    assert (frame["gamma (demonstrated attack)"] <= frame["gamma (guarantee)"]).all()
    shown = replace(view(RELEASE), shown=FigureChoice(estimates=choice))
    other = pd.read_csv(io.StringIO(figures.other_noise_table(shown)), comment="#")
    assert list(other["curve"].unique())[1:] == ["CLT"]
    assert (other["at least"] <= other["at most"]).all()


@pytest.mark.parametrize(
    "release", [Laplace(0.5, 0.1, 10, Adjacency.REPLACE_ONE), Composition((RELEASE, Gaussian(2.0)))]
)
def test_snippet_prints_the_pages_numbers(release: Any, capsys: pytest.CaptureFixture[str]) -> None:
    shown = view(release)
    exec(formulas.snippet(shown), {})
    printed = capsys.readouterr().out
    assert str(prior_guess.success(release, 1e-3).upper) in printed
    assert f"epsilon: {shown.epsilon!r}\n" in printed
    assert str(reconstruction.from_epsilon_delta(shown.epsilon, 1e-5, 1e-3)) in printed


@pytest.mark.parametrize(("kind", "slider"), [(Guessed.RECORD, KAPPA), (YES_OR_NO, COMMONER)])
def test_what_moves_under_the_finger_is_what_the_page_says_and_draws_there(kind: Guessed, slider: Any) -> None:
    found = figures.states(view(RELEASE, slider.default, kind), figures.Beside((), None, [], []))
    assert list(found) == list(map(slider.shown, slider.values))
    for value in slider.values[::7]:
        there, state = view(RELEASE, value, kind), found[slider.shown(value)]
        verdict, numbers = limit.words(there.success, there.limit), [metric.value for metric in answer.numbers(there)]
        assert state.texts == {figures.ANSWER: [answer.sentence(there), verdict], figures.NUMBERS: numbers}
        moved: Any = state.figures[CHART]
        points = [columns for columns in moved["traces"].values() if len(columns[0]) == 1]
        assert points == [[[pytest.approx(value)], [pytest.approx(there.success.upper, rel=1e-4)]]]
        assert all(value in limits.values() for limits in moved["shapes"].values() if limits is not None)
