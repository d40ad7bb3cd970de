"""The list of papers: every figure that the tool draws anew, and why the others are not here."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from types import MappingProxyType

from losses.sweeps.samples import SWEEPS, SweepSample
from pages.attackers.noise_for_eta import figure as noise_figure
from pages.audit.epsilon_star import simulations
from pages.papers import paper_000, paper_003, paper_004, thumbnails
from pages.papers.figure import PaperFigure
from pages.ui.catalog import ATTACKERS, AUDIT, FRONTIER


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
        return _of_paper(self.number)


_SIMULATED = {
    "001 Fig. 3": thumbnails.ratios,
    "001 Fig. 4": thumbnails.gamma_laws(0.0),
    "001 Fig. 5": thumbnails.gamma_laws(1.0),
}
_GOODNESS_OF_FIT = PaperFigure(
    "001 Fig. 6",
    "Do 1 to 20 normal laws fit the losses? Tested on the losses of the sample model; press start.",
    AUDIT,
    {"about": "goodness of fit", "fit_scale": "as printed"},
    thumbnails.goodness_of_fit,
)
_NOISE_FOR_ETA = PaperFigure(
    "002 Fig. 1",
    "Noise for a wanted η on data made so that one replaced record can change everything: n = 30 to 36.",
    ATTACKERS,
    noise_figure.QUERY,
    thumbnails.noise_for_eta,
)


def _simulated() -> list[PaperFigure]:
    return [PaperFigure.of_preset(preset, AUDIT, _SIMULATED[preset.name]) for preset in simulations.PRESETS]


def _published(sample: SweepSample) -> PaperFigure:
    query = {"weigh": "your own sweep", "land_from": sample.name}
    name, _, case = sample.name.partition(", ")
    return PaperFigure(name, _PRINTED[name], FRONTIER, dict(query), partial(thumbnails.landscape, sample), case)


_PRINTED: Mapping[str, str] = {
    "001 Fig. 1": "The three baselines whose averages the text prints.",
}

_OWN_SWEEP = PaperFigure(
    "001 Fig. 1",
    "In its manner, our own networks on MNIST digits: what each gives away against how good it is.",
    FRONTIER,
    {"weigh": "your own sweep"},
    partial(thumbnails.landscape, SWEEPS[0]),
)


@lru_cache(maxsize=8)
def _of_paper(number: str) -> tuple[PaperFigure, ...]:
    """The figures of the paper with this number, in its order; some read the data they train on."""
    made = [
        *paper_000.FIGURES,
        *paper_003.FIGURES,
        *paper_004.FIGURES,
        *_simulated(),
        _GOODNESS_OF_FIT,
        _NOISE_FOR_ETA,
        *(_published(sample) for sample in SWEEPS if sample.name.startswith("001")),
        _OWN_SWEEP,
    ]
    own = [entry for entry in made if entry.name.startswith(number)]
    return tuple(sorted(own, key=lambda entry: entry.name))


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
        "**Fig. 1 and 2** show hundreds of networks trained on Purchase-100 and Adult, which do not come with the "
        "tool; but for three of Fig. 1, their points are not printed.",
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
