"""What protection costs the statistic in force: the answer of every attacker, the sentence, the metrics, the table."""

from dataclasses import dataclass

from numerics.frontier import Epsilon, Found, Frontier, Measure, NoAnswerError, Notion
from pages.frontier import screen
from pages.frontier.statistic import cached
from pages.frontier.statistic.controls import Also, StatisticSetting
from pages.ui.numbers_in_words import as_entered, at_most, counted, rounded_up

FOUR = (Notion.FULL, Notion.RECORD, Notion.SUBSET, Notion.OTHERS)
_KNOWS = {
    Notion.FULL: "The attacker knows everything but the noise (differential privacy).",
    Notion.FULL_LAPLACE: "As full knowledge, with Laplace noise in place of Gaussian.",
    Notion.RECORD: "The attacker knows all other records, but not the one looked for (relaxed threat model).",
    Notion.SUBSET: "The attacker knows a pool twice as large, but not who of it is used (η-MIP): drawn by "
    "independent coins for one record more or less, exactly half for a replaced one. No less noise is proved than full "
    "knowledge's.",
    Notion.SUBSET_SHARP: "The same, with the noise of the sharp bound: from the spread over halves.",
    Notion.SUBSET_PAPER: "The same, with the noise of paper 002's constants.",
    Notion.OTHERS: "The attacker knows the record and how the others are distributed, no more (Gaussian MIP, K = d): "
    "an estimate.",
}
_ALSO = {Also.LAPLACE: Notion.FULL_LAPLACE, Also.SHARP: Notion.SUBSET_SHARP, Also.PAPER: Notion.SUBSET_PAPER}
_DEARER = {
    Notion.SUBSET_SHARP: "its noise is scaled by the spread over halves, not by what one record changes",
    Notion.SUBSET_PAPER: "its noise is scaled by the spread over halves and a large constant",
    Notion.OTHERS: "a record is *replaced* there, which moves the sum twice as far",
}
FREE = 0.1
"""Of the sampling error: noise below it adds half a percent to the error in all."""
_ROUNDING = 1e-9
_WEAK_RATE, _WEAK_EPSILON = 0.5, 10.0


@dataclass(frozen=True)
class Answer:
    """One attacker's: the noise and error at the limit, or why there is none."""

    notion: Notion
    found: Frontier | None
    reason: str

    @property
    def error(self) -> float:
        """At the limit; only where there is an answer."""
        assert self.found is not None
        return float(self.found.error[0])


def answers(setting: StatisticSetting) -> list[Answer]:
    """All notions' answers, in the order of what the attacker knows."""
    return [_answer(setting, notion) for notion in Notion]


def _answer(setting: StatisticSetting, notion: Notion) -> Answer:
    try:
        return Answer(notion, cached.at(setting.asked, notion, setting.goal), "")
    except NoAnswerError as reason:
        return Answer(notion, None, str(reason))


def beside(setting: StatisticSetting, answer: Answer) -> bool:
    """Whether it is about the neighbours asked for, so that it may stand beside full knowledge."""
    return answer.found is not None and answer.found.adjacency is setting.asked.adjacency


def _wanted(setting: StatisticSetting) -> set[Notion]:
    return {*FOUR, *(_ALSO[also] for also in setting.also)}


def drawn(setting: StatisticSetting, found: list[Answer]) -> list[Answer]:
    """Those with an answer about the neighbours asked for that the visitor wants to see."""
    return [answer for answer in found if beside(setting, answer) and answer.notion in _wanted(setting)]


def apart(setting: StatisticSetting, found: list[Answer]) -> str:
    """Which of those that the visitor wants to see are about other neighbours; empty if none is."""
    others = [one for one in found if one.found and one.notion in _wanted(setting) and not beside(setting, one)]
    if not others:
        return ""
    names = ", ".join(f"**{one.notion}**" for one in others)
    return (
        f"Apart: {names}. There one record is replaced, which is another question. Choose replace-one neighbours to "
        "see it beside full knowledge."
    )


def limit_words(measure: Measure, goal: float) -> str:
    """The limit for somebody who has never heard of it."""
    if isinstance(measure, Epsilon):
        return f"ε at most {goal:g}"
    return f"at most {at_most(goal)} {'found' if isinstance(measure, Found) else 'more found than accused'}"


def limit_in_full(measure: Measure, goal: float) -> str:
    """The same, with what else has to be known to understand it."""
    if isinstance(measure, Epsilon):
        return f"{limit_words(measure, goal)}, δ = {as_entered(measure.delta)}"
    if isinstance(measure, Found):
        return f"{limit_words(measure, goal)} while falsely accusing {counted(measure.alpha, at_most(goal).of)}"
    return f"{limit_words(measure, goal)}, of as many outsiders"


def answer(setting: StatisticSetting, found: list[Answer]) -> screen.Answer:
    """The noise to choose for the limit, what it costs, and from how many people on that is next to nothing."""
    full = next(one for one in found if one.notion is Notion.FULL)
    assert full.found is not None
    return screen.Answer(
        sentence(setting, full),
        full.found.bound,
        f"{verdict(setting, full)} {_knowing_less(setting, found)}".strip(),
        reason(setting, found),
        weakness(setting),
    )


def sentence(setting: StatisticSetting, full: Answer) -> str:
    """What the limit costs if the attacker knows all but the noise, beside what sampling costs anyway."""
    released = setting.released
    are = "is" if released.label.startswith("a ") else "are"
    relative = number(100.0 * full.error / released.sampling_error)
    limit = limit_words(setting.measure, setting.goal)
    return (
        f"For {limit}, choose noise **{_scale(full)}**: {released.label} {are} off by "
        f"**{number(full.error)}**, **{relative} %** of the sampling error."
    )


def _scale(answer: Answer) -> str:
    assert answer.found is not None
    return rounded_up(float(answer.found.scale[0]))


def verdict(setting: StatisticSetting, full: Answer) -> str:
    """Whether protection is practically free, and from how many people on it is."""
    people = cached.people_needed(setting.asked, Notion.FULL, setting.goal, FREE)
    meant = f"below {100.0 * FREE:g} % of the sampling error"
    if people is None:
        return f"Never practically free ({meant})."
    if full.error <= FREE * setting.released.sampling_error:
        return f":green[:material/check_circle:] Practically free, as from **{people:,}** people on ({meant})."
    return f"Practically free from **{people:,}** people on ({meant})."


def _knowing_less(setting: StatisticSetting, found: list[Answer]) -> str:
    """How much noise is enough where the attacker does not know the record, or the others."""
    said = []
    for one in found:
        if one.notion in (Notion.RECORD, Notion.OTHERS) and beside(setting, one):
            enough = "no noise" if one.error == 0.0 else f"noise **{_scale(one)}**"
            kind = " (estimate)" if one.notion is Notion.OTHERS else ""
            said.append(f"{one.notion.capitalize()}: {enough}{kind}.")
    return " ".join(said)


def reason(setting: StatisticSetting, found: list[Answer]) -> str:
    """Why an attacker who knows less costs more, where one that is looked at does."""
    full = next(one.error for one in found if one.notion is Notion.FULL)
    dearer = [one for one in found if one.notion in _DEARER and one.notion in _wanted(setting) and one.found]
    return " ".join(
        f"{one.notion.capitalize()} costs more, {number(one.error)}: {_DEARER[one.notion]}."
        for one in dearer
        if one.error > full * (1.0 + _ROUNDING)
    )


def number(error: float) -> str:
    """An error to three digits."""
    return f"{error:,.0f}" if error >= 1000.0 else f"{error:.3g}"


def without_answer(found: list[Answer]) -> list[str]:
    """Of those without a noise of their own, why."""
    return [f"**{one.notion.capitalize()}:** {one.reason}" for one in found if one.found is None]


def weakness(setting: StatisticSetting) -> str:
    """Words for a limit that protects little; empty for one that does."""
    weak = _WEAK_EPSILON if isinstance(setting.measure, Epsilon) else _WEAK_RATE
    if setting.goal <= weak:
        return ""
    if weak == _WEAK_EPSILON:
        return f"**An ε of {setting.goal:g} promises little:** look at what the attack finds instead."
    return "**This limit protects little:** it lets the attacker find most of the members."


def table(setting: StatisticSetting, found: list[Answer]) -> dict[str, list[str]]:
    """Every notion's noise and error as the columns of a table."""
    answered = [answer for answer in found if answer.found is not None]
    return {
        "attacker": [answer.notion.value for answer in answered],
        "knows": [_KNOWS[answer.notion] for answer in answered],
        "noise": [noise(answer.found) for answer in answered if answer.found is not None],
        "error": [number(answer.error) for answer in answered],
        "people needed": [_people(setting, answer.notion, 1.0) for answer in answered],
        "practically free from": [_people(setting, answer.notion, FREE) for answer in answered],
        "neighbours": [answer.found.adjacency.value for answer in answered if answer.found is not None],
        "kind": [answer.found.bound.value for answer in answered if answer.found is not None],
    }


def noise(found: Frontier) -> str:
    """Its law and scale, on the sum."""
    scale = float(found.scale[0])
    return "none needed" if scale == 0.0 else f"{found.noise}, {scale:.4g}"


def _people(setting: StatisticSetting, notion: Notion, share: float) -> str:
    people = cached.people_needed(setting.asked, notion, setting.goal, share)
    return "never" if people is None else f"{people:,}"
