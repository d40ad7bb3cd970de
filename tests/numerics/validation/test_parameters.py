"""Every public function and constructor of ``numerics`` takes a parameter as what it stands for, or refuses it by name.

Public is what a package's own file imports and what other layers use. All of it is found by walking, and every wrong
value is made from the annotations, so that a new function needs no entry here.
"""

import ast
import enum
import inspect
import pkgutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import is_dataclass
from decimal import Decimal
from importlib import import_module
from types import FunctionType, NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import numpy as np

import numerics
from numerics.trade_off import Order
from numerics.validation import LARGEST, Interval, Probability, Unknown, checked
from tests import ROOT

OTHER_LAYERS = ("benchmarks", "losses", "pages", "plotting", "reports")
METHODS = (FunctionType, classmethod, staticmethod)


class Foreign(enum.StrEnum):
    """Not an enumeration of ``numerics``, with a value that one of them has too."""

    ADD_REMOVE = "add/remove"


WRONG: list[tuple[Any, set[Any]]] = [
    *((text, {str}) for text in ("nonsense", "", Foreign.ADD_REMOVE, ["1"])),
    *((truth, {bool, np.bool_}) for truth in (True, np.True_)),
    (10**400, {int}),
    *((nothing, {NoneType}) for nothing in (None, [None])),
    *((never, set()) for never in (b"1", 1j, Decimal("0.5"), object(), {0.5}, [1j], [0.5, True])),
    *((never, set()) for never in ([[1.0], [1.0, "x"]], np.array(["1"]), np.array([None]))),
]
"""No numbers, enumeration's members or arrays, and for what an annotation may have them all the same."""


def leaves(hint: Any) -> set[Any]:
    """What may stand there, with containers and annotations taken off."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is np.ndarray:
        return {np.ndarray, *(each for each in (np.bool_, np.floating) if each.__name__ in str(arguments[1]))}
    if origin is Annotated:
        return {arguments[0]} if arguments[0] in (float, int) else leaves(arguments[0])
    if origin in (Union, UnionType, tuple, Sequence):
        return set().union(*(leaves(each) for each in arguments if each is not Ellipsis))
    return {hint}


def is_known(kind: Any) -> bool:
    """Neither a protocol nor something that anything may stand for."""
    return isinstance(kind, type) and kind is not object and not getattr(kind, "_is_protocol", False)


def matters(hint: Any) -> bool:
    """Whether numbers or an enumeration's members belong there, and nothing of which there is nothing to tell."""
    kinds = leaves(hint)
    looked_at = any(kind in (float, int, np.ndarray) or issubclass(kind, enum.Enum) for kind in kinds if is_known(kind))
    nested = get_origin(hint) is tuple and any(get_origin(each) is tuple for each in get_args(hint))
    return looked_at and not nested and all(map(is_known, kinds))


def wrong_for(hint: Any) -> Iterator[Any]:
    kinds, (first, *rules) = leaves(hint), get_args(hint) or (hint,)
    yield from (value for value, fits in WRONG if not fits & kinds)
    if float in kinds and np.ndarray not in kinds and Unknown not in (hint, *get_args(hint)):
        yield np.nan
    for interval in (rule for rule in rules if isinstance(rule, Interval)):
        for end, beyond in ((interval.low, -np.inf), (interval.high, np.inf)):
            if abs(end) < LARGEST:
                yield int(end) + int(np.sign(beyond)) if first is int else float(np.nextafter(end, beyond))


def example(hint: Any) -> Any:
    """Some value that belongs where ``hint`` stands; of a class an empty instance, which nothing gets to look at."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated and arguments[0] in (float, int):
        numbers = (number for number in (0.5, 0.25, 0.05, 2, 3, 50) if type(number) in (int, arguments[0]))
        intervals = [each for each in arguments[1:] if isinstance(each, Interval)]
        return next(number for number in numbers if all(each.low <= number <= each.high for each in intervals))
    if origin in (tuple, Sequence):
        return tuple(example(each) for each in arguments if each is not Ellipsis)
    if origin in (Union, UnionType, Annotated):
        return None if NoneType in arguments else example(arguments[0])
    if origin is np.ndarray:
        return np.ones(1, next((kind for kind in (bool, int) if kind.__name__ in str(arguments)), float))
    return empty(hint) if is_known(hint) else None


def empty(kind: type) -> Any:
    """A plain value, or an instance without anything in it, of a class or of one of its kinds."""
    if kind in (float, int, bool, str):
        return kind(2)
    if kind is np.random.Generator:
        return np.random.default_rng(0)
    if issubclass(kind, enum.Enum | tuple):
        return next(iter(kind)) if issubclass(kind, enum.Enum) else tuple.__new__(kind)
    return object.__new__(kind) if not inspect.isabstract(kind) else empty(kind.__subclasses__()[0])


def named(module: str, name: str) -> Any:
    """A module's attribute, or its part of that name."""
    holder = import_module(module)
    return getattr(holder, name) if hasattr(holder, name) else import_module(f"{module}.{name}")


def listed() -> Iterator[Any]:
    """What packages offer, what other layers import, and what they take from a module that they import."""
    for module in (each for each in pkgutil.walk_packages(numerics.__path__, "numerics.") if each.ispkg):
        offered = vars(import_module(module.name)).items()
        yield from (
            each for name, each in offered if name[0] != "_" and getattr(each, "__module__", "")[:8] == "numerics"
        )
    for file in (file for layer in OTHER_LAYERS for file in (ROOT / layer).rglob("*.py")):
        nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
        imports = [
            node for node in nodes if isinstance(node, ast.ImportFrom) and str(node.module).startswith("numerics")
        ]
        found = {
            name.asname or name.name: named(str(node.module), name.name) for node in imports for name in node.names
        }
        yield from found.values()
        for node in nodes:
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                yield getattr(found.get(node.value.id), node.attr, None)


def parts(each: Any) -> Iterator[Callable[..., Any]]:
    """A function, or of a class the constructor, if it is a dataclass, and the methods."""
    if not isinstance(each, type):
        yield each
    elif not getattr(each, "_is_protocol", False):
        if is_dataclass(each) and not inspect.isabstract(each):
            yield each
        for base in (base for base in each.__mro__ if base.__module__.startswith("numerics.")):
            members = {name: member for name, member in vars(base).items() if not name.startswith("_")}
            yield from (getattr(base, name) for name, member in members.items() if isinstance(member, METHODS))


def public() -> dict[str, Callable[..., Any]]:
    """Functions, constructors and methods that a caller can reach; what checks is not checked itself."""
    ours = (each for each in listed() if str(getattr(each, "__module__", "")).startswith("numerics."))
    found = {f"{one.__module__}.{one.__qualname__}": one for each in ours for one in parts(each) if callable(one)}
    return {name: one for name, one in found.items() if not name.startswith("numerics.validation.")}


def accepted(function: Callable[..., Any]) -> list[str]:
    """What should have been refused and was not, or not by name and value."""
    hints, found = get_type_hints(function, include_extras=True), []
    names = list(inspect.signature(function).parameters)
    unbound = [object()] if "self" in names else []
    examples = {name: example(hints.get(name, Any)) for name in names if name != "self"}
    for name in (name for name in examples if matters(hints.get(name, Any))):
        for wrong in wrong_for(hints[name]):
            try:
                answer = f"accepted, gave {function(*unbound, **examples | {name: wrong})!r}"
            except (TypeError, ValueError) as refused:
                answer = str(refused)
            except Exception as failed:
                answer = f"failed with {failed!r}"
            said = "got " if isinstance(wrong, list | np.ndarray) else f"got {wrong!r}"[:60]
            if name not in answer or said not in answer:
                found.append(f"{name} = {wrong!r}: {answer}")
    return found


def test_what_is_no_parameter_is_refused_by_name_rule_and_value() -> None:
    found = public()
    reached = {"mechanisms.gaussian.Gaussian", "mechanisms.analysis.Analysis.epsilon", "relaxed.curves.power"}
    assert {f"numerics.{name}" for name in (*reached, "conversions.power_limit")} <= set(found)
    assert {name: wrong for name, function in found.items() if (wrong := accepted(function))} == {}


def test_what_is_not_checked_is_noticed() -> None:
    def unchecked(rate: Probability, order: Order = Order.ADD) -> float:
        return rate if order is Order.ADD else 0.0

    assert [finding.split(" =")[0] for finding in accepted(unchecked)].count("order") > 10
    assert not accepted(checked(unchecked))
