"""Paper 000: the relaxed threat model."""

from pages.papers.paper_000 import audits, power, reconstruction, statements, trade_offs, training

FIGURES = (
    *trade_offs.FIGURES,
    *power.FIGURES,
    *audits.FIGURES,
    *training.FIGURES,
    *reconstruction.FIGURES,
    *statements.FIGURES,
)
