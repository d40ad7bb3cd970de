"""What protection costs the statistic in force: the answer of every attacker, the sentence, the metrics, the table."""

from collections.abc import Mapping

from numerics.frontier import EpsilonMeasure, Frontier, NoAnswerError, Notion
from pages.frontier.limits import in_short
from pages.frontier.screen import Recommendation
from pages.frontier.statistic import cached
from pages.frontier.statistic.controls import Extra, StatisticSetting
from pages.ui.numbers_in_words import rounded_up

FOUR = (Notion.FULL, Notion.RECORD, Notion.SUBSET, Notion.OTHERS)
_KNOWS = {
    Notion.FULL: "The attacker knows everything but the noise (differential privacy).",
    Notion.FULL_LAPLACE: "As full knowledge, with Laplace noise in place of Gaussian.",
    Notion.RECORD: "The attacker knows all other records, but not the one looked for (relaxed threat model).",
    Notion.SUBSET: "The attacker knows a pool twice as large, but not who of it is used (η-MIP): drawn by "
    "independent coins for one record more or less, exactly half for a replaced one. While the data are not known, no "
    "less noise is proved than full knowledge's.",
    Notion.SUBSET_SWAP: "The same by η alone, with radial noise and the one-swap bound, for the worst bounded data.",
    Notion.SUBSET_PAPER: "The same, with the noise of paper 002's constants.",
    Notion.OTHERS: "The attacker knows the record and how the others are distributed, no more (Gaussian MIP, K = d): "
    "an estimate.",
}
_ALSO = {Extra.LAPLACE: Notion.FULL_LAPLACE, Extra.SWAP: Notion.SUBSET_SWAP, Extra.PAPER: Notion.SUBSET_PAPER}
_DEARER = {
    Notion.SUBSET_SWAP: "it goes by η alone and by radial noise, and while the data are not known every swap "
    "may move the sum as far as one record can",
    Notion.SUBSET_PAPER: "its noise is scaled by the spread over halves and a large constant",
    Notion.OTHERS: "a record is *replaced* there, which moves the sum twice as far",
}
FREE = 0.1
"""Of the sampling error: noise below it adds half a percent to the error in all."""
_ROUNDING = 1e-9
_WEAK_RATE, _WEAK_EPSILON = 0.5, 10.0


def at_limit(setting: StatisticSetting) -> tuple[dict[Notion, Frontier], dict[Notion, str]]:
    """Noise and error of every attacker at the limit, in the order of what it knows; and why the others have none."""
    found, refused = dict[Notion, Frontier](), dict[Notion, str]()
    for notion in Notion:
        try:
            found[notion] = cached.at(setting.asked, notion, setting.goal)
        except NoAnswerError as reason:
            refused[notion] = str(reason)
    return found, refused


def error(cost: Frontier) -> float:
    """At the limit."""
    return float(cost.error[0])


def beside(setting: StatisticSetting, cost: Frontier) -> bool:
    """Whether it is about the neighbours asked for, so that it may stand beside full knowledge."""
    return cost.adjacency is setting.asked.adjacency


def _wanted(setting: StatisticSetting, found: Mapping[Notion, Frontier]) -> list[Frontier]:
    notions = {*FOUR, *(_ALSO[also] for also in setting.also)}
    return [cost for notion, cost in found.items() if notion in notions]


def drawn(setting: StatisticSetting, found: Mapping[Notion, Frontier]) -> list[Frontier]:
    """What the visitor wants to see of the neighbours asked for."""
    return [cost for cost in _wanted(setting, found) if beside(setting, cost)]


def apart(setting: StatisticSetting, found: Mapping[Notion, Frontier]) -> str:
    """Which of those that the visitor wants to see are about other neighbours; empty if none is."""
    others = [f"**{cost.notion}**" for cost in _wanted(setting, found) if not beside(setting, cost)]
    if not others:
        return ""
    return (
        f"Apart: {', '.join(others)}. There one record is replaced, which is another question. Choose replace-one "
        "neighbours to see it beside full knowledge."
    )


def answer(setting: StatisticSetting, found: Mapping[Notion, Frontier]) -> Recommendation:
    """The noise to choose for the limit, what it costs, and from how many people on that is next to nothing."""
    full = found[Notion.FULL]
    return Recommendation(
        sentence(setting, full),
        full.bound,
        f"{verdict(setting, full)} {_knowing_less(setting, found)}".strip(),
        reason(setting, found),
        weakness(setting),
    )


def sentence(setting: StatisticSetting, full: Frontier) -> str:
    """What the limit costs if the attacker knows all but the noise, beside what sampling costs anyway."""
    released = setting.released
    are = "is" if released.label.startswith("a ") else "are"
    relative = number(100.0 * error(full) / released.sampling_error)
    return (
        f"For {in_short(setting.limit)}, choose noise **{_scale(full)}**: {released.label} {are} off by "
        f"**{number(error(full))}**, **{relative} %** of the sampling error."
    )


def _scale(cost: Frontier) -> str:
    return rounded_up(float(cost.scale[0]))


def verdict(setting: StatisticSetting, full: Frontier) -> str:
    """Whether protection is practically free, and from how many people on it is."""
    people = cached.people_needed(setting.asked, Notion.FULL, setting.goal, FREE)
    meant = f"below {100.0 * FREE:g} % of the sampling error"
    if people is None:
        return f"Never practically free ({meant})."
    if error(full) <= FREE * setting.released.sampling_error:
        return f":green[:material/check_circle:] Practically free, as from **{people:,}** people on ({meant})."
    return f"Practically free from **{people:,}** people on ({meant})."


def _knowing_less(setting: StatisticSetting, found: Mapping[Notion, Frontier]) -> str:
    """How much noise is enough where the attacker does not know the record, or the others."""
    said = []
    for notion in (Notion.RECORD, Notion.OTHERS):
        if notion in found and beside(setting, found[notion]):
            enough = f"noise **{_scale(found[notion])}**" if error(found[notion]) else "no noise"
            kind = " (estimate)" if notion is Notion.OTHERS else ""
            said.append(f"{notion.capitalize()}: {enough}{kind}.")
    return " ".join(said)


def reason(setting: StatisticSetting, found: Mapping[Notion, Frontier]) -> str:
    """Why an attacker who knows less costs more, where one that is looked at does."""
    most = error(found[Notion.FULL]) * (1.0 + _ROUNDING)
    return " ".join(
        f"{cost.notion.capitalize()} costs more, {number(error(cost))}: {_DEARER[cost.notion]}."
        for cost in _wanted(setting, found)
        if cost.notion in _DEARER and error(cost) > most
    )


def number(size: float) -> str:
    """An error to three digits."""
    return f"{size:,.0f}" if size >= 1000.0 else f"{size:.3g}"


def weakness(setting: StatisticSetting) -> str:
    """Words for a limit that protects little; empty for one that does."""
    weak = _WEAK_EPSILON if isinstance(setting.measure, EpsilonMeasure) else _WEAK_RATE
    if setting.goal <= weak:
        return ""
    if weak == _WEAK_EPSILON:
        return f"**An ε of {setting.goal:g} promises little:** look at what the attack finds instead."
    return "**This limit protects little:** it lets the attacker find most of the members."


def table(setting: StatisticSetting, found: Mapping[Notion, Frontier]) -> dict[str, list[str]]:
    """Every notion's noise and error as the columns of a table."""
    costs = found.values()
    return {
        "attacker": [cost.notion.value for cost in costs],
        "knows": [_KNOWS[cost.notion] for cost in costs],
        "noise": [noise(cost) for cost in costs],
        "error": [number(error(cost)) for cost in costs],
        "people needed": [_people(setting, cost.notion, 1.0) for cost in costs],
        "practically free from": [_people(setting, cost.notion, FREE) for cost in costs],
        "neighbours": [cost.adjacency.value for cost in costs],
        "kind": [cost.bound.value for cost in costs],
    }


def noise(cost: Frontier) -> str:
    """Its law and scale, on the sum."""
    scale = float(cost.scale[0])
    return "none needed" if scale == 0.0 else f"{cost.noise}, {scale:.4g}"


def _people(setting: StatisticSetting, notion: Notion, share: float) -> str:
    people = cached.people_needed(setting.asked, notion, setting.goal, share)
    return "never" if people is None else f"{people:,}"
