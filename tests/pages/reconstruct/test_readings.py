"""What is guessed: a record, an attribute, a yes or no, whose record it is; one curve, and what it is compared with."""

import numpy as np
import pytest

from numerics import reconstruction
from numerics.mechanisms import Adjacency, Gaussian, Laplace, Sampling
from numerics.trade_off import Bound
from pages.reconstruct import answer, bounded, controls, figures
from pages.reconstruct.prior import COMMONER
from pages.ui import cached_reconstruction
from pages.ui.prior_guess import Guessed, Known, success_sentence
from tests.pages.reconstruct.test_page import headline
from tests.pages.reconstruct.visit import RELEASE, page, press, said, view
from tests.pages.visit import checked

SAMPLED_TWICE = Gaussian(1.0, 0.01, 1000, Adjacency.REPLACE_ONE)
RELEASES = [
    RELEASE,
    SAMPLED_TWICE,
    Gaussian(1.0),
    Laplace(2.0, 1.0),
    Gaussian(1.0, 0.1, 20, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE),
]


@pytest.mark.parametrize(
    ("guessed", "words"),
    [
        ("a record", "guesses a record right 10 of 10,000 times gets it right at most **41 of 10,000** times"),
        ("an attribute", "guesses somebody's attribute right 10 of 10,000 times gets it right at most **41 of"),
        ("a yes or no", "guesses a yes or no right 5,000 of 10,000 times gets it right at most **6,322 of 10,000**"),
        ("whose record it is", "names the right person 10 of 10,000 times does so at most **41 of 10,000** times"),
    ],
)
def test_the_sentence_says_what_is_guessed(guessed: str, words: str) -> None:
    app = page(guessed=guessed)
    assert words in headline(app)
    assert app.query_params.get("reconstruct.guessed", ["a record"]) in (guessed, [guessed])


def test_all_but_a_yes_or_no_are_one_number() -> None:
    """Of any number of values nothing better is known; of two the best test is, and it says less is possible."""
    kinds = (Guessed.RECORD, Guessed.ATTRIBUTE, Guessed.PERSON)
    for release in RELEASES:
        found = {view(release, 0.6, kind).success for kind in kinds}
        assert found == {cached_reconstruction.success(release, 0.6)}
        two = view(release, 0.6, Guessed.YES_OR_NO).success
        assert two == reconstruction.attribute_inference(release, 0.6, cached_reconstruction.PRECISION)
        assert two.upper <= next(iter(found)).upper


def test_a_yes_or_no_does_not_hang_on_the_neighbours_and_says_so() -> None:
    both = [view(release, 0.5, Guessed.YES_OR_NO) for release in (RELEASE, SAMPLED_TWICE)]
    assert both[0].success == both[1].success
    assert answer.compared(both[0]) == answer.compared(both[1])
    assert "the other answer in this one's place" in answer.compared(both[0])
    assert "without this record (add/remove)" in answer.compared(view())
    assert "another record in this one's place (replace-one)" in answer.compared(view(SAMPLED_TWICE))
    assert "any number of values" in answer.compared(view(RELEASE, 1e-3, Guessed.PERSON))


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: f"{release.label}, {release.adjacency}")
def test_the_curve_goes_through_the_point_and_has_the_kind_of_its_number(release: Gaussian | Laplace) -> None:
    for share in (0.5, 0.75, 0.99):
        shown = view(release, share, Guessed.YES_OR_NO)
        curve = figures.curve(shown, release)
        at = int(np.argmin(np.abs(curve.alpha - share)))
        assert curve.alpha[at] == pytest.approx(share)
        most = (curve.lower or curve).power[at]
        assert most == pytest.approx(shown.success.upper, rel=1e-9)
        assert curve.bound is cached_reconstruction.bound(release, shown.known)
    assert np.all(np.diff(curve.power) >= -1e-9)
    assert np.all(curve.power >= curve.alpha - 1e-9)


def test_kinds_of_numbers() -> None:
    answers = Known(0.5, "", Guessed.YES_OR_NO)
    assert cached_reconstruction.bound(Gaussian(1.0), answers) is Bound.EXACT
    assert cached_reconstruction.bound(Gaussian(1.0, 0.1), Known(0.5, "")) is Bound.EXACT
    assert cached_reconstruction.bound(Gaussian(1.0, 0.1), answers) is Bound.CERTIFIED  # no formula of two opposite
    assert cached_reconstruction.bound(RELEASES[-1], answers) is Bound.LOWER


def test_the_same_slider_means_another_share_for_each() -> None:
    for guessed, meaning in (
        ("a record", "how often the guess is right without the release"),
        ("an attribute", "how common the commonest value is"),
        ("whose record it is", "one of 100 people"),
    ):
        app = page(guessed=guessed, kappa="0.01")
        assert meaning in said(app)
        assert float(str(app.select_slider(key="reconstruct.kappa").value)) == 0.01
    app = page(guessed="a yes or no", commoner="0.9")
    assert "how common the commoner answer is" in said(app)
    assert not [slider for slider in app.select_slider if slider.key == "reconstruct.kappa"]


def test_a_click_on_the_curve_of_a_yes_or_no_moves_its_share() -> None:
    app = page(guessed="a yes or no")
    app.session_state[controls.CHART] = {"selection": {"points": [{"x": 0.8123}]}}
    assert min(COMMONER.values, key=lambda share: abs(share - 0.8123)) == 0.8
    app.select_slider(key="reconstruct.commoner").set_value(0.8)
    assert "8,000 of 10,000 times" in headline(checked(app.run()))


def test_a_figure_of_a_paper_is_about_a_record() -> None:
    app = press(page(guessed="a yes or no", guess_limit="20"), "003 Fig. 2, CIFAR-10")
    assert app.session_state["reconstruct.guessed"] == "a record"
    assert app.session_state["reconstruct.guess_limit"] == 20.0  # the visitor's own


def test_lift_and_points_are_those_of_the_reading() -> None:
    for guessed, prior in ((Guessed.RECORD, 1e-3), (Guessed.YES_OR_NO, 0.8)):
        shown = view(RELEASE, prior, guessed)
        gamma, times, points, gains, *_ = answer.numbers(shown)
        assert float(gamma.value) == pytest.approx(shown.success.upper, rel=1e-2)
        assert float(times.value) == pytest.approx(shown.success.upper / prior, rel=1e-2)
        count, of = (int(part.replace(",", "")) for part in points.value.split(" of "))
        assert shown.success.upper - prior <= count / of <= 1.1 * (shown.success.upper - prior) + 1e-9
        assert gains.value == "about 41 %"


def test_a_rare_guess_that_gains_most_is_not_said_to_be_right_never() -> None:
    gains = answer.numbers(view(Gaussian(0.1)))[3]
    assert gains.value == "below 1 %"


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
    count, of = words.split("at most **")[1].split("**")[0].replace(",", "").split(" of ")
    assert most * (1 - 1e-3) <= int(count) / int(of) <= 1.1 * most
    assert "10 of 10,000 times, blindly" in words


def test_no_guess_of_a_certain_answer_is_an_attack() -> None:
    success = cached_reconstruction.success(RELEASE, 1e-3)
    assert "names the right person" in success_sentence(success, Known(1e-3, "", Guessed.PERSON))
    assert "Nothing to protect" in success_sentence(success, Known(1.0, "", Guessed.YES_OR_NO))


def test_estimates_of_a_yes_or_no_are_said_to_be_missing() -> None:
    app = page(guessed="a yes or no", estimates="CLT")
    assert "a curve of its own" in " ".join(str(box.value) for box in app.info)
