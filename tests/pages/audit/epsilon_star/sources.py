"""Where the losses of the audit page come from, as tests visit it: uploads, what is read on it, and its Python."""

import re
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

from tests import ROOT
from tests.pages.visit import addressed, visited

SECONDS = 60  # the first run imports Plotly on a busy machine
EXCEL = b"PK\x03\x04 and so on"
SCRIPT = """
import streamlit as st
from pages.audit.epsilon_star import audits, options as choices, several_models, source_controls
with st.container():
    losses = source_controls.draw()
options = choices.draw(None if losses is None else losses.scale)
audit = audits.audited(losses, options)
if losses is not None:
    st.session_state["test source"] = losses
    if losses.models is not None:
        st.session_state["test measured"] = several_models.draw_table(losses.models, options)
if audit is not None:
    st.metric("value", repr(audit.estimated.value))
"""


def page(**query: str) -> AppTest:
    """The source, the options and the number, as the page has them; without its figures."""
    start = f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n"
    app = AppTest.from_string(start + SCRIPT, default_timeout=SECONDS)
    return visited(app, addressed("audit", {"fit_scale": "as printed", **query}))


def value(app: AppTest) -> float:
    (found,) = (metric.value for metric in app.metric if metric.label == "value")
    return float(found)


def has_value(app: AppTest) -> bool:
    return any(metric.label == "value" for metric in app.metric)


def captions(app: AppTest) -> str:
    return " ".join(re.sub(r"\\(.)|\u2060", r"\1", str(caption.value)) for caption in app.caption)


def box(app: AppTest, label: str, place: int = 0) -> Any:
    return [found for found in app.selectbox if found.label == label][place]


def losses(seed: int, rows: int = 60, header: str = "loss,member") -> bytes:
    found = np.random.default_rng(seed).normal(size=rows)
    lines = (f"{loss - 0.8 * (row % 2):.6f},{row % 2}" for row, loss in enumerate(found))
    return "\n".join([header, *lines]).encode()
