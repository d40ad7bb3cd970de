"""About: corrections to the papers, threat models, notation, kinds of numbers, privacy, references."""

from pages.explaining import attackers, corrections, notation, numbers, privacy, references
from pages.shared import kept
from pages.shared.one_of import one_of

SECTIONS = {
    "corrections": corrections.draw,
    "attackers": attackers.draw,
    "notation": notation.draw,
    "numbers": numbers.draw,
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
KEPT = ("section", *corrections.KEYS)

kept.restore(KEPT)
section = one_of(
    "Section",
    list(SECTIONS),
    default="corrections",
    key="section",
    label_visibility="collapsed",
    format_func=_TITLES.__getitem__,
)
SECTIONS[section]()
kept.note(KEPT)
