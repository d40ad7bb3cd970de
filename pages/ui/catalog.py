"""The pages of the app: the one list that a new page is entered in, beside its folder."""

from dataclasses import dataclass
from enum import Enum


class Rail(Enum):
    """How the shared controls of the release stand beside a page."""

    OPEN = "auto"  # open where there is room for both
    CLOSED = "collapsed"
    ABSENT = None


@dataclass(frozen=True)
class Page:
    """A page. One word is its folder, its title and its address.

    Attributes:
        folder: below ``pages/``; its script is ``page.py``.
        icon: of links to it.
        question: what it answers, its heading; a page without one has a heading of its own.
        rail: how the shared controls stand beside it.
        finds_people: whether it asks how many are found while some are falsely accused.
    """

    folder: str
    icon: str
    question: str = ""
    rail: Rail = Rail.OPEN
    finds_people: bool = True

    @property
    def title(self) -> str:
        """In the navigation, and in the browser's tab."""
        return self.folder.capitalize()

    @property
    def address(self) -> str:
        """Below the server's own. A public format: old links hold it."""
        return self.folder

    @property
    def script(self) -> str:
        """Its script, as Streamlit names pages."""
        return f"pages/{self.folder}/page.py"


HOME = Page("home", ":material/home:", rail=Rail.CLOSED)
MECHANISM = Page("mechanism", ":material/tune:", "How well can anybody be found in a release that you plan?")
ATTACKERS = Page("attackers", ":material/groups:", "What does the same release give away to somebody who knows less?")
RECONSTRUCT = Page(
    "reconstruct",
    ":material/person_search:",
    "How much surer does a release make a guess about somebody's record?",
)
FRONTIER = Page("frontier", ":material/balance:", "What does protection cost in accuracy?", Rail.CLOSED)
AUDIT = Page(
    "audit",
    ":material/fact_check:",
    "What do measurements prove against a model, or against a promise?",
    Rail.CLOSED,
)
PAPERS = Page("papers", ":material/gallery_thumbnail:", rail=Rail.ABSENT)
ABOUT = Page(
    "about",
    ":material/info:",
    "What this tool assumes, how it reads the papers, and what it does with your data.",
    Rail.CLOSED,
)
PAGES = (HOME, MECHANISM, ATTACKERS, RECONSTRUCT, FRONTIER, AUDIT, PAPERS, ABOUT)
"""In the order of the navigation."""
