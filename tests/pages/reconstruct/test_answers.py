"""What the page on reconstruction says and draws of a guess: sentences, the limit and its noise, curves, and files."""

import io
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from numerics import reconstruction
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Sampling
from numerics.privacy_loss import Precision
from numerics.trade_off import Bound, Bracket, TradeOffCurve
from pages.reconstruct import answer, bounded, figures, formulas, limit, other_noise, presets, same_epsilon
from pages.reconstruct.controls import ExtraCurve, FigureChoice
from pages.reconstruct.limit import GuessLimit
from pages.reconstruct.other_noise import Across
from pages.reconstruct.prior import COMMONER, KAPPA
from pages.server.budget import Budget, within
from pages.server.shared_cache import Private
from pages.ui import cached_reconstruction, estimates, prior_guess
from pages.ui.estimates import Estimate, EstimateChoice
from pages.ui.figure_controls import nearest
from pages.ui.numbers_in_words import at_most
from pages.ui.prior_guess import Guessed, Known, odds, success_sentence
from plotting.curves import EstimatedCurve
from tests.pages.reconstruct.visit import RELEASE, view

PRINTED = 1e-12  # both roads end in the same number
SEARCHED = 1e-3  # to which noise is searched
FINE = Precision(width=1e-6)
MET, MISSED = ":green-badge[✓ Met]", ":orange-badge[✕ Too often]"
SAMPLED_TWICE = Gaussian(1.0, 0.01, 1000, Adjacency.REPLACE_ONE)
FIXED = Gaussian(1.0, 0.1, 20, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE)
RELEASES = [RELEASE, SAMPLED_TWICE, Gaussian(1.0), Laplace(2.0, 1.0), FIXED]
YES_OR_NO = Guessed.YES_OR_NO


def number(text: str) -> float:
    count, of = (float(part.replace(",", "")) for part in re.split(" in | of ", text))
    return count / of


def test_labels_of_addresses_are_pinned() -> None:
    assert list(ExtraCurve) == ["record unknown (RTM)", "from ε and δ alone"]
    assert list(Across) == ["effect size", "ε"]
    assert limit.KEYS == ("reconstruct.guess_limit",)


@pytest.mark.parametrize("rate", [1e-9, 3.7e-5, 0.0431, 0.0999, 0.1, 0.34, 0.9996])
def test_odds_never_understate_and_overstate_by_a_tenth_at_most(rate: float) -> None:
    assert rate <= number(odds(rate)) * (1 + PRINTED)
    assert number(odds(rate)) <= 1.1 * rate


@pytest.mark.parametrize(
    ("guessed", "prior", "words"),
    [
        (
            Guessed.RECORD,
            1e-3,
            "guesses a record right 10 of 10,000 times gets it right at most **41 of 10,000** times",
        ),
        (
            Guessed.ATTRIBUTE,
            1e-3,
            "guesses somebody's attribute right 10 of 10,000 times gets it right at most **41 of",
        ),
        (YES_OR_NO, 0.5, "guesses a yes or no right 5,000 of 10,000 times gets it right at most **6,322 of 10,000**"),
        (Guessed.PERSON, 1e-3, "names the right person 10 of 10,000 times does so at most **41 of 10,000** times"),
    ],
)
def test_the_sentence_says_what_is_guessed(guessed: Guessed, prior: float, words: str) -> None:
    assert words in answer.sentence(view(RELEASE, prior, guessed))


def test_the_sentence_is_the_guarantee_and_says_where_a_guess_comes_from() -> None:
    for release in (RELEASE, Laplace(1.0), Gaussian(1.0, 1.0, 4)):
        success = cached_reconstruction.success(release, 1e-3)
        assert f"**{at_most(success.upper)}**" in answer.sentence(view(release))
        assert success.upper <= release.reconstruction(1e-3).upper * (1 + SEARCHED)
    found = Bracket(0.2, 0.2, 0.2)
    assert " times (of 50 ages) gets it right" in success_sentence(found, Known(0.02, "of 50 ages"))
    assert "()" not in success_sentence(found, Known(0.02, ""))
    assert "Nothing to protect" in success_sentence(found, Known(1.0, "", YES_OR_NO))
    assert odds(0.0) == "0 of 10,000"


def test_weakness_is_said_and_not_said_to_be_more_than_is_known() -> None:
    """A test of presence exists; that an attack on k exact candidates does as well is not known."""
    assert "No protection here" in answer.sentence(view(Gaussian(0.01)))
    assert "likelier than not" in answer.weakness(view(Gaussian(0.1)))
    assert answer.weakness(view()) == ""
    for release in (Laplace(2.0, 1.0, 100), replace(FIXED, noise_multiplier=0.5, sampling_rate=0.2)):
        words = answer.weakness(view(release, 0.1))
        assert "attack" not in words
        assert f"at most {odds(cached_reconstruction.success(release, 0.1).upper)} times" in words


def test_all_but_a_yes_or_no_are_one_number_of_the_known_kind() -> None:
    """Of any number of values nothing better is known; of two the best test is, and it says less is possible."""
    kinds = (Guessed.RECORD, Guessed.ATTRIBUTE, Guessed.PERSON)
    for release in RELEASES:
        (found,) = {view(release, 0.6, kind).success for kind in kinds}
        two = view(release, 0.6, YES_OR_NO).success
        assert two == reconstruction.attribute_inference(release, 0.6, cached_reconstruction.PRECISION)
        assert two.upper <= found.upper
    answers, bound = Known(0.5, "", YES_OR_NO), cached_reconstruction.bound
    assert bound(Gaussian(1.0), answers) is bound(Gaussian(1.0, 0.1), Known(0.5, "")) is Bound.EXACT
    assert bound(Gaussian(1.0, 0.1), answers) is Bound.CERTIFIED  # no formula of two opposite
    assert bound(FIXED, answers) is Bound.LOWER


def test_what_the_release_is_compared_with_is_said() -> None:
    both = [view(release, 0.5, YES_OR_NO) for release in (RELEASE, SAMPLED_TWICE)]
    assert both[0].success == both[1].success  # a yes or no does not hang on the neighbours
    assert answer.compared(both[0]) == answer.compared(both[1])
    assert "the other answer in this one's place" in answer.compared(both[0])
    assert "without this record (add/remove)" in answer.compared(view())
    assert "another record in this one's place (replace-one)" in answer.compared(view(SAMPLED_TWICE))
    assert "any number of values" in answer.compared(view(RELEASE, 1e-3, Guessed.PERSON))


@pytest.mark.parametrize("release", RELEASES, ids=str)
def test_the_curve_goes_through_the_point_and_has_the_kind_of_its_number(release: Gaussian | Laplace) -> None:
    for share in (0.5, 0.75, 0.99):
        shown = view(release, share, YES_OR_NO)
        curve = figures.curve(shown, release)
        at = int(np.argmin(np.abs(curve.alpha - share)))
        assert curve.alpha[at] == pytest.approx(share)
        assert (curve.lower or curve).power[at] == pytest.approx(shown.success.upper, rel=1e-9)
        assert curve.bound is cached_reconstruction.bound(release, shown.known)
    assert np.all(np.diff(curve.power) >= -1e-9)
    assert np.all(curve.power >= curve.alpha - 1e-9)


@pytest.mark.parametrize(("guessed", "prior"), [(Guessed.RECORD, 1e-3), (YES_OR_NO, 0.8)])
def test_lift_and_points_are_those_of_the_reading(guessed: Guessed, prior: float) -> None:
    shown = view(RELEASE, prior, guessed)
    gamma, times, points, gains, *_ = answer.numbers(shown)
    assert float(gamma.value) == pytest.approx(shown.success.upper, rel=1e-2)
    assert float(times.value) == pytest.approx(shown.success.upper / prior, rel=1e-2)
    added = shown.success.upper - prior
    assert added <= number(points.value) <= 1.1 * added + 1e-9
    assert gains.value == "about 41 %"
    assert answer.numbers(view(Gaussian(0.1)))[3].value == "below 1 %"


def test_an_epsilon_said_to_be_kept_is_never_rounded_down() -> None:
    shown = view(Gaussian(0.88, 0.01, 1000))
    assert f"{shown.epsilon:.4g}" == "2.447"  # of 2.44717: the nearest is too small
    assert cached_reconstruction.from_epsilon_delta(shown.epsilon, 1e-5).label.startswith("ε = 2.448,")
    assert "ε = 2.448 " in answer.numbers(shown)[4].help
    words = answer._how_far(Bracket(0.12345678915, 0.1234567891, 0.1234567892))
    assert "more often than 0.12345679." in words
    assert "between 0.12345678 and that" in words


def test_every_kind_of_guess_side_by_side() -> None:
    table = bounded.table(view(SAMPLED_TWICE, 0.5))
    assert table["what is guessed"] == ["a record", "an attribute", "whose record it is", "a yes or no"]
    most = [float(text) for text in table["right at most, from b = 0.5"]]
    assert most[0] == most[1] == most[2] > most[3]
    assert set(table["compared with the release"]) == {"with another record in its place"}
    table = bounded.table(view(RELEASE, 0.01))
    assert "a yes or no" not in table["what is guessed"]  # the commoner of two has half at least
    assert set(table["compared with the release"]) == {"without the record"}


def test_singling_out_is_said_with_the_guess_and_where_nothing_is_promised() -> None:
    assert "say how many records" in bounded.singled_out(view(), None)
    assert "nothing is promised" in bounded.singled_out(view(), 1000)
    words = bounded.singled_out(view(RELEASE, 1e-6), 1000)
    most = reconstruction.singling_out(RELEASE, 1e-6, 1000).success.upper
    assert most * (1 - SEARCHED) <= number(words.split("at most **")[1].split("**")[0]) <= 1.1 * most
    assert "10 of 10,000 times, blindly" in words


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
def test_the_limit_starts_at_twice_the_guess_and_never_beyond_certainty(kappa: float, share: float, words: str) -> None:
    start = GuessLimit.starting(kappa)
    assert start.share == pytest.approx(share)
    assert kappa < start.share < 1.0
    assert start.words == words
    assert not start.is_own


@pytest.mark.parametrize(
    ("success", "kappa", "own", "remedy", "words"),
    [
        (4.0683e-3, 1e-3, None, "Noise 1.69", f"{MISSED} 4.07 times the guess; noise 1.69 keeps it at twice."),
        (1.77e-3, 1e-3, None, "", f"{MET} 1.77 times the guess; the limit is twice."),
        (2.0001e-3, 1e-3, None, "Noise 2", f"{MISSED} 2.01 times the guess; noise 2 keeps it at twice."),
        (4.07e-3, 1e-3, 50, "", f"{MET} Within your limit of 50 of 10,000."),
        (4.07e-3, 1e-3, 20, "Noise 1.69", f"{MISSED} Twice your limit of 20 of 10,000. Noise 1.69 meets it."),
        (4.07e-3, 1e-3, 10, "", f"{MISSED} Guessing alone exceeds your limit of 10 of 10,000: no noise can keep it."),
        (9.2e-6, 1e-6, 0.05, "", f"{MISSED} 1.9 times your limit of 0.05 of 10,000."),
        (4.07e-3, 1e-3, 38, "", f"{MISSED} 1.1 times your limit of 38 of 10,000."),
        (2e-3 * (1 + 1e-12), 1e-3, 20, "", f"{MET} Within your limit of 20 of 10,000."),  # reached to rounding is kept
        (2e-3 * (1 + 1e-6), 1e-3, 20, "", f"{MISSED} 1.01 times your limit of 20 of 10,000."),
    ],
)
def test_the_verdict_is_the_guarantee_against_the_limit(
    success: float, kappa: float, own: float | None, remedy: str, words: str
) -> None:
    held = GuessLimit.starting(kappa) if own is None else GuessLimit(own / 10_000)
    assert limit.words(Bracket(0.0, kappa, success), Known(kappa, ""), held, remedy) == words


@pytest.mark.parametrize(
    ("release", "known", "share"),
    [
        (RELEASE, Known(1e-3, ""), 2e-3),
        (Laplace(1.0, 0.01, 1000), Known(1e-3, ""), 1.3e-3),
        (SAMPLED_TWICE, Known(5e-4, ""), 1.5e-3),
        (replace(FIXED, sampling_rate=0.01), Known(1e-3, ""), 1.1e-3),
        (Composition((RELEASE, Gaussian(1.7, 0.02, 20))), Known(1e-3, ""), 1.1e-3),
        (RELEASE, Known(0.5, "", YES_OR_NO), 0.55),
        (Composition((RELEASE, Gaussian(2.0))), Known(0.9, "", YES_OR_NO), 0.9001),
        (RELEASE, Known(1e-9, ""), 2e-9),
    ],
    ids=str,
)
def test_the_noise_that_is_offered_keeps_the_limit(release, known: Known, share: float) -> None:
    """A yes or no takes that of replacement; neighbours and phases stay as they are."""
    own = GuessLimit(share)
    noisy, why = limit._advised(release, known, own)
    assert why == ""
    assert noisy is not None
    assert noisy.adjacency is release.adjacency
    assert own.is_kept(cached_reconstruction.guessed_right(noisy, known))
    if known.guessed is YES_OR_NO:
        both = noisy.with_neighbours(Adjacency.REPLACE_ONE)
        assert reconstruction.attribute_inference(both, known.kappa, FINE).upper <= share * (1 + SEARCHED)


def test_the_noise_that_is_offered_is_the_least_of_its_digits() -> None:
    noisy, _ = limit._advised(RELEASE, Known(1e-3, ""), GuessLimit(2e-3))
    assert isinstance(noisy, Gaussian)
    assert noisy.noise_multiplier == 1.69
    assert noisy.with_noise(1.68).reconstruction(1e-3, FINE).lower > 2e-3


def test_noise_that_is_not_offered_is_said_to_be_out_of_reach_or_time() -> None:
    late = Composition((Gaussian(1.0, 1.0, 1000), Gaussian(999.0, 1.0, 1000)))
    noisy, why = limit._advised(late, Known(1e-3, ""), GuessLimit(1.001e-3))
    assert noisy is None
    assert "beyond the controls" in why or "No noise that can be computed" in why
    cached_reconstruction.noise_for.cache_clear()
    with within(Budget(0.0)):
        noisy, why = limit._advised(Gaussian(1.0, 0.01, 1234), Known(1e-3, ""), GuessLimit(2e-3))
    assert (noisy, why) == (None, "The noise that meets it takes longer to find.")


def test_a_limit_made_of_an_uploaded_prior_is_as_private() -> None:
    start = GuessLimit.starting(Private(0.01))
    assert isinstance(start.share, Private)
    caches = cached_reconstruction.noise_for, cached_reconstruction.success
    before = [len(cache) for cache in caches]
    limit.least_noise(RELEASE, Known(Private(0.01), ""), start)
    assert [len(cache) for cache in caches] == before


def test_the_verdict_on_equal_epsilon_finds_the_largest_difference() -> None:
    prior = np.array([0.0, 0.1, 0.5, 1.0])
    powers = [np.array([0.0, 0.2, 0.6, 1.0]), np.array([0.0, 0.3, 0.62, 1.0])]
    words = same_epsilon.verdict([TradeOffCurve(prior, 1.0 - power, power, Bound.EXACT, "") for power in powers])
    assert "up to **0.1** (at κ = 0.1)" in words
    assert "factor of up to **1.5**" in words


@pytest.mark.parametrize("figure", presets.FIGURES, ids=lambda figure: str(figure.name))
def test_every_figure_of_the_papers_has_its_settings(figure: presets.ReconstructionPreset) -> None:
    assert cached_reconstruction.success(figure.mechanism, figure.prior).upper > figure.prior
    state = figure.state
    assert (state["reconstruct.guessed"], state["reconstruct.more"]) == ("a record", figure.part)
    assert "reconstruct.guess_limit" not in state  # the visitor's own
    if figure.same:
        assert [figure.same[f"reconstruct.same_rate_{place}"] for place in (1, 2, 3)] == [0.1, 0.5, 0.9]
        assert figure.mechanism.epsilon(1e-5).upper == pytest.approx(4.0, abs=1e-4)
    if "no more of its settings" in figure.words:
        most = int(re.findall(r"ε up to (\d+)", figure.words)[0])
        right = figure.mechanism.with_noise(figure.mechanism.noise_multiplier / 2.0)
        pure = right.steps * np.log1p(right.sampling_rate * np.expm1(1.0 / right.noise_multiplier))
        epsilon = pure if isinstance(right, Laplace) else right.epsilon(figure.delta).upper
        assert epsilon == pytest.approx(most, rel=0.002)


def test_ratios_are_taken_at_equal_priors() -> None:
    curve = cached_reconstruction.curve(RELEASE)
    (guess,) = estimates.overlays(RELEASE, EstimateChoice((Estimate.CLT,), 2))
    (ratio,) = figures.ratios(curve, [guess])
    at = int(np.argmin(np.abs(ratio.prior - 1e-7)))
    truth = RELEASE.reconstruction(float(ratio.prior[at])).estimate
    same = guess.curve.power[int(np.flatnonzero(guess.curve.alpha == ratio.prior[at])[0])]
    assert ratio.ratio[at] == pytest.approx(same / truth, rel=1e-3)
    (itself,) = figures.ratios(curve, [EstimatedCurve(curve)])
    np.testing.assert_allclose(itself.ratio, 1.0)


def test_files_hold_what_was_drawn() -> None:
    curve = cached_reconstruction.curve(RELEASE)
    text = figures.curves_table([curve], {"prior in force": "kappa = 0.001"})
    frame = pd.read_csv(io.StringIO(text), comment="#")
    assert list(frame) == ["curve", "kind", "prior", "reconstruction", "at most", "at least"]
    np.testing.assert_array_equal(frame[["prior", "reconstruction"]], np.transpose([curve.alpha, curve.power]))
    shown = replace(view(RELEASE), shown=FigureChoice(estimates=EstimateChoice((Estimate.CLT,), 2)))
    for across in Across:
        other = pd.read_csv(io.StringIO(other_noise.data(shown, across)), comment="#")
        assert list(other["curve"].unique())[1:] == ["CLT"]
        assert across.value in other
        assert (other["at least"] <= other["at most"]).all()
    assert (frame["at least"] <= frame["at most"]).all()


@pytest.mark.parametrize(
    "release", [RELEASE, Laplace(0.5, 0.1, 10, Adjacency.REPLACE_ONE), Composition((RELEASE, Gaussian(2.0)))]
)
def test_snippet_prints_the_pages_numbers(release, capsys: pytest.CaptureFixture[str]) -> None:
    shown = view(release)
    exec(formulas.snippet(shown), {})
    printed = capsys.readouterr().out
    assert str(cached_reconstruction.success(release, 1e-3).upper) in printed
    assert f"epsilon: {shown.epsilon!r}\n" in printed
    assert str(reconstruction.from_epsilon_delta(shown.epsilon, 1e-5, 1e-3)) in printed


def test_a_click_puts_the_nearest_round_prior_in_force() -> None:
    assert nearest(1.1e-6, KAPPA.values) == 1e-6
    assert min(COMMONER.values, key=lambda share: abs(share - 0.8123)) == 0.8
    assert prior_guess.in_words(2e-5, 0.00013297) == ("1 in 50,000", "1 in 7,520")
