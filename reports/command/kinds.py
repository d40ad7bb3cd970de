"""The kinds of evidence, and which options go with each: one that would be ignored is refused."""

import argparse
from enum import StrEnum
from typing import TypeVar

from numerics.audits import ApproximateClaim, Claim, GdpClaim, ReleaseClaim
from numerics.mechanisms import MECHANISMS
from numerics.sampling import Adjacency, Sampling

LOSSES, PREDICTIONS, SCORES, CANARIES, RUNS = "losses", "predictions", "scores", "canaries", "runs"
ALL = (LOSSES, PREDICTIONS, SCORES, CANARIES, RUNS)
_ENGINE = {"engine", "table", "setting"}
_PREDICTED = {"predictions", "answer", "logits", "positive"}
_OF_LOSSES = {"population", "method", "unit", "as_printed", "delta", "clip", "max_epsilon_star"}
_OF_ROWS = {"cluster", "model_column", "model", "slice", "rows"}
_OF_PROMISES = {"claim", "left_out", "confirm"}
_NOT_WITH = {
    LOSSES: _PREDICTED | _OF_PROMISES | {"suspect"},
    PREDICTIONS: _ENGINE | _OF_PROMISES | {"suspect", "loss"},
    SCORES: _ENGINE | _PREDICTED | _OF_LOSSES | _OF_PROMISES,
    CANARIES: _ENGINE | _PREDICTED | _OF_LOSSES | _OF_ROWS,
    RUNS: _ENGINE | _PREDICTED | _OF_LOSSES | _OF_ROWS | {"left_out"},
}


def kind_of(chosen: argparse.Namespace) -> str:
    """The kind of evidence; losses where nothing was said."""
    return chosen.evidence or LOSSES


def check(chosen: argparse.Namespace, usual: argparse.Namespace) -> None:
    """Raise ValueError for an option that the kind of evidence does not go with; ``usual`` has nobody's choices."""
    kind = kind_of(chosen)
    for name in sorted(_NOT_WITH[kind]):
        if getattr(chosen, name) != getattr(usual, name):
            with_it = [other for other in ALL if name not in _NOT_WITH[other]]
            raise ValueError(
                f"--{name.replace('_', '-')} does not go with {kind}, but with --evidence {' or '.join(with_it)}."
            )


# A promise as a command line says it.


_Kind = TypeVar("_Kind", bound=StrEnum)
CLAIM = (
    "what was promised: mu=1, or epsilon=1,delta=1e-5, or a release: its kind of noise, noise=1,rate=0.01,steps=1000, "
    "and adjacency=replace-one or sampling=fixed-size where that is so"
)


def claim_of(text: str) -> Claim:
    """The promise that ``text`` says; raises ValueError."""
    if not text.strip():
        raise ValueError(f"--claim says {CLAIM}.")
    first, *rest = [part.strip() for part in text.split(",")]
    kinds = {kind.name.lower(): kind for kind in MECHANISMS}
    kind = kinds.get(first.lower())
    given = dict(_pair(part) for part in (rest if kind else [first, *rest]))
    if kind is not None:
        adjacency = _member(Adjacency, "adjacency", given.pop("adjacency", Adjacency.ADD_REMOVE.value))
        sampling = _member(Sampling, "sampling", given.pop("sampling", Sampling.POISSON.value))
        noise, rate = (_number(name, given.pop(name, usual)) for name, usual in (("noise", ""), ("rate", "1")))
        steps = _number("steps", given.pop("steps", "1"))
        _nothing_left(given)
        if not steps.is_integer():
            raise ValueError(f"steps in --claim must be a whole number, got {steps:g}.")
        return ReleaseClaim(kind(noise, rate, int(steps), adjacency, sampling))
    if given.keys() == {"mu"}:
        return GdpClaim(_number("mu", given["mu"]))
    epsilon, delta = _number("epsilon", given.pop("epsilon", "")), _number("delta", given.pop("delta", "0"))
    _nothing_left(given)
    return ApproximateClaim(epsilon, delta)


def _number(name: str, text: str) -> float:
    if not text:
        raise ValueError(f"{name} is missing in --claim: it says {CLAIM}.")
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{name} in --claim must be a number, got {text!r}.") from None


def _member(kind: type[_Kind], name: str, text: str) -> _Kind:
    found = {str(member.value).replace(" ", "-"): member for member in kind}
    if text.replace(" ", "-") not in found:
        raise ValueError(f"{name} in --claim must be {' or '.join(found)}, got {text!r}.")
    return found[text.replace(" ", "-")]


def _pair(part: str) -> tuple[str, str]:
    name, sign, value = part.partition("=")
    if not sign:
        raise ValueError(f"{part!r} in --claim is neither a kind of noise nor name=value: it says {CLAIM}.")
    return name.strip(), value.strip()


def _nothing_left(given: dict[str, str]) -> None:
    if given:
        raise ValueError(f"nothing is called {', '.join(given)} in a promise.")
