"""The sheet of a planned release: its guarantee under full knowledge and under each relaxed model, side by side.

All numbers are the pages' own cached answers, so that page and sheet never disagree. What cannot be computed says why.

As a program, ``python -m pages.ui.sheet_filling < question.json``, it fills in the sheet of a release's file.
"""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from math import ceil, isinf

from numerics import release_file
from numerics.calibration import PowerTarget
from numerics.mechanisms import Mechanism
from numerics.trade_off import SMALLEST_ALPHA, Bound, Bracket, Order
from pages.ui import cached, people_scene, prior_guess, remedies, result_header, sheet_fields, threat_models
from pages.ui.numbers_in_words import (
    EPSILON_DIGITS,
    NOT_SET,
    as_entered,
    one_in,
    or_not_set,
    quantity,
    rounded_down,
    rounded_up,
)
from pages.ui.prior_guess import Known, success_sentence
from pages.ui.release_in_force import ReleaseChoice, delta_of
from pages.ui.result_header import surely, words_for
from pages.ui.sheet_fields import said_or_why
from pages.ui.threat_models import (
    APART,
    FULL,
    RELAXED,
    SAMPLE,
    ReleaseSetting,
    View,
    eta_lines,
    membership_lines,
    relaxed_lines,
)
from plotting.curves import Axes, OfAttacker, OperatingPoint
from plotting.limit import LimitRegion
from plotting.printed import drawing
from plotting.trade_off import trade_off_figure
from reports.audit_report import ReportFigure, ReportPart
from reports.python_code import constructor, imports
from reports.sheet import Rows, Sheet, Standing, fields

RATES = (0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6)
"""False positive rates of the table."""
BESIDE = (
    "The first row is the full guarantee: it holds whatever the attacker knows. The others assume one who knows less, "
    "hold only while that is so, and stand beside the full guarantee, never in its place (paper 000)."
)
NO_STATEMENT, NONE = "no statement", "—"
"""Where a notion says nothing, and where it has no answer."""
_PRESUPPOSED = (
    "The noise is drawn as stated, and every record's share is clipped as stated: the program that does it is not "
    "examined here.",
    "Everything published about these people counts: another release adds to this one.",
)
_MANY = 10  # people, of whom parts no longer count
_ROUNDING = 1e-12


@dataclass(frozen=True)
class SheetNumber:
    """The most that an attacker reaches, with its kind; for a demonstrated attack, what it does reach."""

    value: float
    bound: Bound


Answer = SheetNumber | str
"""A number, or why there is none."""


@dataclass(frozen=True, eq=False)
class Guarantee:
    """What one notion promises of the release.

    Attributes:
        view: what its attacker knows, and how it is compared.
        own: the notion's own numbers, by name.
        found: members found at the operating point; in the remove-one order, outsiders ruled out.
        advantage: the largest difference of members found and outsiders accused.
        rebuilt: how often a guess of the prior in force becomes right.
    """

    view: View
    own: Mapping[str, Answer] = field(default_factory=dict)
    found: Answer = NONE
    advantage: Answer = NONE
    rebuilt: Answer = NONE


@dataclass(frozen=True)
class SheetAnswer:
    """What a page answers, for page 1: the verdict, limit, people and remedy, and the page's figure."""

    standing: Standing
    verdict: str
    facts: Rows
    figure: ReportFigure | None


def one_of_all(records: int | None) -> Known | None:
    """The prior of an attacker who only knows that the record is one of so many; None where N is not set."""
    if records is None:
        return None
    if records == 1:
        return Known(1.0, "the only record there is")
    return Known(1.0 / records, f"one of {records:,} records, no one likelier than another")


def sheet(
    setting: ReleaseSetting,
    address: str,
    answer: Callable[[], SheetAnswer] | None = None,
    known: Known | None = None,
) -> Sheet:
    """The sheet.

    Args:
        setting: the release and its circumstances, as the attackers' models see them.
        address: restores the view.
        answer: what the page answers; if None, how many people are found.
        known: what an attacker can guess of a record beforehand; if None, that it is one of all.
    """
    choice, prior = setting.choice, known or one_of_all(setting.choice.records)
    found = guarantees(setting, prior)
    try:
        said = people_found(setting) if answer is None else answer()
    except ValueError as reason:
        said = SheetAnswer(Standing.OPEN, f"Outside what can be computed: {reason}", (), None)
    facts = {"Reconstruction": partial(_rebuilt, setting.release, prior)} if answer is None and prior else {}
    facts["Privacy"] = partial(privacy, choice)
    return Sheet(
        about="planned release",
        subject=choice.words,
        standing=said.standing,
        verdict=said.verdict,
        facts=(*said.facts, *((name, said_or_why(say).replace("**", "")) for name, say in facts.items())),
        rests_on=sheet_fields.assumptions(choice.mechanism),
        figure=said.figure,
        settings=parameters(setting, prior),
        numbers=sheet_fields.summary_or_why(choice),
        evidence=(*_tables(setting, found), *_assumptions(setting.release, found)),
        fields=fields(sheet_fields.known(choice)),
        code=program(setting, prior),
        address=address,
    )


def people_found(setting: ReleaseSetting) -> SheetAnswer:
    """How many people are found, against the limit; in the page's own words."""
    choice, release = setting.choice, setting.release
    seen = people_scene.scene(choice, "sheet")
    level, words = seen.levels[seen.chosen], seen.words
    if level.found is None:
        raise ValueError(people_scene.sentence(seen))
    most = cached.power(release, choice.alpha, choice.order).upper
    whom, said = ("outsiders", "ruled out") if seen.clears else ("people", "found")
    limit = f"At most {quantity(seen.limit)} of {seen.crowd:,} {whom} {said}."
    remedy = "None is needed: keep noise, steps and sampling. Another release of these data adds to this one."
    if level.over:
        remedy = f"{words.remedy} meets the limit." if seen.advised is not None else words.no_advice
        with suppress(ValueError):
            target = PowerTarget(choice.limit, choice.alpha, choice.order)
            remedy = f"{remedy} {remedies.levers_in_words(choice, target)}".strip()
    condition = (
        f"{words_for(choice.order).rate.capitalize()} {as_entered(choice.alpha)}, or {one_in(choice.alpha)} "
        f"{words_for(choice.order).wronged}; {words.luck}."
    )
    facts = (
        ("Limit", limit),
        ("Condition", condition),
        ("Your people", _own_people(setting, most)),
        ("Remedy", remedy or "None is known."),
    )
    standing = Standing.OVER if level.over else Standing.WITHIN
    verdict = f"{level.before} **{level.found:,}** of {seen.crowd:,} {words.after}. {level.verdict}"
    return SheetAnswer(standing, verdict, facts, _trade_off(setting, seen.crowd))


def _own_people(setting: ReleaseSetting, found: float) -> str:
    """The same in the data set itself; it has no number of outsiders, and several records are no number of people."""
    choice = setting.choice
    if choice.records is None:
        return "Not stated: say how many people are in the data, and the number stands here."
    if setting.release.records_per_person > 1:
        return "Not stated: N counts records, of which a person may have several."
    if choice.order is Order.REMOVE:
        return f"{choice.records:,}. How many outsiders there are is not stated."
    most, luck = (people(rate * choice.records) for rate in (found, choice.alpha))
    return f"Of your {choice.records:,}, on average at most {most} are found so; by guessing {luck}."


def people(number: float) -> str:
    """So many people on average, rounded up: whole ones where they are many."""
    if abs(number - round(number)) < _ROUNDING * number:
        return f"{round(number):,}"
    return f"{ceil(number * (1.0 - _ROUNDING)):,}" if number >= _MANY else rounded_up(number * (1.0 - _ROUNDING), 2)


def _trade_off(setting: ReleaseSetting, crowd: int) -> ReportFigure | None:
    """What those attackers find who are comparable, with the limit."""
    choice = setting.choice
    seen = [
        (OfAttacker(curve, view.model.color), found)
        for view, curve, found in threat_models.comparable(threat_models.views(setting))
    ]
    if not seen:
        return None
    curves, region = [curve for curve, _ in seen], LimitRegion(choice.limit, crowd)
    point = OperatingPoint(choice.alpha, seen[0][1])
    figure = trade_off_figure(curves[0], point, Axes.LOG, 1.0, curves[1:], order=choice.order, limit=region)
    caption = "What each attacker finds, against whom it wrongly accuses; the region is over the limit."
    if choice.order is Order.REMOVE:
        caption = (
            "Outsiders that each attacker rules out, against members it wrongly clears; the region is over the limit."
        )
    return ReportFigure(drawing(figure, caption), caption)


def _rebuilt(release: Mechanism, known: Known) -> str:
    return success_sentence(prior_guess.guessed_right(release, known), known, release.records_per_person)


def privacy(choice: ReleaseChoice) -> str:
    """Epsilon at delta, in a sentence, in Markdown."""
    epsilon, delta = cached.epsilon(choice.mechanism, choice.delta).upper, as_entered(choice.delta)
    if isinf(epsilon):
        words = f"Of no finite ε is it proved here that the release is (ε, δ)-differentially private at δ = {delta}."
    else:
        most = rounded_up(epsilon, EPSILON_DIGITS)
        words = f"The release is (ε, δ)-differentially private with ε = **{most}** at δ = {delta}."
    return f"{words} {result_header.weakness(choice)}".strip()


def parameters(setting: ReleaseSetting, known: Known | None) -> Rows:
    """The release and its circumstances, by name."""
    choice, most = setting.choice, setting.release.records_per_person
    kind = " or ".join(dict.fromkeys(phase.scale_name for phase in setting.phases))
    clip = NOT_SET if choice.clip is None else as_entered(choice.clip)
    prior = NOT_SET if known is None else as_entered(known.kappa)
    return (
        (
            "Mechanism",
            f"{setting.release.label} (noise: {kind}, in units of the most that one record adds, its clipping norm C)",
        ),
        ("Neighbours; sampling", f"{setting.release.adjacency}; {setting.sampling}"),
        ("Who is protected", "one record" if most == 1 else f"a person with all of their records, at most {most:,}"),
        (
            "Size",
            f"records N: {or_not_set(choice.records)}; dimensions d: {or_not_set(choice.dimension)}; clipping norm C: "
            f"{clip}",
        ),
        (
            "Operating point",
            f"{words_for(choice.order).rate} {as_entered(choice.alpha)}, or {one_in(choice.alpha)}; order of the test: "
            f"{choice.order}; δ = {as_entered(choice.delta)}",
        ),
        ("Prior guess", f"κ = {prior}: {known.words}" if known and known.words else f"κ: {prior}"),
    )


def guarantees(setting: ReleaseSetting, known: Known | None) -> list[Guarantee]:
    """Differential privacy first, then every relaxed notion."""
    return [_guarantee(setting, known, view) for view in threat_models.views(setting)]


def _guarantee(setting: ReleaseSetting, known: Known | None, view: View) -> Guarantee:
    if view.curve is None or view.found is None:
        return Guarantee(view, found=view.absent)
    release, delta, bound = setting.release, setting.choice.delta, view.curve.bound
    found = _stated(view.found, bound)
    advantage = _answered(lambda: cached.advantage(release), Bound.LOWER if view.model is SAMPLE else bound)
    if view.model is FULL:
        epsilon = _answered(lambda: cached.epsilon(release, delta), bound)
        mu = _answered(lambda: cached.gaussian_mu(release), bound)
        least = as_entered(SMALLEST_ALPHA)
        own = {f"ε at δ = {as_entered(delta)}": epsilon, f"μ-GDP, for error rates from {least}": mu}
        if known is None:
            return Guarantee(view, own, found, advantage, NOT_SET)
        kind = prior_guess.bound(release, known)
        rebuilt = _answered(lambda: prior_guess.guessed_right(release, known), kind)
        return Guarantee(view, own, found, advantage, rebuilt)
    if view.model is RELAXED:
        largest = threat_models.relaxed_advantage(release, setting.relaxed_dimension, setting.test)
        rebuilt = NOT_SET if known is None else _record_unknown(setting, known.kappa, Order.ADD)
        named: dict[str, Answer] = {"its curve": setting.test.value} if bound is Bound.UPPER else {}
        return Guarantee(view, named, found, _stated(largest, bound), rebuilt)
    if view.model is SAMPLE:
        played = threat_models.game(setting)
        eta = _answered(lambda: threat_models.eta(release, played), Bound.LOWER)
        return Guarantee(view, {f"η, {played}": eta}, found, advantage, NO_STATEMENT)
    level = SheetNumber(threat_models.level(setting.gradients()).mu, Bound.ESTIMATE)
    most = SheetNumber(threat_models.largest_advantage(view.curve), Bound.ESTIMATE)
    return Guarantee(view, {"μ": level}, found, most, NO_STATEMENT)


def _stated(found: Bracket, bound: Bound) -> SheetNumber:
    return SheetNumber(found.lower if bound is Bound.UPPER else found.upper, bound)


def _answered(ask: Callable[[], Bracket], bound: Bound) -> Answer:
    """The number, or why there is none."""
    try:
        return _stated(ask(), bound)
    except ValueError as reason:
        return str(reason)


def _full_knowledge(setting: ReleaseSetting, alpha: float, order: Order) -> Answer:
    """What is found at a rate by who knows all but the noise."""
    return _answered(lambda: cached.power(setting.release, alpha, order), setting.release.bound)


def _record_unknown(setting: ReleaseSetting, alpha: float, order: Order) -> Answer:
    """The same by who does not know the record: never more."""
    release, dimension, test = setting.release, setting.relaxed_dimension, setting.test
    try:
        bound = threat_models.relaxed_curve(release, dimension, setting.choice.order, test).bound
        power = threat_models.relaxed_power(release, alpha, dimension, order, test)
        return _stated(threat_models.inherited(power, cached.power(release, alpha, order)), bound)
    except ValueError as reason:
        return str(reason)


def rates(setting: ReleaseSetting) -> dict[tuple[str, Order], tuple[Answer, ...]]:
    """What is found at ``RATES`` in both orders: by full knowledge, and where it is defined with the record unknown."""
    notions = {"DP": _full_knowledge} | ({} if threat_models.differs(setting, RELAXED) else {"RTM": _record_unknown})
    return {
        (notion, order): tuple(at(setting, alpha, order) for alpha in RATES)
        for notion, at in notions.items()
        for order in (Order.ADD, Order.REMOVE)
    }


def _number(found: Answer, digits: int = 3) -> str:
    """A number, rounded to its safe side; a dash where there is none."""
    if not isinstance(found, SheetNumber):
        return NONE
    rounded = rounded_down if found.bound is Bound.UPPER else rounded_up
    return rounded(found.value, digits)


def _qualified(found: Answer, digits: int = 3) -> str:
    """A number with what may be claimed of it; words where a notion says nothing."""
    if not isinstance(found, SheetNumber):
        return found
    if isinf(found.value):
        return "none that is finite"
    return f"{surely(found.bound)} {_number(found, digits)}"


def _tables(setting: ReleaseSetting, found: Sequence[Guarantee]) -> list[ReportPart]:
    """Notions of one kind below each other, what stands apart with the guarantee of its own kind, and other rates."""
    choice = setting.choice
    said = words_for(choice.order)
    point = f"{said.people.capitalize()} {said.found}, {said.accusing} {one_in(choice.alpha)} {said.wronged}"
    head = ("Notion: attacker", "Neighbours; sampling", "Its own measure", point, "Advantage", "Prior guess", "Kind")
    apart = [one for one in found if one.view.differs and one.view.absent != threat_models.NOT_DEFINED]
    notes = [
        f"{one.view.model.notion}{'' if one.view.curve else ' makes no statement'}: {one.view.note}"
        for one in found
        if one.view.note
    ]
    rows = [_row(one) for one in (*(one for one in found if one not in apart), *apart)]
    if drawn := [one for one in apart if one.view.curve is not None]:
        bound = setting.fixed_size.bound
        most = SheetNumber(cached.power(setting.fixed_size, choice.alpha, choice.order).upper, bound)
        compared = f"{drawn[0].view.adjacency}; {drawn[0].view.sampling}"
        there = "DP there, a guarantee that no known attack reaches" if bound is Bound.LOWER else "DP there"
        rows.append((there, compared, NONE, _qualified(most), NONE, NONE, bound.value))
        notes.append(f"Apart, {' and '.join(one.view.model.notion for one in drawn)}: {APART}")
    columns = rates(setting)
    kinds = {Bound.ESTIMATE: "estimates, no guarantee", Bound.UPPER: "reached by one attack; others may reach more"}
    unsure = dict.fromkeys(
        f"{notion}: {kinds[one.bound]}."
        for (notion, _), values in columns.items()
        for one in values
        if isinstance(one, SheetNumber) and one.bound in kinds
    )
    table = tuple(
        (f"{notion} {words_for(order).found}", *map(_number, values)) for (notion, order), values in columns.items()
    )
    note = (
        "Found: members, while that share of outsiders is falsely accused (add-one order). Ruled out: outsiders, while "
        "that share of members is wrongly cleared (remove-one order). "
    )
    return [
        ReportPart("What it promises, against whom", tuple(rows), head, " ".join((BESIDE, *notes))),
        ReportPart("At error rates", table, ("", *map(one_in, RATES)), f"{note}{' '.join(unsure)}".strip()),
    ]


def _row(one: Guarantee) -> tuple[str, ...]:
    """One notion: who its attacker is, what it compares, and its numbers with their kind."""
    model, curve = one.view.model, one.view.curve
    who = f"{model.notion} ({model.title}): {model.name}; hidden: {model.hidden}"
    if curve is None:
        return (who, NONE, NONE, _qualified(one.found), NONE, NONE, NONE)
    own = "; ".join(f"{name}: {_qualified(value, 4)}" for name, value in one.own.items()) or "its curve"
    found = (_qualified(answer) for answer in (one.found, one.advantage, one.rebuilt))
    return (who, f"{one.view.adjacency}; {one.view.sampling}", own, *found, curve.bound.value)


def _assumptions(release: Mechanism, found: Sequence[Guarantee]) -> list[ReportPart]:
    """What the numbers rest on, each with the notions whose it is."""
    most = release.records_per_person
    several = f"Nobody has more than {most:,} records. Whoever has more" if most > 1 else (
        "A person is one record. Whoever has several"
    )  # fmt: skip
    of: dict[str, list[str]] = {}
    for one in found:
        for note in () if one.view.curve is None else one.view.curve.assumptions:
            of.setdefault(note, []).append(one.view.model.notion)
    lines = (
        *_PRESUPPOSED,
        f"{several} of them is protected less.",
        *(f"{', '.join(who)}: {n}" for n, who in of.items()),
    )
    return [ReportPart("Assumptions", tuple((line,) for line in lines))]


def program(setting: ReleaseSetting, known: Known | None) -> str:
    """Python that prints the numbers, so that whoever receives a sheet can check it; run it in the project's folder."""
    choice = setting.choice
    guess = "" if known is None else (
        f'print("DP, reconstruction:", {prior_guess.in_python("release", known)}.upper)\n'
    )  # fmt: skip
    return f"""import numpy as np
from numerics import membership, reconstruction, relaxed
from numerics.gaussian_membership import GradientRelease, StepTest, level
{imports(setting.release)}
from numerics.membership import Game
from numerics.privacy_loss import Precision
from numerics.trade_off import Order

release = {constructor(setting.release)}
alpha, order, precision = {choice.alpha!r}, Order.{choice.order.name}, {cached.PRECISION!r}
print("DP, epsilon:", release.epsilon({choice.delta!r}, {cached.EPSILON_WIDTH!r}, precision).upper)
print("DP, mu:", release.gaussian_mu({SMALLEST_ALPHA!r}, precision).upper)
print("DP, advantage:", release.advantage(precision).upper)
{guess}for rate in {RATES!r}:
    print("DP, at", rate, *(release.power(rate, way, precision).upper for way in (Order.ADD, Order.REMOVE)))
full = release.power(alpha, order, precision)
{relaxed_lines(setting)}
{eta_lines(setting)}
{membership_lines(setting)}"""


def written(release: str, limit: float, alpha: float) -> dict[str, str]:
    """The document for a release's file, the share of members that may be found, and the rate at which it is asked."""
    file = release_file.read(release)
    delta = delta_of(file.records) if file.delta is None else file.delta
    choice = ReleaseChoice(file.mechanism, alpha, Order.ADD, delta, limit, file.records, file.dimension, file.clip)
    found = sheet(ReleaseSetting(choice), address="")
    return {"html": found.html, "markdown": found.markdown}


if __name__ == "__main__":
    json.dump(written(**json.load(sys.stdin)), sys.stdout)
