"""Paper 000: the relaxed threat model."""

from pages.papers.paper_000 import power, trade_offs

FIGURES = (*trade_offs.FIGURES, *power.FIGURES)
