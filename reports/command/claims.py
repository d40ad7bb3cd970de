"""A promise as a command line says it."""

from enum import StrEnum
from typing import TypeVar

from numerics.audits import ApproximateClaim, Claim, GdpClaim, ReleaseClaim
from numerics.mechanisms import MECHANISMS
from numerics.sampling import Adjacency, Sampling

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
