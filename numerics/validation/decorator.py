"""The decorator of what is public: its parameters are coerced or refused before all else."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, fields
from functools import cache, partial, wraps
from inspect import Parameter, signature
from types import FunctionType
from typing import Any, TypeVar, cast, dataclass_transform, get_type_hints, overload

from numerics.validation.rules import Take, rule_of

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
