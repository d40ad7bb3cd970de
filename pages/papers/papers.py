"""The list of papers: every figure that the tool draws anew, and where everything else is."""

from dataclasses import dataclass
from types import MappingProxyType

from pages.papers import paper_000, paper_001, paper_002, paper_003, paper_004
from pages.papers.figure import PaperFigure
from pages.papers.other_results import OTHERS


@dataclass(frozen=True)
class Paper:
    """A paper: how it is called here, its title and authors, its figures, and which of them are of other data."""

    number: str
    title: str
    authors: str
    other_data: str = ""

    @property
    def entries(self) -> tuple[PaperFigure, ...]:
        """Its figures, in its order."""
        return tuple(sorted((one for one in _MADE if one.name.startswith(self.number)), key=lambda one: one.name))

    @property
    def elsewhere(self) -> str:
        """Markdown: what of the paper has no page of its own, and where it is instead."""
        rows = [one.markdown for one in OTHERS[self.number]]
        return "\n".join([*([self.other_data, ""] if self.other_data else []), *rows])


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
        "**Fig. 4** trains on CIFAR-10, SNLI and ImageNet, which do not come with the tool: its printed points are "
        "drawn beside models of data that do. **Fig. 3c**'s network on the diabetes data has no part in what is "
        "measured there: the attacker knows all gradients but the planted one.",
    ),
    Paper(
        "001",
        "Epsilon*: privacy metric for machine learning models",
        "Negoescu, Gonzalez, Al Orjany and others",
        "**Fig. 1, 2 and 6** are of networks trained on Purchase-100 and Adult, which do not come with the tool: those "
        "drawn here are our own, beside the three points of Fig. 1 that are printed.",
    ),
    Paper("002", "Provable membership inference privacy", "Izzo, Yoon, Arık, Zou"),
    Paper(
        "003",
        "Bounding data reconstruction attacks with the hypothesis testing interpretation of differential privacy",
        "Kaissis, Hayes, Ziller, Rueckert",
        "**Fig. 1** prints the largest ε of its panels and not all of their settings: those here reach it.",
    ),
    Paper(
        "004",
        "Gaussian membership inference privacy",
        "Leemann, Pawelczyk, Kasneci",
        "**Fig. 2, 3, 5 and 6** train on CIFAR-10, Purchase and Adult, which do not come with the tool: the digits and "
        "the breast cancer data stand in for them. What the paper prints of its runs is computed in Tables 3 and 5.",
    ),
)
FIGURES = tuple(entry for paper in PAPERS for entry in paper.entries)
BY_ADDRESS = MappingProxyType({entry.slug: entry for entry in FIGURES})


def paper_of(entry: PaperFigure) -> Paper:
    """The paper that a figure is in."""
    return next(paper for paper in PAPERS if entry in paper.entries)


def cited(entry: PaperFigure) -> str:
    """A figure as a reader cites it, who knows no numbers of papers: ``Kaissis et al., Fig. 1a``."""
    paper = paper_of(entry)
    place = entry.name.removeprefix(paper.number).strip()
    return f"{paper.authors.split(',')[0]} et al., {place}{f' · {entry.case}' if entry.case else ''}"
