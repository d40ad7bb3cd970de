"""Text that somebody pasted, as values: lists, numbers, dictionaries, and calls with their arguments by name.

A stranger's text: it is parsed, never run, and what is not understood is refused by name.
"""

import ast
import re
from collections.abc import Mapping

_DEEPEST = 100  # levels of values in values: an event in an event is two
_SMALLEST, _LARGEST = 1e-30, 1e30  # products and quotients of such numbers are numbers, too
_CONSTANTS = {"null": None, "true": True, "false": False, "None": None, "True": True, "False": False}
FIELDS: Mapping[str, tuple[str, ...]] = {
    "GaussianDpEvent": ("noise_multiplier",),
    "LaplaceDpEvent": ("noise_multiplier",),
    "SelfComposedDpEvent": ("event", "count"),
    "ComposedDpEvent": ("events",),
    "PoissonSampledDpEvent": ("sampling_probability", "event"),
    "SampledWithoutReplacementDpEvent": ("source_dataset_size", "sample_size", "event"),
    "NoOpDpEvent": (),
    "OrderedDict": ("items",),
}
"""What a call's values without names are, by the call's name: events of dp-accounting."""
TOOLS: Mapping[str, tuple[str, ...]] = {
    "compute_dp_sgd_privacy": ("n", "batch_size", "noise_multiplier", "epochs", "delta"),
    "compute_dp_sgd_privacy_statement": (
        *("number_of_examples", "batch_size", "num_epochs", "noise_multiplier", "delta"),
        *("used_microbatching", "max_examples_per_user", "accountant_type"),
    ),
    "dpsgd_event": ("noise_multiplier", "iterations"),
    "fixed_dpsgd_event": ("noise_multiplier", "iterations"),
    "DpParams": (),
    "DPKerasConfig": (
        *("epsilon", "delta", "clipping_norm", "batch_size", "gradient_accumulation_steps", "train_steps"),
        *("train_size", "noise_multiplier"),
    ),
}
"""The same of the tools that DP-SGD is trained with: two of TF Privacy, four of jax-privacy, in their order."""
ARGUMENTS = "arguments"
"""The class of keyword arguments that nobody's name stands before."""
CLASS = "class_name"
"""The key of a call's name among its values."""
Values = dict[str, object]


def parse(text: str) -> object:
    """The value of ``text``, a call as its arguments by name with its ``CLASS``; ValueError where it is none."""
    return _value(_tree(text))


def number(name: str, value: object) -> float:
    """A number above 0; ValueError says that ``name`` is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 < value < float("inf"):
        raise ValueError(f"{name} must be a number above 0, got {str(value)[:40]}.")
    if not _SMALLEST <= value <= _LARGEST:
        raise ValueError(f"{name} must lie between {_SMALLEST:g} and {_LARGEST:g}.")
    return float(value)


def _tree(text: str) -> ast.expr:
    body = text.strip()
    is_keywords = re.match(r"[A-Za-z_]\w*\s*=", body) is not None
    try:
        found = ast.parse(f"{ARGUMENTS}({body})" if is_keywords else body, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        place = f" in line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        raise ValueError(
            f"this is neither a history, nor an event, nor arguments{place}. Paste it as it was printed."
        ) from None
    _refuse_deep(found)
    return found


def _refuse_deep(tree: ast.expr) -> None:
    """Refuse what is nested deeper than can be read; level by level, as Python itself gives up at some depth."""
    level: list[ast.AST] = [tree]
    for _ in range(_DEEPEST):
        level = [inner for outer in level for inner in ast.iter_child_nodes(outer)]
    if level:
        raise ValueError(f"values are nested more than {_DEEPEST} deep, which nothing that an accountant prints is.")


def _name(call: ast.Call) -> str:
    """The name that is called, without its module and what named tuples put around it."""
    node = call.func
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else "?"
    return name.removeprefix("_").removesuffix("NamedTupleWrapper")


def _fields(call: ast.Call) -> Values:
    name = _name(call)
    order = FIELDS.get(name, TOOLS.get(name, ()))
    if len(call.args) > len(order):
        raise ValueError(f"{name[:60]} has values without names that are not known here.")
    found = {key: _value(value) for key, value in zip(order, call.args, strict=False)}
    return found | {one.arg or "**": _value(one.value) for one in call.keywords}


def _value(node: ast.expr) -> object:
    """The value of a literal, and an event as a dictionary with its class."""
    if isinstance(node, ast.Call):
        return _called(node)
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


def _called(call: ast.Call) -> object:
    if _name(call) != "OrderedDict":
        return _fields(call) | {CLASS: _name(call)}
    items = _fields(call).get("items")
    if isinstance(items, dict):
        return items
    pairs = items if isinstance(items, list) else []
    return {str(pair[0]): pair[1] for pair in pairs if isinstance(pair, list) and len(pair) == 2}
