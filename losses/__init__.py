"""Reading loss tables: a file's bytes, or a shipped sample, to checked losses of members and outsiders."""

from losses.groups import SMALLEST_GROUP, LossGroups, groups_from_one, groups_from_two
from losses.problem import TableError
from losses.samples import Sample, open_sample, samples
from losses.table import Numbers, Table, read_table

__all__ = [
    "SMALLEST_GROUP",
    "LossGroups",
    "Numbers",
    "Sample",
    "Table",
    "TableError",
    "groups_from_one",
    "groups_from_two",
    "open_sample",
    "read_table",
    "samples",
]
