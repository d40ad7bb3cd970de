"""How the numbers of an uploaded table stand: in one column, in a column for each group, or in one for each model."""

from enum import StrEnum
from functools import partial

from losses import LossTable, TableError
from losses.long_form import LongForm, group_columns, model_columns, of_groups, of_models
from losses.row_questions import check_groups
from numerics.epsilon_star import SMALLEST_GROUP
from pages.audit import row_questions
from pages.ui import uploads
from pages.ui.upload_preview import Preview, refusing
from pages.ui.uploads import imports, opened


class LayoutChoice(StrEnum):
    """How the numbers stand; the values are the labels."""

    LONG = "one column of numbers"
    GROUPS = "a column for each group"
    MODELS = "a column for each model"


def draw(preview: Preview, reader: str, groups: tuple[str, str], fewest: int = SMALLEST_GROUP) -> LongForm | None:
    """Draw the choice of the layout and its columns; None where these make no long table.

    Args:
        preview: of one file.
        reader: the function of ``losses`` that read it.
        groups: what the two groups are called.
        fewest: rows that each of them needs.
    """
    ((slot, upload),) = preview.files.items()
    table = upload.table
    if not row_questions.rows_are_people(preview, partial(check_groups, fewest=fewest)):
        return None
    ways, why = _ways(table)
    way = ways[0] if ways == [LayoutChoice.LONG] else preview.choice("Layout", "layout", ways, why)
    read = opened(reader, upload), (reader, *imports(upload))
    if way == LayoutChoice.LONG:
        return LongForm(table, *read)
    names = [column.name for column in table.numbers]
    if way == LayoutChoice.GROUPS:
        chosen = [
            preview.columns(f"Columns of {words}", f"columns{place}", names, usual)
            for place, (words, usual) in enumerate(zip(groups, group_columns(table), strict=True))
        ]
        make = partial(of_groups, table, chosen[0], chosen[1], *read)
    else:
        chosen = [preview.columns("Columns of models", "columns", names, model_columns(table))]
        make = partial(of_models, table, chosen[0], *read)
    try:
        return uploads.made(slot, "long", (upload.key, way, str(chosen)), make)
    except TableError as problem:
        preview.confirmed(refusing(problem))
        return None


def _ways(table: LossTable) -> tuple[list[LayoutChoice], str]:
    """The layouts that a table may have, the likeliest first, and why it is."""
    if len(table.numbers) < 2:
        return [LayoutChoice.LONG], ""
    pairs, models = len(group_columns(table)[0]), len(model_columns(table))
    if not any(len(column.labels) == 2 for column in table.labels):
        return [LayoutChoice.GROUPS], "columns are named so, and none tells groups"
    if pairs and not table.is_membership_clear:
        return [LayoutChoice.GROUPS, LayoutChoice.LONG, LayoutChoice.MODELS], "columns are named so"
    if models and not pairs:
        return [LayoutChoice.MODELS, LayoutChoice.LONG, LayoutChoice.GROUPS], f"{models:,} columns are named alike"
    why = "a column tells the groups" if pairs else "no columns are named alike"
    return [LayoutChoice.LONG, LayoutChoice.GROUPS, LayoutChoice.MODELS], why
