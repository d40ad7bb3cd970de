"""The certificate in a real browser: asked for, named, downloaded, and printed on two pages at most."""

import re
from collections.abc import Callable

from playwright.sync_api import Browser, expect

from tests.browser.visit import Visit

Open = Callable[..., Visit]


def test_certificate_is_made_when_asked_for_and_prints_on_two_pages(open_page: Open, browser: Browser) -> None:
    visit = open_page("mechanism?noise=2&pins=Laplace_2_1_1_add&estimates=CLT&estimates=Edgeworth")
    page = visit.page
    page.get_by_text("Take it with you").click()
    page.locator(".st-key-certificate label").click()
    page.get_by_label("Name of the release").fill("Model of <b>the clinic</b>")
    page.get_by_label("Name of the release").press("Enter")
    visit.settle()
    expect(page).not_to_have_url(re.compile("clinic"))
    with page.expect_download() as download:
        page.get_by_role("button", name="Certificate (HTML)").click()
    html = download.value.path().read_text()
    assert "Model of &lt;b&gt;the clinic&lt;/b&gt;" in html
    (address,) = re.findall(r'href="([^"]+)"', html)
    assert "noise=2" in address
    assert "estimates=CLT&amp;estimates=Edgeworth" in address
    printed = browser.new_page()
    printed.set_content(html)
    for paper in ("A4", "Letter"):
        file = printed.pdf(format=paper, print_background=True)
        assert 1 <= len(re.findall(rb"/Type\s*/Page\b", file)) <= 2
    printed.close()
