"""Paper 004: Gaussian membership inference privacy."""

from pages.papers.paper_004 import attacks, tables

FIGURES = (*attacks.FIGURES, *tables.FIGURES)
