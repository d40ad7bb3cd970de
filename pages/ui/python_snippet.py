"""Python to take away: the expressions that make a release, their imports, and what prints a page's numbers."""

import sys
from dataclasses import fields
from enum import Enum
from typing import TYPE_CHECKING

from numerics.mechanisms import Adjacency, Composition, Mechanism, Sampling
from numerics.trade_off import SMALLEST_ALPHA, Order
from pages.ui import cached

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def constructor(made: "DataclassInstance") -> str:
    """The Python expression that makes a mechanism, or any other dataclass of plain values."""
    if isinstance(made, Composition):
        return f"Composition(({', '.join(map(constructor, made.phases))},))"
    values = {field.name: getattr(made, field.name) for field in fields(made)}
    return f"{type(made).__name__}({', '.join(f'{name}={_literal(value)}' for name, value in values.items())})"


def _literal(value: object) -> str:
    return str(f"{type(value).__name__}.{value.name}" if isinstance(value, Enum) else repr(value))


def imports(*releases: Mechanism) -> str:
    """The lines of Python that import what the ``constructor`` of these releases names."""
    kinds: list[type] = [Adjacency, Sampling]
    kinds += [type(part) for made in releases for part in (made, *made.phases)]
    modules: dict[str, set[str]] = {}
    for kind in kinds:
        modules.setdefault(_public_module(kind), set()).add(kind.__name__)
    return "\n".join(f"from {module} import {', '.join(sorted(modules[module]))}" for module in sorted(modules))


def _public_module(kind: type) -> str:
    """The shortest module that has it: a package offers what its files define."""
    parts = kind.__module__.split(".")
    packages = (".".join(parts[:count]) for count in range(2, len(parts)))
    return next((name for name in packages if vars(sys.modules[name]).get(kind.__name__) is kind), kind.__module__)


def snippet(mechanism: Mechanism, alpha: float, delta: float, order: Order, prior: float) -> str:
    """Python that prints the numbers on the page; run it in the project's folder."""
    made, tested = constructor(mechanism), f"{alpha!r}, {_literal(order)}"
    worth = f'print("posterior:", mechanism.posterior({alpha!r}, {prior!r}, {_literal(order)}, precision))\n'
    return f"""{imports(mechanism)}
from numerics.privacy_loss import Precision
from numerics.trade_off import Order

mechanism = {made}
precision = {cached.PRECISION!r}  # smaller widths give narrower brackets
print("true positive rate:", mechanism.power({tested}, precision))
print("epsilon:", mechanism.epsilon({delta!r}, {cached.EPSILON_WIDTH!r}, precision))
print("advantage:", mechanism.advantage(precision))
{worth if order is not Order.REMOVE else ""}print("mu-GDP:", mechanism.gaussian_mu({SMALLEST_ALPHA!r}, precision))
print("AUC:", mechanism.auc(precision))
"""
