"""What a certificate says in words, beside its numbers."""

from collections.abc import Sequence
from math import ceil, isinf

from numerics.mechanisms import Mechanism
from numerics.trade_off import Bound, Order
from pages.ui import cached, cached_reconstruction, weak_epsilon
from pages.ui.certificate.numbers import NONE, Answer, CertificateNumber, NotionGuarantee, NotionRates
from pages.ui.certificate.subject import CertificateSubject
from pages.ui.headline import Headline
from pages.ui.numbers_in_words import (
    EPSILON_DIGITS,
    NOT_SET,
    as_entered,
    one_in,
    or_not_set,
    rounded_down,
    rounded_up,
)
from pages.ui.order_words import words_for
from pages.ui.prior_guess import Known, success_sentence
from pages.ui.threat_models.release import ReleaseSetting

_MANY = 10  # people, of whom parts no longer count
_ROUNDING = 1e-12
BESIDE = (
    "The first column is the full guarantee: it holds whatever the attacker knows. The others assume one who knows "
    "less, hold only while that is so, and stand beside the full guarantee, never in its place (paper 000)."
)
_KINDS = {
    Bound.EXACT: "a closed formula",
    Bound.CERTIFIED: "proved between a guarantee and an attack that exists; what is stated is the guarantee",
    Bound.LOWER: "proved, perhaps not tight",
    Bound.UPPER: "one attack reaches this, others may reach more",
    Bound.OPEN: "proved; the attack that is shown reaches less, and others may reach more",
    Bound.ESTIMATE: "an approximation, or a typical record; no guarantee",
    Bound.AUDIT: "measured",
}
_RECORDS = "A person is one record. Whoever has several"
_PRESUPPOSED = (
    "The noise is drawn as stated, and every record's share is clipped as stated: the program that does it is not "
    "examined here.",
    "Everything published about these people counts: another release adds to this one.",
)


def presupposed(release: Mechanism) -> tuple[str, ...]:
    """What the certificate does not look at."""
    more = f"Nobody has more than {release.records_per_person:,} records. Whoever has more"
    return (*_PRESUPPOSED, f"{more if release.records_per_person > 1 else _RECORDS} of them is protected less.")


def sentences(subject: CertificateSubject) -> list[str]:
    """The full guarantee in natural frequencies, and as epsilon, in Markdown; what cannot be computed says why."""
    parts = (_membership, _reconstruction, _privacy)
    found = []
    for part in parts:
        try:
            found.append(part(subject))
        except ValueError as reason:
            found.append(f"**Outside what can be computed:** {reason}")
    return [line for line in dict.fromkeys(found) if line]


def _membership(subject: CertificateSubject) -> str:
    """In a crowd that shows the rate faithfully, and of the data set itself where its size is known."""
    choice = subject.setting.choice
    found = cached.power(choice.mechanism, choice.alpha, choice.order)
    stated = Headline.faithful(choice, found.upper).beside_guessing(found, choice.mechanism.bound)
    return f"{stated}. {_on_average(subject, found.upper)}".strip()


def _on_average(subject: CertificateSubject, found: float) -> str:
    """The same in the data set itself; it has no number of outsiders."""
    setting = subject.setting
    several = setting.release.records_per_person > 1  # how many people these are nobody has said
    if several or setting.records in (None, 1) or setting.choice.order is Order.REMOVE:
        return ""
    most, luck = (people(rate * setting.records) for rate in (found, setting.choice.alpha))
    return f"That is on average {most} of all {setting.records:,} records (by guessing {luck})."


def people(number: float) -> str:
    """So many people on average, rounded up: whole ones where they are many."""
    if abs(number - round(number)) < _ROUNDING * number:
        return f"{round(number):,}"
    return f"{ceil(number * (1.0 - _ROUNDING)):,}" if number >= _MANY else rounded_up(number * (1.0 - _ROUNDING), 2)


def _reconstruction(subject: CertificateSubject) -> str:
    if subject.known is None:
        return ""
    success = cached_reconstruction.guessed_right(subject.setting.release, subject.known)
    return success_sentence(success, subject.known, subject.setting.release.records_per_person)


def _privacy(subject: CertificateSubject) -> str:
    choice = subject.setting.choice
    epsilon, delta = cached.epsilon(choice.mechanism, choice.delta).upper, as_entered(choice.delta)
    if isinf(epsilon):
        words = f"Of no finite ε is it proved here that the release is (ε, δ)-differentially private at δ = {delta}."
    else:
        most = rounded_up(epsilon, EPSILON_DIGITS)
        words = f"The release is (ε, δ)-differentially private with ε = **{most}** at δ = {delta}."
    return f"{words} {weak_epsilon.warning(choice)}".strip()


def number(found: Answer, digits: int = 3) -> str:
    """A number, rounded to its safe side; a dash where there is none."""
    if not isinstance(found, CertificateNumber):
        return NONE
    rounded = rounded_down if found.bound is Bound.UPPER else rounded_up
    return rounded(found.value, digits)


def qualified(found: Answer, digits: int = 3) -> str:
    """A number with what may be claimed of it; words where a notion says nothing."""
    if not isinstance(found, CertificateNumber):
        return found
    if isinf(found.value):
        return "none that is finite"
    words = {Bound.ESTIMATE: "about", Bound.UPPER: "at least", Bound.AUDIT: "about"}
    return f"{words.get(found.bound, 'at most')} {number(found, digits)}"


def operating_point(subject: CertificateSubject) -> str:
    """What is counted at the operating point."""
    alpha, words = subject.setting.choice.alpha, words_for(subject.setting.choice.order)
    return f"{words.people.capitalize()} {words.found}, {words.accusing} {one_in(alpha)} {words.wronged}"


def kind(guarantee: NotionGuarantee) -> str:
    """The kind of bound; a dash where there is none."""
    return NONE if guarantee.view.curve is None else guarantee.view.curve.bound.value


def own(guarantee: NotionGuarantee) -> str:
    """The notion's own numbers."""
    measures = (f"{name}: {qualified(value, 4)}" for name, value in guarantee.own.items())
    return "; ".join(measures) or ("its curve" if guarantee.view.curve else NONE)


def compared(guarantee: NotionGuarantee) -> str:
    """Which data sets the notion compares, and how records are drawn in it."""
    view = guarantee.view
    if view.curve is None:
        return NONE
    return f"{view.adjacency}; {view.sampling}"


def notes(guarantees: list[NotionGuarantee]) -> list[str]:
    """What the notions' curves rest on, or why there is none."""
    return [*(f"{_noted(one)}: {one.view.note}" for one in guarantees if one.view.note), _kinds(guarantees)]


def apart(subject: CertificateSubject, one: NotionGuarantee) -> list[str]:
    """What a notion says about other neighbours or another sampling, beside full knowledge's guarantee about them."""
    view, setting = one.view, subject.setting
    if view.curve is None:
        return [f"{_noted(one)}: {view.note}"]
    found = cached.power(setting.fixed_size, setting.choice.alpha, setting.choice.order).upper
    return [
        f"{view.model.notion}, {view.model.title} ({compared(one)}), for one who {view.model.name}. "
        f"{operating_point(subject)}: {qualified(one.found)}. Advantage: {qualified(one.advantage)}. {view.note}",
        f"DP there, a guarantee that no known attack reaches: {operating_point(subject)}: at most {rounded_up(found)}.",
    ]


def _noted(guarantee: NotionGuarantee) -> str:
    notion = guarantee.view.model.notion
    return notion if guarantee.view.curve else f"{notion} makes no statement"


def _kinds(guarantees: list[NotionGuarantee]) -> str:
    """What the kinds of bound mean that there are."""
    there = {one.view.curve.bound for one in guarantees if one.view.curve}
    return " ".join(f"{bound.value}: {words}." for bound, words in _KINDS.items() if bound in there)


def unsure(columns: Sequence[NotionRates]) -> str:
    """Which columns of the table of rates are no guarantee; empty if all are one."""
    kinds = {Bound.ESTIMATE: "estimates, no guarantee", Bound.UPPER: "reached by one attack; others may reach more"}
    found = dict.fromkeys(
        f"{column.notion}: {kinds[value.bound]}."
        for column in columns
        for value in column.values
        if isinstance(value, CertificateNumber) and value.bound in kinds
    )
    return " ".join(found)


def parameters(subject: CertificateSubject) -> list[tuple[str, str]]:
    """The release and its circumstances, by name."""
    setting, known = subject.setting, subject.known
    choice, most = setting.choice, setting.release.records_per_person
    order = f"order of the test: {choice.order}"
    return [
        ("Mechanism", f"{setting.release.label} ({_noise(setting)})"),
        ("Neighbours; sampling", f"{setting.release.adjacency}; {setting.sampling}"),
        ("Who is protected", "one record" if most == 1 else f"a person with all of their records, at most {most:,}"),
        ("Size", _size(setting)),
        (
            "Operating point",
            f"{words_for(choice.order).rate} {as_entered(choice.alpha)}, or {one_in(choice.alpha)}; {order}; "
            f"δ = {as_entered(choice.delta)}",
        ),
        ("Prior guess", _prior(known)),
    ]


def _prior(known: Known | None) -> str:
    if known is None:
        return f"κ: {NOT_SET}"
    return f"κ = {as_entered(known.kappa)}" + (f": {known.words}" if known.words else "")


def _noise(setting: ReleaseSetting) -> str:
    kind = " or ".join(dict.fromkeys(phase.scale_name for phase in setting.phases))
    return f"noise: {kind}, in units of the most that one record adds, its clipping norm C"


def _size(setting: ReleaseSetting) -> str:
    clip = NOT_SET if setting.clip is None else as_entered(setting.clip)
    return (
        f"records N: {or_not_set(setting.records)}; dimensions d: {or_not_set(setting.dimension)}; "
        f"clipping norm C: {clip}"
    )


def drawn(subject: CertificateSubject) -> str:
    """What the figure of the attackers shows."""
    if subject.setting.choice.order is Order.REMOVE:
        return "Remove-one order: outsiders that each attacker rules out (up), against members it wrongly clears (α)."
    return "What each attacker finds, against whom it wrongly accuses."
