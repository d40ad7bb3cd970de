"""What is known of a release for the fields of a report (``reports.sheet.FIELDS``), and what it rests on."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial
from math import isfinite

from numerics import renyi
from numerics.mechanisms import Adjacency, Mechanism
from numerics.trade_off import SMALLEST_ALPHA, Bound, Bracket, Order
from numerics.version import VERSION
from pages.ui import cached, prior_guess
from pages.ui.numbers_in_words import EPSILON_DIGITS, as_entered, one_in, rounded_up
from pages.ui.release_in_force import ReleaseChoice, counted_steps
from reports.sheet import NOT_STATED, Rows

RATES = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
_CANDIDATES = 1e-3
_REGRET = "how far the curve of that μ is off (its regret)"
_RENYI_ORDERS = (2, 8, 32)
_ACCOUNTANTS = {
    Bound.EXACT: "closed formulas",
    Bound.CERTIFIED: "certified brackets, of which the guarantee is stated: errors are on the safe side",
}


_OTHER = {  # where a person is one record, and where it has several
    Adjacency.ADD_REMOVE: ("the other one lacks this one record", "the other one lacks all records of this one person"),
    Adjacency.REPLACE_ONE: (
        "the other one has another record in this one's place",
        "the other one has another person's records in place of all of this one's",
    ),
    Adjacency.ZERO_OUT: (
        "in the other one this one record adds nothing",
        "in the other one all records of this one person add nothing",
    ),
}


def said_or_why(say: Callable[[], str], otherwise: str = "Outside what can be computed") -> str:
    """What is said, or why that is not computed."""
    try:
        return say()
    except ValueError as reason:
        return f"{otherwise}: {reason}"


def assumptions(release: Mechanism) -> tuple[str, str, str]:
    """With what the release is compared, how records are drawn, and what is protected."""
    most = release.records_per_person
    unit = "One record is protected. Somebody who gave several of them is protected less."
    if most > 1:
        unit = (
            f"One person is protected, with at most {most} records. Somebody who has more is protected less, somebody "
            "who has fewer more."
        )
    sampled = dict.fromkeys(phase.sampling.batches.in_short for phase in release.phases if phase.sampling_rate < 1.0)
    other = _OTHER[release.adjacency][most > 1]
    compared = f"The attacker knows everything but which of two data sets was used: {other}."
    return compared, " ".join(sampled) or "Every record takes part in every step.", unit


def known(choice: ReleaseChoice) -> dict[str, str]:
    """What is known of this release, by the fields' keys; the rest only people know."""
    release, delta = choice.mechanism, as_entered(choice.delta)
    clip = "" if choice.clip is None else f" Clipping norm C = {choice.clip:g}."
    sums = " ".join(dict.fromkeys(phase.scale_sentence for phase in release.phases))
    sampled = [phase for phase in release.phases if phase.sampling_rate < 1.0]
    drawn = dict.fromkeys(phase.sampling.batches.sentence(phase.sampling_rate) for phase in sampled)
    epochs = sum(phase.steps * phase.sampling_rate for phase in release.phases)
    passes = f", epochs: {epochs:,.4g}" if epochs != release.total_steps else ""
    accountant = _ACCOUNTANTS.get(release.bound, "guarantees that no known attack reaches: errors are on the safe side")
    compared = f"δ = {delta}; the number of records is not set, so it cannot be compared."
    if choice.records is not None:
        share = float(Decimal(repr(choice.delta)) * choice.records)  # floats make 0.6000000000000001 of 60,000 and 1e-5
        judged = "below 1 in all" if share < 1.0 else "1 or more: that allows to publish somebody's record"
        records = f"{choice.records:,} {'record' if choice.records == 1 else 'records'}"
        compared = f"δ = {delta} of N = {records}: N δ = {rounded_up(share)}, {judged}."
    nowhere = f"{NOT_STATED}, outside what can be computed"
    return {
        "unit": assumptions(release)[-1],
        "neighbours": release.assumptions[0],
        "mechanism": f"{release.label}; the noise multiplier is in units of the sensitivity. {sums}{clip}",
        "sampler": f"As accounted: {' '.join(drawn) or 'every record in every step.'}",
        "steps": f"{counted_steps(release.total_steps)}{passes}, all of them counted as published.",
        "accountant": f"Privacy trade-offs {VERSION}: {accountant}.",
        "parameters": said_or_why(partial(_parameters, choice), nowhere),
        "delta": compared,
        "readings": said_or_why(partial(_readings, release), nowhere),
    }


# The parameters


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
        found = ((f"members {name}", value) for name, value in _found(choice, RATES[:2]))
        return (*summary(choice).items(), *found)
    except ValueError as reason:
        return (("Guarantees", f"{NOT_STATED}, outside what can be computed: {reason}"),)


def _found(choice: ReleaseChoice, rates: Sequence[float] = RATES) -> list[tuple[str, str]]:
    """Members found at round false positive rates, rounded up."""
    return [
        (f"found at FPR {as_entered(rate)}", _rounded(cached.power(choice.mechanism, rate, Order.ADD)))
        for rate in rates
    ]


def _rounded(found: Bracket, digits: int = 3) -> str:
    return "none that is finite" if found.upper == float("inf") else rounded_up(found.upper, digits)


def _parameters(choice: ReleaseChoice) -> str:
    """With zero-concentrated and Renyi DP, where they are known."""
    release, said = choice.mechanism, summary(choice)
    listed = "; ".join(f"{name}: {value}" for name, value in (*said.items(), *_found(choice)))
    meant = (
        "The regret says how far, in both error rates, the curve may lie above that of μ. " if _REGRET in said else ""
    )
    divergences = []
    for name, say in (("zCDP", _zcdp), ("RDP", _renyi)):
        try:
            divergences.append(say(release))
        except ValueError:
            divergences.append(f"{name} is not computed for this release")
    return f"At most {listed}. {meant}{'; '.join(divergences)}."


def _zcdp(release: Mechanism) -> str:
    rho, sampled = renyi.zcdp(release), any(phase.sampling_rate < 1.0 for phase in release.phases)
    if rho == float("inf"):
        return "zCDP: no finite ρ"
    if release.closed_form is not None and release.closed_form.gaussian_mu is not None:
        return f"zCDP: ρ = {rounded_up(rho, 4)}, exact"
    stays = ", as without sampling" if sampled and release.pure_epsilon == float("inf") else ""
    return f"zCDP: ρ at most {rounded_up(rho, 4)}{stays}"


def _renyi(release: Mechanism) -> str:
    found = {order: renyi.divergence(release, order) for order in _RENYI_ORDERS}
    if float("inf") in found.values():
        return "RDP: no finite divergence"
    return ", ".join(f"RDP of order {order}: {rounded_up(value, 4)}" for order, value in found.items())


def _readings(release: Mechanism) -> str:
    one_of_many = prior_guess.success(release, _CANDIDATES).upper
    attribute = prior_guess.attribute(release, 0.5).upper
    return (
        f"Re-identification or reconstruction, right {one_in(_CANDIDATES)} times by guessing: with the release at most "
        f"{rounded_up(one_of_many)}. An attribute of two values, each right 1 in 2 times by guessing: at most "
        f"{rounded_up(attribute)}. Guesses are those of somebody who knows all other records."
    )
