"""The certificate in a real browser: asked for, named, downloaded, and printed on two pages and one of fields."""

import re
from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Browser, expect

from numerics.mechanisms import Adjacency, Composition, Gaussian, Mechanism, Sampling
from numerics.trade_off import Order
from pages.ui import memo
from pages.ui.certificate import html_file
from pages.ui.certificate.subject import CertificateSubject, FormEntries, one_of_all
from pages.ui.memo import Memo, assumptions
from pages.ui.release_choice import ReleaseChoice
from pages.ui.report_fields import ASKED, in_short
from pages.ui.threat_models.release import ReleaseSetting
from tests.browser.visit import Visit
from tests.plotting.test_static import figure

LONGEST: list[Mechanism] = [
    Gaussian(1e-3, 0.5, 2),  # epsilon is infinite
    Gaussian(0.45, 0.01234, 1000),  # weak, and every notion has an answer and a curve
    Composition(
        tuple(Gaussian(s, 0.0123, 12_345, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE) for s in (9.876, 5.4, 8.5, 7.25))
    ),
]
Open = Callable[..., Visit]


def test_certificate_is_made_when_asked_for_and_prints_on_three_pages(open_page: Open, browser: Browser) -> None:
    visit = open_page("mechanism?noise=2&pins=Laplace_2_1_1_add&estimates=CLT&estimates=Edgeworth")
    page = visit.page
    box = page.locator(".st-key-certificate-open label")
    visit.click(page.get_by_text("Take it with you"), box)
    visit.click(box, page.get_by_label("Name of the release"))
    page.get_by_label("Name of the release").fill("Model of <b>the clinic</b>")
    page.get_by_label("Name of the release").press("Enter")
    visit.settle()
    expect(page).not_to_have_url(re.compile("clinic"))
    file = page.get_by_role("button", name="Certificate (HTML)")
    visit.click(page.get_by_role("button", name="Make the certificate"), file)
    with page.expect_download() as download:
        file.click()
    html = download.value.path().read_text()
    assert "Model of &lt;b&gt;the clinic&lt;/b&gt;" in html
    (address,) = re.findall(r'<a [^>]*href="([^"]+)"', html)
    assert "noise=2" in address
    assert "estimates=CLT&amp;estimates=Edgeworth" in address
    assert pages(browser, html) <= {2, 3}


@pytest.mark.parametrize("release", LONGEST, ids=lambda release: release.label)
def test_the_longest_certificates_print_on_three_pages(browser: Browser, release: Mechanism) -> None:
    setting = ReleaseSetting(ReleaseChoice(release, 1e-3, Order.ADD, 1e-5, records=1000, dimension=1))
    address = "https://privacy.example.org/mechanism?" + "&".join(f"a_choice_{number}=one" for number in range(16))
    named = FormEntries("A model of the clinic, with its version, ward and date " * 2, "Somebody, head of data")
    assert pages(browser, html_file.page(CertificateSubject(setting, one_of_all(1000), address, named))) == {3}
    answered = tuple((field.key, "What a person has to say of this takes four lines or so. " * 7) for field in ASKED)
    said = FormEntries(named.release, named.responsible, answered)
    assert pages(browser, html_file.page(CertificateSubject(setting, one_of_all(1000), address, said))) <= {3, 4}


def test_a_memo_prints_on_one_page(browser: Browser) -> None:
    release = LONGEST[-1]
    verdict = (
        "At most **9,999** of 10,000 people can be found. 500 times your limit of 20. Noise 1.69 meets it. " * 2,
    ) * 2
    address = "https://privacy.example.org/mechanism?" + "&".join(f"a_choice_{number}=one" for number in range(16))
    said = Memo(
        "Can people in this data be found?",
        verdict,
        release.label,
        assumptions(release),
        "a caption " * 20,
        address,
        partial(in_short, ReleaseChoice(release, 1e-3, Order.ADD, 1e-5, records=1000)),
    )
    assert pages(browser, memo.page(said, figure())) == {1}


def pages(browser: Browser, html: str) -> set[int]:
    """How many pages it takes on either paper."""
    printed = browser.new_page()
    printed.set_content(html)
    files = [printed.pdf(format=paper, print_background=True) for paper in ("A4", "Letter")]
    printed.close()
    return {len(re.findall(rb"/Type\s*/Page\b", file)) for file in files}
