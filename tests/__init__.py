"""Tests: the tree is that of the project; what several of them need lies at the root."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
