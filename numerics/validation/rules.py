"""What an annotation asks of a value."""

from collections.abc import Callable, Sequence
from enum import Enum
from math import isnan
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import numpy as np
from numpy.typing import NDArray

from numerics.validation.interval import Interval, refuse

Take = Callable[[str, Any], Any]  # of a parameter's name and value; gives the value as it is used, or raises


def rule_of(hint: Any) -> Take | None:
    """What an annotation asks for; None where it asks for nothing that can be told."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in _RULES:
        return _RULES[origin](arguments)
    if not _is_class(hint):
        return None
    return _NUMBERS[hint] if hint in _NUMBERS else _member_of(hint) if issubclass(hint, Enum) else _instance_of((hint,))


def _is_class(hint: Any) -> bool:
    return isinstance(hint, type) and hint not in (object, Any) and not getattr(hint, "_is_protocol", False)


def _within(arguments: tuple[Any, ...]) -> Take | None:
    """The rule of an annotated type, and then its intervals."""
    plain = _real if arguments[0] is float else rule_of(arguments[0])  # an interval says more of NaN
    intervals = [each for each in arguments[1:] if isinstance(each, Interval)]
    if plain is None:
        return None
    kind = arguments[0] if intervals else None
    low, high = max((each.low for each in intervals), default=0.0), min((each.high for each in intervals), default=0.0)

    def take(name: str, value: Any) -> Any:
        if type(value) is kind and low <= value <= high:  # quick, as nearly all are
            return value
        taken = plain(name, value)
        for interval in intervals:
            interval.check(name, taken)
        return taken

    return take


def _number(name: str, value: Any) -> Any:
    number = _real(name, value)
    return refuse(name, "be a number", value, ValueError) if isnan(number) else number


def _real(name: str, value: Any) -> Any:
    """Any number, NaN too."""
    if type(value) is float:
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        refuse(name, "be a number", value, TypeError)
    try:
        return float(value)
    except OverflowError:  # a whole number
        return refuse(name, "be a number of double precision", value, ValueError)


def _whole(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        refuse(name, "be a whole number", value, TypeError)
    return int(value)


def _member_of(kind: type[Enum]) -> Take:
    words = "be one of " + ", ".join(repr(member.value) for member in kind)

    def take(name: str, value: Any) -> Any:
        if type(value) is kind:
            return value
        if isinstance(value, Enum) or not isinstance(value, str):
            refuse(name, words, value, TypeError)
        try:
            return kind(str(value))
        except ValueError:
            return refuse(name, words, value, ValueError)

    return take


def _array_of(arguments: tuple[Any, ...]) -> Take:
    kind = get_args(arguments[1])[0]
    kind = get_origin(kind) or kind
    floats = issubclass(kind, np.floating)
    allowed, words = ("iuf", "numbers") if floats else ("b", "truth values") if kind is np.bool_ else ("iu", "integers")

    def take(name: str, value: Any) -> Any:
        array = value if type(value) is np.ndarray else _made_of(value)
        if array.dtype.kind not in allowed:
            refuse(name, f"be an array of {words}", value, TypeError)
        return array.astype(np.float64, copy=False) if floats else array

    return take


def _made_of(value: Any) -> NDArray[Any]:
    """As NumPy makes it; of no kind at all where rows differ in length, or truth values stand among numbers."""
    try:
        array = np.asarray(value)
    except ValueError:
        return np.empty(0, dtype=object)
    mixed = array.dtype.kind in "iuf" and isinstance(value, list | tuple)
    if mixed and any(isinstance(each, bool | np.bool_) for each in np.asarray(value, dtype=object).flat):
        return np.empty(0, dtype=object)
    return array


def _tuple_of(arguments: tuple[Any, ...]) -> Take:
    """Each item by its own rule, or all by the only one."""
    items = [rule_of(each) for each in arguments if each is not Ellipsis]

    def take(name: str, value: Any) -> Any:
        if not isinstance(value, tuple | list) or len(items) not in (1, len(value)):
            refuse(name, f"be a tuple of {len(items)}" if len(items) > 1 else "be a tuple", value, TypeError)
        rules = items * len(value) if len(items) == 1 else items
        pairs = enumerate(zip(rules, value, strict=True))
        return tuple(rule(f"{name}[{place}]", each) if rule else each for place, (rule, each) in pairs)

    return take


def _instance_of(kinds: tuple[type[Any], ...]) -> Take:
    words = "be of type " + " or ".join(kind.__name__ for kind in kinds)
    kinds = (*kinds, np.bool_) if bool in kinds else kinds

    def take(name: str, value: Any) -> Any:
        return value if isinstance(value, kinds) else refuse(name, words, value, TypeError)

    return take


def _any_of(hints: tuple[Any, ...]) -> Take | None:
    """The first rule that lets the value through; arrays are tried as arrays first, all else as anything else."""
    hints, optional = tuple(hint for hint in hints if hint is not NoneType), NoneType in hints
    classes = tuple(hint for hint in hints if _is_class(hint) and hint not in _NUMBERS and not issubclass(hint, Enum))
    arrays = [rule_of(hint) for hint in hints if get_origin(hint) is np.ndarray]
    others = [rule_of(hint) for hint in hints if get_origin(hint) is not np.ndarray and hint not in classes]
    others += [_instance_of(classes)] if classes else []

    def take(name: str, value: Any) -> Any:
        if optional and value is None:
            return None
        refusals = []
        for rule in arrays + others if isinstance(value, np.ndarray | list) else others + arrays:
            try:
                return rule(name, value) if rule else value
            except (TypeError, ValueError) as refusal:
                refusals.append(refusal)
        raise type(refusals[0])(" ".join(str(refusal) for refusal in refusals))

    return take


_NUMBERS: dict[Any, Take] = {float: _number, int: _whole}
_RULES: dict[Any, Callable[[tuple[Any, ...]], Take | None]] = {
    Annotated: _within,
    Union: _any_of,
    UnionType: _any_of,
    tuple: _tuple_of,
    Sequence: _tuple_of,
    np.ndarray: _array_of,
}
