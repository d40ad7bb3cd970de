"""What an accountant prints, read as a release: Opacus histories, DpEvents, argument lists of DP-SGD tools; and files.

A stranger's text: it is parsed, never run, and what is not understood is refused by name.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import islice

from numerics import release_file
from numerics.mechanisms import LARGEST_PHASES, Adjacency, Gaussian, Laplace, SampledMechanism, Sampling
from pages.ui.release_in_force import (
    BATCHES,
    CLIPS,
    DELTAS,
    EPOCHS,
    NOISES,
    PEOPLE,
    SMALLEST_RATE,
    TrainingRun,
    counted_steps,
    steps_of,
)

LONGEST = release_file.LONGEST
_OWN_OF_PHASES = {"noise_multiplier", "sampling_rate", "steps"}  # the rest is one control for all phases
_ARGUMENTS = {
    "people": ("n", "num_examples", "number_of_examples", "num_samples", "dataset_size", "train_size"),
    "batch": ("batch_size", "expected_batch_size"),
    "batches a step": ("gradient_accumulation_steps",),
    "epochs": ("epochs", "num_epochs"),
    "noise": ("noise_multiplier", "noise_multipliers"),
    "rate": ("sample_rate", "sampling_rate", "sampling_probability", "sampling_prob"),
    "steps": ("steps", "num_steps", "train_steps", "num_updates", "num_iterations", "iterations"),
    "delta": ("delta", "target_delta"),
    "records per person": ("max_examples_per_user", "examples_per_user"),
    "clip": ("l2_norm_clip", "l2_clip_norm", "max_grad_norm", "clipping_norm"),
}
_MICROBATCHES = "microbatches move the sum twice as far: enter half the noise multiplier without them."
_BANDS = "cannot be entered here: Python has it as numerics.banded_noise."
_NO, _ONE = ("false", "0", "0.0"), ("1", "1.0")
# What makes a release another one than DP-SGD as it is entered here, unless its value is one of those beside it.
_UNUSUAL = {
    "used_microbatching": (_NO, _MICROBATCHES),
    "num_bands": (_ONE, f"noise in bands (num_bands) {_BANDS}"),
    "cycle_length": (_ONE, f"batches in cycles (cycle_length) {_BANDS}"),
    "truncated_batch_size": ((), "truncated batches (truncated_batch_size) are not known here."),
    "replace": (_NO, "batches drawn with replacement are not known here."),
}
_MEANINGS = {name: meaning for meaning, names in _ARGUMENTS.items() for name in names}
_FLAG = re.compile(r"--([A-Za-z][\w-]*)(?:(?:=|[\s\\]+)(?!--)([^\s\\]+))?")

_DEEPEST = 100  # levels of values in values: an event in an event is two
_AS_PRINTED = "Paste it as it was printed, or as noise_multiplier=1.1, sample_rate=0.01, steps=5000."
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


@dataclass(frozen=True)
class AccountantState:
    """What was understood: phases, the run where people, batch and epochs are said, and what was passed over."""

    phases: tuple[SampledMechanism, ...]
    run: TrainingRun | None = None
    people: int | None = None
    delta: float | None = None
    clip: float | None = None
    dimension: int | None = None
    passed_over: tuple[str, ...] = field(default=())

    @property
    def words(self) -> str:
        """All of it in a sentence for each phase, and what is not used."""
        first = self.phases[0]
        parts = [f"{one.name} {one.noise_words}, {_drawn(one)}, {counted_steps(one.steps)}" for one in self.phases]
        most = f", {first.records_per_person} records per person" if first.records_per_person > 1 else ""
        said = f"{'; then '.join(parts)}; {first.adjacency}{most}."
        said += "" if self.people is None else f" N = {self.people:,}."
        said += "" if self.dimension is None else f" d = {self.dimension:,}."
        said += "" if self.delta is None else f" Delta {self.delta:g}."
        said += "" if self.clip is None else f" Clip {self.clip:g}."
        return said + (f" Not used: {', '.join(self.passed_over)}." if self.passed_over else "")


def _drawn(phase: SampledMechanism) -> str:
    """How records are drawn, if any are left out."""
    return "no sampling" if phase.sampling_rate == 1.0 else f"rate {phase.sampling_rate:.3g} ({phase.sampling})"


def read(text: str) -> AccountantState:
    """Read what was pasted; ValueError says what is not understood, where, and what to do."""
    if not text.strip() or len(text) > LONGEST:
        raise ValueError(f"paste up to {LONGEST:,} characters, got {len(text):,}.")
    if release_file.FORMAT in text:
        return _of_file(release_file.read(text))
    flags = _FLAG.findall(text)
    if flags:
        return _enterable(_of_arguments(dict(_flag(name, value) for name, value in flags)))
    found = parse(text)
    if isinstance(found, dict) and "history" in found:
        found = found["history"]
    elif isinstance(found, dict) and (tool := found.get(CLASS, ARGUMENTS)) in (ARGUMENTS, *TOOLS):
        return _enterable(_of_arguments({name: value for name, value in found.items() if name != CLASS}, str(tool)))
    phases = list(islice(_phases(found), LARGEST_PHASES * 1000))
    return AccountantState(_checked(_merged(phases)))


def _of_file(found: release_file.ReleaseFile) -> AccountantState:
    return _enterable(AccountantState(found.phases, None, found.records, found.delta, found.clip, found.dimension))


def _enterable(state: AccountantState) -> AccountantState:
    """The same, if the controls can have all of it."""
    for name, value, limits in (
        ("the number of people", state.people, PEOPLE),
        ("delta", state.delta, DELTAS),
        ("clip", state.clip, CLIPS),
        ("the batch size", None if state.run is None else state.run.batch, BATCHES),
        ("the number of epochs", None if state.run is None else state.run.epochs, EPOCHS),
    ):
        _refuse_beyond(name, value, limits)
    return replace(state, phases=_checked(list(state.phases)))


def _refuse_beyond(name: str, value: float | None, limits: tuple[float, float]) -> None:
    """A control would show its end, and the page another release than was given."""
    low, high = limits
    if value is not None and not low <= value <= high:
        raise ValueError(f"{name} {value:g} cannot be entered: the controls have {low:g} to {high:g}.")


def _phases(found: object) -> Iterator[SampledMechanism]:
    """The phases of a history or an event."""
    if isinstance(found, list):
        for place, entry in enumerate(found, 1):
            if not isinstance(entry, list) or len(entry) != 3:
                raise ValueError(f"entry {place} of the history is not (noise, sampling rate, steps).")
            noise, rate, steps = (number(f"entry {place} of the history", value) for value in entry)
            yield Gaussian(noise, rate, _whole(f"steps of entry {place}", steps))
        return
    if not isinstance(found, dict) or CLASS not in found:
        raise ValueError(f"this is neither a history, nor an event, nor arguments. {_AS_PRINTED}")
    name = str(found[CLASS])
    missing = [key for key in FIELDS.get(name, ()) if key not in found]
    if missing:
        raise ValueError(f"{name} lacks {', '.join(missing)}.")
    yield from _event(name, found)


def _event(name: str, found: Mapping[str, object]) -> Iterator[SampledMechanism]:
    match name:
        case "GaussianDpEvent" | "LaplaceDpEvent":
            kind = Gaussian if name.startswith("Gaussian") else Laplace
            yield kind(number(name, found["noise_multiplier"]))
        case "NoOpDpEvent":
            return
        case "SelfComposedDpEvent":
            count = _whole("count", number("count", found["count"]))
            for one in _merged(list(_phases(found["event"]))):
                yield replace(one, steps=one.steps * count)
        case "ComposedDpEvent" if isinstance(found["events"], list):
            for event in found["events"]:
                yield from _phases(event)
        case "PoissonSampledDpEvent" | "SampledWithoutReplacementDpEvent":
            yield _sampled(name, found)
        case _:
            raise ValueError(f"{name[:60]} is not known here: Gaussian and Laplace noise, sampled and composed, are.")


def _sampled(name: str, found: Mapping[str, object]) -> SampledMechanism:
    once = _once(name, found["event"])
    if name == "PoissonSampledDpEvent":
        return replace(once, sampling_rate=number("sampling_probability", found["sampling_probability"]))
    people, batch = (number(key, found[key]) for key in ("source_dataset_size", "sample_size"))
    fixed = replace(once, sampling_rate=batch / people)
    return fixed.with_neighbours(Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE)


def _once(name: str, event: object) -> SampledMechanism:
    """The one release that a batch is drawn for."""
    inner = list(_phases(event))
    if len(inner) != 1 or inner[0].steps != 1 or inner[0].sampling_rate != 1.0:
        raise ValueError(f"{name} holds more than one release of the same batch, which cannot be entered here.")
    return inner[0]


def _merged(phases: list[SampledMechanism]) -> list[SampledMechanism]:
    """Phases that differ in their steps alone are one: the order of steps changes no guarantee."""
    steps: dict[SampledMechanism, int] = {}
    for one in phases:
        key = replace(one, steps=1)
        steps[key] = steps.get(key, 0) + one.steps
    return [replace(one, steps=count) for one, count in steps.items()]


def _checked(phases: list[SampledMechanism]) -> tuple[SampledMechanism, ...]:
    if not 1 <= len(phases) <= LARGEST_PHASES:
        raise ValueError(f"{len(phases)} phases were found, and 1 to {LARGEST_PHASES} can be entered.")
    if any(_shared(one) != _shared(phases[0]) for one in phases):
        raise ValueError("phases with different noise or sampling cannot be entered together.")
    for place, one in enumerate(phases, 1):
        _refuse_beyond(f"noise of phase {place},", one.noise_multiplier, NOISES)
        _refuse_beyond(f"sampling rate of phase {place},", one.sampling_rate, (SMALLEST_RATE, 1.0))
    return tuple(phases)


def _shared(phase: SampledMechanism) -> dict[str, object]:
    """What all phases have in common where they are entered."""
    return {"name": phase.name} | {name: said for name, said in asdict(phase).items() if name not in _OWN_OF_PHASES}


def _of_arguments(given: Values, tool: str = ARGUMENTS) -> AccountantState:
    named = {name.lower().replace("-", "_"): value for name, value in given.items() if value is not None}
    if tool == "compute_dp_sgd_privacy_statement" and "used_microbatching" not in named:
        raise ValueError("this tool counts microbatches unless told not to: add used_microbatching=False.")
    _refuse_unusual(named)
    found = {_MEANINGS[name]: number(name, value) for name, value in named.items() if name in _MEANINGS}
    over = tuple(name[:40] for name in named if name not in _MEANINGS and name not in _UNUSUAL)
    people = None if "people" not in found else _whole("the number of people", found["people"])
    if "batch" in found:
        found["batch"] *= found.pop("batches a step", 1.0)
    _say_what_is_missing(found)
    run = None
    if people is not None and "batch" in found and "epochs" in found and not {"rate", "steps"} & set(found):
        run = TrainingRun(people, found["batch"], found["epochs"])
        if refused := run.refusal("records" if found.get("records per person", 1.0) > 1.0 else "people"):
            raise ValueError(refused)
    rate = found["rate"] if "rate" in found else found["batch"] / found["people"]
    steps = found["steps"] if "steps" in found else steps_of(found["epochs"], rate)
    release: SampledMechanism = Gaussian(found["noise"], rate, _whole("the number of steps", steps))
    if "records per person" in found:
        release = replace(
            release, records_per_person=_whole("the number of records per person", found["records per person"])
        )
    if tool == "fixed_dpsgd_event":
        release = release.with_neighbours(Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE)
    return AccountantState((release,), run, people, found.get("delta"), found.get("clip"), None, over)


def _refuse_unusual(named: Values) -> None:
    for name, (usual, why) in _UNUSUAL.items():
        if name in named and str(named[name]).lower() not in usual:
            raise ValueError(why)


def _say_what_is_missing(found: Mapping[str, float]) -> None:
    if "noise" not in found:
        raise ValueError("the noise multiplier is missing (noise_multiplier).")
    if "rate" not in found and "batch" not in found:
        raise ValueError("the batch size or the sampling rate is missing (batch_size, sample_rate).")
    if "rate" not in found and "people" not in found:
        raise ValueError("a batch size is given and N is missing: add the number of people (num_examples).")
    if "steps" not in found and "epochs" not in found:
        raise ValueError("the epochs or the steps are missing (epochs, num_steps).")


def _whole(name: str, value: float) -> int:
    if value != int(value):
        raise ValueError(f"{name} must be a whole number, got {value:g}.")
    return int(value)


def _flag(name: str, text: str) -> tuple[str, object]:
    """A flag and its value; one without is true, or false where "no" stands before a name."""
    if not text:
        return (name[2:], False) if name.lower().startswith("no") and name[2:] in _UNUSUAL else (name, True)
    try:
        return name, float(text.strip(",'\""))
    except ValueError:
        return name, text


def text_of(data: bytes) -> str:
    """The text of a release's file, of which a little more than can be read is looked at."""
    try:
        return data[: 4 * LONGEST + 4].decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("the file is no text in UTF-8. Export the release anew.") from None


# Text as values: lists, numbers, dictionaries, and calls with their arguments by name


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
        raise ValueError(f"this is neither a history, nor an event, nor arguments{place}. {_AS_PRINTED}") from None
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
