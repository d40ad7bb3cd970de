"""Texts and objects as plain values: numbers, names, lists, and dictionaries that say the class of a call or an event.

A text is a stranger's: it is parsed, never run. An object is asked for its attributes alone, and its package is not
imported here.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from enum import Enum
from numbers import Integral, Real
from textwrap import dedent
from typing import Any

from numerics.accountants.names import EVENTS, KNOWN, STATEMENT, TOOLS
from numerics.release_file import LONGEST

CLASS = "class_name"
"""The key of a call's or an event's name among its values."""
HISTORY, LEDGER = "history", "ledger"
"""The keys of what accountants of Opacus and of dp-accounting were told."""
Values = dict[str, object]

_DEEPEST = 100  # levels of values in values: an event in an event is two
_SMALLEST, _LARGEST = 1e-30, 1e30  # products and quotients of such numbers are numbers, too
_CONSTANTS = {"null": None, "true": True, "false": False, "None": None, "True": True, "False": False}
_SCALARS = {"float", "int", "float16", "float32", "float64", "int32", "int64", "Array", "array", "tensor"}
_AS_PRINTED = "Paste it as it was printed, or as noise_multiplier=1.1, sample_rate=0.01, steps=5000."
NOT_READ = f"this is neither a history, nor an event, nor arguments. {_AS_PRINTED}"
_LEFT_OUT = f"“...” stands for arguments that were left out. {_AS_PRINTED}"
_NUMBER = r"([\d.][\d.eE+-]*?)"
_STATEMENT = re.compile(
    rf"DP-SGD performed over {_NUMBER} examples with {_NUMBER} examples per iteration,? noise multiplier:? {_NUMBER},? "
    rf"for {_NUMBER} epochs(?: (with|without) microbatching)?"
)
_FLAG = re.compile(r"--([A-Za-z][\w-]*)(?:(?:=|[\s\\]+)(?!--)([^\s\\]+))?")
_YAML_LINE = re.compile(r"\s*(?:(#.*)?|---|([A-Za-z_][\w-]*):(?:\s+(.*?))?\s*)")
_ENUMERATION = re.compile(r"<(\w+)\.(\w+): [^<>]*>")


def values_of(given: object, depth: int = 0) -> object:
    """What is ``given`` in plain values; ValueError says what is none, TypeError what has none."""
    if depth > _DEEPEST:
        raise ValueError(f"values are nested more than {_DEEPEST} deep, which nothing that an accountant says is.")
    if isinstance(given, Mapping):
        return {str(name): values_of(value, depth + 1) for name, value in given.items()}
    is_event = _bare_name(type(given).__name__).endswith("DpEvent")
    if isinstance(given, list | tuple) and not is_event:
        return [values_of(value, depth + 1) for value in given]
    return _plain(given) if _is_plain(given) or (depth and not is_event) else _of_object(given, depth)


def number(name: str, value: object) -> float:
    """A number above 0; ValueError says that ``name`` is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 < value < float("inf"):
        raise ValueError(f"{name} must be a number above 0, got {str(value)[:40]}.")
    if not _SMALLEST <= value <= _LARGEST:
        raise ValueError(f"{name} must lie between {_SMALLEST:g} and {_LARGEST:g}.")
    return float(value)


# Objects


def _is_plain(value: object) -> bool:
    return value is None or isinstance(value, str | bool | Real | Enum) or getattr(value, "shape", None) == ()


def _plain(value: object) -> object:
    """A number of any library as Python's, a member of an enumeration by its name; of all else the class."""
    if isinstance(value, Enum):
        return value.name
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, Real):
        return int(value) if isinstance(value, Integral) else float(value)
    if getattr(value, "shape", None) == () and hasattr(value, "item"):  # an array of one number
        return _plain(value.item())
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else type(value).__name__


def _of_object(given: Any, depth: int) -> object:
    """The attributes of an engine, an accountant, an event or a configuration."""
    name = _bare_name(type(given).__name__)
    if name in EVENTS:
        return {CLASS: name} | {each: values_of(getattr(given, each), depth + 1) for each in EVENTS[name]}
    if name.endswith("DpEvent"):
        return {CLASS: name}
    for inner in ("accountant", "dp_event"):  # of a privacy engine, of a plan of jax-privacy
        if not _is_plain(held := getattr(given, inner, None)):
            return _of_object(held, depth + 1)
    if hasattr(given, HISTORY):
        return {HISTORY: values_of(given.history, depth + 1)}
    if hasattr(given, LEDGER):
        neighbours = getattr(given, "neighboring_relation", None)
        return {LEDGER: values_of(given.ledger, depth + 1), "neighboring_relation": _plain(neighbours)}
    try:
        said = vars(given)
    except TypeError:
        raise TypeError(f"release_of takes no {name}: it has no history, ledger or arguments.") from None
    return {each.lstrip("_"): _plain(value) for each, value in said.items()}


def _bare_name(name: str) -> str:
    """A class without what named tuples put around it."""
    return name.removeprefix("_").removesuffix("NamedTupleWrapper")


# Texts


def parsed(text: str) -> object:
    """The values of a text: a statement, flags, YAML, JSON, or Python's calls, literals and assignments."""
    if not text.strip() or len(text) > LONGEST:
        raise ValueError(f"paste up to {LONGEST:,} characters, got {len(text):,}.")
    words = " ".join(text.split())
    if said := _STATEMENT.search(words):
        return _of_statement(said, words)
    if flags := _FLAG.findall(text):
        return _once(_flag(name, value) for name, value in flags)
    lines = [_YAML_LINE.fullmatch(line) for line in text.splitlines()]
    if all(lines):
        return _once((line[2], _read(line[2], line[3])) for line in lines if line and line[2] and line[3])
    return _of_python(text)


def _once(pairs: Iterator[tuple[str, object]]) -> Values:
    """The values by name, as Python spells it; ValueError where a name that matters has two."""
    found: Values = {}
    for written, value in pairs:
        name = _spelled(written)
        if name in KNOWN and found.get(name, value) != value:
            raise ValueError(f"{name} is said twice: {str(found[name])[:40]} and {str(value)[:40]}. Leave one of them.")
        found[name] = value
    return found


def _spelled(name: str) -> str:
    return name.lower().replace("-", "_")


def _of_statement(said: re.Match[str], words: str) -> Values:
    """TensorFlow Privacy's statement: the call that printed it. The epsilons in it are not used."""
    names = ("num_examples", "batch_size", "noise_multiplier", "epochs")
    found = {name: _of_yaml(each) for name, each in zip(names, said.groups(), strict=False)}
    if said[5]:
        found["used_microbatching"] = said[5] == "with"
    if most := re.search(r"at most (\d+) examples per user", words):
        found["max_examples_per_user"] = _of_yaml(most[1])
    if delta := re.search(r"at delta = ([\d.]+(?:e-?\d+)?)", words):
        found["delta"] = _of_yaml(delta[1])
    return found | {CLASS: STATEMENT}


def _flag(name: str, text: str) -> tuple[str, object]:
    """A flag and its value; one without is true, or false where "no" stands before a name."""
    if not text:
        return (name[2:], False) if name.lower().startswith("no") and name[2:] in KNOWN else (name, True)
    return name, _read(name, text.strip(",'\""))


def _read(name: str, text: str) -> object:
    """What is written behind a name; behind one that is not read, the text."""
    return _of_yaml(text) if _spelled(name) in {*KNOWN, HISTORY} else text


def _of_yaml(text: str) -> object:
    """A number or a constant, as it is written without quotation marks; or a text."""
    bare = text.split(" #", maxsplit=1)[0].strip().strip("'\"")
    if bare.lower() in ("true", "false", "null", "none", "~"):
        return {"true": True, "false": False}.get(bare.lower())
    try:
        return float(bare)
    except ValueError:
        return _of_python(bare) if bare.startswith("[") else bare


def _of_python(text: str) -> object:
    """The value of one expression, or the arguments of a call and of assignments around it."""
    body = dedent(_ENUMERATION.sub(r"\1.\2", text)).strip()
    tree = None
    if re.match(r"[A-Za-z_]\w*\s*=", body):
        with suppress(ValueError):  # else it is assignments below each other
            tree = _tree(f"arguments({body}\n)")
    tree = tree or _tree(body)
    if len(tree.body) == 1 and isinstance(only := tree.body[0], ast.Expr):
        return _call(only.value) if isinstance(only.value, ast.Call) else _value(only.value)
    return _once(pair for each in tree.body for pair in _said(each))


def _tree(text: str) -> ast.Module:
    try:
        found = ast.parse(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        if re.search(r",\s*(\.{3}|…)\s*[,)]", text):
            raise ValueError(_LEFT_OUT) from None
        place = f" in line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        raise ValueError(NOT_READ.replace(". ", f"{place}. ", 1)) from None
    _refuse_deep(found)
    return found


def _refuse_deep(tree: ast.Module) -> None:
    """Refuse what is nested deeper than can be read; level by level, as Python itself gives up at some depth."""
    level: list[ast.AST] = [tree]
    for _ in range(_DEEPEST + 2):
        level = [inner for outer in level for inner in ast.iter_child_nodes(outer)]
    if level:
        raise ValueError(f"values are nested more than {_DEEPEST} deep, which nothing that an accountant prints is.")


def _said(statement: ast.stmt) -> Iterator[tuple[str, object]]:
    """The arguments of a call that is known, or what an assignment says; other assignments and imports say nothing."""
    match statement:
        case ast.Import() | ast.ImportFrom():
            return
        case ast.Assign(value=ast.Call() as call) | ast.Expr(value=ast.Call() as call) if _name(call) in TOOLS:
            yield from _call(call).items()
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            yield _argument(name, value)
        case ast.Assign():
            return
        case _:
            raise ValueError(f"“{ast.unparse(statement)[:60]}” is no argument or call that is read. {_AS_PRINTED}")


def _call(call: ast.Call) -> Values:
    """The arguments of a call by name, with its own name."""
    name = _name(call)
    if name == "OrderedDict":
        return _ordered(call)
    if name == "arguments":
        inner = call.keywords[0].value if len(call.keywords) == 1 else None
        if isinstance(inner, ast.Call) and _name(inner) in {*TOOLS, *EVENTS}:
            return _call(inner)
        return _once(_argument(one.arg or "**", one.value) for one in call.keywords)
    order = EVENTS.get(name, TOOLS.get(name, ()))
    if len(call.args) > len(order):
        raise ValueError(f"{name[:60]} has values without names that are not known here.")
    given = [*zip(order, call.args, strict=False), *((one.arg or "**", one.value) for one in call.keywords)]
    found = {each: _value(value) for each, value in given} if name not in TOOLS else _once(
        _argument(each, value) for each, value in given
    )  # fmt: skip
    return found | {CLASS: name}


def _argument(name: str, value: ast.expr) -> tuple[str, object]:
    """An argument; what has another name than those that are read may be any expression."""
    return name, _value(value) if name.lower() in KNOWN else ast.unparse(value)[:40]


def _name(call: ast.Call) -> str:
    """The name that is called, without its module."""
    node = call.func
    return _bare_name(node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else "?")


def _value(node: ast.expr) -> object:
    """The value of a literal, and an event as a dictionary with its class."""
    if isinstance(node, ast.Call):
        return _value(node.args[0]) if _name(node) in _SCALARS and node.args else _call(node)
    if isinstance(node, ast.List | ast.Tuple):
        return [_value(one) for one in node.elts]
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return {str(_value(key)) if key else "**": _value(value) for key, value in pairs}
    return _scalar(node)


def _scalar(node: ast.expr) -> object:
    match node:
        case ast.Constant(value=int() as value) if abs(value) > _LARGEST:
            raise ValueError(f"a number lies beyond {_LARGEST:g}, and none can be as large.")
        case ast.Constant(value=int() | float() | str() | None as value):
            return value
        case ast.Name(id=name) if name in _CONSTANTS:
            return _CONSTANTS[name]
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float()) as operand):
            return -_scalar(operand)  # type: ignore[operator]
        case ast.Attribute(attr=name):  # of an enumeration: a text, which is no number
            return name
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return number("a quotient", _scalar(left)) / number("a divisor", _scalar(right))
    raise ValueError(f"“{ast.unparse(node)[:60]}” is no number, list, event or argument. Paste it as it was printed.")


def _ordered(call: ast.Call) -> Values:
    """What an OrderedDict prints: pairs, or a dictionary."""
    items = _value(call.args[0]) if call.args else []
    if isinstance(items, dict):
        return items
    pairs = items if isinstance(items, list) else []
    return {str(pair[0]): pair[1] for pair in pairs if isinstance(pair, list) and len(pair) == 2}
