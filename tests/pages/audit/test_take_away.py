"""What the audit page hands in: a report with the auditor's words and the figure, and JSON with the same fields."""

import json
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from pages.audit import take_away
from pages.ui import downloads
from tests import ROOT
from tests.html import Elements
from tests.pages.visit import addressed, checked, visited

SCRIPT = f"""
import runpy
from pages.ui import rail
rail.draw()
runpy.run_path({str(ROOT / "pages/audit/page.py")!r})
"""
SAMPLES = {
    "one run with canaries": ("canary-audit", "canaries", {}),
    "attack scores": ("attack-scores", "attack scores", {}),
    "a model's losses": ("epsilon-star", "losses", {"method": "empirical"}),
}


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> dict[str, Callable[[], str]]:
    """The files that the page's buttons make, by their names."""
    found: dict[str, Callable[[], str]] = {}

    def button(_label: str, file: str, make: Callable[[], str], **_: object) -> None:
        found[file] = make

    monkeypatch.setattr(downloads, "button", button)
    return found


@pytest.mark.parametrize("evidence", SAMPLES)
def test_the_report_has_the_pages_verdict_the_auditors_words_and_the_fields_of_the_json(
    evidence: str, offered: dict[str, Callable[[], str]]
) -> None:
    name, kind, query = SAMPLES[evidence]
    app = visited(AppTest.from_string(SCRIPT, default_timeout=90), addressed("audit", {"evidence": evidence, **query}))
    for key, words in zip(take_away.KEYS, ("Model 7", "before release", "<i>checked</i> twice"), strict=True):
        (box,) = (one for one in app.text_input if one.key == key)
        box.set_value(words)
    app = checked(app.run())
    html = offered[f"{name}-report.html"]()
    found = json.loads(offered[f"{name}.json"](), parse_constant=pytest.fail)
    page = Elements(html)
    assert found["audit"] == kind
    assert found["auditor"] == {"model": "Model 7", "purpose": "before release", "note": "<i>checked</i> twice"}
    headline = " ".join(str(one.value) for one in app.markdown if one.value.startswith("## "))
    said = found["verdict"]["sentences"][0]
    assert said in headline.replace(r"\*", "\0").replace("*", "").replace("\0", "*")
    first = page.text[: page.text.index("Date, signature")]
    for words in (said, "Model 7", "before release", "<i>checked</i> twice", *found["rests_on"]):
        assert words in first
    assert all(one["sha256"] in first for one in found["data"]["files"])
    assert page.seen.count("figure") == len(found["figures"]) or not found["figures"]
    assert page.seen.count("figure") >= 1
    assert found["code"].rstrip() in page.text
