"""An attribute that is computed when it is first asked for, and then stays: without a lock.

``functools.cached_property`` of Python 3.11 holds one lock per property, for all instances of its class, while a value
is computed: threads that ask different objects wait for each other as long as that takes, and for ever where each
computes within the other's property.
"""

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

_Value = TypeVar("_Value")


class lazy_property(Generic[_Value]):  # noqa: N801 # a decorator, named as property is
    """Decorates a method without arguments, of a class whose instances have a ``__dict__``; may be frozen.

    Threads that ask one object at the same time may each compute the value; all get that of the first one to finish.
    """

    def __init__(self, compute: Callable[[Any], _Value]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> _Value: ...
    def __get__(self, instance: object, owner: type) -> Self | _Value:
        """The value, computed now: once it is in the instance's ``__dict__``, Python asks no more."""
        if instance is None:
            return self
        found: _Value = instance.__dict__.setdefault(self._name, self._compute(instance))
        return found
