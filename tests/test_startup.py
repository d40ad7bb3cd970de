"""What a server does once, before the first visitor comes."""

import sys

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from pages.shared import startup

PYTHONS_OWN = 5e-3  # seconds


def test_linear_algebra_keeps_to_one_thread() -> None:
    pools = threadpool_info()
    assert pools, "no library of linear algebra is loaded: nothing is tested"
    try:
        threadpool_limits(2)
        assert {pool["num_threads"] for pool in threadpool_info()} == {2}
        startup.one_thread()
        assert {pool["num_threads"] for pool in threadpool_info()} == {1}
    finally:
        threadpool_limits(1)  # as the tests have it


def test_a_thread_that_waits_gets_its_turn_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    turns: list[float] = []
    monkeypatch.setattr(sys, "setswitchinterval", turns.append)
    startup.short_turns()
    assert 0.0 < max(turns) < PYTHONS_OWN
