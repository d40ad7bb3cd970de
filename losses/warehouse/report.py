"""An audit by an engine in words; it holds numbers and names only, no losses."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from pathlib import Path
from types import MappingProxyType

from losses.errors import quoted, visible
from losses.warehouse.auditing import Audit
from losses.warehouse.columns import Chosen
from numerics.epsilon_star import Method

NAMES: Mapping[Method, str] = MappingProxyType(
    {Method.CONFIDENCE: "confidence", Method.PARAMETRIC: "parametric", Method.EMPIRICAL: "empirical"}
)
_MEANING = MappingProxyType(
    {
        Method.PARAMETRIC: "parametric estimate, a normal fit",
        Method.EMPIRICAL: "empirical estimate, counted rates",
        Method.CONFIDENCE: "lower confidence bound",
    }
)


@dataclass(frozen=True, eq=False)
class Report:
    """An audit and what it was of.

    Attributes:
        audit: the numbers.
        sources: files or tables: one, or training data and fresh data.
        columns: which were read.
        engine: what counted, with its version.
        limit: the largest Epsilon* that passes; None for no limit.
        notes: what was done about rows of one person, or of one of several models.
    """

    audit: Audit
    sources: tuple[str, ...]
    columns: Chosen
    engine: str
    limit: float | None = None
    notes: tuple[str, ...] = ()

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

    def text(self) -> str:
        """In words."""
        return "\n".join([*self._head(), "", *(line for method in NAMES for line in self._lines(method)), self.end])

    def _head(self) -> list[str]:
        audit, evidence = self.audit, self.audit.summary.evidence
        groups = f"{evidence.train_size:,} losses of training data, {evidence.population_size:,} of fresh data"
        origin = f"column {quoted(self.columns.loss)}"
        lines = [
            f"Epsilon* of {' and '.join(visible(source, 200) for source in self.sources)}",
            f"{groups} ({origin}).",
            *([] if self.columns.membership is None else [audit.membership.words]),
            *self.notes,
            *audit.notes,
            *(f"Mind: {doubt}" for doubt in audit.doubts),
            f"Losses from {evidence.lowest:.6g} to {evidence.highest:.6g}; delta = {audit.delta:.4g}.",
        ]
        if left_out := {reason: count for reason, count in audit.dropped.items() if count}:
            lines.append(f"Left out: {', '.join(f'{count:,} rows {why}' for why, count in left_out.items())}.")
        return lines

    def _lines(self, method: Method) -> list[str]:
        if method in self.audit.refused:
            return [f"{_MEANING[method].capitalize()}: not shown as a number, because {self.audit.refused[method]}", ""]
        if method not in self.audit.found:
            return []
        found = self.audit.found[method]
        lines = [f"{_MEANING[method].capitalize()}: {_shown(found.value)}"]
        if found.confidence is not None:
            lines = [f"{_MEANING[method].capitalize()}: {_floor(found.value)}"]
            lines.append(f"  With {100 * found.confidence.level:.6g} % confidence Epsilon* is at least that;")
            lines.append(f"  groups of these sizes can show at most {_ceiling(found.confidence.attainable)}.")
        if verdict := self.audit.verdicts.get(method):
            lines.append(f"  {verdict.standing.capitalize()}, because {verdict.words}.")
        if method is Method.EMPIRICAL and self.audit.at_most > found.value:
            lines.append(
                f"  Losses were counted in bins: all of them together give at most {_shown(self.audit.at_most)}."
            )
        if found.clip is not None:
            lines.append(f"  Rates are clipped at {found.clip:.4g}; without that it is {_shown(found.unclipped)}.")
        if found.value > 0.0:
            peak = found.peaks[0]
            rates = f"false positives {peak.false_positive_rate:.4g}, false negatives {peak.false_negative_rate:.4g}"
            lines.append(f"  Shown at loss {found.loss_at(peak.threshold):.6g}: {rates}; {peak.term.split(':')[0]}.")
        lines += [f"  Mind: {caveat}." for caveat in found.caveats]
        return [*lines, ""]

    @property
    def end(self) -> str:
        """How the audit compares with the limit."""
        if self.limit is None:
            return "An audit of this model: no guarantee about the way it was trained."
        compared, exceeded = (
            " and the ".join(_MEANING[method].split(",")[0] for method in some)
            for some in (self.compared, self.exceeded)
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


def _shown(value: float) -> str:
    return "infinite" if math.isinf(value) else f"{value:.6g}"


def _floor(value: float) -> str:
    """Six digits, never above the value."""
    return f"{Context(prec=6, rounding=ROUND_FLOOR).create_decimal(Decimal(value)):g}"


def _ceiling(value: float) -> str:
    """Four digits, never below the value."""
    return f"{Context(prec=4, rounding=ROUND_CEILING).create_decimal(Decimal(value)):f}"
