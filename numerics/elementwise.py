"""Roots and minima of many functions at once: ``scipy.optimize.elementwise``, loaded when it is first asked for.

A start would wait a tenth of a second for it, and no first page needs it. Other parts of SciPy load themselves.
"""

from importlib import import_module
from typing import Any


def __getattr__(name: str) -> Any:
    """Any function of ``scipy.optimize.elementwise``."""
    if name.startswith("_"):
        raise AttributeError(name)
    return getattr(import_module("scipy.optimize.elementwise"), name)
