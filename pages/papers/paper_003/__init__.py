"""Paper 003: reconstruction robustness by hypothesis tests."""

from pages.papers.paper_003 import over_effects, over_priors, same_epsilon

FIGURES = (*over_effects.FIGURES, *over_priors.FIGURES, *same_epsilon.FIGURES)
