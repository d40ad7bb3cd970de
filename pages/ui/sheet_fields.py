"""What is known of a release for the fields of a report (``reports.sheet.FIELDS``), and what it rests on."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial
from math import isfinite

from numerics import renyi
from numerics.mechanisms import Adjacency, Mechanism
from numerics.trade_off import SMALLEST_ALPHA, Bound, Bracket, Order
from numerics.version import VERSION
from pages.ui import cached, cached_reconstruction
from pages.ui.numbers_in_words import EPSILON_DIGITS, as_entered, one_in, rounded_up
from pages.ui.release_in_force import ReleaseChoice, counted_steps
from reports.sheet import NOT_STATED, Rows

RATES = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
_CANDIDATES = 1e-3
_REGRET = "how far the curve of that μ is off (its regret)"
_RENYI_ORDERS = (2, 8, 32)
_UNIT = "One record is protected. Somebody who gave several of them is protected less."
_OTHER = {
    Adjacency.ADD_REMOVE: "the other one lacks this one record",
    Adjacency.REPLACE_ONE: "the other one has another record in this one's place",
    Adjacency.ZERO_OUT: "in the other one this one record adds nothing",
}
_OTHER_PERSON = {
    Adjacency.ADD_REMOVE: "the other one lacks all records of this one person",
    Adjacency.REPLACE_ONE: "the other one has another person's records in place of all of this one's",
    Adjacency.ZERO_OUT: "in the other one all records of this one person add nothing",
}
_UNIT_OF_PEOPLE = (
    "One person is protected, with at most {} records. Somebody who has more is protected less, somebody who has fewer "
    "more."
)


def assumptions(release: Mechanism) -> tuple[str, str, str]:
    """With what the release is compared, how records are drawn, and what is protected."""
    most = release.records_per_person
    other = (_OTHER if most == 1 else _OTHER_PERSON)[release.adjacency]
    sampled = dict.fromkeys(phase.sampling.batches.in_short for phase in release.phases if phase.sampling_rate < 1.0)
    drawn = " ".join(sampled) or "Every record takes part in every step."
    compared = f"The attacker knows everything but which of two data sets was used: {other}."
    return compared, drawn, _UNIT if most == 1 else _UNIT_OF_PEOPLE.format(most)


def _mechanism(choice: ReleaseChoice) -> str:
    clip = "" if choice.clip is None else f" Clipping norm C = {choice.clip:g}."
    sums = " ".join(dict.fromkeys(phase.scale_sentence for phase in choice.mechanism.phases))
    return f"{choice.mechanism.label}; the noise multiplier is in units of the sensitivity. {sums}{clip}"


def _sampler(choice: ReleaseChoice) -> str:
    phases = [phase for phase in choice.mechanism.phases if phase.sampling_rate < 1.0]
    found = dict.fromkeys(phase.sampling.batches.sentence(phase.sampling_rate) for phase in phases)
    return f"As accounted: {' '.join(found) or 'every record in every step.'}"


def _steps(choice: ReleaseChoice) -> str:
    epochs = sum(phase.steps * phase.sampling_rate for phase in choice.mechanism.phases)
    many = f", epochs: {epochs:,.4g}" if epochs != choice.mechanism.total_steps else ""
    return f"{counted_steps(choice.mechanism.total_steps)}{many}, all of them counted as published."


def _accountant(choice: ReleaseChoice) -> str:
    side = {
        Bound.EXACT: "closed formulas",
        Bound.CERTIFIED: "certified brackets, of which the guarantee is stated: errors are on the safe side",
    }
    known = side.get(choice.mechanism.bound, "guarantees that no known attack reaches: errors are on the safe side")
    return f"Privacy trade-offs {VERSION}: {known}."


def summary(choice: ReleaseChoice) -> dict[str, str]:
    """The release's guarantees in one number each, rounded up; an infinite one says so, and has no regret."""
    release = choice.mechanism
    mu = cached.gaussian_mu(release)
    regret = {_REGRET: _rounded(cached.gaussian_regret(release), 2)} if isfinite(mu.upper) else {}
    return {
        f"ε at δ = {as_entered(choice.delta)}": _rounded(cached.epsilon(release, choice.delta), EPSILON_DIGITS),
        f"μ-GDP, error rates from {as_entered(SMALLEST_ALPHA)}": _rounded(mu, 4),
        **regret,
        "advantage": _rounded(cached.advantage(release)),
    }


def summary_or_why(choice: ReleaseChoice) -> Rows:
    """The same as rows, with members found at two round rates, or why there are none."""
    try:
        found = {f"members found at FPR {rate}": value for rate, value in found_at(choice, RATES[:2]).items()}
        return tuple((summary(choice) | found).items())
    except ValueError as reason:
        return (("Guarantees", f"{NOT_STATED}, outside what can be computed: {reason}"),)


def found_at(choice: ReleaseChoice, rates: Sequence[float] = RATES) -> dict[str, str]:
    """Members found at round false positive rates, rounded up."""
    return {as_entered(rate): _rounded(cached.power(choice.mechanism, rate, Order.ADD)) for rate in rates}


def _rounded(found: Bracket, digits: int = 3) -> str:
    return "none that is finite" if found.upper == float("inf") else rounded_up(found.upper, digits)


def _parameters(choice: ReleaseChoice) -> str:
    found = {f"found at FPR {rate}": value for rate, value in found_at(choice).items()}
    said = summary(choice) | found
    listed = "; ".join(f"{name}: {value}" for name, value in said.items())
    meant = "The regret says how far, in both error rates, the curve may lie above that of μ. "
    return f"At most {listed}. {meant if _REGRET in said else ''}{_divergences(choice)}"


def _divergences(choice: ReleaseChoice) -> str:
    """Zero-concentrated and Renyi DP, where they are known."""
    release, form = choice.mechanism, choice.mechanism.closed_form
    exact = form is not None and form.gaussian_mu is not None
    return f"{_or_not('zCDP', partial(_rho, release, exact))}; {_or_not('RDP', partial(_orders, release))}."


def _or_not(what: str, say: Callable[[], str]) -> str:
    try:
        return say()
    except ValueError:
        return f"{what} is not computed for this release"


def _rho(release: Mechanism, exact: bool) -> str:
    rho, sampled = renyi.zcdp(release), any(phase.sampling_rate < 1.0 for phase in release.phases)
    if rho == float("inf"):
        return "zCDP: no finite ρ"
    stays = ", as without sampling" if sampled and release.pure_epsilon == float("inf") else ""
    return f"zCDP: ρ {'=' if exact else 'at most'} {rounded_up(rho, 4)}{', exact' if exact else stays}"


def _orders(release: Mechanism) -> str:
    found = {order: renyi.divergence(release, order) for order in _RENYI_ORDERS}
    if float("inf") in found.values():
        return "RDP: no finite divergence"
    return ", ".join(f"RDP of order {order}: {rounded_up(value, 4)}" for order, value in found.items())


def _delta(choice: ReleaseChoice) -> str:
    delta = as_entered(choice.delta)
    if choice.records is None:
        return f"δ = {delta}; the number of records is not set, so it cannot be compared."
    share = float(Decimal(repr(choice.delta)) * choice.records)  # floats make 0.6000000000000001 of 60,000 and 1e-5
    judged = "below 1 in all" if share < 1.0 else "1 or more: that allows to publish somebody's record"
    records = f"{choice.records:,} {'record' if choice.records == 1 else 'records'}"
    return f"δ = {delta} of N = {records}: N δ = {rounded_up(share)}, {judged}."


def _readings(choice: ReleaseChoice) -> str:
    one_of_many = cached_reconstruction.success(choice.mechanism, _CANDIDATES).upper
    attribute = cached_reconstruction.attribute(choice.mechanism, 0.5).upper
    return (
        f"Re-identification or reconstruction, right {one_in(_CANDIDATES)} times by guessing: with the release at most "
        f"{rounded_up(one_of_many)}. An attribute of two values, each right 1 in 2 times by guessing: at most "
        f"{rounded_up(attribute)}. Guesses are those of somebody who knows all other records."
    )


def known(choice: ReleaseChoice) -> dict[str, str]:
    """What is known of this release, by the fields' keys; the rest only people know."""
    fills: dict[str, Callable[[ReleaseChoice], str]] = {
        "unit": lambda choice: assumptions(choice.mechanism)[-1],
        "neighbours": lambda choice: choice.mechanism.assumptions[0],
        "mechanism": _mechanism,
        "sampler": _sampler,
        "steps": _steps,
        "accountant": _accountant,
        "parameters": _parameters,
        "delta": _delta,
        "readings": _readings,
    }
    found = dict[str, str]()
    for key, fill in fills.items():
        try:
            found[key] = fill(choice)
        except ValueError as reason:
            found[key] = f"{NOT_STATED}, outside what can be computed: {reason}"
    return found
