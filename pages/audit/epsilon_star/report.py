"""The report of an audit of losses: the bound and the chosen estimate, and what takes longer than a page may.

Goodness of fit, the bootstrap and other values of delta are computed when the report is asked for.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from numerics.epsilon_star import Method, ascending, estimate, from_laws
from numerics.epsilon_star.laws import NormalLaw
from numerics.epsilon_star.mixtures import ACCEPTED, goodness_of_fit
from numerics.epsilon_star.resampling import bootstrap
from numerics.epsilon_star.verdict import Standing
from numerics.trade_off import Floats
from pages.audit.epsilon_star import figures, several_models
from pages.audit.epsilon_star.audits import EpsilonStarAudit
from pages.audit.epsilon_star.several_models import MeasuredModels, parts_of
from pages.audit.evidence import LossSource
from pages.audit.parts import compared
from reports import losses_audit
from reports.audit_report import AuditReport, ReportPart
from reports.figures import Drawn, of_parts
from reports.losses_audit import null_sentence, percent, rate, short
from reports.parts import Compared, ComparedParts
from reports.rounding import nearest, rounded_down
from reports.sheet import Against

SIZES = (100, 200, 400, 1000)  # of held-out losses on which the fit is tested
DELTAS = (1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1)
_MIDDLE = 0.95  # of the bootstrap's values, between the ends of its interval


@dataclass(frozen=True)
class FitTest:
    """Kolmogorov-Smirnov tests of one group's law on held-out losses: p-values by their number."""

    group: str
    components: int
    p_values: tuple[tuple[int, float], ...]


def offer(source: LossSource, audit: EpsilonStarAudit, slices: ComparedParts | None, limit: Against) -> None:
    """Offer the sheet, with the bound against the ``limit``, and the report."""
    level = audit.bound.level
    every = [*([] if source.models is None else [parts_of(source.models)]), *filter(None, [slices])]

    # Once for all files of this run. They are made where no page runs, and no session keeps anything.
    @cache
    def together() -> list[Compared]:
        return [compared(one, level) for one in every if len(one.names) > 1]

    @cache
    def made() -> AuditReport:
        return with_parts(report(source, audit), source, audit, together())

    def drawn() -> list[Drawn]:
        return [*figures.drawn(audit), *filter(None, map(of_parts, together()))]

    figures.offer(source, audit, made, drawn, limit)


def with_parts(
    made: AuditReport, source: LossSource, audit: EpsilonStarAudit, together: Sequence[Compared]
) -> AuditReport:
    """The report with the tables of all models and slices, and their numbers."""
    numbers = dict(made.numbers) | {one.kind: one.numbers for one in together}
    tables = [one.evidence for one in together]
    looked = tuple((f"{one.kind.capitalize()} looked at", f"all {len(one.names):,}") for one in together)
    if source.models is not None and len(source.models.names) > 1:
        tables.insert(0, _of_models(several_models.of(source.models, audit.options), source.models.kind))
    evidence = (*made.evidence, *tables)
    return replace(made, evidence=evidence, numbers=numbers, settings=(*made.settings, *looked))


def _of_models(measured: MeasuredModels, kind: str) -> ReportPart:
    """The table for a report: bounds that hold for all models together."""
    level = percent(measured.options.level)
    rows = tuple(
        (row.name, f"{row.train:,}", f"{row.population:,}", rounded_down(row.at_least_of_all), f"{row.dropped:,}")
        for row in measured.rows
    )
    head = (kind.removesuffix("s").capitalize(), "Training", "Fresh", "ε* at least", "Left out")
    note = f"All bounds hold together with {level} confidence, at δ = {measured.delta:.3g}."
    return ReportPart(f"ε* of all {kind}", rows, head, note)


def report(source: LossSource, audit: EpsilonStarAudit) -> AuditReport:
    """The report of one model, without its figures."""
    tests, interval, deltas = fit_tests(source, audit), bootstrap_interval(source, audit), over_delta(source, audit)
    found = (
        ReportPart("The threshold", ((threshold(audit),),)),
        ReportPart(
            "Goodness of fit", tuple((fit(test),) for test in tests) or (("What is shown rests on no fitted law.",),)
        ),
        ReportPart("How much the estimate varies", tuple((line,) for line in spread(interval, audit))),
        deltas_table(deltas, audit.bound.level),
    )
    numbers = {
        "bootstrap_interval": interval,
        "goodness_of_fit": [
            {"group": test.group, "components": test.components, "p_values": dict(test.p_values)} for test in tests
        ],
        "over_delta": [{"delta": delta, "at_least": least, "estimate": value} for delta, least, value in deltas],
    }
    return losses_audit.report(figures.measured(source, audit), found, numbers)


def bootstrap_interval(source: LossSource, audit: EpsilonStarAudit) -> tuple[float, float] | None:
    """Where the middle of the estimates lies in samples drawn with replacement; None of none, and of mixtures.

    Mixtures would be fitted anew each time, which takes minutes.
    """
    found = audit.estimated
    if found is None or found.method is Method.MIXTURE:
        return None
    groups = source.groups()
    values = bootstrap(groups.train, groups.population, audit.summary.transform, found.method, found.delta, found.clip)
    low, high = np.quantile(values, [0.5 - _MIDDLE / 2.0, 0.5 + _MIDDLE / 2.0], method="inverted_cdf")
    return float(low), float(high)


def over_delta(source: LossSource, audit: EpsilonStarAudit) -> list[tuple[float, float, float | None]]:
    """The bound, and the estimate if it says anything about these losses, at each of DELTAS and at the one in force."""
    groups, found = source.groups(), audit.estimated
    train, population = ascending(groups.train), ascending(groups.population)
    deltas = sorted({*DELTAS, audit.bound.delta})
    bounds = [estimate(train, population, delta, level=audit.bound.level).value for delta in deltas]
    estimates: Sequence[float | None] = [None] * len(deltas)
    if found is not None and audit.verdict is not None and audit.verdict.standing is not Standing.GREY:
        if found.laws is None:
            estimates = [estimate(train, population, delta, found.method, found.clip).value for delta in deltas]
        else:
            estimates = [from_laws(*found.laws, delta, found.clip).value for delta in deltas]
    return list(zip(deltas, bounds, estimates, strict=True))


def deltas_table(deltas: Sequence[tuple[float, float, float | None]], level: float) -> ReportPart:
    """The same for who reads."""
    rows = tuple(
        (f"{delta:.3g}", rounded_down(least), "—" if value is None else short(value)) for delta, least, value in deltas
    )
    note = (
        "A δ beyond 1/n leaves out whole people, maybe the most exposed. Each bound holds by itself: report the δ that "
        "was chosen before looking."
    )
    return ReportPart("ε* at other δ", rows, ("δ", f"at least ({percent(level)})", "Estimate"), note)


def fit_tests(source: LossSource, audit: EpsilonStarAudit) -> list[FitTest]:
    """Tests of the laws that the estimate used, refitted without the losses held out; none for counted rates."""
    result = audit.estimated
    if result is None or result.laws is None or result.transform is None:
        return []
    groups = source.groups()
    found = []
    for law, losses, name in zip(
        result.laws, (groups.train, groups.population), ("training data", "fresh data"), strict=True
    ):
        components = 1 if isinstance(law, NormalLaw) else len(law.means)
        values = result.transform.scores(losses)
        found.append(FitTest(name, components, _p_values(values, components)))
    return found


def _p_values(values: Floats, components: int) -> tuple[tuple[int, float], ...]:
    """None where too few distinct scores are left to fit so many components."""
    try:
        return tuple(goodness_of_fit(values, components, SIZES).items())
    except ValueError:
        return ()


def threshold(audit: EpsilonStarAudit) -> str:
    """What the threshold of the largest ratio means: whom it names rightly, and whom wrongly."""
    maximum, best = audit.result.maxima[0], figures.best(audit)
    if audit.result.value == 0.0:
        return "No threshold tells members from outsiders better than chance."
    side = "beyond" if maximum.term.is_above else "up to"
    accused = maximum.term.names_members
    verdict = "is taken for a member" if accused else "is taken for an outsider"
    named, wronged = ("members", "outsiders") if accused else ("outsiders", "members")
    place = nearest(audit.result.loss_at(maximum.threshold), 6)
    return (
        f"The threshold is a loss of {place}. Whoever has a loss {side} the threshold "
        f"{verdict}: rightly a share {rate(best.power)} of all {named}, wrongly a share {rate(best.alpha)} of all "
        f"{wronged}."
    )


def fit(test: FitTest) -> str:
    """Whether the law of a group passes."""
    law = "the normal law" if test.components == 1 else f"the mixture of {test.components} normal laws"
    if not test.p_values:
        return f"{test.group.capitalize()}: too few different losses to test {law}."
    listed = ", ".join(f"{p:.3g} on {size:,}" for size, p in test.p_values)
    size, last = test.p_values[-1]
    passes = "is not rejected" if last >= ACCEPTED else "is rejected: its tails, and ε*, are not to be relied on"
    return f"{test.group.capitalize()}: {law} {passes} on {size:,} held-out losses (p-values: {listed})."


def spread(interval: tuple[float, float] | None, audit: EpsilonStarAudit) -> Sequence[str]:
    """The bootstrap interval, and the estimate where there is nothing to find."""
    if audit.estimated is None:
        return ["A confidence bound has its risk instead of a spread."]
    found = ["The bootstrap was not run: mixtures would be fitted anew for minutes."]
    if interval is not None:
        low, high = map(short, interval)
        found = [
            f"Bootstrap interval (middle 95 %): {low} to {high}. How much the estimate varies, no confidence limits."
        ]
    if audit.null is None:
        return [*found, "The estimate was not checked against a null of these losses."]
    return [*found, null_sentence(audit.null)]
