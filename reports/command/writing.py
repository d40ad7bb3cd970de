"""The report of an audit of losses, from what an engine counted."""

from dataclasses import replace
from importlib import import_module

from losses.warehouse.report import NAMES, Report
from numerics.epsilon_star import Method
from reports import losses_audit
from reports.audit_report import AuditReport, Data, Picture
from reports.losses_audit import Estimated, MeasuredLosses


def report_of(found: Report, data: Data, code: str) -> AuditReport:
    """The report; with a limit, the comparison with it comes first."""
    measured = _measured(found, data, code)
    made = losses_audit.report(measured, further=found.numbers)
    if found.limit is None:
        return made
    settings = (*made.settings, ("Largest Epsilon* that passes", f"{found.limit:g}"))
    outcome = "exceeded" if found.exceeded else "undecided" if found.undecided else "within the limit"
    return replace(made, verdict=(f"**{found.end}**", *made.verdict), settings=settings, outcome=outcome)


def pictures_of(found: Report) -> tuple[Picture, ...]:
    """The figure of both errors."""
    figures = import_module("reports.losses_figures")
    return (figures.of_bins(_measured(found, Data(""), "").result, found.audit.summary.bins).picture,)


def _measured(found: Report, data: Data, code: str) -> MeasuredLosses:
    audit, scale = found.audit, found.audit.summary.scale.value
    estimates = tuple(
        Estimated(
            method,
            audit.found.get(method),
            audit.verdicts.get(method),
            audit.refused.get(method, ""),
            None,
            audit.at_most if method is Method.EMPIRICAL else None,
            scale if method is Method.PARAMETRIC else "",
        )
        for method in NAMES
        if method is not Method.CONFIDENCE and (method in audit.found or method in audit.refused)
    )
    return MeasuredLosses(
        audit.found[Method.CONFIDENCE],
        estimates,
        data,
        None if found.columns.membership is None else audit.membership,
        sum(audit.dropped.values()),
        (*found.notes, *audit.notes),
        audit.doubts,
        code,
    )
