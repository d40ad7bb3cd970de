"""The report of an audit of losses: the bound and the chosen estimate, with what else this session computed."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from numerics.epsilon_star.error_ratios import Normal, Term
from numerics.epsilon_star.mixtures import ACCEPTED, goodness_of_fit
from numerics.trade_off import Floats
from pages.audit import take_away
from pages.audit.epsilon_star import bootstrap, figures
from pages.audit.epsilon_star.audits import Audit
from pages.audit.epsilon_star.source_controls import Source
from reports import losses_audit
from reports.audit_report import AuditReport, Part
from reports.losses_words import null_sentence, rate, short

SIZES = (100, 200, 400, 1000)  # of held-out losses on which the fit is tested
KEYS = take_away.KEYS

# Who is named on which side of the threshold, and who is so by mistake.
_SIDE = {
    Term.MEMBERS_BELOW: "up to the threshold",
    Term.OUTSIDERS_ABOVE: "beyond the threshold",
    Term.MEMBERS_ABOVE: "beyond the threshold",
    Term.OUTSIDERS_BELOW: "up to the threshold",
}
_ACCUSED = (Term.MEMBERS_BELOW, Term.MEMBERS_ABOVE)


@dataclass(frozen=True)
class FitTest:
    """Kolmogorov-Smirnov tests of one group's law on held-out losses: p-values by their number."""

    group: str
    components: int
    p_values: tuple[tuple[int, float], ...]


def draw(source: Source, audit: Audit) -> None:
    """Draw the box; what this session found by resampling goes with the rest."""
    made = partial(report, source, audit, bootstrap.interval_of(source, audit))
    take_away.draw_report("epsilon-star", made, lambda: figures.drawn(audit))


def report(source: Source, audit: Audit, interval: tuple[float, float] | None) -> AuditReport:
    """The report, without its figures; ``interval`` is the bootstrap's, None where it was not run."""
    tests = fit_tests(source, audit)
    parts = (
        Part("The threshold", ((threshold(audit),),)),
        Part("Goodness of fit", tuple((fit(test),) for test in tests) or (("What is shown rests on no fitted law.",),)),
        Part("How much the estimate varies", tuple((line,) for line in spread(interval, audit))),
    )
    numbers = {
        "bootstrap_interval": interval,
        "goodness_of_fit": [
            {"group": test.group, "components": test.components, "p_values": dict(test.p_values)} for test in tests
        ],
    }
    return losses_audit.report(figures.measured(source, audit), parts, numbers)


def fit_tests(source: Source, audit: Audit) -> list[FitTest]:
    """Tests of the laws that the estimate used, refitted without the losses held out; none for counted rates."""
    result = audit.estimated
    if result is None or result.laws is None or result.transform is None:
        return []
    groups = source.groups()
    found = []
    for law, losses, name in zip(
        result.laws, (groups.train, groups.population), ("training data", "fresh data"), strict=True
    ):
        components = 1 if isinstance(law, Normal) else len(law.means)
        values = result.transform.scores(losses)
        found.append(FitTest(name, components, _p_values(values, components)))
    return found


def _p_values(values: Floats, components: int) -> tuple[tuple[int, float], ...]:
    """None where too few distinct scores are left to fit so many components."""
    try:
        found = goodness_of_fit(values, (components,), SIZES)
    except ValueError:
        return ()
    return tuple(zip(found.sizes, map(float, found.p_values[0]), strict=True))


def threshold(audit: Audit) -> str:
    """What the threshold of the largest ratio means: whom it names rightly, and whom wrongly."""
    peak, best = audit.result.peaks[0], figures.best(audit)
    if audit.result.value == 0.0:
        return "No threshold tells members from outsiders better than chance."
    accused = peak.term in _ACCUSED
    verdict = "is taken for a member" if accused else "is taken for an outsider"
    named, wronged = ("members", "outsiders") if accused else ("outsiders", "members")
    return (
        f"The threshold is a loss of {audit.result.loss_at(peak.threshold):.6g}. Whoever has a loss {_SIDE[peak.term]} "
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


def spread(interval: tuple[float, float] | None, audit: Audit) -> Sequence[str]:
    """The bootstrap interval, and the estimate where there is nothing to find."""
    if audit.estimated is None:
        return ["A confidence bound has its risk instead of a spread."]
    found = ["The bootstrap was not run."]
    if interval is not None:
        low, high = map(short, interval)
        found = [
            f"Bootstrap interval (middle 95 %): {low} to {high}. How much the estimate varies, no confidence limits."
        ]
    if audit.null is None:
        return [*found, "The estimate was not checked against a null of these losses."]
    return [*found, null_sentence(audit.null)]
