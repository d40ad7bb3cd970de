"""What the methods for gamma take: seconds, and memory at the peak, measured in a process of its own.

Not in the process that asks: tracing memory there slows down all its threads, and crashes it when the tracing stops
while another thread takes memory (https://github.com/python/cpython/issues/128679, open in Python 3.11).
"""

import json
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from dataclasses import astuple
from importlib import import_module
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from time import monotonic, perf_counter
from typing import NamedTuple

import numpy as np

from numerics import approximations
from numerics.approximations import LARGEST_EDGEWORTH_ORDER
from numerics.deadline import UNLIMITED, Deadline
from numerics.mechanisms import Composition, Mechanism
from numerics.privacy_loss import Precision
from numerics.privacy_loss.certify import forget
from numerics.trade_off import Floats, Order
from numerics.validation import checked

CERTIFIED, CLT = "certified", "CLT"
_ROOT = Path(__file__).parents[2]
_COMMAND = (sys.executable, "-m", __name__)
_PATIENCE = 120.0  # seconds
_LOOK = 0.2  # seconds between two looks at the deadline


class Cost(NamedTuple):
    """What a method takes: seconds, and bytes at the peak."""

    seconds: float
    memory: int


@checked
def edgeworth(order: int) -> str:
    """The name of Edgeworth's estimate of an order."""
    return f"Edgeworth, order {order}"


@checked
def costs(release: Mechanism, priors: Floats, precision: Precision, deadline: Deadline = UNLIMITED) -> dict[str, Cost]:
    """What each method takes for the whole curve at ``priors``, by name; methods that cannot do it are left out.

    Raises ValueError where the process that measures did not come to an end, and DeadlineError where there is no time
    to wait for that; either ends the process.
    """
    try:
        answer = _answer(_written(release, priors, precision).encode(), deadline)
    except (OSError, subprocess.SubprocessError) as failure:
        raise ValueError(f"time and memory must be measurable, got {type(failure).__name__}.") from failure
    return {name: Cost(*cost) for name, cost in json.loads(answer).items()}


def _answer(question: bytes, deadline: Deadline) -> bytes:
    """What the process that measures says; it is gone afterwards."""
    unsent: bytes | None = question
    end = monotonic() + _PATIENCE
    with Popen(_COMMAND, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, cwd=_ROOT) as process:
        try:
            while process.returncode is None:
                try:
                    answer = process.communicate(unsent, timeout=_LOOK)[0]
                except subprocess.TimeoutExpired:
                    unsent = None
                    deadline.check()
                    if monotonic() > end:
                        raise
        finally:
            process.kill()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, _COMMAND)
    return answer


def measured(release: Mechanism, priors: Floats, precision: Precision) -> dict[str, Cost]:
    """As ``costs``, in this process; nothing else may run in it."""
    methods: dict[str, Callable[[], object]] = {
        CERTIFIED: lambda: release.trade_off(priors, Order.ADD, precision),
        CLT: lambda: approximations.clt(release, priors),
    }
    for order in range(LARGEST_EDGEWORTH_ORDER + 1):
        methods[edgeworth(order)] = lambda order=order: approximations.edgeworth(release, priors, order)  # type: ignore[misc]
    found: dict[str, Cost] = {}
    for name, method in methods.items():
        try:
            found[name] = _cost(method)
        except ValueError:
            continue
    return found


def _cost(method: Callable[[], object]) -> Cost:
    """Run ``method`` twice: traced, which also loads what is loaded only once, and for its time."""
    forget()
    tracemalloc.start()
    try:
        method()
        memory = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    forget()
    began = perf_counter()
    method()
    return Cost(perf_counter() - began, memory)


def _written(release: Mechanism, priors: Floats, precision: Precision) -> str:
    parts = [(type(phase).__module__, type(phase).__name__, astuple(phase)) for phase in release.phases]
    narrow = {name: value for name, value in vars(precision).items() if name != "deadline"}  # which is looked at here
    return json.dumps([parts, isinstance(release, Composition), priors.tolist(), narrow])


def _read(text: str) -> tuple[Mechanism, Floats, Precision]:
    parts, composed, priors, precision = json.loads(text)
    phases = tuple(getattr(import_module(module), name)(*values) for module, name, values in parts)
    return Composition(phases) if composed else phases[0], np.array(priors), Precision(**precision)


if __name__ == "__main__":
    json.dump(measured(*_read(sys.stdin.read())), sys.stdout)
