"""Paper 004: Gaussian membership inference privacy."""

from pages.papers.paper_004 import ablations, attacks, several_steps, tables, utility

FIGURES = (*attacks.FIGURES, *several_steps.FIGURES, *ablations.FIGURES, *tables.FIGURES, *utility.FIGURES)
