"""An audit in words, for people, and as JSON, for pipelines. Both hold numbers and names only, no losses."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from types import MappingProxyType

from losses.errors import quoted, visible
from losses.warehouse.auditing import Audit
from losses.warehouse.columns import Chosen
from numerics.epsilon_star import EpsilonStar, Method
from numerics.version import VERSION

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
        return "\n".join([*self._head(), "", *(line for method in NAMES for line in self._lines(method)), self._end()])

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

    def _end(self) -> str:
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

    def json(self) -> str:
        """Every number; infinite ones as the texts "Infinity" and "-Infinity", which JSON has no number for."""
        return json.dumps(_plain(self._everything()), indent=2, allow_nan=False, ensure_ascii=False)

    def _everything(self) -> dict[str, object]:
        audit, evidence = self.audit, self.audit.summary.evidence
        moments = {"train": audit.summary.train, "population": audit.summary.population}
        return {
            "software": f"privacy trade-offs {VERSION}",
            "sources": list(self.sources),
            "engine": self.engine,
            "columns": {"loss": self.columns.loss, "membership": self.columns.membership, **self._member()},
            "sizes": {"train": evidence.train_size, "population": evidence.population_size},
            "range": {"lowest": evidence.lowest, "highest": evidence.highest},
            "scale": audit.summary.scale.value,
            "scores": {name: {"mean": one.mean, "variance": one.variance} for name, one in moments.items()},
            "dropped": dict(audit.dropped),
            "dependence": {"handled": [*self.notes, *audit.notes], "doubts": list(audit.doubts)},
            "delta": audit.delta,
            "passes": audit.passes,
            "estimates": {NAMES[method]: self._estimate(method, found) for method, found in audit.found.items()},
            "refused": {NAMES[method]: why for method, why in audit.refused.items()},
            "limit": self._verdict(),
        }

    def _member(self) -> dict[str, str | None]:
        """The label of members, and why it is, where a column has it."""
        if self.columns.membership is None:
            return {"member": None, "why": None}
        return {"member": self.audit.membership.member, "why": self.audit.membership.why.value}

    def _verdict(self) -> dict[str, object] | None:
        if self.limit is None:
            return None
        compared = {NAMES[method]: value for method, value in self.compared.items()}
        exceeded = [NAMES[method] for method in self.exceeded]
        verdict = {"exceeded_by": exceeded, "undecided": self.undecided}
        return {"max_epsilon_star": self.limit, "compared_with": compared, **verdict}

    def _estimate(self, method: Method, found: EpsilonStar) -> dict[str, object]:
        known: dict[str, object] = {"value": found.value, "clip": found.clip, "unclipped": found.unclipped}
        if method is Method.EMPIRICAL:
            known["at_most"] = self.audit.at_most
        if found.confidence is not None:
            known |= {"level": found.confidence.level, "attainable": found.confidence.attainable}
        if verdict := self.audit.verdicts.get(method):
            known |= {"standing": verdict.standing.value, "reasons": [reason.value for reason in verdict.reasons]}
        known["terms"] = [
            {
                "term": peak.term.value,
                "log_ratio": peak.log_ratio,
                "threshold": found.loss_at(peak.threshold),
                "false_positive_rate": peak.false_positive_rate,
                "false_negative_rate": peak.false_negative_rate,
            }
            for peak in found.peaks
        ]
        return known | {"caveats": [caveat.value for caveat in found.caveats]}


def _shown(value: float) -> str:
    return "infinite" if math.isinf(value) else f"{value:.6g}"


def _floor(value: float) -> str:
    """Six digits, never above the value."""
    return f"{Context(prec=6, rounding=ROUND_FLOOR).create_decimal(Decimal(value)):g}"


def _ceiling(value: float) -> str:
    """Four digits, never below the value."""
    return f"{Context(prec=4, rounding=ROUND_CEILING).create_decimal(Decimal(value)):f}"


def _plain(value: object) -> object:
    """The same without numbers that JSON does not have."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, float) and math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value
