"""The fields of a report on a release, as regulators and reviewers ask for them: what is known fills itself in.

Compiled from the published summaries of NIST SP 800-226 (2025: unit of privacy, parameters, trust model, hazards) and
EDPB Opinion 28/2024 (extraction and inference by all means reasonably likely to be used, documentation of tests). What
a person has to say is asked for, and what nobody has said is marked so. No field is a claim of compliance.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from math import isfinite

from numerics import renyi
from numerics.mechanisms import Mechanism
from numerics.trade_off import SMALLEST_ALPHA, Bound, Bracket, Order
from numerics.version import VERSION
from pages.ui import cached, cached_reconstruction, memo
from pages.ui.numbers_in_words import EPSILON_DIGITS, as_entered, one_in, rounded_up
from pages.ui.release_choice import ReleaseChoice
from pages.ui.training_run import counted_steps

NOT_STATED = "Not stated"
NO_CLAIM = (
    "The fields that NIST SP 800-226 and EDPB Opinion 28/2024 lead a report to have, read from their published "
    "summaries. To fill them in is no claim of compliance with either; what nobody has said is marked so."
)
RATES = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
_CANDIDATES = 1e-3
_REGRET = "how far the curve of that μ is off (its regret)"
_RENYI_ORDERS = (2, 8, 32)
Fill = Callable[[ReleaseChoice], str]


@dataclass(frozen=True)
class ReportField:
    """One field: what fills itself in, and what only people know.

    Attributes:
        key: its name in the session.
        name: as a report has it.
        asks: what a person is asked; empty where there is nothing to ask.
        fill: what is known of the release in force; None where nothing is.
    """

    key: str
    name: str
    asks: str = ""
    fill: Fill | None = None

    def text(self, choice: ReleaseChoice, answers: Mapping[str, str]) -> str:
        """What is known, and what was said or that nobody said it."""
        known = [_or_why(self.fill, choice)] if self.fill else []
        said = answers.get(self.key, "").strip()
        asked = [said or f"{NOT_STATED}: {self.asks}"] if self.asks else []
        return " ".join([*known, *asked])


def _or_why(fill: Fill, choice: ReleaseChoice) -> str:
    try:
        return fill(choice)
    except ValueError as reason:
        return f"{NOT_STATED}, outside what can be computed: {reason}"


def _unit(choice: ReleaseChoice) -> str:
    return memo.assumptions(choice.mechanism)[-1]


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


def found_at(choice: ReleaseChoice) -> dict[str, str]:
    """Members found at round false positive rates, rounded up."""
    return {as_entered(rate): _rounded(cached.power(choice.mechanism, rate, Order.ADD)) for rate in RATES}


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


FIELDS = (
    ReportField("published", "Release", "what is published, to whom, how often, and which intermediate models."),
    ReportField("unit", "Unit of privacy", "how records are assigned to people, and contributions bounded.", _unit),
    ReportField("neighbours", "Neighbours", fill=lambda choice: choice.mechanism.assumptions[0]),
    ReportField("mechanism", "Mechanism, sensitivity", fill=_mechanism),
    ReportField("sampler", "Sampler", "as run: how the loader draws batches, and which records it drops.", _sampler),
    ReportField(
        "steps", "Steps, composition", "other releases of these data, and the runs that tuned this one.", _steps
    ),
    ReportField("accountant", "Accountant", fill=_accountant),
    ReportField("parameters", "Parameters", fill=_parameters),
    ReportField("delta", "δ against the data", fill=_delta),
    ReportField("trust", "Trust model", "central or local, who sees raw data, secure aggregation."),
    ReportField("program", "Implementation", "random numbers, floating point, side channels, choices by the data."),
    ReportField("attacks", "Attacks run", "membership, attribute, reconstruction, extraction; baselines, confidence."),
    ReportField("readings", "What is guessed", fill=_readings),
    ReportField("uncovered", "Not covered", "public data, people who are not in the data."),
    ReportField("utility", "Utility and bias", "accuracy, and for whom it is lower."),
    ReportField("residual", "Residual risk", "retention, who answers questions, date of the next review."),
)


ASKED = tuple(field for field in FIELDS if field.asks)
"""The fields in which a person has something to say."""


def rows(choice: ReleaseChoice, answers: Mapping[str, str]) -> list[tuple[str, str]]:
    """All fields with their words."""
    return [(f"{place}. {field.name}", field.text(choice, answers)) for place, field in enumerate(FIELDS, 1)]


def in_short(choice: ReleaseChoice) -> tuple[str, ...]:
    """For a memo: the numbers that a report is asked for, and what a report would have to say beside it."""
    open_ = ", ".join(field.name.lower() for field in ASKED if not field.fill)
    return (
        f"{_or_why(_summary_line, choice)} {_delta(choice)}",
        f"{NOT_STATED} here: {open_}. The certificate has a place for each. No claim of compliance is made.",
    )


def _summary_line(choice: ReleaseChoice) -> str:
    return f"At most {'; '.join(f'{name}: {value}' for name, value in summary(choice).items())}."
