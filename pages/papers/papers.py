"""The list of papers: every figure that the tool draws anew, and why the others are not here."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from types import MappingProxyType

from losses.sweeps.samples import SWEEPS, SweepSample
from numerics.gaussian_membership import GradientRelease
from pages.attackers.audit import presets as audit_presets
from pages.attackers.audit.presets import AuditPreset
from pages.attackers.noise_for_eta import figure as noise_figure
from pages.audit.epsilon_star import simulations
from pages.frontier.trained import presets as trained_presets
from pages.papers import paper_000, paper_003, thumbnails
from pages.papers.figure import PaperFigure
from pages.papers.thumbnails import Draw
from pages.ui import figure_presets
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


_FIFTY_GRADIENTS = GradientRelease(50, 50, 1, 20)
_CIFAR_GRADIENTS = GradientRelease(500, 500, 1, 650)


def _audited(preset: AuditPreset) -> PaperFigure:
    draw = thumbnails.gradients(_CIFAR_GRADIENTS, True)
    return PaperFigure(preset.name, _AUDITS[preset.name], ATTACKERS, preset.query, draw)


# The presets' own words say what the papers leave open; here, one sentence each.
_AUDITS: Mapping[str, str] = {
    "004 Fig. 2a": "Is this gradient part of that average? 650 parameters, batches of 500, no noise.",
}
_SIMULATED = {
    "001 Fig. 3": thumbnails.ratios,
    "001 Fig. 4": thumbnails.gamma_laws(0.0),
    "001 Fig. 5": thumbnails.gamma_laws(1.0),
}
_MEMBERSHIP: Mapping[str, Draw] = {
    "004 Fig. 1": thumbnails.gradients(_FIFTY_GRADIENTS, False),
    "004 Table 3": thumbnails.table_3,
    "004 Table 5": thumbnails.table_5,
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


def _weighed(preset: trained_presets.TrainingPreset) -> PaperFigure:
    return PaperFigure.of_preset(preset, FRONTIER, partial(thumbnails.training, "gmip"))


@lru_cache(maxsize=8)
def _of_paper(number: str) -> tuple[PaperFigure, ...]:
    """The figures of the paper with this number, in its order; some read the data they train on."""
    made = [
        *paper_000.FIGURES,
        *paper_003.FIGURES,
        *(_audited(preset) for preset in audit_presets.PRESETS if preset.name.startswith("004")),
        *_simulated(),
        _GOODNESS_OF_FIT,
        _NOISE_FOR_ETA,
        *(PaperFigure.of_preset(one, ATTACKERS, _MEMBERSHIP[one.name]) for one in figure_presets.OF_PAPER_004),
        *(_published(sample) for sample in SWEEPS if sample.name.startswith("001")),
        _OWN_SWEEP,
        *(_weighed(preset) for preset in trained_presets.PRESETS if preset.name == "004 Fig. 3"),
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
        "**Fig. 2b, 2c and 6** train networks on CIFAR-10, Purchase and Adult, which do not come with the tool; the "
        "audit part runs the same attack on a model of the digits (“GLiR, real gradients”). **Fig. 4** asks what "
        "changes with other batches, laws, clipping and dimensions; batch and dimension can be set in the audit part. "
        "**Fig. 5** is Fig. 2 on logarithmic axes. **Tables 1, 2 and 4** are in words and settings.",
    ),
)
FIGURES = tuple(entry for paper in PAPERS for entry in paper.entries)
BY_ADDRESS = MappingProxyType({entry.slug: entry for entry in FIGURES})


def paper_of(entry: PaperFigure) -> Paper:
    """The paper that a figure is in."""
    return next(paper for paper in PAPERS if entry in paper.entries)
