"""Places for uploads: one file, several beside each other, or any number; each folds once its preview is confirmed."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from losses import read_table
from losses.isolation.worker import Reader
from losses.names import natural
from pages.ui import file_layout, lost_uploads, uploads
from pages.ui.upload_preview import Preview, is_folded
from pages.ui.upload_reading import Check, Upload, no_check, read_and_drop


def of_file(
    slot: str, label: str, reader: Reader = read_table, check: Check = no_check, button: str = "Measure"
) -> Preview | None:
    """Draw the place for a file, unless it is folded; what came there, or None."""
    return of_files({slot: label}, reader, check, button)


def of_files(
    places: Mapping[str, str], reader: Reader = read_table, check: Check = no_check, button: str = "Measure"
) -> Preview | None:
    """Draw the places for files beside each other, by their slots and labels; what came there once all did.

    ``check`` raises TableError for a table that no choice makes usable: such a file leaves the one before.
    """
    slot = next(iter(places))
    if is_folded(slot):
        found = {name: _held(name) for name in places}
    else:
        columns = st.columns(len(places)) if len(places) > 1 else [st.container()]
        found = {}
        for column, (name, label) in zip(columns, places.items(), strict=True):
            with column:
                found[name] = _draw(name, label, reader, check)
    files = {name: file for name, one in found.items() for file in one.values()}
    return Preview(slot, files, button) if len(files) == len(places) else None


def of_many(slot: str, label: str) -> Preview | None:
    """Draw the place for any number of files, unless it is folded; what came there by name, or None."""
    files = _held(slot) if is_folded(slot) else _draw(slot, label, most=uploads.MOST_FILES)
    return Preview(slot, {name: files[name] for name in sorted(files, key=natural)}) if files else None


def _held(slot: str) -> dict[str, Upload]:
    files = uploads.held(slot)
    lost_uploads.note(slot, bool(files))
    return files


def _draw(
    slot: str, label: str, reader: Reader = read_table, check: Check = no_check, most: int = 1
) -> dict[str, Upload]:
    """Draw the place with the choices about the layout of its files below it."""
    place = st.container()
    layout = file_layout.draw(slot, uploads.seen(slot))
    with place:
        read = partial(read_and_drop, reader=reader, layout=layout, check=check)
        return uploads.draw(slot, label, read, most)
