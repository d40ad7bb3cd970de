"""What the report says: the bound, the threshold, the fits and the spread, each in a sentence or two."""

from math import isinf

from numerics.epsilon_star import LowerBound
from numerics.epsilon_star.error_ratios import Term
from numerics.epsilon_star.mixtures import ACCEPTED
from pages.audit.epsilon_star.audits import Audit
from pages.audit.epsilon_star.report.numbers import Extras, FitTest, follows_rule
from pages.audit.epsilon_star.words import ORIENTATION, null_sentence, rate, shown
from pages.ui.numbers_in_words import rounded_down, rounded_up

# Who is named on which side of the threshold, and who is so by mistake.
_SIDE = {
    Term.MEMBERS_BELOW: "up to the threshold",
    Term.OUTSIDERS_ABOVE: "beyond the threshold",
    Term.MEMBERS_ABOVE: "beyond the threshold",
    Term.OUTSIDERS_BELOW: "up to the threshold",
}
_ACCUSED = (Term.MEMBERS_BELOW, Term.MEMBERS_ABOVE)
RESTS_ON = (
    "It holds for all thresholds and all four ratios together (exact limits at every threshold, the risk divided "
    "among them), for any law of the losses and at any size. It rests on two assumptions: that the losses are "
    "independent, within and between the groups; and that δ and the confidence were chosen before the losses were "
    "looked at. Of several such bounds, each holds by itself."
)


def number(value: float) -> str:
    """A value of epsilon*."""
    return "infinite" if isinf(value) else f"{value:.4g}"


def bound(found: LowerBound) -> str:
    """What is certain but for the bound's risk."""
    level = f"{100.0 * found.level:.6g} %"
    if found.place is None or found.value == 0.0:
        return f"With confidence {level} nothing is shown: ε* may be 0. {_attainable(found)} {RESTS_ON}"
    return (
        f"With confidence {level}, ε* is at least {rounded_down(found.value, 4)}. {_attainable(found)} It is shown by "
        f"the counts at one threshold ({ORIENTATION[found.place.term]}): {shown(found.place)}. {RESTS_ON}"
    )


def _attainable(found: LowerBound) -> str:
    return f"The most that groups of these sizes can show is {rounded_up(found.attainable, 4)}."


def threshold(audit: Audit, alpha: float, power: float) -> str:
    """What the threshold of the largest ratio means: shares ``power`` rightly and ``alpha`` wrongly named."""
    peak = audit.result.peaks[0]
    if audit.result.value == 0.0:
        return "No threshold tells members from outsiders better than chance."
    accused = peak.term in _ACCUSED
    verdict = "is taken for a member" if accused else "is taken for an outsider"
    named, wronged = ("members", "outsiders") if accused else ("outsiders", "members")
    return (
        f"The threshold is a loss of {audit.result.loss_at(peak.threshold):.6g}. Whoever has a loss {_SIDE[peak.term]} "
        f"{verdict}: rightly a share {rate(power)} of all {named}, wrongly a share {rate(alpha)} of all {wronged}."
    )


def delta(audit: Audit) -> str:
    """Delta and where it comes from."""
    rule = "the rule 1 / (n log n) with n training losses" if follows_rule(audit) else "chosen by hand"
    return f"{audit.bound.delta:.6g} ({rule})"


def method(audit: Audit) -> str:
    """How rates were estimated, on which scale, and whether they were cut."""
    found, options = audit.estimated, audit.options
    clip = None if found is None else found.clip
    cut = "no clip" if clip is None else f"rates cut to ({clip:.3g}, 1 − {clip:.3g})"
    return f"{options.method.value}; {f'scale of the fit: {options.scale}; ' if options.is_fit else ''}{cut}"


def fit(test: FitTest) -> str:
    """Whether the law of a group passes."""
    law = "the normal law" if test.components == 1 else f"the mixture of {test.components} normal laws"
    if not test.p_values:
        return f"{test.group.capitalize()}: too few different losses to test {law}."
    listed = ", ".join(f"{p:.3g} on {size:,}" for size, p in test.p_values)
    size, last = test.p_values[-1]
    passes = "is not rejected" if last >= ACCEPTED else "is rejected: its tails, and ε*, are not to be relied on"
    return f"{test.group.capitalize()}: {law} {passes} on {size:,} held-out losses (p-values: {listed})."


def spread(extras: Extras, audit: Audit) -> list[str]:
    """The bootstrap interval, and the estimate where there is nothing to find."""
    if audit.estimated is None:
        return ["A confidence bound has its risk instead of a spread."]
    found = []
    if extras.interval is None:
        found.append("The bootstrap was not run.")
    else:
        low, high = (number(limit) for limit in extras.interval)
        found.append(
            f"Bootstrap interval (middle 95 %): {low} to {high}. How much the estimate varies, no confidence limits."
        )
    if audit.null is None:
        return [*found, "The estimate was not checked against a null of these losses."]
    return [*found, null_sentence(audit.null)]
