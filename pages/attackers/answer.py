"""What the attackers find, in words: the verdict against the limit, what an opened door shows, and who stands apart."""

from collections.abc import Sequence

from numerics.trade_off import Bound, Bracket, Order
from pages.attackers.doors import Guess
from pages.ui import cached, people_scene
from pages.ui.numbers_in_words import ALL_BUT_CERTAIN, at_least, count_up, is_within
from pages.ui.threat_models.notions import FINAL, FULL, OTHERS, RELAXED, SAMPLE
from pages.ui.threat_models.release import ReleaseSetting
from pages.ui.threat_models.views import NOT_DEFINED, View, comparable

_SURELY = {
    Bound.EXACT: "at most",
    Bound.CERTIFIED: "at most",
    Bound.LOWER: "at most",
    Bound.OPEN: "at most",
    Bound.UPPER: "at least",
    Bound.ESTIMATE: "about",
}
_WHY = {
    FULL: "Nobody finds more.",
    RELAXED: "Without knowing which way the record pulls, the attacker has to watch both sides.",
    SAMPLE: "What limits full knowledge limits this attacker too, and no smaller number is proved.",
    OTHERS: "Other people's gradients hide the record like further noise: an estimate, for a typical record.",
    FINAL: "What a record did to early steps fades on the way, if the loss is as said below.",
}
_ELSEWHERE = {
    OTHERS: "it is known for a replaced record and batches of fixed size only, so it stands apart, below.",
    FINAL: "it is known for batches in a fixed cycle, so it stands apart, below.",
}
_SHARED = "Counted alike ({}, {}): nobody who knows less finds more."


def crowd(setting: ReleaseSetting) -> int:
    """Among how many people everybody is counted: as many as on the page of the release."""
    return people_scene.crowd_for(setting.choice.alpha)


def people(found: Bracket, bound: Bound, of: int) -> int:
    """How many are found: a guarantee rounded up, and what an attack reaches rounded down."""
    if bound is Bound.UPPER:
        return at_least(found.lower, of).count
    return count_up(found.upper, of)


def count(setting: ReleaseSetting, view: View) -> int | None:
    """How many are found behind a door; None where there is no number."""
    return None if view.found is None or view.curve is None else people(view.found, view.curve.bound, crowd(setting))


def said(found: Bracket, bound: Bound, of: int) -> str:
    """The count with what may be claimed of it: ``at most 41``."""
    return f"{_SURELY[bound]} {people(found, bound, of):,}"


def verdict(setting: ReleaseSetting, full: View) -> str:
    """The most that anybody finds, against the limit; the doors say what others find."""
    if full.found is None or full.curve is None:
        return "None of the attackers' success is computed here for this release."
    of, limit = crowd(setting), setting.choice.limit
    verb, whom = named(setting)
    count = people(full.found, full.curve.bound, of)
    found = f"{verb} at most **{count:,}** of {of:,} {whom}"
    if full.found.upper > ALL_BUT_CERTAIN:
        found = "may rule out every outsider" if setting.choice.order is Order.REMOVE else "may find everybody"
    held = people_scene.verdict(count, people_scene.limit_count(limit, of), not meets(setting, full))
    return f"Whoever knows all but the noise {found}: {held[0].lower()}{held[1:]}"


def in_full(setting: ReleaseSetting, full: View, opened: list[View]) -> str:
    """The verdict with what the opened doors show that is less, where no doors are seen."""
    most = count(setting, full) or 0
    less = [
        f"{view.model.short.capitalize()}: {_SURELY[curve.bound]} **{fewer:,}**."
        for view, curve, found in comparable(opened)
        if (fewer := people(found, curve.bound, crowd(setting))) < most
    ]
    return " ".join([verdict(setting, full), *less])


def named(setting: ReleaseSetting) -> tuple[str, str]:
    """What the attacker does in the order in force, and to whom."""
    most = setting.release.records_per_person
    whose = f" with {most:,} records each" if most > 1 else ""
    return ("rules out", f"outsiders{whose}") if setting.choice.order is Order.REMOVE else ("finds", f"people{whose}")


def meets(setting: ReleaseSetting, full: View) -> bool:
    """Whether nobody finds more than the limit."""
    return full.found is not None and is_within(full.found.upper, setting.choice.limit)


def shown(setting: ReleaseSetting, full: View, view: View, guess: Guess | None = None) -> str:
    """What stands behind a door: the number and the reason, against what was guessed."""
    guessed = f"You said {guess}. " if guess else ""
    if view.absent == NOT_DEFINED:
        return f"**{guessed}There is no number.** {view.note}"
    if view.differs:
        return f"**{guessed}It answers another question:** {_ELSEWHERE[view.model]}"
    first, own, of = count(setting, full), count(setting, view), crowd(setting)
    if view.found is None or view.curve is None or first is None or own is None:
        return f"**{guessed}There is no number here.** {view.note}"
    actual = Guess.FEWER if own < first else Guess.SAME
    judged = f"{guessed}{'Right' if guess is actual else f'It is {actual}'}: " if guess else ""
    counted = said(view.found, view.curve.bound, of)
    return f"**{judged}{counted if judged else counted.capitalize()} of {of:,}.** {_WHY[view.model]}"


def absent(seen: Sequence[View]) -> dict[str, str]:
    """Whose curve is missing from the figure and its data though the door is open, and why."""
    return {view.model.notion: f"no curve: {view.note or view.absent}" for view in seen if view.curve is None}


def unknown(seen: Sequence[View]) -> tuple[str, ...]:
    """What the figure's attackers who know less do not know: what their numbers rest on."""
    less = [view.model for view, _, _ in comparable(seen) if view.model is not FULL]
    return tuple(f"{model.short.capitalize()}: the attacker does not know {model.hidden}." for model in less)


def shared(setting: ReleaseSetting) -> str:
    """Why the numbers stand beside each other, and what follows."""
    return _SHARED.format(setting.release.adjacency, setting.sampling)


def apart(setting: ReleaseSetting, view: View) -> str:
    """What an attacker finds who stands apart, beside the guarantee about the same neighbours and sampling."""
    if view.found is None or view.curve is None:
        return f"**{view.model.notion}:** {view.note}"
    full = cached.power(setting.fixed_size, setting.choice.alpha, setting.choice.order)
    of = crowd(setting)
    verb, whom = named(setting)
    return (
        f"With a record replaced and batches of fixed size, one who {view.model.name} {verb} "
        f"{_bold(view.found, view.curve.bound, of)} of {of:,} {whom}. The guarantee against one who knows all "
        f"but the noise is {_bold(full, Bound.LOWER, of)} there."
    )


def _bold(found: Bracket, bound: Bound, of: int) -> str:
    return f"{_SURELY[bound]} **{people(found, bound, of):,}**"
