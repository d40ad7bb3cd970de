"""The certificate: the pages' numbers, both kinds of guarantee beside each other, a stranger's text as text."""

import re
from dataclasses import replace
from functools import cache

import pytest
from streamlit.testing.v1 import AppTest

from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Sampling
from numerics.relaxed import Reading
from numerics.trade_off import Bound, Order
from pages.attackers import views
from pages.attackers.setting import Setting
from pages.certifying import certificate, words
from pages.certifying.making import BENCH, Making
from pages.certifying.numbers import Number, guarantees, rates
from pages.certifying.program import program
from pages.certifying.subject import RATES, Named, Subject, one_of_all
from pages.rebuilding.known import Known
from pages.shared import cached, cached_notions, cached_reconstruction, slices
from pages.shared.controls import Choice
from pages.shared.frequencies import at_most, rounded_up
from pages.shared.in_turn import Remembered
from pages.shared.sweeps import Release
from tests.html import Elements
from tests.page_visit import script_of, visited

SGD = Gaussian(1.0, 0.01, 1000)
NO_NOISE = Gaussian(1e-3)
MANY = Gaussian(1e3, 1.0, 1_000_000)
INFINITE = Gaussian(1e-3, 0.5, 2)
FIXED = Gaussian(1.0, 0.01, 100, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE)
PHASES = Composition((Laplace(3.0), Laplace(2.0)))
RELEASES = [SGD, NO_NOISE, MANY, FIXED, PHASES]
UNNAMED = Named()


def subject(release: Release = SGD, named: Named = UNNAMED, address: str = "") -> Subject:
    setting = Setting.plain(Choice(release, 1e-3, Order.ADD, 1e-5), 1000, 1)
    return Subject(setting, one_of_all(1000), address, named)


@cache
def page(release: Release) -> Elements:
    return Elements(certificate.page(subject(release)))


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.label)
def test_full_guarantee_is_that_of_the_pages(release: Release) -> None:
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
def test_relaxed_guarantees_stand_beside_it_with_their_kind(release: Release) -> None:
    at = subject(release)
    seen = views.views(at.setting)
    made = guarantees(at)
    assert [one.view.model for one in made] == list(views._LOOKS)
    for view, one in zip(seen, made, strict=True):
        if view.curve is None or view.found is None:
            assert not isinstance(one.found, Number)
            assert view.note in page(release).text
        else:
            assert one.found == Number(view.found.upper, view.curve.bound)
            assert view.curve.bound.value in page(release).text
            assert rounded_up(view.found.upper) in page(release).text
    assert "never in its place" in page(release).text


def test_an_infinite_epsilon_is_said_to_promise_nothing() -> None:
    *_, privacy = words.sentences(subject(INFINITE))
    assert "no finite ε" in privacy
    assert "at δ = 10⁻⁵" in privacy
    assert "none that is finite" in page(INFINITE).text
    assert "∞" not in page(INFINITE).text
    assert "too large to promise anything" in privacy


def test_epsilon_has_the_same_digits_wherever_it_stands() -> None:
    weak = Gaussian(0.4)
    shown = rounded_up(cached.epsilon(weak, 1e-5).upper, 4)
    *_, privacy = words.sentences(subject(weak))
    assert f"ε = **{shown}**" in privacy
    assert f"An ε of {shown} promises little" in privacy
    assert f"ε at δ = 10⁻⁵: at most {shown}" in page(weak).text


@pytest.mark.parametrize("order", [Order.ADD, Order.REMOVE])
def test_no_crowd_is_larger_than_the_data_set(order: Order) -> None:
    membership, *_ = words.sentences(Subject(replace(subject().setting, choice=choice_of(order)), one_of_all(1000)))
    found = cached.power(SGD, 1e-3, order).upper
    assert f"chance of at most **{at_most(found)}**".replace(" of 10", " in 10") in membership
    assert "10,000 people" not in membership
    expected = f", which is on average {rounded_up(1000 * found, 2)} of all 1,000 records (by guessing 1)."
    assert (expected in membership) == (order is Order.ADD)  # how many outsiders there are nobody says


def choice_of(order: Order) -> Choice:
    return Choice(SGD, 1e-3, order, 1e-5)


def test_of_the_only_record_nothing_is_left_to_guess() -> None:
    setting = replace(subject().setting, records=1)
    membership, guess, _ = words.sentences(Subject(setting, one_of_all(1)))
    assert "on average" not in membership
    assert "Nothing to protect" in guess
    assert ("Size", "N = 1 record, d = 1 dimension") in words.parameters(Subject(setting, one_of_all(1)))


@pytest.mark.parametrize(
    ("number", "text"),
    [(0.0407, "0.041"), (1.0, "1"), (9.95, "10"), (195.2, "196"), (48.0, "48"), (43_793.1, "43,794")],
)
def test_people_are_rounded_up(number: float, text: str) -> None:
    assert words.people(number) == text


def test_rates_of_unknown_records_are_those_of_the_page() -> None:
    (column,) = (column for column in rates(subject()) if column.notion == "RTM" and column.order is Order.ADD)
    for rate, value in zip(RATES, column.values, strict=True):
        assert isinstance(value, Number)
        assert value.value == cached_notions.relaxed_power(SGD, rate, 1, Order.ADD, subject().setting.reading).upper


def test_one_number_is_the_same_at_the_operating_point_and_among_the_rates() -> None:
    at = subject(Composition((Gaussian(0.5, 0.1, 20), Gaussian(0.8, 0.2, 5))))  # of a numerical error that shows
    found = {one.view.model.notion: one for one in guarantees(at)}
    for column in rates(at):
        if column.order is not Order.REMOVE:
            assert column.values[RATES.index(1e-3)] == found[column.notion].found
    assert found["RTM"].rebuilt == found["RTM"].found  # the guess of one in a thousand


@pytest.mark.parametrize("release", [SGD, FIXED, PHASES], ids=lambda release: release.label)
def test_program_prints_the_numbers(release: Release, capsys: pytest.CaptureFixture[str]) -> None:
    at = subject(release)
    exec(program(at), {})
    printed = capsys.readouterr().out
    full, unknown, sample, others = guarantees(at)
    found = [*full.own.values(), full.advantage, full.rebuilt, unknown.found, *sample.own.values()]
    found += [value for column in rates(at) if column.notion == "DP" for value in column.values]
    for value in found:
        assert isinstance(value, Number)
        assert repr(value.value) in printed
    if isinstance(others.found, Number):
        (about,) = re.findall(r"about ([0-9.e-]+)", printed)
        assert float(about) == pytest.approx(others.found.value)


HOSTILE = ["<img src=x onerror=alert(1)>", "<script>alert(1)</script>", "</title></style><h1>", "**bold** \u202egpj"]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_person_writes_stays_text(text: str) -> None:
    plain = Elements(certificate.page(subject(named=Named("plain", "plain"))))
    html = certificate.page(subject(named=Named(text, text)))
    hostile = Elements(html)
    assert (hostile.seen, hostile.attributes) == (plain.seen, plain.attributes)
    assert hostile.text.count(text.replace("\u202e", "")) == 4  # title, release, responsible, the line to sign on
    assert "\u202e" not in html


def test_nothing_is_loaded_run_or_dated() -> None:
    address = "https://example.org/mechanism?noise=2&x=%3Cscript%3E"
    html = certificate.page(subject(address=address))
    found = Elements(html)
    assert not {"script", "img", "link", "iframe", "object", "base", "form"} & set(found.seen)
    assert [value for name, value in found.attributes if name in ("src", "href", "srcset", "action")] == [address]
    assert not re.search(r"url\(|@import", html)
    shown = html.replace("http://www.w3.org/2000/svg", "").replace(address.replace("&", "&amp;"), "")
    assert "http" not in shown.replace("http-equiv", "")
    assert html == certificate.page(subject(address=address))


@pytest.mark.parametrize("address", ["", "javascript:alert(1)", "file:///etc/passwd"])
def test_no_address_but_of_the_web_is_linked(address: str) -> None:
    assert "<a " not in certificate.page(subject(address=address))


def test_assumptions_say_whose_they_are() -> None:
    text = page(FIXED).text
    assert "DP, GMIP: Neighbouring data sets differ in the value of one record" in text
    assert "RTM: Neighbouring data sets differ by the presence of one record" in text


def test_every_phase_is_assumed_for_whoever_looks_at_it() -> None:
    text = page(Composition((SGD, Gaussian(2.0, 0.1, 50)))).text
    for rate in ("0.01", "0.1"):
        assert (
            f"DP, RTM: Poisson sampling: every record takes part in each step independently with probability {rate}."
            in text
        )
    assert "DP: The attacker knows the mechanism, all other records and the record itself" in text
    assert "RTM: The attacker knows the mechanism and all other records, but not the record" in text


@pytest.mark.parametrize(("order", "rate"), [(Order.ADD, "false positive rate"), (Order.REMOVE, "false negative rate")])
def test_the_rate_in_force_has_the_name_of_its_order(order: Order, rate: str) -> None:
    at = Subject(replace(subject().setting, choice=choice_of(order)), one_of_all(1000))
    assert dict(words.parameters(at))["Operating point"].startswith(f"{rate} 0.001, or 1 in 1,000")


def test_what_answers_another_question_is_said() -> None:
    plain = subject(PHASES)  # its relaxed notion compares the same data sets, that of the half does not
    assert words.OTHER_QUESTION in words.notes(guarantees(plain))
    alike = [one for one in guarantees(plain) if not one.view.differs]
    assert words.OTHER_QUESTION not in words.notes(alike)
    assert words.OTHER_QUESTION in page(PHASES).text


def test_rates_that_are_estimates_are_called_so() -> None:
    assert "RTM: estimates, no guarantee." in page(SGD).text
    assert words.unsure(rates(subject(Laplace(1.5)))) == ""


def test_the_power_of_one_statistic_is_not_taken_for_a_guarantee() -> None:
    setting = replace(subject().setting, reading=Reading.MAGNITUDE, clip=2.5)
    text = Elements(certificate.page(Subject(setting, one_of_all(1000)))).text
    assert "RTM: reached by one attack; others may reach more." in text
    assert "its curve: magnitude of the mean" in text
    assert "its clipping norm C = 2.5" in text


def test_limits_of_gaussian_privacy_are_said() -> None:
    assert "μ-GDP, for error rates from 10⁻⁹: at most" in page(SGD).text


def test_figures_are_drawn_with_every_attacker() -> None:
    assert page(SGD).seen.count("figure") == 2
    assert all(f"{name}: " in page(SGD).text for name in ("DP", "RTM", "MIP", "GMIP"))
    assert "<br>" not in page(SGD).text
    assert page(SGD).seen.count("circle") == 4  # both operating points and their legend; what is clicked is not drawn


def test_the_letters_of_a_notion_are_spelled_out() -> None:
    assert all(one.view.model.title in page(SGD).text for one in guarantees(subject()))


def test_a_rate_of_one_is_written_in_one_way() -> None:
    assert [words.number(Number(value, Bound.CERTIFIED)) for value in (1.0, 0.9999, 0.991)] == ["1", "1", "0.991"]


def test_the_prior_in_force_is_said() -> None:
    at = Subject(subject().setting, Known(0.25, "one of 4 candidates"))
    text = Elements(certificate.page(at)).text
    assert "κ = 0.25: one of 4 candidates" in text
    assert rounded_up(cached_reconstruction.success(SGD, 0.25).upper) in text


@pytest.mark.parametrize("file", ["mechanism_explorer", "threat_models", "reconstruction"])
def test_every_page_of_a_release_offers_it(file: str) -> None:
    app = visited(AppTest.from_string(script_of(f"pages/{file}.py"), default_timeout=60), {})
    assert not [box for box in app.text_input if box.key == "certificate_release"]  # costs nothing until it is wanted
    app.toggle(key="certificate").set_value(True).run()
    app.text_input(key="certificate_release").set_value("The <b>model</b>").run()
    assert files(app) == []  # nor until it is asked for
    app.button(key="certificate_start").click().run()
    while "certificate_cancel" in [button.key for button in app.button]:
        app.run()
    assert not app.exception
    assert app.text_input(key="certificate_release").value == "The <b>model</b>"
    assert "certificate_release" not in app.query_params
    assert files(app) == ["Certificate (HTML)"]


def test_making_it_can_be_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "SLICE", 1e-9)
    app = visited(AppTest.from_string(script_of("pages/mechanism_explorer.py"), default_timeout=60), {})
    app.toggle(key="certificate").set_value(True).run()
    app.button(key="certificate_start").click().run()
    app.button(key="certificate_cancel").click().run()
    assert files(app) == []
    app.button(key="certificate_start").click().run()
    assert BENCH.running_key in app.session_state
    app.number_input(key="records").set_value(77.0).run()  # another release than the one under way
    assert BENCH.running_key not in app.session_state
    assert "certificate_start" in [button.key for button in app.button]


def files(app: AppTest) -> list[str]:
    labels = [button.proto.label for button in app.get("download_button")]
    return [label for label in labels if label.startswith("Certificate")]


@pytest.mark.parametrize("release", [SGD, NO_NOISE, PHASES, Composition((SGD, Gaussian(2.0, 0.1, 50)))])
def test_all_that_takes_time_is_a_part_of_its_own(release: Release) -> None:
    at = subject(release)
    task = Making(at.setting, at.known)
    chunks = list(task.start())
    assert [chunk.done for chunk in chunks] == list(range(1, chunks[0].total + 1))
    before = remembered()
    certificate.page(at)
    assert remembered() == before
    assert (task.result(chunks, 0.0), task.result(chunks[:-1], 0.0), task.result([], 0.0)) == (True, False, False)


def remembered() -> int:
    """How many answers the caches hold that a certificate asks."""
    caches = [*vars(cached).values(), *vars(cached_notions).values(), *vars(cached_reconstruction).values()]
    return sum(len(cache) for cache in caches if isinstance(cache, Remembered))


def test_a_certificate_on_its_way_can_be_left_and_names_what_is_next() -> None:
    at = subject()
    task = Making(at.setting, at.known)
    steps = task.start()
    assert task.words([], 0.0) == "Certificate: the attacker who knows all but the noise, 0 s"
    assert task.words([next(steps)], 1.2) == "Certificate: the attacker who does not know the record, 1 s"
    steps.close()
    assert hash(task) == hash(Making(at.setting, at.known))
