"""Share: what a visitor takes away of a page, in one menu at its top right: link, sheet, data, code, release.

A page offers its own once its answer stands; everything is made from the objects that were drawn, when it is asked for,
so a file never disagrees with the page. Figures are saved by their own toolbar.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from threading import local
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.elements.lib.mutable_popover_container import PopoverContainer

from pages.ui import address, chart, downloads
from pages.ui.downloads import Make
from reports.rounding import capitalised

if TYPE_CHECKING:  # the first page does without them
    from reports.sheet import Sheet

_WHERE = "# Run this in the folder of the project, which holds the packages numerics and losses.\n"
# In the bar on top, as high as that and below an open sidebar: there it takes no room from a page.
_AT_THE_TOP = (
    "<style>:has(> .st-key-share-place) { position: fixed; top: .7rem; right: 3.2rem; width: auto; z-index: 999990 }"
    "</style>"
)
_ABOUT_SHEET = (
    "One document to file, which prints on two A4 pages, with an annex where these have no room: the verdict, what it "
    "rests on, all guarantees side by side, and the fields of a report to a regulator. What only you know is written "
    "into it where you open it, and nowhere else."
)


@dataclass(frozen=True)
class Shared:
    """What a page offers to take away; files are made once they are asked for.

    Attributes:
        name: start of the files' names.
        python: the snippet that prints the page's numbers.
        table: makes the data (CSV) of the figure.
        others: make the data (CSV) of the page's other figures, by name.
        sheet: fills in the sheet with the page's address, where the page has one.
        numbers: makes all numbers of an audit as JSON.
        release: makes the release as JSON, to be read again here or by another program.
    """

    name: str
    python: str
    table: Make
    others: Mapping[str, Make] = field(default_factory=dict)
    sheet: "Callable[[str], Sheet] | None" = None
    numbers: Make | None = None
    release: Make | None = None

    def files(self, link: str) -> list[tuple[str, str, Make]]:
        """Every file: the words on its button, its name, and what makes it."""
        found: list[tuple[str, str, Make]] = []
        if (made := self.sheet) is not None:
            found.append(("Sheet (HTML)", f"{self.name}-sheet.html", lambda: made(link).html))
            found.append(("For a model card (Markdown)", f"{self.name}.md", lambda: made(link).markdown))
        if self.numbers is not None:
            found.append(("All numbers (JSON)", f"{self.name}.json", self.numbers))
        found.append(("Data (CSV)", f"{self.name}.csv", self.table))
        for what, make in self.others.items():
            found.append((f"{capitalised(what)} (CSV)", f"{self.name}-{what.replace(' ', '-')}.csv", make))
        return [*found, *([("Release (JSON)", "release.json", self.release)] if self.release else [])]


class _Run(local):
    """What the run in this thread has offered."""

    def __init__(self) -> None:
        self.offered: list[Shared] = []


_RUN = _Run()


def offer(shared: Shared) -> None:
    """Let the menu of this run hold what the page, or a part of it, has."""
    _RUN.offered.append(shared)


def draw_button() -> PopoverContainer:
    """Draw the menu's button, before the page is drawn; ``fill`` puts into it what the page has offered by then."""
    _RUN.offered.clear()
    st.html(_AT_THE_TOP)
    with st.container(key="share.place"):
        return st.popover("Share", icon=":material/share:", key="share.menu", on_change="rerun")


def fill(menu: PopoverContainer, folded: Iterable[str]) -> None:
    """Fill the menu, once it is open; ``folded`` names controls that are set and not drawn."""
    if not menu.open:
        return
    with menu:
        link = address.permalink(folded)
        st.markdown("**Link**, with every setting")
        if address.rests_on_upload():
            st.caption("The data are not in it: who opens it needs the file, too.")
        st.code(link, language=None, height=80, wrap_lines=True)
        if any(one.sheet for one in _RUN.offered):
            st.markdown("**Sheet**")
            st.caption(_ABOUT_SHEET)
        for shared in _RUN.offered:
            with st.container(horizontal=True, gap="small"):
                for label, file, make in shared.files(link):
                    downloads.button(label, file, make)
            st.markdown("**Code** that prints the same numbers")
            # Plain: the colours of highlighted code are too faint on either background.
            st.code(f"{_WHERE}{shared.python}", language=None, height=200)
        if _RUN.offered:
            chart.draw_format()
