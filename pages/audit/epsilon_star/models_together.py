"""What the losses of several models show beside each other: the sentence, the figure, and what k of them give away."""

import streamlit as st

from numerics.audits import Scores
from pages.audit import parts, records
from pages.audit.epsilon_star.source import Models
from pages.ui.plain_text import literal
from reports.parts import Compared, ComparedParts


def parts_of(models: Models) -> ComparedParts:
    """The models as parts of what was uploaded."""

    def read() -> list[Scores]:
        return [Scores(-one.groups.population, -one.groups.train) for one in models.read()]

    return ComparedParts(models.key, models.kind, models.names, read)


def compare(models: Models, level: float) -> Compared | None:
    """Draw which models differ, in a sentence and a figure; None of one model."""
    if len(models.names) < 2:
        return None
    found = parts.compared(parts_of(models), level)
    st.markdown(found.sentence(literal))
    parts.draw_figure(found)
    return found


def draw_rest(models: Models, found: Compared, level: float) -> None:
    """Draw what goes below the table: what limits hold for, what k of the models give away, and which records."""
    st.caption(parts.caption(found))
    parts.draw_count(parts_of(models), level, found.alpha)
    if models.rows is not None:
        records.draw_of_models(models.rows, models.key)
