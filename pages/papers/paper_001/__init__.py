"""Paper 001: epsilon*."""

from pages.papers.paper_001 import models, simulated

FIGURES = (*models.FIGURES, *simulated.FIGURES)
