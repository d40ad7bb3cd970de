"""Where the losses of the audit page come from, as tests visit it: uploads, what is read on it, and its Python."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from losses import Groups
from numerics import epsilon_star
from numerics.epsilon_star import EpsilonStar
from numerics.trade_off import Floats
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
    return page_of(SCRIPT, fit_scale="as printed", **query)


def page_of(script: str, **query: str) -> AppTest:
    """A part of the page, drawn by ``script``."""
    start = f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n"
    return visited(AppTest.from_string(start + script, default_timeout=SECONDS), addressed("audit", query))


def estimate(train: Floats, population: Floats, delta: float | None = None) -> EpsilonStar:
    """As the pages of these tests make it: a number in which every loss has a part."""
    return epsilon_star.estimate(
        train, population, delta, epsilon_star.Method.PARAMETRIC, scale=epsilon_star.LossScale.PRINTED
    )


def value(app: AppTest) -> float:
    (found,) = (metric.value for metric in app.metric if metric.label == "value")
    return float(found)


def has_value(app: AppTest) -> bool:
    return any(metric.label == "value" for metric in app.metric)


def captions(app: AppTest) -> str:
    return " ".join(re.sub(r"\\(.)|\u2060", r"\1", str(caption.value)) for caption in app.caption)


def box(app: AppTest, label: str, place: int = 0) -> Any:
    return [found for found in app.selectbox if found.label == label][place]


def run_python(app: AppTest, files: dict[str, bytes], folder: Path, monkeypatch: pytest.MonkeyPatch) -> Groups:
    """What the snippet's Python reads from ``files``."""
    groups: Groups = names_of(app.session_state["test source"].python, files, folder, monkeypatch)["groups"]
    return groups


def names_of(python: str, files: dict[str, bytes], folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What ``python`` makes of ``files``, by name."""
    for name, data in files.items():
        (folder / name).write_bytes(data)
    monkeypatch.chdir(folder)
    code = python.replace("open(", "__import__('pathlib').Path(")
    space: dict[str, Any] = {}
    exec(code.replace(".read()", ".read_bytes()").replace(", 'rb')", ")"), space)
    return space


def assert_python_reads_the_same(
    app: AppTest, files: dict[str, bytes], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    groups = run_python(app, files, folder, monkeypatch)
    assert estimate(groups.train, groups.population).value == value(app)


def losses(seed: int, rows: int = 60, header: str = "loss,member") -> bytes:
    found = np.random.default_rng(seed).normal(size=rows)
    lines = (f"{loss - 0.8 * (row % 2):.6f},{row % 2}" for row, loss in enumerate(found))
    return "\n".join([header, *lines]).encode()
