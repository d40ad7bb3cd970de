"""Reading tables: from a file's bytes to two groups of losses, or to the candidates for a record.

====================================================  ==================================================
What is in this file?                                 ``read_table(data)``
Was its layout found wrongly?                         ``read_table(data, known=KnownLayout(...))``
Are there predictions and labels instead of losses?   ``with_losses(read_predictions(data), Roles(...))``
Which label means training data, and why?             ``training_label(column, labels)``
Which losses belong to members, which to outsiders?   ``split(table, ...)``
Are equal losses copies of rows, or people?           ``counted_once(groups)``, ``counted_as_people(groups)``
Which columns may name people, whatever their name?   ``dependence.of_table(table, ColumnRoles(...))``
Are rows people, and numbers losses?                  ``row_questions``
Which records with attack scores were in?             ``rows_of(read_scores(data), ColumnRoles(...))``
How often does which candidate for a record occur?    ``read_candidates(data)``, ``weights(table, ...)``
Are there several models, or several runs?            ``by_column``
Has each group, or each model, a column?              ``groups_stacked``, ``models_stacked``
Has each of them a file?                              ``files_stacked(tables)``
What is a table evidence of?                          ``Kind(read_evidence(data).kind)``
What did a sweep of strategies find?                  ``sweep(read_sweep(data), SweepRoles(...))``
What of tables that do not fit in memory?             ``warehouse.auditing.audit(engine, rows)``
What is wrong with it, where, and what can be done?   ``TableError``
Losses of real models to try?                         ``SAMPLES``
====================================================  ==================================================
"""

from losses.candidates import AGES, Candidates, RowUnit, counted_rows, read_candidates, readings, weights
from losses.classes import ClassColumns, Naming, guess
from losses.errors import TableError
from losses.groups import Groups, counted_as_people, counted_once, split
from losses.instances import Instance, by_column
from losses.layout import KnownLayout
from losses.long_form import groups_stacked, models_stacked
from losses.predictions import LOSS, Predicted, PredictionScale, Roles, seen_scale, with_losses
from losses.reading import read_evidence, read_predictions, read_scores, read_table
from losses.recognise_evidence import Kind
from losses.roles import ColumnRoles, LongRows, copied_rows, rows_counted_once, rows_of
from losses.samples import SAMPLES, Sample
from losses.several_files import files_stacked
from losses.sweeps.roles import SweepRoles, guess_roles
from losses.sweeps.table import Sweep, read_sweep, sweep
from losses.table import LossTable
from losses.training_labels import Membership, training_label

__all__ = [
    "AGES",
    "LOSS",
    "SAMPLES",
    "Candidates",
    "ClassColumns",
    "ColumnRoles",
    "Groups",
    "Instance",
    "Kind",
    "KnownLayout",
    "LongRows",
    "LossTable",
    "Membership",
    "Naming",
    "Predicted",
    "PredictionScale",
    "Roles",
    "RowUnit",
    "Sample",
    "Sweep",
    "SweepRoles",
    "TableError",
    "by_column",
    "copied_rows",
    "counted_as_people",
    "counted_once",
    "counted_rows",
    "files_stacked",
    "groups_stacked",
    "guess",
    "guess_roles",
    "models_stacked",
    "read_candidates",
    "read_evidence",
    "read_predictions",
    "read_scores",
    "read_sweep",
    "read_table",
    "readings",
    "rows_counted_once",
    "rows_of",
    "seen_scale",
    "split",
    "sweep",
    "training_label",
    "weights",
    "with_losses",
]
