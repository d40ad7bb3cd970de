"""Scores of an attack on one model, or on several: how well they tell members, in words, and as a report."""

from collections.abc import Sequence
from dataclasses import dataclass

from numerics.audits import (
    AreaUnderCurve,
    Scores,
    TruePositiveRate,
    area_under_curve,
    ordered,
    surely_gained,
    true_positive_rate,
)
from numerics.audits.threshold_attack import RATES
from reports.audit_report import AuditReport, Data, ReportPart
from reports.parts import SLICES, Compared, in_python, starred
from reports.rounding import rounded_down, rounded_up

NOT_A_PROOF = (
    "About this model and this attack: nothing follows for the code that trained it, and a better attack may exist."
)
ASSUMPTIONS = (
    "Members and outsiders are independent draws from one source, before the split.",
    "The attack, with its reference models, did not use these labels.",
    "Rows are independent of each other: one row a person.",
)
SCORES_IN_PYTHON = "from numerics.audits import Scores\nscores = Scores(values[~is_in], values[is_in])"
"""The lines that make ``scores`` of ``values`` and ``is_in``."""
LIMITS = ("At least", "At most")
_CROWD = 10_000
_KIND = "attack scores"


@dataclass(frozen=True)
class ScoreFindings:
    """What scores show.

    Attributes:
        rates: the true positive rates at ``RATES``.
        area: under the curve.
        gained: what the advantage is at least.
        level: confidence of each statement.
        members: how many scores are members'.
    """

    rates: tuple[TruePositiveRate, ...]
    area: AreaUnderCurve
    gained: float
    level: float
    members: int


def measured(scores: Scores, level: float) -> ScoreFindings:
    """What the scores show at a level of confidence."""
    scores = ordered(scores)
    rates = tuple(true_positive_rate(scores, alpha, level) for alpha in RATES)
    found = area_under_curve(scores, level), surely_gained(scores, level)
    return ScoreFindings(rates, *found, level, len(scores.alternative))


def sentence(rate: TruePositiveRate, level: float) -> str:
    """How many members are named while 1 % of outsiders are falsely accused."""
    wronged, found = round(rate.alpha * _CROWD), round(rate.value * _CROWD)
    before = (
        f"While falsely accusing {wronged:,} of {_CROWD:,} outsiders, this attack names {found:,} of {_CROWD:,} "
        f"members (guessing: {wronged:,})"
    )
    if rate.lower is None:
        return f"{before}; how many at least takes {rate.needed:,} outsiders, and there are {rate.null:,}."
    least = int(rate.lower * _CROWD)
    return f"{before}: **at least {least:,}**, with {100 * level:g} % confidence."


def details(shown: ScoreFindings) -> str:
    """The same at 0.1 %, the area and the advantage."""
    strict, area = shown.rates[1], shown.area
    if strict.lower is None:
        small = f"At 0.1 % nothing can be said: it takes {strict.needed:,} outsiders, and there are {strict.null:,}."
    else:
        small = f"At 0.1 % false alarms at least {rounded_down(strict.lower)} of the members."
    low, high = rounded_down(area.lower), rounded_up(area.upper)
    return (
        f"{small} Area under the curve {area.value:.3f}: {low} to {high}, proven; {area.estimate[0]:.3f} to "
        f"{area.estimate[1]:.3f}, an estimate. Advantage at least "
        f"{rounded_down(shown.gained) if shown.gained else 0} ({100 * shown.level:g} %)."
    )


def rows_of_rates(rates: Sequence[TruePositiveRate]) -> list[tuple[str, str, str, str]]:
    """True positive rates as rows of a table whose last columns are ``LIMITS``."""
    return [
        (
            f"Members named at {100 * rate.alpha:g} % false alarms",
            f"{rate.value:.4g}",
            "no limit" if rate.lower is None else rounded_down(rate.lower),
            rounded_up(rate.upper),
        )
        for rate in rates
    ]


def numbers_of_rates(rates: Sequence[TruePositiveRate]) -> list[dict[str, object]]:
    """The same with all digits."""
    return [
        {
            "false_positive_rate": rate.alpha,
            "value": rate.value,
            "at_least": rate.lower,
            "at_most": rate.upper,
            "outsiders_needed": rate.needed,
        }
        for rate in rates
    ]


def report(shown: ScoreFindings, data: Data, together: Sequence[Compared] = ()) -> AuditReport:
    """The report, with what slices and models show; ``data.python`` makes ``scores``."""
    first, level, area = shown.rates[0], shown.level, shown.area
    rows = rows_of_rates(shown.rates)
    rows.append(("Area under the curve", f"{area.value:.4g}", rounded_down(area.lower), rounded_up(area.upper)))
    numbers: dict[str, object] = {
        "level": shown.level,
        "members": shown.members,
        "outsiders": first.null,
        "true_positive_rates": numbers_of_rates(shown.rates),
        "area_under_curve": {
            "value": area.value,
            "at_least": area.lower,
            "at_most": area.upper,
            "standard_error": area.standard_error,
            "estimate": area.estimate,
        },
        "advantage_at_least": shown.gained,
    }
    head = ("", "Of these scores", *LIMITS)
    note = f"{shown.members:,} members and {first.null:,} outsiders."
    slices = [one for one in together if one.kind == SLICES]
    return AuditReport(
        _KIND,
        "too few outsiders" if first.lower is None else "measured",
        (sentence(first, level), details(shown), NOT_A_PROOF),
        data,
        (
            ("Confidence", f"{100 * level:g} %, of each statement"),
            ("False positive rates", ", ".join(f"{100 * rate:g} %" for rate in RATES)),
            *map(_looked_at, together),
        ),
        ASSUMPTIONS,
        (ReportPart("What the scores show", tuple(rows), head, note), *(one.evidence for one in together)),
        numbers | {one.kind: one.numbers for one in together},
        f"{data.python}\nfrom numerics.audits import area_under_curve, true_positive_rate\n"
        f"print(true_positive_rate(scores, {RATES[0]!r}, {level!r}))\nprint(area_under_curve(scores, {level!r}))\n"
        + "".join(f"{in_python(SLICES, SLICES, level)}\n" for _ in slices),
    )


def report_of_models(found: Compared, data: Data) -> AuditReport:
    """The report of several models' scores, none of which is looked at by itself."""
    confidence = f"{100 * found.level:g} %, of each statement about all {found.kind} together"
    return AuditReport(
        _KIND,
        "too few outsiders" if found.are_too_small else "measured",
        (found.sentence(starred), found.caption, NOT_A_PROOF.replace("this model", f"these {found.kind}")),
        data,
        (("Confidence", confidence), _looked_at(found)),
        ASSUMPTIONS,
        (found.evidence,),
        {"level": found.level, found.kind: found.numbers},
        data.python,
    )


def _looked_at(one: Compared) -> tuple[str, str]:
    return f"{one.kind.capitalize()} looked at", f"all {len(one.names):,}, at {100 * one.alpha:g} % false alarms"
