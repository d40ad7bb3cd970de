"""The report of an audit of losses, from what an engine counted."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from types import MappingProxyType

from losses.errors import quoted
from losses.warehouse.auditing import WarehouseAudit
from losses.warehouse.columns import LossColumns
from numerics.epsilon_star import Method
from reports import losses_audit
from reports.audit_report import AuditReport, Data, ReportFigure
from reports.losses_audit import EstimateReport, MeasuredLosses

NAMES: Mapping[Method, str] = MappingProxyType(
    {Method.CONFIDENCE: "confidence", Method.PARAMETRIC: "parametric", Method.EMPIRICAL: "empirical"}
)
_MEANING = MappingProxyType(
    {
        Method.PARAMETRIC: "parametric estimate",
        Method.EMPIRICAL: "empirical estimate",
        Method.CONFIDENCE: "lower confidence bound",
    }
)


@dataclass(frozen=True, eq=False)
class EngineAudit:
    """An audit by an engine and what it was of; it holds numbers and names only, no losses.

    Attributes:
        audit: the numbers.
        sources: files or tables: one, or training data and fresh data.
        columns: which were read.
        engine: what counted, with its version.
        limit: the largest Epsilon* that passes; None for no limit.
        notes: what was done about rows of one person, or of one of several models.
        doubts: columns that leave in doubt whether rows are independent.
    """

    audit: WarehouseAudit
    sources: tuple[str, ...]
    columns: LossColumns
    engine: str
    limit: float | None = None
    notes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()

    @property
    def compared(self) -> Mapping[Method, float]:
        """What the limit is compared with: the bound and every estimate made; of an interval the upper end."""
        found = self.audit.found
        return {method: self.audit.at_most if method is Method.EMPIRICAL else found[method].value for method in found}

    @property
    def exceeded(self) -> tuple[Method, ...]:
        """Methods whose estimate is above the limit."""
        if self.limit is None:
            return ()
        return tuple(method for method, value in self.compared.items() if value > self.limit)

    @property
    def undecided(self) -> bool:
        """Whether the limit is kept by the bound alone, as there is none of the estimates that were asked for."""
        return (
            self.limit is not None
            and not self.exceeded
            and bool(self.audit.refused)
            and set(self.compared) == {Method.CONFIDENCE}
        )

    @property
    def end(self) -> str:
        """How the audit compares with the limit; there is one."""
        compared, exceeded = (
            " and the ".join(_MEANING[method] for method in some) for some in (self.compared, self.exceeded)
        )
        said = f"Limit {self.limit:g}, compared with the {compared}"
        if self.exceeded:
            return f"{said}: EXCEEDED by the {exceeded}."
        if self.undecided:
            return f"{said}: UNDECIDED, as the estimate asked for could not be made."
        mind = "" if set(self.compared) - {Method.CONFIDENCE} else " A lower bound within the limit is no proof of it."
        return f"{said}: kept.{mind}"

    @property
    def numbers(self) -> dict[str, object]:
        """What an engine tells besides the estimates, by name."""
        audit = self.audit
        moments = {"train": audit.summary.train, "population": audit.summary.population}
        membership = None if self.columns.membership is None else audit.membership
        return {
            "sources": [Path(source).name or source for source in self.sources],
            "engine": self.engine,
            "columns": {
                "loss": self.columns.loss,
                "membership": self.columns.membership,
                "member": membership and membership.member,
                "why": membership and membership.why.value,
            },
            "scale": audit.summary.scale.value,
            "scores": {name: {"mean": one.mean, "variance": one.variance} for name, one in moments.items()},
            "dropped": dict(audit.dropped),
            "passes": audit.passes,
            "limit": self._verdict(),
        }

    def _verdict(self) -> dict[str, object] | None:
        if self.limit is None:
            return None
        compared = {NAMES[method]: value for method, value in self.compared.items()}
        exceeded = [NAMES[method] for method in self.exceeded]
        verdict = {"exceeded_by": exceeded, "undecided": self.undecided}
        return {"max_epsilon_star": self.limit, "compared_with": compared, **verdict}


def report_of(found: EngineAudit, data: Data, code: str) -> AuditReport:
    """The report; with a limit, the comparison with it comes first."""
    measured = _measured(found, data, code)
    made = losses_audit.report(measured, further=found.numbers)
    if found.limit is None:
        return made
    settings = (*made.settings, ("Largest Epsilon* that passes", f"{found.limit:g}"))
    outcome = "exceeded" if found.exceeded else "undecided" if found.undecided else "within the limit"
    return replace(made, verdict=(f"**{found.end}**", *made.verdict), settings=settings, outcome=outcome)


def pictures_of(found: EngineAudit) -> tuple[ReportFigure, ...]:
    """The figure of both errors."""
    figures = import_module("reports.losses_figures")
    return (figures.of_bins(_measured(found, Data(""), "").result, found.audit.summary.bins).picture,)


def _measured(found: EngineAudit, data: Data, code: str) -> MeasuredLosses:
    audit, scale = found.audit, found.audit.summary.scale.value
    estimates = tuple(
        EstimateReport(
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
        replace(data, notes=(*data.notes, f"Losses are in column {quoted(found.columns.loss)}.")),
        None if found.columns.membership is None else audit.membership,
        sum(audit.dropped.values()),
        (*found.notes, *audit.notes),
        (*found.doubts, *audit.doubts),
        code,
    )
