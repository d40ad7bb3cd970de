"""Losses from uploaded predictions and labels: which columns hold what, and how the labels were understood."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType

import streamlit as st

from losses import LOSS, Predicted, Roles, TableError, read_predictions
from losses import with_losses as losses_of
from losses.long_form import LongForm
from numerics.epsilon_star import LossScale
from pages.audit.epsilon_star import one_file, prediction_columns, two_files
from pages.audit.epsilon_star.source import LossSource
from pages.ui import upload_preview, uploads
from pages.ui.controls import segmented_control
from pages.ui.upload_preview import Preview, nothing, refusing
from pages.ui.uploads import Upload, imports, opened

KEYS = ("audit.predictions_in",)
_ONE, _TWO = "one file", "two files"
_PLACES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        _ONE: {"audit.predictions": "A file with predictions, the right answer and a membership in every row"},
        _TWO: {
            "audit.train_predictions": "Predictions for the training data, with the right answers",
            "audit.fresh_predictions": "Predictions for fresh data, the population",
        },
    }
)
_OPEN = "Say what is still open: the predictions, the right answers, or the label that the predictions are for."
_NO_MEMBERSHIP = TableError(
    "No other column tells members from outsiders.",
    "Add one with two different labels, or choose “two files” and upload each group as a file of its own.",
)
_IMPORTED = ("Naming", "PredictionScale", "Roles", "read_predictions", "with_losses")


def draw_parts() -> str:
    """Draw the choice between one file with a membership column and a file for each group."""
    parts = (_ONE, _TWO)
    return segmented_control("In", parts, default=_ONE, key=KEYS[0])


def draw(parts: str) -> LossSource | None:
    """Draw uploads and the choice of columns; None while something is missing."""
    preview = upload_preview.of_files(_PLACES[parts], read_predictions)
    found = None if preview is None else _with_losses(preview)
    if preview is None or found is None:
        return None
    roles, predicted = found
    if parts == _ONE and not predicted[0].table.labels:
        preview.confirmed(refusing(_NO_MEMBERSHIP))
        return None
    forms = {
        slot: (LongForm(part.table, _python(upload, roles), (*_IMPORTED, *imports(upload))), LOSS)
        for (slot, upload), part in zip(preview.files.items(), predicted, strict=True)
    }
    notes = _understood(predicted)
    if parts == _ONE:
        ((form, loss),) = forms.values()
        source = one_file.of_table(preview, form, loss, notes)
    else:
        source = two_files.of_two(preview, forms, notes)
    # All probabilities that were cut count against the fit of each model.
    cut = sum(part.clipped for part in predicted)
    return None if source is None else replace(source, scale=LossScale.LOG_ODDS, cut=cut)


def _python(upload: Upload, roles: Roles) -> str:
    naming = None if roles.naming is None else f"Naming.{roles.naming.name}"
    said = f"{roles.scores!r}, {roles.label!r}, PredictionScale.{roles.scale.name}, {roles.positive!r}, {naming}"
    return f"with_losses({opened('read_predictions', upload)}, Roles({said})).table"


def _with_losses(preview: Preview) -> tuple[Roles, list[Predicted]] | None:
    """Draw the choice of the columns, which is one for all of the files; the losses, once all is said."""
    try:
        roles = prediction_columns.draw(preview)
        if roles is None:
            preview.confirmed(nothing, _OPEN)
            return None
        with st.spinner("Losses from predictions …", show_time=True):
            return roles, [
                uploads.made(slot, "losses", (file.key, roles), partial(losses_of, file.table, roles))
                for slot, file in preview.files.items()
            ]
    except TableError as problem:
        preview.confirmed(refusing(problem))
        return None


def _understood(found: Sequence[Predicted]) -> tuple[str, str]:
    rows, clipped = sum(part.table.rows for part in found), sum(part.clipped for part in found)
    cut = f"{clipped:,} of {rows:,} rows have a probability closer to 0 or 1 than its digits tell, and were cut there."
    return f"Understood: {found[0].words}.", cut if clipped else "No probability had to be cut."
