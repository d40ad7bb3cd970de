"""Reading tables: from a file's bytes to two groups of losses, or to the candidates for a record.

====================================================  ==================================================
What is in this file?                                 ``read_table(data)``
Which losses belong to members, which to outsiders?   ``one_column(table, ...)``, ``split(table, ...)``
How often does which candidate for a record occur?    ``read_candidates(data)``, ``weights(table, ...)``
What is wrong with it, where, and what can be done?   ``TableError``
Losses of real models to try?                         ``SAMPLES``
====================================================  ==================================================
"""

from losses.candidates import AGES, Candidates, read_candidates, weights
from losses.errors import TableError
from losses.groups import Column, Groups, join, one_column, split
from losses.reading import read_table
from losses.samples import SAMPLES, Sample
from losses.table import LossTable

__all__ = [
    "AGES",
    "SAMPLES",
    "Candidates",
    "Column",
    "Groups",
    "LossTable",
    "Sample",
    "TableError",
    "join",
    "one_column",
    "read_candidates",
    "read_table",
    "split",
    "weights",
]
