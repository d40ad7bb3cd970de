"""The certificate as a document: a stranger's text as text, nothing that is loaded, assumptions, limits, figures."""

import re
from dataclasses import replace

import pytest

from numerics.mechanisms import Composition, Gaussian, Laplace
from numerics.relaxed import Reading
from numerics.trade_off import Order
from pages.ui import cached_reconstruction
from pages.ui.certificate import html_file, words
from pages.ui.certificate.numbers import NONE, apart, beside, guarantees, rates
from pages.ui.certificate.subject import CertificateSubject, FormEntries, one_of_all
from pages.ui.numbers_in_words import rounded_up
from pages.ui.prior_guess import Known
from pages.ui.threat_models.release import ReleaseSetting
from pages.ui.threat_models.views import APART
from tests.html import Elements
from tests.pages.ui.certificate.subjects import FIXED, SGD, choice_of, page, subject

HOSTILE = ["<img src=x onerror=alert(1)>", "<script>alert(1)</script>", "</title></style><h1>", "**bold** \u202egpj"]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_person_writes_stays_text(text: str) -> None:
    plain = Elements(html_file.page(subject(named=FormEntries("plain", "plain"))))
    html = html_file.page(subject(named=FormEntries(text, text)))
    hostile = Elements(html)
    assert (hostile.seen, hostile.attributes) == (plain.seen, plain.attributes)
    assert hostile.text.count(text.replace("\u202e", "")) == 4  # title, release, responsible, the line to sign on
    assert "\u202e" not in html


def test_nothing_is_loaded_run_or_dated() -> None:
    address = "https://example.org/mechanism?noise=2&x=%3Cscript%3E"
    html = html_file.page(subject(address=address))
    found = Elements(html)
    assert not {"script", "img", "link", "iframe", "object", "base", "form"} & set(found.seen)
    letters = {f"#{value}" for name, value in found.attributes if name == "id"}
    links = [value for name, value in found.attributes if name in ("src", "href", "srcset", "action")]
    assert [link for link in links if link not in letters] == [address]
    assert not re.search(r"url\((?!#)|@import", html)
    shown = html.replace("http://www.w3.org/2000/svg", "").replace(address.replace("&", "&amp;"), "")
    assert "http" not in shown.replace("http-equiv", "")
    assert html == html_file.page(subject(address=address))
    assert "<a " not in html_file.page(subject(address="javascript:alert(1)"))


def test_assumptions_say_whose_they_are() -> None:
    text = page(FIXED).text
    assert "μ-GDP, for error rates from 10⁻⁹: at most" in page(SGD).text
    assert "RTM: estimates, no guarantee." in page(SGD).text
    assert words.unsure(rates(subject(Laplace(1.5)))) == ""
    assert "DP, MIP, GMIP: Neighbouring data sets differ in the value of one record" in text
    assert "RTM makes no statement: Not defined where a record is replaced" in text


def test_every_phase_is_assumed_for_whoever_looks_at_it() -> None:
    text = page(Composition((SGD, Gaussian(2.0, 0.1, 50)))).text
    for rate in ("0.01", "0.1"):
        assert (
            "DP, RTM, MIP: Poisson sampling: every record takes part in each step independently with probability "
            f"{rate}." in text
        )
    assert "DP: The attacker knows the mechanism, all other records and the record itself" in text
    assert "RTM: The attacker knows the mechanism and all other records, but not the record" in text


@pytest.mark.parametrize(("order", "rate"), [(Order.ADD, "false positive rate"), (Order.REMOVE, "false negative rate")])
def test_the_rate_in_force_has_the_name_of_its_order(order: Order, rate: str) -> None:
    at = CertificateSubject(replace(subject().setting, choice=choice_of(order)), one_of_all(1000))
    assert dict(words.parameters(at))["Operating point"].startswith(f"{rate} 0.001, or 1 in 1,000")


def test_what_answers_another_question_stands_apart() -> None:
    """The table of a Poisson release holds no number about batches of fixed size."""
    found = guarantees(subject())
    assert [one.view.model.notion for one in beside(found)] == ["DP", "RTM", "MIP"]
    assert [one.view.model.notion for one in apart(found)] == ["GMIP"]
    assert APART in page(SGD).text
    assert APART not in page(FIXED).text
    assert [one.view.model.notion for one in beside(guarantees(subject(FIXED)))] == ["DP", "RTM", "MIP", "GMIP"]


def test_the_power_of_one_statistic_is_not_taken_for_a_guarantee() -> None:
    setting = ReleaseSetting(replace(subject().setting.choice, clip=2.5), Reading.MAGNITUDE)
    text = Elements(html_file.page(CertificateSubject(setting, one_of_all(1000)))).text
    assert "RTM: reached by one attack; others may reach more." in text
    assert "its curve: magnitude of the mean" in text
    assert "clipping norm C: 2.5" in text


def test_a_notion_without_numbers_of_its_own_has_its_curve_or_nothing() -> None:
    bare = replace(guarantees(subject())[0], own={})
    assert words.own(bare) == "its curve"
    assert words.own(replace(bare, view=replace(bare.view, curve=None))) == NONE


def test_figures_are_drawn_with_every_attacker() -> None:
    assert page(SGD).seen.count("figure") == 2
    assert all(f"{name}: " in page(SGD).text for name in ("DP", "RTM", "MIP"))
    assert "GMIP: does not" not in page(SGD).text  # it stands apart
    assert "<br>" not in page(SGD).text
    assert page(SGD).seen.count("svg") == 2


def test_the_prior_in_force_is_said() -> None:
    at = CertificateSubject(subject().setting, Known(0.25, "one of 4 candidates"))
    text = Elements(html_file.page(at)).text
    assert "κ = 0.25: one of 4 candidates" in text
    assert rounded_up(cached_reconstruction.success(SGD, 0.25).upper) in text
