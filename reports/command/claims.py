"""A promise as a command line says it."""

from numerics.audits import ApproximateClaim, Claim, GdpClaim, ReleaseClaim
from numerics.mechanisms import MECHANISMS
from numerics.sampling import Adjacency, Sampling

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
        adjacency = Adjacency(given.pop("adjacency", Adjacency.ADD_REMOVE.value))
        sampling = Sampling(given.pop("sampling", Sampling.POISSON.value).replace("-", " "))
        noise, rate, steps = (given.pop(name, usual) for name, usual in (("noise", ""), ("rate", "1"), ("steps", "1")))
        _nothing_left(given)
        return ReleaseClaim(kind(float(noise), float(rate), int(steps), adjacency, sampling))
    if given.keys() == {"mu"}:
        return GdpClaim(float(given["mu"]))
    epsilon, delta = given.pop("epsilon", ""), given.pop("delta", "0")
    _nothing_left(given)
    return ApproximateClaim(float(epsilon), float(delta))


def _pair(part: str) -> tuple[str, str]:
    name, sign, value = part.partition("=")
    if not sign:
        raise ValueError(f"{part!r} in --claim is neither a kind of noise nor name=value: it says {CLAIM}.")
    return name.strip(), value.strip()


def _nothing_left(given: dict[str, str]) -> None:
    if given:
        raise ValueError(f"nothing is called {', '.join(given)} in a promise.")
