"""A release as a JSON file: what an accountant, a model card or another program hands on, and its published schema.

The file holds every field of every phase, by the name it has here, so that a new mechanism, way to draw batches or unit
of privacy is in it by itself; docs/make_release_schema.py derives the published schema from the same fields.
What a reader does not know it refuses by name: a field that is passed over is a promise that is not kept.
"""

import json
from collections.abc import Mapping
from dataclasses import MISSING, Field, asdict, fields
from typing import Annotated, Any, NoReturn

from numerics.mechanisms import LARGEST_PHASES, MECHANISMS, Composition, Mechanism, SampledMechanism
from numerics.validation import Interval, OpenProbability, Positive, checked, value

FORMAT, VERSION = "privacy-trade-offs release", 1
LONGEST = 20_000
"""Characters that are read."""
LARGEST_SIZE = 1_000_000_000
_EXPORT = "Export the release anew, or correct it there."
_DIGITS = 30  # of a whole number, fewer
SAID = {
    "delta": "the delta at which epsilon is stated; left out where it follows from the number of records",
    "records": "records in the data, N",
    "dimension": "coordinates of the released sum, d: a model's parameters",
    "clip": "clipping norm of a record's gradient, C",
}
"""What may be said beside the phases."""
Size = Annotated[int, Interval(1, LARGEST_SIZE)]


@value
class ReleaseFile:
    """A release with what goes with it; None where nobody has said it.

    Attributes:
        phases: of the release, one after the other.
        delta: at which epsilon is stated.
        records: size of the data set (N).
        dimension: of the released sum (d).
        clip: clipping norm (C).

    Raises ValueError unless there are 1 to 16 phases that compose.
    """

    phases: tuple[SampledMechanism, ...]
    delta: OpenProbability | None = None
    records: Size | None = None
    dimension: Size | None = None
    clip: Positive | None = None

    def __post_init__(self) -> None:
        Composition(self.phases)

    @property
    def mechanism(self) -> Mechanism:
        """The release."""
        return self.phases[0] if len(self.phases) == 1 else Composition(self.phases)

    @property
    def text(self) -> str:
        """The file."""
        phases = [{"mechanism": phase.name, **asdict(phase)} for phase in self.phases]
        said = {name: value for name in SAID if (value := getattr(self, name)) is not None}
        content = {"format": FORMAT, "version": VERSION, "phases": phases, **said}
        return json.dumps(content, indent=2, allow_nan=False) + "\n"


@checked
def read(text: str) -> ReleaseFile:
    """The release of a file; raises ValueError, which says what is wrong, where, and what to do."""
    if len(text) > LONGEST:
        raise ValueError(f"text must have up to {LONGEST:,} characters, got {len(text):,}. {_EXPORT}")
    content = _object("the file", _parsed(text))
    if content.get("format") != FORMAT:
        raise ValueError(f'format must be "{FORMAT}", got {_shown(content.get("format"))}. {_EXPORT}')
    version = content.get("version")
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise ValueError(f"version must be a whole number from 1 up, got {_shown(version)}. {_EXPORT}")
    if version > VERSION:
        raise ValueError(f"version must be at most {VERSION}, got {version}. A newer program made the file: use that.")
    _only("the file", content, ("format", "version", "phases", *SAID))
    phases = content.get("phases")
    if not isinstance(phases, list) or not 1 <= len(phases) <= LARGEST_PHASES:
        raise ValueError(f"phases must be a list of 1 to {LARGEST_PHASES} phases, got {_shown(phases)}. {_EXPORT}")
    found = tuple(_phase(f"phase {place}", phase) for place, phase in enumerate(phases, 1))
    try:
        return ReleaseFile(found, **{name: content[name] for name in SAID if name in content})
    except (TypeError, ValueError) as reason:
        raise ValueError(f"{reason} {_EXPORT}") from None


def _parsed(text: str) -> object:
    def no_constant(name: str) -> NoReturn:
        raise ValueError(f"{name} is no number that can be read. {_EXPORT}")

    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            raise ValueError(f"a name stands twice among {_shown([name for name, _ in pairs])}. {_EXPORT}")
        return found

    def whole(digits: str) -> int:
        return int(digits) if len(digits) < _DIGITS else no_constant(f"{digits[:_DIGITS]}...")

    try:
        return json.loads(text, parse_int=whole, parse_constant=no_constant, object_pairs_hook=once)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise ValueError(f"this is no JSON: {error.msg} in {place}. {_EXPORT}") from None
    except RecursionError:
        raise ValueError(f"brackets are nested too deep to be read. {_EXPORT}") from None


def _object(where: str, found: object) -> Mapping[str, Any]:
    if not isinstance(found, dict):
        raise ValueError(f"{where} must be an object in braces, got {_shown(found)}. {_EXPORT}")
    return found


def _only(where: str, found: Mapping[str, Any], known: tuple[str, ...]) -> None:
    other = [name for name in found if name not in known]
    if other:
        raise ValueError(f"{where} has {_shown(other[0])}, which is not known. Known are {', '.join(known)}.")


def _phase(where: str, found: object) -> SampledMechanism:
    said = dict(_object(where, found))
    kinds = {kind.name: kind for kind in MECHANISMS}
    name = said.pop("mechanism", None)
    kind = kinds.get(name) if isinstance(name, str) else None
    if kind is None:
        raise ValueError(f"mechanism of {where} must be one of {', '.join(kinds)}, got {_shown(name)}. {_EXPORT}")
    _only(where, said, tuple(field.name for field in fields(kind)))
    missing = [field.name for field in fields(kind) if is_required(field) and field.name not in said]
    if missing:
        raise ValueError(f"{where} lacks {', '.join(missing)}. Add it.")
    try:
        return kind(**said)
    except (TypeError, ValueError) as reason:
        raise ValueError(f"{where}: {reason} {_EXPORT}") from None


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]} ..."


def is_required(field: "Field[Any]") -> bool:
    """Whether a file has to name it."""
    return field.default is MISSING and field.default_factory is MISSING
