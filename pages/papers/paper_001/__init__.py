"""Paper 001: Epsilon*, what a trained model shows of its training data."""

from pages.papers.paper_001 import goodness_of_fit, landscapes, mechanism_level, simulations

FIGURES = (*landscapes.FIGURES, *simulations.FIGURES, *goodness_of_fit.FIGURES, *mechanism_level.FIGURES)
