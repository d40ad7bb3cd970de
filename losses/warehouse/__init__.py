"""Epsilon* of tables that do not fit in memory, computed where they are: by DuckDB, or by an engine that is there.

``engines`` opens files and tables, ``columns`` finds the losses and the membership in them, ``auditing`` takes Epsilon*
from the aggregates of a few ``passes``.
"""
