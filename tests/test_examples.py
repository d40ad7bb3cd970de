"""The examples in docstrings and those of the notebook give what they say."""

import doctest
import json
from importlib import import_module
from pathlib import Path

import pytest

from docs import make_notebook
from tests import ROOT

LAYERS = ("numerics", "losses", "plotting", "pages")
FILES = [
    path.relative_to(ROOT)
    for layer in LAYERS
    for path in sorted((ROOT / layer).rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("path", FILES, ids=str)
def test_examples_in_docstrings(path: Path) -> None:
    module = import_module(".".join(path.with_suffix("").parts))
    tried = doctest.testmod(module)
    assert tried.attempted > 0
    assert tried.failed == 0


def test_the_notebook_shows_what_it_shows_when_it_is_run_anew() -> None:
    stored = json.loads(make_notebook.FILE.read_text(encoding="utf-8"))
    assert make_notebook.executed() == stored, "run: python -m docs.make_notebook"
