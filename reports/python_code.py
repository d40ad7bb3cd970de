"""Python that repeats what was computed: the expressions that make a release or a promise, and their imports."""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import fields
from enum import Enum
from typing import TYPE_CHECKING

from losses.layout import NOTHING, KnownLayout
from losses.roles import ColumnRoles
from numerics.audits import ApproximateClaim, Claim, GdpClaim, ReleaseClaim
from numerics.mechanisms import Adjacency, Composition, Mechanism, Sampling

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def constructor(made: "DataclassInstance") -> str:
    """The Python expression that makes a mechanism, or any other dataclass of plain values."""
    if isinstance(made, Composition):
        return f"Composition(({', '.join(map(constructor, made.phases))},))"
    values = {field.name: getattr(made, field.name) for field in fields(made)}
    return f"{type(made).__name__}({', '.join(f'{name}={literal(value)}' for name, value in values.items())})"


def literal(value: object) -> str:
    """The Python expression of a plain value."""
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


def claim(made: Claim) -> str:
    """The lines that make a promise, imports included."""
    if isinstance(made, (GdpClaim, ApproximateClaim)):
        return f"from numerics.audits import {type(made).__name__}\nclaim = {constructor(made)}"
    assert isinstance(made, ReleaseClaim)
    return (
        f"{imports(made.release)}\nfrom numerics.audits import ReleaseClaim\n"
        "from numerics.privacy_loss import Precision\n"
        f"claim = ReleaseClaim({constructor(made.release)}, {made.precision!r})"
    )


def opened(reader: str, name: str, known: KnownLayout = NOTHING) -> str:
    """The expression that reads the file ``name`` by a function of ``losses``."""
    return f"{reader}(open({name!r}, 'rb').read(){'' if known == NOTHING else f', known={_short(known)}'})"


def opened_together(reader: str, names: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The expression that reads one file, or several as one table, and what it needs from ``losses``."""
    each = {name: opened(reader, name) for name in names}
    if len(each) == 1:
        return each[names[0]], (reader,)
    tables = ", ".join(f"{name!r}: {one}" for name, one in each.items())
    return f"files_stacked({{{tables}}})", ("files_stacked", reader)


def _short(made: "DataclassInstance") -> str:
    """The expression that makes it, without what it has of itself."""
    values = ((field.name, getattr(made, field.name), field.default) for field in fields(made))
    said = ", ".join(f"{name}={value!r}" for name, value, usual in values if value != usual)
    return f"{type(made).__name__}({said})"


def readers(names: Iterable[str], *lines: str) -> str:
    """Python that imports ``names`` from the readers, and then says ``lines``."""
    return "\n".join((f"from losses import {', '.join(sorted(set(names)))}", "", *lines))


def rows(table: str, imports: Sequence[str], roles: ColumnRoles, further: str) -> str:
    """The lines that read ``rows``, and their ``values`` and ``is_in``, imports included.

    Args:
        table: the expression that makes the table.
        imports: what that needs from ``losses``.
        roles: of its columns.
        further: arguments.
    """
    line = f"rows = rows_of({table}, {_short(roles)}, {further})"
    return readers(("ColumnRoles", "rows_of", *imports), line, "values, is_in = rows.values, rows.is_in")
