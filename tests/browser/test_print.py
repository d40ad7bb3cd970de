"""Documents that visitors take away and print: each has its pages, on A4 and on US Letter."""

import re
from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.print import pages
from tests.browser.visit import Visit

Open = Callable[..., Visit]
# Weak, and every notion has an answer and a curve; and the one with the longest assumptions.
RELEASES: tuple[dict[str, str], ...] = (
    {"noise": "0.45", "rate": "0.01234", "steps": "1000"},
    {"noise": "9.876", "rate": "0.0123", "steps": "12345", "adjacency": "replace-one", "sampling": "fixed size"}
    | {"phases": "4", "noise_2": "5.4", "noise_3": "8.5", "noise_4": "7.25"},
)


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: f"noise {release['noise']}")
def test_memo_and_certificate_print_on_few_pages(open_page: Open, browser: Browser, release: dict[str, str]) -> None:
    visit = open_page(f"mechanism?{urlencode({'knows_rate': 'true', 'accused': '10'} | release)}&estimates=CLT")
    visit.click(visit.page.get_by_text("Take it with you"))
    assert pages(browser, visit.download("Memo (HTML)").decode()) == {1}
    visit.click(visit.page.locator(".st-key-certificate-open label").first)
    visit.enter(visit.page.get_by_label("Name of the release"), "Model of <b>the clinic</b>, with its version " * 2)
    assert "clinic" not in visit.page.url
    visit.page.get_by_role("button", name="Make the certificate").click()
    expect(visit.page.get_by_role("button", name="Certificate (HTML)")).to_be_enabled()
    visit.rest()
    html = visit.download("Certificate (HTML)").decode()
    assert "Model of &lt;b&gt;the clinic&lt;/b&gt;" in html
    (address,) = re.findall(r'<a [^>]*href="([^"]+)"', html)
    assert f"noise={release['noise']}&amp;" in address
    assert "estimates=CLT" in address
    assert pages(browser, html) <= {2, 3}


def test_verdict_and_what_it_rests_on_are_the_first_page_of_a_report(open_page: Open, browser: Browser) -> None:
    visit = open_page("audit")
    visit.enter(visit.page.get_by_label("Note"), "word " * 120)
    html = visit.download("Report (HTML)").decode()
    assert min(pages(browser, html)) >= 2
    first = html[: html.index("<section><h2>Figures")] + "</body></html>"
    assert pages(browser, first) == {1}
