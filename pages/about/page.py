"""About: corrections to the papers, threat models, notation, kinds of numbers, privacy, references."""

from pages.about import corrections, sections
from pages.ui import address
from pages.ui.controls import segmented_control

SECTIONS = {
    "Corrections to the papers": corrections.draw,
    "Threat models": sections.draw_threat_models,
    "Notation": sections.draw_notation,
    "How numbers are labelled": sections.draw_kinds_of_numbers,
    "Your data": sections.draw_privacy,
    "References": sections.draw_references,
}

address.start_anew(("about.section", *corrections.KEYS))
section = segmented_control(
    "Section", list(SECTIONS), default=next(iter(SECTIONS)), key="about.section", label_visibility="collapsed"
)
SECTIONS[section]()
