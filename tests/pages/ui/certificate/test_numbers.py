"""The certificate's numbers: those of the pages, both kinds of guarantee beside each other, and how they are said."""

import re
from dataclasses import replace

import pytest

from numerics.mechanisms import Composition, Gaussian, Mechanism
from numerics.trade_off import Bound, Order
from pages.ui import cached, cached_reconstruction
from pages.ui.certificate import words
from pages.ui.certificate.numbers import CertificateNumber, guarantees, rates
from pages.ui.certificate.program import program
from pages.ui.certificate.subject import RATES, CertificateSubject, one_of_all
from pages.ui.numbers_in_words import at_most, rounded_up
from pages.ui.threat_models import views
from pages.ui.threat_models.release import ReleaseSetting
from tests.pages.ui.certificate.subjects import FIXED, NO_NOISE, PHASES, SGD, choice_of, page, subject

MANY = Gaussian(1e3, 1.0, 1_000_000)
TINY = Gaussian(1e-3, 0.5, 2), 1e-300  # a delta below what single steps are resolved to: no finite epsilon
RELEASES = [SGD, NO_NOISE, MANY, FIXED, PHASES]


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.label)
def test_full_guarantee_is_that_of_the_pages(release: Mechanism) -> None:
    text = page(release).text
    assert f"ε = {rounded_up(cached.epsilon(release, 1e-5).upper, 4)} at δ = 10⁻⁵" in text
    for found in (
        cached.power(release, 1e-3),
        cached.advantage(release),
        cached_reconstruction.success(release, 1e-3),
        *(cached.power(release, rate, order) for rate in RATES for order in (Order.ADD, Order.REMOVE)),
    ):
        assert rounded_up(found.upper) in text


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.label)
def test_relaxed_guarantees_stand_beside_it_with_their_kind(release: Mechanism) -> None:
    at = subject(release)
    seen = views.views(at.setting)
    made = guarantees(at)
    assert [one.view.model for one in made] == list(views._LOOKS)
    for view, one in zip(seen, made, strict=True):
        if view.curve is None or view.found is None:
            assert not isinstance(one.found, CertificateNumber)
            assert view.note in page(release).text
        else:
            assert one.found == CertificateNumber(view.found.upper, view.curve.bound)
            assert view.curve.bound.value in page(release).text
            assert rounded_up(view.found.upper) in page(release).text
    assert "never in its place" in page(release).text


def test_an_infinite_epsilon_is_said_to_promise_nothing() -> None:
    *_, privacy = words.sentences(subject(TINY[0], delta=TINY[1]))
    assert "no finite ε" in privacy
    assert "at δ = 10⁻³⁰⁰" in privacy
    assert "none that is finite" in page(*TINY).text
    assert "∞" not in page(*TINY).text
    assert "No ε is known to hold at δ" in privacy


def test_epsilon_has_the_same_digits_wherever_it_stands() -> None:
    weak = Gaussian(0.4)
    shown = rounded_up(cached.epsilon(weak, 1e-5).upper, 4)
    *_, privacy = words.sentences(subject(weak))
    assert f"ε = **{shown}**" in privacy
    assert f"An ε of {shown} promises little" in privacy
    assert f"ε at δ = 10⁻⁵: at most {shown}" in page(weak).text


@pytest.mark.parametrize("order", [Order.ADD, Order.REMOVE])
def test_of_a_data_set_the_average_is_said_as_well(order: Order) -> None:
    setting = ReleaseSetting(replace(choice_of(order), records=1000, dimension=1))
    membership, *_ = words.sentences(CertificateSubject(setting, one_of_all(1000)))
    found = cached.power(SGD, 1e-3, order).upper
    assert membership.startswith(f"At most **{at_most(found).count}** of {at_most(found).of:,} ")
    expected = f" That is on average {rounded_up(1000 * found, 2)} of all 1,000 records (by guessing 1)."
    assert (expected in membership) == (order is Order.ADD)  # how many outsiders there are nobody says


def test_of_the_only_record_nothing_is_left_to_guess() -> None:
    setting = subject().setting
    setting = replace(setting, choice=replace(setting.choice, records=1))
    membership, guess, _ = words.sentences(CertificateSubject(setting, one_of_all(1)))
    assert "on average" not in membership
    assert "Nothing to protect" in guess
    assert ("Size", "records N: 1; dimensions d: 1; clipping norm C: not set") in words.parameters(
        CertificateSubject(setting, one_of_all(1))
    )


@pytest.mark.parametrize(
    ("number", "text"),
    [(0.0407, "0.041"), (1.0, "1"), (9.95, "10"), (195.2, "196"), (48.0, "48"), (43_793.1, "43,794")],
)
def test_people_are_rounded_up(number: float, text: str) -> None:
    assert words.people(number) == text


def test_one_number_is_the_same_at_the_operating_point_and_among_the_rates() -> None:
    at = subject(Composition((Gaussian(0.5, 0.1, 20), Gaussian(0.8, 0.2, 5))))  # of a numerical error that shows
    found = {one.view.model.notion: one for one in guarantees(at)}
    for column in rates(at):
        if column.order is not Order.REMOVE:
            assert column.values[RATES.index(1e-3)] == found[column.notion].found
    assert found["RTM"].rebuilt == found["RTM"].found  # the guess of one in a thousand


@pytest.mark.parametrize("release", [SGD, FIXED, PHASES], ids=lambda release: release.label)
def test_program_prints_the_numbers(release: Mechanism, capsys: pytest.CaptureFixture[str]) -> None:
    at = subject(release)
    exec(program(at), {})
    printed = capsys.readouterr().out
    full, unknown, sample, others = guarantees(at)
    assert (unknown.found == "not defined") == (release is FIXED)
    found = [*full.own.values(), full.advantage, full.rebuilt, *sample.own.values()]
    found += [] if release is FIXED else [unknown.found]
    found += [value for column in rates(at) if column.notion == "DP" for value in column.values]
    for value in found:
        assert isinstance(value, CertificateNumber)
        assert repr(value.value) in printed
    if isinstance(others.found, CertificateNumber):
        (about,) = re.findall(r"about ([0-9.e-]+)", printed)
        assert float(about) == pytest.approx(others.found.value)


def test_a_rate_of_one_is_written_in_one_way() -> None:
    shown = [words.number(CertificateNumber(value, Bound.CERTIFIED)) for value in (1.0, 1.0 - 1e-12, 0.99961, 0.991)]
    assert shown == ["1", "1", "0.9997", "0.991"]


@pytest.mark.parametrize(
    ("release", "expected"), [(SGD, "Poisson"), (FIXED, "fixed size"), (MANY, "none")], ids=lambda one: str(one)[:20]
)
def test_the_sampling_stands_beside_the_neighbours(release: Mechanism, expected: str) -> None:
    (said,) = (value for name, value in words.parameters(subject(release)) if name == "Neighbours; sampling")
    assert said == f"{release.adjacency}; {expected}"
