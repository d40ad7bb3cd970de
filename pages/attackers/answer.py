"""What the attackers find, in words: the verdict against the limit, what an opened door shows, and who stands apart."""

from collections.abc import Sequence

from numerics.trade_off import Bound, Bracket
from pages.attackers.doors import Guess
from pages.ui import cached, people_scene
from pages.ui.headline import Headline, surely
from pages.ui.numbers_in_words import is_within
from pages.ui.threat_models.notions import FINAL, FULL, OTHERS, RELAXED, SAMPLE
from pages.ui.threat_models.release import ReleaseSetting
from pages.ui.threat_models.views import NOT_DEFINED, View, comparable

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


def headline(setting: ReleaseSetting) -> Headline:
    """How everybody is counted: as on the page of the release."""
    return Headline.of(setting.choice)


def count(setting: ReleaseSetting, view: View) -> int | None:
    """How many are found behind a door; None where there is no number."""
    return None if view.found is None or view.curve is None else headline(setting).count(view.found, view.curve.bound)


def said(setting: ReleaseSetting, found: Bracket, bound: Bound) -> str:
    """The count with what may be claimed of it: ``at most 41``."""
    return f"{surely(bound)} {headline(setting).count(found, bound):,}"


def verdict(setting: ReleaseSetting, full: View) -> str:
    """The most that anybody finds, against the limit; the doors say what others find."""
    if full.found is None or full.curve is None:
        return "None of the attackers' success is computed here for this release."
    stated, bound = headline(setting), full.curve.bound
    limit = people_scene.limit_count(setting.choice.limit, stated.crowd)
    held = people_scene.verdict(stated.count(full.found, bound), limit, not meets(setting, full))
    return f"{stated.sentence(full.found, bound)}: {held[0].lower()}{held[1:]}"


def in_full(setting: ReleaseSetting, full: View, opened: list[View]) -> str:
    """The verdict with what the opened doors show that is less, where no doors are seen."""
    most = count(setting, full) or 0
    less = [
        f"{view.model.short.capitalize()}: {surely(curve.bound)} **{fewer:,}**."
        for view, curve, found in comparable(opened)
        if (fewer := headline(setting).count(found, curve.bound)) < most
    ]
    guessing = headline(setting).guessing
    return " ".join([verdict(setting, full), *less, f"{guessing[0].upper()}{guessing[1:]}."])


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
    first, own = count(setting, full), count(setting, view)
    if view.found is None or view.curve is None or first is None or own is None:
        return f"**{guessed}There is no number here.** {view.note}"
    actual = Guess.FEWER if own < first else Guess.SAME
    judged = f"{guessed}{'Right' if guess is actual else f'It is {actual}'}:" if guess else ""
    stated, bound = headline(setting), view.curve.bound
    counted = f"**{judged}** {stated.clause(view.found, bound)}" if judged else stated.sentence(view.found, bound)
    return f"{counted}. {_WHY[view.model]}"


def absent(seen: Sequence[View]) -> dict[str, str]:
    """Whose curve is missing from the figure and its data though the door is open, and why."""
    return {view.model.notion: f"no curve: {view.note or view.absent}" for view in seen if view.curve is None}


def shared(setting: ReleaseSetting) -> str:
    """Why the numbers stand beside each other, and what follows."""
    return _SHARED.format(setting.release.adjacency, setting.sampling)


def apart(setting: ReleaseSetting, view: View) -> str:
    """What an attacker finds who stands apart, beside the guarantee about the same neighbours and sampling."""
    if view.found is None or view.curve is None:
        return f"**{view.model.notion}:** {view.note}"
    full = cached.power(setting.fixed_size, setting.choice.alpha, setting.choice.order)
    stated = headline(setting)
    return (
        f"With a record replaced and batches of fixed size, of one who {view.model.name}: "
        f"{stated.clause(view.found, view.curve.bound)}. The guarantee against one who knows all but the noise is "
        f"at most **{stated.count(full):,}** there."
    )
