"""Pasting what an accountant printed: what was understood is read before it is used, and rubbish changes nothing."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, expect

from numerics.mechanisms import Gaussian
from numerics.release_file import ReleaseFile
from tests.browser.visit import Visit

Open = Callable[..., Visit]
HISTORY = "OrderedDict([('history', [(2.0, 0.01, 400), (1.5, 0.01, 600)]), ('mechanism', 'rdp')])"
EVENT = (
    "SelfComposedDpEvent(event=PoissonSampledDpEvent(sampling_probability=0.02, "
    "event=GaussianDpEvent(noise_multiplier=2.5)), count=500)"
)


def paste(visit: Visit, text: str) -> Locator:
    """Open the box, put the text into it and leave it; returns what unfolds with the box."""
    fold = visit.page.get_by_test_id("stPopoverBody")
    if not fold.count():
        visit.click(visit.page.get_by_role("button", name="Paste"), fold)
    box = fold.get_by_label("Accountant's state or arguments")
    box.fill(text)
    box.press("Control+Enter")
    visit.settle()
    return fold


def test_what_was_understood_is_shown_before_it_is_used_and_rubbish_is_refused_in_words(open_page: Open) -> None:
    visit = open_page("mechanism", width=1280, height=720)
    expect(visit.answer).to_contain_text("people can be found")
    before, answer = visit.page.url, visit.answer.inner_text()
    for rubbish, refusal in RUBBISH:
        fold = paste(visit, rubbish)
        expect(fold.get_by_text(refusal)).to_be_visible()
        expect(fold.get_by_role("button", name="Use it")).to_have_count(0)
    assert (visit.page.url, visit.answer.inner_text()) == (before, answer)
    for text, understood, address in UNDERSTOOD:
        before, answer = visit.page.url, visit.answer.inner_text()
        fold = paste(visit, text)
        expect(fold.get_by_text(understood)).to_be_visible()
        assert (visit.page.url, visit.answer.inner_text()) == (before, answer)
        visit.click(fold.get_by_role("button", name="Use it"), re.compile(rf"[?&]{re.escape(address)}(&|$)"))
        expect(visit.answer).not_to_have_text(answer)
    an_exported_release_is_uploaded_and_used(visit)


RUBBISH = (
    (
        "<img src=x onerror=alert(1)> [(1, 2)]",
        "Not understood: this is neither a history, nor an event, nor arguments",
    ),
    ("[(1.1, 0.01)]", "entry 1 of the history is not (noise, sampling rate, steps)"),
)
UNDERSTOOD = (
    (
        HISTORY,
        "noise 2, rate 0.01 (Poisson), 400 steps; then Gaussian noise 1.5, rate 0.01 (Poisson), 600 steps",
        "phases=2",
    ),
    (EVENT, "Gaussian noise 2.5, rate 0.02 (Poisson), 500 steps; add/remove.", "noise=2.5"),
)


def an_exported_release_is_uploaded_and_used(visit: Visit) -> None:
    fold = paste(visit, HISTORY)
    text = ReleaseFile((Gaussian(2.25, 0.02, 700),), None, 5000, 300).text
    fold.locator("input[type=file]").set_input_files({"name": "r.json", "mimeType": "", "buffer": text.encode()})
    expect(
        fold.get_by_text("noise 2.25, rate 0.02 (Poisson), 700 steps; add/remove. N = 5,000. d = 300.")
    ).to_be_visible()
    visit.click(fold.get_by_role("button", name="Use it"), re.compile(r"[?&]noise=2.25(&|$)"))
    assert "dimension=300" in visit.page.url
