"""Paper 002: membership inference privacy of a subset."""

from pages.papers.paper_002 import noise

FIGURES = noise.FIGURES
