"""Printing a document."""

import re

from playwright.sync_api import Browser


def pages(browser: Browser, html: str) -> set[int]:
    """How many pages it takes, on A4 and on US Letter."""
    printed = browser.new_page()
    printed.set_content(html)
    files = [printed.pdf(format=paper, print_background=True) for paper in ("A4", "Letter")]
    printed.close()
    return {len(re.findall(rb"/Type\s*/Page\b", file)) for file in files}
