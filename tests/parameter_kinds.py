"""Which values belong where an annotation stands: the rules of ``numerics/validation.py`` in the slow and plain way."""

import enum
import inspect
from collections.abc import Sequence
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import numpy as np
import pytest

from numerics.validation import Interval

UNKNOWN = object()  # stands for a number that may be NaN


def matters(hint: Any) -> bool:
    """Whether a number or an enumeration's member belongs there."""
    if get_origin(hint) is np.ndarray or hint in (float, int):
        return True
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return True
    if get_origin(hint) is tuple:  # a phase's pair with its number of steps is made by a mechanism, which checks it
        return any(matters(each) for each in get_args(hint) if get_origin(each) is not tuple)
    return get_origin(hint) in (Annotated, Union, UnionType) and any(map(matters, get_args(hint)))


def takes(hint: Any, value: Any) -> bool:
    """Whether ``value`` belongs where ``hint`` stands: the rule in the slow and plain way."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        intervals = [each for each in arguments[1:] if isinstance(each, Interval)]
        kind = UNKNOWN if arguments[0] is float and not intervals else arguments[0]
        return takes(kind, value) and all(inside(each, value) for each in intervals)
    if origin in (Union, UnionType):
        return any(takes(each, value) for each in arguments)
    if origin in (tuple, Sequence):
        return takes_items([each for each in arguments if each is not Ellipsis], value)
    if origin is np.ndarray:
        return takes_array(str(arguments[1]), value)
    return takes_one(hint, value)


def takes_one(hint: Any, value: Any) -> bool:
    if hint is UNKNOWN:
        return is_number(value, float)
    if hint in (float, int):
        fits = hint is int or (is_number(value, float) and abs(value) != 10**400 and not np.isnan(value))
        return fits and is_number(value, hint)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return type(value) is hint or (type(value) is str and value in [member.value for member in hint])
    unknown = not isinstance(hint, type) or hint in (Any, object) or getattr(hint, "_is_protocol", False)
    return unknown or isinstance(value, hint)


def takes_items(kinds: list[Any], value: Any) -> bool:
    if not isinstance(value, list | tuple):
        return False
    kinds = kinds * len(value) if len(kinds) == 1 else kinds
    return len(value) == len(kinds) and all(map(takes, kinds, value))


def is_number(value: Any, kind: type) -> bool:
    numbers = (int, np.integer) if kind is int else (int, np.integer, float, np.floating)
    return isinstance(value, numbers) and not isinstance(value, bool)


def inside(interval: Interval, value: Any) -> bool:
    numbers = np.asarray(value, dtype=object).ravel().tolist()
    return all(interval.low <= number <= interval.high for number in numbers)


def takes_array(kind: str, value: Any) -> bool:
    try:
        held = np.asarray(value).dtype.kind
    except ValueError:
        return False
    kinds = {type(each) for each in value} if isinstance(value, list) else set()
    return held in ("b" if "bool" in kind else "iu" if "int" in kind else "iuf") and (held == "b" or bool not in kinds)


def example(hint: Any) -> Any:
    """Some value that belongs where ``hint`` stands; of a class an empty instance, which nothing gets to look at."""
    for value in (None, True, 0.5, 0.25, 1, 2, 3, 1.5, 50, "", [0.5], [1], [True], [], [(0.5, 0.5)]):
        if takes(hint, value):
            return value
    kind = next((each for each in (hint, *get_args(hint)) if isinstance(each, type)), None)
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return next(iter(kind))
    if get_origin(hint) in (tuple, Sequence):
        return tuple(example(each) for each in get_args(hint) if each is not Ellipsis)
    return empty(kind) if isinstance(kind, type) else pytest.fail(f"no example of {hint}")


def empty(kind: type) -> Any:
    """An instance without anything in it, of a class or of one of its kinds."""
    if issubclass(kind, tuple):
        return tuple.__new__(kind)
    if kind is np.random.Generator:
        return np.random.default_rng(0)
    return object.__new__(kind) if not inspect.isabstract(kind) else empty(kind.__subclasses__()[0])
