"""The release in numbers: guarantees, what an accusation is worth, their Python; and who has several records."""

import re
from functools import partial
from typing import Literal

import numpy as np
import streamlit as st

from numerics import unit_of_privacy
from numerics.audits import GdpClaim
from numerics.deadline import UNLIMITED, Deadline
from numerics.mechanisms import LARGEST_RECORDS, Mechanism
from numerics.privacy_loss import Precision
from numerics.trade_off import SMALLEST_ALPHA, Bound, Bracket, Order
from numerics.unit_of_privacy import PeopleByRecords
from pages.server.shared_cache import shared_cache
from pages.ui import address, cached
from pages.ui.controls import SliderWithBox
from pages.ui.numbers_in_words import EPSILON_DIGITS, as_entered, count_up, counted, one_in, rounded_up
from pages.ui.release_in_force import ReleaseChoice
from pages.ui.result_header import Headline, Metric, between, crowd_for, times, words_for
from pages.ui.skipped import error_boundary
from reports.python_code import constructor, imports, literal

PRIOR = SliderWithBox(
    "mechanism.prior",
    "unlikely ← prior → likely",
    (1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9),
    0.1,
    (1e-9, 0.999),
    "How likely the attacker holds it that somebody is in the training data, before it looks at the release.",
)


def draw_prior(order: Order) -> float:
    """Draw the prior, and say what it is. A test that only clears people accuses nobody with any prior."""
    with st.container(width=260):
        PRIOR.draw_slider("nobody is accused" if order is Order.REMOVE else "")
    return PRIOR.value()


def sentences(choice: ReleaseChoice, prior: float) -> str:
    """What an attacker can do at the operating point, and what its accusation is then worth in both worlds."""
    found = cached.power(choice.mechanism, choice.alpha, choice.order)
    headline = Headline.of(choice)
    stated = f"{headline.beside_guessing(found, choice.mechanism.bound)}."
    if choice.order is Order.REMOVE:
        return stated
    worth = cached.posterior(choice.mechanism, choice.alpha, prior, choice.order)
    before = counted(prior, headline.crowd)
    return (
        f"{stated} If {before} people are members, an accusation is right at most "
        f"{times(worth.upper, headline.crowd)} with this release, and {before} times without it."
    )


def metrics(choice: ReleaseChoice, prior: float) -> list[Metric]:
    """The guarantees in numbers, each with how well it is known."""
    release, delta = choice.mechanism, as_entered(choice.delta)
    metric = partial(_metric, release.bound)
    return [
        metric(f"ε at δ = {delta}", cached.epsilon(release, choice.delta), _EPSILON_HELP, EPSILON_DIGITS),
        metric("Advantage", cached.advantage(release), "Largest share of members found minus outsiders accused."),
        *_at_the_point(choice, prior),
        metric("μ-GDP", cached.gaussian_mu(release), _MU_HELP),
        metric("AUC", cached.auc(release), "Area under the attacker's ROC curve; 0.5 is guessing."),
    ]


def _at_the_point(choice: ReleaseChoice, prior: float) -> list[Metric]:
    """The rate at the operating point; where it is one of accusing, also what an accusation is worth."""
    release, alpha, order = choice.mechanism, choice.alpha, choice.order
    found, metric = cached.power(release, alpha, order), partial(_metric, release.bound)
    if order is Order.REMOVE:
        return [metric(f"Ruled out at α = {alpha:g}", found, _CLEARED_HELP)]
    worth = f"Probability that an accused person is a member, if {one_in(prior)} people are."
    return [
        metric(f"Found at α = {as_entered(alpha)}", found, "True positive rate at the chosen false positive rate."),
        metric(f"Posterior at {prior:g}", cached.posterior(release, alpha, prior, order), worth),
    ]


_EPSILON_HELP = "Differential privacy, of both orders the worse: odds about one person move by at most e^ε, but for δ."
_CLEARED_HELP = "Share of outsiders who are ruled out, at the chosen share of members who are wrongly cleared."
_MU_HELP = "The release is no easier to attack than one Gaussian release of effect size μ, at error rates down to 10⁻⁹."


def _metric(bound: Bound, label: str, bracket: Bracket, meaning: str, digits: int = 3) -> Metric:
    return Metric(label, rounded_up(bracket.upper, digits), f"At most; {meaning} {between(bracket, bound)}")


def python_snippet(mechanism: Mechanism, alpha: float, delta: float, order: Order, prior: float) -> str:
    """Python that prints the numbers on the page; run it in the project's folder."""
    made, tested = constructor(mechanism), f"{alpha!r}, {literal(order)}"
    worth = f'print("posterior:", mechanism.posterior({alpha!r}, {prior!r}, {literal(order)}, precision))\n'
    return f"""{imports(mechanism)}
from numerics.privacy_loss import Precision
from numerics.trade_off import Order

mechanism = {made}
precision = {cached.PRECISION!r}  # smaller widths give narrower brackets
print("true positive rate:", mechanism.power({tested}, precision))
print("epsilon:", mechanism.epsilon({delta!r}, {cached.EPSILON_WIDTH!r}, precision))
print("advantage:", mechanism.advantage(precision))
{worth if order is not Order.REMOVE else ""}print("mu-GDP:", mechanism.gaussian_mu({SMALLEST_ALPHA!r}, precision))
print("AUC:", mechanism.auc(precision))
"""


# Who is protected: a record, or a person who has several

PEOPLE_KEY = "mechanism.people_by_records"
_URL: Literal["query-params"] = "query-params"
_USUAL = (1, 2, 4, 8)
_MOST_ROWS, _LONGEST = 12, 200
_HELP = (
    "Who has how many records, for a table of what each of them faces: “1: 900, 2: 80, 4: 20” are 900 people with one "
    "record, 80 with two and 20 with four. The guarantee stays that of the most that anybody has."
)
_WHOSE = (
    "The guarantee of a release is that of who has the **most** records. Somebody with fewer faces less, as their row "
    "says; the mean over people is nobody's guarantee."
)
_TIGHT, _LOOSE = "guarantee, tight", "guarantee, loose"
_ROW = re.compile(r"\s*([1-9]\d{0,3})\s*:\s*([1-9]\d{0,11})\s*")

group_power = shared_cache(unit_of_privacy.group_power, precision=cached.PRECISION)
group_mu = shared_cache(unit_of_privacy.group_mu, precision=cached.PRECISION)


@shared_cache
def group_epsilon(release: Mechanism, delta: float, deadline: Deadline = UNLIMITED) -> float:
    """Epsilon of a person from the record's."""
    return unit_of_privacy.group_epsilon(release, delta, Precision(deadline=deadline))


def draw_unit_of_privacy(choice: ReleaseChoice) -> None:
    """Draw, folded away, what a person with several records faces."""
    fold = st.expander(
        "A record or a person: who has several records", key="mechanism.unit", on_change="rerun", bind=_URL
    )
    with fold, error_boundary("table of records per person"):
        if not fold.open and address.is_default({PEOPLE_KEY: ""}):
            return
        told = st.text_input(
            "How many people have how many records",
            key=PEOPLE_KEY,
            bind=_URL,
            max_chars=_LONGEST,
            placeholder="1: 900, 2: 80, 4: 20",
            help=_HELP,
        )
        if not fold.open:
            return
        if choice.mechanism.records_per_person > 1:
            _draw_conversions(choice)
        people = read(told) if told else None
        st.table(by_records(choice, people), hide_index=True)
        st.caption(_WHOSE)
        if people and people.most > choice.mechanism.records_per_person:
            st.warning(
                f"Somebody has {people.most} records, and the page's numbers are for "
                f"{choice.mechanism.records_per_person}: say {people.most} under More, Records per person.",
                icon=":material/warning:",
            )


def read(text: str) -> PeopleByRecords:
    """Who has how many records; raises ValueError, which says what to do."""
    rows = [_ROW.fullmatch(part) for part in text.split(",") if part.strip()]
    found = sorted((int(row[1]), int(row[2])) for row in rows if row)
    if len(found) < len(rows) or not 1 <= len(rows) <= _MOST_ROWS:
        raise ValueError(f"write 1 to {_MOST_ROWS} parts “records: people”, such as 1: 900, 2: 80.")
    if found[-1][0] > LARGEST_RECORDS:
        raise ValueError(f"a person can have up to {LARGEST_RECORDS} records here, got {found[-1][0]}.")
    return PeopleByRecords(*map(tuple, zip(*found, strict=True)))


def by_records(choice: ReleaseChoice, people: PeopleByRecords | None) -> dict[str, list[str]]:
    """What a person faces with so many records: columns of a table."""
    own = choice.mechanism.records_per_person
    records = people.records if people else tuple(sorted({*_USUAL, own}))
    releases = [choice.mechanism.with_records_per_person(number) for number in records]
    powers = tuple(cached.power(release, choice.alpha, choice.order) for release in releases)
    epsilons = tuple(cached.epsilon(release, choice.delta) for release in releases)
    table = {
        "records per person": [f"{number:,}" for number in records],
        **({"people": [f"{number:,}" for number in people.people]} if people else {}),
        _found(choice): [_count(choice, power) for power in powers],
        _epsilon(choice): [rounded_up(epsilon.upper, EPSILON_DIGITS) for epsilon in epsilons],
    }
    if people:
        mean = ["mean over people", f"{sum(people.people):,}", _count(choice, people.mean(powers)), "—"]
        for column, text in zip(table.values(), mean, strict=True):
            column.append(text)
    return table


def _draw_conversions(choice: ReleaseChoice) -> None:
    most = choice.mechanism.records_per_person
    st.markdown(f"**A person with {most:,} records:** what is certified, and what one record's guarantee says of them")
    st.table(conversions(choice), hide_index=True)
    st.caption(
        f"{most:,} times ε at the same δ is no guarantee: the certified ε is what an attack reaches but for its last "
        "digits."
    )


def conversions(choice: ReleaseChoice) -> dict[str, list[str]]:
    """The certified value beside what follows from one record's: columns of a table."""
    release, alpha, order, delta = choice.mechanism, choice.alpha, choice.order, choice.delta
    most, record = release.records_per_person, release.with_records_per_person(1)
    tight, claimed = cached.epsilon(release, delta), most * cached.epsilon(record, delta).upper
    mu, form = group_mu(release).upper, release.closed_form
    loose = _LOOSE if form is None or form.gaussian_mu is None else _TIGHT
    rows: list[tuple[str, str, Bracket | None, float | None]] = [
        ("certified for the person", _TIGHT, cached.power(release, alpha, order), tight.upper),
        (f"the record's curve, {most} times in turn", loose, group_power(release, alpha, order), None),
        (f"({most} ε, …) with the δ that goes with it", _LOOSE, None, group_epsilon(release, delta)),
        (f"{most} μ of the record, {rounded_up(mu)}, at error rates from 10⁻⁹", loose, _of_mu(mu, alpha), None),
        (f"{most} ε at the same δ", _verdict(claimed, tight), None, claimed),
    ]
    return {
        "from": [row[0] for row in rows],
        "what it is": [row[1] for row in rows],
        _found(choice): ["—" if row[2] is None else _count(choice, row[2]) for row in rows],
        _epsilon(choice): ["—" if row[3] is None else rounded_up(row[3], EPSILON_DIGITS) for row in rows],
    }


def _verdict(claimed: float, tight: Bracket) -> str:
    return "wrong: an attack reaches more" if claimed < tight.lower else "no guarantee: not proved"


def _of_mu(mu: float, alpha: float) -> Bracket | None:
    """None at rates that the μ of sampled steps does not look at."""
    return Bracket.exact(float(GdpClaim(mu).power(np.array([alpha]))[0])) if alpha >= SMALLEST_ALPHA else None


def _found(choice: ReleaseChoice) -> str:
    return f"{words_for(choice.order).found}, of {crowd_for(choice.alpha):,}, at most"


def _epsilon(choice: ReleaseChoice) -> str:
    return f"ε at δ = {as_entered(choice.delta)}, at most"


def _count(choice: ReleaseChoice, power: Bracket) -> str:
    return f"{count_up(power.upper, crowd_for(choice.alpha)):,}"
