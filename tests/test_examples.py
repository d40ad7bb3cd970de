"""The examples in docstrings give what they say."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

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
