"""Paper 002: membership inference privacy."""

from pages.papers.paper_002 import noise

FIGURES = noise.FIGURES
