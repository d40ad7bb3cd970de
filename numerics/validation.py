"""Parameters are coerced or refused where they come in, in one form of message: name, rule, value received.

What is public is marked ``checked``, or ``value`` where it is a class of fields, and its annotations are the rules:

===========================================  ===================================================================
``float``, ``Probability``, ...              a number of Python's or NumPy's, taken as the float of the same value
``int``, ``Annotated[int, Interval(1, 9)]``  a whole number of either, taken as an int
an enumeration                               its member, or a member's value as plain text
an array                                     an array, or a list that makes one, taken in double precision
``tuple``                                    a tuple or list, each item by its own rule
any other class                              its instances
===========================================  ===================================================================

A bool is no number, nor is text or an array of one; None stands only where the annotation has it. What protocols and
callables say is not looked at. A wrong kind raises TypeError, a value that the rule excludes ValueError.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, fields
from enum import Enum
from functools import cache, partial, wraps
from inspect import Parameter, signature
from math import isnan
from types import FunctionType, NoneType, UnionType
from typing import (
    Annotated,
    Any,
    NoReturn,
    TypeVar,
    Union,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

import numpy as np
from numpy.typing import NDArray

# Numbers from one to another, and the message that refuses any other.


SMALLEST, LARGEST = 5e-324, float(np.finfo(np.float64).max)
_LONGEST = 200  # characters of a value in a message


@dataclass(frozen=True)
class Interval:
    """Numbers from ``low`` to ``high``, both included; ``words`` say so after "must"."""

    low: float
    high: float
    words: str = ""

    @classmethod
    def inside(cls, low: float, high: float, words: str = "") -> "Interval":
        """Both excluded."""
        ends = float(np.nextafter(low, high)), float(np.nextafter(high, low))
        return cls(*ends, words or f"be strictly between {low:g} and {high:g}")

    def check(self, name: str, value: Any) -> None:
        """Raise ValueError unless ``value``, or every number of an array, lies inside; NaN does not."""
        for number in _extremes(value) if isinstance(value, np.ndarray) else (value,):
            if not self.low <= number <= self.high:
                ends = (f"{end:g}" if type(end) is float else end for end in (self.low, self.high))
                refuse(name, self.words or "be between {} and {}".format(*ends), number, ValueError)


def _extremes(values: NDArray[Any]) -> tuple[float, ...]:
    return (float(values.min()), float(values.max())) if values.size else ()


def better_than_guessing(power: float, alpha: float) -> None:
    """Raise ValueError unless ``alpha`` < ``power``: a power target that something but guessing can miss."""
    if power <= alpha:
        raise ValueError(f"power must exceed alpha (guessing alone finds {alpha:g} of the members), got {power!r}.")


def refuse(name: str, words: str, value: Any, kind: type[Exception]) -> NoReturn:
    """Raise ``kind`` with the parameter's name, its rule and the value received."""
    with np.printoptions(threshold=_LONGEST // 10):  # of a long array the ends: all of it takes a millisecond to write
        shown = repr(value)
    raise kind(f"{name} must {words}, got {shown if len(shown) <= _LONGEST else shown[:_LONGEST] + ' ...'}.")


# The kinds of numbers that parameters are annotated with.


PROBABILITY = Interval(0, 1)
POSITIVE = Interval(SMALLEST, LARGEST, "be positive and finite")
_FINITE, NON_NEGATIVE = Interval(-LARGEST, LARGEST, "be finite"), Interval(0.0, np.inf, "not be negative")

Finite = Annotated[float, _FINITE]
PositiveOrInfinite = Annotated[float, Interval(SMALLEST, np.inf, "be positive")]
Positive = Annotated[float, POSITIVE]
NonNegative = Annotated[float, NON_NEGATIVE]
FiniteNonNegative = Annotated[float, NON_NEGATIVE, _FINITE]
Probability = Annotated[float, PROBABILITY]
OpenProbability = Annotated[float, Interval.inside(0, 1)]
PositiveProbability = Annotated[float, Interval(SMALLEST, 1.0, "be above 0 and at most 1")]
Probabilities = Annotated[NDArray[np.float64], PROBABILITY]
Unknown = Annotated[float, "any number, or NaN where there is none"]
PositiveCount = Annotated[int, Interval(1, np.inf, "be positive")]
Seed = Annotated[int, NON_NEGATIVE]


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
            interval.check(name, value if type(value) is int else taken)  # a refusal shows 50 as it was given
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


# The decorators of what is public: its parameters are coerced or refused before all else.


_Target = TypeVar("_Target", bound=Callable[..., Any])
_Class = TypeVar("_Class", bound=type[Any])
_Rules = tuple[list[tuple[int, str, Take]], dict[str, Take]]  # by place, and by name


def checked(target: _Target) -> _Target:
    """A public function, or a class with its public methods, whose parameters are coerced or refused before all else.

    Of a class that ``value`` makes a dataclass the fields too, before its own ``__post_init__``; its subclasses inherit
    that.
    """
    if not isinstance(target, type):
        return cast(_Target, _checked_function(target))
    for name, member in list(vars(target).items()):
        if name.startswith("_"):
            continue
        if isinstance(member, classmethod | staticmethod):
            setattr(target, name, type(member)(_checked_function(member.__func__)))
        elif isinstance(member, FunctionType):
            setattr(target, name, _checked_function(member))
    if issubclass(target, tuple):
        return target  # what is found, not what is asked
    if "__post_init__" in vars(target) or not hasattr(target, "__post_init__"):
        target.__post_init__ = _checked_fields(vars(target).get("__post_init__"))  # type: ignore[attr-defined]
    return target


@overload
def value(target: _Class) -> _Class: ...
@overload
def value(*, eq: bool = True, order: bool = False, kw_only: bool = False) -> Callable[[_Class], _Class]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(target: Any = None, **options: bool) -> Any:
    """A frozen dataclass that is ``checked``; ``options`` are those of ``dataclass``."""
    return partial(value, **options) if target is None else dataclass(frozen=True, **options)(checked(target))


def _checked_function(function: Callable[..., Any]) -> Callable[..., Any]:
    rules: _Rules | None = None

    @wraps(function)
    def call(*args: Any, **named: Any) -> Any:
        nonlocal rules
        if rules is None:  # read at the first call, when every name that an annotation may hold is defined
            rules = _rules(function)
        by_place, by_name = rules
        given = list(args)
        for place, name, take in by_place:
            if place < len(given):
                given[place] = take(name, given[place])
        for name, value in named.items():
            if name in by_name:
                named[name] = by_name[name](name, value)
        return function(*given, **named)

    return call


def _rules(function: Callable[..., Any]) -> _Rules:
    hints = get_type_hints(function, include_extras=True)
    parameters = signature(function).parameters.values()
    takes = {each.name: take for each in parameters if (take := rule_of(hints.get(each.name, Any)))}
    at_a_place = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    places = enumerate(each.name for each in parameters if each.kind in at_a_place)
    return [(place, name, takes[name]) for place, name in places if name in takes], takes


def _checked_fields(then: Callable[[Any], None] | None) -> Callable[[Any], None]:
    def check(self: Any) -> None:
        for name, take in _rules_of_fields(cast(Hashable, type(self))):
            value = getattr(self, name)
            taken = take(name, value)
            if taken is not value:
                object.__setattr__(self, name, taken)
        if then is not None:
            then(self)

    return check


@cache
def _rules_of_fields(kind: Any) -> tuple[tuple[str, Take], ...]:
    hints = get_type_hints(kind, include_extras=True)
    return tuple((field.name, take) for field in fields(kind) if field.init and (take := rule_of(hints[field.name])))
