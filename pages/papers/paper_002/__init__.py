"""Paper 002: membership inference privacy, what estimated noise is worth, and what eta leaves open."""

from pages.papers.paper_002 import estimated_spread, noise, statements

FIGURES = (*noise.FIGURES, *estimated_spread.FIGURES, *statements.FIGURES)
