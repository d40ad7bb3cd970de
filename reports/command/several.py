"""Several models in one table: each of them audited, with bounds that hold together."""

import argparse
from copy import copy
from dataclasses import dataclass

from losses.warehouse.auditing import Audit
from losses.warehouse.belonging import models_of
from losses.warehouse.report import Report
from numerics.audits import level_each
from numerics.epsilon_star import Method
from reports.audit_report import AuditReport, Data, Part
from reports.command import losses
from reports.losses_numbers import of_bound
from reports.losses_words import ASSUMPTIONS, NO_BOUND, RESTS_ON, percent
from reports.rounding import rounded_down


@dataclass(frozen=True)
class Several:
    """Audits of all models by name, their bounds at a level at which all hold together, and the limit there is."""

    reports: dict[str, Report]
    level: float
    limit: float | None

    @property
    def exceeded(self) -> bool:
        """Whether the bound of some model is above the limit, all bounds held together."""
        return self.limit is not None and self.most > self.limit

    @property
    def undecided(self) -> bool:
        """Bounds decide."""
        return False

    @property
    def most(self) -> float:
        """What the most exposed model has at least."""
        return max(report.audit.found[Method.CONFIDENCE].value for report in self.reports.values())


def audited(chosen: argparse.Namespace, progress: losses.Say) -> Several:
    """All models that a column tells; raises TableError, and ValueError where one of them cannot be audited."""
    sources = losses.sources_of(chosen)
    with losses.opened_engine(chosen) as engine:
        names = models_of(engine, losses.opened_tables(engine, sources, chosen), chosen.model_column)
    own = copy(chosen)
    own.level, own.method, own.max_epsilon_star = level_each(len(names), 1, chosen.level), "confidence", None
    found = {}
    for place, own.model in enumerate(names, 1):
        progress(f"model {place:,} of {len(names):,}")
        try:
            found[own.model] = losses.audited(own, progress)
        except ValueError as refusal:
            raise ValueError(f"{own.model}: {refusal}") from None
    return Several(found, chosen.level, chosen.max_epsilon_star)


def report(several: Several, data: Data, code: str) -> AuditReport:
    """The report: a table of all models, and what holds of all of them together."""
    audits = {name: one.audit for name, one in several.reports.items()}
    level, first = percent(several.level), next(iter(several.reports.values()))
    each = next(iter(audits.values())).found[Method.CONFIDENCE].confidence
    assert each is not None
    sentence = (
        f"{len(audits):,} models: with {level} confidence ε\\* of the most exposed is **at least "
        f"{rounded_down(several.most)}**, and every bound below holds at once."
    )
    limit = () if several.limit is None else (_limit(several, several.limit),)
    rows = tuple(_row(name, audit) for name, audit in audits.items())
    head = ("Model", "Training", "Fresh", "δ", "ε* at least", "Can show at most", "Left out")
    return AuditReport(
        "losses",
        "exceeded" if several.exceeded else f"largest epsilon* at least {rounded_down(several.most, 4)}",
        (*limit, sentence, NO_BOUND),
        Data(data.name, data.files, data.python, (*data.notes, *first.notes[:0])),
        (
            ("Confidence of all bounds together", f"{level}; of each, {percent(each.level)}"),
            ("δ", "the rule 1 / (n log n) of each model" if _is_rule(audits) else f"{each.delta:.6g} (chosen by hand)"),
            *([] if several.limit is None else [("Largest Epsilon* that passes", f"{several.limit:g}")]),
        ),
        (RESTS_ON, *ASSUMPTIONS),
        (Part("Models", rows, head),),
        {
            "level": several.level,
            "limit": several.limit,
            "models": {name: _numbers(one) for name, one in audits.items()},
        },
        code,
    )


def _is_rule(audits: dict[str, Audit]) -> bool:
    return len({audit.delta for audit in audits.values()}) > 1


def _limit(several: Several, limit: float) -> str:
    said = f"Limit {limit:g}, compared with the bounds of all models together"
    if several.exceeded:
        return f"**{said}: EXCEEDED.**"
    return f"**{said}: kept.** A lower bound within the limit is no proof of it."


def _row(name: str, audit: Audit) -> tuple[str, ...]:
    bound, evidence = audit.found[Method.CONFIDENCE].confidence, audit.summary.evidence
    assert bound is not None
    return (
        name,
        f"{evidence.train_size:,}",
        f"{evidence.population_size:,}",
        f"{bound.delta:.3g}",
        rounded_down(bound.value, 4),
        f"{bound.attainable:.4g}",
        f"{sum(audit.dropped.values()):,}",
    )


def _numbers(audit: Audit) -> dict[str, object]:
    bound, evidence = audit.found[Method.CONFIDENCE].confidence, audit.summary.evidence
    assert bound is not None
    sizes = {"train": evidence.train_size, "population": evidence.population_size}
    return {"sizes": sizes, "rows_left_out": sum(audit.dropped.values()), "lower_bound": of_bound(bound)}
