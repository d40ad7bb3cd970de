"""The label of the release in force, to copy into a model card or to take away as a picture."""

import streamlit as st

from numerics.version import VERSION
from pages.ui import address, downloads, memo, report_fields
from pages.ui.error_boundary import error_boundary
from pages.ui.release_choice import ReleaseChoice
from reports.privacy_label import PrivacyLabel

_HELP = "A few lines for a model card: what is promised, of what, and what nobody has said."
_ADVICE = "Copy it into a model card as it is. The file in HTML is the same as a picture, without scripts."
_SHOWN = ("0.01", "0.001")


def label_of(choice: ReleaseChoice, restored: str) -> PrivacyLabel:
    """The label; raises ValueError where a number is outside what can be computed."""
    release = choice.mechanism
    found = {f"members found at FPR {rate}": report_fields.found_at(choice)[rate] for rate in _SHOWN}
    facts = {
        "release": choice.words,
        "unit": memo.assumptions(release)[-1],
        "neighbours": str(release.phases[0].adjacency),
        "sampling": memo.assumptions(release)[1],
        "accountant": f"privacy trade-offs {VERSION}, {release.bound}",
    }
    if choice.records is not None:
        facts["records"] = f"{choice.records:,}"
    unsaid = tuple(field.name.lower() for field in report_fields.ASKED if field.fill is None)
    return PrivacyLabel(facts, report_fields.summary(choice) | found, ("sampler as run", *unsaid), restored)


def draw(choice: ReleaseChoice) -> None:
    """Draw it, once it is wanted."""
    if not st.toggle("Privacy label", key="privacy_label.open", help=_HELP, persist_state="session"):
        return
    with error_boundary("privacy label"):
        label = label_of(choice, address.permalink(without=("compare",)))
        st.caption(_ADVICE)
        st.code(label.markdown, language="markdown", wrap_lines=True)
        with st.container(horizontal=True):
            downloads.button("Label (Markdown)", "privacy-label.md", lambda: label.markdown)
            downloads.button("Label (HTML)", "privacy-label.html", lambda: label.html)
