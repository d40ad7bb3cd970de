"""Places for uploads: one file, several beside each other, or any number; each folds once its preview is confirmed."""

from collections.abc import Mapping

import streamlit as st

from losses import read_table
from losses.instances import natural
from losses.isolation.worker import Reader
from pages.ui import file_layout, lost_uploads, multiple_uploads, uploads
from pages.ui.upload_preview import Preview, is_folded
from pages.ui.upload_reading import Check, no_check


def of_file(
    slot: str, label: str, reader: Reader = read_table, check: Check = no_check, button: str = "Measure"
) -> Preview | None:
    """Draw the place for a file, unless it is folded; what came there, or None."""
    return of_files({slot: label}, reader, check, button)


def of_files(
    places: Mapping[str, str], reader: Reader = read_table, check: Check = no_check, button: str = "Measure"
) -> Preview | None:
    """Draw the places for files beside each other, by their slots and labels; what came there once all did."""
    slot = next(iter(places))
    if is_folded(slot):
        found = {slot: uploads.held(slot) for slot in places}
        for name, file in found.items():
            lost_uploads.note(name, file is not None)
    else:
        columns = st.columns(len(places)) if len(places) > 1 else [st.container()]
        found = {}
        for place, (name, label) in zip(columns, places.items(), strict=True):
            with place:
                found[name] = file_layout.upload(name, label, reader, check)
    files = {name: file for name, file in found.items() if file is not None}
    return Preview(slot, files, button) if len(files) == len(places) else None


def of_many(slot: str, label: str, reader: Reader = read_table) -> Preview | None:
    """Draw the place for any number of files, unless it is folded; what came there by name, or None."""
    if is_folded(slot):
        files = multiple_uploads.held(slot)
        lost_uploads.note(slot, bool(files))
    else:
        place = st.container()
        said = file_layout.draw(slot, multiple_uploads.seen(slot))
        with place:
            files = multiple_uploads.draw(slot, label, reader, said)
    return Preview(slot, {name: files[name] for name in sorted(files, key=natural)}) if files else None
