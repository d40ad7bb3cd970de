"""A promise in words: members of its family, and which of them are refuted with it."""

from numerics.audits import ApproximateClaim, Claim, ReleaseClaim
from plotting.people import quantity
from reports.rounding import as_entered, rounded_down, rounded_up

_SYMBOLS = {"mu": "μ", "epsilon": "ε", "noise_multiplier": "noise"}


def named(claim: Claim, parameter: float | None = None) -> str:
    """The claim as somebody chose it, ``ε 2 at δ = 10⁻⁵``, or another member of its family: ``noise 0.667``."""
    return _named(claim, quantity(claim.parameter) if parameter is None else quantity(parameter, 3))


def in_words(claim: Claim) -> str:
    """The claim in a sentence: a release by its label, all else as ``named``."""
    return claim.label if isinstance(claim, ReleaseClaim) else named(claim)


def at_least(claim: Claim, parameter: float) -> str:
    """The same of a computed member: rounded so that what is named allows no less than it."""
    return _named(claim, (rounded_up if claim.grows else rounded_down)(parameter))


def all_refuted(claim: Claim, last: float) -> str:
    """Which members of the claim's family are refuted with it, where ``last`` is the loosest of them."""
    if claim.grows:
        return f"Every promise up to {_named(claim, rounded_down(last))} is refuted, too."
    return f"Every promise of {_named(claim, rounded_up(last))} or more is refuted, too."


def _named(claim: Claim, value: str) -> str:
    at = f" at δ = {as_entered(claim.delta)}" if isinstance(claim, ApproximateClaim) else ""
    return f"{_SYMBOLS[claim.parameter_name]} {value}{at}"


def settings(claim: Claim, level: float, neighbours: str) -> tuple[tuple[str, str], ...]:
    """What is chosen before the data are seen, as far as every promise has it."""
    return (
        ("Promise", in_words(claim)),
        ("Neighbours", neighbours),
        ("Confidence of a refutation", f"{100 * level:g} %"),
    )


def numbers(claim: Claim, level: float) -> dict[str, object]:
    """The promise with all digits."""
    return {
        "promise": claim.label,
        "parameter": claim.parameter_name,
        "promised": claim.parameter,
        "level": level,
    }
