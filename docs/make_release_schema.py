"""Write docs/release.schema.json, the JSON Schema of exported releases: ``python -m docs.make_release_schema``.

It is derived from the fields of the mechanisms; tests/numerics/test_release_file.py compares the two. A field, a
mechanism or a way to draw batches that is added needs a new copy; one that goes or changes its meaning needs a new
version, too.
"""

import json
from collections.abc import Mapping
from dataclasses import fields
from enum import Enum
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from numerics.mechanisms import LARGEST_PHASES, MECHANISMS
from numerics.release_file import FORMAT, SAID, VERSION, ReleaseFile, is_required
from numerics.validation import LARGEST, Interval

FILE = Path(__file__).with_name("release.schema.json")
SMALLEST = 5e-324


def schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of the file. Which fields go together it does not say: the reader does."""
    own, kinds = _of_class(ReleaseFile, SAID), {}
    for kind in MECHANISMS:
        found = _of_class(kind, {field.name: "" for field in fields(kind)})
        found["properties"] = {"mechanism": {"const": kind.name}, **found["properties"]}
        found["required"] = ["mechanism", *found["required"]]
        kinds[kind.__name__] = found | {"description": (kind.__doc__ or "").partition("\n")[0]}
    phases = {
        "type": "array",
        "items": {"oneOf": [{"$ref": f"#/$defs/{kind.__name__}"} for kind in MECHANISMS]},
        "minItems": 1,
        "maxItems": LARGEST_PHASES,
        "description": "one after the other on the same records",
    }
    head = {"format": {"const": FORMAT}, "version": {"const": VERSION}, "phases": phases}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:{FORMAT.replace(' ', ':')}:{VERSION}",
        "title": f"{FORMAT}, version {VERSION}",
        "type": "object",
        "properties": head | own["properties"],
        "required": list(head),
        "additionalProperties": False,
        "$defs": kinds,
    }


def _of_class(kind: type, said: Mapping[str, str]) -> dict[str, Any]:
    hints = get_type_hints(kind, include_extras=True)
    own = [field for field in fields(kind) if field.name in said]
    rules = {field.name: _rule(hints[field.name]) for field in own}
    return {
        "type": "object",
        "properties": {
            name: rule | ({"description": said[name]} if said[name] else {}) for name, rule in rules.items()
        },
        "required": [field.name for field in own if is_required(field)],
        "additionalProperties": False,
    }


def _rule(hint: Any) -> dict[str, Any]:
    """The rule of an annotation; raises TypeError for one that no file can hold yet."""
    arguments = get_args(hint)
    if get_origin(hint) is Annotated:
        rule, intervals = _rule(arguments[0]), [each for each in arguments[1:] if isinstance(each, Interval)]
        low = max((each.low for each in intervals), default=-LARGEST)
        high = min((each.high for each in intervals), default=LARGEST)
        if intervals and isfinite(low):
            rule |= {"exclusiveMinimum": 0} if low == SMALLEST else {"minimum": low}
        return rule | ({"maximum": high} if abs(high) < LARGEST else {})
    if type(None) in arguments:
        (other,) = (each for each in arguments if each is not type(None))
        return _rule(other)
    if get_origin(hint) is tuple:
        return {"type": "array", "items": _rule(arguments[0])}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"enum": [member.value for member in hint]}
    names = {bool: "boolean", int: "integer", float: "number", str: "string"}
    if hint not in names:
        raise TypeError(f"a field of a release must be a number, a name or several of them, got {hint!r}.")
    return {"type": names[hint]}


def content() -> str:
    """The text of the file."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(content())
