"""Whose losses are looked at: a shipped sample, uploaded losses or predictions, one model's or those of several."""

from dataclasses import replace
from enum import StrEnum

import streamlit as st

from losses import SAMPLES, Groups
from numerics.epsilon_star import LossScale
from pages.audit import row_groups
from pages.audit.epsilon_star import model_files, one_file, predictions, two_files
from pages.audit.epsilon_star.source import LossSource
from pages.ui.controls import segmented_control
from reports.python_code import readers

KEYS = ("audit.source", "audit.sample", *predictions.KEYS, *model_files.KEYS)


class SourceKind(StrEnum):
    """Where losses come from; the values are the labels, and the values in the URL."""

    SAMPLE = "a sample"
    ONE_FILE = "one file"
    TWO_FILES = "two files"
    PREDICTIONS = "predictions"
    SEVERAL = "several models"


def draw() -> LossSource | None:
    """Draw the choice of the source; None while a file or a choice is missing."""
    row_groups.begin()
    found = _drawn()
    return None if found is None else _noted(found)


def _noted(source: LossSource) -> LossSource:
    """The source whose groups note what was said in this run against a column's name, for report and JSON too."""
    told, doubted = row_groups.said(), row_groups.doubts()
    if not told and not doubted:
        return source

    def groups() -> Groups:
        found = source.groups()
        return replace(found, notes=(*found.notes, *told), doubts=(*found.doubts, *doubted))

    return replace(source, key=(*source.key, *told, *doubted), groups=groups)


def _drawn() -> LossSource | None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        kind = segmented_control(
            "Losses from", list(SourceKind), default=SourceKind.SAMPLE, key="audit.source", label_visibility="collapsed"
        )
        if kind is SourceKind.SAMPLE:
            return _sample()
        if kind == SourceKind.PREDICTIONS:
            parts = predictions.draw_parts()
        elif kind == SourceKind.SEVERAL:
            way = model_files.draw_way()
    if kind == SourceKind.PREDICTIONS:
        return predictions.draw(parts)
    if kind == SourceKind.SEVERAL:
        return model_files.draw(way)
    return one_file.draw() if kind == SourceKind.ONE_FILE else two_files.draw()


def _sample() -> LossSource:
    names = [sample.name for sample in SAMPLES]
    name = segmented_control("Sample", names, default=names[0], key="audit.sample", label_visibility="collapsed")
    sample = SAMPLES[names.index(name)]
    line = f'groups = split(read_table(open("data/{sample.file}", "rb").read()), "loss", "member", "1")'
    code = readers(("read_table", "split"), line)
    files = ((sample.file, sample.digest),)
    return LossSource(
        ("sample", sample.name),
        f"sample: {sample.name}",
        sample.groups,
        code,
        files=files,
        membership=sample.membership,
        scale=LossScale.LOG_ODDS,
        about=sample.description,
        shipped=sample,
    )
