"""The release that an accountant's words or objects say, with what they say beside it; what they leave out is asked."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from html import escape
from itertools import islice
from math import ceil
from typing import Any, TypeVar

from numerics import release_file
from numerics.accountants.names import EVENTS, KNOWN, MEANINGS, STATEMENT, TOOLS, UNUSUAL
from numerics.accountants.values import CLASS, HISTORY, LEDGER, NOT_READ, Values, number, parsed, values_of
from numerics.calibration import EpsilonTarget, noise_for
from numerics.mechanisms import LARGEST_PHASES, Adjacency, Gaussian, Laplace, Mechanism, SampledMechanism, Sampling
from numerics.release_file import SAID, ReleaseFile
from numerics.validation import Positive, checked, value

_Member = TypeVar("_Member")
_MOST_UNUSED = 12  # names
_ROUNDING = 1e-9  # of a number of steps: what is left of a whole number after a division
_SAMPLINGS = {**{str(each).lower(): each for each in Sampling}, "fixed batch size": Sampling.FIXED_SIZE}
_NEIGHBOURS = {
    **{str(each).replace("-", " "): each for each in Adjacency},
    "add or remove one": Adjacency.ADD_REMOVE,
    "replace special": Adjacency.ZERO_OUT,
}


@value
class StatedRelease(ReleaseFile):
    """A release as it was stated, with what goes with it; None where nobody has said it.

    Attributes:
        batch: records in a batch, where a run was stated by these and epochs.
        epochs: passes over the data, in the same case.
        notes: what was concluded from what was said, and what was not used, in sentences.
    """

    batch: Positive | None = None
    epochs: Positive | None = None
    notes: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """All of it in a sentence for each phase, and how it was understood."""
        first = self.phases[0]
        parts = (
            f"{one.name} {one.noise_words}, "
            f"{'no sampling' if one.sampling_rate == 1.0 else f'rate {one.sampling_rate:.3g} ({one.sampling})'}, "
            f"{'1 step' if one.steps == 1 else f'{one.steps:,} steps'}"
            for one in self.phases
        )
        most = f", {first.records_per_person} records per person" if first.records_per_person > 1 else ""
        beside = (
            "" if self.records is None else f"N = {self.records:,}.",
            "" if self.dimension is None else f"d = {self.dimension:,}.",
            "" if self.delta is None else f"Delta {self.delta:g}.",
            "" if self.clip is None else f"Clip {self.clip:g}.",
        )
        return " ".join(filter(None, (f"{'; then '.join(parts)}; {first.adjacency}{most}.", *beside, *self.notes)))

    def __str__(self) -> str:
        return self.words

    def _repr_html_(self) -> str:
        """What a notebook shows: how it was understood, and the release."""
        return f"<p>{escape(self.words)}</p>{self.mechanism._repr_html_()}"


def release_of(stated: object, **said: object) -> StatedRelease:
    """The release that another accountant states, with its delta and sizes where they are said.

    Nothing is imported, run or guessed: what is needed and not said is asked for by name.

    Args:
        stated: a privacy engine, accountant or optimizer of Opacus; an event or accountant of dp-accounting; a
            configuration of jax-privacy or TensorFlow Privacy, or any object whose attributes have such names; what
            one of them prints, a call or flags that start one; a dictionary, a history, JSON, YAML; a release's file.
        said: what ``stated`` leaves out, by any of the names that these tools use: ``num_updates=2000``.

    Raises ValueError, which says what is missing or not understood, and TypeError for an object that states nothing.
    """
    if isinstance(stated, str) and release_file.FORMAT in stated:
        stated = release_file.read(stated)
    beside = {name: values_of(one, 1) for name, one in said.items()}
    if isinstance(stated, ReleaseFile | Mechanism):
        file = stated if isinstance(stated, ReleaseFile) else ReleaseFile(stated.phases)
        return _beside(file.phases, {name: getattr(file, name) for name in SAID}, beside)
    found = parsed(stated) if isinstance(stated, str) else values_of(stated)
    if isinstance(found, list):
        return _beside(_history(found), {}, beside)
    if not isinstance(found, dict):
        raise ValueError(NOT_READ)
    own = {name: one for name, one in found.items() if MEANINGS.get(name) in SAID}
    if HISTORY in found or LEDGER in found:
        return _beside(_kept(found), own, beside)
    if (tool := found.get(CLASS, "")) in ("", *TOOLS):
        return _of_arguments([*found.items(), *beside.items()], str(tool))
    return _beside(_phases(found), {}, beside)


@checked
def steps_of(epochs: Positive, rate: Positive) -> int:
    """Steps of so many epochs at this sampling rate; one that is begun counts as a whole one."""
    return max(ceil(epochs / rate * (1.0 - _ROUNDING)), 1)


# Histories and events


def _kept(found: Values) -> Iterator[SampledMechanism]:
    """The phases that an accountant was told, drawn and compared as is said beside them."""
    neighbours, sampling = _adjacency(found), None
    if LEDGER not in found:
        neighbours, sampling = _circumstances(found, "")
    if _has_microbatches(found, "", _numbers(found.items()).get("batch")):
        raise ValueError("microbatches move the sum twice as far: say half of the noise, and leave them out.")
    for one in _phases(found[LEDGER]) if LEDGER in found else _history(found[HISTORY]):
        yield one.with_neighbours(neighbours or one.adjacency, sampling)


def _history(found: object) -> Iterator[SampledMechanism]:
    """The phases of a history, as Opacus keeps it: noise multiplier, sampling rate and steps of each."""
    for place, entry in enumerate(found if isinstance(found, list) else [found], 1):
        if not isinstance(entry, list) or len(entry) != 3:
            raise ValueError(f"entry {place} of the history is not (noise, sampling rate, steps).")
        noise, rate, steps = (number(f"entry {place} of the history", each) for each in entry)
        yield Gaussian(noise, rate, _whole(f"steps of entry {place}", steps))


def _phases(found: object) -> Iterator[SampledMechanism]:
    """The phases of an event of dp-accounting.

    Its noise multiplier is over the norm of one record, as the package defines it, whatever the neighbours are. So does
    its PLD accountant count; its RDP accountant takes it over the distance of sums, twice as much for replace-one.
    """
    if not isinstance(found, dict) or CLASS not in found:
        raise ValueError(NOT_READ)
    name = str(found[CLASS])
    missing = [key for key in EVENTS.get(name, ()) if key not in found]
    if missing:
        raise ValueError(f"{name} lacks {', '.join(missing)}.")
    yield from _event(name, found)


def _event(name: str, found: Values) -> Iterator[SampledMechanism]:
    match name:
        case "GaussianDpEvent" | "LaplaceDpEvent":
            kind = Gaussian if name.startswith("Gaussian") else Laplace
            yield kind(number(name, found["noise_multiplier"]))
        case "NoOpDpEvent":
            return
        case "SelfComposedDpEvent":
            count = _whole("count", number("count", found["count"]))
            for one in _merged(_phases(found["event"])):
                yield replace(one, steps=one.steps * count)
        case "ComposedDpEvent" if isinstance(found["events"], list):
            for event in found["events"]:
                yield from _phases(event)
        case "PoissonSampledDpEvent" | "SampledWithoutReplacementDpEvent":
            yield _sampled(name, found)
        case _:
            raise ValueError(f"{name[:60]} is not known here: Gaussian and Laplace noise, sampled and composed, are.")


def _sampled(name: str, found: Values) -> SampledMechanism:
    """The release that a batch is drawn for, and how it is drawn."""
    inner = _merged(_phases(found["event"]))
    if len(inner) != 1 or inner[0].steps != 1 or inner[0].sampling_rate != 1.0:
        raise ValueError(f"{name} holds more than one release of the same batch, which cannot be entered here.")
    if name == "PoissonSampledDpEvent":
        return replace(inner[0], sampling_rate=number("sampling_probability", found["sampling_probability"]))
    records, batch = (number(key, found[key]) for key in ("source_dataset_size", "sample_size"))
    fixed = replace(inner[0], sampling_rate=batch / records)
    return fixed.with_neighbours(Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE)


def _merged(phases: Iterable[SampledMechanism]) -> list[SampledMechanism]:
    """Phases that differ in their steps alone are one: the order of steps changes no guarantee."""
    steps: dict[SampledMechanism, int] = {}
    for one in islice(phases, LARGEST_PHASES * 1000):
        key = replace(one, steps=1)
        steps[key] = steps.get(key, 0) + one.steps
    return [replace(one, steps=count) for one, count in steps.items()]


def _beside(phases: Iterable[SampledMechanism], own: Values, said: Values) -> StatedRelease:
    """Phases with what goes with any release, of its ``own`` and what was ``said`` besides."""
    merged = _merged(phases)
    if not 1 <= len(merged) <= LARGEST_PHASES:
        raise ValueError(f"{len(merged)} phases were found, and 1 to {LARGEST_PHASES} can be read.")
    if foreign := [name for name in said if MEANINGS.get(name) not in SAID]:
        raise ValueError(f"{foreign[0][:40]} is part of what was stated, or says nothing here: leave it out.")
    return StatedRelease(tuple(merged), **_sizes(_numbers([*own.items(), *said.items()])))


def _numbers(given: Iterable[tuple[str, object]]) -> dict[str, float]:
    """Numbers by what they mean; ValueError where one has two values, under whatever names."""
    found: dict[str, float] = {}
    for name, each in given:
        meaning = MEANINGS.get(name)
        if meaning and each is not None and found.setdefault(meaning, here := number(name, each)) != here:
            raise ValueError(f"{name} is said twice: {found[meaning]:g} and {here:g}. Leave one of them.")
    return found


def _sizes(found: Mapping[str, float]) -> dict[str, Any]:
    """Delta and sizes among numbers by their meaning."""
    whole = {name: _whole(SAID[name], found[name]) for name in ("records", "dimension") if name in found}
    return whole | {name: found[name] for name in ("delta", "clip") if name in found}


def _whole(name: str, number: float) -> int:
    if number != int(number):
        raise ValueError(f"{name} must be a whole number, got {number:g}.")
    return int(number)


# Arguments of DP-SGD


def _of_arguments(given: Iterable[tuple[str, object]], tool: str) -> StatedRelease:
    """The run of DP-SGD that has these arguments: by rate and steps, or by records, batch and epochs."""
    pairs = [(name.lower().replace("-", "_"), each) for name, each in given if each is not None and name != CLASS]
    named = dict(pairs)
    for name, (usual, why) in UNUSUAL.items():
        if name in named and str(named[name]).lower() not in usual:
            raise ValueError(why)
    found = _numbers(pairs)
    is_halved = _has_microbatches(named, tool, found.get("batch"))
    if "rate" in found and found.get("batches a step", 1.0) != 1.0:
        raise ValueError("gradient_accumulation_steps is given beside a rate: say the rate of a whole step alone.")
    if "batch" in found:
        found["batch"] *= found.pop("batches a step", 1.0)
    _say_what_is_missing(found)
    most = _whole("the number of records per person", found.get("records per person", 1.0))
    adjacency, sampling = _circumstances(named, tool)
    by_batches = tool.startswith("make_private") and sampling is Sampling.POISSON
    rate, notes = _rate(found, "records" if most > 1 else "people", by_batches)
    steps = _whole("the number of steps", found["steps"] if "steps" in found else steps_of(found["epochs"], rate))
    noise = found.get("noise", 1.0) / (2.0 if is_halved else 1.0)
    release: SampledMechanism = Gaussian(noise, rate, steps, adjacency, sampling, most)
    if tool == STATEMENT and sampling is Sampling.POISSON:
        notes.append("Read as Poisson sampling, which the second of its epsilons assumes.")
    if is_halved and "noise" in found:
        notes.append(f"Noise {noise:g} is half of what was said: microbatches move the sum twice as far.")
    if "noise" not in found:
        target = EpsilonTarget(found["epsilon"], found["delta"])
        release = replace(release, noise_multiplier=noise_for(target, release).noise_multiplier)
        notes.append(f"No noise was said: this is the least that keeps {target.label}, and a tool's own may be larger.")
    unused = [name[:40] for name in named if name not in KNOWN]
    unused += ["epsilon"] if {"noise", "epsilon"} <= set(found) else []
    unused += ["batch_size"] if {"rate", "batch"} <= set(found) else []
    unused += ["epochs"] if {"steps", "epochs"} <= set(found) else []
    notes += [f"Not used: {', '.join(unused[:_MOST_UNUSED])}."] if unused else []
    run: dict[str, Any] = {} if {"rate", "steps"} & set(found) else {"batch": found["batch"], "epochs": found["epochs"]}
    return StatedRelease((release,), **_sizes(found), **run, notes=tuple(notes))


def _has_microbatches(named: Values, tool: str, batch: float | None) -> bool:
    """Whether gradients of several records are clipped together; then a record moves the sum twice as far."""
    if tool == STATEMENT and "used_microbatching" not in named:
        raise ValueError("this tool counts microbatches unless told not to: add used_microbatching=False.")
    if "num_microbatches" in named and batch is None:
        raise ValueError("num_microbatches is given and batch_size is missing: they are the same where records are "
                         "clipped one by one.")  # fmt: skip
    said = str(named.get("used_microbatching", "false")).lower()
    if said not in ("true", "false", "1", "0", "1.0", "0.0"):
        raise ValueError(f"used_microbatching must be true or false, got {said[:40]}.")
    split = named.get("num_microbatches", batch)
    return said.startswith(("t", "1")) or (split is not None and number("num_microbatches", split) != batch)


def _say_what_is_missing(found: Mapping[str, float]) -> None:
    if "noise" not in found and not {"epsilon", "delta"} <= set(found):
        other = "delta is missing (target_delta), or" if "epsilon" in found else "is missing"
        raise ValueError(f"the noise multiplier {other} (noise_multiplier).")
    if "rate" not in found and "batch" not in found:
        raise ValueError("the batch size or the sampling rate is missing (batch_size, sample_rate).")
    if "rate" not in found and "records" not in found:
        raise ValueError("a batch size is given and N is missing: add the number of people (num_examples).")
    if "steps" not in found and "epochs" not in found:
        raise ValueError("the epochs or the steps are missing (epochs, num_steps).")


def _rate(found: dict[str, float], counted: str, by_batches: bool) -> tuple[float, list[str]]:
    """The sampling rate, and what was concluded; ``by_batches``: one over their number, as Opacus draws."""
    if "rate" in found:
        return found["rate"], []
    batch, records = found["batch"], _whole("the number of records", found["records"])
    if batch > records:
        raise ValueError(f"A batch of {batch:g} is more than all {records:,} {counted}. Make the batch smaller.")
    batches = ceil(records / batch * (1.0 - _ROUNDING))
    if not by_batches or batches * batch == records:
        return batch / records, []
    found["batch"] = records / batches
    return 1.0 / batches, [f"Opacus draws by the number of batches: each record with a rate of 1/{batches:,}."]


def _circumstances(named: Values, tool: str) -> tuple[Adjacency, Sampling]:
    """Neighbours and sampling; batches of fixed size have neighbours of one size unless others are said."""
    said = named.get("sampling", named.get("sampling_method"))
    if said is None and str(named.get("poisson_sampling", True)).lower() not in ("true", "1"):
        raise ValueError("poisson_sampling=False leaves batches to the loader: add how it draws them, such as "
                         'sampling="shuffled", adjacency="zero-out".')  # fmt: skip
    sampling = Sampling.FIXED_SIZE if tool == "fixed_dpsgd_event" else Sampling.POISSON
    if said is not None:
        sampling = _member("sampling", said, _SAMPLINGS)
    adjacency = _adjacency(named)
    return adjacency or (Adjacency.REPLACE_ONE if sampling is Sampling.FIXED_SIZE else Adjacency.ADD_REMOVE), sampling


def _adjacency(named: Values) -> Adjacency | None:
    said = named.get("adjacency", named.get("neighboring_relation"))
    return None if said is None else _member("adjacency", said, _NEIGHBOURS)


def _member(name: str, said: object, known: Mapping[str, _Member]) -> _Member:
    spelled = str(said).lower().replace("_", " ").replace("-", " ")
    if spelled not in known:
        raise ValueError(f"{name} must be one of {', '.join(known)}, got {str(said)[:40]}.")
    return known[spelled]
