"""What protection costs the statistic in force: the answer of every attacker, the sentence, the metrics, the table."""

from dataclasses import dataclass

from numerics.frontier import Epsilon, Found, Frontier, Histogram, Measure, NoAnswerError, Notion
from numerics.mechanisms import Adjacency
from pages.frontier.statistic import cached
from pages.frontier.statistic.controls import Also, StatisticSetting
from pages.ui.numbers_in_words import as_entered, at_most, counted
from pages.ui.readout import Metric

FOUR = (Notion.FULL, Notion.RECORD, Notion.SUBSET, Notion.OTHERS)
_SHORT = {Notion.FULL: "DP", Notion.RECORD: "RTM", Notion.SUBSET: "MIP", Notion.OTHERS: "GMIP"}
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
        f"Apart: {names}. There one record is replaced, which is another question. Choose replace-one above to see it "
        "beside full knowledge."
    )


def limit_words(measure: Measure, goal: float) -> str:
    """The limit for somebody who has never heard of it."""
    if isinstance(measure, Epsilon):
        return f"If ε may be at most **{goal:g}** at δ = {as_entered(measure.delta)}"
    most = at_most(goal)
    members = f"If of {most.of:,} members the attacker may find at most **{most.count:,}**"
    if isinstance(measure, Found):
        return f"{members} while falsely accusing {counted(measure.alpha, most.of)} outsiders"
    return f"{members} more than it accuses of {most.of:,} outsiders"


def sentence(setting: StatisticSetting, found: list[Answer]) -> str:
    """What the limit costs under each assumption, beside what sampling costs anyway."""
    by = {answer.notion: answer for answer in found}
    unit = setting.released.unit
    words = f"{limit_words(setting.measure, setting.goal)}, {setting.released.label} is off by about "
    words += f"**{number(by[Notion.FULL].error)} {unit}** (full knowledge)"
    for notion, known in (
        (Notion.RECORD, "if the record is unknown"),
        (Notion.SUBSET, "if the subset is unknown"),
        (Notion.OTHERS, "if the other records are unknown (an estimate)"),
    ):
        answer = by[notion]
        if beside(setting, answer):
            words += f", {'not at all' if answer.error == 0.0 else number(answer.error)} {known}"
    luck = number(setting.released.sampling_error)
    most = "about" if isinstance(setting.released, Histogram) else "up to"
    return f"{words}. Even without noise it is off by {most} {luck}, because only these people are looked at."


def number(error: float) -> str:
    """An error to three digits."""
    return f"{error:,.0f}" if error >= 1000.0 else f"{error:.3g}"


def metrics(setting: StatisticSetting, found: list[Answer]) -> list[Metric]:
    """One per attacker, and the sampling error."""
    own = [answer for answer in found if answer.notion in FOUR and (not answer.found or beside(setting, answer))]
    row = [_metric(setting, answer) for answer in own]
    most = "The error where bins are filled alike," if isinstance(setting.released, Histogram) else "The largest error"
    help_ = f"{most} without any noise, from looking at these people and not at everybody."
    return [*row, Metric("Sampling error", number(setting.released.sampling_error), help_)]


def _metric(setting: StatisticSetting, answer: Answer) -> Metric:
    label = f"{answer.notion.capitalize()} ({_SHORT[answer.notion]})"
    if answer.found is None:
        defined = setting.asked.adjacency is Adjacency.ADD_REMOVE
        return Metric(label, "as full knowledge" if defined else "not defined", f"No own answer: {answer.reason}")
    value = "none needed" if answer.error == 0.0 else number(answer.error)
    return Metric(label, value, _KNOWS[answer.notion])


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
        "noise": [_noise(answer.found) for answer in answered if answer.found is not None],
        "error": [number(answer.error) for answer in answered],
        "people needed": [_people(setting, answer.notion) for answer in answered],
        "neighbours": [answer.found.adjacency.value for answer in answered if answer.found is not None],
        "kind": [answer.found.bound.value for answer in answered if answer.found is not None],
    }


def _noise(found: Frontier) -> str:
    scale = float(found.scale[0])
    return "none needed" if scale == 0.0 else f"{found.noise}, {scale:.4g}"


def _people(setting: StatisticSetting, notion: Notion) -> str:
    people = cached.people_needed(setting.asked, notion, setting.goal)
    return "never" if people is None else f"{people:,}"
