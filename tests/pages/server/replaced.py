"""What tests of replacements in Streamlit share: each runs with the replacement and without."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

WITH_AND_WITHOUT = pytest.mark.parametrize("replaced", [True, False], ids=["with", "without"])


def put_in(patch: Callable[[], None], replaced: bool) -> None:
    """Put the replacement in, or leave Streamlit as it comes."""
    if replaced:
        patch()


def in_a_loop(made: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a coroutine elsewhere: browser tests keep a loop running in this thread."""
    with ThreadPoolExecutor(1) as elsewhere:
        elsewhere.submit(lambda: asyncio.run(made())).result()
