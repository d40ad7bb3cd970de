"""What a certificate says in words, beside its numbers."""

from collections.abc import Sequence

from numerics.trade_off import Bound
from pages.attackers.setting import Setting
from pages.certifying.numbers import NONE, Answer, Guarantee, Number, Rates
from pages.certifying.subject import Subject
from pages.rebuilding.answer import success_sentence
from pages.shared import answer, cached, cached_reconstruction
from pages.shared.frequencies import one_in, rounded_down, rounded_up
from pages.shared.readout import membership_sentence

BESIDE = (
    "The first column is the full guarantee: it holds whatever the attacker knows. The others assume one who knows "
    "less, hold only while that is so, and stand beside the full guarantee, never in its place (paper 000)."
)
OTHER_QUESTION = (
    "Not as released: other data sets are compared, or records drawn otherwise, so its numbers may exceed the first "
    "column's."
)
KINDS = (
    "exact: a closed formula. certified: proved between a guarantee and an attack that exists; what is stated is the "
    "guarantee. guarantee: proved, perhaps not tight. demonstrated attack: one attack reaches this, others may reach "
    "more. estimate: an approximation, or a typical record; no guarantee."
)
PRESUPPOSED = (
    "The noise is drawn as stated, and every record's share is clipped as stated: the program that does it is not "
    "examined here.",
    "Everything published about these people counts: another release adds to this one.",
    "A person is one record. Whoever has several of them is protected less.",
)


def sentences(subject: Subject) -> list[str]:
    """The full guarantee in natural frequencies, and as epsilon, in Markdown; what cannot be computed says why."""
    parts = (_membership, _reconstruction, _privacy)
    found = []
    for part in parts:
        try:
            found.append(part(subject))
        except ValueError as reason:
            found.append(f"**Outside what can be computed:** {reason}")
    return [line for line in dict.fromkeys(found) if line]


def _membership(subject: Subject) -> str:
    choice = subject.setting.choice
    found = cached.power(choice.mechanism, choice.alpha, choice.order)
    return membership_sentence(found, choice.alpha, choice.order)


def _reconstruction(subject: Subject) -> str:
    success = cached_reconstruction.success(subject.setting.release, subject.known.kappa)
    return success_sentence(success, subject.known)


def _privacy(subject: Subject) -> str:
    choice = subject.setting.choice
    epsilon = rounded_up(cached.epsilon(choice.mechanism, choice.delta).upper, 4)
    words = f"The release is (ε, δ)-differentially private with ε = **{epsilon}** at δ = {choice.delta:g}."
    return f"{words} {answer.weakness(choice)}".strip()


def number(found: Answer, digits: int = 3) -> str:
    """A number, rounded to its safe side; a dash where there is none."""
    if not isinstance(found, Number):
        return NONE
    rounded = rounded_down if found.bound is Bound.UPPER else rounded_up
    return rounded(found.value, digits)


def qualified(found: Answer, digits: int = 3) -> str:
    """A number with what may be claimed of it; words where a notion says nothing."""
    if not isinstance(found, Number):
        return found
    words = {Bound.ESTIMATE: "about", Bound.UPPER: "at least", Bound.AUDIT: "about"}
    return f"{words.get(found.bound, 'at most')} {number(found, digits)}"


def kind(guarantee: Guarantee) -> str:
    """The kind of bound; a dash where there is none."""
    return NONE if guarantee.view.curve is None else guarantee.view.curve.bound.value


def own(guarantee: Guarantee) -> str:
    """The notion's own numbers."""
    measures = (f"{name}: {qualified(value, 4)}" for name, value in guarantee.own.items())
    return "; ".join(measures) or ("its curve" if guarantee.view.curve else NONE)


def compared(guarantee: Guarantee) -> str:
    """Which data sets the notion compares, and how records are drawn in it."""
    view = guarantee.view
    if view.curve is None:
        return NONE
    return f"{view.adjacency}; {view.sampling}{' (not as released)' if view.differs else ''}"


def notes(guarantees: list[Guarantee]) -> list[str]:
    """What the notions' curves rest on, or why there is none, and which of them answer another question."""
    found = [f"{one.view.model.notion}: {one.view.note}" for one in guarantees if one.view.note]
    return [*found, *([OTHER_QUESTION] if any(one.view.differs for one in guarantees) else [])]


def estimated(columns: Sequence[Rates]) -> str:
    """Which columns of the table of rates are no guarantee; empty if all are one."""
    names = dict.fromkeys(
        column.notion
        for column in columns
        if any(isinstance(value, Number) and value.bound is Bound.ESTIMATE for value in column.values)
    )
    return f"{', '.join(names)}: estimates, no guarantee." if names else ""


def parameters(subject: Subject) -> list[tuple[str, str]]:
    """The release and its circumstances, by name."""
    setting, known = subject.setting, subject.known
    choice = setting.choice
    order = f"order of the test: {choice.order}"
    return [
        ("Mechanism", setting.release.label),
        ("Neighbours; sampling", f"{setting.release.adjacency}; {_sampling(setting)}"),
        ("Size", f"N = {setting.records:,} records, d = {setting.dimension:,} {_plural(setting.dimension)}"),
        (
            "Operating point",
            f"false positive rate {choice.alpha:g}, or {one_in(choice.alpha)}; {order}; δ = {choice.delta:g}",
        ),
        ("Prior guess", f"κ = {known.kappa:.4g}" + (f": {known.words}" if known.words else "")),
    ]


def _plural(dimension: int) -> str:
    return "dimension" if dimension == 1 else "dimensions"


def _sampling(setting: Setting) -> str:
    return f"{setting.phases[0].sampling}" if any(phase.sampling_rate < 1.0 for phase in setting.phases) else "none"
