"""Uploading as a visitor does: choose files, look at what the page took them for, and accept it."""

import re
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import FilePayload, Locator, expect

from tests.browser.visit import Visit

File = FilePayload | Path


def payload(name: str, data: bytes) -> FilePayload:
    """A file of these bytes."""
    return {"name": name, "mimeType": "text/csv", "buffer": data}


def measure(visit: Visit) -> Locator:
    """The button that accepts what is shown of a file, on most pages."""
    return visit.page.get_by_role("button", name="Measure", exact=True)


def change(visit: Visit) -> Locator:
    """The button that unfolds what was accepted."""
    return visit.page.get_by_role("button", name="Change", exact=True)


def offer(visit: Visit, files: File | Sequence[FilePayload], place: int = 0) -> None:
    """Choose files in the uploader at ``place``; done when the page has read them, and says what there is to say.

    A page that has read a file draws an uploader with another key. Its class alone says nothing: it changes as well
    while the old one waits to be drawn anew.
    """
    uploader = visit.page.locator("[class*=_upload_]:has([data-testid=stFileUploader])").nth(place)
    if change(visit).count():
        visit.click(change(visit), uploader)
    key = re.search(r"st-key-[\w-]+_upload_\d+", uploader.get_attribute("class") or "")
    assert key is not None
    uploader.locator("input[type=file]").set_input_files(files)
    expect(uploader).not_to_have_class(re.compile(rf"{key[0]}\b"))
    visit.settle()


def accept(visit: Visit, label: str = "Measure") -> None:
    """Accept what is shown of the files, by the button of this label."""
    visit.click(visit.page.get_by_role("button", name=label, exact=True), change(visit))


def upload(visit: Visit, file: bytes | Path, name: str = "losses.csv", place: int = 0) -> None:
    """Choose a file and accept what is shown of it, unless something is wrong with it or another is missing."""
    offer(visit, file if isinstance(file, Path) else payload(name, file), place)
    if measure(visit).count() and not visit.page.get_by_test_id("stAlert").count():
        accept(visit)
