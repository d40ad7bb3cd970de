"""About: corrections to the papers, threat models, notation, kinds of numbers, privacy, references."""

from pages.about import corrections, kinds_of_numbers, notation, privacy, references, threat_models
from pages.ui import example_links
from pages.ui.segmented_control import segmented_control

SECTIONS = {
    "corrections": corrections.draw,
    "attackers": threat_models.draw,
    "notation": notation.draw,
    "numbers": kinds_of_numbers.draw,
    "privacy": privacy.draw,
    "references": references.draw,
}
_TITLES = {
    "corrections": "Corrections to the papers",
    "attackers": "Threat models",
    "notation": "Notation",
    "numbers": "How numbers are labelled",
    "privacy": "Your data",
    "references": "References",
}
KEPT = ("about.section", *corrections.KEYS)

example_links.start_anew(KEPT)
section = segmented_control(
    "Section",
    list(SECTIONS),
    default="corrections",
    key="about.section",
    label_visibility="collapsed",
    format_func=_TITLES.__getitem__,
)
SECTIONS[section]()
