"""A report in print: its first page, on either paper, has the verdict and all that an auditor says of it."""

from dataclasses import replace

import pytest
from playwright.sync_api import Browser

from losses import SAMPLES
from numerics.epsilon_star import Method, ascending, estimate
from numerics.epsilon_star.verdict import EstimateVerdict, Reason, Standing
from reports import html_file, losses_audit
from reports.audit_report import Auditor, Data
from reports.losses_audit import EstimateReport, MeasuredLosses
from tests.browser.test_certificate import pages

pytestmark = pytest.mark.browser


def longest() -> str:
    """A report of losses with every estimate and every reason against it, six files and a long note."""
    groups = SAMPLES[0].groups()
    train, fresh = ascending(groups.train), ascending(groups.population)
    found = estimate(train, fresh, None, Method.EMPIRICAL)
    doubtful = EstimateReport(Method.EMPIRICAL, found, EstimateVerdict(Standing.GREY, tuple(Reason)[:4]))
    files = tuple((f"losses-of-the-third-model-part-{number}.parquet", f"{number:064x}") for number in range(6))
    measured = MeasuredLosses(
        estimate(train, fresh, None, Method.CONFIDENCE),
        (doubtful, replace(doubtful, method=Method.PARAMETRIC)),
        Data("losses", files),
        SAMPLES[0].membership,
    )
    said = Auditor("The third model, of May", "before release", "word " * 120)
    return html_file.page(replace(losses_audit.report(measured), auditor=said))


def test_the_verdict_and_what_it_rests_on_are_page_1(browser: Browser) -> None:
    html = longest()
    assert min(pages(browser, html)) >= 2
    first = html[: html.index("<section><h2>In numbers")] + "</body></html>"
    assert pages(browser, first) == {1}
