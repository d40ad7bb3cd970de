"""Every public function and constructor of ``numerics`` takes a parameter as what it stands for, or refuses it by name.

Public is what a package lists in ``__all__`` and what other layers use. All of it is found by walking, and every wrong
value is made from the annotations, so that a new function needs no entry here.
"""

import ast
import enum
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from decimal import Decimal
from fractions import Fraction
from types import FunctionType, ModuleType
from typing import Any, get_type_hints

import numpy as np
import pytest

import numerics
from numerics.trade_off import Order
from numerics.validation import Probability, checked
from tests import ROOT
from tests.parameter_kinds import example, matters, takes

OTHER_LAYERS = ("app.py", "benchmarks", "losses", "pages", "plotting")


class Foreign(enum.StrEnum):
    """Not an enumeration of ``numerics``, with a value that one of them has too."""

    ADD_REMOVE = "add/remove"


WRONG: list[Any] = [
    *("nonsense", "", "1", b"1", True, False, np.True_, None, 1j, np.complex128(1.0), Fraction(1, 2), Decimal("0.5")),
    *(object(), Foreign.ADD_REMOVE, {}, {0.5}, [1.0], [None], ["1"], [True], [0.5, True], [1j], [[1.0], [1.0, 2.0]]),
    *(np.array(0.5), np.array([0.5, np.nan]), np.array(["1"]), np.array([None]), np.array([1j])),
    *(np.nan, -np.nan, np.inf, -np.inf, 10**400, -(10**400), -1, 0, 0.0, 1, 1.0, 1.5, 1e308, -1e308),
]
"""Each is wrong for some parameter; ``takes`` says for which."""


def modules() -> list[ModuleType]:
    names = [module.name for module in pkgutil.walk_packages(numerics.__path__, "numerics.")]
    return [numerics, *(importlib.import_module(name) for name in names)]


def used_elsewhere() -> Iterator[Any]:
    """What other layers import from ``numerics``, and what they take from a module that they import."""
    for layer in OTHER_LAYERS:
        path = ROOT / layer
        for file in path.rglob("*.py") if path.is_dir() else [path]:
            text = file.read_text(encoding="utf-8")
            nodes = list(ast.walk(ast.parse(text))) if "numerics" in text else []
            found: dict[str, Any] = {}
            for node in nodes:
                if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "numerics":
                    found |= {alias.asname or alias.name: named(str(node.module), alias.name) for alias in node.names}
            yield from found.values()
            for node in nodes:
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                    yield getattr(found.get(node.value.id), node.attr, None)


def named(module: str, name: str) -> Any:
    """A module's attribute, or its part of that name."""
    holder = importlib.import_module(module)
    return getattr(holder, name) if hasattr(holder, name) else importlib.import_module(f"{module}.{name}")


def public() -> list[Callable[..., Any]]:
    """Functions, constructors and methods that a caller can reach."""
    listed = [getattr(module, name) for module in modules() for name in getattr(module, "__all__", ())]
    found: dict[str, Callable[..., Any]] = {}
    for each in [*listed, *used_elsewhere()]:
        if str(getattr(each, "__module__", "")).startswith("numerics.") and not getattr(each, "_is_protocol", False):
            for one in parts(each) if isinstance(each, type) else [each]:
                if callable(one) and hasattr(one, "__qualname__"):
                    found[f"{one.__module__}.{one.__qualname__}"] = one
    checking = "numerics.validation"  # what checks is not checked itself
    return [found[name] for name in sorted(found) if asked_of(found[name]) and not name.startswith(checking)]


def parts(kind: type) -> Iterator[Callable[..., Any]]:
    """The constructor of a dataclass, and the methods of a class."""
    if is_dataclass(kind) and not inspect.isabstract(kind):
        yield kind
    for base in kind.__mro__:
        for name, member in vars(base).items():
            own = base.__module__.startswith("numerics.") and not name.startswith("_")
            if own and isinstance(member, FunctionType | classmethod | staticmethod):
                yield getattr(base, name)


def asked_of(function: Callable[..., Any]) -> dict[str, Any]:
    """The annotations of the parameters that are looked at: enumerations, numbers and arrays of them."""
    hints = get_type_hints(function, include_extras=True)
    return {name: hint for name in parameters(function) if matters(hint := hints.get(name, Any))}


def parameters(function: Callable[..., Any]) -> list[str]:
    return [name for name in inspect.signature(function).parameters if name != "self"]


def accepted(function: Callable[..., Any]) -> list[str]:
    """What should have been refused and was not, or not by name and value."""
    hints = get_type_hints(function, include_extras=True)
    unbound = "self" in inspect.signature(function).parameters
    others = {name: example(hints.get(name, Any)) for name in parameters(function)}
    found = []
    for name, hint in asked_of(function).items():
        for wrong in WRONG:
            if not takes(hint, wrong):
                given = (object(),) if unbound else ()
                answer = refusal(function, given, others | {name: wrong})
                if name not in answer or not any(shown(each) in answer for each in (wrong, *members(wrong))):
                    found.append(f"{name} = {wrong!r}: {answer}")
    return found


def refusal(function: Callable[..., Any], given: tuple[Any, ...], others: dict[str, Any]) -> str:
    """The message; what came instead, if nothing was refused."""
    try:
        return f"ACCEPTED, gave {function(*given, **others)!r}"
    except (TypeError, ValueError) as refused:
        return str(refused)
    except Exception as failed:
        return f"FAILED with {failed!r}"


def shown(value: Any) -> str:
    return f"got {value!r}"[:60]


def members(value: Any) -> list[Any]:
    """What a list or an array holds: the message may name the one that is wrong."""
    held = value.ravel().tolist() if isinstance(value, np.ndarray) else value
    return held if isinstance(held, list) else []


def name_of(function: Callable[..., Any]) -> str:
    return f"{function.__module__.removeprefix('numerics.')}.{function.__qualname__}"


@pytest.mark.parametrize("function", public(), ids=name_of)
def test_what_is_no_parameter_is_refused_by_name_rule_and_value(function: Callable[..., Any]) -> None:
    assert not accepted(function)


def test_the_walk_comes_by_what_pages_and_losses_call() -> None:
    found = {name_of(function) for function in public()}
    assert {
        "mechanisms.gaussian.Gaussian",
        "mechanisms.laplace.Laplace",
        "mechanisms.analysis.Analysis.epsilon",
    } <= found
    assert {"conversions.power_limit", "relaxed.curves.power", "calibration.targets.PowerTarget"} <= found
    assert {"epsilon_star.estimators.estimate", "frontier.counts.Histogram.sensitivity"} <= found


def test_what_is_not_checked_is_noticed() -> None:
    def unchecked(rate: Probability, order: Order = Order.ADD) -> float:
        return rate if order is Order.ADD else 0.0

    assert [finding.split(" =")[0] for finding in accepted(unchecked)].count("order") > 10
    assert not accepted(checked(unchecked))
