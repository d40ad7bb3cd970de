"""The list of papers: every figure that the tool draws anew, and why the others are not here."""

from dataclasses import dataclass
from types import MappingProxyType

from pages.papers import paper_000, paper_001, paper_002, paper_003, paper_004
from pages.papers.figure import PaperFigure


@dataclass(frozen=True)
class Paper:
    """A paper: how it is called here, its title and authors, its figures, and why some of them are missing."""

    number: str
    title: str
    authors: str
    absent: str = ""

    @property
    def entries(self) -> tuple[PaperFigure, ...]:
        """Its figures, in its order."""
        return tuple(sorted((one for one in _MADE if one.name.startswith(self.number)), key=lambda one: one.name))


_MADE = (
    *paper_000.FIGURES,
    *paper_001.FIGURES,
    *paper_002.FIGURES,
    *paper_003.FIGURES,
    *paper_004.FIGURES,
)


PAPERS = (
    Paper(
        "000",
        "Optimal privacy guarantees for a relaxed threat model",
        "Kaissis, Kolek, Ziller, Riess, Rueckert",
        "**Fig. 4** trains networks on CIFAR-10, SNLI and ImageNet, which do not come with the tool: its printed "
        "points are drawn, and the same is trained on data that do (Frontier).",
    ),
    Paper(
        "001",
        "Epsilon*: privacy metric for machine learning models",
        "Negoescu, Gonzalez, Al Orjany and others",
        "**Fig. 1, 2 and 6** are of networks trained on Purchase-100 and Adult, which do not come with the tool: those "
        "drawn here are our own, beside the three points of Fig. 1 that are printed.",
    ),
    Paper(
        "002",
        "Provable membership inference privacy",
        "Izzo, Yoon, Arık, Zou",
        "**Table 1** is in words: see the table of who knows what on the page Attackers.",
    ),
    Paper(
        "003",
        "Bounding data reconstruction attacks with the hypothesis testing interpretation of differential privacy",
        "Kaissis, Hayes, Ziller, Rueckert",
    ),
    Paper(
        "004",
        "Gaussian membership inference privacy",
        "Leemann, Pawelczyk, Kasneci",
        "**Fig. 6** trains networks on CIFAR-10, Purchase and Adult, which do not come with the tool, and attacks "
        "their losses. **Tables 1, 2 and 4** are in words and settings.",
    ),
)
FIGURES = tuple(entry for paper in PAPERS for entry in paper.entries)
BY_ADDRESS = MappingProxyType({entry.slug: entry for entry in FIGURES})


def paper_of(entry: PaperFigure) -> Paper:
    """The paper that a figure is in."""
    return next(paper for paper in PAPERS if entry in paper.entries)
