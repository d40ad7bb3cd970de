"""Paper 004: Gaussian membership inference privacy."""

from pages.papers.paper_004 import ablations, attacks, tables

FIGURES = (*attacks.FIGURES, *ablations.FIGURES, *tables.FIGURES)
